import type { ArchivedDocument } from '@platform/interchange';
import { EXPORT_TYPES } from '@platform/interchange/formats';
import type { z } from 'zod';
import { DomainError } from '@platform/error-contracts';
import { slugOf } from '@platform/viewer';
import {
  requireTenant,
  loadAuthorizedSession,
  loadPayload,
  sessionNeverJudged,
  sessionNotFound,
} from '../access/session-access.ts';
import { workFor, type Caller } from '../access/caller.ts';
import type { OperationOptions, SessionDeps } from '../ports.ts';
import { ExportReference, ImportReference, type ImportResponse } from '../wire/interchange-schema.ts';
import { jsonObject, JsonPart, valueOfResponse, type ValueOrJson } from '../wire/json-bytes.ts';
import { packJson } from '../wire/packed-json.ts';
import { importWarnings } from './shared/import-warnings.ts';
import { readableQuotes } from './shared/readable-quotes.ts';
import type { QuoteCheck } from '../wire/quote-schema.ts';
import { readInput } from '../wire/read-input.ts';
import { RequestBody } from '../wire/request-body.ts';
import { updateInvestigationSession } from './sessions.ts';

/** Documents that one archive holds. */
const DOCUMENTS_MAX = 100;
/** Characters of all documents of an archive together. */
const DOCUMENTS_LENGTH_MAX = 32 * 1024 * 1024;

/**
 * Reads a file as an investigation, and merges its items into the session that `input` names, whose
 * question, settings and items stay; only items with ids of their own replace those with the same id. A
 * session without items takes the settings of an investigation of ours that it has not set itself. With
 * `preview` the file is only compared with that session.
 * Throws `unprocessable` saying why the file cannot be read, and as updating a session does.
 */
export async function importFile(
  deps: SessionDeps,
  input: unknown,
  bytes: Uint8Array<ArrayBuffer>,
  caller: Caller,
  options: OperationOptions,
): Promise<ValueOrJson<z.output<typeof ImportResponse>>> {
  const tenantId = requireTenant(caller);
  const {
    format,
    session,
    same_names: sameNames,
    preview,
    dates,
    numbers,
  } = readInput(ImportReference, input);
  const keeps = session !== undefined && preview !== 'true';
  const there =
    session === undefined
      ? undefined
      : (await loadPayload(deps, caller, session, keeps ? 'update' : 'read')).payload;
  const records =
    session === undefined
      ? []
      : (await deps.outcomes.declaredReliabilities({ tenantId, sessionId: session })).records;
  const { owner } = workFor(caller);
  const isOneByName = sameNames === 'one';
  const read = await deps.interchange.read(
    {
      format,
      bytes,
      records,
      isOneByName,
      dates: dates && DATE_ORDERS[dates],
      numbers: numbers && DECIMAL_MARKS[numbers],
      ...(there === undefined ? {} : { there }),
    },
    { owner, signal: options.signal },
  );
  const {
    payload,
    update,
    settings,
    counts,
    leftOut,
    leftOutTotal,
    namesakes,
    replaced,
    spellings,
    putBack,
  } = read;
  const merged = keeps
    ? await updateInvestigationSession(
        deps,
        new RequestBody(update, { session_id: session }),
        caller,
        options,
      )
    : null;
  return jsonObject<z.output<typeof ImportResponse>>({
    format,
    counts,
    left_out: [...leftOut],
    left_out_total: leftOutTotal,
    warnings: importWarnings(namesakes, { isOneByName, replaced, spellings, putBack }),
    payload: new JsonPart(payload),
    ...(session === undefined ? {} : { settings }),
    ...(merged === null ? {} : { session: valueOfResponse(merged) }),
  });
}

const DATE_ORDERS = { day_first: 'day-first', month_first: 'month-first' } as const;
const DECIMAL_MARKS = { decimal_comma: 'comma', decimal_point: 'point' } as const;

/** A file to be downloaded. */
export interface ExportedFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly filename: string;
}

/**
 * The last judgement of a session in a format. An archive also holds the documents that its quotes are pinned
 * to, as far as the caller may read them. Throws `failed_precondition` for a session never judged.
 */
export async function exportSession(
  deps: SessionDeps,
  input: unknown,
  caller: Caller,
  { signal }: Pick<OperationOptions, 'signal'>,
): Promise<ExportedFile> {
  const { session_id, format } = readInput(ExportReference, input);
  const { ref, head } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const judgement = await deps.sessions.readJudgement(ref, 'latest');
  if (judgement === 'no_session') throw sessionNotFound();
  if (judgement === 'no_judgement') throw sessionNeverJudged();
  const { id, judgedAt, durationMs, inputSnapshot, result, quotes } = judgement;
  const shown = quotes === null ? null : await readableQuotes(deps, caller, quotes);
  const { documents, missing } =
    format === 'zip' && shown !== null
      ? await documentsUnder(deps, shown.items, caller, signal)
      : { documents: [], missing: [] };
  const bytes = await deps.interchange.write(
    {
      format,
      frame: {
        session_name: head.name,
        interpretation: head.interpretation,
        interpretation_updated_at: head.interpretationUpdatedAt?.toISOString() ?? null,
        judgement: { id, judged_at: judgedAt.toISOString(), duration_ms: durationMs },
      },
      inputSnapshot,
      result,
      quotes: shown === null ? null : packJson(JSON.stringify(shown)),
      documents,
      missing,
    },
    { owner: workFor(caller).owner, signal },
  );
  const { contentType, extension } = EXPORT_TYPES[format];
  return { bytes, contentType, filename: `${slugOf(head.name) || 'investigation'}.${extension}` };
}

/** The texts under quotes, each version once; those that cannot be had are named with the reason. */
async function documentsUnder(
  deps: SessionDeps,
  checks: readonly QuoteCheck[],
  caller: Caller,
  signal: AbortSignal,
) {
  const documents: ArchivedDocument[] = [];
  const missing = new Map<string, string>();
  const wanted = new Map(
    checks.map(({ document, version }) => [`${document} ${version ?? ''}`, { document, version }]),
  );
  let room = DOCUMENTS_LENGTH_MAX;
  let isAway = false;
  for (const { document, version } of wanted.values()) {
    // Each would wait as long as the first did.
    if (isAway || documents.length >= DOCUMENTS_MAX || room <= 0) {
      missing.set(document, isAway ? 'unavailable' : 'too_large');
      continue;
    }
    try {
      const read = await deps.documents.read(
        { document, version },
        { credential: caller.credential, owner: workFor(caller).owner, signal },
      );
      room -= read.contents.length;
      const { sha256, filename, url, contents, pdfSha256 } = read;
      const pdf = pdfSha256 === null ? {} : { pdf_sha256: pdfSha256 };
      documents.push({ document, version: read.version, sha256, ...pdf, filename, url, contents });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      isAway = error.kind === 'unavailable';
      missing.set(document, error.kind === 'not_found' ? 'no_access' : error.kind);
    }
  }
  return { documents, missing: [...missing].map(([document, reason]) => ({ document, reason })) };
}
