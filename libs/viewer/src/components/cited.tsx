import { isWebAddress, type ActorInput, type ClaimInput, type EvidenceInput } from '@platform/opinion-fusion';
import { hostOf, linkPieces } from '../format/links.ts';
import { plain, shortened } from '../format/text.ts';
import { day } from '../format/times.ts';
import type { Marked } from '../quotes/pinned-quotes.ts';
import { QuoteState } from '../quotes/quote-state.tsx';
import { UserText } from './user-text.tsx';

/** Characters of a quote that a row shows; the claim's record has them all. */
const QUOTE_LENGTH = 280;

type Provenance = Marked<
  Pick<EvidenceInput, 'content' | 'url' | 'archived_url' | 'quote' | 'published_by' | 'source'>
>;

interface Props {
  readonly actor: Pick<ActorInput, 'name' | 'source_type'>;
  readonly said: Provenance & Pick<ClaimInput, 'assertion_time'>;
}

/** Who says something: name, kind of source, day, publisher, and links to where it can be read. */
export function Cited({ actor, said }: Props) {
  return (
    <span class="cited">
      <UserText text={actor.name} class="cited-name" />
      {actor.source_type !== '' && <span class="source-type">{typeWords(actor.source_type)}</span>}
      {said.assertion_time && <time dateTime={said.assertion_time}>{day(said.assertion_time)}</time>}
      <Origin said={said} />
    </span>
  );
}

/** Publisher and links of a claim or an item of evidence. */
export function Origin({ said }: { readonly said: Provenance }) {
  const url = addressOf(said);
  return (
    <>
      {said.published_by && <UserText text={said.published_by} />}
      {url !== null && <SourceLink url={url} words={hostOf(url)} />}
      {said.archived_url && isWebAddress(said.archived_url) && (
        <SourceLink url={said.archived_url} words="archived copy" />
      )}
    </>
  );
}

/** A link to another site: search engines do not count it, and that site cannot reach this page. */
function SourceLink({ url, words }: { readonly url: string; readonly words: string }) {
  return (
    <a class="source-link" href={url} rel="noopener nofollow" target="_blank" title={url}>
      {words} <span aria-hidden="true">↗</span>
      <span class="visually-hidden"> (opens another site)</span>
    </a>
  );
}

/** The words of the source, unless the claim repeats them, and what a check of the quote found. */
export function Quote({ said, isWhole = false }: { readonly said: Provenance; readonly isWhole?: boolean }) {
  const { content, mark } = said;
  const quote = said.quote ?? said.source?.selector?.exact;
  const isSaidAnyway = !quote || plain(quote) === plain(content);
  if (isSaidAnyway) return <QuoteState mark={mark} />;
  return (
    <>
      <q class="cited-quote" dir="auto">
        <UserText text={isWhole ? quote : shortened(quote, QUOTE_LENGTH)} />
      </q>{' '}
      <QuoteState mark={mark} />
    </>
  );
}

/** The address at which a source can be read: the one given, else the first in its words. */
function addressOf({ url, content }: Provenance): string | null {
  if (url && isWebAddress(url)) return url;
  const piece = linkPieces(content).find((part) => typeof part !== 'string');
  return typeof piece === 'object' ? piece.url : null;
}

/** `SocialMedia` → `social media`. */
const typeWords = (type: string) => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
