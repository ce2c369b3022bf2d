import { setImmediate as nextTurn } from 'node:timers/promises';
import { ENTITY_KINDS } from '@platform/opinion-fusion';
import type { Entity, EntityRef } from '../model/entity.ts';
import { hashId } from './hash-id.ts';

/** Longest time that the columns of one list keep the event loop to themselves. Milliseconds. */
const SLICE_MS = 5;
/** Items between two looks at the clock. */
const STEP = 64;
/** Longest part of a text between two looks at the clock. UTF-16 code units. */
const PART_LENGTH = 16_384;

/**
 * Arrays for `unnest` as Postgres writes them: kinds, hashes of ids, and bodies of entities that have them.
 * Made in slices, and as text: the hundred thousand items of a full body would hold the event loop for a
 * second here, and the driver would put a text for each of them together for another.
 */
export async function columnsOf(entities: readonly Entity[]): Promise<[string, string, string]> {
  const [kinds, hashes] = await keyColumnsOf(entities);
  return [
    kinds,
    hashes,
    await arrayOf(entities, ({ body }) => (body.length <= PART_LENGTH ? quoted(body) : quotedInParts(body))),
  ];
}

/** The items by their keys in the table, each once. Made in slices, too: a key is a hash. */
export async function byStoredKey<Ref extends EntityRef>(
  entities: readonly Ref[],
): Promise<Map<string, Ref>> {
  const found = new Map<string, Ref>();
  await inSlices(entities, (entity) => void found.set(`${kindNumber(entity)} ${hashId(entity.id)}`, entity));
  return found;
}

/** The same without bodies. */
export async function keyColumnsOf(entities: readonly EntityRef[]): Promise<[string, string]> {
  return [
    await arrayOf(entities, (entity) => String(kindNumber(entity))),
    await arrayOf(entities, ({ id }) => hashId(id)),
  ];
}

/** Kinds are numbers in the tables. */
export function kindNumber({ kind }: EntityRef): number {
  return ENTITY_KINDS.indexOf(kind);
}

const escaped = (text: string) => text.replaceAll(/["\\]/g, String.raw`\$&`);
const quoted = (text: string) => `"${escaped(text)}"`;

/** One text may be as long as a whole body, and every one of its characters may need an escape. */
async function quotedInParts(text: string): Promise<string> {
  const parts: string[] = [];
  let from = performance.now();
  for (let at = 0; at < text.length; at += PART_LENGTH) {
    parts.push(escaped(text.slice(at, at + PART_LENGTH)));
    if (performance.now() - from < SLICE_MS) continue;
    await nextTurn();
    from = performance.now();
  }
  return `"${parts.join('')}"`;
}

async function arrayOf<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string | Promise<string>,
): Promise<string> {
  const texts: string[] = [];
  await inSlices(items, (item) => {
    const text = textOf(item);
    if (typeof text === 'string') return void texts.push(text);
    return text.then((made) => void texts.push(made));
  });
  return `{${texts.join()}}`;
}

/** Visits the items one after another and lets other requests in between. */
async function inSlices<Item>(
  items: readonly Item[],
  visit: (item: Item) => void | Promise<void>,
): Promise<void> {
  let from = performance.now();
  for (const [index, item] of items.entries()) {
    const visiting = visit(item);
    if (visiting !== undefined) await visiting;
    if (index % STEP !== STEP - 1 || performance.now() - from < SLICE_MS) continue;
    await nextTurn();
    from = performance.now();
  }
}
