import { LRUCache } from 'lru-cache';
import { AuthzError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { PAUSED, type RegexMemo } from '@platform/decide/parts';
import { readCounterKey, type Plane } from '../model/quota.ts';
import { isPending, type LimitStore, type QuotaTake, type RateLimit } from '../limits/limit-store.ts';
import type { CompiledDomain } from '../policy/types.ts';
import {
  entityKey,
  TENANT_EPOCH,
  USER_EPOCH,
  type CredentialState,
  type Entities,
  type EntityKey,
  type EntityKind,
  type EpochState,
} from '../model/entities.ts';
import type { PolicyCache } from '../state/policy-cache.ts';
import type { EntityStore } from '../store/entity-store.ts';
import type { QuotaScope, QuotaStore } from '../store/quota-store.ts';

/** The work of a call once it is admitted, and the counters it takes. */
export interface DecisionPlan<T> {
  readonly result: T;
  readonly rates?: readonly RateLimit[];
  readonly quotas?: readonly QuotaTake[];
}

/**
 * The states a decision reads. Reading one that is not in memory suspends the decision, which runs again from
 * its start.
 */
export interface StateReader {
  get<K extends EntityKind>(kind: K, id: string): Entities[K];
  /** The compiled policies of a domain whose state was read. */
  policies(domainId: string, version: number): CompiledDomain;
  /** What regexes said in this decision; where it pauses one, the decision runs again in another turn. */
  readonly regexes: RegexMemo;
  /**
   * Whether a read threw this to suspend the decision. A decision of many parts may go on with the others, so
   * that all that is missing is loaded at once, and must throw it again in the end.
   */
  isSuspension(error: unknown): boolean;
}

/**
 * Decides from states alone: synchronous, without side effects, run as often as states change. May throw
 * AuthzError.
 */
export type Decide<T> = (reading: StateReader) => DecisionPlan<T>;

export interface DecisionRunner {
  /**
   * Runs `decide` on states that are current on the whole fleet at the instant the limit store admits the
   * call, takes what the plan says, and returns its result. A refusal is confirmed on current states too,
   * and takes nothing. Errors: what `decide` throws; AuthzError RATE_LIMITED, QUOTA_EXHAUSTED,
   * DEPENDENCY_UNAVAILABLE.
   */
  runDecision<T>(decide: Decide<T>): Promise<T>;
  /** Forgets all states, as where writes of other processes could not be announced. */
  forget(): void;
}

interface Held {
  readonly version: string;
  readonly state: Entities[EntityKind];
}

export interface DecisionRunnerOptions {
  readonly limits: LimitStore;
  readonly entities: Pick<EntityStore, 'load'>;
  readonly quotas: Pick<QuotaStore, 'usage'>;
  readonly policies: PolicyCache;
  readonly now: () => Date;
  /** Length of a refresh cycle of the quotas, in milliseconds. */
  readonly cycleMs: number;
  /**
   * Starts the next cycle of planes whose cycle has lasted its time, once for all replicas: callers who
   * waited as long as they were told find a full quota, whether or not the hourly chores have run.
   */
  readonly startDueCycle: (scope: QuotaScope) => Promise<void>;
  /** States kept in memory. */
  readonly entitiesMax: number;
  /** How decisions share the event loop while they run regexes; without it, none pauses. */
  readonly turns?: {
    /** A memo that pauses. */
    memo(): RegexMemo;
    /** Resolves when a decision of this tenant may continue. */
    next(tenantId: string): Promise<void>;
  };
  /** Called for every call that a limit refused. */
  readonly onRefused?: (limit: 'rate' | Plane) => void;
}

/** Times a call may find its states changed before it gives up: they change faster than they load. */
const STALE_MAX = 40;
/** Rounds of a call, those that only load included: a domain with many superiors needs one for each. */
const ROUNDS_MAX = 2_000;
const CACHE_MISS = Symbol('cache miss');

export function createDecisionRunner(parts: DecisionRunnerOptions): DecisionRunner {
  const { limits, entities, quotas, policies, now, cycleMs, startDueCycle, entitiesMax, onRefused, turns } =
    parts;
  const cache = new LRUCache<EntityKey, Held>({ maxSize: entitiesMax, sizeCalculation: () => 1 });
  const loading = new Map<string, Promise<Entities[EntityKind]>>();
  const starting = new Map<QuotaScope, Promise<void>>();

  /** One load per entity and version, however many calls wait: the load began after the version was there. */
  function loadShared(key: EntityKey, version: string): Promise<Entities[EntityKind]> {
    // Under a pending version states change: of two writers at work, one may return while the other one's
    // mark stays.
    if (isPending(version)) return entities.load(key);
    const id = `${version} ${key}`;
    const running = loading.get(id) ?? entities.load(key).finally(() => loading.delete(id));
    loading.set(id, running);
    return running;
  }

  async function loadVersions(
    versions: ReadonlyMap<string, string>,
    own: Map<EntityKey, Held>,
  ): Promise<void> {
    await Promise.all(
      [...versions].map(async ([name, version]) => {
        const key = name as EntityKey;
        const held: Held = { version, state: await loadShared(key, version) };
        own.set(key, held);
        // A writer is at work: what was read may be old the moment it commits, so it serves this call only.
        if (isPending(version)) cache.delete(key);
        else cache.set(key, held);
      }),
    );
  }

  async function loadMissing(
    missing: ReadonlyMap<string, string> | undefined,
    own: Map<EntityKey, Held>,
    home: string | undefined,
  ): Promise<void> {
    if (missing === undefined) return;
    const reply = await limits.tryAcquire({ home, expectVersions: [...missing], rates: [], quotas: [] });
    if (reply.kind === 'stale') await loadVersions(reply.versions, own);
  }

  async function runDecision<T>(decide: Decide<T>): Promise<T> {
    const own = new Map<EntityKey, Held>();
    const reading = new Reading(cache, policies, own, turns?.memo() ?? new Map());
    let staleRounds = 0;
    let isCycleStarted = false;
    for (let round = 0; round < ROUNDS_MAX && staleRounds < STALE_MAX; round += 1) {
      reading.begin();
      let plan: DecisionPlan<T> | undefined;
      let refusal: unknown;
      try {
        plan = decide(reading);
      } catch (error) {
        if (error === CACHE_MISS) {
          await Promise.all([
            loadMissing(reading.missing, own, reading.home),
            ...[...(reading.policiesMissing ?? [])].map(async ([domainId, version]) => {
              if (!(await policies.load(domainId, version))) forgetDomain(domainId, own);
            }),
          ]);
          continue;
        }
        if (error === PAUSED) {
          await turns?.next(reading.home ?? '');
          continue;
        }
        if (!(error instanceof AuthzError)) throw error;
        refusal = error;
      }

      const reply = await limits.tryAcquire({
        home: reading.home,
        expectVersions: [...reading.seen],
        rates: plan?.rates ?? [],
        quotas: plan?.quotas ?? [],
      });
      switch (reply.kind) {
        case 'acquired':
          if (plan === undefined) throw refusal;
          return plan.result;
        case 'stale':
          staleRounds += 1;
          await loadVersions(reply.versions, own);
          break;
        case 'uninitialized':
          await Promise.all(reply.keys.map((key) => seed(key)));
          break;
        case 'rate_limited':
          onRefused?.('rate');
          throw new AuthzError('RATE_LIMITED', 'burst limit of 1000 requests per 100ms exceeded', {
            retryAfterSeconds: reply.retryAfterMs / 1000,
          });
        case 'quota_exhausted': {
          const plane = planeOf(reply.key);
          const endsAt = cycleEnd(plane, own);
          if (endsAt <= now().getTime() && !isCycleStarted) {
            isCycleStarted = true;
            await startOnce(scopeOf(plane));
            break;
          }
          onRefused?.(plane);
          const { calls = 1 } = plan?.quotas?.find(({ key }) => key === reply.key) ?? {};
          const problem = calls <= 1 ? 'are used up' : `have not the ${calls} calls left that this takes`;
          throw new AuthzError('QUOTA_EXHAUSTED', `quota \`${plane}\` and its overage ${problem}`, {
            retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now().getTime()) / 1000)),
          });
        }
      }
    }
    throw new AuthzError('DEPENDENCY_UNAVAILABLE', 'the state of this call changes too fast, try again', {
      retryAfterSeconds: RETRY_AFTER_SECONDS.conflict,
    });
  }

  /** The policies have another version than the cached state says; the next round loads the state again. */
  function forgetDomain(domainId: string, own: Map<EntityKey, Held>): void {
    const key = entityKey('domain', domainId);
    own.delete(key);
    cache.delete(key);
  }

  /** When the cycle ends that the refused call has read: its quota belongs to it. Milliseconds since 1970. */
  function cycleEnd(plane: Plane, own: ReadonlyMap<EntityKey, Held>): number {
    const key = entityKey('epoch', scopeOf(plane) === 'user' ? USER_EPOCH : TENANT_EPOCH);
    const cycle = (own.get(key) ?? cache.get(key))?.state as EpochState | undefined;
    return (cycle?.startedAt ?? now().getTime()) + cycleMs;
  }

  /** One start per scope, however many calls find the cycle over. */
  function startOnce(scope: QuotaScope): Promise<void> {
    const running = starting.get(scope) ?? startDueCycle(scope).finally(() => starting.delete(scope));
    starting.set(scope, running);
    return running;
  }

  async function seed(key: string): Promise<void> {
    await limits.seed(key, await quotas.usage(readCounterKey(key)));
  }

  return { runDecision, forget: () => cache.clear() };
}

/** What one call reads, round by round. A class, for a literal would make its closures for every call. */
class Reading implements StateReader {
  readonly #cache: LRUCache<EntityKey, Held>;
  readonly #policies: Pick<PolicyCache, 'find'>;
  /** States loaded for this call. */
  readonly #own: ReadonlyMap<EntityKey, Held>;
  /** Held for the whole call: policies it loads must not evict those it loaded before. */
  readonly #ownPolicies = new Map<string, CompiledDomain>();
  readonly regexes: RegexMemo;
  /** The tenant of the call, once it is known. */
  home: string | undefined;
  /** Of this round: the states read, each once, with their versions. */
  seen = new Map<EntityKey, string>();
  missing: Map<string, string> | undefined;
  policiesMissing: Map<string, number> | undefined;

  constructor(
    cache: LRUCache<EntityKey, Held>,
    policies: Pick<PolicyCache, 'find'>,
    own: ReadonlyMap<EntityKey, Held>,
    regexes: RegexMemo,
  ) {
    this.regexes = regexes;
    this.#cache = cache;
    this.#policies = policies;
    this.#own = own;
  }

  begin(): void {
    this.seen.clear();
    this.missing = undefined;
    this.policiesMissing = undefined;
  }

  get<K extends EntityKind>(kind: K, id: string): Entities[K] {
    const key = entityKey(kind, id);
    const held = (this.#own.size > 0 ? this.#own.get(key) : undefined) ?? this.#cache.get(key);
    if (kind === 'tenant') this.home ??= id;
    if (held === undefined) {
      (this.missing ??= new Map<string, string>()).set(key, '');
      throw CACHE_MISS;
    }
    this.seen.set(key, held.version);
    if (kind === 'credential') this.home ??= (held.state as CredentialState | null)?.tenantId ?? undefined;
    return held.state as Entities[K];
  }

  policies(domainId: string, version: number): CompiledDomain {
    const key = `${domainId}@${version}`;
    const found = this.#ownPolicies.get(key) ?? this.#policies.find(domainId, version);
    if (found === undefined) {
      (this.policiesMissing ??= new Map<string, number>()).set(domainId, version);
      throw CACHE_MISS;
    }
    this.#ownPolicies.set(key, found);
    return found;
  }

  isSuspension(error: unknown): boolean {
    return error === CACHE_MISS || error === PAUSED;
  }
}

function planeOf(key: string): Plane {
  return readCounterKey(key).plane;
}

const scopeOf = (plane: Plane): QuotaScope => (plane === 'user_plane' ? 'user' : 'tenant');
