import type { EntityKind } from '@platform/opinion-fusion';
import { KINDS, REFERENCES, type Entity, type KindSpec } from './kinds.ts';
import { itemsOf } from './payload-change.ts';

/** An item that names another one by its id. */
export interface Referrer {
  readonly spec: KindSpec;
  readonly item: Entity;
}

/** The items of an investigation that refer to an item, in any of their fields and parts. Pure. */
export function referrersOf(payload: object, kind: EntityKind, id: string): Referrer[] {
  return KINDS.flatMap((spec) =>
    itemsOf(payload, spec.kind)
      .filter((item) => !(spec.kind === kind && item.id === id) && refersTo(item, kind, id))
      .map((item) => ({ spec, item })),
  );
}

function refersTo(part: Readonly<Record<string, unknown>>, kind: EntityKind, id: string): boolean {
  return Object.entries(part).some(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (REFERENCES[name] === kind) return values.includes(id);
    return values.some(
      (entry) =>
        typeof entry === 'object' && entry !== null && refersTo(entry as Record<string, unknown>, kind, id),
    );
  });
}
