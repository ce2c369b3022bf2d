import type { Attributes, BundlePolicies, Verdict } from './bundle-policies.ts';

/** A decision that was made here. */
export interface Decided {
  readonly by: BundlePolicies;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly context: Attributes;
  readonly attributes: Attributes | undefined;
  readonly verdict: Verdict;
}

/** Keeps decisions until the service has recorded them. */
export interface Recorder {
  add(decided: Decided): void;
  /** Whether there is no room for another one. */
  readonly isFull: boolean;
  /** Decisions that are not recorded. */
  readonly size: number;
  /** Why the last batch was not recorded; null when it was. */
  readonly error: string | null;
  /** Sends all there is. Throws what `send` throws, and keeps what was not sent. */
  flush(): Promise<void>;
}

/** Decisions that one request sends. */
const BATCH_MAX = 1_000;
/** Decisions kept; beyond it checks are refused rather than decided without a record. */
const WAITING_MAX = 20_000;
/** How long decisions are gathered before they are sent. */
const GATHER_MS = 500;

/**
 * Sends decisions in batches of one bundle, in order, one batch at a time. A batch whose response was lost is
 * sent again with the ids it had. `signal` ends it.
 */
export function createRecorder(send: (body: object) => Promise<void>, signal: AbortSignal): Recorder {
  let waiting: Decided[] = [];
  /** The batch that is sent next, as it is sent, and how many decisions it is made of. */
  let batch: { readonly body: object; readonly size: number } | null = null;
  let sending: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let error: string | null = null;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      batch ??= nextBatch();
      await send(batch.body);
      waiting = waiting.slice(batch.size);
      batch = null;
    }
  }

  function nextBatch(): NonNullable<typeof batch> {
    const [{ by }] = waiting as [(typeof waiting)[number]];
    const other = waiting.findIndex((each) => each.by !== by);
    const part = waiting.slice(0, Math.min(other < 0 ? waiting.length : other, BATCH_MAX));
    const { issued_at, key_id } = by.bundle;
    return {
      size: part.length,
      body: {
        bundle: { issued_at, key_id, versions: Object.fromEntries(by.versions) },
        decisions: part.map(({ at, context, attributes, verdict }) => ({
          id: globalThis.crypto.randomUUID(),
          decided_at: new Date(at).toISOString(),
          context,
          ...(attributes === undefined ? {} : { attributes }),
          allowed: verdict.allowed,
          ...(verdict.matched === null ? {} : { policy: verdict.matched.policy }),
        })),
      },
    };
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One at a time: a second sender would send the same batch.
    sending ??= sendAll().finally(() => (sending = null));
    try {
      await sending;
      error = null;
    } catch (caught) {
      error = caught instanceof Error ? caught.message : String(caught);
      schedule(GATHER_MS * 4);
      throw caught;
    }
  }

  function schedule(ms: number): void {
    if (signal.aborted) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      flush().catch(() => undefined);
    }, ms);
  }
  signal.addEventListener('abort', () => clearTimeout(timer));

  return {
    add(decided) {
      waiting.push(decided);
      if (timer === undefined) schedule(GATHER_MS);
    },
    get isFull() {
      return waiting.length >= WAITING_MAX;
    },
    get size() {
      return waiting.length;
    },
    get error() {
      return error;
    },
    flush,
  };
}
