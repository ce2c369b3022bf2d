import { invalidField } from '@platform/error-contracts';
import { CALLS } from '../authorization/calls.ts';
import type { Caller } from '../authorization/caller.ts';
import { effectiveDomains } from '../authorization/policy-scope.ts';
import { domainNotFound } from '../not-found.ts';
import type { ComparedFact, PolicyChange, Witness } from '../policy/compare-sets.ts';
import { listChanges, type ListedChanges } from '../policy/list-changes.ts';
import { REPLAYED_FIRST_MAX, type ReplayedPart } from '../policy/replay.ts';
import type { DomainPolicies, Policy, UncheckedPolicy } from '../policy/types.ts';
import type { Deps } from '../ports.ts';
import { ownerOf, authorizeRead, requireValid, type Place } from './policies.ts';

type ChangeDeps = Pick<Deps, 'decisions' | 'stores' | 'policyWorker' | 'config'>;

/** Domains that one plan or replay looks at: the changed one, and those below it in order of creation. */
const COMPARED_DOMAINS_MAX = 50;
/** What a change of policies does. */
export interface PolicyPlan extends ListedChanges {
  /** The domain's version that was compared with. */
  readonly version: number;
  /** Domains whose decisions were compared, and all that the change takes part in. */
  readonly domains: { readonly compared: number; readonly all: number };
}

/**
 * What changes if these policies replace the domain's, by meaning and without recorded checks: each statement
 * that only one of the two sets says, and a request that they decide differently. Throws ACCESS_DENIED,
 * DOMAIN_NOT_FOUND, INVALID_POLICY, limits.
 */
export async function planPolicyChange(
  deps: ChangeDeps,
  caller: Caller,
  input: Place & { readonly policies: readonly UncheckedPolicy[] },
): Promise<PolicyPlan> {
  await authorizeRead(deps, caller, CALLS.PlanPolicyChange, input);
  const policies = await requireValid(deps, caller, input.policies);
  const { change, version, domains } = await readChange(deps, input, policies);
  const left = domains.all - domains.compared;
  const compared = await deps.policyWorker.compare(change, ownerOf(caller));
  const facts = left === 0 ? compared : compared.map((fact) => undecidedBeyond(fact, left));
  return { ...listChanges(facts), version, domains };
}

/** A fact without effect where it was looked for: a domain that was not compared may decide otherwise. */
function undecidedBeyond(fact: ComparedFact, left: number): ComparedFact {
  if (fact.outcome !== 'no_effect') return fact;
  const reason = `domains below are not compared (${left}): a plan compares ${COMPARED_DOMAINS_MAX}`;
  return { ...fact, outcome: 'not_decided', reason };
}

/** The change, with all that decides beside it. Throws DOMAIN_NOT_FOUND. */
async function readChange(
  { stores }: Pick<Deps, 'stores'>,
  { tenantId, domainId }: Place,
  policies: readonly Policy[],
): Promise<{
  change: PolicyChange;
  version: number;
  domains: { compared: number; all: number };
  /** Active domains that are not compared: those on which the set does not decide, and those left out. */
  left: readonly string[];
}> {
  const rows = new Map((await stores.domains.list(tenantId)).map((row) => [row.id, row]));
  const target = await stores.domains.find(tenantId, { id: domainId });
  const root = [...rows.values()].find(({ isRoot }) => isRoot);
  if (target === null || root === undefined) throw domainNotFound();
  // A set can be planned before its domain is active.
  rows.set(domainId, { ...target, active: true });
  const scopeOf = (id: string) =>
    effectiveDomains((one) => rows.get(one) ?? null, { id: tenantId, rootDomainId: root.id }, id);
  const below = [...rows.keys()].filter((id) => id !== domainId).map(scopeOf);
  const scopes = [scopeOf(domainId), ...below]
    .flatMap((scope) => (scope === null ? [] : [scope.map(({ id }) => id)]))
    .filter((ids) => ids.includes(domainId));
  const compared = scopes.slice(0, COMPARED_DOMAINS_MAX);
  const active = below.flatMap((scope) => (scope === null ? [] : [scope[0]!.id]));
  const isCompared = new Set(compared.map(([id]) => id));
  const others = new Map<string, DomainPolicies>();
  for (const id of new Set(compared.flat())) {
    if (id === domainId) continue;
    const found = await stores.domains.find(tenantId, { id });
    if (found !== null) others.set(id, { domainId: id, version: found.version, policies: found.policies });
  }
  const { version } = target;
  return {
    change: {
      before: { domainId, version, policies: target.policies },
      after: { domainId, version: version + 1, policies },
      others,
      // A domain that was deleted meanwhile decides nothing.
      scopes: compared.filter((ids) => ids.every((id) => id === domainId || others.has(id))),
    },
    version,
    domains: { compared: compared.length, all: scopes.length },
    left: active.filter((id) => !isCompared.has(id)),
  };
}

/**
 * Rows that one slice of a replay has: texts of some hundred kilobytes. Megabytes made Postgres spend four
 * times as long on a row.
 */
const SLICE_ROWS = 8_000;
/** Rows after which a replay ends before all are reached. */
const REPLAYED_ROWS_MAX = 10_000_000;
/** Pairs of subject and object that are told apart. */
const PAIRS_MAX = 100_000;
/** Longest time that a replay may take; it then reports how far it came. Milliseconds. */
const REPLAY_MS_MAX = 75_000;

/** What changes for some of the recorded checks. */
export interface ReplayedChange {
  readonly checks: number;
  readonly subjects: number;
  readonly objects: number;
  readonly first: readonly Witness[];
}

export interface PolicyReplay {
  readonly checks: number;
  readonly notReplayed: number;
  /** Checks that the set took part in, of domains that are not active now or were deleted. */
  readonly domainNotActive: number;
  readonly lost: ReplayedChange;
  readonly gained: ReplayedChange;
  /** The time up to which checks were reached, newest first; null when all were. */
  readonly reached: Date | null;
  /** Whether there were more pairs than are told apart. */
  readonly atLeast: boolean;
  readonly version: number;
  readonly domains: { readonly compared: number; readonly all: number };
}

/**
 * How the recorded checks of a time would be decided if these policies replaced the domain's: contexts and
 * attributes are those of the rows, all other policies those of now. Rows are read in slices and decided in
 * the policy worker. The caller must be permitted to read the audit, too. Throws ACCESS_DENIED,
 * DOMAIN_NOT_FOUND, INVALID_POLICY, INVALID_ARGUMENT, limits.
 */
export async function replayPolicies(
  deps: ChangeDeps & Pick<Deps, 'auditRows' | 'now' | 'newId'>,
  caller: Caller,
  input: Place & {
    readonly policies: readonly UncheckedPolicy[];
    readonly since: Date | undefined;
    readonly until: Date | undefined;
  },
): Promise<PolicyReplay> {
  const { tenantId } = input;
  await authorizeRead(deps, caller, CALLS.ReplayPolicies, input, { action: 'read', path: 'audit' });
  const now = deps.now();
  const after = readTime(input.since, 'since');
  const before = input.until === undefined ? now : readTime(input.until, 'until');
  requireOrder(after, before, now);
  const policies = await requireValid(deps, caller, input.policies);
  const { change, version, domains, left } = await readChange(deps, input, policies);
  const [id, startedAt] = [deps.newId(), performance.now()];
  const [lost, gained] = [new Total(), new Total()];
  let [checks, notReplayed, domainNotActive, rows] = [0, 0, 0, 0];
  let reached: Date | null = null;
  const read = (beforeSequence: number | null) =>
    // Nothing lists the domains that were deleted: their rows are those of no other domain.
    deps.auditRows.decided({ tenantId, except: left, after, before, beforeSequence, limit: SLICE_ROWS });
  let slice = await read(null);
  while (slice !== null) {
    const { rows: ofSlice, time, sequence, checks: packed } = slice;
    rows += ofSlice;
    const isLast = rows >= REPLAYED_ROWS_MAX || performance.now() - startedAt > REPLAY_MS_MAX;
    // The database reads the next slice while the worker decides this one.
    const [decided, next] = await Promise.all([
      deps.policyWorker.replay({ id, change, checks: packed }, ownerOf(caller)),
      isLast ? null : read(sequence),
    ]);
    checks += decided.checks;
    notReplayed += decided.notReplayed;
    domainNotActive += decided.domainNotActive;
    lost.add(decided.lost);
    gained.add(decided.gained);
    if (isLast) reached = time;
    slice = next;
  }
  const atLeast = lost.isFull || gained.isFull;
  return {
    checks,
    notReplayed,
    domainNotActive,
    lost: lost.told(),
    gained: gained.told(),
    reached,
    atLeast,
    version,
    domains,
  };
}

function readTime(time: Date | undefined, field: string): Date {
  if (time !== undefined && time.getTime() >= 0 && time.getTime() <= TIME_MAX) return time;
  throw invalidField(field, 'must be a time from 1970 to 9999');
}

/** A time in which nothing can be recorded would read as a change without effect. Throws INVALID_ARGUMENT. */
function requireOrder(since: Date, until: Date, now: Date): void {
  const [field, problem] =
    since >= now
      ? ['since', 'must be in the past']
      : until <= since
        ? ['until', 'must be later than `since`']
        : [null, ''];
  if (field !== null) throw invalidField(field, problem);
}

const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z');

class Total {
  isFull = false;
  #checks = 0;
  readonly #objects = new Set<string>();
  readonly #subjects = new Set<string>();
  readonly #first: Witness[] = [];

  add({ checks, pairs, first }: ReplayedPart): void {
    this.#checks += checks;
    this.#first.push(...first.slice(0, REPLAYED_FIRST_MAX - this.#first.length));
    for (const [subject, object] of pairs) {
      const pair = `${object} ${subject}`;
      if (this.#objects.size >= PAIRS_MAX && !this.#objects.has(pair)) this.isFull = true;
      else {
        this.#objects.add(pair);
        this.#subjects.add(subject);
      }
    }
  }

  told(): ReplayedChange {
    return {
      checks: this.#checks,
      subjects: this.#subjects.size,
      objects: this.#objects.size,
      first: this.#first,
    };
  }
}
