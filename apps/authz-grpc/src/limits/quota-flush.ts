import type { Logger } from 'pino';
import type { QuotaStore } from '../store/quota-store.ts';
import { readCounterKey } from '../model/quota.ts';
import type { LimitStore } from './limit-store.ts';

/**
 * Brings counters from the limit store to the store, so that a limit store that lost its memory forgets a
 * second at most.
 */
export interface QuotaFlush {
  /** The limit store, with every counter taken from noted for the next flush. */
  observing(limits: LimitStore): LimitStore;
  flush(): Promise<void>;
  /** Flushes once more and stops. */
  close(): Promise<void>;
}

const FLUSH_MS = 1_000;
/** Counters of one statement. */
const CHUNK = 1_000;

export function createQuotaFlush(
  limits: LimitStore,
  quotas: Pick<QuotaStore, 'saveUsage'>,
  logger: Logger,
): QuotaFlush {
  let dirty = new Set<string>();
  let running: Promise<void> = Promise.resolve();

  async function flushDirty(): Promise<void> {
    const keys = [...dirty];
    dirty = new Set();
    for (let at = 0; at < keys.length; at += CHUNK) {
      const chunk = keys.slice(at, at + CHUNK);
      try {
        await store(chunk);
      } catch (err) {
        chunk.forEach((key) => dirty.add(key));
        logger.warn({ err }, 'quota counters not flushed');
      }
    }
  }

  async function store(keys: string[]): Promise<void> {
    const usages = await limits.usage(keys);
    // The shared counters may still be there when it is back; what this replica counts meanwhile is added to
    // them then.
    if (limits.isUnavailable()) {
      keys.forEach((key) => dirty.add(key));
      return;
    }
    const counters = keys.flatMap((key, index) => {
      const usage = usages[index];
      return usage == null ? [] : [{ ...readCounterKey(key), ...usage }];
    });
    await quotas.saveUsage(counters);
  }

  function flush(): Promise<void> {
    running = running.then(flushDirty);
    return running;
  }

  const timer = setInterval(() => {
    if (dirty.size > 0) void flush();
  }, FLUSH_MS);
  timer.unref();

  return {
    observing: (inner) => ({
      ...inner,
      async tryAcquire(request) {
        const reply = await inner.tryAcquire(request);
        if (reply.kind === 'acquired') for (const { key } of request.quotas) dirty.add(key);
        return reply;
      },
    }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
