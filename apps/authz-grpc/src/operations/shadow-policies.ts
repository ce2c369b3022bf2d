import { AuthzError } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { authorizeOnTenant } from '../authorization/authorize.ts';
import { readText, requireVersion } from '../fields.ts';
import { entityKey } from '../model/entities.ts';
import type { Note } from '../model/audit-event.ts';
import { domainNotFound } from '../not-found.ts';
import { summaryOf } from '../policy/digest.ts';
import type { UncheckedPolicy } from '../policy/types.ts';
import type { Deps } from '../ports.ts';
import type { ShadowSet } from '../store/shadow-store.ts';
import {
  authorizeRead,
  requireStillValid,
  requireValid,
  writePolicies,
  type Place,
  type WriteDeps,
  type WriteTerms,
} from './policies.ts';

type ReadDeps = Pick<Deps, 'decisions' | 'stores'>;

/**
 * Replaces the domain's shadow set and returns its version. From when this returns, every check that the
 * domain takes part in is decided by the shadow set as well, on every replica, after its response. Throws
 * ACCESS_DENIED, DOMAIN_NOT_FOUND, INVALID_POLICY, INVALID_ARGUMENT, VERSION_CONFLICT, limits.
 */
export async function putShadowPolicies(
  deps: WriteDeps,
  caller: Caller,
  input: Place & {
    readonly policies: readonly UncheckedPolicy[];
    readonly message?: string | undefined;
    /** Of the shadow set; 0 for none. */
    readonly expectedVersion?: number | undefined;
  },
  note: Note = () => undefined,
): Promise<number> {
  const { tenantId, domainId, message = '', expectedVersion } = input;
  await authorizeOnTenant(deps, caller, CALLS.PutShadowPolicies, tenantId, {
    action: 'update',
    path: `domains/${domainId}/policies`,
  });
  readText(message, 'message');
  const valid = await requireValid(deps, caller, input.policies);
  const summary = summaryOf(valid);
  return deps.write(async ({ domains, shadows }, touch) => {
    if ((await domains.findLocked(tenantId, domainId)) === null) throw domainNotFound();
    const before = await shadows.find(domainId);
    requireVersion('shadow set', before?.version ?? 0, expectedVersion);
    const write = { at: deps.now(), authorId: caller.subjectId, message, digest: summary.digest };
    const version = await shadows.put(domainId, valid, write);
    note({
      ...(before === null
        ? {}
        : { before: { shadow_version: before.version, ...summaryOf(before.policies) } }),
      after: { shadow_version: version, ...summary },
    });
    touch(entityKey('domain', domainId));
    return version;
  });
}

/**
 * The domain's shadow set with its counts, and the domain's version. The examples are checks of the audit, so
 * the caller must be permitted to read that, too. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND,
 * SHADOW_POLICIES_NOT_FOUND, limits.
 */
export async function getShadowPolicies(
  deps: ReadDeps & Pick<Deps, 'shadows'>,
  caller: Caller,
  { tenantId, domainId }: Place,
): Promise<ShadowSet & { readonly domainVersion: number }> {
  const audit = { action: 'read', path: 'audit' } as const;
  await authorizeRead(deps, caller, CALLS.GetShadowPolicies, { tenantId, domainId }, audit);
  await deps.shadows.settle();
  const domain = await deps.stores.domains.find(tenantId, { id: domainId });
  if (domain === null) throw domainNotFound();
  return { ...(await requireShadow(deps, domainId)), domainVersion: domain.version };
}

/**
 * Ends the domain's shadow set; its counts go with it. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND,
 * SHADOW_POLICIES_NOT_FOUND, VERSION_CONFLICT, limits.
 */
export async function deleteShadowPolicies(
  deps: Pick<Deps, 'decisions' | 'write'>,
  caller: Caller,
  { tenantId, domainId, expectedVersion }: Place & { readonly expectedVersion?: number | undefined },
  note: Note = () => undefined,
): Promise<void> {
  const path = `domains/${domainId}/policies`;
  await authorizeOnTenant(deps, caller, CALLS.DeleteShadowPolicies, tenantId, { action: 'update', path });
  await deps.write(async ({ domains, shadows }, touch) => {
    if ((await domains.findLocked(tenantId, domainId)) === null) throw domainNotFound();
    const before = await shadows.find(domainId);
    if (before === null) throw shadowNotFound();
    requireVersion('shadow set', before.version, expectedVersion);
    await shadows.remove(domainId);
    note({ before: { shadow_version: before.version, ...summaryOf(before.policies) } });
    touch(entityKey('domain', domainId));
  });
}

/**
 * Writes the shadow set as `putDomainPolicies` would, ends it in the same transaction, and returns the
 * domain's version. Throws as that, and SHADOW_POLICIES_NOT_FOUND.
 */
export async function promoteShadowPolicies(
  deps: WriteDeps,
  caller: Caller,
  input: Place & WriteTerms & { readonly expectedShadowVersion?: number | undefined },
  note: Note = () => undefined,
): Promise<number> {
  const { tenantId, domainId, expectedShadowVersion } = input;
  const path = `domains/${domainId}/policies`;
  await authorizeOnTenant(deps, caller, CALLS.PromoteShadowPolicies, tenantId, { action: 'update', path });
  if (!(await deps.stores.domains.exists(tenantId, domainId))) throw domainNotFound();
  const { version, policies, message } = await requireShadow(deps, domainId);
  requireVersion('shadow set', version, expectedShadowVersion);
  await requireStillValid(deps, caller, policies, `shadow set ${version}`);
  const terms = { ...input, message: input.message ?? message };
  return writePolicies(deps, caller, { tenantId, domainId }, policies, terms, note, async ({ shadows }) => {
    if (await shadows.remove(domainId, version)) return;
    throw new AuthzError('VERSION_CONFLICT', 'the shadow set has changed since it was read');
  });
}

/** Throws SHADOW_POLICIES_NOT_FOUND. */
async function requireShadow({ stores }: Pick<Deps, 'stores'>, domainId: string): Promise<ShadowSet> {
  const found = await stores.shadows.find(domainId);
  if (found === null) throw shadowNotFound();
  return found;
}

function shadowNotFound(): AuthzError {
  return new AuthzError('SHADOW_POLICIES_NOT_FOUND', 'the domain has no shadow set');
}
