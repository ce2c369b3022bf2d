import { hydrate, render } from 'preact';
import { partOf, type Place } from '../page/places.ts';
import { ShownPane } from '../page/shown-pane.tsx';
import { PANES } from '../panes/index.ts';
import { watchSideways } from '../panes/mesh/sideways.ts';
import { viewPart } from '../panes/timeline/view-part.ts';
import { PANE_IDS, type PaneId } from '../snapshot.ts';
import { wakeOnFirstUse, type Sleeping, type Uses } from './first-use.ts';
import { sharedModel } from './shared-model.ts';

const root = document.documentElement;
/** The pane that the server drew. */
export const servedPane = root.dataset['drawn'] as PaneId;
const served: Place = { pane: servedPane, page: Number(root.dataset['page']) };
const drawn = new Map<PaneId, Promise<void>>();
/** Links and folds work as the server drew them; these are what scripts answer to. */
const USES: Uses = {
  click: 'button, summary',
  change: 'input, select',
  keydown: '[tabindex]',
  pointerover: '[data-node]',
  focusin: '[data-node]',
};
/** Of a static pane, whose folds are whole and hold all that they show. */
const STATIC_USES: Uses = { change: 'input, select' };
/** The served pane, while it is as the server drew it. */
let sleeping: Sleeping | undefined;

export const placeOfPane = (pane: PaneId): Place => (pane === served.pane ? served : { pane, page: 1 });
const bodyOf = (pane: PaneId) => document.querySelector(`[data-pane-body=${pane}]`)!;

/**
 * Brings a pane to life when it is first shown, so that a reader who never opens the mesh never waits for it.
 * The served one keeps the server's drawing, and scripts take it over when it is first used, because a phone
 * that draws it a second time answers to nothing meanwhile. The others are drawn here. Says so in the pane
 * where that fails, with a link to the server's drawing; the next call tries again.
 */
export function drawPane(pane: PaneId): Promise<void> {
  const known = drawn.get(pane) ?? enliven(pane);
  drawn.set(pane, known);
  return known;
}

async function enliven(pane: PaneId): Promise<void> {
  const body = bodyOf(pane);
  if (pane === served.pane) {
    sleeping = wakeOnFirstUse(body, PANES[pane].isStatic ? STATIC_USES : USES, () => fill(pane, body));
    if (pane === 'timeline' && viewPart(location.search) !== '') sleeping.wake();
    watchSideways(body);
  } else {
    render(
      <p class="empty" role="status">
        Loading …
      </p>,
      body,
    );
    try {
      await fill(pane, body);
    } catch {
      drawn.delete(pane);
      render(
        <p class="notice" role="status">
          This part could not be loaded. <a href={`?pane=${pane}`}>Try again</a>
        </p>,
        body,
      );
      return;
    }
  }
  root.dataset['alive'] = `${root.dataset['alive'] ?? ''} ${pane}`.trim();
}

async function fill(pane: PaneId, body: Element): Promise<void> {
  const model = await sharedModel();
  const isServed = pane === served.pane;
  const part = partOf(model, placeOfPane(pane));
  const shown = <ShownPane id={pane} model={model} part={part} folds={isServed ? 'kept' : 'whole'} />;
  if (isServed) return hydrate(shown, body);
  render(shown, body);
}

/** Draws all panes whole, with all pages of their lists, for paper. */
export async function drawAll(): Promise<void> {
  const model = await sharedModel();
  sleeping?.stop();
  for (const pane of PANE_IDS) {
    drawn.set(pane, Promise.resolve());
    const body = bodyOf(pane);
    render(null, body);
    body.textContent = '';
    render(<ShownPane id={pane} model={model} part={null} />, body);
  }
}
