import { renderToString } from 'preact-render-to-string';
import { counted } from '../format/numbers.ts';
import { plain, visible } from '../format/text.ts';
import { day, instant } from '../format/times.ts';
import type { PageAssets } from './assets.ts';
import { PageHead } from './page-head.tsx';
import type { PublishedChanges, ShareSnapshot } from '../snapshot.ts';
import { ChangeCounts } from '../changes/change-counts.tsx';
import { ChangedItems } from '../changes/changed-items.tsx';
import { MoveTable } from '../changes/move-table.tsx';

/** Where a share shows what changed since the publication before; behind the path of its page. */
export const CHANGES_PATH = '/changes';

/** What the link to the page of changes says. */
export const changesTitle = ({ since }: PublishedChanges): string => `What changed since ${day(since)}`;

/**
 * What changed since the publication before, as HTML text, to be sent with SHARE_PAGE_HEADERS. It needs no
 * scripts. Null where the share does not show it. Pure.
 */
export function renderChangesPage(
  { share, input, judgement, changes }: ShareSnapshot,
  { styles }: Pick<PageAssets, 'styles'>,
): string | null {
  if (!changes) return null;
  const { change_count, verdicts, changed_verdicts, since } = changes;
  const title = changesTitle(changes);
  const question = input.research_question;
  const page = (
    <html lang="en">
      <PageHead title={`${title}: ${plain(question)}`} styles={styles} />
      <body>
        <header class="page-header">
          <p class="frozen-badge">
            <a href={share.url}>{visible(question)}</a>
          </p>
          <h1>{title}</h1>
        </header>
        <main class="changes-page">
          <ChangeCounts changes={changes}>
            This page was published before as judged at {instant(since)}. Since then, up to the judgement of{' '}
            {instant(judgement.judged_at)},
          </ChangeCounts>
          {change_count + verdicts.length > 0 && <h2>What moved, and why</h2>}
          {verdicts.length > 0 && <MoveTable moves={verdicts} payload={input} patterns={share.patterns} />}
          {changed_verdicts > verdicts.length && (
            <p class="more">And {counted(changed_verdicts - verdicts.length, 'more verdict')}.</p>
          )}
          <ChangedItems changes={changes.changes} total={change_count} payload={input} />
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}
