import type { NewJudgement, SessionRef } from './session-store.ts';

/** A judgement that was asked for and is not waited for. */
export interface Job {
  /** The id is a UUID. */
  readonly id: string;
  /** queued, running, succeeded, failed or cancelled. */
  readonly state: string;
  /** JSON text of how far it is; null = not begun, or nothing is known. */
  readonly progress: string | null;
  /** Of a job that succeeded. */
  readonly judgementId: string | null;
  /** The error in words, of a job that failed. */
  readonly problem: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface NewJob {
  /** The id is a UUID. */
  readonly id: string;
  readonly requestedBy: string;
  /** Lease of authz-grpc of the credential that it was asked for with and ends with; null = it needs none. */
  readonly lease: string | null;
  readonly now: Date;
}

/** A job as it lies in the queue. */
export interface OfferedJob {
  readonly tenantId: string;
  readonly id: string;
  /** How often it had been begun when it was offered. */
  readonly attempts: number;
}

/** A job that this replica works on. */
export interface RunningJob extends OfferedJob {
  readonly sessionId: string;
  /** Of the lease that the job ends with, as in `PublicShare`. */
  readonly servedBy: string | null;
  readonly wasActive: boolean;
}

/** Times a job is begun before it fails for good. */
export const JOB_ATTEMPTS_MAX = 5;

/**
 * The record of jobs. A job ends once: of two replicas that work on it, because the first seemed lost, the
 * one that began last keeps its judgement, and what the other hands in is dropped. Errors: the driver's
 * alone.
 */
export interface JobStore {
  /** `too_many` = the tenant has `waitingMax` jobs that have not ended. */
  add(ref: SessionRef, job: NewJob, waitingMax: number): Promise<'added' | 'no_session' | 'too_many'>;
  /** null = the session has no such job. */
  read(ref: SessionRef, id: string): Promise<Job | null>;
  /** Those jobs of the tenant that are on record, in no order. */
  readAll(tenantId: string, ids: readonly string[]): Promise<Job[]>;
  /** The latest first. null = no such session. */
  list(ref: SessionRef, limit: number): Promise<Job[] | null>;
  /** Ends a job that has not ended; one that has stays as it is. null = the session has no such job. */
  cancel(ref: SessionRef, id: string, now: Date): Promise<Job | null>;

  /**
   * The tenant's oldest job that waits, to be put into the queue, and lost if nobody begins it until `dueAt`;
   * null while another of the tenant lies there.
   */
  offerNext(tenantId: string, dueAt: Date): Promise<OfferedJob | null>;
  /** Begins a job; null = it was cancelled, or somebody else has begun it. */
  begin(job: OfferedJob, now: Date, dueAt: Date): Promise<RunningJob | null>;
  /** Says that jobs are still worked on, and how far they are; returns the ids of those that are not lost. */
  renew(jobs: readonly (OfferedJob & { readonly progress: string | null })[], dueAt: Date): Promise<string[]>;
  /** Keeps the judgement and ends the job, both or neither. false = the job is another's or has ended. */
  succeed(job: RunningJob, judgement: NewJudgement, now: Date): Promise<boolean>;
  fail(job: OfferedJob, problem: string, now: Date): Promise<void>;
  /** Puts a job back that could not be worked on; after JOB_ATTEMPTS_MAX it fails with `problem`. */
  giveBack(job: OfferedJob, problem: string, now: Date): Promise<void>;

  /**
   * Puts jobs back whose replica is lost, and returns what belongs into the queue and may be missing there:
   * jobs whose offer nobody took until now, until `dueAt` once more, and tenants of whom none is offered.
   */
  recover(
    now: Date,
    dueAt: Date,
    problem: string,
  ): Promise<{ readonly offered: OfferedJob[]; readonly tenants: string[] }>;
  /** Jobs that have not ended, of all tenants. */
  countWaiting(): Promise<number>;
  /** Forgets jobs that ended before. */
  forget(before: Date): Promise<number>;
}
