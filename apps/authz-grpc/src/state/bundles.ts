import { hash } from 'node:crypto';
import { canonicalJson, signedText, type Bundle, type CompiledDomain } from '@platform/decide';
import { LRUCache } from 'lru-cache';
import type { BundledPolicies } from '../policy/types.ts';
import { runInTimeSlices } from '../time-slices.ts';

/** A key that signs bundles. */
export interface BundleSigner {
  readonly kid: string;
  /** The Ed25519 signature of the text's UTF-8 bytes. */
  sign(text: string): Uint8Array;
}

/** Bundles of the policies of domains, signed. */
export interface Bundles {
  /** How long a bundle decides. */
  readonly lifeSeconds: number;
  /**
   * Names the bundle that these policies have at this moment, so that a holder who has it needs no other one.
   * The name changes with a version, with the key, and halfway to the bundle's expiry.
   */
  tagOf(policies: BundledPolicies): string;
  /** The body of the bundle of that name. */
  issue(policies: BundledPolicies): Promise<string>;
}

/** Texts of bundles kept, so that many holders of one cost its signing once. Bytes, roughly. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * A bundle is made anew in every half of its life, at times that all replicas share: each has the same bytes
 * on all of them, and a holder that asks in time always has half a life left.
 */
export function createBundles(options: {
  readonly issuer: string;
  /** How long a bundle decides. */
  readonly seconds: number;
  readonly signer: () => BundleSigner;
  readonly now: () => Date;
}): Bundles {
  const { issuer, seconds, signer, now } = options;
  const half = Math.floor(seconds / 2);
  const kept = new LRUCache<string, Promise<string>>({ maxSize: KEPT_BYTES });

  const issuedAt = () => Math.floor(now().getTime() / 1000 / half) * half;

  function nameOf({ tenantId, domains }: BundledPolicies, from: number, { kid }: BundleSigner): string {
    const versions = domains.map(({ domainId, version }) => [domainId, version]);
    return hash('sha256', canonicalJson([tenantId, versions, from, seconds, kid]), 'base64url');
  }

  async function make(
    { tenantId, domains }: BundledPolicies,
    from: number,
    { kid, sign }: BundleSigner,
  ): Promise<string> {
    const head: Omit<Bundle, 'domains'> = {
      format: 1,
      issuer,
      tenant_id: tenantId,
      domain_id: domains[0]?.domainId ?? '',
      issued_at: from,
      expires_at: from + seconds,
      key_id: kid,
    };
    // The large part is written in slices, in the place that is kept for it.
    const text = await runInTimeSlices(withDomains(canonicalJson({ ...head, domains: 0 }), domains));
    const signature = Buffer.from(sign(signedText(text))).toString('base64url');
    return `{"bundle":${text},"signature":"${signature}"}`;
  }

  return {
    lifeSeconds: seconds,
    tagOf: (policies) => nameOf(policies, issuedAt(), signer()),
    issue(policies) {
      const from = issuedAt();
      const key = signer();
      const name = nameOf(policies, from, key);
      const found = kept.get(name);
      if (found !== undefined) return found;
      const made = make(policies, from, key);
      const size = policies.domains.reduce((sum, { bytes }) => sum + bytes, 0);
      kept.set(name, made, { size: Math.max(1, Math.min(size, KEPT_BYTES)) });
      made.catch(() => kept.delete(name));
      return made;
    },
  };
}

/** The canonical JSON with the domains in their place, a policy at each step. */
function* withDomains(head: string, domains: readonly CompiledDomain[]): Generator<void, string> {
  const written: string[] = [];
  for (const { domainId, version, policies } of domains) {
    const own: string[] = [];
    for (const { policy } of policies) {
      const { description: _, ...decisive } = policy;
      own.push(canonicalJson(decisive));
      yield;
    }
    written.push(`{"id":"${domainId}","policies":[${own.join()}],"version":${version}}`);
  }
  return head.replace('"domains":0', () => `"domains":[${written.join()}]`);
}
