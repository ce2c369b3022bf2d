import { CLAIM_TYPES, OBJECTS, SOURCE_TYPES } from '@platform/opinion-fusion';
import { labelOf } from '../edit/kinds.ts';
import type { Sheet } from './sheet.ts';
import { SOURCE_COLUMNS } from './source-columns.ts';
import { DENIAL_HEADINGS } from './valence-words.ts';

/** The column that names the type of a new source; it is not a field of a claim. */
export const SOURCE_TYPE = 'source_type';
const CLAIM_TYPE = 'claim_type';
/** Columns of types, which a claim does without: another word in them says little about the claim. */
export const TYPE_COLUMNS: readonly string[] = [SOURCE_TYPE, CLAIM_TYPE];

/** The content of a column: a field of a claim, or the type of its source. */
export const CLAIM_COLUMNS: readonly string[] = [
  ...Object.entries(OBJECTS.ClaimInput)
    .filter(([, { kind }]) => kind !== 'list' && kind !== 'object')
    .map(([name]) => name),
  ...SOURCE_COLUMNS,
  SOURCE_TYPE,
];

/** Fields that hold a time. */
export const DATE_FIELDS: readonly string[] = Object.entries(OBJECTS.ClaimInput)
  .filter(([, { kind }]) => kind === 'timestamp' || kind === 'moment')
  .map(([name]) => name);

/** Headings of a column that says the one day of an event, which begins and ends on it. */
const EVENT_DATE = ['eventdate', 'dateofevent', 'happenedat', 'happenedon', 'eventday'];

/** Other headings people give a field, folded. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  id: ['claimid', 'key', 'no', 'number'],
  actor_id: [
    'actor',
    'source',
    'sourceid',
    'author',
    'speaker',
    'who',
    'publisher',
    'outlet',
    'actorname',
    'sourcename',
  ],
  subject_id: ['subject', 'topic', 'about', 'entity', 'subjectname'],
  predicate: ['property', 'attribute', 'question', 'aspect'],
  value: ['answer', 'says', 'figure', 'amount'],
  content: ['text', 'claim', 'claimtext', 'statement', 'words', 'sentence', 'said', 'description'],
  valence: ['stance', 'polarity', 'position', 'fororagainst', ...DENIAL_HEADINGS],
  claim_type: ['type', 'kind'],
  assertion_time: ['date', 'time', 'saidat', 'asserted', 'published', 'publishedat', 'timestamp'],
  event_start_time: ['from', 'start', 'eventstart', ...EVENT_DATE],
  event_end_time: ['to', 'until', 'end', 'eventend'],
  epistemic_status: ['status'],
  target_claim_id: ['target', 'targetclaim', 'replyto'],
  supersedes_claim_id: ['supersedes', 'replaces'],
  decay_half_life_days: ['halflife', 'halflifedays'],
  url: ['link', 'href', 'address', 'web', 'webpage', 'website', 'sourceurl', 'sourcelink', 'permalink'],
  archived_url: ['archive', 'archived', 'archiveurl', 'archivelink', 'archivedcopy', 'waybackurl'],
  quote: ['quotation', 'verbatim', 'excerpt', 'verbatimquote'],
  published_by: ['publishedin', 'medium', 'imprint'],
  source_type: ['typeofsource', 'kindofsource', 'outlettype', 'mediatype'],
};

/** Which field each column holds; null for a column that is left out. No field stands twice. */
export type Mapping = readonly (string | null)[];

/**
 * The mapping that the headings suggest. Where a heading may mean the type of the claim or of its source, its
 * cells decide.
 */
export function guessMapping(columns: readonly string[], rows: Sheet['rows'] = []): Mapping {
  const taken = new Set<string>();
  const take = (field: string | undefined) => {
    if (field === undefined || taken.has(field)) return null;
    taken.add(field);
    return field;
  };
  // Headings that are field names have the first choice.
  const exact = columns.map((column) => take(CLAIM_COLUMNS.find((field) => fold(field) === fold(column))));
  const mapping = columns.map(
    (column, index) => exact[index] ?? take(CLAIM_COLUMNS.find((field) => isNameOf(field, column))),
  );
  const at = mapping.indexOf(CLAIM_TYPE);
  const isSourceType =
    at >= 0 &&
    exact[at] === null &&
    !taken.has(SOURCE_TYPE) &&
    mostWords(
      rows.map(({ cells }) => cells[at] ?? ''),
      SOURCE_TYPES,
      CLAIM_TYPES,
    );
  return isSourceType ? mapping.with(at, SOURCE_TYPE) : mapping;
}

/** Whether more of the cells are words of the first list than of the second one. */
function mostWords(cells: readonly string[], words: readonly string[], others: readonly string[]): boolean {
  const countOf = (list: readonly string[]) => {
    const folded = new Set(list.map(fold));
    return cells.filter((cell) => folded.has(fold(cell))).length;
  };
  return countOf(words) > countOf(others);
}

/** Fields of a claim that hold lists or objects, which no cell does. */
const FIELDS_OF_LISTS = Object.keys(OBJECTS.ClaimInput).filter((name) => !CLAIM_COLUMNS.includes(name));

/** Why a column is left out, and what to do about it. */
export function whyNoColumn(heading: string): string {
  const taken = CLAIM_COLUMNS.find((name) => isNameOf(name, heading));
  if (taken !== undefined) return `another column holds ${taken} already`;
  const field = FIELDS_OF_LISTS.find((name) => fold(name) === fold(heading));
  return field === undefined
    ? `is no field of a claim that a cell holds: those are ${CLAIM_COLUMNS.join(', ')}`
    : `${field} of a claim does not fit into a cell: add it after the import, or import JSON`;
}

/** Whether a heading is a field's name, its label on the page, or another name that people give it. */
const isNameOf = (field: string, heading: string) =>
  [field, labelOf(field)].some((name) => fold(name) === fold(heading)) ||
  OTHER_NAMES[field]?.includes(fold(heading)) === true;

/** A heading or a word of a list as it is compared: without case, spaces and marks. */
export const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The field of a column that says when an event was, and not when it began; undefined without one. */
export function eventDateOf({ columns }: Sheet, mapping: Mapping): string | undefined {
  const field = 'event_start_time';
  const heading = fold(columns[mapping.indexOf(field)] ?? '');
  return EVENT_DATE.includes(heading) && !mapping.includes('event_end_time') ? field : undefined;
}
