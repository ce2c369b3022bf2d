import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import type { TextPieces } from '../model/text-pieces.ts';

declare const packed: unique symbol;

/**
 * A JSON text as judgements and snapshots are kept: itself where it is short, else compressed by gzip (RFC
 * 1952) and written in base64. As text of some megabytes it would take a database several times as long to
 * write and to read; as a column of bytes the embedded one as well, because its driver writes each byte as
 * two digits.
 */
export type PackedJson = string & { readonly [packed]?: true };

/** Shorter texts stay as they are. Bytes. */
const PACKED_FROM = 4096;
/** How gzip begins, in base64. No JSON text begins so. */
const MAGIC = 'H4sI';
/** Bytes that are decompressed at a time. */
const UNPACKED_BYTES = 256 * 1024;
/** Three times as fast as the usual level; what is kept is a quarter larger. */
const LEVEL = 1;

/** Packs a JSON text, given as such or in UTF-8. Keeps the thread busy for 3 ms a megabyte. */
export function packJson(json: string | Uint8Array): PackedJson {
  return joinPacked([json]);
}

/** The packed text of parts that make one JSON text together; those packed before are not unpacked for it. */
export function joinPacked(parts: readonly (PackedJson | Uint8Array)[]): PackedJson {
  const isShort = parts.reduce((length, part) => length + part.length, 0) < PACKED_FROM;
  if (isShort && !parts.some(isPacked)) return parts.map((part) => Buffer.from(part).toString()).join('');
  // Members of gzip behind one another are one stream (RFC 1952 §2.2).
  return joinMembers(parts.map(membersOf));
}

/** The packed text of members that `memberOf` made. */
export function joinMembers(members: readonly Buffer[]): PackedJson {
  return Buffer.concat(members).toString('base64');
}

/** A part of a JSON text as a member of a gzip stream. */
export function memberOf(part: string | Uint8Array): Buffer {
  return gzipSync(part, { level: LEVEL });
}

/**
 * The JSON text; large ones are decompressed off this thread, and are not joined on it, because a result may
 * have 100 MB.
 */
export async function unpackJson(json: PackedJson): Promise<TextPieces> {
  if (!isPacked(json)) return [encode(json)];
  const unzip = createGunzip({ chunkSize: UNPACKED_BYTES });
  unzip.end(Buffer.from(json, 'base64'));
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of unzip) pieces.push(asBytes(piece as Buffer));
  return pieces;
}

/** The same on this thread. */
export function unpackJsonSync(json: PackedJson): Uint8Array<ArrayBuffer> {
  return isPacked(json) ? asBytes(gunzipSync(Buffer.from(json, 'base64'))) : encode(json);
}

function isPacked(part: PackedJson | Uint8Array): part is PackedJson {
  return typeof part === 'string' && part.startsWith(MAGIC);
}

function membersOf(part: PackedJson | Uint8Array): Buffer {
  return isPacked(part) ? Buffer.from(part, 'base64') : memberOf(part);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function asBytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.length);
}
