/** A region of two sequences in which they differ; ends are exclusive. */
export interface Hunk {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

export function diff(a: Int32Array, b: Int32Array): Hunk[];
