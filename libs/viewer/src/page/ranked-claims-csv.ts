import { withdrawnStatus } from '../format/words.ts';
import { createModel } from '../model.ts';
import type { JudgedInvestigation } from '../snapshot.ts';

const HEADINGS = [
  'rank',
  'claim_id',
  'subject_id',
  'subject_name',
  'predicate',
  'value',
  'category',
  'expected_probability',
  'belief',
  'disbelief',
  'uncertainty',
  'actor_id',
  'actor_name',
  'content',
  'url',
  'archived_url',
  'quote',
  'published_by',
  'quote_state',
  'source_document',
  'source_version',
  'source_sha256',
  'source_start',
  'source_end',
  'epistemic_status',
];
/**
 * Spreadsheets run a cell that starts like this as a formula, some after white space and in full-width
 * characters too. Source: OWASP, CSV Injection.
 */
const FORMULA_START = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/**
 * The ranked claims as CSV (RFC 4180: CRLF, quotes doubled), in rank order, with a heading row. A text that a
 * spreadsheet would take for a formula gets an apostrophe in front.
 */
export function rankedClaimsCsv(judged: JudgedInvestigation): string {
  const rows = createModel(judged).claims.flatMap((claim) => {
    const { ranked, input, actor, subject } = claim;
    return ranked
      ? [
          [
            ranked.rank,
            ranked.claim_id,
            subject?.id ?? '',
            subject?.name ?? '',
            ranked.predicate,
            ranked.value,
            ranked.category,
            ranked.expected_probability,
            ranked.belief,
            ranked.disbelief,
            ranked.uncertainty,
            ranked.actor_id,
            actor.name,
            input.content,
            input.url ?? '',
            input.archived_url ?? '',
            input.quote ?? input.source?.selector?.exact ?? '',
            input.published_by ?? '',
            input.mark?.state ?? '',
            input.source?.document ?? '',
            input.source?.version ?? '',
            input.source?.sha256 ?? '',
            input.source?.selector?.start ?? '',
            input.source?.selector?.end ?? '',
            withdrawnStatus(claim) ?? input.epistemic_status ?? '',
          ],
        ]
      : [];
  });
  return [HEADINGS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
