import { DomainError } from '@platform/error-contracts';
import {
  canonicalWord,
  reliabilityPosterior,
  SOURCE_TYPES,
  SOURCES,
  type SourceType,
} from '@platform/opinion-fusion';
import type { z } from 'zod';
import { loadAuthorizedSession, sessionNotFound } from '../access/session-access.ts';
import { bytesOf, textOf } from '../model/text-pieces.ts';
import type { Operation } from '../ports.ts';
import { isForeignRecord, type SourceWithRecord } from '../model/written-record.ts';
import type { DeclaredReliabilities, StoredSourceRecord } from '../store/outcome-store.ts';
import {
  ListSourceRecords,
  type ApplySourceRecordsResponse,
  type SourceRecord,
} from '../wire/outcome-schema.ts';
import { readInput } from '../wire/read-input.ts';
import { applyChange } from './sessions.ts';
import { readableOutcomes } from './shared/readable-outcomes.ts';

/** How often sources were right, by the caller's own sessions unless `mine` is false; most first. */
export const listSourceRecords: Operation<z.output<typeof SourceRecord>[]> = async (
  deps,
  input,
  caller,
  { onNextPage },
) => {
  const { name_filter: nameFilter, mine, limit, cursor } = readInput(ListSourceRecords, input);
  const scope = await readableOutcomes(deps, caller, mine);
  const found = await deps.outcomes.sourceRecords(scope, { nameFilter, limit: limit + 1, offset: cursor });
  if (found.length > limit) onNextPage?.(cursor + limit);
  return found.slice(0, limit).map((record) => ({
    name: record.name,
    source_type: record.sourceType as z.output<typeof SourceRecord>['source_type'],
    statements: record.statements,
    right: record.right,
    declared_reliability: record.reliability,
    reliability: reliabilityOf(record),
    owners: ownersOf(record),
  }));
};

/** Largest list of sources that is read on the request thread. */
const ACTORS_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Sets the base_reliability of the session's sources by what is known of them, where that is enough, and puts
 * back what a record was written over before where it is not. Throws `payload_too_large` for a session with
 * too many sources.
 */
export const applySourceRecords: Operation<z.output<typeof ApplySourceRecordsResponse>> = async (
  deps,
  input,
  caller,
) => {
  const { session_id, statements_min, replace, mine } = await deps.inputs.read('apply_source_records', input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'update');
  const [list, scope, declared] = await Promise.all([
    deps.sessions.listEntities(ref, 'actors'),
    readableOutcomes(deps, caller, mine),
    deps.outcomes.declaredReliabilities(ref),
  ]);
  if (list === null) throw sessionNotFound();
  if (bytesOf(list) > ACTORS_BYTES_MAX)
    throw new DomainError(
      'payload_too_large',
      'the session has too many sources: set base_reliability of each',
    );
  const actors = JSON.parse(textOf(list)) as Actor[];
  const records = await deps.outcomes.recordsOf(
    scope,
    // Records have the canonical spelling, a session the one it was sent.
    actors.map(({ name, source_type: type }) => ({
      name,
      sourceType: canonicalWord(SOURCE_TYPES, type) ?? type,
    })),
  );
  const changes = actors.flatMap((actor, index) => {
    const record = records[index] ?? null;
    const before = actor.base_reliability ?? null;
    const isForeign = isForeignRecord(actor, declared.records);
    const stated = before === null ? undefined : statedBefore(actor, before, declared);
    const known = record !== null && record.statements >= statements_min ? record : null;
    const isReplaced = before === null || stated !== undefined || replace;
    const after = known !== null && isReplaced ? reliabilityOf(known).mean : stated;
    if (after === undefined || (after === before && !isForeign)) return [];
    return [{ actor, before, after, stated: stated === undefined ? before : stated, record: known }];
  });
  // First, so that a number that a record gave is never taken as declared.
  await deps.outcomes.noteApplied(
    ref,
    changes.flatMap(({ actor, before, after, stated, record }) =>
      record === null || after === null
        ? []
        : {
            actorId: actor.id,
            applied: after,
            declared: before === null ? usualReliability(actor) : declared.of(actor.id, before),
            isStated: stated !== null,
            right: record.right,
            statements: record.statements,
          },
    ),
  );
  if (changes.length > 0)
    await applyChange(deps, ref, {
      upserts: changes.map(({ actor, after, record }) => ({
        kind: 'actors',
        id: actor.id,
        body: JSON.stringify({
          ...actor,
          base_reliability: after ?? undefined,
          reliability_record:
            record === null || after === null
              ? undefined
              : { right: record.right, statements: record.statements, base_reliability: after },
        }),
      })),
    });
  const named = ({ actor: { id, name }, before }: (typeof changes)[number]) => ({
    actor_id: id,
    name,
    before,
  });
  return {
    session_id,
    applied: changes.flatMap((change) =>
      change.record === null
        ? []
        : {
            ...named(change),
            base_reliability: change.after!,
            statements: change.record.statements,
            right: change.record.right,
            owners: ownersOf(change.record),
          },
    ),
    put_back: changes
      .filter(({ record }) => record === null)
      .map((change) => ({ ...named(change), base_reliability: change.after })),
    kept: actors.length - changes.length,
  };
};

interface Actor extends SourceWithRecord {
  readonly name: string;
  readonly source_type: string;
  readonly base_reliability?: number | null;
}

/**
 * What the session had before a record gave `number`; null = none, undefined = the number is the session's
 * own. What stood before a number of a record that no register wrote is not known, so that it counts as none.
 */
function statedBefore(
  actor: Actor,
  number: number,
  declared: DeclaredReliabilities,
): number | null | undefined {
  const noted = declared.before(actor.id, number);
  const isOfForeign =
    isForeignRecord(actor, declared.records) && actor.reliability_record?.base_reliability === number;
  return noted === undefined && isOfForeign ? null : noted;
}

const usualReliability = ({ source_type: type }: Actor): number =>
  SOURCES[(canonicalWord(SOURCE_TYPES, type) ?? type) as SourceType].base;

function reliabilityOf({ reliability, right, statements }: StoredSourceRecord) {
  return reliabilityPosterior(reliability, { right, tested: statements });
}

const ownersOf = ({ owners }: StoredSourceRecord) =>
  owners.map(({ ownerId, ...counts }) => ({ owner_id: ownerId, ...counts }));
