import { hydrate, render } from 'preact';
import { partOf, type Place } from '../page/places.ts';
import { ShownPane } from '../page/shown-pane.tsx';
import { PANES } from '../panes/index.ts';
import { PANE_IDS, type PaneId } from '../snapshot.ts';
import { sharedModel } from './shared-model.ts';

const root = document.documentElement;
/** The pane that the server drew. */
export const servedPane = root.dataset['drawn'] as PaneId;
const served: Place = { pane: servedPane, page: Number(root.dataset['page']) };
const drawn = new Map<PaneId, Promise<void>>();

export const placeOfPane = (pane: PaneId): Place => (pane === served.pane ? served : { pane, page: 1 });
const bodyOf = (pane: PaneId) => document.querySelector(`[data-pane-body=${pane}]`)!;

/**
 * Brings a pane to life when it is first shown, so that a reader who never opens the mesh never waits for it:
 * the served one keeps the server's drawing, and the others are drawn here. Says so in the pane where that
 * fails, with a link to the server's drawing; the next call tries again.
 */
export function drawPane(pane: PaneId): Promise<void> {
  const known = drawn.get(pane) ?? enliven(pane);
  drawn.set(pane, known);
  return known;
}

async function enliven(pane: PaneId): Promise<void> {
  const body = bodyOf(pane);
  if (pane === served.pane && PANES[pane].isStatic) wakeOnChange(pane, body);
  else {
    if (pane !== served.pane)
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
      if (pane !== served.pane)
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

/** Hydrates a static pane when one of its controls is first used, and hands it that use. */
function wakeOnChange(pane: PaneId, body: Element): void {
  const choose = async (event: Event) => {
    const control = event.target as HTMLSelectElement;
    const { value } = control;
    await fill(pane, body);
    control.value = value;
    control.dispatchEvent(new Event('change', { bubbles: true }));
  };
  body.addEventListener('change', (event) => void choose(event), { once: true });
}

/** Draws all panes whole, with all pages of their lists, for paper. */
export async function drawAll(): Promise<void> {
  const model = await sharedModel();
  for (const pane of PANE_IDS) {
    drawn.set(pane, Promise.resolve());
    const body = bodyOf(pane);
    render(null, body);
    body.textContent = '';
    render(<ShownPane id={pane} model={model} part={null} />, body);
  }
}
