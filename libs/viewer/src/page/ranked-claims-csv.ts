import { guarded } from '../format/formula-guard.ts';
import { withdrawnStatus } from '../format/words.ts';
import { createModel } from '../model.ts';
import type { JudgedInvestigation } from '../snapshot.ts';

const HEADINGS: readonly string[] = [
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
  // What an import needs so that a claim comes back as it was.
  'source_type',
  'target_claim_id',
  'valence',
  'claim_type',
  'assertion_time',
  'event_start_time',
  'event_end_time',
  'scope',
  'supersedes_claim_id',
  'decay_half_life_days',
  'source_exact',
  'source_prefix',
  'source_suffix',
];
/** Columns by which the table is known, also where it was saved by another program. */
const OWN_COLUMNS = ['rank', 'claim_id', 'expected_probability', 'belief', 'disbelief', 'uncertainty'];

/** Whether columns are those of a table of ranked claims. */
export const isRankedClaims = (columns: readonly string[]): boolean =>
  OWN_COLUMNS.every((name) => columns.includes(name));

/** Whether a column of such a table is one that the table had when it was written. */
export const isRankedColumn = (name: string): boolean => HEADINGS.includes(name);

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
            actor.source_type,
            input.target_claim_id ?? '',
            input.valence ?? '',
            input.claim_type ?? '',
            input.assertion_time ?? '',
            input.event_start_time ?? '',
            input.event_end_time ?? '',
            input.scope ?? '',
            input.supersedes_claim_id ?? '',
            input.decay_half_life_days ?? '',
            input.source?.selector?.exact ?? '',
            input.source?.selector?.prefix ?? '',
            input.source?.selector?.suffix ?? '',
          ],
        ]
      : [];
  });
  return [HEADINGS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = guarded(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
