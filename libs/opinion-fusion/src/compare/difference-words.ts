import { readable } from '../report/statements.ts';

type Item = Readonly<Record<string, unknown>>;

/** Longest text of a field whose old and new words are both told. Characters. */
const TOLD_LENGTH = 60;

/** What the valence of evidence, or of a claim about a claim, makes it now. */
const COUNTS: Readonly<Record<string, string>> = {
  Supports: 'now counts for it',
  Refutes: 'now counts against it',
  Neutral: 'now counts for neither side',
};
const WITHDRAWN: Readonly<Record<string, string>> = { retracted: 'withdrawn', superseded: 'superseded' };

/**
 * How a field of an item differs, in words that say which way: `was withdrawn`, `now counts against it`,
 * `weight 0.5 → 0.9`; of long texts and of lists that they differ, `content changed`. Pure.
 */
export function differenceWords(field: string, past: Item, item: Item): string {
  const [before, after] = [past[field], item[field]];
  if (field === 'valence' && typeof after === 'string' && after in COUNTS) return COUNTS[after]!;
  if (field === 'epistemic_status') {
    const [was, is] = [WITHDRAWN[String(before)], WITHDRAWN[String(after)]];
    if (is !== undefined) return `was ${is}`;
    if (was !== undefined) return `is no longer ${was}`;
  }
  const [old, now] = [told(before), told(after)];
  return old === null || now === null ? `${readable(field)} changed` : `${readable(field)} ${old} → ${now}`;
}

function told(value: unknown): string | null {
  if (value == null) return 'none';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.length <= TOLD_LENGTH ? `“${value}”` : null;
}
