import { AuthzError, invalidField } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS, type Call } from '../authorization/calls.ts';
import { authorizeAnyone, authorizeOnTenant, type Permission } from '../authorization/authorize.ts';
import type { Note } from '../model/audit-event.ts';
import type { Deps } from '../ports.ts';
import { readCheckContext, USER_ATTRIBUTE_PREFIX } from '../policy/check-context.ts';
import type {
  Policy,
  PolicyCase,
  PolicyCaseResult,
  PolicyFinding,
  RequestContext,
  UncheckedPolicy,
  Validation,
} from '../policy/types.ts';
import { entityKey } from '../model/entities.ts';
import type { DomainWithPolicies, PolicyVersion } from '../store/domain-store.ts';
import type { Stores } from '../store/stores.ts';
import { summaryOf } from '../policy/digest.ts';
import { misspelledMembers } from '../search/candidates.ts';
import { domainNotFound } from '../not-found.ts';
import { readPage, type Page, type PageRequest } from '../pages.ts';
import { readName, readText, readWithin, requireVersion } from '../fields.ts';
import { readAttributeValues, requireAttributeCount } from './attributes.ts';
import { groundsOfDomainChange, LOCKED_OUT, lockout, writeGuarded } from '../authorization/lockout.ts';

type PolicyDeps = Pick<Deps, 'decisions' | 'stores'>;
type CheckedDeps = Pick<Deps, 'policyWorker' | 'config'>;

const BYTES_OF_MIB = 2 ** 20;

const POLICY_CASES_MAX = 1_000;
/** Findings reported at once; a longer list helps nobody. */
const FINDINGS_TOLD_MAX = 20;

/** Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, limits. */
export async function getDomainPolicies(
  deps: PolicyDeps,
  caller: Caller,
  tenantId: string,
  domainId: string,
): Promise<DomainWithPolicies> {
  await authorizeOnTenant(deps, caller, CALLS.GetDomainPolicies, tenantId, {
    action: 'read',
    path: `domains/${domainId}/policies`,
  });
  const domain = await deps.stores.domains.find(tenantId, { id: domainId });
  if (domain === null) throw domainNotFound();
  return domain;
}

/**
 * Replaces the whole set and returns the domain's version after it; an equal set leaves it as it is. When
 * this returns, no replica decides by the old set any more. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND,
 * INVALID_POLICY, VERSION_CONFLICT, LOCKOUT, limits.
 */
export async function putDomainPolicies(
  deps: WriteDeps,
  caller: Caller,
  input: {
    readonly tenantId: string;
    readonly domainId: string;
    readonly policies: readonly UncheckedPolicy[];
  } & WriteTerms,
  note: Note = () => undefined,
): Promise<number> {
  const { tenantId, domainId, policies } = input;
  await authorizeOnTenant(deps, caller, CALLS.PutDomainPolicies, tenantId, {
    action: 'update',
    path: `domains/${domainId}/policies`,
  });
  const valid = await requireValid(deps, caller, policies);
  return writePolicies(deps, caller, { tenantId, domainId }, valid, input, note);
}

export interface Place {
  readonly tenantId: string;
  readonly domainId: string;
}

/** Under which conditions a set of policies is written, and why. */
export interface WriteTerms {
  readonly expectedVersion?: number | undefined;
  readonly allowLockout?: boolean | undefined;
  /** Why it is written, kept with the version. */
  readonly message?: string | undefined;
}

export type WriteDeps = PolicyDeps & CheckedDeps & Pick<Deps, 'write' | 'now'>;

/** Throws DOMAIN_NOT_FOUND, INVALID_ARGUMENT, VERSION_CONFLICT, LOCKOUT. */
export async function writePolicies(
  deps: WriteDeps,
  caller: Caller,
  { tenantId, domainId }: Place,
  valid: readonly Policy[],
  { expectedVersion, allowLockout, message = '' }: WriteTerms,
  note: Note,
  /** Done in the same transaction. */
  beside: (stores: Stores) => Promise<void> = async () => undefined,
): Promise<number> {
  readText(message, 'message');
  const before = await deps.stores.domains.find(tenantId, { id: domainId });
  if (before === null) throw domainNotFound();
  requireVersion('domain', before.version, expectedVersion);
  const find = async () => {
    if (allowLockout === true) return [];
    const grounds = await groundsOfDomainChange(deps, caller, tenantId, { domainId, policies: valid });
    if (grounds === null) throw lockout('this set of policies locks the tenant');
    return grounds;
  };
  return writeGuarded(deps, [tenantId], find, async (stores, touch) => {
    const { domains } = stores;
    const domain = await domains.findLocked(tenantId, domainId);
    if (domain === null) throw domainNotFound();
    requireVersion('domain', domain.version, expectedVersion);
    const [present, summary] = [summaryOf(domain.policies), summaryOf(valid)];
    let { version } = domain;
    // An equal set is the version that there is: a new one would tell watchers of a change that is none.
    if (summary.digest !== present.digest) {
      const written = { at: deps.now(), authorId: caller.subjectId, message, digest: summary.digest };
      version = await domains.replacePolicies(domainId, valid, written);
      await domains.makeRoom(domainId, deps.config.policyHistoryMib * BYTES_OF_MIB);
    }
    note({ before: { version: domain.version, ...present }, after: { version, ...summary } });
    await beside(stores);
    touch(entityKey('domain', domainId));
    return version;
  });
}

/**
 * The sets of policies that the domain has and had, newest first, a page at a time. Those of the past are
 * kept as long as rows of checks that they decided. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND,
 * INVALID_ARGUMENT, limits.
 */
export async function listPolicyVersions(
  deps: PolicyDeps,
  caller: Caller,
  { tenantId, domainId }: Place,
  page: PageRequest,
): Promise<Page<PolicyVersion>> {
  await authorizeRead(deps, caller, CALLS.ListPolicyVersions, { tenantId, domainId });
  return readPage(
    page,
    ['ListPolicyVersions', tenantId, domainId],
    ({ version }) => String(version),
    ({ after, limit }) => {
      if (after !== null && !/^\d{1,15}$/.test(after)) throw badPlace();
      return deps.stores.domains.listVersions(domainId, {
        before: after === null ? null : Number(after),
        limit,
      });
    },
  );
}

function badPlace(): AuthzError {
  const field = 'page_token';
  return invalidField(field, 'is not one that was given out');
}

/**
 * The set of policies that the domain had at one of its versions. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND,
 * POLICY_VERSION_NOT_FOUND, INVALID_ARGUMENT, limits.
 */
export async function getPolicyVersion(
  deps: PolicyDeps,
  caller: Caller,
  place: Place,
  version: number,
): Promise<PastSet> {
  await authorizeRead(deps, caller, CALLS.GetPolicyVersion, place);
  return setAt(deps, place, version);
}

/** A set of policies and what is known of its being written. */
export type PastSet = PolicyVersion & { readonly policies: readonly Policy[] };

/** Throws POLICY_VERSION_NOT_FOUND, INVALID_ARGUMENT. */
async function setAt(
  { stores }: Pick<Deps, 'stores'>,
  { domainId }: Place,
  version: number,
): Promise<PastSet> {
  readWithin(version, 1, Number.MAX_SAFE_INTEGER, 'version');
  const found = await stores.domains.policiesAt(domainId, version);
  if (found !== null) return found;
  const message = `the domain has no version ${version}, or its policies are gone by retention`;
  throw new AuthzError('POLICY_VERSION_NOT_FOUND', message);
}

/**
 * Lets those enter who may read the domain's policies and what `others` are about. Throws ACCESS_DENIED,
 * DOMAIN_NOT_FOUND, limits.
 */
export async function authorizeRead(
  deps: PolicyDeps,
  caller: Caller,
  call: Call,
  place: Place,
  ...others: readonly Permission[]
): Promise<void> {
  const path = `domains/${place.domainId}/policies`;
  await authorizeOnTenant(deps, caller, call, place.tenantId, [{ action: 'read', path }, ...others]);
  if (!(await deps.stores.domains.exists(place.tenantId, place.domainId))) throw domainNotFound();
}

/**
 * Writes the set that the domain had at one of its versions once more, as `putDomainPolicies` would, and
 * returns the domain's version after it. Throws as that, and POLICY_VERSION_NOT_FOUND, INVALID_ARGUMENT.
 */
export async function rollbackPolicies(
  deps: WriteDeps,
  caller: Caller,
  input: Place & WriteTerms & { readonly version: number },
  note: Note = () => undefined,
): Promise<number> {
  const { tenantId, domainId, version } = input;
  const path = `domains/${domainId}/policies`;
  await authorizeOnTenant(deps, caller, CALLS.RollbackPolicies, tenantId, { action: 'update', path });
  if (!(await deps.stores.domains.exists(tenantId, domainId))) throw domainNotFound();
  const { policies, version: since } = await setAt(deps, input, version);
  await requireStillValid(deps, caller, policies, `version ${since}`);
  const message = input.message ?? `rollback to version ${since}`;
  return writePolicies(deps, caller, input, policies, { ...input, message }, note);
}

/** What was valid when it was written may not be so any more. Throws INVALID_POLICY. */
export async function requireStillValid(
  deps: CheckedDeps,
  caller: Caller,
  policies: readonly Policy[],
  where: string,
): Promise<void> {
  const { errors } = await deps.policyWorker.validate(policies, ownerOf(caller));
  if (errors[0] === undefined) return;
  const { policy, message } = errors[0];
  throw new AuthzError('INVALID_POLICY', `policy \`${policy}\` of ${where}: ${message}`);
}

/**
 * What `putDomainPolicies` would say about the set. Any live caller may ask; those who name the domain that
 * the set is for must be permitted to read its policies, and are warned of a set that locks the tenant.
 * Throws ACCESS_DENIED, limits.
 */
export async function validatePolicies(
  deps: PolicyDeps & CheckedDeps,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
  target: { readonly tenantId: string; readonly domainId: string } | null,
): Promise<Validation> {
  if (target === null) await authorizeAnyone(deps, caller, CALLS.ValidatePolicies);
  else {
    const path = `domains/${target.domainId}/policies`;
    await authorizeOnTenant(deps, caller, CALLS.ValidatePolicies, target.tenantId, { action: 'read', path });
  }
  assertCount(deps, policies);
  const validation = await deps.policyWorker.validate(policies, ownerOf(caller));
  if (target === null || validation.errors.length > 0) return validation;
  const { tenantId, domainId } = target;
  const change = { domainId, policies: policies as readonly Policy[] };
  if ((await groundsOfDomainChange(deps, caller, tenantId, change)) !== null) return validation;
  return { ...validation, warnings: [...validation.warnings, LOCKOUT_WARNING] };
}

const LOCKOUT_WARNING: PolicyFinding = {
  policy: '',
  policyIndex: -1,
  statement: null,
  key: null,
  code: 'lockout',
  message: LOCKED_OUT,
};

/**
 * Decides each case by the given policies alone. A case takes the contexts that a check takes, and besides
 * them the attributes that its subject is to have stored, as `user.<key>` with what `setUserAttribute` takes:
 * a case grants nobody anything, and those of an account are not read, because everyone may call this. Throws
 * INVALID_POLICY, INVALID_CONTEXT, INVALID_OBJECT_URI, INVALID_ARGUMENT, limits.
 */
export async function testPolicies(
  deps: CheckedDeps & Pick<Deps, 'decisions' | 'stores'>,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
  cases: readonly PolicyCase[],
): Promise<readonly PolicyCaseResult[]> {
  await authorizeAnyone(deps, caller, CALLS.TestPolicies);
  if (cases.length > POLICY_CASES_MAX) {
    throw new AuthzError(
      'INVALID_ARGUMENT',
      `${cases.length} cases of tests, at most ${POLICY_CASES_MAX} are decided at once: divide them among several requests or files`,
      { field: 'cases' },
    );
  }
  const read = cases.map((one, index) => ({ ...one, context: readContextOfCase(one.context, index) }));
  await refuseMisspelled(deps, caller.tenantId, read);
  return deps.policyWorker.test(await requireValid(deps, caller, policies), read, ownerOf(caller));
}

/** Throws INVALID_CONTEXT for a case whose check would be refused for the spelling of its subject. */
async function refuseMisspelled(
  { stores }: Pick<Deps, 'stores'>,
  tenantId: string | null,
  cases: readonly PolicyCase[],
): Promise<void> {
  if (tenantId === null) return;
  const subjects = cases.map(({ context }) => context.get('subject') as string);
  for (const [name, id] of await misspelledMembers(stores, tenantId, subjects)) {
    const place = `cases[${subjects.indexOf(name)}]`;
    throw new AuthzError('INVALID_CONTEXT', `${place}: \`subject\` must be spelled \`${id}\``, {
      field: `${place}.context`,
    });
  }
}

/**
 * The context of a case as that of a check whose subject has the attributes that the case brings. Throws what
 * a check of the context throws without them, and what storing them throws.
 */
export function readCaseContext(context: RequestContext): RequestContext {
  const said = new Map<string, string | readonly string[]>();
  const brought = new Map<string, readonly string[]>();
  for (const [key, value] of context) {
    if (!key.startsWith(USER_ATTRIBUTE_PREFIX)) {
      said.set(key, value);
      continue;
    }
    readName(key.slice(USER_ATTRIBUTE_PREFIX.length), `context.${key}`);
    brought.set(key, readAttributeValues([value].flat(), `context.${key}`));
  }
  const values = [...brought.values()].reduce((sum, list) => sum + list.length, 0);
  requireAttributeCount({ keys: brought.size, values }, 'context');
  return new Map([...readCheckContext(said).values, ...brought]);
}

/** As `readCaseContext`; its errors name the case. */
function readContextOfCase(context: RequestContext, index: number): RequestContext {
  try {
    return readCaseContext(context);
  } catch (error) {
    if (!(error instanceof AuthzError)) throw error;
    const place = `cases[${index}]`;
    throw new AuthzError(error.reason, `${place}: ${error.message}`, { field: `${place}.context` });
  }
}

/** Throws INVALID_POLICY, INVALID_ARGUMENT. */
export async function requireValid(
  deps: CheckedDeps,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
): Promise<readonly Policy[]> {
  assertCount(deps, policies);
  const { errors } = await deps.policyWorker.validate(policies, ownerOf(caller));
  if (errors.length === 0) return policies as readonly Policy[];
  const details: Record<string, string> = {};
  for (const { policyIndex, statement, key, message } of errors.slice(0, FINDINGS_TOLD_MAX)) {
    const owner = `policies[${policyIndex}]${statement === null ? '' : `.statements[${statement}]`}`;
    const place = key === null ? owner : `${owner}.rules.${key}`;
    details[place] = details[place] === undefined ? message : `${details[place]}; ${message}`;
  }
  const first = errors[0] as (typeof errors)[number];
  throw new AuthzError('INVALID_POLICY', `policy \`${first.policy}\`: ${first.message}`, { details });
}

/** For whom the policy worker works. */
export function ownerOf({ tenantId, subjectId }: Caller): string {
  return tenantId ?? subjectId;
}

function assertCount({ config }: Pick<Deps, 'config'>, policies: readonly UncheckedPolicy[]): void {
  const { domainPolicies: max } = config;
  if (policies.length <= max) return;
  throw new AuthzError('INVALID_ARGUMENT', `more than ${max} policies`, { field: 'policies' });
}
