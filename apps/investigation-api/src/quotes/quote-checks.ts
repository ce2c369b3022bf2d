import type { PinnedQuote } from '../model/pinned-quote.ts';
import type { DocumentStore, ReadingFor } from './document-store.ts';
import type { CheckedQuotes } from './quote-task.ts';
import { QUOTE_REASONS, QUOTE_STATES, type QuoteCheck, type QuoteChecks } from '../wire/quote-schema.ts';

/** Quotes that warnings name one by one. */
const NAMED_MAX = 10;

/**
 * The checks of a judgement as they are kept: with the names by which documents were read for them, which
 * judgements of earlier releases lack.
 */
export interface KeptQuoteChecks extends QuoteChecks {
  readonly filenames?: CheckedQuotes['filenames'];
}

/**
 * Looks up the pinned quotes of an investigation as the caller: what the caller is shown, and what is kept;
 * null where there is nothing to say about any. Rejects with the signal's reason alone.
 */
export async function checkedQuotes(
  deps: { readonly documents: DocumentStore; readonly now: () => Date },
  quotes: readonly PinnedQuote[],
  { credential, owner, signal }: ReadingFor,
): Promise<{ shown: QuoteChecks; kept: KeptQuoteChecks } | null> {
  if (quotes.length === 0) return null;
  const { checks, filenames } = await deps.documents.check(quotes, { credential, owner, signal });
  if (checks.length === 0) return null;
  const shown = quoteChecksOf(checks, deps.now());
  return { shown, kept: { ...shown, filenames } };
}

/** The checks of a judgement's quotes with their counts, and a warning for each not verified. Pure. */
export function quoteChecksOf(items: readonly QuoteCheck[], checkedAt: Date): QuoteChecks {
  const counts = Object.fromEntries(
    QUOTE_STATES.map((state) => [state, items.filter((item) => item.state === state).length]),
  ) as Pick<QuoteChecks, (typeof QUOTE_STATES)[number]>;
  const unverified = items.filter(({ state }) => state !== 'verified');
  // Its bytes are the pinned ones, of another version.
  const elsewhere = items.filter(
    ({ state, missing_version: missing }) => state === 'verified' && missing !== undefined,
  );
  const named = [...unverified, ...elsewhere];
  const more = named.length - NAMED_MAX;
  return {
    checked_at: checkedAt.toISOString(),
    ...counts,
    warnings: [
      ...named.slice(0, NAMED_MAX).map(warningOf),
      ...(more > 0 ? [`${more} more quotes are not verified in the version that they are pinned to.`] : []),
    ],
    items: [...items],
  };
}

function warningOf(check: QuoteCheck): string {
  const {
    kind,
    id,
    document,
    state,
    reason,
    occurrences,
    version,
    missing_version: missing,
    similar,
    cut,
  } = check;
  const owner = `${kind === 'claims' ? 'claim' : 'evidence'} \`${id}\``;
  if (check.whole_document)
    return state === 'verified'
      ? `The source of ${owner} names version ${missing} of document \`${document}\`, which is not kept; version ${version} has the digest that it names.`
      : `Document \`${document}\`, which the source of ${owner} names, was not checked: ${QUOTE_REASONS[reason!]}.`;
  const instead =
    missing === undefined
      ? ''
      : ` Version ${missing}, to which it is pinned, is not kept; version ${version} was read instead.`;
  const quote = `The quote of ${owner}`;
  if (state === 'verified')
    return `${quote} is pinned to version ${missing} of document \`${document}\`, which is not kept; version ${version} has the digest that it names, and the words stand there.`;
  if (state === 'moved')
    return `${quote} is not where it was pinned in document \`${document}\`; its words stand there ${occurrences === 1 ? 'once' : `${occurrences} times`}.${instead}`;
  const places = similar?.map((at) => `${at.start} to ${at.end}`).join(', ');
  const choice = 'read them, and pin those that are meant';
  const like = similar === undefined ? '' : `; the same words in other signs are, at ${places}: ${choice}`;
  if (cut)
    return `${quote} begins or ends within a word or number of document \`${document}\`${similar === undefined ? '' : `; the whole words are at ${places}: ${choice}`}.${instead}`;
  if (state === 'gone') return `${quote} is not in document \`${document}\`${like}.${instead}`;
  return `${quote} was not checked: ${QUOTE_REASONS[reason!]}.`;
}
