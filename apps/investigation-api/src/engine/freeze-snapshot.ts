import { createHash } from 'node:crypto';
import type { StopSignal } from '@platform/opinion-fusion';
import { auditClaims, explainAll } from '@platform/opinion-fusion';
import type { FreezeTask } from './analysis-task.ts';

/**
 * JSON text of a ShareSnapshot without its `share`: one judgement with its input, explanations and audits, and nothing of any
 * other judgement. Input and result stand in it as the very texts that were kept and hashed. Throws the signal's reason when
 * it is aborted.
 */
export function freezeSnapshot({ frame, inputSnapshot, result }: FreezeTask, signal: StopSignal): string {
  const { evaluated_at, engine_version } = JSON.parse(result) as {
    evaluated_at: string;
    engine_version: string;
  };
  const input: unknown = JSON.parse(inputSnapshot);
  const now = new Date(evaluated_at);
  const parts: [string, string][] = [
    ['session_name', JSON.stringify(frame.session_name)],
    ['interpretation', JSON.stringify(frame.interpretation)],
    ['interpretation_updated_at', JSON.stringify(frame.interpretation_updated_at)],
    ['judgement', JSON.stringify({ ...frame.judgement, engine_version })],
    ['input', inputSnapshot],
    ['input_sha256', JSON.stringify(sha256(inputSnapshot))],
    ['result', result],
    ['result_sha256', JSON.stringify(sha256(result))],
    ['explanations', JSON.stringify(explainAll(input, { now, signal }))],
    ['claim_audits', JSON.stringify(auditClaims(input, { now }))],
  ];
  return `{${parts.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
