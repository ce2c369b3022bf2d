import { ClaimLink } from '../../components/claim-link.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { counted } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import type { Claim } from '../../model.ts';
import type { QuoteMark } from '../../quotes/pinned-quotes.ts';
import { QuoteState } from '../../quotes/quote-state.tsx';

/** Quotes that the list shows; the download has all. */
const LISTED_MAX = 200;
const WORDS_LENGTH = 120;

/**
 * The quotes that are pinned to stored documents and what became of each; a box leaves those that are not
 * verified, by style alone, so that it works without scripts.
 */
export function Quotes({ model }: PaneProps) {
  const rows = model.claims.flatMap(rowsOf);
  if (rows.length === 0) return null;
  const listed = rows
    .toSorted((a, b) => Number(a.mark.state === 'verified') - Number(b.mark.state === 'verified'))
    .slice(0, LISTED_MAX);
  return (
    <section aria-labelledby="audit-quotes" class="quotes">
      <h3 id="audit-quotes">Quotes</h3>
      <p class="audit-note">
        {quotesVerified(rows)} in a stored document, character by character. Whether a quote is verified
        changes no weight.
        {rows.length > listed.length && ` Listed are ${listed.length}; the JSON download has all.`}
      </p>
      <input type="checkbox" id="quotes-unverified" class="quotes-filter" />{' '}
      <label for="quotes-unverified">Only quotes not verified</label>
      <ul class="record-items quotes-list">
        {listed.map(({ claim, key, words, mark }) => (
          <li key={key} class={`quote-row quote-row-${mark.state}`}>
            <QuoteState mark={mark} />{' '}
            <q dir="auto">
              <UserText text={shortened(words, WORDS_LENGTH)} />
            </q>{' '}
            <span class="audit-note">
              <ClaimLink claim={claim} text={shortened(claim.input.content, WORDS_LENGTH)} />
              {(mark.state !== 'verified' || mark.isMissing || mark.isEdited) && ` ${mark.meaning}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many of the pinned quotes are verified; nothing where there is none. */
export function QuotesNote({ model }: Pick<PaneProps, 'model'>) {
  const rows = model.claims.flatMap(rowsOf);
  return rows.length === 0 ? null : <p class="audit-note">{quotesVerified(rows)}.</p>;
}

function quotesVerified(rows: readonly Row[]): string {
  const verified = rows.filter(({ mark }) => mark.state === 'verified').length;
  const stand = verified === 1 ? 'stands where it was' : 'stand where they were';
  return `${counted(verified, 'quote')} of ${rows.length} ${stand} pinned`;
}

interface Row {
  readonly key: string;
  readonly claim: Claim;
  readonly words: string;
  readonly mark: QuoteMark;
}

const rowsOf = (claim: Claim): Row[] =>
  [claim.input, ...claim.evidence].flatMap(({ id, source, mark }, index) =>
    mark && source?.selector ? [{ key: `${index} ${id}`, claim, words: source.selector.exact, mark }] : [],
  );
