import { hydrate, render } from 'preact';
import { Search } from '../components/search.tsx';
import { createModel, type Model } from '../model.ts';
import { ISLAND_ID } from '../page/snapshot-island.ts';
import { PANES } from '../panes/index.ts';
import type { PaneId, ShareSnapshot } from '../snapshot.ts';
import { startCitation } from './citation.ts';
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
  if (!isStatic) hydrate(<Component model={getModel()} />, document.querySelector(`[data-pane-body=${id}]`)!);
  document.documentElement.dataset['alive'] = [...alive].join(' ');
}

document.addEventListener(PANE_SHOWN, () => enliven(shownPane()));
enliven(shownPane());
render(<Search getModel={getModel} />, document.getElementById('search')!);
startVerdictLinks();
startDrawer(getModel);
startCitation();
performance.mark('alive');
