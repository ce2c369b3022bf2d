import type { RegexMemo } from '@platform/decide/parts';
import { AuthzError, DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { DecisionPlan, StateReader } from '../authorization/decision-runner.ts';
import { tenantTake, userTakes, type Caller } from '../authorization/caller.ts';
import { CALLS, type Call } from '../authorization/calls.ts';
import { accessDenied, allows } from '../authorization/authorize.ts';
import { CHECK_RATE, failCheck, type Arrival } from '../audit/call-record.ts';
import { listedDetail, noRequest, type Searched } from '../model/search-row.ts';
import { requireUuid } from '../ids.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import type { SubjectState } from '../model/entities.ts';
import { objectStart, type Resource } from '../model/resource.ts';
import type { Page } from '../pages.ts';
import {
  CONTEXT_BYTES_MAX,
  CONTEXT_KEYS_MAX,
  CONTEXT_VALUES_MAX,
  readCheckContext,
  type CheckContext,
} from '../policy/check-context.ts';
import { beginningWith, behindText, exactly, intersect } from '../policy/ranges.ts';
import type { RequestContext } from '../policy/types.ts';
import type { Deps } from '../ports.ts';
import { givenResources, registeredResources, type Candidate } from '../search/candidates.ts';
import {
  collectPage,
  readSearchPage,
  type Collected,
  type SearchPage,
  type SearchPageRequest,
} from '../search/page.ts';
import {
  PATH_BYTES_MAX,
  readPrefix,
  readResources,
  RESOURCE_BYTES_MAX,
  RESOURCE_KEYS_MAX,
  RESOURCE_VALUES_MAX,
} from '../search/read-resource.ts';
import { inTurns, runInTimeSlices, stopIfGone } from '../time-slices.ts';
import {
  createCheckReader,
  decideCheck,
  evaluateCheck,
  readCheckCaller,
  shadow,
  type ReadCheck,
} from './check-authorization.ts';

export type SearchDeps = Pick<Deps, 'decisions' | 'audit' | 'now' | 'newCheckId' | 'stores' | 'shadows'>;

type Settle = (attributes: Map<string, string | readonly string[]>) => void;

/** What all searches are asked with. */
export interface SearchRequest {
  /** As in a check, without what is searched for. */
  readonly context: RequestContext;
  /** Attributes that entities have by their names, which nobody claims. */
  readonly derived?: RequestContext;
  /** Sets attributes that follow from others, once those of what is found are among them. */
  readonly settle?: Settle;
  readonly page: SearchPageRequest;
}

/**
 * A page of the resources of a domain on which a check of the context is allowed, with the attributes that
 * they are registered with in the place of the context's. The items are on record when this returns, and so
 * is a refusal when this throws. Throws INVALID_CONTEXT, INVALID_ARGUMENT, TOKEN_INVALID, TENANT_REQUIRED,
 * DOMAIN_NOT_ACCESSIBLE, ACCESS_DENIED, limits.
 */
export async function searchResources(
  deps: SearchDeps,
  caller: Caller,
  request:
    | (SearchRequest & {
        readonly domainId: string;
        readonly prefix: string;
        /** Looked through in the place of those that are registered. */
        readonly resources?: readonly Resource[] | undefined;
        /** Attributes that an object has by its name; null for what this search is not about. */
        readonly describe?: (object: string) => RequestContext | null;
      })
    | DomainError,
  arrival: Arrival,
): Promise<Page<string>> {
  try {
    if (request instanceof DomainError) throw request;
    const { describe } = request;
    const domainId = requireUuid(request.domainId, 'domain_id');
    const prefix = readPrefix(request.prefix, domainId);
    const given = request.resources && readResources(request.resources, domainId);
    const page = pageOf(request, [domainId, prefix, given?.map(({ object }) => object)]);
    const context = searchContextOf(request, 'object', `${objectStart(domainId)}x`);
    const entered = await enterSearch(deps, caller, CALLS.SearchResources, context, (reading, asked) => {
      const path = `domains/${domainId}/resources`;
      return (
        given !== undefined ||
        isOwnSearch(request, asked.subject) ||
        asked.subject.isRoot ||
        allows(reading, caller, asked.subject, asked.check.tenant, { action: 'read', path })
      );
    });
    const start = objectStart(domainId) + prefix;
    const narrowed = await inTurns(
      entered.tenant.id,
      (memo) => entered.policies.narrow(without(entered.joined, 'object'), memo),
      arrival,
    );
    const within = intersect(narrowed, [beginningWith(start)]);
    const found = await search(deps, caller, CALLS.SearchResources, {
      kind: 'object',
      entered,
      page,
      emptyName: start,
      batches:
        given === undefined
          ? registeredResources(
              deps.stores,
              domainId,
              page.after === null ? within : behindText(within, page.after),
              page.size + 1,
            )
          : givenResources(
              given.filter(({ object }) => object.startsWith(start)),
              page.after,
            ),
      describe: (candidate) => (describe === undefined ? [] : describe(candidate.name)),
      settle: request.settle,
      arrival,
    });
    return found;
  } catch (error) {
    const context = request instanceof DomainError ? null : request.context;
    return failCheck(deps, caller, error, context, arrival);
  }
}

/** The page of a search whose query is its context and `more`. Throws INVALID_ARGUMENT. */
export function pageOf({ context, derived, page }: SearchRequest, more: readonly unknown[]): SearchPage {
  const entries = [...context, ...(derived ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  return readSearchPage(page, [entries, more]);
}

/**
 * The context of a search as that of a check of `placeholder`, with room for the attributes that what is
 * found brings along. Throws INVALID_CONTEXT, INVALID_OBJECT_URI.
 */
export function searchContextOf(
  { context, derived = new Map() }: SearchRequest,
  searched: Searched,
  placeholder: string,
): CheckContext {
  if (context.has(searched)) {
    throw new AuthzError(
      'INVALID_CONTEXT',
      `\`context.${searched}\` must not be sent: it is what is searched for`,
      { field: `context.${searched}` },
    );
  }
  const read = readCheckContext(new Map([...context, ...derived, [searched, placeholder]]));
  let values = RESOURCE_VALUES_MAX;
  let bytes = RESOURCE_BYTES_MAX + PATH_BYTES_MAX;
  for (const [key, value] of read.values) {
    const list = typeof value === 'string' ? [value] : value;
    values += list.length;
    bytes += [key, ...list].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }
  const keys = read.values.size + RESOURCE_KEYS_MAX;
  if (keys > CONTEXT_KEYS_MAX || values > CONTEXT_VALUES_MAX || bytes > CONTEXT_BYTES_MAX) {
    throw new AuthzError(
      'INVALID_CONTEXT',
      `\`context\` must leave room for ${RESOURCE_KEYS_MAX} attributes of resources with ${RESOURCE_VALUES_MAX} values and ${RESOURCE_BYTES_MAX} bytes`,
      { field: 'context' },
    );
  }
  return read;
}

/** The caller, and the check that the search repeats. */
export interface Asked {
  readonly subject: SubjectState;
  readonly check: ReadCheck;
}

/**
 * Lets a search enter for one check, and returns that check with the placeholder. It takes `calls`: none for
 * what takes them once they are counted, which is refused here where nothing is left. Throws TOKEN_INVALID,
 * TENANT_REQUIRED, DOMAIN_NOT_ACCESSIBLE, ACCESS_DENIED, limits.
 */
export async function enterSearch(
  deps: Pick<Deps, 'decisions'>,
  caller: Caller,
  call: Call,
  context: CheckContext,
  isPermitted: (reading: StateReader, asked: Asked) => boolean,
  calls = 0,
): Promise<ReadCheck> {
  const entered = await deps.decisions.runDecision((reading): DecisionPlan<ReadCheck> => {
    const { subject, tenant } = readCheckCaller(reading, caller, call);
    const check = createCheckReader(reading, tenant)(context);
    if (!isPermitted(reading, { subject, check })) throw accessDenied();
    const quotas = [...userTakes(reading, subject, calls), tenantTake(reading, tenant, 'data_plane', calls)];
    return { result: check, quotas, rates: [{ key: tenant.id, ...CHECK_RATE }] };
  });
  await runInTimeSlices(entered.policies.prepare());
  return entered;
}

/**
 * Whether callers ask about themselves alone. They may list what they would be allowed, but claim no
 * attributes: by one that is not theirs they would learn the names of what another one may see.
 */
export function isOwnSearch({ context }: SearchRequest, subject: SubjectState): boolean {
  const claims = [...context.keys()].filter((key) => !['subject', 'action', 'object'].includes(key));
  return context.get('subject') === subject.id && claims.length === 0;
}

/** What a search goes through. */
interface SearchWork {
  readonly kind: Searched;
  readonly entered: ReadCheck;
  readonly page: SearchPage;
  /** What the row of a search says that found nothing. */
  readonly emptyName: string;
  readonly batches: AsyncIterable<readonly Candidate[]>;
  /** Attributes by name, which stand in the place of others; null for what the search is not about. */
  readonly describe: (candidate: Candidate) => Iterable<readonly [string, string | readonly string[]]> | null;
  readonly settle: Settle | undefined;
  readonly arrival: Arrival;
}

/** Candidates looked at for each call that a search takes besides those of the items that it lists. */
const EXAMINED_PER_CALL = 1_000;

/** Checks the candidates up to the end of the page, takes the calls and writes the rows. */
export async function search(
  deps: SearchDeps,
  caller: Caller,
  call: Call,
  { kind, entered, page, emptyName, batches, describe, settle, arrival }: SearchWork,
): Promise<Page<string>> {
  const known = without(entered.joined, kind);
  const decide = (candidate: Candidate, memo: RegexMemo): Found | null => {
    const described = describe(candidate);
    if (described === null) return null;
    const joined = new Map([...known, ...candidate.attributes, ...described, [kind, candidate.name]]);
    settle?.(joined);
    const decision = entered.policies.evaluate(joined, memo);
    if (decision.problems.some(({ code }) => code === 'set_freed')) {
      throw new AuthzError('DEPENDENCY_UNAVAILABLE', 'the policies have left the memory, try again', {
        retryAfterSeconds: RETRY_AFTER_SECONDS.conflict,
      });
    }
    if (!decision.allowed) return null;
    const check = { ...entered, context: { ...entered.context, [kind]: candidate.name }, joined };
    const event = decideCheck(deps, caller, check, arrival.startedAt, decision);
    return { name: candidate.name, check, event: { ...event, detail: listedDetail(event.detail, kind) } };
  };
  const found = await collectPage(batches, decide, page, arrival);
  await takeCalls(deps, caller, call, found);
  stopIfGone(arrival);
  const rows = found.listed.map(({ event }) => event);
  const none = async () => {
    const event = decideCheck(
      deps,
      caller,
      entered,
      arrival.startedAt,
      await evaluateCheck(entered, arrival),
    );
    return { ...noRequest(event, kind), [kind]: emptyName, decision: false };
  };
  await deps.audit.record(rows.length > 0 ? rows : [await none()], arrival.traceparent);
  for (const { check, event } of found.listed) shadow(deps, check, event);
  return { items: found.listed.map(({ name }) => name), nextPageToken: found.nextPageToken };
}

/** An item that a search lists, decided. */
interface Found {
  readonly name: string;
  readonly check: ReadCheck;
  readonly event: AuditEvent;
}

/** Takes what the search cost, all at once: a refused call takes nothing. */
async function takeCalls(
  { decisions }: SearchDeps,
  caller: Caller,
  call: Call,
  { listed, examined }: Collected<unknown>,
): Promise<void> {
  const calls = Math.max(listed.length, 1) + Math.floor(examined / EXAMINED_PER_CALL);
  await decisions.runDecision((reading): DecisionPlan<null> => {
    const { subject, tenant } = readCheckCaller(reading, caller, call);
    const quotas = [...userTakes(reading, subject, calls), tenantTake(reading, tenant, 'data_plane', calls)];
    return { result: null, quotas };
  });
}

/** The attributes that the object is registered with. */
export async function registeredAttributes(
  { stores }: Pick<Deps, 'stores'>,
  { domainId, object }: CheckContext,
): Promise<RequestContext> {
  const [resource] = await stores.resources.list(domainId, [exactly(object)], 1);
  return resource?.attributes ?? new Map();
}

export function without(context: RequestContext, key: string): Map<string, string | readonly string[]> {
  const rest = new Map(context);
  rest.delete(key);
  return rest;
}
