/** Warnings that say the same of different items. */
export interface WarningGroup {
  /**
   * The sentence with `…` for every name and list of names, and `#` for every number; the same for all of the
   * group.
   */
  readonly shape: string;
  /** In the order of the warnings; one or more. */
  readonly sentences: readonly string[];
}

/**
 * Groups warnings by what they say: names, however many, and numbers do not part two of one kind. In the
 * order of the first of each group; every warning is in exactly one. Never throws.
 */
export function groupWarnings(warnings: readonly string[]): WarningGroup[] {
  const groups = new Map<string, string[]>();
  for (const sentence of warnings) {
    const shape = sentence
      .replace(/`[^`]*`/g, '…')
      .replace(/…(?:, …)+(?: and \d+ more)?/g, '…')
      .replace(/\d[\d.,:TZ-]*/g, '#');
    const known = groups.get(shape);
    if (known) known.push(sentence);
    else groups.set(shape, [sentence]);
  }
  return Array.from(groups, ([shape, sentences]) => ({ shape, sentences }));
}
