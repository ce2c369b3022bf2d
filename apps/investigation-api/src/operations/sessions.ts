import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import { workFor } from '../access/caller.ts';
import {
  loadAuthorizedSession,
  loadPayload,
  requireTenant,
  sessionNotFound,
} from '../access/session-access.ts';
import { withDeadline } from '../engine/with-deadline.ts';
import type { Operation, SessionDeps } from '../ports.ts';
import type { EntityRef } from '../model/entity.ts';
import type { SessionChange, SessionRef, SessionUpdated } from '../store/session-store.ts';
import { ownerNames } from './shared/owner-names.ts';
import { cutParts } from './shared/cut-parts.ts';
import { listedAnswers } from './shared/listed-answers.ts';
import { instant } from './shared/instant.ts';
import { writtenRecords } from './shared/written-records.ts';
import { otherItemWarnings } from './shared/other-items.ts';
import { readablePage } from './shared/readable-page.ts';
import { interpretationFieldsOf } from '../wire/interpretation-fields.ts';
import { jsonObject, JsonPart } from '../wire/json-bytes.ts';
import { unpackJson } from '../wire/packed-json.ts';
import { presentationOf } from '../wire/presentation.ts';
import { readInput } from '../wire/read-input.ts';
import { unknownFieldWarnings } from '../wire/unknown-fields.ts';
import type {
  CreateSessionResponse,
  SessionMeta,
  SessionResponse,
  UpdateSessionStatus,
  ValidationResponse,
} from '../wire/session-schema.ts';
import {
  CreateSessionRequest,
  ListSessions,
  SessionReference,
  UpdateSessionRequest,
} from '../wire/session-schema.ts';

/**
 * Makes a session that the caller owns; the response warns as that of an update does. Throws `conflict` when
 * the tenant has a session with the id, no matter who owns it.
 */
export const createInvestigationSession: Operation<z.output<typeof CreateSessionResponse>> = async (
  deps,
  input,
  caller,
) => {
  const tenantId = requireTenant(caller);
  const { session_id, name, settings, entities, unknownFields, warnings } = await deps.inputs.read(
    'create_session',
    input,
  );
  const sessionId = session_id ?? deps.newId();
  const ref = { tenantId, sessionId };
  const outcome = await deps.sessions.create({
    ref,
    ownerId: caller.id,
    name,
    settings,
    entities,
    now: deps.now(),
  });
  if (outcome === 'taken') throw new DomainError('conflict', 'a session with this session_id exists already');
  return {
    session_id: sessionId,
    warnings: [
      ...unknownFieldWarnings(unknownFields, Object.keys(CreateSessionRequest.shape)),
      ...new Set([...warnings, ...(await storedWarnings(deps, ref))]),
    ],
  };
};

/**
 * The caller's own sessions, and those of colleagues that they are invited to or that a policy lets them
 * read. A page may be short and still have a next one, which `onNextPage` is told. Throws `rate_limited` and
 * `unavailable`.
 */
export const listInvestigationSessions: Operation<z.output<typeof SessionMeta>[]> = async (
  deps,
  input,
  caller,
  { onNextPage, signal },
) => {
  const tenantId = requireTenant(caller);
  const { has_result, limit, offset, mine, cursor, name_filter, sort, updated_after, updated_before } =
    readInput(ListSessions, input);
  const { sessions, next } = await readablePage(deps, caller, mine, {
    tenantId,
    hasResult: has_result,
    nameFilter: name_filter,
    sort,
    updatedAfter: instant('updated_after', updated_after),
    updatedBefore: instant('updated_before', updated_before),
    limit,
    offset,
    cursor: cursor ?? 0,
  });
  if (next !== null) onNextPage?.(next);
  const [answers, nameOf] = await Promise.all([
    listedAnswers(deps, caller, sessions, { signal }),
    ownerNames(deps, caller, sessions),
  ]);
  return sessions.map(
    ({ sessionId, name, createdAt, updatedAt, judgedAt, claimCount, ...session }, index) => ({
      id: sessionId,
      name,
      owner_id: session.ownerId,
      owner_name: nameOf(session),
      role: session.ownerId === caller.id ? 'owner' : session.role,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
      judged_at: judgedAt?.toISOString() ?? null,
      claim_count: claimCount,
      leading_answer: answers[index]!,
    }),
  );
};

/**
 * A session with its payload, its last result and the words of its share. Throws `rate_limited` and
 * `unavailable` besides.
 */
export const getInvestigationSession: Operation<z.output<typeof SessionResponse>> = async (
  deps,
  input,
  caller,
  { part, signal },
) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref, role } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const [stored, share] = await Promise.all([deps.sessions.readSession(ref), deps.sessions.readShare(ref)]);
  if (stored === null || share === 'no_session') throw sessionNotFound();
  const { head, version, payload, lastResult } = stored;
  const nameOf = await ownerNames(deps, caller, [head]);
  const resultText = lastResult === null ? null : await unpackJson(lastResult);
  const parts = part && (await cutParts(deps, { resultText, payload }, part, caller, signal));
  return jsonObject<z.output<typeof SessionResponse>>({
    session_id,
    name: head.name,
    owner_id: head.ownerId,
    owner_name: nameOf(head),
    role,
    ...((parts ? parts.outline : { payload: new JsonPart(payload) }) as { payload: JsonPart }),
    version,
    created_at: head.createdAt.toISOString(),
    updated_at: head.updatedAt.toISOString(),
    ...interpretationFieldsOf(head),
    judged_at: head.judgedAt?.toISOString() ?? null,
    has_share: share !== 'no_share',
    presentation: presentationOf(share),
    last_result: parts ? parts.result : resultText && new JsonPart(resultText),
  });
};

/**
 * Merges items into the lists of a session, sets its scalars and its name, then removes what is to go: all at
 * once, also when other updates run at the same time. The response warns of what had no effect and of what
 * would keep the session from being judged; neither is refused, because a session may be built in any order.
 */
export const updateInvestigationSession: Operation<z.output<typeof UpdateSessionStatus>> = async (
  deps,
  input,
  caller,
) => {
  const records = await writtenRecords(deps, caller, input);
  const { session_id, unknownFields, warnings, ...change } = await deps.inputs.read(
    'update_session',
    input,
    undefined,
    records,
  );
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'update');
  const updated = await applyChange(deps, ref, change);
  const { added, replaced, removed, missing, missingCount, version, changed } = updated;
  return {
    session_id,
    status: 'updated',
    added,
    replaced,
    removed,
    version,
    warnings: [
      ...unknownFieldWarnings(unknownFields, Object.keys(UpdateSessionRequest.shape)),
      ...warnings,
      ...otherItemWarnings(changed),
      ...missingItemWarnings(missing, missingCount),
      ...(await storedWarnings(deps, ref)),
    ],
  };
};

/**
 * Returns the errors and warnings that judging the session would give, and keeps nothing. Throws
 * `deadline_exceeded`, `payload_too_large`, `unavailable`, `internal`.
 */
export const validateInvestigationSession: Operation<z.output<typeof ValidationResponse>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id } = await deps.inputs.read('validate_session', input);
  const { payload } = await loadPayload(deps, caller, session_id, 'read');
  return withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.validate(payload, {
      now: deps.now(),
      asValue: options.asValue,
      signal,
      ...workFor(caller),
    }),
  );
};

/** Removes a session with its judgements, and ends its share. */
export const deleteInvestigationSession: Operation<null> = async (deps, input, caller) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'delete');
  if (!(await deps.sessions.deleteSession(ref))) throw sessionNotFound();
  return null;
};

/**
 * Writes a change. Throws `payload_too_large` when the investigation would outgrow what a request may carry,
 * and `conflict` when the session has another version than the change names.
 */
export async function applyChange(
  deps: SessionDeps,
  ref: SessionRef,
  change: Omit<SessionChange, 'now' | 'payloadBytesMax'>,
): Promise<SessionUpdated> {
  const { bodyBytesMax: payloadBytesMax } = deps.config;
  const outcome = await deps.sessions.update(ref, { ...change, payloadBytesMax, now: deps.now() });
  if (outcome === 'no_session') throw sessionNotFound();
  if (outcome === 'conflict')
    throw new DomainError('conflict', 'the session was changed since the version in expected_version', {
      remedy: 'get_investigation_session gives its contents and version as they are now',
    });
  if (outcome === 'too_large') {
    throw new DomainError(
      'payload_too_large',
      `the session's investigation would be larger than ${payloadBytesMax} bytes`,
    );
  }
  return outcome;
}

/**
 * What judging the session as it is stored would refuse, or warn of without weighing anything; with `item`
 * what is about that item and more than its form.
 */
export async function storedWarnings(
  deps: SessionDeps,
  ref: SessionRef,
  item?: EntityRef,
): Promise<string[]> {
  const payload = await deps.sessions.readPayload(ref);
  return payload === null ? [] : deps.inputs.checkPayload(payload, deps.now(), item);
}

function missingItemWarnings(missing: readonly EntityRef[], count: number): string[] {
  if (count === 0) return [];
  const named = missing.map(({ kind, id }) => `${kind} \`${id}\``);
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  return [`Nothing to remove: the session has no ${named.join(', ')}${more}.`];
}
