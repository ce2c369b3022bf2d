/** Runs the steps to their end at once. Errors: those of the steps. */
export function toEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
