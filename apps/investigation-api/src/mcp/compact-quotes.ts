import type * as quotes from '../wire/quote-schema.ts';
import { warningLines } from './warning-lines.ts';

/** What became of pinned quotes, in lines for people. */
export function quotesText({
  verified,
  moved,
  gone,
  not_checked,
  warnings,
  items,
}: Pick<quotes.QuoteChecks, 'verified' | 'moved' | 'gone' | 'not_checked' | 'warnings' | 'items'>): string {
  const edited = items.filter(isEdited);
  const more = edited.length - LISTED_MAX;
  const counts = `Quotes: ${verified} verified, ${moved} moved, ${gone} gone, ${not_checked} not checked.`;
  return [
    counts,
    ...edited.slice(0, LISTED_MAX).map(editedLine),
    ...(more > 0 ? [`The documents under ${more} more quotes were edited since, too.`] : []),
    ...warningLines(warnings),
  ].join('\n');
}

/** Whether a quote stands in the version that is pinned, and elsewhere or no more in the current one. */
const isEdited = ({ state, current }: quotes.QuoteCheck): boolean =>
  state === 'verified' && current !== undefined && current.state !== 'verified';

function editedLine({ kind, id, document, current }: quotes.QuoteCheck): string {
  const { version, state } = current!;
  const owner = `${kind === 'claims' ? 'claim' : 'evidence'} \`${id}\``;
  const now = state === 'moved' ? 'holds the words in another place' : 'does not hold the words any more';
  return `Document \`${document}\`, which ${owner} quotes, was edited since: its current version, ${version}, ${now}.`;
}

/** The checks of a judgement as a line for people; nothing where no quote is pinned. */
export const quotesLines = (checks: quotes.QuoteChecks | undefined): string[] =>
  checks === undefined ? [] : [quotesText(checks)];

/** Quotes that a compact response lists. */
const LISTED_MAX = 5;

/** The checks without the quotes that are verified where they are pinned, and at most 5 of the others. */
export function compactQuotes({ items, warnings: _warnings, ...checks }: quotes.QuoteChecks): object {
  const noted = items.filter(
    (item) => item.state !== 'verified' || item.missing_version !== undefined || isEdited(item),
  );
  return {
    ...checks,
    items: noted
      .slice(0, LISTED_MAX)
      .map(
        ({
          kind,
          id,
          document,
          whole_document: whole,
          state,
          reason,
          missing_version: missing,
          current,
        }) => ({
          kind,
          id,
          document,
          ...(whole && { whole_document: whole }),
          state,
          ...(reason && { reason }),
          ...(missing === undefined ? {} : { missing_version: missing }),
          ...(current && { current: { version: current.version, state: current.state } }),
        }),
      ),
  };
}
