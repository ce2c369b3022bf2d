import { throughPauses } from '@platform/decide/parts';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { combineDomains } from '../policy/compile.ts';
import type { CompiledDomain, Decision, PolicySet, RequestContext, Step } from '../policy/types.ts';
import type { ShadowCounts, ShadowExample, ShadowRef } from '../model/shadow.ts';
import { fairMemo, runInTimeSlices } from '../time-slices.ts';
import type { ShadowCountStore } from '../store/shadow-store.ts';
import type { PolicyCache } from './policy-cache.ts';

/** A check that was decided, and the shadow sets of the domains that took part. */
export interface ShadowedCheck {
  readonly checkId: string;
  readonly subject: string;
  readonly action: string;
  readonly object: string;
  readonly allowed: boolean;
  /** The policy that decided; empty for none. */
  readonly policy: string;
  /** With the subject's attributes. */
  readonly context: RequestContext;
  /** What decided, in order. */
  readonly compiled: readonly CompiledDomain[];
  readonly shadows: readonly ShadowRef[];
  /** Of a decision that was made elsewhere: it counts once, however often it is handed in. */
  readonly elsewhereId?: string | undefined;
}

/** Decides checks by shadow sets, after their response, and counts. */
export interface ShadowSets {
  /** Takes the check to be decided later. Returns at once and never throws. */
  observe(check: ShadowedCheck): void;
  /** Resolves when the checks observed so far are decided and, unless the store fails, counted there. */
  settle(): Promise<void>;
  /** Settles, then takes no more checks. */
  close(): Promise<void>;
}

/** Outcome of a check that a shadow set decided, or did not. */
export type ShadowOutcome = keyof ShadowCounts;

/** Checks, and characters of their contexts, that wait at a time; what is beyond is not decided. */
const WAITING_MAX = 20_000;
const WAITING_CHARACTERS_MAX = 16 * 1024 * 1024;
/** Examples of each kind that are kept. */
export const SHADOW_EXAMPLES_MAX = 20;
/** Characters of each text of an example. */
const EXAMPLE_CHARACTERS_MAX = 1_024;
/** How long checks gather: many at once cost each of them a part of what one alone costs. Milliseconds. */
const GATHER_MS = 50;
/** Of the time of the event loop, what shadow sets may take. */
const SHARE = 0.1;
/**
 * Decisions in turn by a set that each let regexes leave the memory: the set does not fit into it, and would
 * be compiled anew for every check.
 */
const UNFIT_DECISIONS = 3;
/** Time for which the checks of such a set count as not decided. Milliseconds. */
const TOO_LARGE_MS = 600_000;
/** Checks decided before the time is looked at. */
const CHECKS_A_STEP = 8;
/** How often counts go to the store. Milliseconds. */
const FLUSH_MS = 1_000;
/** Shadow sets whose counts wait for a store that is unavailable. */
const COUNTED_MAX = 1_000;
/** Shadow sets whose counts are one write: with as many examples as there can be, about 10 MB. */
const FLUSHED_AT_ONCE = 100;
/** Decisions of deciders that are remembered: one is handed in again soon, if ever. */
const HANDED_IN_MAX = 100_000;
/** A set that left the memory is compiled again no sooner, so that sets too many for it cost little. ms. */
const RELOAD_MS = 30_000;

interface Queue {
  readonly shadow: ShadowRef;
  waiting: ShadowedCheck[];
  /** Of the contexts of those. */
  characters: number;
  /** The batch under way. */
  batch: Promise<void>;
  isRunning: boolean;
}

interface Counted {
  readonly shadow: ShadowRef;
  readonly comparedVersion: number;
  readonly counts: Record<ShadowOutcome, number>;
  readonly examples: ShadowExample[];
}

/**
 * Checks gather in memory, bounded, and are decided a slice at a time. Counts are kept apart by version of
 * the real set, and added to the store every second, over all replicas.
 */
export function createShadowSets(options: {
  /** Of shadow sets alone: they never push a real set out of memory. */
  readonly policies: Pick<PolicyCache, 'find' | 'load'>;
  /** How often regexes have left the memory of shadow sets for others. */
  readonly regexTurns: () => number;
  readonly store: ShadowCountStore;
  readonly logger: Pick<Logger, 'warn'>;
  readonly onDecided: (outcome: ShadowOutcome, checks: number) => void;
}): ShadowSets {
  const { policies, regexTurns, store, logger, onDecided } = options;
  const queues = new Map<string, Queue>();
  const recentlyLoaded = new LRUCache<string, true>({ max: COUNTED_MAX, ttl: RELOAD_MS });
  const tooLarge = new LRUCache<string, true>({ max: COUNTED_MAX, ttl: TOO_LARGE_MS });
  const handedIn = new LRUCache<string, true>({ max: HANDED_IN_MAX });
  let counted = new Map<string, Counted>();
  /** One of `counted`: most checks in turn belong to the same. */
  let latest: Counted | undefined;
  let [waiting, characters] = [0, 0];
  let gathering: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function observe(check: ShadowedCheck): void {
    const { elsewhereId } = check;
    if (elsewhereId !== undefined) {
      if (handedIn.has(elsewhereId)) return;
      handedIn.set(elsewhereId, true);
    }
    const size = sizeOf(check.context);
    for (const shadow of check.shadows) {
      if (waiting >= WAITING_MAX || characters + size > WAITING_CHARACTERS_MAX) {
        count(check, shadow, null);
        continue;
      }
      waiting += 1;
      characters += size;
      const key = keyOf(shadow);
      let queue = queues.get(key);
      if (queue === undefined) {
        queue = { shadow, waiting: [], characters: 0, batch: Promise.resolve(), isRunning: false };
        queues.set(key, queue);
      }
      queue.waiting.push(check);
      queue.characters += size;
      gathering ??= setTimeout(decideGathered, GATHER_MS);
    }
  }

  function decideGathered(): void {
    clearTimeout(gathering);
    gathering = undefined;
    for (const [key, queue] of queues) if (!queue.isRunning) void run(key, queue);
  }

  async function run(key: string, queue: Queue): Promise<void> {
    queue.isRunning = true;
    while (queue.waiting.length > 0) {
      queue.batch = decideWaiting(queue);
      await queue.batch;
    }
    queues.delete(key);
  }

  /** Decides all checks that wait. It never throws. */
  async function decideWaiting(queue: Queue): Promise<void> {
    const { waiting: checks, characters: taken } = queue;
    queue.waiting = [];
    queue.characters = 0;
    let decided = 0;
    try {
      const set = await load(queue.shadow);
      if (set === 'gone') decided = checks.length;
      else if (set !== null) await runInTimeSlices(decideAll(set), { share: SHARE });
    } catch (err) {
      logger.warn({ err }, 'shadow policies not decided');
    }
    for (const check of checks.slice(decided)) count(check, queue.shadow, null);
    waiting -= checks.length;
    characters -= taken;

    function* decideAll(set: CompiledDomain): Generator<Step, void> {
      const combinedWith = combinerOf(set);
      let inTurn = 0;
      while (decided < checks.length) {
        const end = Math.min(decided + CHECKS_A_STEP, checks.length);
        for (; decided < end; decided += 1) {
          const check = checks[decided]!;
          const memo = fairMemo();
          const combined = combinedWith(check.compiled);
          const before = regexTurns();
          const decision = yield* throughPauses(() => combined.evaluate(check.context, memo));
          count(check, queue.shadow, decision);
          inTurn = regexTurns() > before ? inTurn + 1 : 0;
          if (inTurn < UNFIT_DECISIONS) continue;
          tooLarge.set(keyOf(queue.shadow), true);
          decided += 1;
          return;
        }
        yield;
      }
    }
  }

  /** Null for one that memory has no room for, 'gone' for one that is no more. */
  async function load(shadow: ShadowRef): Promise<CompiledDomain | 'gone' | null> {
    if (tooLarge.has(keyOf(shadow))) return null;
    const { domainId, version } = shadow;
    const found = policies.find(domainId, version);
    if (found !== undefined) return found;
    if (recentlyLoaded.has(keyOf(shadow))) return null;
    recentlyLoaded.set(keyOf(shadow), true);
    if (!(await policies.load(domainId, version))) return 'gone';
    return policies.find(domainId, version) ?? null;
  }

  function count(check: ShadowedCheck, shadow: ShadowRef, decision: Decision | null): void {
    const outcome = outcomeOf(check, decision);
    const comparedVersion = versionOf(check.compiled, shadow.domainId);
    const isLatest = latest?.shadow === shadow && latest.comparedVersion === comparedVersion;
    const entry = isLatest ? latest : countedOf(shadow, comparedVersion);
    if (entry === undefined) return;
    entry.counts[outcome] += 1;
    if (decision === null || (outcome !== 'wouldGain' && outcome !== 'wouldLose')) return;
    if (entry.counts[outcome] <= SHADOW_EXAMPLES_MAX) entry.examples.push(exampleOf(check, decision));
  }

  /** Undefined when too many wait for the store. */
  function countedOf(shadow: ShadowRef, comparedVersion: number): Counted | undefined {
    const key = `${keyOf(shadow)}@${comparedVersion}`;
    latest = counted.get(key);
    if (latest === undefined && counted.size < COUNTED_MAX) {
      const counts = { agree: 0, wouldGain: 0, wouldLose: 0, notDecided: 0 };
      counted.set(key, (latest = { shadow, comparedVersion, counts, examples: [] }));
    }
    return latest;
  }

  async function flushCounted(): Promise<void> {
    const entries = [...counted];
    counted = new Map();
    latest = undefined;
    for (let start = 0; start < entries.length; start += FLUSHED_AT_ONCE) {
      const flushed = entries.slice(start, start + FLUSHED_AT_ONCE);
      try {
        await store.add(
          flushed.map(([, { shadow, ...counted }]) => ({ ...shadow, ...counted })),
          SHADOW_EXAMPLES_MAX,
        );
        for (const [, { counts }] of flushed)
          for (const outcome of Object.keys(counts) as ShadowOutcome[]) onDecided(outcome, counts[outcome]);
      } catch (err) {
        for (const [key, entry] of flushed) putBack(key, entry);
        logger.warn({ err }, 'counts of shadow policies not stored');
      }
    }
  }

  function putBack(key: string, entry: Counted): void {
    const since = counted.get(key);
    if (since !== undefined) {
      for (const outcome of Object.keys(entry.counts) as ShadowOutcome[])
        entry.counts[outcome] += since.counts[outcome];
      entry.examples.push(...since.examples.slice(0, 2 * SHADOW_EXAMPLES_MAX - entry.examples.length));
    }
    counted.set(key, entry);
    latest = undefined;
  }

  function flush(): Promise<void> {
    flushing = flushing.then(flushCounted);
    return flushing;
  }

  async function settle(): Promise<void> {
    decideGathered();
    // What waits now is in the batch under way or in the one after it.
    for (let round = 0; round < 2; round += 1)
      await Promise.all([...queues.values()].map(({ batch }) => batch));
    await flush();
  }

  const timer = setInterval(() => {
    if (counted.size > 0) void flush();
  }, FLUSH_MS);
  timer.unref();

  return {
    observe,
    settle,
    async close() {
      clearInterval(timer);
      await settle();
    },
  };
}

/** Domains with the set in the place of its own domain; the last combination is used again. */
function combinerOf(set: CompiledDomain): (compiled: readonly CompiledDomain[]) => PolicySet {
  let last: readonly CompiledDomain[] = [];
  let combined = combineDomains([]);
  return (compiled) => {
    if (!areSame(compiled, last)) {
      last = compiled;
      combined = combineDomains(compiled.map((domain) => (domain.domainId === set.domainId ? set : domain)));
    }
    return combined;
  };
}

function areSame(some: readonly CompiledDomain[], others: readonly CompiledDomain[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
}

/** 0 for a domain that took no part. */
function versionOf(compiled: readonly CompiledDomain[], domainId: string): number {
  for (const domain of compiled) if (domain.domainId === domainId) return domain.version;
  return 0;
}

function outcomeOf({ allowed }: ShadowedCheck, decision: Decision | null): ShadowOutcome {
  // A set that was freed while the check waited denies, which says nothing of its policies.
  if (decision === null) return 'notDecided';
  if (decision.problems.length > 0 && decision.problems.some(({ code }) => code === 'set_freed'))
    return 'notDecided';
  if (decision.allowed === allowed) return 'agree';
  return decision.allowed ? 'wouldGain' : 'wouldLose';
}

function exampleOf(check: ShadowedCheck, decision: Decision): ShadowExample {
  const { checkId, subject, action, object, policy } = check;
  return {
    kind: decision.allowed ? 'gain' : 'lose',
    checkId,
    subject: cut(subject),
    action: cut(action),
    object: cut(object),
    policyReal: policy === '' ? null : policy,
    policyShadow: decision.matched?.policy ?? null,
  };
}

/** A character that the end would halve is left out. */
function cut(text: string): string {
  return text.length <= EXAMPLE_CHARACTERS_MAX
    ? text
    : `${text.slice(0, EXAMPLE_CHARACTERS_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Characters of a context, attributes of the subject included. */
function sizeOf(context: RequestContext): number {
  let size = 0;
  for (const [key, value] of context) {
    size += key.length;
    if (typeof value === 'string') size += value.length;
    else for (const one of value) size += one.length;
  }
  return size;
}

function keyOf({ domainId, version }: ShadowRef): string {
  return `${domainId}@${version}`;
}
