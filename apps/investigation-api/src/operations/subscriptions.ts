import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { findSession, loadAuthorizedSession, sessionNotFound } from '../access/session-access.ts';
import type { Operation, SessionDeps } from '../ports.ts';
import type { SessionRef } from '../store/session-store.ts';
import { DOCUMENTS_FEED } from '../store/watch-store.ts';
import type { NewSubscription, SequencedEvent, Subscription, WatchEvent } from '../store/watch-store.ts';
import { readInput, refuse } from '../wire/read-input.ts';
import {
  ListEvents,
  StreamEvents,
  SubscriptionReference,
  type CreatedSubscription,
  type CreateSubscriptionRequest,
  type ReplayResponse,
  type SubscriptionEvent,
  type SubscriptionResponse,
} from '../wire/watch-schema.ts';
import { numbered, policiesPath } from '../model/followed-event.ts';
import { DOCUMENT_RULE, POLICY_RULE } from '../model/watch-rules.ts';
import { isServed } from './read-public-share.ts';
import { readableEvents } from './shared/readable-events.ts';
import { SessionReference } from '../wire/session-schema.ts';

type SubscriptionView = z.output<typeof SubscriptionResponse>;

/** Subscriptions of one user on one session: a colleague does not use up those of the owner. */
const PER_USER_MAX = 20;

/**
 * Makes a subscription of the caller on a session that they may read. Its rules compare with the last
 * judgement; changes of documents and policies are told from now on, to callers who may read them. A
 * webhook is the session owner's alone, because nothing is at hand when it is sent that could show a
 * colleague's right to read. It ends with its maker, and with the API key or program that it was made
 * with. Throws `conflict` where there are too many, `failed_precondition` where nothing is followed,
 * `permission_denied` for the webhook of a colleague, `unprocessable` for one that the administrator has not
 * allowed.
 */
export const createSubscription: Operation<z.output<typeof CreatedSubscription>> = async (
  deps,
  input,
  caller,
) => {
  const { session_id, ...request } = await deps.inputs.read('create_subscription', input);
  const { ref, head } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const webhookUrl = request.webhook_url ?? null;
  if (webhookUrl !== null) {
    if (head.ownerId !== caller.id)
      throw new DomainError('permission_denied', 'webhook_url: is for the owner of the session alone', {
        remedy: 'subscribe without it and read the events',
      });
    const refusal = deps.webhooks.refusal(webhookUrl);
    if (refusal !== null) throw refuse([`webhook_url: ${refusal}`]);
  }
  const documentsSince = request.rules.includes(DOCUMENT_RULE) ? await documentsNow(deps, caller) : null;
  const policies = await policiesNow(deps, request, caller);
  const secret = webhookUrl === null ? null : deps.webhooks.newSecret();
  const subscription = {
    id: deps.newId(),
    subscriberId: caller.id,
    lease: caller.leases?.credential ?? null,
    request: JSON.stringify(kept({ ...request, domain_id: policies?.domainId })),
    webhookUrl,
    secret,
    documentsSince,
    policies,
    now: deps.now(),
  };
  const outcome = await deps.watch.subscribe(ref, subscription, {
    perUser: PER_USER_MAX,
    perTenant: deps.config.subscriptionsMax,
  });
  if (outcome === 'no_session') throw sessionNotFound();
  if (outcome === 'too_many')
    throw new DomainError(
      'conflict',
      `you may have ${PER_USER_MAX} subscriptions on a session, and your tenant ${deps.config.subscriptionsMax} in all`,
      { remedy: 'delete_subscription makes room' },
    );
  return {
    ...toResponse(session_id, {
      ...subscription,
      createdAt: subscription.now,
      pausedAt: null,
      pauseReason: null,
      lastNumber: 0,
      problem: await unknownSubject(deps, ref, request.subject_id ?? null),
    }),
    secret,
  };
};

/**
 * Where the changes of the tenant's documents stand. Throws `failed_precondition` and `permission_denied`.
 */
async function documentsNow({ follower }: SessionDeps, { tenantId, scopes }: Caller): Promise<number> {
  const since = tenantId === null ? null : await follower.presentDocuments(tenantId);
  if (since === null) throw notFollowed(DOCUMENT_RULE, 'documents');
  if (!scopes.includes('documents'))
    throw new DomainError('permission_denied', 'rules: document_changed needs the scope `documents`', {
      remedy: 'subscribe without it, or with a credential that has the scope',
    });
  return since;
}

/**
 * The domain whose policies the caller listens for, and the version that they have; null = none. Throws
 * `unprocessable`, `failed_precondition` and `permission_denied`.
 */
async function policiesNow(
  { follower, permissions }: SessionDeps,
  { rules, domain_id }: z.output<typeof CreateSubscriptionRequest>,
  caller: Caller,
): Promise<NewSubscription['policies']> {
  if (!rules.includes(POLICY_RULE)) {
    if (domain_id == null) return null;
    throw refuse([`domain_id: is for the rule ${POLICY_RULE}, which is not among the rules`]);
  }
  const domainId = domain_id?.toLowerCase() ?? caller.rootDomainId;
  if (caller.tenantId === null || domainId === null) throw notFollowed(POLICY_RULE, 'read');
  const [mayRead] = await permissions.mayRead(caller, [policiesPath(domainId)]);
  if (mayRead !== true)
    throw new DomainError('permission_denied', `rules: ${POLICY_RULE} is for readers of the policies`, {
      remedy: `it needs the scope \`read\` and a policy that allows \`read\` on ${policiesPath(domainId)}`,
    });
  const since = await follower.presentPolicies(caller.tenantId, domainId);
  if (since === 'no_key') throw notFollowed(POLICY_RULE, 'read');
  if (since !== 'no_domain') return { domainId, since };
  throw refuse([
    'domain_id: your tenant has no such domain, or the account of the key may not read its policies',
  ]);
}

function notFollowed(rule: string, scope: string): DomainError {
  return new DomainError(
    'failed_precondition',
    `rules: ${rule} is not available for your tenant: INVESTIGATION_WATCH_KEYS holds no key of it with the scope \`${scope}\``,
    { remedy: 'subscribe without it, or ask the administrator for the key' },
  );
}

/** The caller's own subscriptions on a session, the oldest first. */
export const listSubscriptions: Operation<SubscriptionView[]> = async (deps, input, caller) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const found = await deps.watch.listSubscriptions(ref, caller.id);
  return Promise.all(
    found.map(async (one) => toResponse(session_id, { ...one, problem: await problemOf(deps, ref, one) })),
  );
};

/** Of a subscription of which nothing else is served any more. */
const ENDED =
  'the API key, program or user that it was made by has ended or is suspended, and it tells nothing: end it and subscribe anew';

/** Why no question is followed where the subject is unknown, as misspelt or not yet added; else null. */
async function unknownSubject(deps: SessionDeps, ref: SessionRef, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const found = await deps.sessions.readEntity(ref, { kind: 'subjects', id });
  return found === 'no_entity' ? 'subject_id: the session has no such subject at present' : null;
}

/**
 * Why a subscription fires nothing at present, delivers nothing, or is not told about what it follows; null =
 * it does all of it.
 */
async function problemOf(
  deps: SessionDeps,
  ref: SessionRef,
  subscription: Subscription,
): Promise<string | null> {
  const { tenantId } = ref;
  const { follower } = deps;
  const { id, request, webhookUrl, lastNumber } = subscription;
  if (!(await isServed(deps, { ...subscription, tenantId }))) return ENDED;
  const refusal = webhookUrl === null ? null : deps.webhooks.refusal(webhookUrl);
  if (refusal !== null) return `webhook_url: ${refusal}`;
  if (webhookUrl !== null && lastNumber > 0) {
    const [last] = await deps.watch.listEvents(id, { after: lastNumber - 1, limit: 1 });
    if (last?.delivery === 'parked')
      return `the last delivery was given up: ${last.problem ?? 'it failed'}; replay_deliveries sends again what was given up`;
  }
  const { rules, domain_id = null, subject_id } = JSON.parse(request) as KeptRequest;
  const unknown = await unknownSubject(deps, ref, subject_id);
  if (unknown !== null) return unknown;
  const followed = [
    { rule: DOCUMENT_RULE, feed: rules.includes(DOCUMENT_RULE) ? DOCUMENTS_FEED : null },
    { rule: POLICY_RULE, feed: domain_id },
  ];
  for (const { rule, feed } of followed) {
    const problem = feed === null ? null : await follower.problemOf(tenantId, feed);
    if (problem !== null) return `${rule}: ${problem}`;
  }
  return null;
}

/**
 * Pauses a subscription of the caller, or resumes it. A paused one fires nothing, and what it fired before
 * waits for its delivery. Resumed, it compares the latest judgement with the last one that it looked at: what
 * moved meanwhile is one event of a rule, however many judgements there were. Throws `not_found`.
 */
export const updateSubscription: Operation<SubscriptionView> = async (deps, input, caller) => {
  const { session_id, subscription_id, paused } = await deps.inputs.read('update_subscription', input);
  const { ref } = await loadSubscription(deps, caller, session_id, subscription_id);
  const change = { isPaused: paused, now: deps.now() };
  if (!(await deps.watch.pause(ref, caller.id, subscription_id, change))) throw noSubscription();
  const updated = await loadSubscription(deps, caller, session_id, subscription_id);
  return toResponse(session_id, { ...updated, problem: await problemOf(deps, ref, updated) });
};

/**
 * Ends a subscription of the caller, who need not be allowed to read the session; its events go with it.
 * Throws `not_found`.
 */
export const deleteSubscription: Operation<null> = async (deps, input, caller) => {
  const { session_id, subscription_id } = readInput(SubscriptionReference, input);
  const { ref } = await findSession(deps, caller, session_id);
  if (await deps.watch.unsubscribe(ref, caller.id, subscription_id)) return null;
  await loadAuthorizedSession(deps, caller, session_id, 'read');
  throw noSubscription();
};

/**
 * What a subscription fired, by number, and what became of each delivery; the next page begins after the
 * number of the last event. Throws `not_found`.
 */
export const listSubscriptionEvents: Operation<z.output<typeof SubscriptionEvent>[]> = async (
  deps,
  input,
  caller,
  { onNextPage },
) => {
  const { session_id, subscription_id, limit, ...query } = readInput(ListEvents, input);
  await loadSubscription(deps, caller, session_id, subscription_id);
  const found = await deps.watch.listEvents(subscription_id, { ...query, limit: limit + 1 });
  const events = found.slice(0, limit);
  if (found.length > limit) onNextPage?.(events.at(-1)!.number);
  return (await readableEvents(deps, caller, events)).map(toEvent);
};

/** Events of one page of a stream. */
const STREAM_PAGE = 50;
export type StreamedEvent = SequencedEvent;

/**
 * Where a stream of the caller's events on a session begins: behind `lastEventId`, else behind `after`, else
 * behind the last event there is. Throws `unprocessable`, `not_found`.
 */
export async function openSessionEvents(
  deps: SessionDeps,
  input: unknown,
  lastEventId: unknown,
  caller: Caller,
): Promise<{ readonly ref: SessionRef; readonly cursor: number }> {
  const { session_id, after } = readInput(StreamEvents, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const from = lastEventId ?? after;
  if (from === undefined)
    return { ref, cursor: await deps.watch.lastSequence(await ownIds(deps, ref, caller)) };
  const field = lastEventId == null ? 'after' : 'Last-Event-ID';
  if (typeof from !== 'number') throw refuse([`${field}: must be the id of an event`]);
  const last = await deps.watch.lastOfSession(ref);
  if (from > last)
    throw refuse([`${field}: ${from} is the id of no event: the last one of the session has ${last}`]);
  return { ref, cursor: from };
}

/** The next page of such a stream. Throws `not_found` when the caller may not read the session any more. */
export async function readSessionEvents(
  deps: SessionDeps,
  { session_id, after }: { readonly session_id: string; readonly after: number },
  caller: Caller,
): Promise<readonly StreamedEvent[]> {
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const events = await deps.watch.listSequence(await ownIds(deps, ref, caller), after, STREAM_PAGE);
  const readable = await readableEvents(deps, caller, events);
  return readable.map((event) => ({ ...event, body: numbered(event.body, event.number) }));
}

/** The caller's subscriptions that have not ended. */
async function ownIds(deps: SessionDeps, ref: SessionRef, caller: Caller): Promise<string[]> {
  const found = await deps.watch.listSubscriptions(ref, caller.id);
  const served = await Promise.all(found.map((one) => isServed(deps, { ...one, tenantId: ref.tenantId })));
  return found.filter((_, index) => served[index]).map(({ id }) => id);
}

/**
 * Delivers an event of a webhook again, or all that are parked, under their old ids. Throws `not_found` for
 * an event that the subscription does not have or that has no webhook.
 */
export const replayDeliveries: Operation<z.output<typeof ReplayResponse>> = async (deps, input, caller) => {
  const { session_id, subscription_id, event_id } = await deps.inputs.read('replay_deliveries', input);
  await loadSubscription(deps, caller, session_id, subscription_id);
  const replayed = await deps.watch.replay(subscription_id, event_id ?? null, deps.now());
  if (event_id != null && replayed === 0)
    throw new DomainError('not_found', 'the subscription has no such event with a webhook', {
      remedy: 'list_subscription_events lists its events',
    });
  return { replayed };
};

async function loadSubscription(
  deps: SessionDeps,
  caller: Caller,
  sessionId: string,
  subscriptionId: string,
): Promise<Subscription & { readonly ref: SessionRef }> {
  const { ref } = await loadAuthorizedSession(deps, caller, sessionId, 'read');
  const found = await deps.watch.listSubscriptions(ref, caller.id);
  const one = found.find(({ id }) => id === subscriptionId.toLowerCase());
  // A user who left and came back subscribes anew, as with shares.
  if (one === undefined || !(await isServed(deps, { ...one, tenantId: ref.tenantId })))
    throw noSubscription();
  return { ...one, ref };
}

function noSubscription(): DomainError {
  return new DomainError('not_found', 'you have no such subscription on the session', {
    remedy: 'list_subscriptions lists yours',
  });
}

type KeptRequest = Omit<ReturnType<typeof kept>, 'domain_id'> & { readonly domain_id?: string | null };

/** What is kept of a request: each rule once. */
function kept({
  rules,
  chance_step,
  subject_id,
  predicate,
  domain_id,
}: z.output<typeof CreateSubscriptionRequest>) {
  return {
    rules: [...new Set(rules)],
    chance_step,
    subject_id: subject_id ?? null,
    predicate: predicate ?? null,
    domain_id: domain_id ?? null,
  };
}

function toResponse(
  session_id: string,
  {
    id,
    request,
    webhookUrl,
    createdAt,
    pausedAt,
    pauseReason,
    lastNumber,
    problem,
  }: Pick<
    Subscription,
    'id' | 'request' | 'webhookUrl' | 'createdAt' | 'pausedAt' | 'pauseReason' | 'lastNumber'
  > &
    Pick<SubscriptionView, 'problem'>,
): SubscriptionView {
  return {
    id,
    session_id,
    // Subscriptions of before there was this rule.
    domain_id: null,
    ...(JSON.parse(request) as KeptRequest),
    webhook_url: webhookUrl,
    created_at: createdAt.toISOString(),
    paused_at: pausedAt?.toISOString() ?? null,
    last_number: lastNumber,
    problem: pauseReason ?? problem,
  };
}

function toEvent(event: WatchEvent): z.output<typeof SubscriptionEvent> {
  return {
    id: event.id,
    number: event.number,
    ...(JSON.parse(event.body) as Pick<z.output<typeof SubscriptionEvent>, 'type' | 'timestamp' | 'data'>),
    delivery: event.delivery,
    attempts: event.attempts,
    next_attempt_at: event.nextAttemptAt?.toISOString() ?? null,
    delivered_at: event.deliveredAt?.toISOString() ?? null,
    problem: event.problem,
  };
}
