import type { EntityKind } from '@platform/opinion-fusion';
import { KINDS, REFERENCES, type Entity, type KindSpec } from './kinds.ts';
import { itemsOf, keyOf } from './payload-change.ts';

/** An item that names another one by its id. */
export interface Referrer {
  readonly spec: KindSpec;
  readonly item: Entity;
}

/** The items of an investigation that refer to an item, in any of their fields and parts. Pure. */
export function referrersOf(payload: object, kind: EntityKind, id: string): Referrer[] {
  const key = keyOf({ kind, id });
  return KINDS.flatMap((spec) =>
    itemsOf(payload, spec.kind)
      .filter((item) => !(spec.kind === kind && item.id === id) && namedIn(item).includes(key))
      .map((item) => ({ spec, item })),
  );
}

interface Reference {
  /** Keys (`keyOf`) of the item that refers, and of the item that it refers to. */
  readonly from: string;
  readonly to: string;
  /** Names the reference by both of them. */
  readonly key: string;
}

/** The references of an investigation to items with some keys (`keyOf`). Pure. */
export function referencesTo(payload: object, keys: ReadonlySet<string>): Reference[] {
  if (keys.size === 0) return [];
  return KINDS.flatMap(({ kind }) =>
    itemsOf(payload, kind).flatMap((item) => {
      const named = namedIn(item).filter((to) => keys.has(to));
      const from = named.length === 0 ? '' : keyOf({ kind, id: item.id });
      return named.map((to) => ({ from, to, key: JSON.stringify([from, to]) }));
    }),
  );
}

/**
 * The items with some keys (`keyOf`) to which the other items of an investigation refer, and those to which
 * these do, and so on. References with the keys in `known` do not count. Pure.
 */
export function keptByReferences(
  payload: object,
  gone: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ReadonlySet<string> {
  const references = new Map<string, string[]>();
  for (const { from, to, key } of referencesTo(payload, gone))
    if (!known.has(key)) references.set(from, [...(references.get(from) ?? []), to]);
  const kept = new Set<string>();
  const queue = [...references.keys()].filter((key) => !gone.has(key));
  for (const from of queue) {
    for (const to of references.get(from) ?? []) {
      if (kept.has(to)) continue;
      kept.add(to);
      queue.push(to);
    }
  }
  return kept;
}

const keysNamed = new WeakMap<object, readonly string[]>();

/** Keys (`keyOf`) of the items that an item or a part of one names; worked out once for each. */
export function namedIn(part: Readonly<Record<string, unknown>>): readonly string[] {
  let keys = keysNamed.get(part);
  if (keys === undefined) {
    keys = Object.entries(part).flatMap(([name, value]): readonly string[] => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      const kind = REFERENCES[name];
      return values.flatMap((entry) => {
        if (typeof entry === 'object' && entry !== null) return namedIn(entry as Record<string, unknown>);
        return kind !== undefined && typeof entry === 'string' ? [keyOf({ kind, id: entry })] : [];
      });
    });
    keysNamed.set(part, keys);
  }
  return keys;
}
