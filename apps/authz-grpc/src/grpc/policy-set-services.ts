import type { handleUnaryCall } from '@grpc/grpc-js';
import {
  GetPolicyVersionResponse,
  GetShadowPoliciesResponse,
  PlannedKind,
  PlannedOutcome,
  PolicySetServiceService,
  type GetPolicyVersionRequest,
  type GetShadowPoliciesRequest,
  type PolicySetServiceServer,
  type PolicyVersion as VersionMessage,
  type PolicyWitness,
  type ReplayedChange as ReplayedMessage,
  type ShadowExample as ExampleMessage,
} from '@platform/proto/authz/v1/policy_set';
import { requireUuid } from '../ids.ts';
import { getPolicyVersion, listPolicyVersions, rollbackPolicies } from '../operations/policies.ts';
import { planPolicyChange, replayPolicies, type ReplayedChange } from '../operations/policy-changes.ts';
import { inTurnOf } from '../operations/plan-resources.ts';
import {
  deleteShadowPolicies,
  getShadowPolicies,
  promoteShadowPolicies,
  putShadowPolicies,
} from '../operations/shadow-policies.ts';
import type { ShadowExample } from '../model/shadow.ts';
import type { Witness } from '../policy/compare-sets.ts';
import { isDenied } from '../policy/is-denied.ts';
import type { TransportDeps } from '../ports.ts';
import type { PolicyVersion } from '../store/domain-store.ts';
import { runInTimeSlices } from '../time-slices.ts';
import { optionalNumber } from './messages.ts';
import { contextMessage, policyOf, withWritten, writeResponse } from './policy-messages.ts';
import type { Unary } from './unary.ts';

/** The service, with methods whose handlers write the response, which may be of a large set. */
export const readingPolicySets = withWritten(PolicySetServiceService, [
  'getPolicyVersion',
  'getShadowPolicies',
]);

/** The handlers of `readingPolicySets`. */
interface PolicySetServer extends Omit<PolicySetServiceServer, 'getPolicyVersion' | 'getShadowPolicies'> {
  readonly getPolicyVersion: handleUnaryCall<GetPolicyVersionRequest, Buffer>;
  readonly getShadowPolicies: handleUnaryCall<GetShadowPoliciesRequest, Buffer>;
}

export function policySetService(deps: TransportDeps, unary: Unary): PolicySetServer {
  return {
    listPolicyVersions: unary('ListPolicyVersions', async (context, request) => {
      const caller = await context.caller();
      const { items, nextPageToken } = await listPolicyVersions(deps, caller, placeOf(request), request);
      return { versions: items.map(versionMessage), nextPageToken };
    }),
    getPolicyVersion: unary('GetPolicyVersion', async (context, request) => {
      const caller = await context.caller();
      const place = placeOf(request);
      const found = await getPolicyVersion(deps, caller, place, Number(request.version));
      const response = { version: versionMessage(found), policies: [] };
      return inTurnOf(deps, place.tenantId, context, () =>
        runInTimeSlices(writeResponse(GetPolicyVersionResponse, response, found.policies), context),
      );
    }),
    rollbackPolicies: unary(
      'RollbackPolicies',
      async (context, request) => {
        const { version, expectedVersion, allowLockout, message } = request;
        const written = await rollbackPolicies(
          deps,
          await context.caller(),
          {
            ...placeOf(request),
            version: Number(version),
            expectedVersion: optionalNumber(expectedVersion),
            allowLockout,
            message,
          },
          context.note,
        );
        return { version: BigInt(written) };
      },
      POLICIES,
    ),
    planPolicyChange: unary('PlanPolicyChange', async (context, request) => {
      const caller = await context.caller();
      const policies = request.policies.map(policyOf);
      const { changes, count, version, domains } = await planPolicyChange(deps, caller, {
        ...placeOf(request),
        policies,
      });
      return {
        changes: changes.map(({ kind, policy, words, outcome, reason, witness }) => ({
          kind: kind === 'added' ? PlannedKind.ADDED : PlannedKind.REMOVED,
          policyName: policy,
          words,
          outcome: OUTCOMES[outcome],
          reason,
          witness: witness === null ? undefined : witnessMessage(witness),
        })),
        witnessed: count.witnessed,
        noEffect: count.no_effect,
        notDecided: count.not_decided,
        version: BigInt(version),
        domainsCompared: domains.compared,
        domains: domains.all,
      };
    }),
    replayPolicies: unary('ReplayPolicies', async (context, request) => {
      const caller = await context.caller();
      const { since, until } = request;
      const policies = request.policies.map(policyOf);
      const replayed = await replayPolicies(deps, caller, { ...placeOf(request), policies, since, until });
      const { reached, atLeast, domains } = replayed;
      return {
        checks: BigInt(replayed.checks),
        lost: replayedMessage(replayed.lost),
        gained: replayedMessage(replayed.gained),
        notReplayed: BigInt(replayed.notReplayed),
        complete: reached === null && domains.compared === domains.all && replayed.domainNotActive === 0,
        reached: reached ?? undefined,
        atLeast,
        version: BigInt(replayed.version),
        domainsCompared: domains.compared,
        domains: domains.all,
        domainNotActive: BigInt(replayed.domainNotActive),
      };
    }),
    putShadowPolicies: unary(
      'PutShadowPolicies',
      async (context, request) => {
        const { message, expectedVersion } = request;
        const version = await putShadowPolicies(
          deps,
          await context.caller(),
          {
            ...placeOf(request),
            policies: request.policies.map(policyOf),
            message,
            expectedVersion: optionalNumber(expectedVersion),
          },
          context.note,
        );
        return { version: BigInt(version) };
      },
      POLICIES,
    ),
    getShadowPolicies: unary('GetShadowPolicies', async (context, request) => {
      const place = placeOf(request);
      const found = await getShadowPolicies(deps, await context.caller(), place);
      const { counts, examples, comparedVersion, domainVersion } = found;
      const ofKind = (kind: ShadowExample['kind']) =>
        examples.filter((example) => example.kind === kind).map(exampleMessage);
      const response = {
        shadow: versionMessage({ ...found, policyCount: found.policies.length, endedAt: null }),
        policies: [],
        agree: BigInt(counts.agree),
        wouldGain: BigInt(counts.wouldGain),
        wouldLose: BigInt(counts.wouldLose),
        notDecided: BigInt(counts.notDecided),
        comparedVersion: comparedVersion === null ? undefined : BigInt(comparedVersion),
        gained: ofKind('gain'),
        lost: ofKind('lose'),
        version: BigInt(domainVersion),
      };
      return inTurnOf(deps, place.tenantId, context, () =>
        runInTimeSlices(writeResponse(GetShadowPoliciesResponse, response, found.policies), context),
      );
    }),
    deleteShadowPolicies: unary(
      'DeleteShadowPolicies',
      async (context, request) => {
        const terms = { ...placeOf(request), expectedVersion: optionalNumber(request.expectedVersion) };
        await deleteShadowPolicies(deps, await context.caller(), terms, context.note);
        return {};
      },
      POLICIES,
    ),
    promoteShadowPolicies: unary(
      'PromoteShadowPolicies',
      async (context, request) => {
        const { expectedVersion, expectedShadowVersion, allowLockout, message } = request;
        const written = await promoteShadowPolicies(
          deps,
          await context.caller(),
          {
            ...placeOf(request),
            expectedVersion: optionalNumber(expectedVersion),
            expectedShadowVersion: optionalNumber(expectedShadowVersion),
            allowLockout,
            message,
          },
          context.note,
        );
        return { version: BigInt(written) };
      },
      POLICIES,
    ),
  };
}

function exampleMessage(example: ShadowExample): ExampleMessage {
  const { checkId, subject, action, object, policyReal, policyShadow } = example;
  const check = { checkId, subject, action, object };
  return { ...check, policyReal: policyReal ?? undefined, policyShadow: policyShadow ?? undefined };
}

const OUTCOMES = {
  witnessed: PlannedOutcome.WITNESSED,
  no_effect: PlannedOutcome.NO_EFFECT,
  not_decided: PlannedOutcome.NOT_DECIDED,
} as const;

function witnessMessage({ context, before, after }: Witness): PolicyWitness {
  return {
    context: contextMessage(context),
    authorizedBefore: before.allowed,
    authorizedAfter: after.allowed,
    policyBefore: before.matched?.policy,
    policyAfter: after.matched?.policy,
    denied: isDenied(before.allowed ? after : before),
  };
}

function replayedMessage({ checks, subjects, objects, first }: ReplayedChange): ReplayedMessage {
  const [all, some, pairs] = [BigInt(checks), BigInt(subjects), BigInt(objects)];
  return { checks: all, subjects: some, objects: pairs, first: first.map(witnessMessage) };
}

/** What the row of a change says that it is about. */
const POLICIES = {
  object: ({ domainId }: { domainId: string }) => `domains/${domainId}/policies`,
  tenantId: ({ tenantId }: { tenantId: string }) => tenantId.toLowerCase(),
};

function placeOf(request: { tenantId: string; domainId: string }) {
  return {
    tenantId: requireUuid(request.tenantId, 'tenant_id'),
    domainId: requireUuid(request.domainId, 'domain_id'),
  };
}

function versionMessage(version: PolicyVersion): VersionMessage {
  const { authorId, writtenAt, message, digest, policyCount, endedAt } = version;
  return {
    version: BigInt(version.version),
    authorId: authorId ?? '',
    writtenAt: writtenAt ?? undefined,
    message,
    digest,
    policyCount: policyCount ?? undefined,
    endedAt: endedAt ?? undefined,
  };
}
