import { createContext } from 'preact';
import type { Model } from '../../model.ts';

/** What the desk does about warnings. */
export interface Mending {
  /** With all claims, also those for which the pane has no room. */
  readonly model: Model;
  /** What ends the warnings of some sentences of one kind; null where nothing is left to do. */
  readonly mendOf: (sentences: readonly string[]) => Mend | null;
}

export interface Mend {
  /** What its button says. */
  readonly label: string;
  readonly run: () => void;
}

/** Null where nothing can be changed: on pages, and for those who only read. */
export const MendingContext = createContext<Mending | null>(null);
