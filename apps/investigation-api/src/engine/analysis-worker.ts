import { parentPort, workerData } from 'node:worker_threads';
import type {
  AnalyzeOptions,
  InvestigationInput,
  InvestigationResult,
  InvestigationSummary,
  Judgement,
  StopSignal,
} from '@platform/opinion-fusion';
import {
  analyze,
  analyzeAgain,
  compareJudgements,
  explain,
  forecastOf,
  NEITHER_YES_NOR_NO,
  NO_CLAIM_THERE,
  NOTHING_TO_SCORE,
  InvalidInvestigation,
  resultText,
  summarizeResult,
} from '@platform/opinion-fusion';
import { InvalidJsonError, parseStrictJson } from '@platform/strict-json';
import { leadingAnswer } from '@platform/viewer';
import type {
  AnalysisInput,
  AnalysisProgress,
  AnalysisReply,
  AnalysisTask,
  AnalyzeTask,
  AnswerTask,
  CompareTask,
  ExplainTask,
  ForecastTask,
  JudgedAt,
  JudgeTask,
  ResultForm,
} from './analysis-task.ts';
import { VALUE_BYTES_MAX } from './analysis-task.ts';
import { absentVerdict } from './absent-verdict.ts';
import { listedChanges } from './listed-changes.ts';
import { feedOf } from './feed-changes.ts';
import { freezeSnapshot } from './freeze-snapshot.ts';
import { previewShare } from './preview-share.ts';
import { cutParts, resultPart } from './result-part.ts';
import { ResultWriter } from './result-writer.ts';
import type { WrittenResult } from './result-writer.ts';
import { pinnedQuotesOf } from '../model/pinned-quote.ts';
import { textOf } from '../model/text-pieces.ts';
import type { ValueOrJson } from '../wire/json-bytes.ts';
import { toldExplanation } from './told-explanation.ts';
import { watchSession } from './watch-task.ts';
import { jsonLength } from '../wire/json-length.ts';
import { packJson, unpackJsonSync } from '../wire/packed-json.ts';
import type { PresentationFields } from '../wire/presentation.ts';
import type { WorkerMessage } from '@platform/worker-pool';

type Message = WorkerMessage<AnalysisReply, AnalysisProgress>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const { stop } = workerData as { stop: Int32Array };
/** Asks the pool's cell each time the engine looks. */
const signal: StopSignal = {
  get aborted() {
    return Atomics.load(stop, 0) === 1;
  },
};
const port = parentPort;
if (port === null) throw new Error('runs as a worker thread only');

port.on('message', (task: AnalysisTask) => {
  const reply = replyTo(task);
  const isJson = 'result' in reply && reply.result instanceof Uint8Array;
  port.postMessage({ reply } satisfies Message, isJson ? [reply.result.buffer as ArrayBuffer] : []);
});

/** What the input's sender can mend becomes a problem; anything else is thrown and ends this thread. */
function replyTo(task: AnalysisTask): AnalysisReply {
  try {
    return run(task);
  } catch (error) {
    // The client has disconnected; the message only says that this thread is free.
    if (signal.aborted) return { problem: 'stopped' };
    if (error instanceof InvalidJsonError)
      return { problem: error.path ? `${error.path}: ${error.message}` : error.message };
    if (error instanceof InvalidInvestigation) return { problem: error.message };
    throw error;
  }
}

function run(task: AnalysisTask): AnalysisReply {
  switch (task.kind) {
    case 'analyze':
      return analyzeInput(task);
    case 'validate':
      return { result: inForm(task, validate(task)) };
    case 'judge':
      return judge(task);
    case 'explain':
      return explainVerdict(task);
    case 'compare':
      return { result: inForm(task, compare(task)) };
    case 'part': {
      const { result, outline } = cutParts(task, task.part);
      return { parts: { result: result && encode(result), outline } };
    }
    case 'answer':
      return answer(task);
    case 'freeze':
      return { frozen: { snapshot: freezeSnapshot(task, signal), ...feedOf(task) } };
    case 'forecast':
      return forecast(task);
    case 'watch':
      return { watched: watchSession(task) };
    case 'preview':
      return { result: inForm(task, previewShare(task)) };
  }
}

/** The JSON of a value in UTF-8. */
function encode(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value));
}

/** A value in the form in which it goes back. It is measured without being written. */
function inForm<Result extends object>(
  { asValue }: ResultForm,
  value: Result,
  write: (value: Result) => Uint8Array<ArrayBuffer> = encode,
): ValueOrJson<object> {
  return asValue === true && jsonLength(value, VALUE_BYTES_MAX) <= VALUE_BYTES_MAX ? value : write(value);
}

/** A summary is short, so that nothing has to measure it first. */
function summaryOf({ asValue }: ResultForm, result: InvestigationResult): ValueOrJson<object> {
  const summary = summarizeResult(result);
  return asValue === true ? summary : encode(summary);
}

function inputOf(body: AnalysisInput): unknown {
  if (body instanceof Uint8Array) return parseStrictJson(body);
  return 'value' in body ? body.value : JSON.parse(textOf(body));
}

function analyzeInput(task: AnalyzeTask & ResultForm): AnalysisReply {
  const input = inputOf(task.body);
  const result = resultOf(task, input);
  // What the engine has accepted has the shape of an investigation.
  return { result, quotes: pinnedQuotesOf(input as InvestigationInput) };
}

function resultOf(task: AnalyzeTask & ResultForm, given: unknown): ValueOrJson<object> {
  const { fullBytesMax } = task;
  if (fullBytesMax === undefined) {
    return inForm(task, analyzeWithProgress(given, task), encodeResult);
  }
  const { detail, input } = takeDetail(given);
  const result = analyzeWithProgress(input, task);
  const isSummary = 'summary_mode' in result;
  // A caller that sends summary_mode false asks for the full result, too.
  const wantsFull = detail === 'full' || (detail === null && typeof input.summary_mode === 'boolean');
  if (isSummary || wantsFull || jsonLength(result, fullBytesMax) <= fullBytesMax)
    return inForm(task, result, encodeResult);
  return summaryOf(task, result);
}

/** Splits off `detail`, an argument of tools that is not a field of the input: compact, full or null. */
function takeDetail(sent: unknown): { detail: string | null; input: { readonly summary_mode?: unknown } } {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { detail: null, input: sent as object };
  const { detail = null, ...input } = sent as { detail?: unknown; summary_mode?: unknown };
  if (detail !== null && detail !== 'compact' && detail !== 'full')
    throw new InvalidInvestigation([{ path: 'detail', message: 'must be compact or full' }], 1);
  return { detail, input };
}

/** The JSON of a result in UTF-8, which may be longer than a string can be. */
function encodeResult(result: InvestigationResult | InvestigationSummary): Uint8Array<ArrayBuffer> {
  const parts = Array.from(resultText(result), (text) => encoder.encode(text));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = bytes.length;
  // From the end, so that each part is freed once it is copied.
  for (let part = parts.pop(); part; part = parts.pop()) bytes.set(part, (end -= part.length));
  return bytes;
}

interface Asked {
  readonly nowMs: number;
  readonly wantsProgress: boolean;
}

function analyzeWithProgress(input: unknown, asked: Asked): InvestigationResult | InvestigationSummary {
  return analyze(input, analysisOptions(asked));
}

function analysisOptions({ nowMs, wantsProgress }: Asked): AnalyzeOptions {
  const onProgress = wantsProgress
    ? (event: AnalysisProgress) => port?.postMessage({ event } satisfies Message)
    : undefined;
  return { now: new Date(nowMs), signal, onProgress };
}

/** Returns the errors and warnings that judging an input would give. */
function validate(task: AnalyzeTask): object {
  try {
    const { warnings } = analyzeWithProgress(inputOf(task.body), task);
    return { is_valid: true, problems: [], problem_count: 0, warnings };
  } catch (error) {
    if (!(error instanceof InvalidInvestigation)) throw error;
    return { is_valid: false, problems: error.problems, problem_count: error.total, warnings: [] };
  }
}

/**
 * The judgement that this thread made last, for the next one of the same session: results have the same bytes
 * with and without it, so it is a cache and no state.
 */
let last: {
  readonly sessionId: string;
  readonly judgement: Judgement;
  readonly writer: ResultWriter;
} | null = null;
/** Smaller investigations gain nothing; of larger ones the judgement takes too much memory (8 KB a claim). */
const KEPT_CLAIMS = { least: 500, most: 20_000 };

/**
 * Judges in full whatever is asked for, because what is kept serves later readers as well: shares,
 * colleagues, explanations.
 */
function judge(task: JudgeTask & ResultForm): AnalysisReply {
  const stored = JSON.parse(textOf(task.payload)) as Record<string, unknown>;
  const isStoredCompact = stored['summary_mode'] === true;
  const input = isStoredCompact ? { ...stored, summary_mode: false } : stored;
  const earlier = last?.sessionId === task.sessionId ? last : null;
  const { result, judgement } = analyzeAgain(input, analysisOptions(task), earlier?.judgement ?? null) as {
    result: InvestigationResult;
    judgement: Judgement;
  };
  const claims = result.claim_analyses.length;
  const isKept = claims >= KEPT_CLAIMS.least && claims <= KEPT_CLAIMS.most;
  const writer = earlier?.writer ?? new ResultWriter();
  last = isKept ? { sessionId: task.sessionId, judgement, writer } : null;
  const { length, packed, json } = isKept ? writer.write(result) : writtenWhole(result);
  const isValue = task.asValue === true && length <= VALUE_BYTES_MAX;
  return {
    result: task.part
      ? inForm(task, resultPart(result, task.part))
      : (task.summaryMode ?? isStoredCompact)
        ? summaryOf(task, result)
        : isValue
          ? result
          : json(),
    kept: {
      inputSnapshot: packJson(isStoredCompact ? encode(input) : Buffer.concat(task.payload)),
      result: packed,
      resultBytes: length,
      answer: JSON.stringify(answerOf(input as unknown as InvestigationInput, result, task.presentation)),
    },
    quotes: pinnedQuotesOf(stored as unknown as InvestigationInput),
  };
}

function answer({ presentation, ...judgement }: AnswerTask): AnalysisReply {
  const { input, result } = keptJudgement({ ...judgement, judgedAtMs: 0 });
  return { answer: answerOf(input, result, presentation) };
}

function answerOf(
  input: InvestigationInput,
  result: InvestigationResult,
  { answer_finding, patterns }: PresentationFields,
) {
  const presentation = { ...(answer_finding && { answer_finding }), ...(patterns && { patterns }) };
  return leadingAnswer({ input, result, presentation });
}

function writtenWhole(result: InvestigationResult): WrittenResult {
  const full = encodeResult(result);
  return { length: full.length, packed: packJson(full), json: () => full };
}

function explainVerdict(task: ExplainTask & ResultForm): AnalysisReply {
  const { subjectId, predicate, ...judgement } = task;
  const { input, result, judgedAt: now } = keptJudgement(judgement);
  const explanation = explain(input, { now, signal, subject_id: subjectId, predicate });
  if (explanation !== null) return { result: inForm(task, toldExplanation(explanation, input, result)) };
  // Judged again, because a compact result names only some of its verdicts.
  const { subject_results } = analyze(
    { ...input, summary_mode: false },
    { now, signal },
  ) as InvestigationResult;
  return { absent: absentVerdict(subject_results, { subject_id: subjectId, predicate }) };
}

function forecast({ subjectId, predicate, value, place, ...judgement }: ForecastTask): AnalysisReply {
  const { input, result, judgedAt } = keptJudgement(judgement);
  const question = { subject_id: subjectId, predicate };
  const said = forecastOf({ input, result, judgedAt, ...question, value, ...place }, signal);
  if (said === null) return { absent: absentVerdict(result.subject_results, question) };
  if (said === NEITHER_YES_NOR_NO)
    return { problem: 'value: is neither yes nor no, by which the question is answered; send true or false' };
  if (said === NO_CLAIM_THERE)
    return {
      problem:
        'scope: no claim on the question is of this scope and time; send those of a claim, spelled as it has them',
    };
  if (said === NOTHING_TO_SCORE) return { forecast: null };
  return { forecast: { ...said, domain: input.domain ?? 'General' } };
}

function compare({ before, after, offset, limit }: CompareTask): object {
  const comparison = compareJudgements(keptJudgement(before), keptJudgement(after), { signal });
  return listedChanges(comparison, { offset, limit });
}

function keptJudgement({ inputSnapshot, result, judgedAtMs }: JudgedAt) {
  const parse = (text: JudgedAt['result']): unknown => JSON.parse(decoder.decode(unpackJsonSync(text)));
  return {
    input: parse(inputSnapshot) as InvestigationInput,
    result: parse(result) as InvestigationResult,
    judgedAt: new Date(judgedAtMs),
  };
}
