import { renderToString } from 'preact-render-to-string';
import { UserText } from '../components/user-text.tsx';
import { counted } from '../format/numbers.ts';
import { plain, visible } from '../format/text.ts';
import { day, instant } from '../format/times.ts';
import { readable } from '../format/words.ts';
import type { PageAssets } from '../page/assets.ts';
import { PageHead } from '../page/page-head.tsx';
import type { PublishedChanges, ShareSnapshot } from '../snapshot.ts';
import { ChangedItems } from './changed-items.tsx';
import { MoveTable } from './move-table.tsx';

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
  const { change_count, settings, verdicts, changed_verdicts, unchanged_verdicts, since } = changes;
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
          <p>
            This page was published before as judged at {instant(since)}. Since then, up to the judgement of{' '}
            {instant(judgement.judged_at)}, {counted(change_count, 'item')} changed
            {settings.length > 0 && ` and ${counted(settings.length, 'setting')}`}.{' '}
            {changed_verdicts === 0
              ? 'No verdict moved.'
              : `${changed_verdicts} of ${counted(changed_verdicts + unchanged_verdicts, 'verdict')} moved.`}
          </p>
          {settings.length > 0 && (
            <p>
              Changed settings: <UserText text={settings.map(readable).join(', ')} />.
            </p>
          )}
          {change_count + verdicts.length > 0 && <h2>What moved, and why</h2>}
          {verdicts.length > 0 && <MoveTable moves={verdicts} payload={input} />}
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
