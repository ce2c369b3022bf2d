import { OBJECTS } from '@platform/opinion-fusion';
import { KINDS, type Entity } from './kinds.ts';

type Payload = Readonly<Record<string, unknown>>;

/**
 * The update (UpdateSessionRequest) that turns one investigation into another: the fields and items that
 * differ, and the ids of removed items.
 */
export function payloadChange(before: Payload, after: Payload): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const { kind, removalsField } of KINDS) {
    const old = new Map(itemsOf(before, kind).map((item) => [item.id, JSON.stringify(item)]));
    const items = itemsOf(after, kind);
    const changed = items.filter((item) => old.get(item.id) !== JSON.stringify(item));
    for (const { id } of items) old.delete(id);
    if (changed.length > 0) change[kind] = changed;
    if (old.size > 0) change[removalsField] = [...old.keys()];
  }
  for (const [name, field] of Object.entries(OBJECTS.InvestigationInput)) {
    if (field.kind === 'list' || before[name] === after[name]) continue;
    change[name] = after[name] ?? (field.nullable ? null : field.default);
  }
  return change;
}

/** The items of one list, none when it is absent. */
export function itemsOf(payload: object, kind: string): readonly Entity[] {
  return ((payload as Payload)[kind] as readonly Entity[] | null | undefined) ?? [];
}
