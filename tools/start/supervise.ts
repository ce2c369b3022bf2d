import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openLogFile } from './log-file.ts';
import type { Service } from './services.ts';
import { urlOf } from './services.ts';

const BACK_OFF_MS = { first: 1_000, max: 30_000 } as const;
/** A process that lived this long had started well: the next back-off begins anew. */
const SETTLED_MS = 60_000;
/** Longest start, in which a process need not answer yet. */
const START_MAX_MS = 60_000;
const POLL_MS = 50;
/** Longer than a service takes to drain; then it is killed. */
const STOP_MAX_MS = 40_000;

/**
 * How often a service is asked whether it lives, how long it may take to answer, and how often it may fail to
 * in a row.
 */
const WATCH: WatchTimes = { everyMs: 5_000, responseMs: 10_000, failuresMax: 3 };

export interface WatchTimes {
  readonly everyMs: number;
  readonly responseMs: number;
  readonly failuresMax: number;
}

export interface Supervised {
  /** Resolves when the service first answers; rejects with what it said when it ends before. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs one service, its output in `<logs>/<name>.log`. Once it has been ready, it is restarted with back-off
 * when it ends, and killed when its `/livez` does not answer.
 */
export function supervise(
  service: Service,
  env: NodeJS.ProcessEnv,
  logs: string,
  watch: WatchTimes = WATCH,
): Supervised {
  mkdirSync(logs, { recursive: true });
  const log = openLogFile(join(logs, `${service.name}.log`), (message) => console.error(message));
  let child: ChildProcess;
  let exited: Promise<string>;
  let isStopping = false;
  let wasReady = false;
  let backOffMs: number = BACK_OFF_MS.first;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = Date.now();
    let lastWords = '';
    let hung: string | undefined;
    // Its own process group: Ctrl-C reaches the launcher alone, which then stops every service in order. By
    // the channel it learns that the launcher was killed, and ends.
    child = spawn(process.execPath, ['--enable-source-maps', service.main], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.stderr?.on('data', (data: Buffer) => (lastWords = (lastWords + String(data)).slice(-2_000)));
    let failures = 0;
    let isAsking = false;
    // The first process is asked once it has been ready, which counts as an answer.
    let hasResponded = !wasReady;
    const started = child;
    const ask = async () => {
      if (!wasReady || isStopping || isAsking) return;
      isAsking = true;
      const lives = await respondsWell(`${urlOf(service, 'probePort')}/livez`, watch.responseMs);
      isAsking = false;
      hasResponded ||= lives;
      // A process that starts again has a database to recover, and is not to be killed for that.
      const isStarting = !hasResponded && Date.now() - startedAt < START_MAX_MS;
      failures = lives || isStarting ? 0 : failures + 1;
      if (failures < watch.failuresMax) return;
      hung = 'it did not answer /livez and was killed';
      // A process whose event loop is blocked does not hear SIGTERM.
      started.kill('SIGKILL');
    };
    const watching = setInterval(() => void ask(), watch.everyMs).unref();
    exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        clearInterval(watching);
        const why = hung ?? (lastWords.trim() || (signal ? `ended by ${signal}` : `exit code ${code}`));
        resolve(why);
        if (isStopping || !wasReady) return;
        if (Date.now() - startedAt > SETTLED_MS) backOffMs = BACK_OFF_MS.first;
        console.error(`${service.name} died (${why}); next start in ${backOffMs / 1_000} s`);
        restart = setTimeout(start, backOffMs);
        backOffMs = Math.min(2 * backOffMs, BACK_OFF_MS.max);
      });
    });
  }

  start();
  const ready = Promise.race([
    answers(`${urlOf(service, 'probePort')}/readyz`, () => isStopping),
    exited!.then((why) => Promise.reject(new Error(`${service.name} did not start: ${why}`))),
  ]).then(() => void (wasReady = true));

  return {
    ready,
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS);
      await exited;
      clearTimeout(kill);
    },
  };
}

async function answers(url: string, isGivenUp: () => boolean): Promise<void> {
  while (!isGivenUp()) {
    if (await respondsWell(url)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Whether a request gets a good response, within `maxMs` where that is given. */
function respondsWell(url: string, maxMs?: number): Promise<boolean> {
  return fetch(url, maxMs === undefined ? {} : { signal: AbortSignal.timeout(maxMs) }).then(
    (response) => response.ok,
    () => false,
  );
}
