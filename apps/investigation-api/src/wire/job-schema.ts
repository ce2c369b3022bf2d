import { z } from '@platform/error-contracts/zod-openapi';
import { SessionReference } from './session-schema.ts';

/** Shapes of judgements that are asked for with `Prefer: respond-async`. */

const time = z.iso.datetime();

export const JudgementJob = z
  .object({
    id: z.uuid(),
    session_id: z.string(),
    status: z
      .enum(['queued', 'running', 'succeeded', 'failed', 'cancelled'])
      .describe('The last three are for good.'),
    progress: z
      .object({ phase: z.string(), done: z.number(), total: z.number() })
      .nullable()
      .describe('How far the analysis is; null before it begins.'),
    judgement_id: z.uuid().nullable().describe('Of a job that succeeded: the judgement that it made.'),
    error: z.string().nullable().describe('Of a job that failed: what judging at once would have returned.'),
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
  })
  .openapi('JudgementJob');

export const JobReference = SessionReference.extend({
  job_id: z.string().describe('UUID of the job.'),
});

export const ListJobs = SessionReference.extend({
  limit: z.int().min(1).max(200).default(50).describe('Most jobs that are listed, the latest.'),
});
