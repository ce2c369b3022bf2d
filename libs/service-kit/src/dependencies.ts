import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from './with-timeout.ts';

/** How often each dependency is asked, and how long a reply may take. Milliseconds. */
const PING_EVERY_MS = 5_000;
const PING_MAX_MS = 3_000;

/** Resolves while a dependency responds. */
export type Ping = () => Promise<unknown>;

/**
 * Asks each dependency all the time and shows in `dependency_up{name}` whether it responds: 1, or 0.
 * Readiness looks at the database alone; what a service can do without shows only here. Returns how to end
 * it.
 */
export function watchDependencies(
  registry: Registry,
  pings: Readonly<Record<string, Ping>>,
  { pingEveryMs = PING_EVERY_MS, pingMaxMs = PING_MAX_MS } = {},
): () => void {
  const up = new Gauge({
    name: 'dependency_up',
    help: '1 while the dependency responds, else 0.',
    labelNames: ['name'],
    registers: [registry],
  });
  let isClosed = false;
  const timers = new Map<string, NodeJS.Timeout>();
  async function ask(name: string, ping: Ping): Promise<void> {
    const isUp = await withTimeout(Promise.resolve().then(ping), pingMaxMs).then(
      () => 1,
      () => 0,
    );
    if (isClosed) return;
    up.set({ name }, isUp);
    timers.set(name, setTimeout(() => void ask(name, ping), pingEveryMs).unref());
  }
  for (const [name, ping] of Object.entries(pings)) void ask(name, ping);
  return () => {
    isClosed = true;
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
