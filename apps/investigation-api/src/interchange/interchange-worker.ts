import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import {
  LEFT_OUT_MAX,
  readFile,
  readPdf,
  settingsToTake,
  UnreadableFile,
  writeFile,
} from '@platform/interchange';
import type { ExportFormat } from '@platform/interchange/formats';
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
  comparable,
  differingNamesakes,
  firstOf,
  itemsToMerge,
  nameOf,
  namesakesOf,
  nearSpelled,
  putBack,
  replacedItems,
  replacedWords,
  restatedClaims,
  spellingWords,
  standingClaim,
  apartFromClaims,
  versionWords,
  withSuperseded,
  type ItemLists,
} from '@platform/workbench/claims';
import type { WorkerMessage } from '@platform/worker-pool';
import { textOf } from '../model/text-pieces.ts';
import { isForeignRecord, withoutRecord } from '../model/written-record.ts';
import { unpackJsonSync } from '../wire/packed-json.ts';
import type { InterchangeReply, InterchangeTask, WriteFileTask } from './interchange-task.ts';

const ASSETS = fileURLToPath(new URL('./viewer/', import.meta.url));

// PDF.js reads pages ahead in promises that nobody holds. What those reject with is found again by the read
// that needs the page, so it must not end the thread.
process.on('unhandledRejection', () => {});

parentPort?.on('message', (task: InterchangeTask) => {
  run(task)
    .then((reply) => {
      const transfer =
        'written' in reply
          ? [reply.written.buffer]
          : 'read' in reply
            ? [reply.read.payload.buffer, reply.read.update.buffer]
            : [];
      parentPort?.postMessage({ reply } satisfies WorkerMessage<InterchangeReply, never>, transfer);
    })
    .catch((error: unknown) => {
      // What else goes wrong ends the thread, as any failure of a task does.
      setImmediate(() => {
        throw error;
      });
    });
});

async function run(task: InterchangeTask): Promise<InterchangeReply> {
  if (task.kind === 'write') return { written: write(task) };
  try {
    if (task.kind === 'pdf') return { pdf: await readPdf(task.bytes) };
    const { format, bytes, there, records, isOneByName = false, dates, numbers } = task;
    const session = there && (JSON.parse(textOf(there)) as InvestigationInput);
    const present = session && listsOf(session);
    const {
      payload: inFile,
      leftOut,
      leftOutTotal,
      settings,
    } = readFile(format, bytes, format === 'json' ? undefined : present, { dates, numbers });
    const { payload, foreign } = withoutForeignRecords(inFile, records);
    const { taken, differing } =
      session === undefined ? { taken: {}, differing: [] } : settingsToTake(settings ?? {}, session);
    const { actors, subjects, claims, evidence } = payload;
    const whole = listsOf(payload);
    const merge =
      present === undefined || format === 'json'
        ? { ...NO_MERGE, read: whole, items: whole }
        : itemsToMerge(whole, present, { isTyped: settings !== undefined });
    const { read: lists, items, kept } = merge;
    const namesakes = namesakesOf(lists, items, present ?? {});
    const others = asOne(items, namesakes);
    const merged = isOneByName ? others : items;
    const staying = apartFromClaims(present ?? {}, new Set(merge.removed));
    const changed = changedItems(withSuperseded(merged, merge.superseded), present ?? {});
    const standing = [
      ...kept.map(({ kind, id, reason }) => ({ path: `${kind} ${id}`, reason })),
      ...(isOneByName && present !== undefined ? differingNamesakes(items, namesakes, present) : []),
      ...restatedClaims(lists, merged, present ?? {}).map((one) => standingClaim(one)),
    ];
    return {
      read: {
        payload: new TextEncoder().encode(JSON.stringify(payload)),
        update: new TextEncoder().encode(
          JSON.stringify({
            ...taken,
            ...changed,
            ...(merge.removed.length > 0 && { remove_evidence_ids: merge.removed }),
          }),
        ),
        settings: taken,
        namesakes,
        replaced: [...versionWords(merge), ...replacedWords(replacedItems(lists, merged, staying))],
        spellings: nearSpelled(changed, present).map((one) => spellingWords(one, firstOf(one.items, nameOf))),
        putBack: putBack(lists, present ?? {}, apartFromClaims(others, merge.news)).map(
          (item) => nameOf(item) || item.id,
        ),
        leftOut: [...foreign, ...differing, ...standing, ...leftOut].slice(0, LEFT_OUT_MAX),
        leftOutTotal: leftOutTotal + foreign.length + standing.length + differing.length,
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

/** Of items that are taken as they are. */
const NO_MERGE: Omit<ReturnType<typeof itemsToMerge>, 'read' | 'items'> = {
  kept: [],
  news: new Set(),
  superseded: [],
  otherVoices: [],
  opinions: [],
  withdrawn: [],
  removed: [],
  sources: [],
};

/** The investigation of a file with those records of sources alone that are among `records`. */
function withoutForeignRecords(payload: InvestigationInput, records: readonly string[]) {
  const isForeign = (actor: InvestigationInput['actors'][number]) => isForeignRecord(actor, records);
  const foreign = payload.actors.filter(isForeign).map(({ id }) => ({
    path: `actors ${id} reliability_record`,
    reason: 'does not come from your register of sources; base_reliability counts as stated',
  }));
  const actors = payload.actors.map((actor) => (isForeign(actor) ? withoutRecord(actor) : actor));
  return { payload: foreign.length === 0 ? payload : { ...payload, actors }, foreign };
}

/** The items that are not there as they are. */
function changedItems(items: ItemLists, there: ItemLists): ItemLists {
  return Object.fromEntries(
    Object.entries(items).map(([kind, list]) => {
      const present = new Map(there[kind]?.map((item) => [item.id, item]));
      return [kind, list.filter((item) => comparable(item) !== comparable(present.get(item.id)))];
    }),
  );
}

/** The lists of an investigation, without its settings. */
const listsOf = (input: InvestigationInput) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => Array.isArray(value))) as ItemLists &
    Readonly<Record<'actors' | 'subjects', ItemLists[string]>>;

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

const REPORTS: readonly ExportFormat[] = ['pdf', 'pdf-brief'];
/** These say whose claims a verdict counts, and nothing of what would change it. */
const WITH_VOICES: readonly ExportFormat[] = ['claimreview', 'zip'];

/** What an export says about the reasons, as a share has it; other formats do without. */
function reasonsOf(format: ExportFormat, input: InvestigationInput, judgedAt: string) {
  const isReport = REPORTS.includes(format);
  if (!isReport && !WITH_VOICES.includes(format)) return { explanations: [], claim_audits: [] };
  const at = { now: new Date(judgedAt) };
  const { explanations, claimAudits } = explainAndAudit(input, { ...at, ...(!isReport && { budget: 0 }) });
  return {
    explanations,
    claim_audits: claimAudits,
    ...(isReport && { without_distinctions: withoutDistinctions(input, at) }),
  };
}

const valueOf = <T>(json: Uint8Array): T => JSON.parse(new TextDecoder().decode(json)) as T;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
