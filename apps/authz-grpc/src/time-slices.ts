import { setTimeout as sleep } from 'node:timers/promises';
import { PAUSED, type RegexMemo, type Step } from '@platform/decide/parts';
import { DomainError } from '@platform/error-contracts';
import { createFairLimit } from '@platform/worker-pool';

/** Time between two turns for paused checks, which one may take in one go. Milliseconds. */
const REST_MS = 20;
/** Longest time that work runs before other calls get a turn, without its last step. Milliseconds. */
const SLICE_MS = 5;

/** Resolves when the turn that was asked for last has begun. */
let lastTurn: Promise<void> = Promise.resolve();

/** A turn of the event loop that no other slice has. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return lastTurn;
}

/**
 * Runs the steps to their end and lets others' calls go on in between. Of all work that runs so, one slice
 * runs in a turn of the event loop, so that a hundred batches hold a check no longer than one. Stops after
 * the slice in which the caller gave up. Errors: those of the steps, those of `stopIfGone`.
 */
export async function runInTimeSlices<T>(steps: Generator<Step, T>, waiting?: Waiting): Promise<T> {
  for (let from = performance.now(); ;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const took = performance.now() - from;
    if (value !== PAUSED && took < SLICE_MS) continue;
    if (waiting?.share !== undefined) await sleep(took / waiting.share - took);
    await nextTurn();
    beginRegexes();
    stopIfGone(waiting);
    from = performance.now();
  }
}

/** When regexes have had their time in this turn of the event loop; null until one ran. */
let regexesEndAt: number | null = null;

/** Whether this turn of the event loop has no time left for regexes. */
function areRegexesOver(): boolean {
  if (regexesEndAt !== null) return performance.now() > regexesEndAt;
  beginRegexes();
  return false;
}

function beginRegexes(): void {
  regexesEndAt = performance.now() + SLICE_MS;
  setImmediate(() => (regexesEndAt = null));
}

/** A memo that pauses when all checks together have run regexes long enough in this turn. */
export function fairMemo(): RegexMemo {
  return Object.assign(new Map(), { isTired: areRegexesOver });
}

/** Checks that wait for a turn of their own. */
const paused = createFairLimit({ concurrency: 1, waitingMax: 100_000 });

/**
 * What `attempt` returns: at once if it does not pause, else in turns of the event loop that checks have one
 * by one, tenant by tenant, so that what one tenant's regexes need holds nobody else's check longer than a
 * slice. Errors: those of `attempt`, those of `stopIfGone`.
 */
export function inTurns<T>(
  tenantId: string,
  attempt: (memo: RegexMemo) => T,
  waiting?: Waiting,
): T | Promise<T> {
  const memo = fairMemo();
  try {
    return attempt(memo);
  } catch (error) {
    if (error !== PAUSED) throw error;
  }
  return again();

  async function again(): Promise<T> {
    for (;;) {
      await nextTurnOf(tenantId);
      stopIfGone(waiting);
      try {
        return attempt(memo);
      } catch (error) {
        if (error !== PAUSED) throw error;
      }
    }
  }
}

/**
 * Resolves in a turn of the event loop that has time for regexes of this tenant. Between two such turns the
 * loop is free for a while, since a call takes several turns of it.
 */
export async function nextTurnOf(tenantId: string): Promise<void> {
  await paused.run(tenantId, async () => {
    await sleep(REST_MS);
    await nextTurn();
  });
  beginRegexes();
}

/** How work is run in slices: for a caller who may give up before the response, or in the background. */
export interface Waiting {
  /** Whether the call was canceled, its time is over or its connection closed. */
  isGone?(): boolean;
  /** Of the time, what work may take that nobody waits for; above 0, at most 1. */
  readonly share?: number;
}

/** Throws `request_timeout` where nobody waits for the response any more. */
export function stopIfGone(waiting: Waiting | undefined): void {
  if (waiting?.isGone?.() === true)
    throw new DomainError('request_timeout', 'the caller no longer waits for the response');
}
