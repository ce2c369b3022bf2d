import { REDIS_TIMES } from '@platform/service-kit';
import { createNodeRedisClient, Queue, Worker } from 'bullmq';
import type { Logger } from 'pino';
import { createClient } from 'redis';
import type { OfferedJob } from '../store/job-store.ts';
import type { JobQueue } from './job-queue.ts';

const NAME = 'judgements';
const PREFIX = 'investigation';
/**
 * A worker waits for jobs for up to ten seconds without hearing anything; a connection that is silent for as
 * long as this is dead. Milliseconds.
 */
const BLOCKING_SILENCE_MS = 30_000;
/** The longest wait between two tries to reach Redis. Milliseconds. */
const RECONNECT_MS_MAX = 2_000;

/**
 * The queue that replicas share on a Redis or Valkey, by BullMQ. It connects in the background, and again
 * when it was cut off; meanwhile nothing is handed out.
 */
export function createBullQueue(url: string, logger: Logger): JobQueue {
  const clients: { destroy(): void }[] = [];
  let isClosing = false;
  let isComplained = false;
  const complain = (err: Error) => {
    if (isClosing || isComplained) return;
    isComplained = true;
    logger.warn({ dependency: 'queue', setting: 'INVESTIGATION_QUEUE_URL', err }, 'unavailable');
  };
  const connect = (isBlocking: boolean) => {
    const client = createClient({
      url,
      // The record knows what was not put into the queue; a worker waits for Redis.
      disableOfflineQueue: !isBlocking,
      // Without pings an idle connection counts as dead; on one that blocks they would wait behind the call.
      ...(isBlocking ? {} : { pingInterval: REDIS_TIMES.pingInterval }),
      socket: {
        ...REDIS_TIMES.socket,
        ...(isBlocking ? { socketTimeout: BLOCKING_SILENCE_MS } : {}),
        reconnectStrategy: (retries) => Math.min(retries * 50, RECONNECT_MS_MAX),
      },
    });
    client.on('error', complain);
    client.on('ready', () => (isComplained = false));
    clients.push(client);
    return client;
  };
  const offering = connect(false);
  const queue = new Queue<OfferedJob>(NAME, { prefix: PREFIX, connection: createNodeRedisClient(offering) });
  queue.on('error', complain);
  let worker: Worker<OfferedJob> | null = null;

  return {
    async offer({ tenantId, id, attempts }) {
      // An id of its own for each attempt, since BullMQ ignores an id that it knows.
      const options = { jobId: `${id}-${attempts}`, removeOnComplete: true, removeOnFail: true };
      await queue.add('judge', { tenantId, id, attempts }, options);
    },
    consume(work, atOnce) {
      const options = {
        prefix: PREFIX,
        connection: createNodeRedisClient(connect(true)),
        concurrency: atOnce,
      };
      worker = new Worker<OfferedJob>(NAME, ({ data }) => work(data), options);
      worker.on('error', complain);
    },
    ping: () => offering.ping(),
    async close() {
      isClosing = true;
      await worker?.close();
      await queue.close();
      for (const client of clients) client.destroy();
    },
  };
}
