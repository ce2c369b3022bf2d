import { CHANGES_PATH, changesTitle } from './changes-page.tsx';
import { embedSnippet, IMAGE_PATH } from '../card/embed-snippet.ts';
import { IMAGE_HEIGHT, IMAGE_WIDTH } from '../card/share-image.tsx';
import { textOf } from '@platform/opinion-fusion';
import { evidenceSentence, inBrackets } from '../format/words.ts';
import { plain, shortened, visible } from '../format/text.ts';
import { instant } from '../format/times.ts';
import { answerIn, type Model } from '../model.ts';
import { PANES } from '../panes/index.ts';
import type { PaneId, ShareSnapshot } from '../snapshot.ts';
import { PANE_IDS } from '../snapshot.ts';
import type { PageAssets } from './assets.ts';
import { citation, headline } from '../format/citation.ts';
import { ComputedBy } from './computed-by.tsx';
import { FEED_PATH } from './share-feed.ts';
import { GUIDE_PATH } from './guide-page.tsx';
import { PageHead } from './page-head.tsx';
import { partOf, type Place } from './places.ts';
import { ShownPane } from './shown-pane.tsx';

/** Characters that link previews show of a title and a description. */
const PREVIEW_TITLE_LENGTH = 110;
const PREVIEW_DESCRIPTION_LENGTH = 280;
/** The icon of every page, as an address that holds it. */
export const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 4 30 28H2z" fill="#2b5f9e"/><circle cx="19" cy="20" r="4" fill="#fff"/></svg>',
  );

interface Props {
  readonly snapshot: ShareSnapshot;
  readonly model: Model;
  readonly assets: PageAssets;
  readonly place: Place;
}

/**
 * The whole document: one pane, readable as it is, with links to the others; scripts make the panes tabs and
 * draw the others when they are opened.
 */
export function SharePage({ snapshot, model, assets, place }: Props) {
  const { share } = snapshot;
  return (
    <html
      lang="en"
      data-pane={place.pane}
      data-drawn={place.pane}
      data-page={place.page}
      data-taken={share.snapshot_taken_at}
    >
      <Head snapshot={snapshot} model={model} assets={assets} />
      <body>
        <a class="skip-link" href="#panes">
          Skip to the findings
        </a>
        <header class="page-header">
          <p class="frozen-badge">
            <span class="badge-mark">Frozen snapshot</span> of{' '}
            <time dateTime={share.snapshot_taken_at}>{instant(share.snapshot_taken_at)}</time>.{' '}
            {share.judged_since ? (
              <strong class="flag">It was judged again since; the author may publish a newer version.</strong>
            ) : (
              <span class="badge-note">Later edits do not change this page.</span>
            )}{' '}
            {snapshot.changes && (
              <a href={`${share.slug}${CHANGES_PATH}`} class="screen-only">
                {changesTitle(snapshot.changes)}
              </a>
            )}{' '}
            <a href="#page-actions" class="screen-only">
              Share, cite or print
            </a>
          </p>
          <h1 dir="auto">{visible(headline(snapshot))}</h1>
        </header>
        <nav class="pane-nav tab-nav" aria-label="Views of this investigation">
          <ul>
            {PANE_IDS.map((id) => (
              <li key={id}>
                <a
                  id={`tab-${id}`}
                  href={`?pane=${id}`}
                  aria-current={id === place.pane ? 'page' : undefined}
                >
                  {PANES[id].title}
                </a>
              </li>
            ))}
          </ul>
          <div id="search" class="search-place" />
        </nav>
        <main id="panes">
          {PANE_IDS.map((id) => (
            <PaneSection key={id} id={id} model={model} place={place} />
          ))}
        </main>
        <footer class="page-footer">
          <Actions snapshot={snapshot} />
          <p class="print-only">{citation(snapshot)}</p>
          <p>
            <ComputedBy engine={snapshot.judgement.engine_version} where="on this page" />{' '}
            <a href={GUIDE_PATH}>How it judges, and how often it is right</a>
          </p>
        </footer>
        <dialog id="claim-drawer" class="claim-drawer" aria-labelledby="claim-drawer-title" />
      </body>
    </html>
  );
}

function Head({ snapshot, model, assets }: Omit<Props, 'place'>) {
  const { share } = snapshot;
  const title = shortened(plain(headline(snapshot)), PREVIEW_TITLE_LENGTH);
  const description = shortened(previewText(model), PREVIEW_DESCRIPTION_LENGTH);
  return (
    <PageHead title={title} styles={assets.styles}>
      <meta name="description" content={description} />
      {share.byline && <meta name="author" content={plain(share.byline)} />}
      <meta property="og:type" content="article" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={share.url} />
      <meta property="article:published_time" content={share.snapshot_taken_at} />
      <meta property="og:image" content={imageUrl(snapshot)} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={String(IMAGE_WIDTH)} />
      <meta property="og:image:height" content={String(IMAGE_HEIGHT)} />
      <meta property="og:image:alt" content={description} />
      <meta name="twitter:card" content="summary_large_image" />
      <link rel="canonical" href={share.url} />
      <link rel="icon" href={ICON} />
      <link rel="alternate" type="application/json" href={`${share.slug}.json`} />
      <link rel="alternate" type="application/atom+xml" href={`${share.slug}${FEED_PATH}`} />
      <script src={assets.early} />
      <script defer src={assets.main} />
    </PageHead>
  );
}

/** Previews are kept by their address, so a share that is published again has another. */
const imageUrl = ({ share, result_sha256 }: ShareSnapshot) =>
  `${share.url}${IMAGE_PATH}?v=${result_sha256.slice(0, 8)}${Date.parse(share.updated_at).toString(36)}`;

/** The answer and who says so, for link previews. */
function previewText(model: Model): string {
  const answer = answerIn(model);
  if (answer === null) return 'Nothing was claimed, so nothing can be said.';
  const { headline, chance, sources, verdict } = answer;
  return plain(
    `${textOf(headline)}${inBrackets(chance)}. ${textOf(sources)} ${evidenceSentence(verdict.result.confidence.uncertainty)}`,
  );
}

function Actions({ snapshot }: { readonly snapshot: ShareSnapshot }) {
  const { slug, url } = snapshot.share;
  return (
    <div id="page-actions" class="page-actions">
      <button type="button" id="copy-link" hidden>
        Copy link
      </button>
      <details class="citation">
        <summary>Cite</summary>
        <div class="citation-panel">
          <p id="citation-text">{citation(snapshot)}</p>
          <button type="button" id="copy-citation" hidden>
            Copy citation
          </button>
        </div>
      </details>
      <details class="citation">
        <summary>Embed</summary>
        <div class="citation-panel">
          <p>
            This puts the answer and a link to this page into another site. It is withdrawn with the page.
          </p>
          <p>
            <code id="embed-text">{embedSnippet(url)}</code>
          </p>
          <button type="button" id="copy-embed" hidden>
            Copy HTML
          </button>
        </div>
      </details>
      <button type="button" id="print-page" hidden>
        Print one page
      </button>
      <button type="button" id="print-all" hidden>
        Print everything
      </button>
      <a href={`${slug}/export/pdf`} download={`${slug}.pdf`}>
        Report as PDF
      </a>
      <a href={`${slug}/export/pdf-brief`} download={`${slug}.brief.pdf`}>
        One page as PDF
      </a>
      <a href={`${slug}.json`} download={`${slug}.json`}>
        Download JSON
      </a>
      <a href={`${slug}.csv`} download={`${slug}.csv`}>
        Ranked claims as CSV
      </a>
    </div>
  );
}

/** A pane; of those that the document does not show, only its frame for scripts to fill. */
function PaneSection({ id, model, place }: Pick<Props, 'model' | 'place'> & { readonly id: PaneId }) {
  const { title, lead } = PANES[id];
  const isShown = id === place.pane;
  return (
    <section id={id} class={isShown ? 'pane' : 'pane pane-elsewhere'} aria-labelledby={`${id}-title`}>
      <header class="pane-header">
        <h2 id={`${id}-title`}>{title}</h2>
        <p>{lead}</p>
      </header>
      <div class="pane-body" data-pane-body={id}>
        {isShown && <ShownPane id={id} model={model} part={partOf(model, place)} />}
      </div>
    </section>
  );
}
