import { createHash } from 'node:crypto';
import type { StopSignal } from '@platform/opinion-fusion';
import { explainAndAudit, withoutDistinctions } from '@platform/opinion-fusion';
import { joinPacked, type PackedJson, unpackJsonSync } from '../wire/packed-json.ts';
import type { FreezeTask } from './analysis-task.ts';
import type { PublicPart } from './public-parts.ts';
import { publishedChanges } from './published-changes.ts';
import { publicInputOf, withoutWarnings } from './public-parts.ts';

/** A member of a snapshot: a value, or JSON as it is. */
type Part = { readonly value: unknown } | { readonly json: PackedJson | Uint8Array };

/**
 * A ShareSnapshot without its `share`: one judgement with its input, explanations and audits, and of another
 * judgement only what changed since the one that readers see, where its author shows that. Input and result
 * stand in it as the very texts that were kept, unless the input has fields that are not public; hashed is
 * what stands in it. Throws the signal's reason when it is aborted.
 */
export function freezeSnapshot(task: FreezeTask, signal: StopSignal): PackedJson {
  const { frame, inputSnapshot, result, quotes, documents } = task;
  const { input, json, bytes: inputBytes, hiddenWarnings } = publicInputOf(inputSnapshot, documents);
  const keptBytes = unpackJsonSync(result);
  const resultBytes = withoutWarnings(keptBytes, hiddenWarnings);
  const at = { now: new Date(frame.judgement.judged_at), signal };
  const { explanations, claimAudits } = explainAndAudit(input, at);
  const { session_name, interpretation, interpretation_updated_at, judgement } = frame;
  const parts: Record<Exclude<PublicPart, 'share'>, Part> = {
    session_name: { value: session_name },
    interpretation: { value: interpretation },
    interpretation_updated_at: { value: interpretation_updated_at },
    judgement: { value: { ...judgement, engine_version: engineVersionOf(resultBytes) } },
    input: { json },
    input_sha256: { value: sha256(inputBytes) },
    result: { json: resultBytes === keptBytes ? result : resultBytes },
    result_sha256: { value: sha256(resultBytes) },
    explanations: { value: explanations },
    claim_audits: { value: claimAudits },
    without_distinctions: { value: withoutDistinctions(input, at) },
    quotes: quotes === null ? { value: null } : { json: quotes },
    documents: { value: documents },
    changes: { value: publishedChanges(task, input, signal) },
  };
  const texts: (PackedJson | Uint8Array)[] = [];
  // Values and names in one text up to the next that is JSON already: each text is compressed by itself.
  let text = '{';
  for (const [name, part] of Object.entries(parts)) {
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
    if ('value' in part) text += JSON.stringify(part.value);
    else {
      texts.push(text, part.json);
      text = '';
    }
  }
  return joinPacked([...texts, `${text}}`]);
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
