import type { ShareSnapshot } from '../snapshot.ts';
import { pageSnapshot } from './page-snapshot.ts';

/** Where a share has the data that scripts draw its panes from; behind the path of its page. */
export const DATA_PATH = '/data.json';

/**
 * The snapshot as its pages show it, in JSON: scripts draw panes, drawer and search from it. What changed
 * since the publication before has a page without scripts. Pure.
 */
export function shareData({ changes: _changes, ...snapshot }: ShareSnapshot): string {
  return JSON.stringify(pageSnapshot(snapshot));
}
