import type { InvestigationInput } from '@platform/opinion-fusion';

/** Something of a file that is not in the investigation made of it. */
export interface LeftOut {
  /** Where it stands in the file: a JSON path, or sheet and row. */
  readonly path: string;
  readonly reason: string;
}

/** The investigation that a file holds. */
export interface Imported {
  readonly payload: InvestigationInput;
  /** At most LEFT_OUT_MAX, in the order of the file. */
  readonly leftOut: readonly LeftOut[];
  readonly leftOutTotal: number;
  /** The settings that the file states itself, where it is an investigation of ours. */
  readonly settings?: Partial<InvestigationInput>;
  /** What the file notes of the objects that it stands in, where it is attached to an export of ours. */
  readonly written?: unknown;
}

/** Left-out items that a response lists; the rest is counted. */
export const LEFT_OUT_MAX = 200;
/** Claims that one file may hold. */
export const CLAIMS_MAX = 20_000;

/**
 * Length of all texts of one investigation together, UTF-16 code units. A short file may repeat one text many
 * times, by references or in cells that share it.
 */
const TEXTS_LENGTH_MAX = 16 * 1024 * 1024;

/** The file is not what its format says. The message names the cause and the fix. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** Counts what is left out and keeps the first LEFT_OUT_MAX. */
export class LeftOutList {
  readonly list: LeftOut[] = [];
  total = 0;

  add(path: string, reason: string): void {
    this.total += 1;
    if (this.list.length < LEFT_OUT_MAX) this.list.push({ path, reason });
  }
}

/** An investigation with what was left out of its file besides, which stands first. */
export function withLeftOut(imported: Imported, { list, total }: LeftOutList): Imported {
  return {
    ...imported,
    leftOut: [...list, ...imported.leftOut].slice(0, LEFT_OUT_MAX),
    leftOutTotal: total + imported.leftOutTotal,
  };
}

/** Adds up the texts that readers take from a file. */
export class TextBudget {
  #left = TEXTS_LENGTH_MAX;

  /** Counts the texts among `values`. Throws UnreadableFile beyond TEXTS_LENGTH_MAX. */
  take(values: readonly unknown[]): void {
    for (const value of values) if (typeof value === 'string') this.#left -= value.length;
    if (this.#left < 0)
      throw new UnreadableFile(
        `the file makes an investigation of more than ${TEXTS_LENGTH_MAX} characters: send it in parts`,
      );
  }
}
