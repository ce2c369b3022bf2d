import type { KeptByLease } from './kept-by-lease.ts';
import type { FollowedChanges, QuotedDocument } from '../model/followed-event.ts';
import type { SessionRef } from './session-store.ts';

export interface NewSubscription {
  /** The id is a UUID. */
  readonly id: string;
  readonly subscriberId: string;
  /** Lease of authz-grpc that it ends with; null = it needs none. */
  readonly lease: string | null;
  /** JSON of the rules and what narrows them; kept to the byte. */
  readonly request: string;
  readonly webhookUrl: string | null;
  /** Of a webhook, what its messages are signed with. */
  readonly secret: string | null;
  /** Where the changes of the tenant's documents stand; null = it does not listen for them. */
  readonly documentsSince: number | null;
  /** The domain whose policies it listens for, and the version that they have; null = none. */
  readonly policies: { readonly domainId: string; readonly since: number } | null;
  readonly now: Date;
}

/** What is followed: `documents` = the changes of a tenant's documents; else the domain with this id. */
export type Feed = string;
export const DOCUMENTS_FEED: Feed = 'documents';

/** Most subscriptions of one user on one session, and of all sessions of a tenant. */
export interface SubscriptionLimits {
  readonly perUser: number;
  readonly perTenant: number;
}

export interface Subscription {
  readonly id: string;
  readonly subscriberId: string;
  readonly request: string;
  readonly webhookUrl: string | null;
  readonly createdAt: Date;
  /** Since when it fires and delivers nothing; null = it is not paused. */
  readonly pausedAt: Date | null;
  /** Why its receiver had it paused; null = its user did. */
  readonly pauseReason: string | null;
  /** Number of its last event; 0 = none. */
  readonly lastNumber: number;
  /** Of the lease that it ends with, as in `PublicShare`. */
  readonly servedBy: string | null;
  readonly wasActive: boolean;
}

/** What has become of an event's delivery: none = there is no webhook; parked = given up until replayed. */
export type Delivery = 'none' | 'pending' | 'delivered' | 'parked';

export interface WatchEvent {
  /** UUID; the same in every attempt. */
  readonly id: string;
  /** 1, 2, 3, … in its subscription. */
  readonly number: number;
  readonly rule: string;
  /** JSON text of what receivers get. */
  readonly body: string;
  readonly at: Date;
  readonly delivery: Delivery;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly problem: string | null;
}

/** An event among all that a session fired. */
export interface SequencedEvent extends Pick<WatchEvent, 'number' | 'rule' | 'body'> {
  /**
   * Grows in the order in which the events of one session are kept: once one is read, none with a smaller
   * number comes.
   */
  readonly sequence: number;
}

export interface EventQuery {
  /** Only events with a greater number. */
  readonly after: number;
  /** 1 or more. */
  readonly limit: number;
  readonly delivery?: Delivery | undefined;
}

/** An outbox row that this process has taken for a while. */
export interface TakenChange {
  readonly sequence: number;
  /** Which time it was taken; 1 = the first. */
  readonly attempts: number;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly sessionName: string;
  /** Null where only time has passed. */
  readonly judgement: {
    readonly id: string;
    readonly judgedAt: Date;
    /** As in `NewJudgement`. */
    readonly revision: number;
    readonly result: string;
    readonly quotes: string | null;
    /** Null where it has no quotes. */
    readonly inputSnapshot: string | null;
  } | null;
  /** What was read of a feed, of which the one subscription is told; null = it is about a judgement. */
  readonly changes: FollowedChanges | null;
  /**
   * Those that have to look, in order of their ids; of those that are paused, only one whose first look this
   * is, which fires nothing: what it resumes with is compared with it.
   */
  readonly subscriptions: readonly {
    readonly id: string;
    readonly subscriberId: string;
    readonly request: string;
    readonly state: string | null;
    readonly webhookUrl: string | null;
    readonly servedBy: string | null;
    readonly wasActive: boolean;
  }[];
}

export interface NewEvent {
  /** The id is a UUID. */
  readonly id: string;
  readonly rule: string;
  readonly body: string;
  readonly at: Date;
}

/** What came of a taken change for one subscription. */
export interface WatchOutcomes {
  readonly subscriptionId: string;
  /** Absent = it remembers what it did, and is due when it was. */
  readonly remembered?: {
    readonly state: string | null;
    readonly dueAt: Date | null;
    /** Documents under the quotes of the judgement; absent = it does not listen for their changes. */
    readonly documents?: readonly QuotedDocument[] | undefined;
  };
  readonly events: readonly NewEvent[];
}

/** An event whose delivery this process has taken for a while. */
export interface TakenDelivery {
  readonly id: string;
  readonly number: number;
  readonly attempts: number;
  readonly rule: string;
  readonly body: string;
  readonly webhookUrl: string;
  readonly secret: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly subscriberId: string;
  readonly servedBy: string | null;
  readonly wasActive: boolean;
}

/**
 * Subscriptions of the sessions of all tenants, what they have yet to look at, and what they fired. All of it
 * ends with the session. Taking gives work to one process at a time: a process that does not finish
 * before `takenUntil` loses it, and what it then hands in is dropped. Every write is whole or not at all.
 * Errors: the driver's alone; each outcome of an operation is a value.
 */
export interface WatchStore extends KeptByLease {
  subscribe(
    ref: SessionRef,
    subscription: NewSubscription,
    limits: SubscriptionLimits,
  ): Promise<'subscribed' | 'no_session' | 'too_many'>;
  /** Those of one subscriber on a session, the oldest first. */
  listSubscriptions(ref: SessionRef, subscriberId: string): Promise<Subscription[]>;
  /**
   * Pauses a subscription of the subscriber, or resumes it: it then looks at the latest judgement. What it is
   * already stays so. False = there is none such on the session.
   */
  pause(
    ref: SessionRef,
    subscriberId: string,
    id: string,
    change: { readonly isPaused: boolean; readonly now: Date },
  ): Promise<boolean>;
  /** False = the subscriber has none such on the session. */
  unsubscribe(ref: SessionRef, subscriberId: string, id: string): Promise<boolean>;
  /** The events of a subscription, in the order of their numbers. */
  listEvents(subscriptionId: string, query: EventQuery): Promise<WatchEvent[]>;
  /** Events of several subscriptions on one session behind `after`, in their sequence. */
  listSequence(subscriptionIds: readonly string[], after: number, limit: number): Promise<SequencedEvent[]>;
  /** The sequence of the last of their events; 0 = none. */
  lastSequence(subscriptionIds: readonly string[]): Promise<number>;
  /** The sequence of the last event that a session fired; 0 = none. */
  lastOfSession(ref: SessionRef): Promise<number>;
  /** By index a number that changes with every event that is fired on the session. */
  progressOf(refs: readonly SessionRef[]): Promise<number[]>;
  /** Delivers an event of a webhook again, or all that are parked where none is named; returns how many. */
  replay(subscriptionId: string, eventId: string | null, now: Date): Promise<number>;

  /** The domains of a tenant whose policies subscriptions listened for at some time. */
  listPolicyFeeds(tenantId: string): Promise<string[]>;
  /**
   * Takes a feed of a tenant to read, and gives the number behind which it begins; null = no subscription
   * listens for it, or another process reads it.
   */
  takeFollow(tenantId: string, feed: Feed, now: Date, takenUntil: Date): Promise<number | null>;
  /** Keeps a feed that was taken until `takenUntil` for longer; false = another process has it by now. */
  renewFollow(tenantId: string, feed: Feed, takenUntil: Date, until: Date): Promise<boolean>;
  /**
   * Makes outbox rows of changes for the subscriptions that listen for them, and keeps how far the feed is
   * read. False = it was read by another process meanwhile; nothing is kept.
   */
  keepChanges(
    tenantId: string,
    feed: Feed,
    page: { readonly since: number; readonly last: number; readonly changes: FollowedChanges | null },
    now: Date,
  ): Promise<boolean>;

  /** When the next change or delivery is due, or may be taken again; null = none waits. */
  nextDue(): Promise<Date | null>;
  /** Makes outbox rows of the subscriptions whose time has come; returns how many. */
  wakeDue(now: Date): Promise<number>;
  /** Takes the first outbox row of some session; null = none is due. */
  takeChange(now: Date, takenUntil: Date): Promise<TakenChange | null>;
  /**
   * Keeps what came of a change, and removes it; of a subscription that was paused meanwhile nothing but its
   * first look. False = it was lost to another process; nothing is kept.
   */
  finishChange(
    change: Pick<TakenChange, 'sequence' | 'attempts'>,
    outcomes: readonly WatchOutcomes[],
    now: Date,
  ): Promise<boolean>;
  /** Gives a change back, to be taken at `dueAt` or later. */
  returnChange(change: Pick<TakenChange, 'sequence' | 'attempts'>, dueAt: Date): Promise<void>;

  /** Takes deliveries that are due, at most one of a tenant, none of those named nor of those paused. */
  takeDeliveries(
    now: Date,
    takenUntil: Date,
    options: {
      readonly limit: number;
      readonly withoutTenants: readonly string[];
      readonly withoutSubscriptions: readonly string[];
    },
  ): Promise<TakenDelivery[]>;
  /**
   * Puts off what was taken and not sent, until `nextAttemptAt` and without counting it as an attempt.
   */
  postponeDelivery(
    delivery: Pick<TakenDelivery, 'id' | 'attempts'>,
    nextAttemptAt: Date,
    problem: string,
  ): Promise<void>;
  /**
   * Keeps what became of an attempt; `nextAttemptAt` null without `deliveredAt` parks the event, and
   * `pausedAt` pauses its subscription.
   */
  finishDelivery(
    delivery: Pick<TakenDelivery, 'id' | 'attempts'>,
    result: {
      readonly deliveredAt: Date | null;
      readonly nextAttemptAt: Date | null;
      readonly problem: string | null;
    },
    pausedAt?: Date | null,
  ): Promise<void>;
  /**
   * When the oldest waiting event was fired, of subscriptions neither ended nor paused; null = none waits.
   */
  oldestUndelivered(): Promise<Date | null>;
  /** Forgets changes of documents that were read before `before`. */
  forgetDocumentChanges(before: Date): Promise<void>;
  /** Removes events fired before `before` whose delivery waits no more. */
  forgetEvents(before: Date): Promise<number>;
}
