import { renderToString } from 'preact-render-to-string';
import { OpinionBar } from '../components/opinion-bar.tsx';
import { Sentence } from '../components/sentence.tsx';
import { plain, shortened, visible } from '../format/text.ts';
import type { PageAssets } from './assets.ts';
import { PageHead } from './page-head.tsx';
import type { ShareSnapshot } from '../snapshot.ts';
import { sideText } from '../panes/overview/sides.ts';
import { cardOf } from '../card/card.ts';

/** Longest texts of a card. Characters. */
const QUESTION_LENGTH = 300;
const TEXT_LENGTH = 400;
const CONDITION_LENGTH = 150;
/** Distinctions that a card tells. */
const CONDITIONS_MAX = 2;

/**
 * The card of a share for the frames of other sites as HTML text, to be sent with EMBED_HEADERS: question,
 * answer with its chance, bar, who says so, what it depends on, and a link to the page. It needs no scripts
 * and is at most 20 kB. Pure.
 */
export function renderEmbedPage(snapshot: ShareSnapshot, { embed }: Pick<PageAssets, 'embed'>): string {
  const { question, answer, finding, by, taken } = cardOf(snapshot);
  const { url } = snapshot.share;
  const link = { href: url, target: '_blank', rel: 'noopener' };
  const short = (parts: typeof answer, length = TEXT_LENGTH) =>
    parts.map((part) => (typeof part === 'string' ? part : { user: shortened(part.user, length) }));
  const page = (
    <html lang="en">
      <PageHead title={shortened(plain(question), QUESTION_LENGTH)} styles={embed}>
        <link rel="canonical" href={url} />
      </PageHead>
      <body>
        <main class={finding ? `card tone-${finding.tone}` : 'card'}>
          <p class="card-question" dir="auto">
            {visible(shortened(question, QUESTION_LENGTH))}
          </p>
          <h1>
            <a {...link}>
              <Sentence parts={short(answer)} />
              {finding?.chance && <span class="card-chance"> ({finding.chance})</span>}
            </a>
          </h1>
          {finding && (
            <>
              <OpinionBar opinion={finding.opinion} chance={finding.probability} tall />
              <p class="card-sides">
                <span class="name-support">{sideText(finding.sides, 'for')}</span>
                <span>{finding.evidence}</span>
                <span class="name-opposition">{sideText(finding.sides, 'against')}</span>
              </p>
              {finding.sources.length > 0 && (
                <p class="card-sources">
                  <Sentence parts={short(finding.sources)} />
                </p>
              )}
              {finding.conditions.slice(0, CONDITIONS_MAX).map((condition, index) => (
                <p key={index} class="card-sources">
                  <Sentence parts={short(condition, CONDITION_LENGTH)} />
                </p>
              ))}
            </>
          )}
          <footer>
            {by.length > 0 && <span dir="auto">{by.map(visible).join(', ')}</span>}
            <span>{taken}</span>
            <a {...link}>Sources, arguments and how it was judged</a>
          </footer>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}
