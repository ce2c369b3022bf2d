import type { z } from 'zod';
import type { PayloadOutline } from '../engine/result-part.ts';
import type * as schemas from '../wire/session-schema.ts';

/** What tools show of the result of a judgement: all of it, its summary, or a part. */
export type Result = z.output<typeof schemas.JudgeResponse>['result'];
export type Verdicts = Extract<Result, { subject_results: unknown }>['subject_results'];

/** Some verdicts of a result, with what holds for all of them: that of the engine's side as it is sent. */
export type VerdictPart = Pick<
  Result,
  'research_question' | 'decay_half_life_days' | 'evaluated_at' | 'engine_version' | 'warnings'
> & {
  readonly verdicts: Verdicts;
  readonly verdict_count: number;
  /** Where the next part begins; null = this is the last. */
  readonly next_offset: number | null;
};

/** A response whose result may be a part, and which has only an outline of its investigation then. */
export type WithPart<T> = {
  [K in keyof T]: K extends 'result' | 'last_result' ? T[K] | VerdictPart : T[K];
} & Partial<PayloadOutline>;

/** How many items of a list are asked for, behind how many. */
export interface AskedPart {
  readonly limit: number;
  readonly offset: number;
}
