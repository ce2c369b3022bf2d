import { hydrate, render } from 'preact';
import { Search } from '../components/search.tsx';
import { createModel, type Model } from '../model.ts';
import { ISLAND_ID } from '../page/snapshot-island.ts';
import { PANES } from '../panes/index.ts';
import type { PaneId, ShareSnapshot } from '../snapshot.ts';
import { startPageActions } from './page-actions.ts';
import { startDrawer } from './drawer.tsx';
import { PANE_SHOWN, shownPane } from './tabs.ts';
import { startVerdictLinks } from './verdict-links.ts';

let model: Model | undefined;
const alive = new Set<PaneId>();

/** Parsed on first use: the page can be read without it. */
function getModel(): Model {
  model ??= createModel(JSON.parse(document.getElementById(ISLAND_ID)!.textContent) as ShareSnapshot);
  return model;
}

/** Hydrates a pane when it is first shown, so that a reader who never opens the mesh never waits for it. */
function enliven(id: PaneId): void {
  if (alive.has(id)) return;
  alive.add(id);
  const { Component, isStatic } = PANES[id];
  const body = document.querySelector(`[data-pane-body=${id}]`)!;
  const hydrated = () => hydrate(<Component model={getModel()} />, body);
  if (isStatic) wakeOnChange(body, hydrated);
  else hydrated();
  document.documentElement.dataset['alive'] = [...alive].join(' ');
}

/** Hydrates a static pane when one of its controls is first used, and hands it that use. */
function wakeOnChange(body: Element, hydrated: () => void): void {
  const choose = (event: Event) => {
    const control = event.target as HTMLSelectElement;
    const { value } = control;
    hydrated();
    control.value = value;
    control.dispatchEvent(new Event('change', { bubbles: true }));
  };
  body.addEventListener('change', choose, { once: true });
}

document.addEventListener(PANE_SHOWN, () => enliven(shownPane()));
enliven(shownPane());
render(<Search getModel={getModel} />, document.getElementById('search')!);
startVerdictLinks();
startDrawer(getModel);
startPageActions();
performance.mark('alive');
