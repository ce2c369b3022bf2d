import { createHash } from 'node:crypto';
import type { InvestigationInput, StopSignal } from '@platform/opinion-fusion';
import { explainAndAudit, withoutDistinctions } from '@platform/opinion-fusion';
import { joinPacked, type PackedJson, unpackJsonSync } from '../wire/packed-json.ts';
import type { FreezeTask } from './analysis-task.ts';

/**
 * A ShareSnapshot without its `share`: one judgement with its input, explanations and audits, and nothing of
 * any other judgement. Input and result stand in it as the very texts that were kept and hashed. Throws the
 * signal's reason when it is aborted.
 */
export function freezeSnapshot({ frame, inputSnapshot, result }: FreezeTask, signal: StopSignal): PackedJson {
  const inputBytes = unpackJsonSync(inputSnapshot);
  const resultBytes = unpackJsonSync(result);
  const input = JSON.parse(Buffer.from(inputBytes).toString()) as InvestigationInput;
  const at = { now: new Date(frame.judgement.judged_at), signal };
  const { explanations, claimAudits } = explainAndAudit(input, at);
  const without_distinctions = withoutDistinctions(input, at);
  const judgement = { ...frame.judgement, engine_version: engineVersionOf(resultBytes) };
  const members = (more: object) => JSON.stringify(more).slice(1, -1);
  const { session_name, interpretation, interpretation_updated_at } = frame;
  return joinPacked([
    `{${members({ session_name, interpretation, interpretation_updated_at, judgement })},"input":`,
    inputSnapshot,
    `,"input_sha256":"${sha256(inputBytes)}","result":`,
    result,
    `,"result_sha256":"${sha256(resultBytes)}",${members({ explanations, claim_audits: claimAudits, without_distinctions })}}`,
  ]);
}

/**
 * Results run to tens of megabytes, so this one is not parsed: in JSON nothing but the member's own name is
 * written like this.
 */
function engineVersionOf(result: Uint8Array<ArrayBuffer>): unknown {
  const name = '"engine_version":';
  const json = Buffer.from(result.buffer, result.byteOffset, result.length);
  const start = json.indexOf(name) + name.length;
  return JSON.parse(json.subarray(start, json.indexOf('"', start + 1) + 1).toString());
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
