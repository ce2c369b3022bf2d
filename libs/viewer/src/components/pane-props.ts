import type { Model } from '../model.ts';

/** Every pane is a pure function of the model; links to their fragments open claims and verdicts. */
export interface PaneProps {
  readonly model: Model;
}
