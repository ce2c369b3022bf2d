import { hydrate, render } from 'preact';
import { Search } from '../components/search.tsx';
import { createModel } from '../model.ts';
import { ISLAND_ID } from '../page/snapshot-island.ts';
import { PANES } from '../panes/index.ts';
import type { PaneId, ShareSnapshot } from '../snapshot.ts';
import { startCitation } from './citation.ts';
import { startDrawer } from './drawer.tsx';
import { startVerdictLinks } from './verdict-links.ts';
import { PANE_SHOWN, shownPane } from './tabs.ts';

const snapshot = JSON.parse(document.getElementById(ISLAND_ID)!.textContent) as ShareSnapshot;
const model = createModel(snapshot);
const alive = new Set<PaneId>();

/** A pane comes alive when it is first seen: a reader who never opens the mesh never waits for it. */
function enliven(id: PaneId): void {
  if (alive.has(id)) return;
  alive.add(id);
  const { Component } = PANES[id];
  hydrate(<Component model={model} />, document.querySelector(`[data-pane-body=${id}]`)!);
  document.documentElement.dataset['alive'] = [...alive].join(' ');
}

document.addEventListener(PANE_SHOWN, () => enliven(shownPane()));
enliven(shownPane());
render(<Search model={model} />, document.getElementById('search')!);
startVerdictLinks();
startDrawer(model);
startCitation();
performance.mark('alive');
