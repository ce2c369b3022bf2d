import type { InvestigationResult } from '@platform/opinion-fusion';
import { resultText } from '@platform/opinion-fusion';
import type { PackedJson } from '../wire/packed-json.ts';
import { joinMembers, memberOf } from '../wire/packed-json.ts';

/** A piece of JSON in UTF-8, and the member of a gzip stream that holds it. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly member: Buffer;
}

/** Consecutive entries of a list, without what parts them from others. */
interface Run extends Piece {
  readonly entries: readonly object[];
}

/** A result as it is sent and as it is kept. */
export interface WrittenResult {
  /** Of the JSON in UTF-8. */
  readonly length: number;
  readonly packed: PackedJson;
  /** The JSON in UTF-8, put together when it is asked for. */
  readonly json: () => Uint8Array<ArrayBuffer>;
}

/** Lists of a result whose entries stay the same objects where nothing changed. */
const SHARED = ['subject_results', 'conflict_analysis', 'claim_analyses', 'ranked_claims'] as const;
/** JSON of a run, about; less makes more members, and more is written again for one entry. Bytes. */
const RUN_BYTES = 32 * 1024;

const encoder = new TextEncoder();

/**
 * Writes the results of one session, one after the other: what a result shares with the one before is neither
 * written nor packed again. The bytes are those of `JSON.stringify`.
 */
export class ResultWriter {
  /** By the first entry. */
  readonly #runs = new WeakMap<object, Run>();

  /** Writes a result, and keeps parts of it for the next one. It never throws. */
  write(result: InvestigationResult): WrittenResult {
    const pieces: Piece[] = [];
    let text: string[] = [];
    const flush = () => {
      if (text.length > 0) pieces.push(pieceOf(text));
      text = [];
    };
    let separator = '{';
    for (const [key, member] of Object.entries(result) as [keyof InvestigationResult, unknown][]) {
      if (member === undefined) continue;
      text.push(`${separator}${JSON.stringify(key)}:`);
      separator = ',';
      if (!(SHARED as readonly string[]).includes(key)) text.push(...valueText(member));
      else {
        text.push('[');
        flush();
        pieces.push(...this.#runsOf(member as readonly object[]));
        text.push(']');
      }
    }
    text.push('}');
    flush();
    const length = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const packed = joinMembers(pieces.map(({ member }) => member));
    return { length, packed, json: () => joined(pieces, length) };
  }

  *#runsOf(entries: readonly object[]): Iterable<Piece> {
    const size = runSize(entries);
    for (let start = 0; start < entries.length; start += size) {
      if (start > 0) yield COMMA;
      const wanted = entries.slice(start, start + size);
      const known = this.#runs.get(wanted[0]!);
      if (known?.entries.length === wanted.length && known.entries.every((entry, i) => entry === wanted[i])) {
        yield known;
        continue;
      }
      const run = { entries: wanted, ...pieceOf([JSON.stringify(wanted).slice(1, -1)]) };
      this.#runs.set(wanted[0]!, run);
      yield run;
    }
  }
}

/**
 * How many entries make a run: a power of two, so that it stays the same while a list changes a little.
 */
function runSize(entries: readonly object[]): number {
  const sample = entries.slice(0, 16);
  const each = JSON.stringify(sample).length / Math.max(1, sample.length);
  return 2 ** Math.max(0, Math.round(Math.log2(RUN_BYTES / each)));
}

function pieceOf(text: readonly string[]): Piece {
  const bytes = encoder.encode(text.join(''));
  return { bytes, member: memberOf(bytes) };
}

const COMMA = pieceOf([',']);

function valueText(value: unknown): Iterable<string> {
  return typeof value === 'object' && value !== null
    ? resultText(value as InvestigationResult)
    : [JSON.stringify(value)];
}

function joined(pieces: readonly Piece[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const { bytes } of pieces) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}
