import { DomainError } from '@platform/error-contracts';
import { readApart, whereSaid, type OutcomePlace } from '@platform/opinion-fusion';
import type { z } from 'zod';
import { workFor, type Caller } from '../access/caller.ts';
import { loadAuthorizedSession, sessionNotFound } from '../access/session-access.ts';
import { withDeadline } from '../engine/with-deadline.ts';
import type { Operation, SessionDeps } from '../ports.ts';
import { hashId } from '../store/hash-id.ts';
import type { Outcome, StoredForecast } from '../store/outcome-store.ts';
import type { SessionRef } from '../store/session-store.ts';
import { ListOutcomes, OutcomeReference, type OutcomeResponse } from '../wire/outcome-schema.ts';
import { readInput, refuse } from '../wire/read-input.ts';
import { instant } from './shared/instant.ts';

type OutcomeView = z.output<typeof OutcomeResponse>;

/** What outcomes lack that were recorded before they had a scope and time. */
const UNPLACED = { scope: null, event_start_time: null, event_end_time: null };
const UNCOUNTED = { ...UNPLACED, claims_elsewhere: null };

/**
 * Records what turned out to be true of a question, in the place of an earlier outcome of it, with what the
 * last judgement before had said. Throws `not_found`, naming the questions there are, where the session has
 * been judged and never had the question.
 */
export const recordOutcome: Operation<OutcomeView> = async (deps, input, caller, options) => {
  const { session_id, known_at, ...outcome } = await deps.inputs.read('record_outcome', input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'update');
  const recordedAt = deps.now();
  const since = instant('known_at', known_at) ?? recordedAt;
  if (since > recordedAt)
    throw new DomainError(
      'unprocessable',
      'known_at: lies in the future; record the outcome once it is known',
    );
  const { scope = null, event_start_time = null, event_end_time = null } = outcome;
  const place = { scope, event_start_time, event_end_time };
  const from = instant('event_start_time', event_start_time);
  const to = instant('event_end_time', event_end_time);
  if (from && to && from >= to) throw refuse(['event_start_time: must be before event_end_time']);
  // A day counts to its end: what is entered as known since today was judged earlier today.
  const end = instant('known_at', known_at, 'end') ?? recordedAt;
  const knownAt = end < recordedAt ? end : recordedAt;
  const forecast = await forecastBefore(deps, caller, ref, { ...outcome, place, knownAt }, options.signal);
  const { subject_id, predicate, value, note = null, url = null } = outcome;
  // An outcome of one scope or time leaves that of another one.
  const isPlaced = Object.values(place).some((field) => field !== null);
  const kept = {
    id: hashId(JSON.stringify([subject_id, predicate, ...(isPlaced ? Object.values(place) : [])])),
    body: JSON.stringify({ subject_id, predicate, value, ...place, recorded_by: caller.id, note, url }),
    knownAt,
    recordedAt,
  };
  if ((await deps.outcomes.putOutcome(ref, { ...kept, forecast })) === 'no_session') throw sessionNotFound();
  const stored = { ...kept, forecast: forecast?.text ?? null };
  return toResponse(session_id, stored, await firstJudgementFor(deps, ref, [stored]));
};

/** Outcomes of a session, the last recorded first. */
export const listOutcomes: Operation<OutcomeView[]> = async (deps, input, caller, { onNextPage }) => {
  const { session_id, limit, cursor } = readInput(ListOutcomes, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const found = await deps.outcomes.listOutcomes(ref, { limit: limit + 1, offset: cursor });
  if (found.length > limit) onNextPage?.(cursor + limit);
  const page = found.slice(0, limit);
  const firstJudgedAt = await firstJudgementFor(deps, ref, page);
  return page.map((outcome) => toResponse(session_id, outcome, firstJudgedAt));
};

/** Removes an outcome, and what it taught. Throws `not_found` when the session has none with the id. */
export const deleteOutcome: Operation<null> = async (deps, input, caller) => {
  const { session_id, outcome_id } = readInput(OutcomeReference, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'update');
  if (!(await deps.outcomes.deleteOutcome(ref, outcome_id)))
    throw new DomainError('not_found', 'no such outcome of the session', {
      remedy: 'list_outcomes lists those of the session',
    });
  return null;
};

/**
 * What the last judgement before an outcome was known had said about its question; null without one, and
 * where it named no value.
 */
async function forecastBefore(
  deps: SessionDeps,
  caller: Caller,
  ref: SessionRef,
  outcome: { subject_id: string; predicate: string; value: string; place: OutcomePlace; knownAt: Date },
  clientSignal: AbortSignal,
): Promise<StoredForecast | null> {
  const judgements = await deps.sessions.listJudgements(ref);
  if (judgements === null) throw sessionNotFound();
  const before = judgements.find(({ judgedAt }) => judgedAt <= outcome.knownAt);
  if (before === undefined) return null;
  const judgement = await deps.sessions.readJudgement(ref, before.id);
  if (typeof judgement === 'string') throw sessionNotFound();
  const { inputSnapshot, result, judgedAt, id } = judgement;
  const { subject_id: subjectId, predicate, value, place } = outcome;
  const forecast = await withDeadline(deps.config.analysisTimeoutMs, clientSignal, (signal) =>
    deps.analysis.forecast(
      { inputSnapshot, result, judgedAtMs: judgedAt.getTime(), subjectId, predicate, value, place },
      { signal, ...workFor(caller) },
    ),
  );
  if (forecast === null) return null;
  const declared = await deps.outcomes.declaredReliabilities(ref);
  const { domain, statements, ...said } = forecast;
  const right = statements.filter(({ was_right }) => was_right).length;
  return {
    text: JSON.stringify({
      judgement_id: id,
      judged_at: judgedAt.toISOString(),
      ...said,
      sources_right: right,
      sources_wrong: statements.length - right,
    }),
    // A tie is no forecast of any value: it counts in no score.
    chance: said.was_right === null ? null : said.chance,
    wasRight: said.was_right,
    domain,
    statements: statements.map(({ actor_id, name, source_type, reliability, was_right }) => ({
      name,
      sourceType: source_type,
      // A record that was applied is no declaration: it would count the same statements again.
      reliability: declared.of(actor_id, reliability),
      wasRight: was_right,
    })),
  };
}

/** When the session was judged first; null = it never was, or all these outcomes are scored. */
async function firstJudgementFor(
  deps: SessionDeps,
  ref: SessionRef,
  outcomes: readonly Outcome[],
): Promise<Date | null> {
  if (outcomes.every(({ forecast }) => forecast !== null)) return null;
  return (await deps.sessions.listJudgements(ref))?.at(-1)?.judgedAt ?? null;
}

function toResponse(
  session_id: string,
  { id, body, knownAt, recordedAt, forecast }: Outcome,
  firstJudgedAt: Date | null,
): OutcomeView {
  const { subject_id, predicate, value, scope, event_start_time, event_end_time, recorded_by, note, url } = {
    ...UNPLACED,
    ...(JSON.parse(body) as OutcomeView),
  };
  const said =
    forecast === null
      ? null
      : {
          ...UNCOUNTED,
          ...(JSON.parse(forecast) as NonNullable<OutcomeView['forecast']>),
        };
  return {
    id,
    session_id,
    subject_id,
    predicate,
    value,
    scope,
    event_start_time,
    event_end_time,
    known_at: knownAt.toISOString(),
    recorded_at: recordedAt.toISOString(),
    recorded_by,
    note,
    url,
    forecast: said,
    caution:
      said === null
        ? unscored(knownAt, firstJudgedAt)
        : [
            said.tied ? TIED : null,
            elsewhere(said),
            said.leading_value === null ? null : readApart(value, said.leading_value),
          ]
            .filter((sentence) => sentence !== null)
            .join(' ') || null,
  };
}

const TIED =
  'Several values were tied and none led, so this outcome counts for the records of its sources, and in no score of judgements.';

/** What claims are left out where an outcome does not say which of several scopes and times it is about. */
function elsewhere({
  claims_elsewhere: count,
  ...place
}: NonNullable<OutcomeView['forecast']>): string | null {
  if (!count) return null;
  const scored = whereSaid(place);
  return `Only what was said ${scored === '' ? 'without a scope or time' : `\`${scored}\``} was scored; ${count === 1 ? '1 claim on the question is' : `${count} claims on the question are`} of another scope or time. If the outcome is about that, delete it and record it with scope, event_start_time or event_end_time.`;
}

const NOT_COMPARED =
  'The judgement named no value to compare the outcome with, so it counts nowhere: nothing had weight, inferences alone spoke, or a rating such as Misleading led, which is neither right nor wrong where the outcome is yes or no.';

/** Why an outcome counts nowhere. */
function unscored(knownAt: Date, firstJudgedAt: Date | null): string {
  if (firstJudgedAt === null) return 'The investigation had not been judged, so this outcome counts nowhere.';
  if (firstJudgedAt <= knownAt) return NOT_COMPARED;
  return `It was known at ${knownAt.toISOString()}, before the first judgement at ${firstJudgedAt.toISOString()}, so this outcome counts nowhere.`;
}
