import { DomainError } from '@platform/error-contracts';

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
export async function runInTimeSlices<T>(steps: Generator<void, T>, waiting?: Waiting): Promise<T> {
  for (let from = performance.now(); ;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - from < SLICE_MS) continue;
    await nextTurn();
    stopIfGone(waiting);
    from = performance.now();
  }
}

/** A call whose caller may give up before the response. */
export interface Waiting {
  /** Whether the call was canceled, its time is over or its connection closed. */
  isGone?(): boolean;
}

/** Throws `request_timeout` where nobody waits for the response any more. */
export function stopIfGone(waiting: Waiting | undefined): void {
  if (waiting?.isGone?.() === true)
    throw new DomainError('request_timeout', 'the caller no longer waits for the response');
}
