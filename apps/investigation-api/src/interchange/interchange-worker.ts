import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { LEFT_OUT_MAX, readFile, readPdf, UnreadableFile, writeFile } from '@platform/interchange';
import {
  explainAndAudit,
  withoutDistinctions,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import type { JudgedInvestigation } from '@platform/viewer';
import { loadReportFonts } from '@platform/viewer/report';
import {
  asOne,
  itemsToMerge,
  nameOf,
  namesakesOf,
  putBack,
  type ItemLists,
} from '@platform/workbench/claims';
import type { WorkerMessage } from '@platform/worker-pool';
import { textOf, type TextPieces } from '../model/text-pieces.ts';
import { unpackJsonSync } from '../wire/packed-json.ts';
import type { InterchangeReply, InterchangeTask, WriteFileTask } from './interchange-task.ts';

const ASSETS = fileURLToPath(new URL('./viewer/', import.meta.url));

parentPort?.on('message', (task: InterchangeTask) => {
  // What else goes wrong ends the thread, as any failure of a task does.
  void run(task).then((reply) => {
    const transfer =
      'written' in reply
        ? [reply.written.buffer]
        : 'read' in reply
          ? [reply.read.payload.buffer, reply.read.items.buffer]
          : [];
    parentPort?.postMessage({ reply } satisfies WorkerMessage<InterchangeReply, never>, transfer);
  });
});

async function run(task: InterchangeTask): Promise<InterchangeReply> {
  if (task.kind === 'write') return { written: write(task) };
  try {
    if (task.kind === 'pdf') return { pdf: await readPdf(task.bytes) };
    const { format, bytes, there, isOneByName = false, dates } = task;
    const present = there && {
      ...itemLists(there),
      actors: itemsOf(there.actors),
      subjects: itemsOf(there.subjects),
    };
    const { payload, leftOut, leftOutTotal } = readFile(
      format,
      bytes,
      format === 'json' ? undefined : present,
      { dates },
    );
    const { actors, subjects, claims, evidence } = payload;
    const lists = Object.fromEntries(
      Object.entries(payload).filter(([, value]) => Array.isArray(value)),
    ) as ItemLists;
    const { items, kept } =
      present === undefined || format === 'json' ? { items: lists, kept: [] } : itemsToMerge(lists, present);
    const namesakes = namesakesOf(lists, items, present ?? {});
    const others = asOne(items, namesakes);
    const merged = isOneByName ? others : items;
    const notTaken = kept.map(({ kind, id }) => ({
      path: `${kind} ${id}`,
      reason: 'stays as it is in the session, which differs from the file',
    }));
    return {
      read: {
        payload: new TextEncoder().encode(JSON.stringify(payload)),
        items: new TextEncoder().encode(JSON.stringify(merged)),
        namesakes,
        putBack: putBack(lists, present ?? {}, others).map((item) => nameOf(item) || item.id),
        leftOut: [...notTaken, ...leftOut].slice(0, LEFT_OUT_MAX),
        leftOutTotal: leftOutTotal + kept.length,
        counts: {
          actors: actors.length,
          subjects: subjects.length,
          claims: claims.length,
          evidence: evidence?.length ?? 0,
        },
      },
    };
  } catch (error) {
    if (error instanceof UnreadableFile) return { problem: error.message };
    throw error;
  }
}

const itemLists = (lists: Readonly<Record<string, TextPieces>>) =>
  Object.fromEntries(Object.entries(lists).map(([kind, json]) => [kind, itemsOf(json)]));
const itemsOf = (json: TextPieces) => JSON.parse(textOf(json)) as { readonly id: string }[];

function write({
  format,
  frame,
  quotes,
  documents,
  missing,
  ...task
}: WriteFileTask): Uint8Array<ArrayBuffer> {
  const input = unpackJsonSync(task.inputSnapshot);
  const result = unpackJsonSync(task.result);
  const read = valueOf<InvestigationResult>(result);
  const investigation = valueOf<InvestigationInput>(input);
  const judged: JudgedInvestigation = {
    ...frame,
    judgement: { ...frame.judgement, engine_version: read.engine_version },
    input: investigation,
    input_sha256: sha256(input),
    result: read,
    result_sha256: sha256(result),
    ...reasonsOf(format, investigation, frame.judgement.judged_at),
    quotes:
      quotes === null ? null : valueOf<NonNullable<JudgedInvestigation['quotes']>>(unpackJsonSync(quotes)),
  };
  return Uint8Array.from(
    writeFile(format, judged, {
      input,
      result,
      documents,
      missing,
      fonts: () => loadReportFonts(ASSETS),
    }),
  );
}

/** What a report says about the reasons, as a share has it; other formats do without. */
function reasonsOf(format: WriteFileTask['format'], input: InvestigationInput, judgedAt: string) {
  if (format !== 'pdf' && format !== 'pdf-brief') return { explanations: [], claim_audits: [] };
  const at = { now: new Date(judgedAt) };
  const { explanations, claimAudits } = explainAndAudit(input, at);
  return {
    explanations,
    claim_audits: claimAudits,
    without_distinctions: withoutDistinctions(input, at),
  };
}

const valueOf = <T>(json: Uint8Array): T => JSON.parse(new TextDecoder().decode(json)) as T;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
