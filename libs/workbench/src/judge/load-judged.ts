import type { ClaimAudit, VerdictExplanation, WithoutDistinction } from '@platform/opinion-fusion';
import type { JudgedInvestigation, JudgementMeta } from '@platform/viewer/browser';
import { sessionPath, type Api } from '../api/api.ts';
import type { JudgementRecord } from '../api/wire.ts';

/** A judgement as panes draw it, without what belongs to the session: its name and interpretation. */
export type Judged = Omit<
  JudgedInvestigation,
  'session_name' | 'interpretation' | 'interpretation_updated_at'
>;

/**
 * The last judgement of a session as the first response holds it: without the one before, without hashes and
 * explanations, which `loadRest` and `explainJudged` add.
 */
export async function loadJudged(api: Api, sessionId: string, signal?: AbortSignal): Promise<Judged> {
  const [latest, metas] = await Promise.all([
    api<JudgementRecord>('GET', sessionPath(sessionId, 'judgements', 'latest'), { signal }),
    api<JudgementMeta[]>('GET', sessionPath(sessionId, 'judgements'), { signal }),
  ]);
  const place = metas.findIndex(({ id }) => id === latest.id);
  const judgements = metas.slice(Math.max(0, place));
  const { id, judged_at, duration_ms, input_snapshot: input, result, quotes } = latest;
  return {
    judgement: { id, judged_at, duration_ms, engine_version: result.engine_version },
    judgements,
    previous: null,
    input,
    input_sha256: UNKNOWN,
    result,
    result_sha256: UNKNOWN,
    explanations: [],
    claim_audits: [],
    quotes,
  };
}

const UNKNOWN = 'being computed …';

/** What of a judgement its panes can do without at first: the judgement before it, and the hashes of both. */
export async function loadRest(
  api: Api,
  sessionId: string,
  { input, result, judgements }: Judged,
  signal?: AbortSignal,
): Promise<Pick<Judged, 'previous' | 'input_sha256' | 'result_sha256'>> {
  const before = judgements?.[1];
  const previous =
    before &&
    (await api<JudgementRecord>('GET', sessionPath(sessionId, 'judgements', before.id), { signal }));
  return {
    previous: previous
      ? {
          id: previous.id,
          judged_at: previous.judged_at,
          result: previous.result,
          input: previous.input_snapshot,
        }
      : null,
    input_sha256: await sha256Of(input),
    result_sha256: await sha256Of(result),
  };
}

/** In a task of its own, because writing the JSON of thousands of claims takes long. */
async function sha256Of(value: object): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve));
  // The service keeps it as JSON without white space, so it is here what it was there.
  return sha256(JSON.stringify(value));
}

/**
 * Lower-case hexadecimal; says so where the browser computes none, as it does on addresses that are not
 * secure.
 */
async function sha256(text: string): Promise<string> {
  if (!('subtle' in crypto)) return 'not computed: this address is not secure';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface Reasons {
  readonly explanations: readonly VerdictExplanation[];
  readonly claim_audits: readonly ClaimAudit[];
  readonly without_distinctions: readonly WithoutDistinction[];
}

/**
 * The reasons behind each verdict and weight, computed in a worker thread. Throws AbortError when stopped.
 */
export function explainJudged({ input, result }: Judged, signal: AbortSignal): Promise<Reasons> {
  const script = document.getElementById('app')!.dataset['reasoning']!;
  return new Promise((resolve, reject) => {
    const worker = new Worker(script);
    const stop = () => {
      worker.terminate();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<Reasons>) => {
      worker.terminate();
      signal.removeEventListener('abort', stop);
      resolve(data);
    });
    worker.addEventListener('error', ({ message }) => {
      worker.terminate();
      reject(new Error(message));
    });
    worker.postMessage({ input, evaluatedAt: result.evaluated_at });
  });
}
