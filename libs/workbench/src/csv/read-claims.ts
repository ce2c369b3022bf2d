import { OBJECTS, SOURCE_TYPES } from '@platform/opinion-fusion';
import { isRankedClaims, unguarded } from '@platform/viewer/browser';
import { claimProblems, countedCodes, newIds, problemsOf, readDraft, type NewCode } from '../edit/draft.ts';
import { cellProblem, dateProblem, withScheme } from './problem-words.ts';
import { Directory } from '../edit/directory.ts';
import { nameOf, type Entity } from '../edit/kinds.ts';
import { numbersOf, valueOf, type ColumnNumbers } from './column-values.ts';
import { dateOrders, shortYearsOf } from './column-dates.ts';
import { repeatedClaims } from '../files/standing-claims.ts';
import { guessSourceType } from './guess-source-type.ts';
import { lostTargets } from './lost-targets.ts';
import { CLAIM_COLUMNS, DATE_FIELDS, eventDateOf, fold, SOURCE_TYPE, type Mapping } from './mapping.ts';
import { otherTypes, type TypeOfRow } from './other-types.ts';
import { asColumnProblem, SOURCE_COLUMNS, VERBATIM_COLUMNS, withSource } from './source-columns.ts';
import { endOfDate, readDate, type Century, type DateOrder } from './read-dates.ts';
import type { DecimalMark } from './read-numbers.ts';
import { cellKey, numberKey, type Sheet } from './sheet.ts';
import { DENIAL_HEADINGS, valenceAdvice, valenceNamed } from './valence-words.ts';

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
  /**
   * The decimal mark chosen for values, or null for the one that they show; left out, numbers stay as they
   * stand.
   */
  readonly decimalMark?: DecimalMark | null;
  /** What stands in place of cells, by `cellKey`; the empty text for cells that are left empty. */
  readonly mended?: ReadonlyMap<string, string>;
  /** Makes the ids of claims that have none in the table; left out, they count up. */
  readonly newCode?: NewCode;
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

export interface ImportedClaims {
  /** New sources; one whose type was neither given nor guessed has an empty `source_type`, to be chosen. */
  readonly actors: readonly Entity[];
  /** New sources that no row names which gives a claim. */
  readonly unusedActors: readonly Entity[];
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
  /** Claims of rows without an id that say what one that is there, or another row, says. */
  readonly repeated: ReadonlySet<Entity>;
  /** Fields whose dates could be read day first or month first, and for which no order was chosen. */
  readonly undecided: readonly string[];
  /** What the numbers among the values show; null where none is read otherwise than it stands. */
  readonly numbers: ColumnNumbers | null;
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
  const withoutId = new Set<Entity>();
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
  const numbers = options.decimalMark === undefined ? null : numbersOf(sheet, mapping);
  const valueColumn = mapping.indexOf('value');
  const mark = options.decimalMark ?? numbers?.shown;
  const valueOrder = orders['value'] === 'ask' ? options.dateOrders['value'] : orders['value'];
  /** Types that rows with a claim give its source. */
  const types: TypeOfRow[] = [];
  const eventDate = eventDateOf(sheet, mapping);
  const asksDenial = DENIAL_HEADINGS.includes(fold(sheet.columns[mapping.indexOf('valence')] ?? ''));
  const isOurs = isRankedClaims(sheet.columns);
  const textOf = (cell = '') => (isOurs ? unguarded(cell) : cell);
  const supersedes = mapping.indexOf('supersedes_claim_id');
  const superseded = new Set(isOurs ? sheet.rows.map(({ cells }) => textOf(cells[supersedes]).trim()) : []);
  const { taken, placeOf } = options.part ?? WHOLE;
  const isTaken = (id: string) => ids.has(id) || given.has(id) || lineOfId.has(id) || taken.has(id);
  const nextId = newIds('c', { has: isTaken }, options.newCode ?? countedCodes());

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
    const isNumber = sheet.numbers?.has(numberKey(line, valueColumn));
    if (typeof draft['value'] === 'string' && !isOurs && !isNumber)
      draft['value'] = valueOf(draft['value'], valueOrder, mark);
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
    const exact = sourceTypeNamed(givenType);
    const type = exact === undefined ? (guessSourceType(String(givenType)) ?? undefined) : exact;
    if (exact === undefined && type !== undefined)
      changes.push(problemOf(line, SOURCE_TYPE, `was read as ${type}`, String(givenType)));
    if (type === undefined) note(SOURCE_TYPE, `is none of ${SOURCE_TYPES.join(', ')}`, String(givenType));
    const hasId = draft['id'] !== undefined;
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
    if (!hasId) withoutId.add(claim as Entity);
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
    unusedActors: actors.unkept(),
    subjects: subjects.kept(),
    claims: kept,
    lineOfId,
    problems,
    notes,
    replaced,
    repeated: repeatedClaims(
      kept.filter((claim) => withoutId.has(claim)),
      [...present.claims, ...kept.filter((claim) => !withoutId.has(claim))],
    ),
    undecided,
    numbers,
    shortYears: options.centuries === undefined ? {} : shortYearsOf(sheet, mapping, options.mended),
  };
}

const WHOLE: FilePart = { taken: new Map(), placeOf: (line) => `line ${line}` };

/** Columns of a table of ranked claims that name what others give the id of. */
const NAMES = { actor_id: 'actor_name', subject_id: 'subject_name' } as const;

const NO_CLAIMS = {
  actors: [],
  unusedActors: [],
  subjects: [],
  claims: [],
  notes: [],
  replaced: 0,
  repeated: new Set<Entity>(),
  undecided: [],
  numbers: null,
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

/** Fields that each claim needs; of those that stand together, one. The others can be made up from them. */
const NEEDED_COLUMNS: readonly (readonly string[])[] = [
  ['actor_id'],
  ['subject_id', 'target_claim_id'],
  ['predicate'],
  ['value'],
];
