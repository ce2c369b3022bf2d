import type { InvestigationResult, InvestigationSummary } from '../contract/types.ts';

/** Entries of a list that are written at a time. */
const BATCH = 1_000;

/**
 * The JSON of a result in parts: joined, they are what JSON.stringify gives. The full result of some hundred
 * thousand claims is longer than a string can be, and its parts can be written one after the other. Never
 * throws.
 */
export function resultText(result: InvestigationResult | InvestigationSummary): Iterable<string> {
  return partsOf(result);
}

function* partsOf(value: object): Iterable<string> {
  if (Array.isArray(value)) {
    if (value.length <= BATCH) {
      yield JSON.stringify(value);
      return;
    }
    for (let start = 0; start < value.length; start += BATCH) {
      const entries = JSON.stringify(value.slice(start, start + BATCH)).slice(1, -1);
      yield `${start === 0 ? '[' : ','}${entries}`;
    }
    yield ']';
    return;
  }
  let separator = '{';
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (typeof member === 'object' && member !== null) yield* partsOf(member);
    else yield JSON.stringify(member);
  }
  yield separator === '{' ? '{}' : '}';
}
