import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { Gate } from './gate.ts';
import { createFallbackGate } from './fallback-gate.ts';
import { createMemoryGate } from './memory-gate.ts';

export interface GateOptions {
  readonly url: string | undefined;
  readonly timeoutMs: number;
  readonly replicas: number;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Called when Redis is back after an outage. */
  readonly onReturn: () => void;
  /** The time, for the gate within this process; Redis goes by its own clock. */
  readonly now?: (() => Date) | undefined;
}

/** Longest wait for Redis at the start, in milliseconds. */
const START_WAIT_MS = 2_000;

/**
 * The gate over Redis, or within this process when no URL is given. While Redis is unavailable the fallback
 * decides, at the start as well as later: a replica that is replaced during an outage of Redis must come up.
 */
export async function openGate(options: GateOptions): Promise<Gate> {
  const { url, registry, now } = options;
  const gate =
    url === undefined
      ? createMemoryGate(now === undefined ? {} : { nowMicros: () => now().getTime() * 1000 })
      : await openRedisGate(url, options);
  new Gauge({
    name: 'authz_gate_away',
    help: '1 while Redis is unavailable and limits are counted per replica.',
    registers: [registry],
    collect() {
      this.set(gate.isAway() ? 1 : 0);
    },
  });
  return gate;
}

async function openRedisGate(url: string, { timeoutMs, replicas, logger, onReturn }: GateOptions) {
  // The client of Redis takes long to load, and many a process does without.
  const { createGateClient, createRedisGate } = await import('./redis-gate.ts');
  const client = createGateClient(url);
  client.on('error', (err: Error) => logger.warn({ err }, 'redis'));
  // The client keeps trying in the background; what it could not do is an `error` above.
  const connected = client.connect().catch(() => undefined);
  await Promise.race([connected, delay(START_WAIT_MS, undefined, { ref: false })]);
  const gate = createFallbackGate(createRedisGate(client, { timeoutMs }), { replicas, logger, onReturn });
  // One question makes the fallback take over now, so that the metric shows the outage before the first call.
  if (!client.isReady) await gate.usage(['start']);
  return gate;
}
