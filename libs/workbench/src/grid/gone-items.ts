import type { EntityKind } from '@platform/opinion-fusion';
import { itemOf } from '../edit/edits.ts';
import { REFERENCES, type Entity } from '../edit/kinds.ts';

/** What a cell of a claim is to name that is there. */
const NAMED: Readonly<Record<string, { readonly kind: EntityKind; readonly one: string }>> = {
  actor_id: { kind: REFERENCES['actor_id']!, one: 'source' },
  subject_id: { kind: REFERENCES['subject_id']!, one: 'subject' },
};

/** Claims whose source, or whose subject, was removed. */
export interface GoneItem {
  readonly field: string;
  readonly kind: EntityKind;
  readonly one: string;
  /** Of what is gone. */
  readonly id: string;
  readonly claims: readonly Entity[];
}

/** What is wrong with a cell whose source or subject is not there; undefined for nothing. Pure. */
export function goneWords(payload: object, claim: Entity, field: string): string | undefined {
  const named = NAMED[field];
  const id = claim[field];
  if (named === undefined || typeof id !== 'string' || id === '') return undefined;
  return itemOf(payload, { kind: named.kind, id }) === null
    ? `is a ${named.one} that is not there any more`
    : undefined;
}

/** The sources and subjects that claims name and that are not there, in the order of the claims. Pure. */
export function goneItems(payload: object, claims: readonly Entity[]): GoneItem[] {
  return Object.entries(NAMED).flatMap(([field, { kind, one }]) => {
    const byId = new Map<string, Entity[]>();
    for (const claim of claims) {
      if (goneWords(payload, claim, field) === undefined) continue;
      const id = String(claim[field]);
      byId.set(id, [...(byId.get(id) ?? []), claim]);
    }
    return [...byId].map(([id, of]) => ({ field, kind, one, id, claims: of }));
  });
}
