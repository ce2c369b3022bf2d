import { setTimeout as sleep } from 'node:timers/promises';
import type { Leases } from '@platform/authz-client';
import { DomainError, toDomainError } from '@platform/error-contracts';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { AnalysisPool } from '../engine/analysis-pool.ts';
import { judgeSession } from '../engine/judge-session.ts';
import { pinOf } from '../model/pinned-quote.ts';
import { quoteChecksOf } from '../quotes/quote-checks.ts';
import type { JobStore, OfferedJob, RunningJob } from '../store/job-store.ts';
import type { NewJudgement, SessionStore } from '../store/session-store.ts';
import { presentationOf } from '../wire/presentation.ts';
import { packJson } from '../wire/packed-json.ts';
import { unread } from '../wire/quote-schema.ts';
import type { JobQueue } from './job-queue.ts';

/** Makes the judgements that nobody waits for, in every replica at once. */
export interface JobRunner {
  /** Puts the tenant's next job into the queue: one was added, begun or cancelled. */
  offer(tenantId: string): void;
  /** Begins no more jobs, and resolves when those that are running have ended. */
  close(): Promise<void>;
}

export interface JobRunnerOptions {
  readonly store: JobStore;
  readonly sessions: Pick<SessionStore, 'readHead' | 'readPayload' | 'readShare'>;
  readonly analysis: AnalysisPool;
  readonly queue: JobQueue;
  readonly leases: Leases | null;
  readonly now: () => Date;
  /** A fresh UUID, for judgements. */
  readonly newId: () => string;
  readonly config: { readonly analysisTimeoutMs: number };
  /** Jobs that this replica works on at once. */
  readonly atOnce: number;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Called after a judgement was kept. */
  readonly onKept: () => void;
}

/** A job that nobody says is worked on for as long is another replica's. Milliseconds. */
const LOST_MS = 15_000;
/** How often a replica says so, and learns what was cancelled. Milliseconds. */
const RENEW_MS = 1_000;
/** How often a replica looks for what was lost. Milliseconds. */
const RECOVER_MS = 5_000;
/**
 * The offer of a job lies in the queue; after this time it is made again, in case the queue lost it.
 * Milliseconds.
 */
const OFFERED_MS = 10_000;
/** How long a job that could not be judged now is held, for each time it was begun. Milliseconds. */
const RETRY_MS = 2_000;
const LOST = 'the service was interrupted while it judged, several times';

/**
 * The record decides: whatever the queue loses or hands out twice, a job ends once, and one whose replica
 * dies is begun again by another.
 */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { store, sessions, queue, leases, now, logger, registry } = options;
  const running = new Map<string, { job: RunningJob; stop: AbortController; progress: string | null }>();
  const closing = new AbortController();
  const ended = new Counter({
    name: 'investigation_judgement_jobs_total',
    help: 'Judgements asked for with `Prefer: respond-async` that ended at this replica.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['succeeded', 'failed', 'returned']) ended.inc({ outcome }, 0);
  new Gauge({
    name: 'investigation_judgement_jobs_waiting',
    help: 'Judgements asked for with `Prefer: respond-async` that have not ended, of all replicas.',
    registers: [registry],
    collect: async function () {
      this.set(await store.countWaiting().catch(() => 0));
    },
  });

  const after = (ms: number) => new Date(now().getTime() + ms);
  const warn = (what: string) => (err: unknown) => logger.warn({ err }, what);

  async function offerNext(tenantId: string): Promise<void> {
    const job = await store.offerNext(tenantId, after(OFFERED_MS));
    if (job !== null) await queue.offer(job);
  }
  // What fails here is found by `recover`.
  const offer = (tenantId: string) => void offerNext(tenantId).catch(warn('offering a job failed'));

  async function judged(job: RunningJob, signal: AbortSignal): Promise<NewJudgement> {
    const { tenantId, sessionId, servedBy, wasActive } = job;
    const isServed =
      leases === null ||
      servedBy === null ||
      (await leases.isActive({ owner: tenantId, lease: servedBy, wasActive }));
    if (!isServed)
      throw new DomainError('permission_denied', 'the credential or the user that asked for it has ended');
    const ref = { tenantId, sessionId };
    const head = await sessions.readHead(ref);
    const payload = await sessions.readPayload(ref);
    if (head === null || payload === null) throw new DomainError('not_found', 'no such session');
    const { judgement, quotes } = await judgeSession(
      options,
      { sessionId, payload, presentation: presentationOf(await sessions.readShare(ref)), summaryMode: true },
      {
        signal,
        owner: tenantId,
        asValue: true,
        onProgress: (progress) => (running.get(job.id)!.progress = JSON.stringify(progress)),
      },
    );
    const checks = quotes.map((quote) => unread(pinOf(quote), 'no_credential'));
    const kept = checks.length === 0 ? null : packJson(JSON.stringify(quoteChecksOf(checks, now())));
    return { ...judgement, quotes: kept, revision: head.revision };
  }

  /** Ends a job that could not be judged, or gives it back where another try may do. */
  async function endWithout(job: RunningJob, stop: AbortController, error: unknown): Promise<void> {
    const { kind, message } = toDomainError(error);
    const mayPass = kind === 'unavailable' || kind === 'internal';
    if (kind === 'internal') logger.error({ err: error, job_id: job.id }, 'a job failed');
    ended.inc({ outcome: mayPass ? 'returned' : 'failed' });
    if (!mayPass) return store.fail(job, message, now());
    const isOver = AbortSignal.any([closing.signal, stop.signal]);
    await sleep(RETRY_MS * job.attempts, undefined, { signal: isOver }).catch(() => undefined);
    await store.giveBack(job, message, now());
  }

  async function run(offered: OfferedJob): Promise<void> {
    const job = await store.begin(offered, now(), after(LOST_MS));
    offer(offered.tenantId);
    if (job === null) return;
    const stop = new AbortController();
    running.set(job.id, { job, stop, progress: null });
    try {
      const judgement = await judged(job, stop.signal);
      if (!(await store.succeed(job, judgement, now()))) return;
      ended.inc({ outcome: 'succeeded' });
      options.onKept();
    } catch (error) {
      // It was cancelled or is another replica's: whatever is written would change nothing.
      if (!stop.signal.aborted) await endWithout(job, stop, error);
    } finally {
      running.delete(job.id);
      offer(job.tenantId);
    }
  }

  async function renew(): Promise<void> {
    const renewed = [...running.values()];
    if (renewed.length === 0) return;
    const kept = await store.renew(
      renewed.map(({ job, progress }) => ({ ...job, progress })),
      after(LOST_MS),
    );
    for (const { job, stop } of renewed) if (!kept.includes(job.id)) stop.abort();
  }

  async function recover(): Promise<void> {
    const { offered, tenants } = await store.recover(now(), after(OFFERED_MS), LOST);
    for (const job of offered) await queue.offer(job);
    for (const tenantId of tenants) await offerNext(tenantId);
  }

  const renewing = setInterval(() => void renew().catch(warn('renewing jobs failed')), RENEW_MS).unref();
  const recovering = setInterval(
    () => void recover().catch(warn('recovering jobs failed')),
    RECOVER_MS,
  ).unref();
  queue.consume((job) => run(job).catch(warn('a job failed')), options.atOnce);

  return {
    offer,
    async close() {
      clearInterval(recovering);
      closing.abort();
      await queue.close();
      clearInterval(renewing);
    },
  };
}
