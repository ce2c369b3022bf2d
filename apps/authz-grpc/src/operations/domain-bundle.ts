import { setTimeout as delay } from 'node:timers/promises';
import { CALLS } from '../authorization/calls.ts';
import { tenantTake, userTakes, type Caller } from '../authorization/caller.ts';
import type { DecisionPlan } from '../authorization/decision-runner.ts';
import { accessDenied, allows } from '../authorization/authorize.ts';
import { readPolicySet } from '../authorization/policy-scope.ts';
import { requireUuid } from '../ids.ts';
import type { BundledPolicies } from '../policy/types.ts';
import type { Deps } from '../ports.ts';
import { domainNotAccessible, readCheckCaller } from './check-authorization.ts';

/** Longest that a request waits for another bundle. Seconds. */
export const WAIT_SECONDS_MAX = 30;
/** How often a waiting request looks whether there is another one. */
const LOOK_INTERVAL_MS = 250;
/** Requests of one tenant that wait at a time; another one gets its response at once. */
const WAITING_MAX = 500;

/** Requests that wait in this process, by tenant. */
const waiting = new Map<string, number>();

/** A bundle that the caller has. */
interface HeldBundle {
  /** Opaque part of its ETag. */
  readonly tag: string;
}

/** A bundle as it is given out. */
export interface DomainBundle extends HeldBundle {
  readonly body: string;
  /** Domain id → version, of all that decide. */
  readonly versions: Readonly<Record<string, number>>;
}

/**
 * The policies that decide on a domain, signed; the tag alone when the caller has them already (`hasBundle`)
 * and there was no other bundle within `wait` seconds or the life of the token. They are all that a check
 * needs but attributes, so the caller needs the permission to read the policies of the domain and of every
 * superior. Takes one call of data_plane and user_plane. Throws TOKEN_INVALID, TENANT_REQUIRED,
 * DOMAIN_NOT_ACCESSIBLE, ACCESS_DENIED, INVALID_ARGUMENT, limits.
 */
export async function getDomainBundle(
  deps: Pick<Deps, 'decisions' | 'bundles' | 'now'>,
  caller: Caller,
  request: {
    readonly domainId: string;
    readonly wait: number;
    readonly hasBundle: (tag: string) => boolean;
  },
  signal: AbortSignal,
): Promise<DomainBundle | HeldBundle> {
  const domainId = requireUuid(request.domainId, 'domain_id');
  let policies = await readBundled(deps, caller, domainId, true);
  let tag = deps.bundles.tagOf(policies);
  const { tenantId } = policies;
  const others = waiting.get(tenantId) ?? 0;
  // Nobody is given a bundle after the end of the token that they asked with.
  const waitMs = Math.min(request.wait * 1000, caller.expiresAt * 1000 - deps.now().getTime());
  const looksMax = others < WAITING_MAX ? Math.floor(waitMs / LOOK_INTERVAL_MS) : 0;
  waiting.set(tenantId, others + 1);
  try {
    for (let looks = looksMax; request.hasBundle(tag); looks -= 1) {
      if (looks <= 0 || signal.aborted) return { tag };
      await delay(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      policies = await readBundled(deps, caller, domainId, false);
      tag = deps.bundles.tagOf(policies);
    }
  } finally {
    const left = (waiting.get(tenantId) ?? 1) - 1;
    if (left === 0) waiting.delete(tenantId);
    else waiting.set(tenantId, left);
  }
  return {
    body: await deps.bundles.issue(policies),
    tag,
    versions: Object.fromEntries(policies.domains.map(({ domainId: id, version }) => [id, version])),
  };
}

/** The policies, current on every replica, if the caller may read them all. */
function readBundled(
  deps: Pick<Deps, 'decisions'>,
  caller: Caller,
  domainId: string,
  isPaid: boolean,
): Promise<BundledPolicies> {
  return deps.decisions.runDecision((reading): DecisionPlan<BundledPolicies> => {
    const { subject, tenant } = readCheckCaller(reading, caller, CALLS.GetDomainBundle);
    const scope = readPolicySet(reading, tenant, domainId);
    if (scope === null) throw domainNotAccessible();
    const mayRead = (id: string) =>
      allows(reading, caller, subject, tenant, { action: 'read', path: `domains/${id}/policies` });
    if (!subject.isRoot && ![...scope.versions.keys()].every(mayRead)) throw accessDenied();
    const takes = () => [...userTakes(reading, subject), tenantTake(reading, tenant, 'data_plane')];
    return { result: { tenantId: tenant.id, domains: scope.compiled }, quotas: isPaid ? takes() : [] };
  });
}
