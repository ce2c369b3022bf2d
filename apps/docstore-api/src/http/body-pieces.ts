import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { KiB } from '../rules/limits.ts';

/** A body whose long texts are encoded already, each piece of them in a turn of the event loop of its own. */
export type BodyPieces = readonly (string | Uint8Array)[];

/** UTF-16 units of a text that are encoded in one turn; shorter texts stay as they are. */
const SLICE_LENGTH = 64 * KiB;
/** Stands for a long text while what is around it is made JSON; it never leaves the process. */
const MARK = randomBytes(16).toString('hex');

/** `text` in UTF-8. */
export async function textPieces(text: string): Promise<BodyPieces> {
  return text.length <= SLICE_LENGTH ? [text] : encoded(text, (slice) => slice);
}

/** `value` as JSON.stringify makes it, in UTF-8. */
export async function jsonPieces(value: unknown): Promise<BodyPieces> {
  const long: string[] = [];
  const [first = '', ...others] = JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'string' || part.length <= SLICE_LENGTH) return part;
    long.push(part);
    return MARK;
  }).split(MARK);
  const pieces: (string | Uint8Array)[] = [first];
  for (const [index, other] of others.entries())
    pieces.push(...(await encoded(long[index]!, (slice) => JSON.stringify(slice).slice(1, -1))), other);
  return pieces;
}

/** SHA-256 of a body, in base64. */
export async function digestOf(pieces: BodyPieces): Promise<string> {
  const digest = createHash('sha256');
  await eachInTurn(pieces, (piece) => digest.update(piece));
  return digest.digest('base64');
}

/** Calls `use` for the pieces in their order; other requests run between two of them. */
export async function eachInTurn(
  pieces: BodyPieces,
  use: (piece: string | Uint8Array) => unknown,
): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await nextTurn();
    use(piece);
  }
}

async function encoded(text: string, write: (slice: string) => string): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < text.length;) {
    await nextTurn();
    const end = start + SLICE_LENGTH;
    // No slice ends between the halves of a surrogate pair.
    const isCut = (text.codePointAt(end - 1) ?? 0) > 0xff_ff;
    const slice = text.slice(start, isCut ? end + 1 : end);
    pieces.push(Buffer.from(write(slice)));
    start += slice.length;
  }
  return pieces;
}
