/** Longest time that work runs before other calls get a turn, without its last step. Milliseconds. */
const SLICE_MS = 5;

/** Runs the steps to their end and lets others' calls go on in between. Errors: those of the steps. */
export async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (let from = performance.now(); ;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - from < SLICE_MS) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    from = performance.now();
  }
}
