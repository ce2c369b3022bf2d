import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { LeadingAnswer } from '@platform/viewer';
import type {
  AnalysisInput,
  AnalysisProgress,
  AnalysisReply,
  AnalysisTask,
  AnalyzeTask,
  AnswerTask,
  CompareTask,
  CutParts,
  DomainForecast,
  ExplainTask,
  ForecastTask,
  FreezeTask,
  FrozenShare,
  KeptJudgement,
  JudgeTask,
  PartTask,
  PreviewTask,
  ResultForm,
} from './analysis-task.ts';
import { bytesOf, memoryOf, type TextPieces } from '../model/text-pieces.ts';
import type { PinnedQuote } from '../model/pinned-quote.ts';
import type { PartTexts, ResultPart } from './result-part.ts';
import { cutParts } from './result-part.ts';
import type { WatchOutcome, WatchTask } from './watch-task.ts';
import type { z } from 'zod';
import type { ExplainedVerdict } from '../wire/explanation-schema.ts';
import type { ValueOrJson } from '../wire/json-bytes.ts';
import type { InvestigationResult, InvestigationSummary } from '../wire/result-schema.ts';
import type { JudgementComparison, ValidationResponse } from '../wire/session-schema.ts';
import type { SharePreview } from '../wire/share-schema.ts';
import type { PoolLoad } from '@platform/worker-pool';
import { createWorkerPool, QueueFull, WorkerDied } from '@platform/worker-pool';

export interface WorkOptions extends ResultForm {
  readonly signal: AbortSignal;
  /** The owner of the work, such as a tenant. The queue is fair by owner. */
  readonly owner: string;
  readonly onProgress?: (progress: AnalysisProgress) => void;
  /** W3C `traceparent` of the request that asks. */
  readonly traceparent?: string | undefined;
}

export type Verdicts = z.output<typeof InvestigationResult> | z.output<typeof InvestigationSummary>;
type Validation = z.output<typeof ValidationResponse>;
type Explanation = z.output<typeof ExplainedVerdict>['explanation'];
type Comparison = Omit<z.output<typeof JudgementComparison>, 'session_id' | 'before' | 'after'>;
type Preview = z.output<typeof SharePreview>;

type Work<Task, Except extends string = 'nowMs'> = Omit<Task, 'kind' | 'wantsProgress' | Except>;

/**
 * The engine, off the request thread. Results are JSON in UTF-8, or values where `asValue` asks for them and
 * they are small. Every method throws DomainError: `unprocessable` naming every problem,
 * `unavailable` when too many wait, `payload_too_large` when the work needs more memory than a worker has,
 * `internal` when the engine fails; or the signal's reason.
 */
export interface AnalysisPool {
  /**
   * The InvestigationResult (or InvestigationSummary) for an InvestigationInput, and its pinned quotes. Its
   * bytes are transferred: empty afterwards.
   */
  analyze(
    body: AnalysisInput,
    options: WorkOptions & { now: Date } & Pick<AnalyzeTask, 'fullBytesMax'>,
  ): Promise<{ result: ValueOrJson<Verdicts>; quotes: readonly PinnedQuote[] }>;
  /** The ValidationResponse for an InvestigationInput, whose bytes are transferred. */
  validate(body: AnalysisInput, options: WorkOptions & { now: Date }): Promise<ValueOrJson<Validation>>;
  /**
   * The result for what a session holds in the form that was asked for, and what is kept: the input as
   * judged, and the full result. The payload is transferred: empty afterwards.
   */
  judge(
    task: Work<JudgeTask>,
    options: WorkOptions & { now: Date },
  ): Promise<{ result: ValueOrJson<Verdicts>; kept: KeptJudgement; quotes: readonly PinnedQuote[] }>;
  /**
   * A part of a full result and what a payload is about. The texts have the shapes of those, and are
   * transferred where they are large: empty afterwards.
   */
  part(texts: PartTexts, part: ResultPart, options: WorkOptions): Promise<CutParts<Verdicts>>;
  /** What a judgement answers; null without a verdict. */
  answer(task: Work<AnswerTask>, options: WorkOptions): Promise<LeadingAnswer | null>;
  /**
   * The VerdictExplanation of one verdict. Throws `not_found`, naming the verdicts there are, when the
   * judgement has none such.
   */
  explain(task: Work<ExplainTask>, options: WorkOptions): Promise<ValueOrJson<Explanation>>;
  /** What changed between two judgements, without their ids and times. */
  compare(task: Work<CompareTask>, options: WorkOptions): Promise<ValueOrJson<Comparison>>;
  /**
   * What a judgement had said about a question; null where it named no value. Throws `not_found`, naming the
   * verdicts there are, when the judgement has none on it.
   */
  forecast(task: Work<ForecastTask>, options: WorkOptions): Promise<DomainForecast | null>;
  /** The ShareSnapshot of a judgement, without its `share`, and what the share's feed tells about it. */
  freeze(task: Work<FreezeTask>, options: WorkOptions): Promise<FrozenShare>;
  /** The SharePreview of a judgement. */
  previewShare(task: Work<PreviewTask>, options: WorkOptions): Promise<ValueOrJson<Preview>>;
  /** What subscriptions on a session fire, by index. */
  watch(task: Work<WatchTask, 'kind'>, options: WorkOptions): Promise<readonly WatchOutcome[]>;
  load(): PoolLoad;
  close(): Promise<void>;
}

/**
 * Of smaller texts parts are cut on the thread that asks, which takes some milliseconds: reading a session
 * then waits for no analysis. Bytes.
 */
const CUT_HERE_BYTES_MAX = 1024 * 1024;
/** Where the build puts the worker: beside the bundle that this file becomes part of. */
const WORKER_FILE = new URL('./worker.js', import.meta.url);

/** Threads that parse, validate, analyze and write, so that the request thread never holds a large value. */
export function createAnalysisPool(options: {
  threads: number;
  queueMax: number;
  memoryMiBMax: number;
  file?: URL;
}): AnalysisPool {
  const pool = createWorkerPool<AnalysisTask, AnalysisReply, AnalysisProgress>({
    file: WORKER_FILE,
    ...options,
  });

  async function run(task: AnalysisTask, { signal, owner, onProgress }: WorkOptions) {
    const transfer = memoryOf(textsOf(task));
    let reply: AnalysisReply;
    try {
      reply = await pool.run(task, { signal, owner, transfer, onEvent: onProgress });
    } catch (error) {
      throw toAnalysisError(error);
    }
    if ('problem' in reply) throw new DomainError('unprocessable', reply.problem);
    if ('absent' in reply) throw new DomainError('not_found', reply.absent);
    return reply;
  }

  async function work<Result>(
    task: Exclude<AnalysisTask, AnswerTask | PartTask | FreezeTask | ForecastTask | WatchTask>,
    how: WorkOptions,
  ) {
    const reply = await run({ ...task, asValue: how.asValue }, how);
    if ('result' in reply) return { ...reply, result: reply.result as ValueOrJson<Result> };
    throw new DomainError('internal', 'the engine failed');
  }

  const timing = ({ now, onProgress }: WorkOptions & { now: Date }) => ({
    nowMs: now.getTime(),
    wantsProgress: onProgress !== undefined,
  });

  return {
    async analyze(body, how) {
      const task = { kind: 'analyze', body, fullBytesMax: how.fullBytesMax, ...timing(how) } as const;
      const { result, quotes = [] } = await work<Verdicts>(task, how);
      return { result, quotes };
    },
    validate: async (body, how) =>
      (await work<Validation>({ kind: 'validate', body, ...timing(how) }, how)).result,
    async judge(task, how) {
      const judged = await work<Verdicts>({ kind: 'judge', ...task, ...timing(how) }, how);
      return { result: judged.result, kept: judged.kept!, quotes: judged.quotes ?? [] };
    },
    async part(texts, part, how) {
      const { resultText, payload } = texts;
      if (bytesOf(resultText ?? []) + bytesOf(payload ?? []) <= CUT_HERE_BYTES_MAX)
        return cutParts(texts, part) as CutParts<Verdicts>;
      const reply = await run({ kind: 'part', part, ...texts }, how);
      if ('parts' in reply) return reply.parts as CutParts<Verdicts>;
      throw new DomainError('internal', 'the engine failed');
    },
    async answer(task, how) {
      const reply = await run({ kind: 'answer', ...task }, how);
      if ('answer' in reply) return reply.answer;
      throw new DomainError('internal', 'the engine failed');
    },
    explain: async (task, how) => (await work<Explanation>({ kind: 'explain', ...task }, how)).result,
    compare: async (task, how) => (await work<Comparison>({ kind: 'compare', ...task }, how)).result,
    async forecast(task, how) {
      const reply = await run({ kind: 'forecast', ...task }, how);
      if ('forecast' in reply) return reply.forecast;
      throw new DomainError('internal', 'the engine failed');
    },
    async freeze(task, how) {
      const reply = await run({ kind: 'freeze', ...task }, how);
      if ('frozen' in reply) return reply.frozen;
      throw new DomainError('internal', 'the engine failed');
    },
    previewShare: async (task, how) => (await work<Preview>({ kind: 'preview', ...task }, how)).result,
    async watch(task, how) {
      const reply = await run({ kind: 'watch', ...task }, how);
      if ('watched' in reply) return reply.watched;
      throw new DomainError('internal', 'the engine failed');
    },
    load: () => pool.load(),
    close: () => pool.close(),
  };
}

/** The texts of a task, which move to the worker. */
function textsOf(task: AnalysisTask): TextPieces {
  if (task.kind === 'part') return [...(task.resultText ?? []), ...(task.payload ?? [])];
  if ('payload' in task) return task.payload;
  if (!('body' in task)) return [];
  const { body } = task;
  return body instanceof Uint8Array ? [body] : 'value' in body ? [] : body;
}

function toAnalysisError(error: unknown): unknown {
  if (error instanceof QueueFull) {
    return new DomainError('unavailable', 'too many investigations are waiting, try again later', {
      retryAfterSeconds: RETRY_AFTER_SECONDS.longQueue,
    });
  }
  if (error instanceof WorkerDied) {
    const cause = error.cause as NodeJS.ErrnoException | undefined;
    if (cause?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return new DomainError(
        'payload_too_large',
        'claims: the investigation needs more memory than one analysis may use; send fewer claims at a time',
        {
          cause: error,
        },
      );
    }
    return new DomainError('internal', 'the engine failed', { cause: error });
  }
  return error;
}
