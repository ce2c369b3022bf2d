/** A place where both sides changed the same lines; each side as it reads. */
export interface MergeConflict {
  readonly base: string;
  readonly mine: string;
  readonly current: string;
  /** Line of the base version where it begins, from 1. */
  readonly base_line: number;
}

export interface MergeResult {
  /** The merged text; meaningless when there are conflicts. */
  readonly merged: string;
  readonly conflicts: readonly MergeConflict[];
  /** The merged text with conflict markers; null when there are no conflicts. */
  readonly marked: string | null;
}
