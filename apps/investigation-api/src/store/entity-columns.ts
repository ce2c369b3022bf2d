import { setImmediate as nextTurn } from 'node:timers/promises';
import { ENTITY_KINDS } from '@platform/opinion-fusion';
import type { Entity, EntityRef } from '../model/entity.ts';
import { hashId } from './hash-id.ts';

/** Longest time that the columns of one list keep the event loop to themselves. Milliseconds. */
const SLICE_MS = 5;
/** Items between two looks at the clock. */
const STEP = 64;

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
    await arrayOf(entities, ({ body }) => `"${body.replaceAll(/["\\]/g, String.raw`\$&`)}"`),
  ];
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

async function arrayOf<Item>(items: readonly Item[], textOf: (item: Item) => string): Promise<string> {
  const texts: string[] = [];
  let from = performance.now();
  for (const item of items) {
    texts.push(textOf(item));
    if (texts.length % STEP !== 0 || performance.now() - from < SLICE_MS) continue;
    await nextTurn();
    from = performance.now();
  }
  return `{${texts.join()}}`;
}
