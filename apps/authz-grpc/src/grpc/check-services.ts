import type { handleUnaryCall } from '@grpc/grpc-js';
import {
  AuditKind,
  ExplainAuthorizationResponse,
  type AuditEvent as AuditEventMessage,
  type AuthorizationServiceServer,
  type BatchCheckAuthorizationResponse,
  type CheckAuthorizationResponse,
  type ExplainAuthorizationRequest,
} from '@platform/proto/authz/v1/authorization';
import { AuthzError, authzStatus, DomainError, invalidField } from '@platform/error-contracts';
import type { AuditKind as AuditKindName, ChainedEvent } from '../model/audit-event.ts';
import { checkIdOf } from '../audit/call-record.ts';
import type { TransportDeps } from '../ports.ts';
import { requireUuid } from '../ids.ts';
import { batchCheckAuthorization, type BatchItem } from '../operations/batch-check-authorization.ts';
import { checkAuthorization } from '../operations/check-authorization.ts';
import { explainAuthorization, explainPastCheck } from '../operations/explain-authorization.ts';
import { listAuditEvents } from '../operations/list-audit-events.ts';
import { testPolicies, validatePolicies } from '../operations/policies.ts';
import { isDenied } from '../policy/is-denied.ts';
import type { Decision, PolicyExplanation, PolicyFinding } from '../policy/types.ts';
import { unresolvedIn } from '@platform/decide/parts';
import { runInTimeSlices } from '../time-slices.ts';
import type { ReadContext } from './check-messages.ts';
import { contextOf, policyOf } from './policy-messages.ts';
import type { CallContext, Unary } from './unary.ts';

/** The handlers of `checkingService`. */
export interface CheckingServer extends Pick<
  AuthorizationServiceServer,
  'validatePolicies' | 'testPolicies' | 'listAuditEvents'
> {
  readonly explainAuthorization: handleUnaryCall<ExplainAuthorizationRequest, Buffer>;
  readonly checkAuthorization: handleUnaryCall<ReadContext, CheckAuthorizationResponse>;
  readonly batchCheckAuthorization: handleUnaryCall<ReadContext[], BatchCheckAuthorizationResponse>;
}

export function authorizationService(deps: TransportDeps, unary: Unary): CheckingServer {
  return {
    checkAuthorization: unary('CheckAuthorization', async (context, values) => {
      try {
        const caller = await context.caller();
        const { authorized, checkId } = await checkAuthorization(deps, caller, values, context);
        context.trail('x-check-id', checkId);
        return { authorized };
      } catch (error) {
        const checkId = checkIdOf(error);
        if (checkId !== undefined) context.trail('x-check-id', checkId);
        throw error;
      }
    }),
    batchCheckAuthorization: unary('BatchCheckAuthorization', async (context, contexts) => {
      const items = await batchCheckAuthorization(deps, await context.caller(), contexts, context);
      return { results: items.map((item) => batchResult(item, context)) };
    }),
    explainAuthorization: unary('ExplainAuthorization', async (context, request) => {
      const caller = await context.caller();
      const { checkId } = request;
      const tenantId =
        request.tenantId === undefined ? undefined : requireUuid(request.tenantId, 'tenant_id');
      if (checkId === undefined) {
        const { decision, policies } = await explainAuthorization(
          deps,
          caller,
          contextOf(request.context),
          tenantId,
        );
        return runInTimeSlices(writeExplanation(decision, policies));
      }
      if (request.context.size > 0) throw eitherOr('context', 'check_id');
      const past = await explainPastCheck(deps, caller, requireUuid(checkId, 'check_id'), tenantId);
      const first = { check: eventMessage(past.check), problems: [...past.doubts] };
      return runInTimeSlices(writeExplanation(past.decision, past.policies, first));
    }),
    validatePolicies: unary('ValidatePolicies', async (context, request) => {
      const caller = await context.caller();
      const { tenantId, domainId } = request;
      const target =
        tenantId === undefined && domainId === undefined
          ? null
          : {
              tenantId: requireUuid(tenantId ?? '', 'tenant_id'),
              domainId: requireUuid(domainId ?? '', 'domain_id'),
            };
      const policies = request.policies.map(policyOf);
      const { errors, warnings } = await validatePolicies(deps, caller, policies, target);
      return { errors: errors.map(finding), warnings: warnings.map(finding) };
    }),
    testPolicies: unary('TestPolicies', async (context, request) => {
      const caller = await context.caller();
      const cases = request.cases.map((one) => ({ context: contextOf(one.context), expected: one.expected }));
      const results = await testPolicies(deps, caller, request.policies.map(policyOf), cases);
      return {
        results: results.map(({ decision, passed, unresolved }) => ({
          authorized: decision.allowed,
          passed,
          problems: [...problemsOf(decision), ...unresolved],
        })),
      };
    }),
    listAuditEvents: unary('ListAuditEvents', async (context, request) => {
      const caller = await context.caller();
      const { events, nextCursor, anchor } = await listAuditEvents(deps, caller, {
        ...request,
        tenantId: request.tenantId === '' ? null : requireUuid(request.tenantId, 'tenant_id'),
        kind: request.kind === undefined ? undefined : readKind(request.kind),
        domainId: request.domainId === undefined ? undefined : requireUuid(request.domainId, 'domain_id'),
      });
      return {
        events: events.map(eventMessage),
        nextCursor,
        anchorSequence: BigInt(anchor.sequence),
        anchorHash: anchor.hash,
      };
    }),
  };
}

function eventMessage(event: ChainedEvent): AuditEventMessage {
  return {
    ...event,
    time: new Date(event.time),
    latencyMicros: BigInt(event.latencyMicros),
    policyVersion: BigInt(event.policyVersion),
    sequence: BigInt(event.sequence),
  };
}

function eitherOr(field: string, other: string): AuthzError {
  return invalidField(field, `must be empty next to \`${other}\``);
}

/** Undefined for all kinds. Throws INVALID_ARGUMENT for a number that names none. */
function readKind(kind: AuditKind): AuditKindName | undefined {
  if (kind in AUDIT_KIND) return AUDIT_KIND[kind];
  const known = Object.keys(AUDIT_KIND).length - 1;
  throw new AuthzError('INVALID_ARGUMENT', `\`kind\` must be 0 to ${known}, not ${kind}`, { field: 'kind' });
}

const AUDIT_KIND: Readonly<Record<AuditKind, AuditKindName | undefined>> = {
  [AuditKind.UNSPECIFIED]: undefined,
  [AuditKind.CHECK]: 'check',
  [AuditKind.CHANGE]: 'change',
  [AuditKind.LOGIN]: 'login',
};

function batchResult(item: BatchItem, context: CallContext) {
  if (!(item instanceof DomainError)) {
    const { authorized, checkId } = item;
    return { authorized, checkId, error: undefined, denied: authorized ? undefined : item.isDenied };
  }
  const { code, reason, message } = authzStatus(item, context.requestId);
  return { authorized: false, checkId: '', error: { code, reason, message } };
}

function finding({ policy, policyIndex, statement, key, code, message }: PolicyFinding) {
  return {
    policyName: policy,
    code: code.toUpperCase(),
    message,
    policyIndex: policyIndex < 0 ? undefined : policyIndex,
    statement: statement ?? undefined,
    key: key ?? undefined,
  };
}

/** Policies written at one step. */
const WRITTEN_AT_ONCE = 100;

/**
 * The bytes of an ExplainAuthorizationResponse: messages of its parts one after the other are the message of
 * the whole.
 */
function* writeExplanation(
  decision: Decision,
  policies: readonly PolicyExplanation[],
  more: { readonly check?: AuditEventMessage; readonly problems: readonly string[] } = { problems: [] },
): Generator<void, Buffer> {
  const problems = [...more.problems, ...problemsOf(decision), ...policies.flatMap(unresolvedIn)];
  const write = (part: Partial<ExplainAuthorizationResponse>) =>
    ExplainAuthorizationResponse.encode({ authorized: false, policies: [], problems: [], ...part }).finish();
  const parts = [
    write({
      authorized: decision.allowed,
      denied: decision.allowed ? undefined : isDenied(decision),
      problems,
      decidingPolicy: decision.matched?.policy,
      decidingDomainId: decision.matched?.domainId,
      check: more.check,
    }),
  ];
  for (let at = 0; at < policies.length; at += WRITTEN_AT_ONCE) {
    parts.push(write({ policies: policies.slice(at, at + WRITTEN_AT_ONCE).map(policyTrace) }));
    yield;
  }
  return Buffer.concat(parts);
}

function problemsOf({ problems }: Decision): string[] {
  return problems.map(({ policy, message }) => `policy \`${policy}\`: ${message}`);
}

function policyTrace(policy: PolicyExplanation) {
  return {
    domainId: policy.domainId,
    domainVersion: BigInt(policy.domainVersion),
    policyName: policy.policy,
    deny: policy.deny,
    inverted: policy.inverted,
    matched: policy.matched,
    matchedStatement: policy.statement ?? undefined,
    statements: policy.statements.map(({ matched, rules }, index) => {
      const failed = matched ? [] : rules.filter(({ result }) => result !== 'matched');
      return {
        index,
        matched,
        failedRuleKey: failed[0]?.key ?? '',
        failedRules: failed.length,
        matchedRules: matched ? 0 : rules.length - failed.length,
      };
    }),
  };
}
