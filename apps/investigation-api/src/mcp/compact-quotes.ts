import type * as quotes from '../wire/quote-schema.ts';
import { warningLines } from './warning-lines.ts';

/** What became of pinned quotes, in lines for people. */
export function quotesText({
  verified,
  moved,
  gone,
  not_checked,
  warnings,
}: Pick<quotes.QuoteChecks, 'verified' | 'moved' | 'gone' | 'not_checked' | 'warnings'>): string {
  const counts = `Quotes: ${verified} verified, ${moved} moved, ${gone} gone, ${not_checked} not checked.`;
  return [counts, ...warningLines(warnings)].join('\n');
}

/** The checks of a judgement as a line for people; nothing where no quote is pinned. */
export const quotesLines = (checks: quotes.QuoteChecks | undefined): string[] =>
  checks === undefined ? [] : [quotesText(checks)];

/** Quotes that a compact response lists. */
const LISTED_MAX = 5;

/** The checks without the quotes that are verified where they are pinned, and at most 5 of the others. */
export function compactQuotes({ items, warnings: _warnings, ...checks }: quotes.QuoteChecks): object {
  const noted = items.filter(
    ({ state, missing_version: missing }) => state !== 'verified' || missing !== undefined,
  );
  return {
    ...checks,
    items: noted
      .slice(0, LISTED_MAX)
      .map(({ kind, id, document, whole_document: whole, state, reason, missing_version: missing }) => ({
        kind,
        id,
        document,
        ...(whole && { whole_document: whole }),
        state,
        ...(reason && { reason }),
        ...(missing === undefined ? {} : { missing_version: missing }),
      })),
  };
}
