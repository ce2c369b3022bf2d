import {
  type AuthzError,
  authzStatus,
  DomainError,
  type ErrorKind,
  hasReason,
} from '@platform/error-contracts';
import type { DecisionRunner, DecisionPlan } from '../authorization/decision-runner.ts';
import { readLiveSubject, type Caller } from '../authorization/caller.ts';
import { isUuid, NOBODYS_ID } from '../ids.ts';
import { LOGIN_OPERATIONS, SYSTEM_CHAIN, type AuditEvent, type Note } from '../model/audit-event.ts';
import type { RequestContext } from '../policy/types.ts';
import type { AuditWriter } from './audit-writer.ts';
import type { Waiting } from '../time-slices.ts';
import { refusedContext } from './check-detail.ts';
import { detailOf, recordable } from './detail.ts';

/** What rows of calls are written with. */
interface RecordDeps {
  readonly decisions: DecisionRunner;
  readonly audit: AuditWriter;
  readonly now: () => Date;
  readonly newCheckId: () => string;
}

/** How a call came. */
export interface Arrival extends Waiting {
  /** `performance.now()` at arrival. */
  readonly startedAt: number;
  /** W3C trace that the call is part of. */
  readonly traceparent?: string | undefined;
  /** The client's address; empty where it is not known. */
  readonly address: string;
}

/** At most this many checks enter in any instant and per 100 ms and tenant (AUTHZ contract, "Limits"). */
export const CHECK_RATE = { limit: 1_000, windowMs: 100 } as const;

/**
 * Failures that leave no row: an unknown caller and a used-up limit are metrics, since a row for each would
 * be free to anyone, and a fault of the service decided nothing.
 */
const WITHOUT_ROW: ReadonlySet<ErrorKind> = new Set([
  'unauthenticated',
  'rate_limited',
  'quota_exceeded',
  'request_timeout',
  'deadline_exceeded',
  'unavailable',
  'internal',
]);

/** Whether a row is written of a call that fails with this. */
export function leavesRow(error: unknown): error is DomainError {
  return error instanceof DomainError && !WITHOUT_ROW.has(error.kind);
}

/** The row of a check that was refused, in the chain of the caller's tenant. */
export function refusedCheck(
  deps: Pick<RecordDeps, 'now' | 'newCheckId'>,
  caller: Caller,
  error: DomainError,
  context: RequestContext | null,
  { startedAt, address }: Arrival,
): AuditEvent {
  const text = (key: string) => {
    const value = context?.get(key);
    return typeof value === 'string' ? recordable(value) : '';
  };
  const object = text('object');
  const domainId = object.split('/', 3)[2]?.toLowerCase() ?? '';
  const row = rowOf(deps, caller, startedAt);
  checkIds.set(error, row.id);
  return {
    ...row,
    domainId: isUuid(domainId) ? domainId : NOBODYS_ID,
    subject: text('subject'),
    action: text('action'),
    object,
    outcome: authzStatus(error, '').reason,
    detail: detailOf({ address, message: error.message, context: refusedContext(context) }),
  };
}

/**
 * Writes the row of a check that failed, if its failure leaves one, and throws the failure. The caller's
 * credential must be live, and the row counts for the tenant's rate, for a refused check takes no quota.
 * Throws TOKEN_INVALID, RATE_LIMITED and DEPENDENCY_UNAVAILABLE in its place.
 */
export async function failCheck(
  deps: RecordDeps,
  caller: Caller,
  error: unknown,
  context: RequestContext | null,
  arrival: Arrival,
): Promise<never> {
  if (!leavesRow(error)) throw error;
  await enterRefused(deps, caller);
  await deps.audit.record([refusedCheck(deps, caller, error, context, arrival)], arrival.traceparent);
  throw error;
}

const checkIds = new WeakMap<DomainError, string>();

/** The id of the row that a refused check left; undefined for one that left none. */
export function checkIdOf(error: unknown): string | undefined {
  return error instanceof DomainError ? checkIds.get(error) : undefined;
}

/** What is known of a change or login before it begins, and what its request and response say about it. */
interface RecordedCall<Response> extends Arrival {
  /** The name of the operation in the contract. */
  readonly operation: string;
  /** The caller, once the credential is read; null before, and for callers without one. */
  caller(): Caller | null;
  /** What it is about, such as `tenants/<id>`; the response is null when the call was refused. */
  object(response: Response | null): string;
  /** Whose chain a call that succeeded belongs to: undefined is the caller's tenant, null the system. */
  tenantId?(response: Response): string | null | undefined;
  readonly request: object;
}

/**
 * Does the work of a change or login and leaves one row of it, done or refused, before it returns. What was
 * done stays done when the row cannot be written. Throws what the work throws, DEPENDENCY_UNAVAILABLE.
 */
export async function recordCall<Response>(
  deps: RecordDeps,
  call: RecordedCall<Response>,
  work: (note: Note) => Promise<Response>,
): Promise<Response> {
  let noted: Parameters<Note>[0] = {};
  const note: Note = (facts) => {
    noted = { ...noted, ...facts };
  };
  const { operation, startedAt, address, request, traceparent } = call;
  const write = (tenantId: string | null, object: string, error: DomainError | null) => {
    const caller = call.caller();
    const { before, after } = error === null ? noted : {};
    const message = error?.message;
    const event: AuditEvent = {
      ...rowOf(deps, caller, startedAt),
      tenantId: tenantId ?? SYSTEM_CHAIN,
      subject: noted.subject ?? caller?.subjectId ?? '',
      action: operation,
      object: recordable(object),
      decision: error === null,
      outcome: error === null ? '' : authzStatus(error, '').reason,
      operation,
      detail: detailOf({ address, operation, request, before, after, message }),
    };
    return deps.audit.record([event], traceparent);
  };

  let response: Response;
  try {
    response = await work(note);
  } catch (error) {
    const caller = call.caller();
    if (isRefusedLogin(error))
      await write(caller?.tenantId ?? null, noted.object ?? call.object(null), error);
    else if (leavesRow(error) && !isAnonymousNoise(error, caller)) {
      if (caller !== null) await enterRefused(deps, caller);
      await write(caller?.tenantId ?? null, noted.object ?? call.object(null), error);
    }
    throw error;
  }
  const tenantId = noted.tenantId ?? call.tenantId?.(response);
  const chain = tenantId === undefined ? (call.caller()?.tenantId ?? null) : tenantId;
  await write(chain, noted.object ?? call.object(response), null);
  return response;
}

/** A wrong name, password or tenant. It took a password hash to find out, so the row is not free. */
function isRefusedLogin(error: unknown): error is AuthzError {
  return hasReason(error, 'LOGIN_FAILED');
}

/** Nonsense of a caller whom nobody knows costs them nothing, and a row of it neither. */
function isAnonymousNoise(error: DomainError, caller: Caller | null): boolean {
  return caller === null && error.kind === 'invalid_argument';
}

/** Whether a call is a login, whose refusal operators want to see. */
export function isLogin(operation: string): boolean {
  return (LOGIN_OPERATIONS as readonly string[]).includes(operation);
}

/**
 * Holds a refused call against the caller's credential and the rate of their tenant, so that rows are not
 * free.
 */
async function enterRefused({ decisions }: Pick<RecordDeps, 'decisions'>, caller: Caller): Promise<void> {
  await decisions.runDecision((reading): DecisionPlan<null> => {
    readLiveSubject(reading, caller);
    return { result: null, rates: [{ key: caller.tenantId ?? caller.subjectId, ...CHECK_RATE }] };
  });
}

/** The row of what an operator did with a command, by right of the database. */
export function operatorRow(
  deps: Pick<RecordDeps, 'now' | 'newCheckId'>,
  operation: string,
  object: string,
): AuditEvent {
  const detail = detailOf({ address: '', message: 'by a command of the service' });
  const common = rowOf(deps, null, performance.now());
  return { ...common, subject: '', action: operation, object, decision: true, operation, detail };
}

/** What all rows have in common. */
function rowOf(
  { now, newCheckId }: Pick<RecordDeps, 'now' | 'newCheckId'>,
  caller: Caller | null,
  startedAt: number,
): Omit<AuditEvent, 'subject' | 'action' | 'object' | 'detail'> {
  return {
    id: newCheckId(),
    time: now().getTime(),
    tenantId: caller?.tenantId ?? SYSTEM_CHAIN,
    domainId: NOBODYS_ID,
    decision: false,
    matchedPolicy: '',
    callerId: caller?.subjectId ?? NOBODYS_ID,
    latencyMicros: Math.max(0, Math.round((performance.now() - startedAt) * 1000)),
    policyVersion: 0,
    outcome: '',
    operation: '',
  };
}
