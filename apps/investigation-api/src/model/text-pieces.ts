import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * A text in UTF-8, in pieces of about a mebibyte: each is converted in a turn of the event loop of its own,
 * and all are sent or moved to another thread without being copied.
 */
export type TextPieces = readonly Uint8Array<ArrayBuffer>[];

/** Bytes of a piece at most. */
export const PIECE_BYTES = 1024 * 1024;

const encoder = new TextEncoder();

/** The pieces of a text that came in parts; each part is encoded in a turn of its own. */
export async function piecesOf(parts: readonly string[]): Promise<TextPieces> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (const part of parts) {
    if (pieces.length > 0) await nextTurn();
    pieces.push(encoder.encode(part));
  }
  return pieces;
}

/** Bytes of all pieces. */
export function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Memory that moves with the pieces to another thread; two may share some. */
export function memoryOf(pieces: TextPieces): ArrayBuffer[] {
  return [...new Set(pieces.map(({ buffer }) => buffer))];
}

/** The text of pieces, decoded in one go: for short ones, and for threads that take no requests. */
export function textOf(pieces: readonly Uint8Array[]): string {
  // A character may lie in two of them.
  return Buffer.concat(pieces).toString();
}
