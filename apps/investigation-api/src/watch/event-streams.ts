import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { EventStreams, StreamListener } from '../ports.ts';
import type { SessionRef } from '../store/session-store.ts';
import type { WatchStore } from '../store/watch-store.ts';

/** The open streams of this replica, and the one poll that they share. */
export interface OpenEventStreams extends EventStreams {
  /** Looks at once: this replica has fired something. */
  look(): void;
  /** Ends all streams and opens no more; true = opens them again. */
  accept(accepts: boolean): void;
  close(): void;
}

export interface EventStreamsOptions {
  readonly store: Pick<WatchStore, 'progressOf'>;
  /** Most streams of one tenant. */
  readonly perTenantMax: number;
  /** How often the database is looked at while there is a stream. Milliseconds. */
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly registry: Registry;
}

interface Stream extends StreamListener {
  readonly ref: SessionRef;
  /** As of the last look; null = none yet. */
  progress: number | null;
}

/**
 * Streams ask the database together: one statement for all of them, none while there are none. It does not
 * matter which replica fired.
 */
export function createEventStreams(options: EventStreamsOptions): OpenEventStreams {
  const { store, perTenantMax, intervalMs, logger, registry } = options;
  const streams = new Set<Stream>();
  let accepts = true;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let looksAgain = false;
  new Gauge({
    name: 'investigation_event_streams',
    help: 'Streams of events that are open.',
    registers: [registry],
    collect() {
      this.set(streams.size);
    },
  });

  async function lookOnce(): Promise<void> {
    const looked = [...streams];
    const progress = await store.progressOf(looked.map(({ ref }) => ref));
    for (const [index, stream] of looked.entries()) {
      const now = progress[index]!;
      if (stream.progress === now) continue;
      stream.progress = now;
      stream.wake();
    }
  }

  function look(): void {
    looksAgain = true;
    looking ??= (async () => {
      while (looksAgain && streams.size > 0) {
        looksAgain = false;
        await lookOnce();
      }
    })()
      .catch((err: unknown) => logger.warn({ err }, 'streams of events do not see the database'))
      .finally(() => (looking = null));
  }

  function endAll(): void {
    for (const stream of streams) stream.end();
  }

  return {
    open(ref, listener) {
      if (!accepts) return null;
      const ofTenant = [...streams].filter((stream) => stream.ref.tenantId === ref.tenantId).length;
      if (ofTenant >= perTenantMax) return null;
      const stream: Stream = { ref, progress: null, ...listener };
      streams.add(stream);
      timer ??= setInterval(look, intervalMs).unref();
      return {
        close() {
          streams.delete(stream);
          if (streams.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    look,
    accept(next) {
      accepts = next;
      if (!next) endAll();
    },
    close() {
      accepts = false;
      endAll();
      clearInterval(timer);
    },
  };
}
