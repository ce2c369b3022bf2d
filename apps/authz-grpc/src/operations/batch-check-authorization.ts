import { AuthzError, DomainError } from '@platform/error-contracts';
import type { Plan } from '../admission/admission.ts';
import { tenantTake, userTakes, type Caller } from '../admission/caller.ts';
import { CHECK_RATE, failCheck, leavesRow, refusedCheck, type Arrival } from '../audit/call-record.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import type { Deps } from '../ports.ts';
import type { RequestContext } from '../policy/types.ts';
import {
  callOfChecks,
  createCheckReader,
  decideCheck,
  readCheckCaller,
  type CheckAnswer,
  type ReadCheck,
} from './check-authorization.ts';
import { readCheckContext, type CheckContext } from '../policy/check-context.ts';

export const BATCH_CHECKS_MAX = 1_000;

/** An item's answer, or the error it would have had alone. */
export type BatchItem = CheckAnswer | DomainError;

/**
 * Decides up to 1,000 checks, answered by index; an item's error, one it came with included, never fails the
 * batch. The batch is one request to the rate limit, and one call of data_plane and user_plane for every item
 * that is decided: all of them or none. With `until`, nothing is decided after the first item whose answer
 * that is, an error's being false, and the answers end with it. Every item is on record when this returns,
 * and the call is when it is refused as a whole: an error in the place of the contexts is why there are
 * none. Throws TOKEN_INVALID, TENANT_REQUIRED, DOMAIN_NOT_ACCESSIBLE (of the tenant), INVALID_ARGUMENT,
 * limits.
 */
export async function batchCheckAuthorization(
  deps: Pick<Deps, 'admission' | 'audit' | 'now' | 'newCheckId'>,
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
  deps: Pick<Deps, 'admission' | 'audit' | 'now' | 'newCheckId'>,
  caller: Caller,
  contexts: readonly (RequestContext | DomainError)[],
  arrival: Arrival,
  until: boolean | undefined,
): Promise<BatchItem[]> {
  if (contexts.length > BATCH_CHECKS_MAX) {
    throw new AuthzError('INVALID_ARGUMENT', `more than ${BATCH_CHECKS_MAX} checks`, { field: 'checks' });
  }
  const parsed = contexts.map((values) =>
    values instanceof DomainError ? values : attempt(readCheckContext, values),
  );
  const readable = parsed.filter((context): context is CheckContext => !(context instanceof DomainError));
  const read = await deps.admission.admit((reading): Plan<(ReadCheck | DomainError)[]> => {
    const { subject, tenant } = readCheckCaller(reading, caller, callOfChecks(caller, readable));
    const readCheck = createCheckReader(reading, tenant);
    const items: (ReadCheck | DomainError)[] = [];
    let suspension: unknown;
    for (const context of parsed) {
      try {
        items.push(context instanceof DomainError ? context : attempt(readCheck, context));
      } catch (error) {
        if (!reading.isSuspension(error)) throw error;
        suspension = error;
      }
    }
    if (suspension !== undefined) throw suspension;
    const result = until === undefined ? items : upTo(items, until);
    const calls = result.filter((item) => !(item instanceof DomainError)).length;
    const rates = result.length === 0 ? [] : [{ key: tenant.id, ...CHECK_RATE }];
    if (calls === 0) return { result, rates };
    const takes = userTakes(reading, subject, calls);
    takes.push(tenantTake(reading, tenant, 'data_plane', calls));
    return { result, takes, rates };
  });
  const events: AuditEvent[] = [];
  const items = read.map((item, index): BatchItem => {
    if (item instanceof DomainError) {
      const values = contexts[index];
      const sent = values === undefined || values instanceof DomainError ? null : values;
      if (leavesRow(item)) events.push(refusedCheck(deps, caller, item, sent, arrival));
      return item;
    }
    const event = decideCheck(deps, caller, item, arrival.startedAt);
    events.push(event);
    return { authorized: event.decision, checkId: event.id };
  });
  if (events.length > 0) await deps.audit.record(events, arrival.traceparent);
  return items;
}

/** The items up to and including the first whose answer is `authorized`. */
function upTo(items: (ReadCheck | DomainError)[], authorized: boolean): (ReadCheck | DomainError)[] {
  const at = items.findIndex(
    (item) => (!(item instanceof DomainError) && item.policies.evaluate(item.joined).allowed) === authorized,
  );
  return at === -1 ? items : items.slice(0, at + 1);
}

/**
 * The result of `make`, or the AuthzError it threw, which stands in its place by index; other errors
 * propagate.
 */
function attempt<V, T>(make: (value: V) => T, value: V): T | DomainError {
  try {
    return make(value);
  } catch (error) {
    if (error instanceof AuthzError) return error;
    throw error;
  }
}
