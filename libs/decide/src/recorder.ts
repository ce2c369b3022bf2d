import type { Attributes, BundlePolicies, Verdict } from './bundle-policies.ts';
import type { Timer } from './exchange.ts';

/** A decision that was made here. */
export interface Decided {
  readonly by: BundlePolicies;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly context: Attributes;
  readonly attributes: Attributes | undefined;
  readonly verdict: Verdict;
}

/** Decisions that were sent and that the service will not record. */
export interface RefusedDecisions {
  readonly count: number;
  /** Why the last one was refused; null when none was. */
  readonly last: string | null;
}

/** A request of decisions that the service does not take, now or later: at least one of them is at fault. */
export class NotTaken extends Error {}

/** Keeps decisions until the service has recorded them. */
export interface Recorder {
  add(decided: Decided): void;
  /** Whether there is no room for another one. */
  readonly isFull: boolean;
  /** Decisions that are not recorded. */
  readonly size: number;
  readonly refused: RefusedDecisions;
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

/** The response to a batch. */
interface Recorded {
  readonly recorded: number;
  readonly refused: readonly { readonly reason: string; readonly message: string }[];
}

/** A decision, and the id that it is sent with, however often. */
interface Waiting extends Decided {
  /** Made when it is first sent, because making it costs a check more than deciding does. */
  id?: string;
}

/**
 * Sends decisions in batches of one bundle, in order, one batch at a time. A batch whose response was lost is
 * sent again with the ids it had; one that the service does not take is halved until the decisions at fault
 * are sent alone and counted as refused. `send` returns the body of the response, or throws, NotTaken for a
 * batch that is not worth sending again. `signal` ends it.
 */
export function createRecorder(
  send: (body: object) => Promise<string>,
  timer: Timer,
  signal: AbortSignal,
): Recorder {
  let waiting: Waiting[] = [];
  let sending: Promise<void> | null = null;
  /** Calls off the next sending; undefined while none is due. */
  let callOff: (() => void) | undefined;
  let error: string | null = null;
  let refused: RefusedDecisions = { count: 0, last: null };

  async function sendAll(): Promise<void> {
    /** Decisions that one request sends; fewer after one that was not taken. */
    let most = BATCH_MAX;
    while (waiting.length > 0) {
      const part = nextPart(most);
      try {
        countRefused(await send(bodyOf(part)), part.length);
      } catch (caught) {
        if (!(caught instanceof NotTaken)) throw caught;
        if (part.length > 1) {
          most = Math.ceil(part.length / 2);
          continue;
        }
        refused = { count: refused.count + 1, last: caught.message };
      }
      waiting = waiting.slice(part.length);
      most = Math.min(most * 2, BATCH_MAX);
    }
  }

  /**
   * What the response says about decisions that left no row. Throws for one that does not account for all
   * that were sent: a proxy or a page in the way of the service responds 200, too, and records nothing.
   */
  function countRefused(response: string, sent: number): void {
    const { recorded, refused: these } = readRecorded(response);
    if (typeof recorded !== 'number' || !Array.isArray(these) || recorded + these.length !== sent)
      throw new Error('the response does not say what became of all decisions: is it from the service?');
    const last = these.at(-1);
    if (last === undefined) return;
    refused = { count: refused.count + these.length, last: `${last.reason}: ${last.message}` };
  }

  function nextPart(most: number): readonly Waiting[] {
    const part = waiting.slice(0, most);
    const other = part.findIndex(({ by }) => by !== part[0]?.by);
    return other < 0 ? part : part.slice(0, other);
  }

  async function flush(): Promise<void> {
    callOff?.();
    callOff = undefined;
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
    callOff ??= timer(() => {
      callOff = undefined;
      flush().catch(() => undefined);
    }, ms);
  }
  signal.addEventListener('abort', () => callOff?.());

  return {
    add(decided) {
      waiting.push(decided);
      if (callOff === undefined) schedule(GATHER_MS);
    },
    get isFull() {
      return waiting.length >= WAITING_MAX;
    },
    get size() {
      return waiting.length;
    },
    get refused() {
      return refused;
    },
    get error() {
      return error;
    },
    flush,
  };
}

/** Nothing where the response is no JSON. */
function readRecorded(response: string): Partial<Recorded> {
  try {
    return (JSON.parse(response) ?? {}) as Partial<Recorded>;
  } catch {
    return {};
  }
}

/** The request that sends decisions of one bundle. */
function bodyOf(part: readonly Waiting[]): object {
  const [{ by }] = part as [Waiting];
  const { issued_at, key_id } = by.bundle;
  return {
    bundle: { issued_at, key_id, versions: Object.fromEntries(by.versions) },
    decisions: part.map((one) => ({
      id: (one.id ??= globalThis.crypto.randomUUID()),
      decided_at: new Date(one.at).toISOString(),
      context: one.context,
      ...(one.attributes === undefined ? {} : { attributes: one.attributes }),
      allowed: one.verdict.allowed,
      ...(one.verdict.matched === null ? {} : { policy: one.verdict.matched.policy }),
    })),
  };
}
