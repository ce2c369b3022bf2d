import { AuthzError, DomainError } from '@platform/error-contracts';
import type { DecisionPlan, StateReader } from '../authorization/decision-runner.ts';
import { tenantTake, userTakes, type Caller } from '../authorization/caller.ts';
import { CHECK_RATE, failCheck, leavesRow, refusedCheck, type Arrival } from '../audit/call-record.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import type { Deps } from '../ports.ts';
import { isDenied } from '../policy/is-denied.ts';
import type { RequestContext, Step } from '../policy/types.ts';
import {
  attempt,
  callOfChecks,
  decideCheck,
  evaluateInSteps,
  readCheckCaller,
  readChecks,
  runChecks,
  shadow,
  type CheckDecision,
  type ReadCheck,
} from './check-authorization.ts';
import { readCheckContext, type CheckContext } from '../policy/check-context.ts';
import type { SubjectState, TenantState } from '../model/entities.ts';
import { runInTimeSlices, stopIfGone } from '../time-slices.ts';

export const BATCH_CHECKS_MAX = 1_000;

/** An item's decision, or the error it would have had alone. */
export type BatchItem = BatchDecision | DomainError;

export interface BatchDecision extends CheckDecision {
  /** Whether a policy denies it or one could not be evaluated, instead of none allowing it. */
  readonly isDenied: boolean;
}

/**
 * Decides up to 1,000 checks, each at its index; an item's error, one it came with included, never fails the
 * batch. The batch is one request to the rate limit, and one call of data_plane and user_plane for every item
 * that is decided: all of them or none. With `until`, nothing is decided after the first item whose decision
 * that is, an error's being false, and the decisions end with it. Every item is on record when this returns,
 * and the call is when it is refused as a whole: an error in the place of the contexts is why there are
 * none. Once the caller is gone no more items are decided and none is on record, unless all were being
 * recorded by then; their calls stay taken. Throws TOKEN_INVALID, TENANT_REQUIRED, DOMAIN_NOT_ACCESSIBLE (of
 * the tenant), INVALID_ARGUMENT, limits, `request_timeout`.
 */
export async function batchCheckAuthorization(
  deps: Pick<Deps, 'decisions' | 'audit' | 'now' | 'newCheckId' | 'shadows'>,
  caller: Caller,
  contexts: readonly (RequestContext | DomainError)[] | DomainError,
  arrival: Arrival,
  until?: boolean,
): Promise<BatchItem[]> {
  try {
    if (contexts instanceof DomainError) throw contexts;
    return await checkAll(deps, caller, contexts, arrival, until);
  } catch (error) {
    return failCheck(deps, caller, error, null, arrival);
  }
}

async function checkAll(
  deps: Pick<Deps, 'decisions' | 'audit' | 'now' | 'newCheckId' | 'shadows'>,
  caller: Caller,
  contexts: readonly (RequestContext | DomainError)[],
  arrival: Arrival,
  until: boolean | undefined,
): Promise<BatchItem[]> {
  if (contexts.length > BATCH_CHECKS_MAX) {
    throw new AuthzError('INVALID_ARGUMENT', `more than ${BATCH_CHECKS_MAX} checks`, { field: 'checks' });
  }
  const parsed = await runInTimeSlices(readContexts(contexts), arrival);
  const readable = parsed.filter((context): context is CheckContext => !(context instanceof DomainError));
  const whole = until === undefined;
  const read = await runChecks(
    deps,
    caller,
    readable,
    (reading): DecisionPlan<(ReadCheck | DomainError)[]> => {
      const { subject, tenant } = readCheckCaller(reading, caller, callOfChecks(caller, readable));
      const result = readChecks(reading, tenant, parsed);
      const rates = result.length === 0 ? [] : [{ key: tenant.id, ...CHECK_RATE }];
      return { result, rates, quotas: whole ? takesOf(reading, subject, tenant, result) : [] };
    },
  );
  const asked = whole ? read : await runInTimeSlices(upTo(read, until), arrival);
  if (!whole) {
    await deps.decisions.runDecision((reading): DecisionPlan<null> => {
      const { subject, tenant } = readCheckCaller(reading, caller, callOfChecks(caller, readable));
      return { result: null, quotas: takesOf(reading, subject, tenant, asked) };
    });
  }
  const events: AuditEvent[] = [];
  const decided: [ReadCheck, AuditEvent][] = [];
  const items = await runInTimeSlices(decideAll(), arrival);
  stopIfGone(arrival);
  if (events.length > 0) await deps.audit.record(events, arrival.traceparent);
  for (const [check, event] of decided) shadow(deps, check, event);
  return items;

  function* decideAll(): Generator<Step, BatchItem[]> {
    const answers: BatchItem[] = [];
    for (const [index, item] of asked.entries()) {
      if (item instanceof DomainError) {
        const values = contexts[index];
        const sent = values === undefined || values instanceof DomainError ? null : values;
        if (leavesRow(item)) events.push(refusedCheck(deps, caller, item, sent, arrival));
        answers.push(item);
      } else {
        const decision = yield* evaluateInSteps(item);
        const event = decideCheck(deps, caller, item, arrival.startedAt, decision);
        events.push(event);
        if (item.shadows.length > 0) decided.push([item, event]);
        answers.push({ authorized: decision.allowed, isDenied: isDenied(decision), checkId: event.id });
      }
      yield;
    }
    return answers;
  }
}

function* readContexts(
  contexts: readonly (RequestContext | DomainError)[],
): Generator<void, (CheckContext | DomainError)[]> {
  const read: (CheckContext | DomainError)[] = [];
  for (const values of contexts) {
    read.push(values instanceof DomainError ? values : attempt(readCheckContext, values));
    yield;
  }
  return read;
}

type Takes = NonNullable<DecisionPlan<unknown>['quotas']>;

/** One call of data_plane and user_plane for every item that is decided. */
function takesOf(
  reading: StateReader,
  subject: SubjectState,
  tenant: TenantState,
  items: readonly (ReadCheck | DomainError)[],
): Takes {
  const calls = items.filter((item) => !(item instanceof DomainError)).length;
  if (calls === 0) return [];
  return [...userTakes(reading, subject, calls), tenantTake(reading, tenant, 'data_plane', calls)];
}

/** The items up to and including the first whose decision is `authorized`. */
function* upTo(
  items: readonly (ReadCheck | DomainError)[],
  authorized: boolean,
): Generator<Step, readonly (ReadCheck | DomainError)[]> {
  for (const [index, item] of items.entries()) {
    const isAllowed = !(item instanceof DomainError) && (yield* evaluateInSteps(item)).allowed;
    if (isAllowed === authorized) return items.slice(0, index + 1);
    yield;
  }
  return items;
}
