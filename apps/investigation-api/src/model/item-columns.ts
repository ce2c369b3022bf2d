import { createHash } from 'node:crypto';
import { ENTITY_KINDS, type EntityKind } from '@platform/opinion-fusion';
import type { Entity, EntityRef } from './entity.ts';

/**
 * Items as statements take them: arrays for `unnest` in the binary form of Postgres, in chunks that are each
 * sent in one turn of the event loop. The thread that reads a large body makes them, and they move to the
 * thread that takes requests without being copied.
 */
export interface ItemColumns {
  readonly upserts: readonly UpsertColumns[];
  readonly removals: readonly RemovalColumns[];
  /** Whether an upsert or a removal is of a claim. */
  readonly hasClaims: boolean;
}

interface KeyColumns {
  readonly kinds: Uint8Array<ArrayBuffer>;
  readonly hashes: Uint8Array<ArrayBuffer>;
}

/** About a mebibyte, unless one item is longer. */
export interface UpsertColumns extends KeyColumns {
  readonly bodies: Uint8Array<ArrayBuffer>;
  readonly count: number;
}

export interface RemovalColumns extends KeyColumns {
  /** What has been removed and is not reported as missing: the same change gives it. */
  readonly isGiven: boolean;
  readonly refs: PackedRefs;
}

/** A list of items' names, which as objects would keep the thread that receives them busy for too long. */
interface PackedRefs {
  readonly count: number;
  readonly joined: string;
  /** Where each id ends in `joined`. UTF-16 units. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** Bytes of a chunk. */
const CHUNK_BYTES = 1024 * 1024;
/** Removals of a chunk: as many as their keys fit a chunk. */
const REMOVALS = 32_768;

/** Numbers (OID) of the types in Postgres. */
const SMALLINT = 21;
const TEXT = 25;
const UUID = 2950;
const HASH_BYTES = 16;

/**
 * The columns of a change. Upserts that it removes again are left out; a removal that stands twice counts
 * once.
 */
export function columnsOf(upserts: readonly Entity[], removals: readonly EntityRef[] = []): ItemColumns {
  const removed = new Map(removals.map((ref) => [keyOf(ref), ref]));
  const given = new Set(removed.size === 0 ? [] : upserts.map(keyOf));
  const kept = removed.size === 0 ? upserts : upserts.filter((entity) => !removed.has(keyOf(entity)));
  const removalsOf = (isGiven: boolean) =>
    chunksOf(
      [...removed].filter(([key]) => given.has(key) === isGiven).map(([, ref]) => ref),
      REMOVALS,
    ).map((refs) => ({ ...keyColumnsOf(refs), isGiven, refs: packRefs(refs) }));
  return {
    upserts: upsertChunksOf(kept),
    removals: [...removalsOf(true), ...removalsOf(false)],
    hasClaims: [upserts, removals].some((refs) => refs.some(({ kind }) => kind === 'claims')),
  };
}

/** An item that a chunk of removals names, by its place from 0. */
export function refAt({ kinds, refs: { joined, ends } }: RemovalColumns, place: number): EntityRef {
  const kind = new DataView(kinds.buffer).getInt16(ARRAY_HEAD + place * (LENGTH_BYTES + 2) + LENGTH_BYTES);
  return {
    kind: ENTITY_KINDS[kind]!,
    id: joined.slice(place === 0 ? 0 : ends[place - 1], ends[place]),
  };
}

/** Buffers that move with the columns to another thread. */
export function buffersOf({ upserts, removals }: ItemColumns): ArrayBuffer[] {
  return [
    ...upserts.flatMap(({ kinds, hashes, bodies }) => [kinds.buffer, hashes.buffer, bodies.buffer]),
    ...removals.flatMap(({ kinds, hashes, refs }) => [kinds.buffer, hashes.buffer, refs.ends.buffer]),
  ];
}

/** Kinds are numbers in the tables. */
export function kindNumber({ kind }: { readonly kind: EntityKind }): number {
  return ENTITY_KINDS.indexOf(kind);
}

/**
 * By which tables know `id`: the first 128 bits of SHA-256 over its UTF-16 units, so that ids of any length
 * and with any content (NUL, lone surrogates) fit an index and stay apart.
 */
export function idHash(id: string): Buffer {
  return createHash('sha256').update(id, 'utf16le').digest().subarray(0, HASH_BYTES);
}

const keyOf = (ref: EntityRef) => `${kindNumber(ref)} ${ref.id}`;

function upsertChunksOf(entities: readonly Entity[]): UpsertColumns[] {
  const chunks: UpsertColumns[] = [];
  for (let from = 0, to = 0; from < entities.length; from = to) {
    const lengths: number[] = [];
    for (let bytes = 0; to < entities.length; to++) {
      const length = Buffer.byteLength(entities[to]!.body);
      if (to > from && bytes + length > CHUNK_BYTES) break;
      bytes += length;
      lengths.push(length);
    }
    const chunk = entities.slice(from, to);
    const bodies = arrayOf(TEXT, lengths, (into, at, index) => into.write(chunk[index]!.body, at));
    chunks.push({ ...keyColumnsOf(chunk), bodies, count: chunk.length });
  }
  return chunks;
}

function keyColumnsOf(refs: readonly EntityRef[]): KeyColumns {
  const each = (length: number) => Array<number>(refs.length).fill(length);
  return {
    kinds: arrayOf(SMALLINT, each(2), (into, at, index) => into.writeInt16BE(kindNumber(refs[index]!), at)),
    hashes: arrayOf(UUID, each(HASH_BYTES), (into, at, index) => into.set(idHash(refs[index]!.id), at)),
  };
}

const LENGTH_BYTES = 4;
/** Number of dimensions, whether there are nulls, type, length and lower bound. */
const ARRAY_HEAD = 5 * LENGTH_BYTES;

/** An array as `array_recv` of Postgres reads it; `write` puts the bytes of the element `index` at `at`. */
function arrayOf(
  type: number,
  lengths: readonly number[],
  write: (into: Buffer, at: number, index: number) => unknown,
): Uint8Array<ArrayBuffer> {
  // Not of a pool of memory, as it moves.
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + LENGTH_BYTES + length, ARRAY_HEAD));
  const into = Buffer.from(bytes.buffer);
  [1, 0, type, lengths.length, 1].forEach((field, index) => into.writeInt32BE(field, index * LENGTH_BYTES));
  let at = ARRAY_HEAD;
  for (const [index, length] of lengths.entries()) {
    into.writeInt32BE(length, at);
    write(into, at + LENGTH_BYTES, index);
    at += LENGTH_BYTES + length;
  }
  return bytes;
}

function packRefs(refs: readonly EntityRef[]): PackedRefs {
  let end = 0;
  return {
    count: refs.length,
    joined: refs.map(({ id }) => id).join(''),
    ends: Uint32Array.from(refs, ({ id }) => (end += id.length)),
  };
}

function chunksOf<Item>(items: readonly Item[], length: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );
}

/** What stands for the columns of a statement that has no such items. */
export const NO_UPSERTS: UpsertColumns = {
  ...keyColumnsOf([]),
  bodies: arrayOf(TEXT, [], () => {}),
  count: 0,
};
export const NO_REMOVALS: RemovalColumns = { ...keyColumnsOf([]), isGiven: false, refs: packRefs([]) };
