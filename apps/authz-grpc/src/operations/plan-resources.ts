import type { Filter } from '@platform/authz-client/filter';
import { AuthzError, DomainError, RETRY_AFTER_SECONDS, invalidField } from '@platform/error-contracts';
import { createFairLimit, QueueFull, type FairLimit } from '@platform/worker-pool';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { allows } from '../authorization/authorize.ts';
import type { StateReader } from '../authorization/decision-runner.ts';
import { failCheck, type Arrival } from '../audit/call-record.ts';
import { noRequest } from '../model/search-row.ts';
import { requireUuid } from '../ids.ts';
import { objectStart } from '../model/resource.ts';
import { anyOf } from '../policy/filter.ts';
import { beginningWith, intersect, textOf, type Range } from '../policy/ranges.ts';
import type { RequestContext } from '../policy/types.ts';
import type { Deps } from '../ports.ts';
import { readPrefix } from '../search/read-resource.ts';
import { callOfChecks, decideCheck, evaluateCheck } from './check-authorization.ts';
import {
  enterSearch,
  isOwnSearch,
  searchContextOf,
  without,
  type Asked,
  type SearchDeps,
} from './search-resources.ts';
import { runInTimeSlices, stopIfGone, type Waiting } from '../time-slices.ts';

/** What a plan asks about, so that no context says it. */
const ASKED = /^(?:owner$|resource\.)/;

/** Plans that are made at a time, each of another tenant: the slices of all of them take turns. */
const PLANS_MAX = 16;
/** Plans that wait, in all. */
const WAITING_MAX = 1_000;

/** Admits plans, one of a tenant at a time. */
export function createPlanLimit(): FairLimit {
  return createFairLimit({ concurrency: PLANS_MAX, inServiceMax: 1, waitingMax: WAITING_MAX });
}

/** Names and beginnings of names that a condition holds at most; where there were more, it holds for all. */
const NAMES_MAX = 1_000;

/** The first segment of a path, with which the scopes of a credential say what it is good for. */
const FIRST_SEGMENT = /^[A-Za-z0-9_-]+(?=\/)/;

/**
 * The condition on an object of the domain and its attributes under which a check of the context is allowed,
 * for names and attributes within the limits of registered ones. It says what policies say, so the caller
 * needs the permission to read them. With `namesOnly` it holds for more, and says only what allows: subjects
 * may ask for it about themselves. Returns what `write` makes of it; both are made in time slices, one plan
 * of a tenant at a time. It is on record when this returns, and so is a refusal when this throws. Throws
 * INVALID_CONTEXT, INVALID_ARGUMENT, TOKEN_INVALID, TENANT_REQUIRED, DOMAIN_NOT_ACCESSIBLE, ACCESS_DENIED,
 * limits, `request_timeout`.
 */
export async function planResources<T>(
  deps: SearchDeps & Pick<Deps, 'plans'>,
  caller: Caller,
  request:
    | {
        readonly context: RequestContext;
        readonly domainId: string;
        readonly namesOnly?: boolean;
        /** With `namesOnly`: what the paths of the names begin with. */
        readonly prefix?: string;
      }
    | DomainError,
  arrival: Arrival,
  write: (filter: Filter) => Generator<void, T>,
): Promise<T> {
  try {
    if (request instanceof DomainError) throw request;
    const domainId = requireUuid(request.domainId, 'domain_id');
    const claimed = [...request.context.keys()].find((key) => ASKED.test(key));
    if (claimed !== undefined) {
      throw new AuthzError(
        'INVALID_CONTEXT',
        `\`context.${claimed}\` must not be sent: the plan asks each resource for it`,
        { field: `context.${claimed}` },
      );
    }
    const { namesOnly = false } = request;
    const prefix = readPrefix(request.prefix ?? '', domainId);
    if (prefix !== '' && !namesOnly) throw invalidField('prefix', 'needs `names_only`');
    const [segment] = FIRST_SEGMENT.exec(prefix) ?? [];
    const placeholder = `${objectStart(domainId)}${segment === undefined ? '' : `${segment}/`}x`;
    const own = { ...request, page: {} };
    const context = searchContextOf(own, 'object', placeholder);
    const call = namesOnly ? callOfChecks(caller, [context]) : CALLS.PlanResources;
    const isPermitted = (reading: StateReader, { subject, check }: Asked) =>
      subject.isRoot ||
      (namesOnly && isOwnSearch(own, subject)) ||
      allows(reading, caller, subject, check.tenant, {
        action: 'read',
        path: `domains/${domainId}/policies`,
      });
    const entered = await enterSearch(deps, caller, call, context, isPermitted, 1);
    const known = without(entered.joined, 'object');
    const start = objectStart(domainId) + prefix;
    return await inTurnOf(deps, entered.tenant.id, arrival, async () => {
      const { filter, problems } = namesOnly
        ? { filter: namesFilter(entered.policies.reach(known), start), problems: [] }
        : await runInTimeSlices(entered.policies.plan(known), arrival);
      if (problems.some(({ code }) => code === 'set_freed')) {
        throw new AuthzError('DEPENDENCY_UNAVAILABLE', 'the policies have left the memory, try again', {
          retryAfterSeconds: RETRY_AFTER_SECONDS.conflict,
        });
      }
      const written = await runInTimeSlices(write(filter), arrival);
      const decision = await evaluateCheck(entered, arrival);
      const event = decideCheck(deps, caller, entered, arrival.startedAt, decision);
      const row = {
        ...noRequest(event, 'plan'),
        object: start,
        decision: filter.kind !== 'constant' || filter.value,
      };
      await deps.audit.record([row], arrival.traceparent);
      return written;
    });
  } catch (error) {
    const context = request instanceof DomainError ? null : request.context;
    return failCheck(deps, caller, error, context, arrival);
  }
}

/**
 * What `work` returns, which begins when no other of this kind is done for the tenant: plans and responses
 * that hold a set of policies. Errors: those of `work`, RATE_LIMITED, `request_timeout`.
 */
export async function inTurnOf<T>(
  { plans }: Pick<Deps, 'plans'>,
  tenantId: string,
  waiting: Waiting,
  work: () => Promise<T>,
): Promise<T> {
  const leave = await plans.enter(tenantId).catch(refuseFull);
  try {
    stopIfGone(waiting);
    return await work();
  } finally {
    leave();
  }
}

function refuseFull(error: unknown): never {
  if (!(error instanceof QueueFull)) throw error;
  throw new AuthzError('RATE_LIMITED', 'too many plans and reads of policies wait', {
    retryAfterSeconds: RETRY_AFTER_SECONDS.queue,
  });
}

/** The condition on names that begin with `start`. */
function namesFilter(ranges: readonly Range[], start: string): Filter {
  const within = intersect(ranges, [beginningWith(start)]);
  const match = (test: 'equals' | 'starts_with', text: string): Filter => ({
    kind: 'match',
    test,
    key: 'object',
    parts: [text],
  });
  if (within.length > NAMES_MAX) return match('starts_with', start);
  return anyOf(
    within.map((range) => {
      const { text, isWhole } = textOf(range);
      return match(isWhole ? 'equals' : 'starts_with', text);
    }),
  );
}
