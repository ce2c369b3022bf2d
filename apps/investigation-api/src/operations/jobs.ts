import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { loadAuthorizedSession, sessionNotFound } from '../access/session-access.ts';
import type { Operation, SessionDeps } from '../ports.ts';
import type { Job } from '../store/job-store.ts';
import { JobReference, ListJobs, type JudgementJob } from '../wire/job-schema.ts';
import { readInput } from '../wire/read-input.ts';

export type JobView = z.output<typeof JudgementJob>;

/**
 * Puts a judgement of a session on record and returns at once; a replica that is free makes it, of the
 * session as it stands then. Throws what judging at once throws before it begins, and `rate_limited` for a
 * tenant with `jobsMax` jobs that have not ended.
 */
export const startJudgementJob: Operation<JobView> = async (deps, input, caller) => {
  const { session_id } = await deps.inputs.read('judge_session', input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'judge');
  const id = deps.newId();
  const now = deps.now();
  const job = { id, requestedBy: caller.id, lease: caller.leases?.credential ?? null, now };
  const outcome = await deps.jobs.add(ref, job, deps.config.jobsMax);
  if (outcome === 'no_session') throw sessionNotFound();
  if (outcome === 'too_many')
    throw new DomainError('rate_limited', `${deps.config.jobsMax} judgements of the tenant are waiting`, {
      remedy: 'wait until some have ended, or cancel some',
      retryAfterSeconds: RETRY_AFTER_SECONDS.jobs,
    });
  deps.onJob(ref.tenantId);
  return toJobView(session_id, {
    id,
    state: 'queued',
    progress: null,
    judgementId: null,
    problem: null,
    createdAt: now,
    startedAt: null,
    finishedAt: null,
  });
};

/** The jobs of a session, the latest first. */
export const listJudgementJobs: Operation<JobView[]> = async (deps, input, caller) => {
  const { session_id, limit } = readInput(ListJobs, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const jobs = await deps.jobs.list(ref, limit);
  if (jobs === null) throw sessionNotFound();
  return jobs.map((job) => toJobView(session_id, job));
};

/** One job of a session. Throws `not_found`. */
export const getJudgementJob: Operation<JobView> = (deps, input, caller) =>
  readJudgementJob(deps, input, caller);

/** `getJudgementJob` as a value, for streams. */
export async function readJudgementJob(deps: SessionDeps, input: unknown, caller: Caller): Promise<JobView> {
  const { session_id, job_id } = readInput(JobReference, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  return toJobView(session_id, (await deps.jobs.read(ref, job_id)) ?? jobNotFound());
}

/**
 * Ends a job that has not ended: nothing is kept of it, also where a replica is working on it, which stops
 * within two seconds. A job that has ended stays as it is. Throws `not_found`.
 */
export const cancelJudgementJob: Operation<JobView> = async (deps, input, caller) => {
  const { session_id, job_id } = readInput(JobReference, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'judge');
  const job = await deps.jobs.cancel(ref, job_id, deps.now());
  deps.onJob(ref.tenantId);
  return toJobView(session_id, job ?? jobNotFound());
};

function jobNotFound(): never {
  throw new DomainError('not_found', 'the session has no such job', {
    remedy: 'list_judgement_jobs lists those of the session; they are forgotten a week after they ended',
  });
}

/** A job as callers see it. */
export function toJobView(session_id: string, job: Job): JobView {
  return {
    id: job.id,
    session_id,
    status: job.state as JobView['status'],
    progress: job.progress === null ? null : (JSON.parse(job.progress) as JobView['progress']),
    judgement_id: job.judgementId,
    error: job.problem,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}
