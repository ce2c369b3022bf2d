import type { PaneId } from '../snapshot.ts';
import { PANE_IDS } from '../snapshot.ts';
import { viewPart } from '../panes/timeline/view-part.ts';

/** Sent on the document when another pane is shown. */
export const PANE_SHOWN = 'pane-shown';

const tabOf = (id: PaneId) => document.getElementById(`tab-${id}`)!;

/** The address of a pane, which keeps what the reader chose to see of the timeline. */
const addressOf = (id: PaneId) => `${location.pathname}${viewPart(location.search)}#${id}`;

/** The pane on view. */
export function shownPane(): PaneId {
  return document.documentElement.dataset['pane'] as PaneId;
}

/**
 * Makes the links to the panes tabs after the ARIA authoring practices: arrow keys move, Home and End jump.
 */
export function startTabs(): void {
  document.querySelector('.pane-nav > ul')!.setAttribute('role', 'tablist');
  for (const id of PANE_IDS) {
    const tab = tabOf(id);
    tab.parentElement!.setAttribute('role', 'presentation');
    tab.setAttribute('role', 'tab');
    tab.removeAttribute('aria-current');
    tab.setAttribute('aria-controls', id);
    const panel = document.getElementById(id)!;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${id}`);
    tab.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (id !== shownPane()) history.pushState(null, '', addressOf(id));
      showPane(id);
    });
    tab.addEventListener('keydown', (event) => {
      const next = nextTab(id, event.key);
      if (!next) return;
      event.preventDefault();
      history.replaceState(null, '', addressOf(next));
      showPane(next);
      tabOf(next).focus();
    });
  }
  showPane(shownPane());
}

export function showPane(shown: PaneId): void {
  document.documentElement.dataset['pane'] = shown;
  for (const id of PANE_IDS) {
    tabOf(id).setAttribute('aria-selected', String(id === shown));
    tabOf(id).tabIndex = id === shown ? 0 : -1;
  }
  // The tabs scroll sideways on a phone: the chosen one stays in view, and the page does not move.
  const list = tabOf(shown).closest('ul')!;
  list.scrollLeft = tabOf(shown).offsetLeft - (list.clientWidth - tabOf(shown).clientWidth) / 2;
  document.dispatchEvent(new CustomEvent(PANE_SHOWN, { detail: shown }));
}

function nextTab(id: PaneId, key: string): PaneId | undefined {
  const index = PANE_IDS.indexOf(id);
  if (key === 'ArrowRight') return PANE_IDS[(index + 1) % PANE_IDS.length];
  if (key === 'ArrowLeft') return PANE_IDS.at(index - 1);
  if (key === 'Home') return PANE_IDS[0];
  if (key === 'End') return PANE_IDS.at(-1);
  return undefined;
}
