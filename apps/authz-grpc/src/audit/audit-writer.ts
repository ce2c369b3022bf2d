import { AuthzError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { Tracing } from '@platform/telemetry';
import type { Logger } from 'pino';
import { sizeOf, type AuditEvent } from '../model/audit-event.ts';
import type { AuditStore } from '../store/audit-store.ts';

export interface AuditWriter {
  /**
   * Takes the events of one response, all of one tenant. Strict: resolves when they are durable. Buffered:
   * resolves at once, or when the queue has room again. Throws DEPENDENCY_UNAVAILABLE when strict cannot
   * write, or has too much waiting already. `traceparent` is the request's; a strict write is a span of it.
   */
  record(events: readonly AuditEvent[], traceparent?: string): Promise<void>;
  /** Events that buffered mode gave up, since the start. */
  readonly lost: number;
  /** Audit events in the queue. */
  readonly waiting: number;
  /** Events made durable, since the start. */
  readonly written: number;
  /** Responses that a full queue made wait (buffered) or refused (strict), since the start. */
  readonly held: number;
  /** Writes the rows that wait, then accepts no more. */
  close(): Promise<void>;
}

interface Entry {
  readonly events: readonly AuditEvent[];
  /** Characters of its rows. */
  readonly size: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface AuditWriterOptions {
  readonly mode: 'strict' | 'buffered';
  readonly queueRowsMax: number;
  readonly logger: Logger;
  readonly tracing?: Tracing;
  /** Told about every group commit that succeeded: how long it took. */
  readonly observeGroup?: (seconds: number) => void;
  /** Rows of one group commit. */
  readonly batchRowsMax?: number;
  /** Pause before a failed buffered batch is tried again. Milliseconds. */
  readonly retryMs?: number;
}

const BATCH_ROWS = 1_000;
/**
 * Group commits under way at a time, and how many rows must wait for another one to be worth its statement.
 */
const GROUPS_MAX = 2;
const GROUP_ROWS_MIN = 500;
/**
 * Characters of a group that takes no more of the tenants it has, and of an entry that is written by itself:
 * a database takes tens of milliseconds for as much.
 */
const GROUP_SIZE_MAX = 1024 * 1024;
const RETRY_MS = 250;
/** Tries of a buffered batch before its events count as lost: a minute without a store. */
const BUFFERED_TRIES_MAX = 240;

/**
 * Group commit: while one group becomes durable the next one gathers, so the cost of a commit is shared by
 * everything that arrived meanwhile, and a lone event waits for nothing. When much waits, a second group of
 * other tenants is made ready while the database works on the first. Rows of more than a mebibyte, as of a
 * batch of long contexts, are a group by themselves, one at a time, next to which the others are written.
 */
export function createAuditWriter(store: AuditStore, options: AuditWriterOptions): AuditWriter {
  const { mode, queueRowsMax, logger, tracing, observeGroup } = options;
  const batchRowsMax = options.batchRowsMax ?? BATCH_ROWS;
  let queue: Entry[] = [];
  let queuedRows = 0;
  let waiting = 0;
  let lost = 0;
  let written = 0;
  let held = 0;
  let isScheduled = false;
  const groups = new Set<Promise<void>>();
  /** The one of the groups that is a large entry. */
  let large: Promise<void> | undefined;
  /** Tenants of the groups under way: a chain has one writer at a time. */
  const busyTenants = new Set<string>();
  let room: (() => void)[] = [];

  function enqueue(entry: Omit<Entry, 'size'>): void {
    queue.push({ ...entry, size: entry.events.reduce((sum, event) => sum + sizeOf(event), 0) });
    queuedRows += entry.events.length;
    waiting += entry.events.length;
    if (isScheduled) return;
    isScheduled = true;
    // Everything of this turn of the event loop joins the group.
    setImmediate(() => {
      isScheduled = false;
      startGroups();
    });
  }

  function startGroups(): void {
    startLarge();
    for (;;) {
      const running = groups.size - (large === undefined ? 0 : 1);
      const isWorthOne = running === 0 || (running < GROUPS_MAX && queuedRows >= GROUP_ROWS_MIN);
      const group = queue.length > 0 && isWorthOne ? takeGroup() : [];
      if (group.length === 0) return;
      void start(group);
    }
  }

  function startLarge(): void {
    const entry = large === undefined && queue.find((one) => isLarge(one) && !busyTenants.has(tenantOf(one)));
    if (!entry) return;
    queue = queue.filter((one) => one !== entry);
    queuedRows -= entry.events.length;
    const written = start([entry]);
    large = written;
  }

  function start(group: readonly Entry[]): Promise<void> {
    const written = write(group).finally(() => {
      groups.delete(written);
      if (large === written) large = undefined;
      startGroups();
    });
    groups.add(written);
    return written;
  }

  /**
   * The longest waiting entries of tenants that are not busy; of no more tenants than are worth the
   * statement.
   */
  function takeGroup(): Entry[] {
    const group: Entry[] = [];
    const rest: Entry[] = [];
    const tenants = new Set<string>();
    let [rows, size] = [0, 0];
    for (const entry of queue) {
      const tenant = tenantOf(entry);
      const isOver =
        (group.length > 0 && rows + entry.events.length > batchRowsMax) ||
        (size > GROUP_SIZE_MAX && tenants.has(tenant));
      // Other tenants' entries are what a second group is made of.
      const isForNext = rows >= GROUP_ROWS_MIN && !tenants.has(tenant);
      if (isOver || isForNext || isLarge(entry) || busyTenants.has(tenant)) rest.push(entry);
      else {
        group.push(entry);
        tenants.add(tenant);
        rows += entry.events.length;
        size += entry.size;
      }
    }
    queue = rest;
    queuedRows -= rows;
    return group;
  }

  async function write(group: readonly Entry[]): Promise<void> {
    const events = group.flatMap((entry) => entry.events);
    const tenants = new Set(group.map(tenantOf));
    for (const tenant of tenants) busyTenants.add(tenant);
    try {
      await (mode === 'strict' ? append(events) : appendPatiently(events));
      for (const entry of group) entry.resolve();
    } catch (error) {
      const refused = new AuthzError('DEPENDENCY_UNAVAILABLE', 'the audit log cannot be written, try again', {
        retryAfterSeconds: RETRY_AFTER_SECONDS.dependency,
        cause: error,
      });
      for (const entry of group) entry.reject(refused);
    }
    for (const tenant of tenants) busyTenants.delete(tenant);
    waiting -= events.length;
    const woken = room;
    room = [];
    for (const wake of woken) wake();
  }

  async function append(events: readonly AuditEvent[]): Promise<void> {
    const startedAt = performance.now();
    const appended = () => store.append(events);
    await (tracing === undefined ? appended() : tracing.within(null, appended));
    written += events.length;
    observeGroup?.((performance.now() - startedAt) / 1000);
  }

  async function appendPatiently(events: readonly AuditEvent[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await append(events);
      } catch (error) {
        if (attempt < BUFFERED_TRIES_MAX && !isClosing) {
          await new Promise((resolve) => setTimeout(resolve, options.retryMs ?? RETRY_MS));
          continue;
        }
        lost += events.length;
        logger.error({ err: error, lost: events.length }, 'audit events lost');
        return;
      }
    }
  }

  let isClosing = false;
  return {
    async record(events, traceparent) {
      if (mode === 'strict') {
        if (waiting > 0 && waiting + events.length > queueRowsMax) {
          held += 1;
          throw new AuthzError('DEPENDENCY_UNAVAILABLE', 'too many audit rows are waiting, try again', {
            retryAfterSeconds: RETRY_AFTER_SECONDS.queue,
          });
        }
        const isDurable = new Promise<void>((resolve, reject) => enqueue({ events, resolve, reject }));
        return tracing?.isOn ? traced(tracing, isDurable, traceparent) : isDurable;
      }
      if (waiting > 0 && waiting + events.length > queueRowsMax) held += 1;
      while (waiting > 0 && waiting + events.length > queueRowsMax) {
        await new Promise<void>((resolve) => room.push(resolve));
      }
      enqueue({ events, resolve: () => undefined, reject: () => undefined });
    },
    get lost() {
      return lost;
    },
    get waiting() {
      return waiting;
    },
    get written() {
      return written;
    },
    get held() {
      return held;
    },
    async close() {
      isClosing = true;
      while (waiting > 0) await (groups.size > 0 ? Promise.race(groups) : new Promise(setImmediate));
    },
  };
}

const isLarge = ({ size }: Entry): boolean => size > GROUP_SIZE_MAX;

function tenantOf({ events }: Entry): string {
  return (events[0] as AuditEvent).tenantId;
}

/** `written`, as a span of the trace. */
async function traced(tracing: Tracing, written: Promise<void>, parent: string | undefined): Promise<void> {
  const span = tracing.start('audit write', { kind: 'internal', parent });
  try {
    await written;
    span.end();
  } catch (error) {
    span.end({ error: 'not written' });
    throw error;
  }
}
