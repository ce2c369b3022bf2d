import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from './with-timeout.ts';

/** How often each dependency is asked, and how long a reply may take. Milliseconds. */
const PING_EVERY_MS = 5_000;
const PING_MAX_MS = 3_000;
/** How often a dependency that does not respond is mentioned in the log. Milliseconds. */
const SAY_EVERY_MS = 600_000;

export interface Dependency {
  /** Resolves while it responds. Errors: why it does not, for the log. */
  readonly ping: () => Promise<unknown>;
  /** The setting that names it. */
  readonly setting: string;
}

/**
 * Asks each dependency all the time and shows in `dependency_up{name}` whether it responds: 1, or 0. The log
 * says why one does not, when it was asked twice in vain and every ten minutes from then on, and that it
 * responds again: without requests nothing else would name the cause. Readiness looks at the database alone;
 * what a service can do without shows only here. Returns how to end it.
 */
export function watchDependencies(
  { registry, logger }: { readonly registry: Registry; readonly logger: Pick<Logger, 'info' | 'warn'> },
  dependencies: Readonly<Record<string, Dependency>>,
  { pingEveryMs = PING_EVERY_MS, pingMaxMs = PING_MAX_MS, sayEveryMs = SAY_EVERY_MS } = {},
): () => void {
  const up = new Gauge({
    name: 'dependency_up',
    help: '1 while the dependency responds, else 0.',
    labelNames: ['name'],
    registers: [registry],
  });
  let isClosed = false;
  const timers = new Map<string, NodeJS.Timeout>();

  function watch(name: string, { ping, setting }: Dependency): void {
    let failures = 0;
    let saidAt: number | null = null;

    function responds(): void {
      failures = 0;
      if (saidAt !== null) logger.info({ dependency: name }, 'a dependency responds again');
      saidAt = null;
    }

    function fails(err: unknown): void {
      failures += 1;
      if (failures < 2 || (saidAt !== null && performance.now() - saidAt < sayEveryMs)) return;
      saidAt = performance.now();
      logger.warn({ err, dependency: name, setting }, 'a dependency does not respond');
    }

    async function ask(): Promise<void> {
      const failure = await withTimeout(Promise.resolve().then(ping), pingMaxMs).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (isClosed) return;
      up.set({ name }, failure === null ? 1 : 0);
      if (failure === null) responds();
      else fails(failure.error);
      timers.set(name, setTimeout(() => void ask(), pingEveryMs).unref());
    }
    void ask();
  }

  for (const [name, dependency] of Object.entries(dependencies)) watch(name, dependency);
  return () => {
    isClosed = true;
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
