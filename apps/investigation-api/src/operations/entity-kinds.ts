import type { ObjectName } from '@platform/opinion-fusion';
import type { EntityKind } from '../store/session-store.ts';

/** What the interface calls the items of one list. */
export interface EntityFamily {
  /** The list in a payload and in paths. */
  readonly kind: EntityKind;
  /** One of its items, as in `upsert_investigation_claim` and as the key of an upsert. */
  readonly entity: string;
  /** The field that names one: `claim_id`. */
  readonly idField: string;
  /** Of an update. */
  readonly removalsField: string;
  readonly object: ObjectName;
}

const family = (kind: EntityKind, entity: string, object: ObjectName): EntityFamily => ({
  kind,
  entity,
  idField: `${entity}_id`,
  removalsField: `remove_${entity}_ids`,
  object,
});

/** The six lists of an investigation. */
export const ENTITY_FAMILIES: readonly EntityFamily[] = [
  family('actors', 'actor', 'ActorInput'),
  family('subjects', 'subject', 'SubjectInput'),
  family('claims', 'claim', 'ClaimInput'),
  family('evidence', 'evidence', 'EvidenceInput'),
  family('inferences', 'inference', 'InferenceInput'),
  family('distinctions', 'distinction', 'DistinctionInput'),
];
