import { AuthzError, DomainError } from '@platform/error-contracts';
import type { Decide, DecisionPlan, StateReader } from '../authorization/decision-runner.ts';
import { belongsTo, readSubject, tenantTake, userTakes, type Caller } from '../authorization/caller.ts';
import { decideRevocation } from '../authorization/revocation.ts';
import { readPolicySet, withAttributes, type PolicyScope } from '../authorization/policy-scope.ts';
import { CALLS, type Call } from '../authorization/calls.ts';
import { CLIENT_SCOPES, type Scope } from '../authorization/scopes.ts';
import { CHECK_RATE, failCheck, type Arrival } from '../audit/call-record.ts';
import { checkDetail } from '../audit/check-detail.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import type { Deps } from '../ports.ts';
import { isUuid } from '../ids.ts';
import { throughPauses } from '@platform/decide/parts';
import type { CompiledDomain, Decision, RequestContext, SearchableSet, Step } from '../policy/types.ts';
import type { DomainState, SubjectState, TenantState } from '../model/entities.ts';
import type { ShadowRef } from '../model/shadow.ts';
import { readCheckContext, respelledUuid, type CheckContext } from '../policy/check-context.ts';
import { fairMemo, inTurns, type Waiting } from '../time-slices.ts';

export interface CheckDecision {
  readonly authorized: boolean;
  /** Id of the audit row. */
  readonly checkId: string;
}

/**
 * Whether the context's subject may perform its action on its object, by the policies of the object's domain
 * and its superiors. The decision is on record when this returns (strict audit), and so is a refusal when
 * this throws; `values` is a DomainError where the context could not be read. Throws INVALID_CONTEXT,
 * INVALID_OBJECT_URI, TOKEN_INVALID, TENANT_REQUIRED, DOMAIN_NOT_ACCESSIBLE, limits.
 */
export async function checkAuthorization(
  deps: Pick<Deps, 'decisions' | 'audit' | 'now' | 'newCheckId' | 'shadows'>,
  caller: Caller,
  values: RequestContext | DomainError,
  arrival: Arrival,
): Promise<CheckDecision> {
  try {
    if (values instanceof DomainError) throw values;
    const context = readCheckContext(values);
    const entered = await runChecks(deps, caller, [context], (reading): DecisionPlan<ReadCheck> => {
      const { subject, tenant } = readCheckCaller(reading, caller, callOfChecks(caller, [context]));
      const check = readCheck(reading, tenant, context);
      const quotas = userTakes(reading, subject);
      quotas.push(tenantTake(reading, tenant, 'data_plane'));
      return { result: check, quotas, rates: [{ key: tenant.id, ...CHECK_RATE }] };
    });
    const decision = await evaluateCheck(entered, arrival);
    const event = decideCheck(deps, caller, entered, arrival.startedAt, decision);
    await deps.audit.record([event], arrival.traceparent);
    shadow(deps, entered, event);
    return { authorized: event.decision, checkId: event.id };
  } catch (error) {
    return failCheck(deps, caller, error, values instanceof DomainError ? null : values, arrival);
  }
}

/** Runs the decision of a call that asks about these contexts; one that a revocation asks is free. */
export function runChecks<T>(
  { decisions }: Pick<Deps, 'decisions'>,
  caller: Caller,
  contexts: readonly CheckContext[],
  decide: Decide<T>,
): Promise<T> {
  const [only] = contexts;
  const isFree = caller.isRevoking === true && contexts.length === 1 && isOfRevocation(caller, only!);
  return isFree ? decideRevocation(decisions, caller, decide) : decisions.runDecision(decide);
}

/** What holds keys of the store and sessions that are shared, by the first segment of an object's path. */
const REVOKED_AT: ReadonlySet<string> = new Set(['docstore', 'investigations']);

/** Whether a service asks this of its caller before it ends a credential or takes access back. */
function isOfRevocation(caller: Caller, context: CheckContext): boolean {
  return serviceScopeOf(caller, context) !== null && REVOKED_AT.has(firstSegment(context));
}

/** Of the path of the object. */
const firstSegment = ({ object }: CheckContext) => object.split('/', 4)[3] ?? '';

/** A check with everything its decision needs. */
export interface ReadCheck {
  readonly tenant: TenantState;
  readonly domain: DomainState;
  /** Domain id → version, of all that decide. */
  readonly versions: ReadonlyMap<string, number>;
  readonly policies: SearchableSet;
  /** What the set combines. */
  readonly compiled: readonly CompiledDomain[];
  readonly shadows: readonly ShadowRef[];
  readonly context: CheckContext;
  /** The context with the subject's stored attributes. */
  readonly joined: RequestContext;
}

/** The scope of the service that keeps what lies below this first segment of an object's path. */
const SERVICE_SCOPES: ReadonlyMap<string, Scope> = new Map([
  ['documents', 'documents'],
  ['docstore', 'documents'],
  ['investigations', 'investigations'],
]);

/**
 * What these checks need of the caller's credential: the scope `check`, or, where every check is about the
 * caller themselves and the resources of one service, the scope of that service. That service asks with the
 * credential it was called with.
 */
export function callOfChecks(caller: Caller, contexts: readonly CheckContext[]): Call {
  const [first] = contexts;
  const scope = first === undefined ? null : serviceScopeOf(caller, first);
  return scope !== null && contexts.every((context) => serviceScopeOf(caller, context) === scope)
    ? { scope, resource: true }
    : CALLS.CheckAuthorization;
}

/** What asking for colleagues needs of the caller's credential: the scope of the service that asks. */
export function callOfColleagues({ scopes }: Pick<Caller, 'scopes'>): Call {
  const held = COLLEAGUE_SCOPES.find((scope) => scopes.includes(scope));
  return { scope: held ?? COLLEAGUE_SCOPES[0], resource: true };
}
const COLLEAGUE_SCOPES = ['investigations', 'investigations:read'] as const;

/** The scope of the caller's credential that lets a service ask this about the caller; mostly none. */
function serviceScopeOf(caller: Caller, context: CheckContext): Scope | null {
  const { subject, action } = context;
  if (subject !== caller.subjectId) return null;
  const scope = SERVICE_SCOPES.get(firstSegment(context));
  if (scope === undefined || caller.scopes.includes(scope)) return scope ?? null;
  const reading = CLIENT_SCOPES.find((known) => known === `${scope}:read`);
  return action === 'read' && reading !== undefined && caller.scopes.includes(reading) ? reading : null;
}

/** The caller's live subject and tenant. Throws TOKEN_INVALID, TENANT_REQUIRED, DOMAIN_NOT_ACCESSIBLE. */
export function readCheckCaller(
  reading: StateReader,
  caller: Caller,
  call: Call = CALLS.CheckAuthorization,
): { readonly subject: SubjectState; readonly tenant: TenantState } {
  const subject = readSubject(reading, caller, call);
  if (caller.tenantId === null) throw new AuthzError('TENANT_REQUIRED', 'the token carries no tenant');
  const tenant = reading.get('tenant', caller.tenantId);
  if (tenant === null || !tenant.active || !belongsTo(subject, tenant.id)) throw domainNotAccessible();
  return { subject, tenant };
}

/**
 * Reads what decides on contexts within the tenant; domains and subjects met before are not looked up again.
 * The reader throws DOMAIN_NOT_ACCESSIBLE.
 */
export function createCheckReader(
  reading: StateReader,
  tenant: TenantState,
): (context: CheckContext) => ReadCheck {
  const scopes = new Map<string, PolicyScope | null>();
  const subjects = new Map<string, SubjectState | null>();
  return (context) => {
    const { domainId, subject: subjectId } = context;
    let scope = scopes.get(domainId);
    if (scope === undefined) scopes.set(domainId, (scope = readPolicySet(reading, tenant, domainId)));
    if (scope === null) throw domainNotAccessible();
    let subject = subjects.get(subjectId);
    if (subject === undefined) {
      subject = readCheckedSubject(reading, subjectId, tenant.id);
      subjects.set(subjectId, subject);
    }
    return checkOf(tenant, context, scope, subject);
  };
}

/**
 * What decides on each of the contexts, or the AuthzError of it, by index. What is not in memory is loaded
 * for all at once.
 */
export function readChecks(
  reading: StateReader,
  tenant: TenantState,
  contexts: readonly (CheckContext | DomainError)[],
): (ReadCheck | DomainError)[] {
  const readOne = createCheckReader(reading, tenant);
  const read: (ReadCheck | DomainError)[] = [];
  let suspension: unknown;
  for (const context of contexts) {
    try {
      read.push(context instanceof DomainError ? context : attempt(readOne, context));
    } catch (error) {
      if (!reading.isSuspension(error)) throw error;
      suspension = error;
    }
  }
  if (suspension !== undefined) throw suspension;
  return read;
}

/**
 * The result of `make`, or the AuthzError it threw, which stands in its place by index; other errors
 * propagate.
 */
export function attempt<V, T>(make: (value: V) => T, value: V): T | DomainError {
  try {
    return make(value);
  } catch (error) {
    if (error instanceof AuthzError) return error;
    throw error;
  }
}

/** As `createCheckReader` reads one context. */
function readCheck(reading: StateReader, tenant: TenantState, context: CheckContext): ReadCheck {
  const scope = readPolicySet(reading, tenant, context.domainId);
  if (scope === null) throw domainNotAccessible();
  return checkOf(tenant, context, scope, readCheckedSubject(reading, context.subject, tenant.id));
}

function checkOf(
  tenant: TenantState,
  context: CheckContext,
  { domain, policies, compiled, shadows, versions }: PolicyScope,
  subject: SubjectState | null,
): ReadCheck {
  const joined = withAttributes(context.values, subject, tenant.id);
  return { tenant, domain, policies, compiled, shadows, versions, context, joined };
}

/**
 * The subject of a check, if it is an account of the service. Another spelling of its id would pass the
 * denies that name it or its attributes. Throws INVALID_CONTEXT naming the one spelling.
 */
function readCheckedSubject(reading: StateReader, id: string, tenantId: string): SubjectState | null {
  if (isUuid(id)) return reading.get('subject', id);
  const spelled = respelledUuid(id);
  if (spelled === null || reading.get('subject', spelled)?.tenantIds.has(tenantId) !== true) return null;
  throw new AuthzError('INVALID_CONTEXT', `\`subject\` must be spelled \`${spelled}\``, {
    field: 'context.subject',
  });
}

/** The decision of a check, made in turns where its regexes take long. Errors: `request_timeout`. */
export function evaluateCheck(
  { tenant, policies, joined }: ReadCheck,
  waiting: Waiting,
): Decision | Promise<Decision> {
  return inTurns(tenant.id, (memo) => policies.evaluate(joined, memo), waiting);
}

/** The decision of a check that is one of many. */
export function evaluateInSteps({ policies, joined }: ReadCheck): Generator<Step, Decision> {
  const memo = fairMemo();
  return throughPauses(() => policies.evaluate(joined, memo));
}

/** Puts the decision of a check into the words of its audit row. */
export function decideCheck(
  deps: Pick<Deps, 'now' | 'newCheckId'>,
  caller: Caller,
  { tenant, domain, versions, context, joined }: ReadCheck,
  startedAt: number,
  decision: Decision,
): AuditEvent {
  return {
    id: deps.newCheckId(),
    time: deps.now().getTime(),
    tenantId: tenant.id,
    domainId: domain.id,
    subject: context.subject,
    action: context.action,
    object: context.object,
    decision: decision.allowed,
    matchedPolicy: decision.matched?.policy ?? '',
    callerId: caller.subjectId,
    latencyMicros: Math.max(0, Math.round((performance.now() - startedAt) * 1000)),
    policyVersion: domain.version,
    outcome: '',
    operation: '',
    detail: checkDetail(joined, versions),
  };
}

/** Has a check that was decided, and is on record, decided by the shadow sets there are, later. */
export function shadow(
  deps: Pick<Deps, 'shadows'>,
  { shadows, compiled, joined }: ReadCheck,
  { id, subject, action, object, decision, matchedPolicy }: AuditEvent,
  elsewhereId?: string,
): void {
  if (shadows.length === 0) return;
  deps.shadows.observe({
    checkId: id,
    subject,
    action,
    object,
    allowed: decision,
    policy: matchedPolicy,
    context: joined,
    compiled,
    shadows,
    elsewhereId,
  });
}

/** One sentence for unknown, foreign and inactive: nobody learns which it is. */
export function domainNotAccessible(): AuthzError {
  return new AuthzError('DOMAIN_NOT_ACCESSIBLE', 'the domain is not accessible');
}
