import { DomainError } from '@platform/error-contracts';
import type { Leases } from '@platform/authz-client';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { AnalysisPool } from '../engine/analysis-pool.ts';
import {
  followedEvent,
  inEvents,
  numbered,
  pathOf,
  pathsOf,
  withReadable,
  type FollowedChanges,
} from '../model/followed-event.ts';
import type { WatchedQuestions } from '../model/watch-rules.ts';
import type { TakenChange, TakenDelivery, WatchStore } from '../store/watch-store.ts';
import type { Follower } from './follower.ts';
import type { SendWebhook } from './webhook.ts';

/** Runs rules and delivers what they fire, in every replica at once. */
export interface Watcher {
  /** Does all that is due now, and ends. For commands and tests. */
  runOnce(): Promise<void>;
  /** Looks soon: this replica has kept a judgement or a subscription, or asked for a delivery. */
  wake(): void;
  close(): Promise<void>;
}

export interface WatcherOptions {
  readonly store: WatchStore;
  readonly analysis: Pick<AnalysisPool, 'watch'>;
  readonly leases: Leases | null;
  readonly send: SendWebhook;
  /** Asked what subscribers may read before they are told about documents and policies. */
  readonly follower: Pick<Follower, 'mayRead'>;
  readonly now: () => Date;
  /** Makes a random UUID. */
  readonly newId: () => string;
  /** 0 up to 1, for jitter. */
  readonly random: () => number;
  /** Waits before the second and every later attempt; after the last the event is parked. Seconds. */
  readonly retrySeconds: readonly number[];
  readonly logger: Logger;
  readonly registry: Registry;
  /** Longest between two looks, for what a replica that died has left. Milliseconds. */
  readonly idleMs: number;
  /** Called after events were kept. */
  readonly onFired: () => void;
}

/** What is taken is another process's after these times. Milliseconds; longer than the work may take. */
const CHANGE_TAKEN_MS = 60_000;
const DELIVERY_TAKEN_MS = 20_000;
/** Attempts at looking at a judgement, and the wait between them. */
const CHANGE_ATTEMPTS_MAX = 10;
const CHANGE_RETRY_MS = 5_000;
/** Wait before what was followed is told or sent again, which is never given up. */
const CHANGES_RETRY_MS = 30_000;
/** After no response nobody is asked for this time, so that what has no need to ask does not wait behind. */
const UNANSWERED_MS = 5_000;
/** Messages on their way at once, and those of one tenant. */
const IN_FLIGHT_MAX = 16;
const IN_FLIGHT_OF_TENANT_MAX = 4;
/** Shortest time between two looks that were asked for, once one found something that is not readable yet. */
const WAKE_MS = 100;
const BUSY_MS = 1_000;
/** Share of a wait that is left to chance. */
const JITTER = 0.2;
/** An event of a user who is suspended is looked at again after this time. Milliseconds. */
const SUSPENDED_MS = 300_000;
const SECOND_MS = 1_000;

/**
 * The deliverer. Each outbox row is looked at by the rules of its session's subscriptions; what they fire and
 * what they remember is kept in the transaction that removes the row, so that each rule fires once, no
 * matter which process dies meanwhile. A webhook is sent until its receiver takes it, always under the same
 * id.
 */
export function createWatcher(options: WatcherOptions): Watcher {
  const {
    store,
    analysis,
    leases,
    send,
    follower,
    now,
    newId,
    random,
    retrySeconds,
    idleMs,
    logger,
    registry,
  } = options;
  const stopped = new AbortController();
  const fired = new Counter({
    name: 'investigation_watch_events_total',
    help: 'Events that subscriptions fired.',
    labelNames: ['rule'],
    registers: [registry],
  });
  const deliveries = new Counter({
    name: 'investigation_watch_deliveries_total',
    help: 'Attempts to deliver an event to a webhook.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // A series that begins at 0 shows its first step to a rate.
  for (const outcome of ['delivered', 'failed', 'parked']) deliveries.inc({ outcome }, 0);
  new Gauge({
    name: 'investigation_watch_oldest_undelivered_seconds',
    help: 'Age of the oldest event that waits for its delivery; 0 = none waits.',
    registers: [registry],
    async collect() {
      const oldest = await store.oldestUndelivered().catch(() => null);
      this.set(oldest === null ? 0 : Math.max(0, (now().getTime() - oldest.getTime()) / SECOND_MS));
    },
  });
  const inFlight = new Map<TakenDelivery, Promise<void>>();

  const isServed = (of: { tenantId: string; servedBy: string | null; wasActive: boolean }) =>
    leases === null || of.servedBy === null
      ? Promise.resolve(true)
      : leases.isActive({ owner: of.tenantId, lease: of.servedBy, wasActive: of.wasActive });

  const after = (ms: number) => new Date(now().getTime() + ms);

  let unanswered: { readonly error: DomainError; readonly until: Date } | null = null;
  /** Those of the paths below which the subscriber may read now. */
  async function readable(
    { tenantId, subscriberId }: { readonly tenantId: string; readonly subscriberId: string },
    all: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (unanswered !== null && now() < unanswered.until) throw unanswered.error;
    const paths = [...new Set(all)];
    const allowed = await follower.mayRead(tenantId, subscriberId, paths).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'unavailable')
        unanswered = { error, until: after(UNANSWERED_MS) };
      throw error;
    });
    return new Set(paths.filter((_, index) => allowed[index]));
  }

  /** Tells a subscription of what was followed; a subscriber who may read none of it is told nothing. */
  async function tellOf(change: TakenChange, { rule, items }: FollowedChanges): Promise<void> {
    const { tenantId, sessionId, sessionName } = change;
    const [subscription] = change.subscriptions;
    if (subscription === undefined) return void (await store.finishChange(change, [], now()));
    // They may come back; the subscription of those who do not is erased, with this.
    if (!(await isServed({ tenantId, ...subscription })))
      return store.returnChange(change, after(SUSPENDED_MS));
    const paths = await readable({ tenantId, subscriberId: subscription.subscriberId }, items.map(pathOf));
    const shown = items.filter((item) => paths.has(pathOf(item)));
    const named = { subscription_id: subscription.id, session_id: sessionId, session_name: sessionName };
    const events = inEvents(shown).map((items) => {
      const id = newId();
      return { id, rule, ...followedEvent({ id, ...named }, rule, items) };
    });
    if (!(await store.finishChange(change, [{ subscriptionId: subscription.id, events }], now()))) return;
    if (events.length === 0) return;
    fired.inc({ rule }, events.length);
    options.onFired();
  }

  async function look(change: TakenChange): Promise<void> {
    if (change.changes !== null) return tellOf(change, change.changes);
    const { judgement, tenantId, sessionId, sessionName, subscriptions } = change;
    const served = await Promise.all(subscriptions.map((one) => isServed({ tenantId, ...one })));
    const active = subscriptions.filter((_, index) => served[index]);
    const outcomes =
      active.length === 0
        ? []
        : await analysis.watch(
            {
              judgement:
                judgement === null
                  ? null
                  : {
                      id: judgement.id,
                      judgedAtMs: judgement.judgedAt.getTime(),
                      revision: judgement.revision,
                      result: judgement.result,
                      quotes: judgement.quotes,
                      inputSnapshot: judgement.inputSnapshot,
                    },
              nowMs: now().getTime(),
              subscriptions: active.map(({ request, state }) => ({ watched: watchedOf(request), state })),
            },
            { signal: stopped.signal, owner: tenantId },
          );
    const kept = outcomes.map(({ state, dueAt, documents: quoted, firings }, index) => ({
      subscriptionId: active[index]!.id,
      remembered: { state, dueAt: dueAt === null ? null : new Date(dueAt), documents: quoted },
      events: firings.map(({ rule, judgementId, at, ...rest }) => {
        const id = newId();
        const data = {
          id,
          subscription_id: active[index]!.id,
          session_id: sessionId,
          session_name: sessionName,
          judgement_id: judgementId,
          ...rest,
        };
        const timestamp = new Date(at).toISOString();
        return { id, rule, at: new Date(at), body: JSON.stringify({ type: rule, timestamp, data }) };
      }),
    }));
    if (!(await store.finishChange(change, kept, now()))) return;
    const rules = kept.flatMap(({ events }) => events.map(({ rule }) => rule));
    for (const rule of rules) fired.inc({ rule });
    if (rules.length > 0) options.onFired();
  }

  async function lookAtAll(): Promise<void> {
    await store.wakeDue(now());
    for (;;) {
      if (stopped.signal.aborted) return;
      const change = await store.takeChange(now(), after(CHANGE_TAKEN_MS));
      if (change === null) return;
      try {
        await look(change);
      } catch (err) {
        if (stopped.signal.aborted) return;
        // What was followed is told once it can be asked again who may read it.
        const isLast =
          change.attempts >= CHANGE_ATTEMPTS_MAX &&
          change.changes === null &&
          !(err instanceof DomainError && err.kind === 'unavailable');
        logger.error(
          { err, attempts: change.attempts },
          isLast ? 'a judgement is not watched' : 'watching failed, trying again',
        );
        if (isLast) await store.finishChange(change, [], now());
        else
          await store.returnChange(
            change,
            after(change.changes === null ? CHANGE_RETRY_MS : CHANGES_RETRY_MS),
          );
      }
    }
  }

  /** What is sent of an event; null = nothing, for the subscriber may not read any of its items now. */
  async function readableBody(delivery: TakenDelivery): Promise<string | null> {
    const paths = pathsOf(delivery);
    if (paths.length === 0) return delivery.body;
    const shown = await readable(delivery, paths);
    return shown.size === 0 ? null : withReadable(delivery, (path) => shown.has(path));
  }

  async function deliver(delivery: TakenDelivery): Promise<void> {
    const at = now();
    if (!(await isServed(delivery)))
      return store.postponeDelivery(
        delivery,
        after(SUSPENDED_MS),
        'the subscriber is suspended or has ended',
      );
    const { webhookUrl: url, secret, id, number, attempts } = delivery;
    const body = await readableBody(delivery).catch((err: unknown) => {
      logger.warn({ err }, 'it cannot be asked what a subscriber may read');
      return undefined;
    });
    if (body === undefined)
      return store.postponeDelivery(
        delivery,
        after(CHANGES_RETRY_MS),
        'it could not be asked whether the subscriber may read what changed',
      );
    if (body === null) {
      const problem = 'the subscriber may not read what changed any more';
      deliveries.inc({ outcome: 'parked' });
      return store.finishDelivery(delivery, { deliveredAt: null, nextAttemptAt: null, problem });
    }
    const message = { url, secret, id, body: numbered(body, number), now: at };
    const result = await send(message, stopped.signal);
    // The attempt was cut off: another process repeats it, under the same id.
    if (stopped.signal.aborted && result !== null) return;
    if (result === null) {
      deliveries.inc({ outcome: 'delivered' });
      return store.finishDelivery(delivery, { deliveredAt: now(), nextAttemptAt: null, problem: null });
    }
    const wait = result.isFinal ? undefined : retrySeconds[attempts - 1];
    deliveries.inc({ outcome: wait === undefined ? 'parked' : 'failed' });
    const jittered = (wait ?? 0) * SECOND_MS * (1 + JITTER * (2 * random() - 1));
    const waitMs = Math.max(jittered, result.retryAfterMs ?? 0);
    const nextAttemptAt = wait === undefined ? null : new Date(now().getTime() + waitMs);
    const problem = result.isFinal
      ? `${result.problem}: it wants no more, and the subscription was paused`
      : result.problem;
    await store.finishDelivery(
      delivery,
      { deliveredAt: null, nextAttemptAt, problem },
      result.isFinal ? now() : null,
    );
  }

  async function deliverDue(): Promise<void> {
    for (;;) {
      const room = IN_FLIGHT_MAX - inFlight.size;
      if (room <= 0 || stopped.signal.aborted) return;
      const busy = [...inFlight.keys()];
      const ofTenant = (tenant: string) => busy.filter(({ tenantId }) => tenantId === tenant).length;
      const taken = await store.takeDeliveries(now(), after(DELIVERY_TAKEN_MS), {
        limit: room,
        withoutTenants: busy
          .map(({ tenantId }) => tenantId)
          .filter((tenant) => ofTenant(tenant) >= IN_FLIGHT_OF_TENANT_MAX),
        withoutSubscriptions: busy.map(({ subscriptionId }) => subscriptionId),
      });
      if (taken.length === 0) return;
      for (const delivery of taken) {
        const work = deliver(delivery)
          .catch((err: unknown) => logger.warn({ err }, 'a delivery failed'))
          .finally(() => {
            inFlight.delete(delivery);
            wake();
          });
        inFlight.set(delivery, work);
      }
    }
  }

  async function pass(): Promise<void> {
    await lookAtAll();
    await deliverDue();
  }

  /** One statement where nothing is due. Returns how long nothing is. Milliseconds. */
  async function lookIfDue(): Promise<number> {
    const due = await store.nextDue();
    if (due === null || due > now()) return untilDue(due);
    await pass();
    return Math.max(BUSY_MS, untilDue(await store.nextDue()));
  }
  const untilDue = (due: Date | null) =>
    due === null ? idleMs : Math.min(idleMs, Math.max(0, due.getTime() - now().getTime()));

  let running: Promise<void> | null = null;
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;
  function lookIn(ms: number): void {
    clearTimeout(timer);
    if (stopped.signal.aborted) return;
    timer = setTimeout(start, ms).unref();
  }
  function start(): void {
    isAsked = false;
    running = lookIfDue()
      .catch((err: unknown) => {
        logger.warn({ err }, 'watching failed');
        return BUSY_MS;
      })
      .then((ms) => {
        running = null;
        lookIn(isAsked ? WAKE_MS : ms);
      });
  }
  function wake(): void {
    if (isAsked) return;
    isAsked = true;
    if (running === null) lookIn(WAKE_MS);
  }
  wake();

  return {
    async runOnce() {
      await pass();
      while (inFlight.size > 0) {
        await Promise.all(inFlight.values());
        await deliverDue();
      }
    },
    wake,
    async close() {
      clearTimeout(timer);
      stopped.abort();
      await running;
      await Promise.all(inFlight.values());
    },
  };
}

function watchedOf(request: string): WatchedQuestions {
  const { rules, chance_step, subject_id, predicate } = JSON.parse(request) as {
    rules: string[];
    chance_step: number;
    subject_id: string | null;
    predicate: string | null;
  };
  return { rules, chanceStep: chance_step, subjectId: subject_id, predicate };
}
