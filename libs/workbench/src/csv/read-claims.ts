import Papa from 'papaparse';
import { CLAIM_TYPES, OBJECTS, SOURCE_TYPES } from '@platform/opinion-fusion';
import { isRankedClaims, unguarded } from '@platform/viewer/browser';
import { claimProblems, freeIds, problemsOf, readDraft } from '../edit/draft.ts';
import { cellProblem, dateProblem, withScheme } from '../edit/problem-words.ts';
import { Directory } from '../edit/directory.ts';
import { labelOf, nameOf, type Entity } from '../edit/kinds.ts';
import { guessSourceType } from './guess-source-type.ts';
import { lostTargets } from './lost-targets.ts';
import { otherTypes, type TypeOfRow } from './other-types.ts';
import { asColumnProblem, SOURCE_COLUMNS, VERBATIM_COLUMNS, withSource } from './source-columns.ts';
import {
  endOfDate,
  hasShortYear,
  orderOf,
  readDate,
  type Century,
  type ColumnOrder,
  type DateOrder,
} from './read-dates.ts';
import { DENIAL_HEADINGS, valenceAdvice, valenceNamed } from './valence-words.ts';

/** A CSV text as rows; `line` is where a row begins, from 1. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** What could not be read. */
  readonly problems: readonly string[];
}

/**
 * The text of a file: UTF-8, or UTF-16 where its byte order mark says so. Null for anything else, such as a
 * workbook or text in an older encoding, which could only be guessed.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    const text = new TextDecoder(mark, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/**
 * RFC 4180 with a heading; comma, semicolon, tab or bar between cells, whichever fits. Empty rows are left
 * out.
 */
export function readSheet(text: string): Sheet {
  const csv = text.replace(/^\ufeff/, '');
  const { data, errors } = Papa.parse<string[]>(csv, { delimiter: delimiterOf(csv) });
  const problems = errors.map(({ row, message }) => `row ${(row ?? 0) + 1}: ${message}`);
  let line = 1;
  const numbered = data.map((cells) => {
    const at = line;
    line += 1 + cells.reduce((breaks, cell) => breaks + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    return { line: at, cells };
  });
  const filled = numbered.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [heading, ...rows] = filled;
  return { columns: (heading?.cells ?? []).map((name) => name.trim()), rows, problems };
}

/** The delimiter that gives the heading the most cells. */
function delimiterOf(csv: string): string {
  const width = (delimiter: string) =>
    Papa.parse<string[]>(csv.trimStart(), { delimiter, preview: 1 }).data[0]?.length ?? 0;
  return [',', ';', '\t', '|'].reduce((best, other) => (width(other) > width(best) ? other : best));
}

/** The column that names the type of a new source; it is not a field of a claim. */
const SOURCE_TYPE = 'source_type';
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

const WHOLE: FilePart = { taken: new Map(), placeOf: (line) => `line ${line}` };

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

const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

export interface ImportOptions {
  /** Make sources and subjects that are named but not there. */
  readonly createMissing: boolean;
  /**
   * Types chosen for sources that are made, by their names; the others have the type of the column, or a
   * guess.
   */
  readonly sourceTypes: Readonly<Record<string, string>>;
  /** Of subjects that are made. */
  readonly subjectType: string;
  /**
   * Orders of day and month chosen for columns whose dates could be read either way, by field; of the others
   * the dates themselves show it.
   */
  readonly dateOrders: Readonly<Record<string, DateOrder>>;
  /**
   * Centuries chosen for columns with years of two digits, by field; left out, such years are not read.
   */
  readonly centuries?: Readonly<Record<string, Century>>;
  /** What stands in place of cells, by `cellKey`; the empty text for cells that are left empty. */
  readonly mended?: ReadonlyMap<string, string>;
  /** Given where other parts of the file have rows, too: the caller then looks for the targets of claims. */
  readonly part?: FilePart;
}

/** A part of a file, such as a sheet of a workbook. */
export interface FilePart {
  /** Where the ids of earlier parts stand. */
  readonly taken: ReadonlyMap<string, string>;
  /** What a line of this part is called. */
  readonly placeOf: (line: number) => string;
}

/** A cell, or where no field is named a row, that could not be taken as it is. */
export interface RowProblem {
  readonly line: number;
  readonly field: string;
  /** What is wrong, after the text of the cell. */
  readonly message: string;
  /** The text of the cell, where the reason is about it. */
  readonly cell?: string;
  /** What is wrong, without the text of the cell: one for all cells of a kind. */
  readonly kind: string;
  /** Whether the row is a claim without the cell. */
  readonly isOptional: boolean;
}

/** What names a cell among those that are mended. */
export const cellKey = (line: number, field: string): string => `${line} ${field}`;

export interface ImportedClaims {
  /** New sources; one whose type was neither given nor guessed has an empty `source_type`, to be chosen. */
  readonly actors: readonly Entity[];
  readonly subjects: readonly Entity[];
  readonly claims: readonly Entity[];
  /** The line of each row by the id of its claim. */
  readonly lineOfId: ReadonlyMap<string, number>;
  /** In order of lines. A row with a problem gives no claim. */
  readonly problems: readonly RowProblem[];
  /** Cells that were not taken, or not as they stand, in rows that give a claim. */
  readonly notes: readonly RowProblem[];
  /** Claims that take the place of one with the same id. */
  readonly replaced: number;
  /** Fields whose dates could be read day first or month first, and for which no order was chosen. */
  readonly undecided: readonly string[];
  /** The first date with a year of two digits of each field that has one. */
  readonly shortYears: Readonly<Record<string, string>>;
}

/**
 * The claims of a sheet under a mapping, added to what the session holds. Sources and subjects are found by
 * id, then by name.
 */
export function importClaims(
  sheet: Sheet,
  mapping: Mapping,
  present: {
    readonly actors: readonly Entity[];
    readonly subjects: readonly Entity[];
    readonly claims: readonly Entity[];
  },
  options: ImportOptions,
): ImportedClaims {
  const actors = new Directory(present.actors, (id, name) => ({ id, name, source_type: '' }));
  const subjects = new Directory(present.subjects, (id, name) => ({
    id,
    name,
    subject_type: options.subjectType,
  }));
  const ids = new Set(present.claims.map(({ id }) => id));
  const lineOfId = new Map<string, number>();
  const idColumn = mapping.indexOf('id');
  const targetColumn = mapping.indexOf('target_claim_id');
  /** Ids that rows give or are about, which no other row gets. */
  const given = new Set(
    [idColumn, targetColumn].flatMap((column) =>
      column < 0 ? [] : sheet.rows.map(({ cells }) => cells[column]?.trim() ?? ''),
    ),
  );
  const problems: RowProblem[] = [];
  const changes: RowProblem[] = [];
  const claims: Entity[] = [];
  // Said once, and not of every row.
  for (const fields of NEEDED_COLUMNS) {
    if (fields.some((field) => mapping.includes(field))) continue;
    problems.push(problemOf(1, fields[0]!, 'no column holds it: choose one above'));
  }
  if (problems.length > 0) return { ...NO_CLAIMS, lineOfId, problems };
  const orders = dateOrders(sheet, mapping, options.centuries && 2000);
  const undecided = Object.keys(orders).filter(
    (field) => orders[field] === 'ask' && options.dateOrders[field] === undefined,
  );
  /** Types that rows with a claim give its source. */
  const types: TypeOfRow[] = [];
  const eventDate = eventDateOf(sheet, mapping);
  const asksDenial = DENIAL_HEADINGS.includes(fold(sheet.columns[mapping.indexOf('valence')] ?? ''));
  const isOurs = isRankedClaims(sheet.columns);
  const textOf = (cell = '') => (isOurs ? unguarded(cell) : cell);
  const supersedes = mapping.indexOf('supersedes_claim_id');
  const superseded = new Set(isOurs ? sheet.rows.map(({ cells }) => textOf(cells[supersedes]).trim()) : []);
  const { taken, placeOf } = options.part ?? WHOLE;
  const nextId = freeIds('c', {
    has: (id) => ids.has(id) || given.has(id) || lineOfId.has(id) || taken.has(id),
  });

  for (const { line, cells } of sheet.rows) {
    const found: RowProblem[] = [];
    const note = (field: string, kind: string, cell?: string) =>
      found.push(problemOf(line, field, kind, cell));
    if (cells.length > mapping.length)
      note('', `has ${cells.length} cells, the heading ${mapping.length}: is a quotation mark missing?`);
    const draft: Record<string, unknown> = {};
    for (const [index, field] of mapping.entries()) {
      if (field === null) continue;
      const written = textOf(cells[index]);
      const cell =
        options.mended?.get(cellKey(line, field)) ??
        (VERBATIM_COLUMNS.includes(field) ? written : written.trim());
      if (cell !== '') draft[field] = cell;
    }
    // The table gives the status that a superseded claim has by the other one.
    if (superseded.has(String(draft['id'])) && draft['epistemic_status'] === 'superseded')
      delete draft['epistemic_status'];
    // The table gives the subject of the target, too.
    if (isOurs && draft['target_claim_id'] !== undefined) delete draft['subject_id'];
    for (const field of LINK_FIELDS) {
      const written = draft[field];
      if (typeof written !== 'string') continue;
      draft[field] = withScheme(written);
      if (draft[field] !== written) changes.push(problemOf(line, field, 'got https:// in front', written));
    }
    const stance = draft['valence'];
    if (typeof stance === 'string') {
      draft['valence'] = valenceNamed(stance, asksDenial);
      if (draft['valence'] === undefined) note('valence', valenceAdvice(asksDenial), stance);
    }
    const givenType = draft[SOURCE_TYPE];
    delete draft[SOURCE_TYPE];
    for (const field of DATE_FIELDS) {
      const written = draft[field];
      if (typeof written !== 'string') continue;
      const order = orders[field] === 'ask' ? options.dateOrders[field] : orders[field];
      const century = options.centuries && (options.centuries[field] ?? 2000);
      const read = readDate(written, order === 'month-first' ? order : 'day-first', century);
      if (read === null) note(field, dateProblem(written), written);
      else draft[field] = read;
      if (read !== null && field === eventDate) draft['event_end_time'] = endOfDate(written, read);
    }
    for (const [field, directory] of [
      ['actor_id', actors],
      ['subject_id', subjects],
    ] as const) {
      const named = draft[field];
      if (typeof named !== 'string') continue;
      const name = isOurs ? textOf(cells[sheet.columns.indexOf(NAMES[field])]).trim() || named : named;
      const id =
        directory.find(named) ??
        (isOurs ? directory.findNamesake(name) : undefined) ??
        (options.createMissing ? directory.propose(name, isOurs ? named : undefined) : undefined);
      if (id === undefined) note(field, 'is neither an id nor a name that is there', named);
      else draft[field] = id;
    }
    const type = sourceTypeNamed(givenType);
    if (type === undefined) note(SOURCE_TYPE, `is none of ${SOURCE_TYPES.join(', ')}`, String(givenType));
    draft['id'] ??= nextId();
    const id = draft['id'] as string;
    const earlier = lineOfId.get(id);
    const place = taken.get(id) ?? (earlier === undefined ? undefined : placeOf(earlier));
    if (place === undefined) lineOfId.set(id, line);
    else note('id', `stands already in ${place}`, id);
    draft['content'] ??= draft['quote'];
    if (draft['content'] === undefined && draft['predicate'] !== undefined && draft['value'] !== undefined)
      draft['content'] = `${String(draft['predicate']).replaceAll('_', ' ')}: ${String(draft['value'])}`;
    const claim = readDraft('ClaimInput', withSource(draft, textOf(cells[mapping.indexOf('quote')])));
    for (const given of [...claimProblems(claim), ...problemsOf('ClaimInput', claim)]) {
      const problem = asColumnProblem(given, draft);
      const cell = problem.path in draft ? draft[problem.path] : claim[problem.path];
      const kind = cellProblem(problem);
      const isShown = kind !== problem.message || SOURCE_COLUMNS.includes(problem.path);
      // Words are made up of property and value, of which the empty one is named.
      const follows = problem.path === 'content' && !(draft['predicate'] && draft['value']);
      if (!follows && !found.some(({ field }) => field === problem.path))
        note(problem.path, kind, isShown && typeof cell === 'string' ? cell : undefined);
    }
    problems.push(...found);
    if (found.length > 0) continue;
    claims.push(claim as Entity);
    if (type != null) types.push({ line, actorId: String(claim['actor_id']), type });
  }
  const lost = options.part !== undefined ? new Map<Entity, string>() : lostTargets(claims, present.claims);
  for (const [{ id }, message] of lost)
    problems.push(problemOf(lineOfId.get(id)!, 'target_claim_id', message));
  problems.sort((one, other) => one.line - other.line);
  const kept = claims.filter((claim) => !lost.has(claim));
  for (const claim of kept) {
    actors.keep(claim['actor_id']);
    subjects.keep(claim['subject_id']);
  }
  const typeOf = new Map(types.toReversed().map(({ actorId, type }) => [actorId, type]));
  const made = actors.kept().map((actor) => ({
    ...actor,
    source_type: typeChosen(options, actor) ?? typeOf.get(actor.id) ?? guessSourceType(nameOf(actor)) ?? '',
  }));
  // A type that was chosen is meant for all rows.
  const unchosen = made.filter((actor) => typeChosen(options, actor) === undefined);
  const others = otherTypes(types, [...present.actors, ...unchosen], sourceTypeNamed);
  const left = new Set(problems.map(({ line }) => line));
  const notes = [
    ...others.map(({ line, field, message }) => problemOf(line, field, message)),
    ...changes.filter(({ line }) => !left.has(line)),
  ];
  const replaced = kept.filter(({ id }) => ids.has(id)).length;
  return {
    actors: made,
    subjects: subjects.kept(),
    claims: kept,
    lineOfId,
    problems,
    notes,
    replaced,
    undecided,
    shortYears: options.centuries === undefined ? {} : shortYearsOf(sheet, mapping, options.mended),
  };
}

/** Columns of a table of ranked claims that name what others give the id of. */
const NAMES = { actor_id: 'actor_name', subject_id: 'subject_name' } as const;

const NO_CLAIMS = {
  actors: [],
  subjects: [],
  claims: [],
  notes: [],
  replaced: 0,
  undecided: [],
  shortYears: {},
};

/** Fields that hold a link. */
const LINK_FIELDS = Object.entries(OBJECTS.ClaimInput)
  .filter(([, { kind }]) => kind === 'url')
  .map(([name]) => name);

/** Whether a claim does without a field, or gets it from others. */
const isOptional = (field: string) =>
  CLAIM_COLUMNS.includes(field) &&
  field !== 'subject_id' &&
  (field === 'id' || OBJECTS.ClaimInput[field]?.required !== true);

const problemOf = (line: number, field: string, kind: string, cell?: string): RowProblem => ({
  line,
  field,
  message: cell === undefined ? kind : `${JSON.stringify(cell)} ${kind}`,
  ...(cell !== undefined && { cell }),
  kind,
  isOptional: isOptional(field),
});

/** The first date with a year of two digits of each field that has one. */
function shortYearsOf(
  sheet: Sheet,
  mapping: Mapping,
  mended: ImportOptions['mended'],
): Record<string, string> {
  return Object.fromEntries(
    mapping.flatMap((field, column) => {
      if (field === null || !DATE_FIELDS.includes(field)) return [];
      const row = sheet.rows.find(
        ({ line, cells }) => hasShortYear(cells[column] ?? '') && !mended?.has(cellKey(line, field)),
      );
      return row === undefined ? [] : [[field, row.cells[column]!.trim()]];
    }),
  );
}

/** The field of a column that says when an event was, and not when it began; undefined without one. */
function eventDateOf({ columns }: Sheet, mapping: Mapping): string | undefined {
  const field = 'event_start_time';
  const heading = fold(columns[mapping.indexOf(field)] ?? '');
  return EVENT_DATE.includes(heading) && !mapping.includes('event_end_time') ? field : undefined;
}

const typeChosen = ({ sourceTypes }: ImportOptions, actor: Entity): string | undefined =>
  Object.hasOwn(sourceTypes, nameOf(actor)) ? sourceTypes[nameOf(actor)] : undefined;

/**
 * The source type that a cell names, in any case and with any spaces; null for an empty cell, undefined for
 * another word.
 */
function sourceTypeNamed(cell: unknown): string | null | undefined {
  if (typeof cell !== 'string') return null;
  return SOURCE_TYPES.find((type) => fold(type) === fold(cell));
}

/** The order of day and month that each column of dates shows, by field. */
function dateOrders(
  sheet: Sheet,
  mapping: Mapping,
  century: Century | undefined,
): Record<string, ColumnOrder> {
  return Object.fromEntries(
    mapping.flatMap((field, column) =>
      field !== null && DATE_FIELDS.includes(field)
        ? [
            [
              field,
              orderOf(
                sheet.rows.map(({ cells }) => cells[column] ?? ''),
                century,
              ),
            ],
          ]
        : [],
    ),
  );
}

/** Fields that each claim needs; of those that stand together, one. The others can be made up from them. */
const NEEDED_COLUMNS: readonly (readonly string[])[] = [
  ['actor_id'],
  ['subject_id', 'target_claim_id'],
  ['predicate'],
  ['value'],
];
