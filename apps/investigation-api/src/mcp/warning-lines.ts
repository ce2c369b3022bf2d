import { groupWarnings } from '@platform/opinion-fusion';
import { counted } from './words.ts';

const LINES_MAX = 5;

/**
 * Warnings that say the same of different items as one: the first of them, with how many more there are. In
 * the order of their first.
 */
export function groupedWarnings(warnings: readonly string[]): string[] {
  return groupWarnings(warnings).map(({ sentences }) =>
    sentences.length === 1
      ? sentences[0]!
      : `${sentences[0]!} (and ${counted(sentences.length - 1, 'more warning')} like this one)`,
  );
}

/** Warnings for people: one a line, those that are alike as one, at most LINES_MAX. */
export function warningLines(warnings: readonly string[]): string[] {
  return boundedWarnings(warnings, LINES_MAX).map((warning) => `Warning: ${warning}`);
}

/** Kinds of warnings in the data of compact responses. */
export const WARNINGS_MAX = 6;

/** At most `max` warnings, those that are alike as one, and then how many are left out. */
export function boundedWarnings(warnings: readonly string[], max: number): string[] {
  const groups = groupedWarnings(warnings);
  if (groups.length <= max) return groups;
  const left = groups.length - max;
  return [...groups.slice(0, max), `Further kinds of warnings: ${left}.`];
}
