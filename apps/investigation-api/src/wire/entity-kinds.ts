import type { EntityKind, ObjectName } from '@platform/opinion-fusion';
import { ENTITY_KINDS, OBJECTS } from '@platform/opinion-fusion';

/** The names that the interface gives the items of one list. */
export interface EntityFamily {
  /** The list in a payload and in paths. */
  readonly kind: EntityKind;
  /** One of its items, as in `upsert_investigation_claim` and as the key of an upsert. */
  readonly entity: string;
  /** The field that names one: `claim_id`. */
  readonly idField: string;
  /** The field of an update that names ids to remove. */
  readonly removalsField: string;
  readonly object: ObjectName;
}

/** The six lists of an investigation, named after the engine's objects: `ClaimInput` is a `claim`. */
export const ENTITY_FAMILIES: readonly EntityFamily[] = ENTITY_KINDS.map((kind) => {
  const object = OBJECTS.InvestigationInput[kind]!.of as ObjectName;
  const entity = object.replace(/Input$/, '').toLowerCase();
  return { kind, entity, idField: `${entity}_id`, removalsField: `remove_${entity}_ids`, object };
});
