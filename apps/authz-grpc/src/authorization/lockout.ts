import { AuthzError } from '@platform/error-contracts';
import type { Policy, PolicyCase, PolicyCaseResult } from '../policy/types.ts';
import type { SubjectState, TenantState } from '../model/entities.ts';
import type { DomainRow } from '../store/domain-store.ts';
import type { Stores } from '../store/stores.ts';
import type { DecisionRunner, StateReader } from './decision-runner.ts';
import type { Write, WriteWork } from '../state/write.ts';
import type { Caller } from './caller.ts';
import { readPolicySet, withAttributes } from './policy-scope.ts';

export type { WriteWork };

interface LockoutDeps {
  readonly decisions: DecisionRunner;
  readonly stores: Pick<Stores, 'tenants' | 'domains'>;
}

interface WriteDeps {
  readonly write: Write;
  readonly now: () => Date;
}

type Attributes = ReadonlyMap<string, readonly string[]>;

/**
 * What the finding rests on that a tenant can still be managed after a write: an active account of the tenant
 * with these attributes, and the versions of the domains that decide about its root domain. The account is a
 * user who can manage the tenant, or the one that a write ends and that could not manage it anyway.
 */
interface Ground {
  readonly tenantId: string;
  readonly account: Pick<SubjectState, 'id' | 'kind'>;
  readonly attributes: Attributes;
  readonly versions: ReadonlyMap<string, number>;
}

/** A ground is gone by the time of the write. */
class GroundLost extends Error {
  override readonly name = 'GroundLost';
}

const TRIES_MAX = 5;

/**
 * Writes what `find` found to lock nobody out, as long as its grounds stand: `work` runs with the rows of
 * `tenantIds` locked, under which whatever a ground can be changed by queues. Another write in between has
 * them found again. Throws what `find` throws, LOCKOUT among it, and VERSION_CONFLICT when others write all
 * the time.
 */
export async function writeGuarded<T>(
  deps: WriteDeps,
  tenantIds: readonly string[],
  find: () => Promise<readonly Ground[]>,
  work: WriteWork<T>,
): Promise<T> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const grounds = await find();
    try {
      return await deps.write(async (stores, touch) => {
        // Always in the same order, so that two writes do not wait for each other.
        for (const id of [...new Set(tenantIds)].sort()) await stores.tenants.lock(id);
        for (const ground of grounds) await requireGround(stores, ground, deps.now());
        return work(stores, touch);
      });
    } catch (error) {
      if (!(error instanceof GroundLost)) throw error;
    }
  }
  throw new AuthzError('VERSION_CONFLICT', 'others changed the tenant at the same time; try again');
}

async function requireGround(stores: Stores, ground: Ground, now: Date): Promise<void> {
  const { tenantId, account, attributes, versions } = ground;
  const present = await stores.attributes.list(tenantId, account.id);
  const isActive =
    account.kind === 'user'
      ? (await stores.tenants.isMember(tenantId, account.id)) &&
        (await stores.users.find(account.id, now))?.active === true
      : (await stores.serviceAccounts.find(account.id, now))?.active === true;
  const domains = new Map((await stores.domains.list(tenantId)).map(({ id, version }) => [id, version]));
  const isSame = [...versions].every(([id, version]) => domains.get(id) === version);
  if (!isActive || !isSame || !areEqual(present, attributes)) throw new GroundLost();
}

function areEqual(one: Attributes, other: Attributes): boolean {
  const text = (attributes: Attributes) =>
    JSON.stringify([...attributes].map(([key, values]) => [key, values.toSorted()]).toSorted());
  return text(one) === text(other);
}

interface WithPolicyTests {
  readonly policyWorker: {
    test(
      policies: readonly Policy[],
      cases: readonly PolicyCase[],
      owner: string,
    ): Promise<readonly PolicyCaseResult[]>;
  };
}

/** Accounts asked about at a time. */
const ASKED_AT_ONCE = 500;

/**
 * What one user must be allowed so that the tenant can still be managed: to `manage` it, and to write the
 * policies of its root domain again. Either without the other leaves a tenant that nobody can put right.
 */
function manageContexts({ rootDomainId }: TenantState, subjectId: string): Map<string, string>[] {
  return [
    ['manage', 'tenant'],
    ['update', `domains/${rootDomainId}/policies`],
  ].map(
    ([action, path]) =>
      new Map([
        ['subject', subjectId],
        ['action', action!],
        ['object', `svc://${rootDomainId}/${path}`],
      ]),
  );
}

/**
 * A user of the tenant who could still manage it if these were its root domain's effective policies; null
 * when there is none. A service account does not count: it cannot bring a user back, for associations need
 * the session of a user. The caller is asked about first, who nearly always is the one.
 */
async function findManager(
  deps: LockoutDeps & WithPolicyTests,
  caller: Caller,
  tenantId: string,
  policies: readonly Policy[],
): Promise<SubjectState | null> {
  for await (const ids of usersOf(deps, tenantId, caller.subjectId)) {
    const asked = await deps.decisions.runDecision((reading): { result: [SubjectState, PolicyCase][] } => {
      const tenant = reading.get('tenant', tenantId);
      if (tenant === null) return { result: [] };
      const users = activeOf(reading, ids, tenantId).filter(isUser);
      return {
        result: users.flatMap((subject) =>
          manageContexts(tenant, subject.id).map((context): [SubjectState, PolicyCase] => [
            subject,
            { context: withAttributes(context, subject, tenantId), expected: true },
          ]),
        ),
      };
    });
    if (asked.length === 0) continue;
    const cases = asked.map(([, context]) => context);
    const results = await deps.policyWorker.test(policies, cases, tenantId);
    const denied = new Set(asked.filter((_, i) => !results[i]!.decision.allowed).map(([{ id }]) => id));
    const found = asked.find(([{ id }]) => !denied.has(id));
    if (found !== undefined) return found[0];
  }
  return null;
}

/** A change of one domain, from which the tenant's root domain may inherit. */
interface DomainChange {
  readonly domainId: string;
  readonly policies?: readonly Policy[];
  readonly superiorIds?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Grounds on which the tenant's root domain can still be managed after the change; none for a change that
 * does not reach its effective policies. Null when nobody could write them again.
 */
export async function groundsOfDomainChange(
  deps: LockoutDeps & WithPolicyTests,
  caller: Caller,
  tenantId: string,
  { domainId, policies, superiorIds, active }: DomainChange,
): Promise<readonly Ground[] | null> {
  const { domains } = deps.stores;
  const before = await domains.list(tenantId);
  const after = before.map((domain) =>
    domain.id === domainId
      ? { ...domain, superiorIds: superiorIds ?? domain.superiorIds, active: active ?? domain.active }
      : domain,
  );
  const effective = effectiveDomains(after);
  const reaches = [...effective, ...effectiveDomains(before)].some(({ id }) => id === domainId);
  if (!reaches) return [];
  // Under an inactive superior every check is denied.
  if (effective.some((domain) => !domain.active)) return null;
  const sets = await Promise.all(
    effective.map(async ({ id }) =>
      id === domainId && policies !== undefined
        ? policies
        : ((await domains.find(tenantId, { id }))?.policies ?? []),
    ),
  );
  const manager = await findManager(deps, caller, tenantId, sets.flat());
  return manager && [groundOf(manager, tenantId, new Map(effective.map(({ id, version }) => [id, version])))];
}

function groundOf(subject: SubjectState, tenantId: string, versions: ReadonlyMap<string, number>): Ground {
  return {
    tenantId,
    account: subject,
    attributes: subject.attributes.get(tenantId) ?? new Map<string, string[]>(),
    versions,
  };
}

/** The domains whose policies decide about the root domain: itself, its superiors and theirs. */
function effectiveDomains<D extends Pick<DomainRow, 'id' | 'isRoot' | 'superiorIds'>>(
  domains: readonly D[],
): D[] {
  const byId = new Map(domains.map((domain) => [domain.id, domain]));
  const effective = new Set(domains.filter(({ isRoot }) => isRoot));
  // A Set iterates over what is added meanwhile.
  for (const { superiorIds } of effective) {
    for (const id of superiorIds) {
      const superior = byId.get(id);
      if (superior !== undefined) effective.add(superior);
    }
  }
  return [...effective];
}

/**
 * Grounds on which each tenant can still be managed once the account has left it, or has there the attributes
 * that `change` makes of its own. An account that cannot manage the tenant takes nothing along. None for the
 * system root, who repairs tenants. Throws LOCKOUT when the account can manage a tenant and no user is left
 * who can.
 */
export async function groundsOfAccountChange(
  deps: LockoutDeps,
  caller: Caller,
  { accountId, tenantIds, change }: AccountChange,
): Promise<readonly Ground[]> {
  const grounds: Ground[] = [];
  for (const tenantId of tenantIds) {
    /** The accounts among these that may manage the tenant, if it can be managed at all. */
    const managersOf = (ids: readonly string[], changes: AccountChange['change']) =>
      deps.decisions.runDecision((reading): { result: Asked | null } => {
        if (reading.get('subject', caller.subjectId)?.isRoot === true) return { result: null };
        const tenant = reading.get('tenant', tenantId);
        if (tenant === null || !tenant.active) return { result: null };
        const scope = readPolicySet(reading, tenant, tenant.rootDomainId);
        if (scope === null) return { result: null };
        const subjects = activeOf(reading, ids, tenantId);
        const managers = subjects.filter((subject) => {
          const known = changes === undefined ? subject : withChange(subject, tenantId, changes);
          return manageContexts(tenant, subject.id).every(
            (context) =>
              scope.policies.evaluate(withAttributes(context, known, tenantId), reading.regexes).allowed,
          );
        });
        return { result: { subjects, managers, versions: scope.versions } };
      });
    const present = await managersOf([accountId], undefined);
    const [account] = present?.subjects ?? [];
    if (present === null || account === undefined) continue;
    if (present.managers.length === 0) {
      // It manages nothing that it could take along, as long as that is so.
      grounds.push(groundOf(account, tenantId, present.versions));
      continue;
    }
    const changed = change === undefined ? null : await managersOf([accountId], change);
    let found = changed?.managers.find(isUser);
    let versions = changed?.versions;
    for await (const ids of usersOf(deps, tenantId, null)) {
      if (found !== undefined) break;
      const others = await managersOf(
        ids.filter((id) => id !== accountId),
        undefined,
      );
      found = others?.managers[0];
      versions = others?.versions;
    }
    if (found === undefined || versions === undefined) throw lockout('without this account no user is left');
    grounds.push(groundOf(found, tenantId, versions));
  }
  return grounds;
}

/** An account that leaves tenants, or with `change` gets other attributes there. */
export interface AccountChange {
  readonly accountId: string;
  readonly tenantIds: readonly string[];
  readonly change?: ((attributes: Attributes) => Attributes) | undefined;
}

interface Asked {
  readonly subjects: readonly SubjectState[];
  readonly managers: readonly SubjectState[];
  readonly versions: ReadonlyMap<string, number>;
}

function withChange(
  subject: SubjectState,
  tenantId: string,
  change: (attributes: Attributes) => Attributes,
): SubjectState {
  const before = subject.attributes.get(tenantId) ?? new Map<string, string[]>();
  return { ...subject, attributes: new Map(subject.attributes).set(tenantId, change(before)) };
}

/** What a lock-out is, in the words of errors and warnings. */
export const LOCKED_OUT = 'no user of the tenant could `manage` it and `update` its policies again';

export function lockout(why: string): AuthzError {
  return new AuthzError('LOCKOUT', `${why}: ${LOCKED_OUT}; send \`allow_lockout\` to do it all the same`);
}

function isUser({ kind }: SubjectState): boolean {
  return kind === 'user';
}

/** The users of a tenant in slices; `first`, when it is given, is a slice of its own. */
async function* usersOf(
  { stores }: LockoutDeps,
  tenantId: string,
  first: string | null,
): AsyncGenerator<readonly string[]> {
  if (first !== null) yield [first];
  const ids = await stores.tenants.memberIds(tenantId);
  for (let at = 0; at < ids.length; at += ASKED_AT_ONCE) yield ids.slice(at, at + ASKED_AT_ONCE);
}

/** The active accounts among these; all that are not in memory are loaded at once. */
function activeOf(reading: StateReader, ids: readonly string[], tenantId: string): SubjectState[] {
  let suspension: unknown;
  const subjects = ids.flatMap((id) => {
    try {
      const subject = reading.get('subject', id);
      return subject?.active === true && subject.tenantIds.has(tenantId) ? [subject] : [];
    } catch (error) {
      if (!reading.isSuspension(error)) throw error;
      suspension = error;
      return [];
    }
  });
  if (suspension !== undefined) throw suspension;
  return subjects;
}
