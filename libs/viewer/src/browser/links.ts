import { readFragment, type Target } from '../format/fragments.ts';
import { partOf } from '../page/places.ts';
import type { PaneId } from '../snapshot.ts';
import { drawPane, placeOfPane, servedPane } from './drawn-panes.tsx';
import { sharedModel } from './shared-model.ts';
import { showPane, shownPane } from './tabs.ts';

/**
 * Lets links between the documents of a share show their target in this one, and the address lead to what it
 * names. Claims are the drawer's.
 */
export function startLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const href = (event.target as Element).closest('a')?.getAttribute('href') ?? '';
    const url = new URL(href, location.href);
    if (url.origin !== location.origin || url.pathname !== location.pathname) return;
    const target = readFragment(url.hash.slice(1));
    if (target === null || target.kind === 'claim') return;
    event.preventDefault();
    void follow(target).then(() => {
      if (location.hash !== url.hash) location.hash = url.hash;
    });
  });
  addEventListener('hashchange', followAddress);
  addEventListener('popstate', followAddress);
  followAddress();
}

function followAddress(): void {
  const target = readFragment(location.hash.slice(1));
  if (target) void follow(target);
  else if (location.hash === '' && shownPane() !== servedPane) showPane(servedPane);
}

const paneOf = (target: Exclude<Target, { kind: 'claim' }>): PaneId =>
  target.kind === 'verdict' ? 'overview' : target.pane;

/** Shows the pane of a target and brings the target into view; goes to the document that has it otherwise. */
async function follow(target: Target): Promise<void> {
  if (target.kind === 'claim') return;
  const pane = paneOf(target);
  if (pane !== shownPane()) showPane(pane);
  await drawPane(pane);
  if (target.kind === 'pane') return;
  const element = document.getElementById(target.id);
  if (element) {
    const fold = target.kind === 'verdict' ? element.querySelector('details') : element.closest('details');
    if (fold) fold.open = true;
    element.scrollIntoView({ block: 'start' });
    return;
  }
  const href = partOf(await sharedModel(), placeOfPane(pane)).hrefOf(target.id);
  if (!href.startsWith('#')) location.assign(href);
}
