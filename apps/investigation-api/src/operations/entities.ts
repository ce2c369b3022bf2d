import type { EntityKind } from '@platform/opinion-fusion';
import { DomainError } from '@platform/error-contracts';
import { z } from 'zod';
import type { EntityFamily } from '../wire/entity-kinds.ts';
import { ENTITY_FAMILIES } from '../wire/entity-kinds.ts';
import { JsonChunks } from '../wire/json-bytes.ts';
import { INPUT_SCHEMAS } from '../wire/investigation-schema.ts';
import type { Operation } from '../ports.ts';
import { readInput } from '../wire/read-input.ts';
import { sessionNotFound, loadAuthorizedSession } from '../access/session-access.ts';
import { SessionReference } from '../wire/session-schema.ts';
import { applyChange, storedWarnings } from './sessions.ts';
import { otherItemWarnings } from './shared/other-items.ts';
import { writtenRecords } from './shared/written-records.ts';

/** Beyond it a session is not read whole with each item that is put: it may be put item by item. Bytes. */
const CHECKED_BYTES_MAX = 1024 * 1024;
const NOT_CHECKED =
  'The session is too large to be checked with each item that is put: validate it before you judge it.';

/** The operations on the items of one list, and what they take. */
export interface EntityOperations extends EntityFamily {
  /** What the contract calls each operation. */
  readonly names: Readonly<Record<'list' | 'get' | 'upsert' | 'remove', string>>;
  /** Names one item: `{session_id, claim_id}`. */
  readonly Reference: z.ZodObject;
  /** `{session_id, claim: {…}}`. */
  readonly Upsert: z.ZodObject;
  /** One item as it was sent. Throws `not_found` when the list has none with the id. */
  readonly get: Operation<object>;
  /** All items, in the order of creation. */
  readonly list: Operation<object[]>;
  /**
   * Adds the item, or replaces the one with its id in its place; returns the item, and with it `warnings` of
   * what in it has no effect or keeps the session from being judged, where there is such a thing. In a
   * session of more than CHECKED_BYTES_MAX they are about its form alone, and say so.
   */
  readonly upsert: Operation<object>;
  /** Throws `not_found` when the list has none with the id. */
  readonly remove: Operation<null>;
}

/** The operations on each of the six lists by their names in the contract: list, get, upsert and remove. */
const NAMES: Readonly<Record<EntityKind, EntityOperations['names']>> = {
  actors: {
    list: 'list_investigation_actors',
    get: 'get_investigation_actor',
    upsert: 'upsert_investigation_actor',
    remove: 'delete_investigation_actor',
  },
  subjects: {
    list: 'list_investigation_subjects',
    get: 'get_investigation_subject',
    upsert: 'upsert_investigation_subject',
    remove: 'delete_investigation_subject',
  },
  claims: {
    list: 'list_investigation_claims',
    get: 'get_investigation_claim',
    upsert: 'upsert_investigation_claim',
    remove: 'delete_investigation_claim',
  },
  evidence: {
    list: 'list_investigation_evidence',
    get: 'get_investigation_evidence',
    upsert: 'upsert_investigation_evidence',
    remove: 'delete_investigation_evidence',
  },
  inferences: {
    list: 'list_investigation_inferences',
    get: 'get_investigation_inference',
    upsert: 'upsert_investigation_inference',
    remove: 'delete_investigation_inference',
  },
  distinctions: {
    list: 'list_investigation_distinctions',
    get: 'get_investigation_distinction',
    upsert: 'upsert_investigation_distinction',
    remove: 'delete_investigation_distinction',
  },
};

/** One row for each of the six lists. */
export const ENTITY_OPERATIONS: readonly EntityOperations[] = ENTITY_FAMILIES.map(operationsOn);

function operationsOn(family: EntityFamily): EntityOperations {
  const { kind, entity, idField, object } = family;
  const remedy = 'get_investigation_session with detail full shows those of the session';
  const noEntity = () => new DomainError('not_found', `no such ${entity} in the session`, { remedy });
  const Reference = SessionReference.extend({ [idField]: z.string().describe(`Id of the ${entity}.`) });
  const readReference = (input: unknown) => {
    const reference = readInput(Reference, input) as Record<string, string> & { session_id: string };
    return { session_id: reference.session_id, id: reference[idField]! };
  };

  return {
    ...family,
    names: NAMES[kind],
    Reference,
    Upsert: SessionReference.extend({
      [entity]: INPUT_SCHEMAS[object].describe('Its id is the key: the item with this id is replaced.'),
    }),

    async get(deps, input, caller) {
      const { session_id, id } = readReference(input);
      const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
      const found = await deps.sessions.readEntity(ref, { kind, id });
      if (found === 'no_session') throw sessionNotFound();
      if (found === 'no_entity') throw noEntity();
      return new JsonChunks(found.body);
    },

    async list(deps, input, caller) {
      const { session_id } = readInput(SessionReference, input);
      const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
      const items = await deps.sessions.listEntities(ref, kind);
      if (items === null) throw sessionNotFound();
      return new JsonChunks(items);
    },

    async upsert(deps, input, caller) {
      const records = kind === 'actors' ? await writtenRecords(deps, caller, input) : [];
      const { session_id, shown, warnings, item, ...change } = await deps.inputs.read(
        'upsert_entity',
        input,
        family,
        records,
      );
      const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'update');
      const { payloadBytes, changed } = await applyChange(deps, ref, change);
      const isTooLarge = payloadBytes > CHECKED_BYTES_MAX;
      const others = otherItemWarnings(changed);
      const all = [
        ...warnings,
        ...others,
        ...(isTooLarge ? [NOT_CHECKED] : await storedWarnings(deps, ref, item)),
      ];
      return Buffer.from(
        all.length === 0 ? shown : `${shown.slice(0, -1)},"warnings":${JSON.stringify(all)}}`,
      );
    },

    async remove(deps, input, caller) {
      const { session_id, id } = readReference(input);
      const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'update');
      const outcome = await deps.sessions.deleteEntity(ref, { kind, id }, deps.now());
      if (outcome === 'no_session') throw sessionNotFound();
      if (outcome === 'no_entity') throw noEntity();
      return null;
    },
  };
}
