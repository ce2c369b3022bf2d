import type { QuoteMark } from './pinned-quotes.ts';

/** What became of a pinned quote, in a word that leads to the passage in its document. */
export function QuoteState({ mark }: { readonly mark: QuoteMark | undefined }) {
  if (mark === undefined) return null;
  const { state, word, meaning, href } = mark;
  return (
    <span class={`quote-state quote-state-${state}`} title={meaning}>
      <span class="visually-hidden">Quote: </span>
      {href === null ? (
        word
      ) : (
        <a href={href}>
          {word}
          <span class="visually-hidden">: read it in its document</span>
        </a>
      )}
    </span>
  );
}
