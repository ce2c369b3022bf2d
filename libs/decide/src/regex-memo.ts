/** What checks remember of regexes, and how they pause before they run more of them. */

/** Several patterns that are run together. */
export interface RegexSetRunner {
  /**
   * Indexes of the patterns that match `value` anywhere. @throws {@link PAUSED} when the memo says so, and
   * when the crate fails.
   */
  matches(value: string, memo: RegexMemo): ReadonlySet<number>;
}

/**
 * Thrown where a check has to wait before it compiles or runs more regexes. Evaluated again with the same
 * memo, it continues there.
 */
export const PAUSED = Symbol('paused');

/** Which patterns of a set match a value: results of one check, or of several that are made together. */
export interface RegexMemo extends Map<RegexSetRunner, Map<string, ReadonlySet<number>>> {
  /** Whether to pause instead of compiling or running another set. Without it nothing pauses. */
  readonly isTired?: () => boolean;
}

/** What a piece of work yields between its steps: `PAUSED` where it can only go on in another turn. */
export type Step = void | typeof PAUSED;

/** What `attempt` returns; a step `PAUSED` each time that it pauses. Throws what else it throws. */
export function* throughPauses<T>(attempt: () => T): Generator<typeof PAUSED, T> {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (error !== PAUSED) throw error;
      yield error;
    }
  }
}

/** The message of a problem, for an error that regexes threw. Throws `PAUSED`, which is none. */
export function failureOf(error: unknown): string {
  if (error === PAUSED) throw error;
  return `the regex engine failed: ${error instanceof Error ? error.message : String(error)}`;
}
