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
import type { StoredSourceRecord } from '../store/outcome-store.ts';
import {
  ListSourceRecords,
  type ApplySourceRecordsResponse,
  type SourceRecord,
} from '../wire/outcome-schema.ts';
import { readInput } from '../wire/read-input.ts';
import { applyChange } from './sessions.ts';
import { readableOutcomes } from './shared/readable-outcomes.ts';

/** How often sources were right, by the sessions that the caller may read; most statements first. */
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
  }));
};

/** Largest list of sources that is read on the request thread. */
const ACTORS_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Sets the base_reliability of the session's sources by what is known of them, where that is enough. Throws
 * `payload_too_large` for a session with too many sources.
 */
export const applySourceRecords: Operation<z.output<typeof ApplySourceRecordsResponse>> = async (
  deps,
  input,
  caller,
) => {
  const { session_id, statements_min, replace } = await deps.inputs.read('apply_source_records', input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'update');
  const [list, scope, declared] = await Promise.all([
    deps.sessions.listEntities(ref, 'actors'),
    readableOutcomes(deps, caller, false),
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
  const applied = actors.flatMap((actor, index) => {
    const record = records[index] ?? null;
    const before = actor.base_reliability ?? null;
    if (record === null || record.statements < statements_min || (before !== null && !replace)) return [];
    return [{ actor, before, base_reliability: reliabilityOf(record).mean, statements: record.statements }];
  });
  // First, so that a number that a record gave is never taken as declared.
  await deps.outcomes.noteApplied(
    ref,
    applied.map(({ actor, before, base_reliability }) => ({
      actorId: actor.id,
      applied: base_reliability,
      declared: before === null ? usualReliability(actor) : declared.of(actor.id, before),
    })),
  );
  if (applied.length > 0)
    await applyChange(deps, ref, {
      upserts: applied.map(({ actor, base_reliability }) => ({
        kind: 'actors',
        id: actor.id,
        body: JSON.stringify({ ...actor, base_reliability }),
      })),
    });
  return {
    session_id,
    applied: applied.map(({ actor: { id, name }, ...change }) => ({ actor_id: id, name, ...change })),
    kept: actors.length - applied.length,
  };
};

interface Actor {
  readonly id: string;
  readonly name: string;
  readonly source_type: string;
  readonly base_reliability?: number | null;
}

const usualReliability = ({ source_type: type }: Actor): number =>
  SOURCES[(canonicalWord(SOURCE_TYPES, type) ?? type) as SourceType].base;

function reliabilityOf({ reliability, right, statements }: StoredSourceRecord) {
  return reliabilityPosterior(reliability, { right, tested: statements });
}
