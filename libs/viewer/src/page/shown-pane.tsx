import { FoldContext, type FoldDrawing } from '../components/fold.tsx';
import { PartContext, type Part } from '../components/part.tsx';
import type { Model } from '../model.ts';
import { PANES } from '../panes/index.ts';
import type { PaneId } from '../snapshot.ts';

interface Props {
  readonly id: PaneId;
  readonly model: Model;
  /** Null draws the pane whole. */
  readonly part: Part | null;
  readonly folds?: FoldDrawing;
}

/** A pane as a document of a share shows it: the server and the browser draw the same. */
export function ShownPane({ id, model, part, folds = 'whole' }: Props) {
  const { Component } = PANES[id];
  return (
    <PartContext.Provider value={part}>
      <FoldContext.Provider value={folds}>
        <Component model={model} />
      </FoldContext.Provider>
    </PartContext.Provider>
  );
}
