import type { Model } from '../model.ts';

/** Every pane is a pure function of the model; it opens claims and verdicts by links to their fragments. */
export interface PaneProps {
  readonly model: Model;
}
