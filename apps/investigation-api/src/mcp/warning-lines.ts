const LINES_MAX = 5;

/**
 * Warnings that say the same of different items as one: the first of them, with how many more there are. In
 * the order of their first.
 */
export function groupedWarnings(warnings: readonly string[]): string[] {
  const groups = new Map<string, { first: string; count: number }>();
  for (const warning of warnings) {
    const shape = warning.replace(/`[^`]*`/g, '`').replace(/\d[\d.,:TZ-]*/g, '#');
    const group = groups.get(shape);
    if (group) group.count += 1;
    else groups.set(shape, { first: warning, count: 1 });
  }
  return [...groups.values()].map(({ first, count }) =>
    count === 1 ? first : `${first} (and ${count - 1} more warnings like this one)`,
  );
}

/** Warnings for people: one a line, those that are alike as one, at most LINES_MAX. */
export function warningLines(warnings: readonly string[]): string[] {
  return boundedWarnings(warnings, LINES_MAX).map((warning) => `Warning: ${warning}`);
}

/** At most `max` warnings, those that are alike as one, and then how many are left out. */
export function boundedWarnings(warnings: readonly string[], max: number): string[] {
  const groups = groupedWarnings(warnings);
  if (groups.length <= max) return groups;
  const left = groups.length - max;
  return [...groups.slice(0, max), `Further kinds of warnings: ${left}.`];
}
