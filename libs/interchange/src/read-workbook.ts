import * as XLSX from '@e965/xlsx';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { isRankedClaims, isRankedColumn } from '@platform/viewer';
import {
  cellKey,
  DATE_FIELDS,
  dependsOnOrder,
  guessMapping,
  importClaims,
  lostTargets,
  nameKey,
  nameOf,
  numberKey,
  readDate,
  readNumber,
  TYPE_COLUMNS,
  whyNoColumn,
  type DateOrder,
  type DecimalMark,
  type RowProblem,
  type Sheet,
} from '@platform/workbench/claims';
import { actorId, idOf, subjectId } from './collector.ts';
import { withLinks } from './cell-links.ts';
import { cellText, dayOfNumber, isRounded } from './cell-text.ts';
import { LeftOutList, TextBudget, UnreadableFile, withLeftOut, type Imported } from './imported.ts';
import { checkedInvestigation } from './investigation-json.ts';
import { COLUMNS_MAX, unpackWorkbook } from './unpack-workbook.ts';

const ROWS_MAX = 20_000;

type Item = { readonly id: string } & Readonly<Record<string, unknown>>;

/** The sources, subjects and claims that a session has already. */
export interface Present {
  readonly actors: readonly Item[];
  readonly subjects: readonly Item[];
  readonly claims?: readonly Item[];
}
/** Stands for the claims of a session that claims of a workbook are about. */
const IN_SESSION: Item = { id: 'claim of the session', name: '', subject_type: 'claim' };
const NOTHING: Present = { actors: [], subjects: [] };

/** What the sender of a file chooses. */
export interface ReadOptions {
  /** The order of day and month in columns of dates that could be read either way. */
  readonly dates?: DateOrder | undefined;
  /** The decimal mark of texts among values that could be read either way. */
  readonly numbers?: DecimalMark | undefined;
}

type RowPlace = Pick<RowProblem, 'line' | 'field'>;
const ROW_LEFT_OUT = ': the row was left out';

/** Columns that a sheet of claims must have. */
const NEEDED = ['actor_id', 'predicate', 'value'];

/**
 * The claims of an XLSX workbook: every sheet whose first row names the columns, as in the CSV import. Cells
 * give their stored value as exact as the sheet shows it, dates as ISO 8601; formulas are never computed.
 * Dates and numbers that are texts are read as their column shows, and else as `dates` and `numbers` say.
 * Sources and subjects that are there already, by id or name, stay as they are; a claim without an id gets
 * one by its content. Throws UnreadableFile, for dates and numbers that could be read either way, too.
 */
export function readWorkbook(
  bytes: Uint8Array,
  there: Present = NOTHING,
  { dates, numbers }: ReadOptions = {},
): Imported {
  const leftOut = new LeftOutList();
  const { zip, asideOf } = unpackWorkbook(bytes, leftOut);
  const workbook = parse(zip);
  const budget = new TextBudget();
  const rows = new RowIds();
  const actors: Item[] = [];
  const subjects: Item[] = [];
  const claims: Item[] = [];
  /** Sources that a sheet names only in rows that are left out. */
  const unused: Item[] = [];
  const undecided: string[] = [];
  const undecidedNumbers: string[] = [];
  const dateOrders =
    dates === undefined ? {} : Object.fromEntries([...DATE_FIELDS, 'value'].map((field) => [field, dates]));
  const present = { actors: [...there.actors], subjects: [...there.subjects], claims: [] as Item[] };
  const thereIds = new Set([
    ...there.actors.map(({ id }) => `actor ${id}`),
    ...there.subjects.map(({ id }) => `subject ${id}`),
  ]);
  for (const [index, name] of workbook.SheetNames.entries()) {
    const aside = asideOf(workbook.Workbook?.Sheets?.[index]?.CodeName);
    const shown = sheetOf(workbook.Sheets[name], name, {
      leftOut,
      budget,
      date1904: workbook.Workbook?.WBProps?.date1904 === true,
    });
    const guessed = guessMapping(shown.columns, shown.rows);
    const missing = NEEDED.filter((field) => !guessed.includes(field));
    if (missing.length > 0) {
      leftOut.add(`sheet ${name}`, `its first row has no column for ${missing.join(', ')}`);
      continue;
    }
    const sheet =
      aside === undefined || aside.links.size === 0
        ? shown
        : withLinks(shown, guessed, aside.links, { place: `sheet ${name}`, leftOut });
    const mapping = sheet.columns === shown.columns ? guessed : guessMapping(sheet.columns, sheet.rows);
    const placeOf = (line: number) => `sheet ${name}, row ${line}`;
    const readWith = (decimalMark: DecimalMark | null, mended?: ReadonlyMap<string, string>) =>
      importClaims(sheet, mapping, present, {
        createMissing: true,
        sourceTypes: {},
        subjectType: 'topic',
        dateOrders,
        decimalMark,
        mended,
        part: { taken: rows.placeOf, placeOf },
      });
    let read = readWith(null);
    const mark = (read.numbers?.shown === 'ask' && numbers) || null;
    if (mark !== null) read = readWith(mark);
    const wrongTypes = read.problems.filter(({ field }) => TYPE_COLUMNS.includes(field));
    if (wrongTypes.length > 0)
      read = readWith(mark, new Map(wrongTypes.map((one) => [cellKey(one.line, one.field), ''])));
    for (const { line, field, message } of wrongTypes)
      leftOut.add(`${placeOf(line)}, ${field}`, `${message}: the cell was left out`);
    if (read.claims.length > 0 && workbook.Workbook?.Sheets?.[index]?.Hidden)
      leftOut.add(`sheet ${name}`, 'is hidden in the workbook: its rows were read as those of the others');
    const hiddenLines = sheet.rows.map(({ line }) => line).filter((line) => aside?.rows.has(line));
    const hiddenHeadings = shown.columns.filter((_, at) => aside?.columns.has(at) && mapping[at] !== null);
    nameHidden(hiddenLines.map(placeOf), 'rows', leftOut);
    nameHidden(
      hiddenHeadings.map((heading) => `sheet ${name}, column ${heading}`),
      'columns',
      leftOut,
    );
    nameStruck([...(aside?.struck ?? [])], `sheet ${name}`, leftOut);
    nameNotes(workbook.Sheets[name]!, `sheet ${name}`, leftOut);
    undecided.push(...read.undecided.map((field) => undecidedDate(sheet, name, mapping.indexOf(field))));
    if (read.numbers !== null && mark === null) {
      const { shown: shownMark, example } = read.numbers;
      const heading = sheet.columns[mapping.indexOf('value')]!;
      const [comma, point] = [readNumber(example, 'comma'), readNumber(example, 'point')];
      if (shownMark === 'ask')
        undecidedNumbers.push(
          `${JSON.stringify(example)} in ${columnWords(heading, name)} could be ${comma} or ${point}`,
        );
      else
        leftOut.add(
          `sheet ${name}, column ${heading}`,
          `has decimal commas: ${JSON.stringify(example)} was read as ${comma}`,
        );
    }
    // A problem of a whole column stands in the first line, which names the columns.
    const place = ({ line, field }: RowPlace) => `${placeOf(line)}${field === '' ? '' : `, ${field}`}`;
    for (const one of read.problems)
      leftOut.add(place(one), one.line === 1 ? one.message : `${one.message}${ROW_LEFT_OUT}`);
    for (const one of read.notes) leftOut.add(place(one), one.message);
    unused.push(...read.unusedActors);
    // Columns that we computed ourselves are left out without a word.
    const isOwn = isRankedClaims(sheet.columns) ? isRankedColumn : () => false;
    for (const [at, field] of mapping.entries())
      if (field === null && !isOwn(sheet.columns[at] ?? ''))
        leftOut.add(
          `sheet ${name}, column ${sheet.columns[at] || at + 1}`,
          whyNoColumn(sheet.columns[at] ?? ''),
        );
    const typed = read.actors.map((actor) => {
      if (actor['source_type'] !== '') return actor;
      leftOut.add(
        `source ${String(actor['name'])}`,
        'has no source_type: Insider was taken, change it if it is another',
      );
      return { ...actor, source_type: 'Insider' };
    });
    const made = withIdsByName({ actors: typed, subjects: read.subjects, claims: read.claims });
    // One that was renamed since an earlier import is there under the id of its first name.
    actors.push(...made.actors.filter(({ id }) => !thereIds.has(`actor ${id}`)));
    subjects.push(...made.subjects.filter(({ id }) => !thereIds.has(`subject ${id}`)));
    const given = idsOf(sheet, mapping);
    claims.push(
      ...made.claims.map((claim) => rows.take(claim, given, placeOf(read.lineOfId.get(claim.id)!))),
    );
    present.actors.push(...made.actors);
    present.subjects.push(...made.subjects);
  }
  if (undecided.length > 0) throw new UnreadableFile(orderAsked(undecided));
  if (undecidedNumbers.length > 0) throw new UnreadableFile(markAsked(undecidedNumbers));
  const lost = lostTargets(claims, there.claims ?? []);
  for (const [{ id }, reason] of lost)
    leftOut.add(`${rows.placeOf.get(id)!}, target_claim_id`, `${reason}${ROW_LEFT_OUT}`);
  const kept = claims.filter((claim) => !lost.has(claim));
  if (kept.length === 0) {
    const [first] = leftOut.list;
    throw new UnreadableFile(
      `the workbook holds no claim${first === undefined ? '' : `: ${first.path}: ${first.reason}`}`,
    );
  }
  const question = 'What do the claims of the workbook say?';
  const used = new Set(kept.flatMap((claim) => [claim['actor_id'], claim['subject_id']]));
  const isUsed = ({ id }: Item) => used.has(id);
  const named = new Set([...there.actors, ...actors.filter(isUsed)].map((one) => nameKey(nameOf(one))));
  const gone = [...unused, ...actors.filter((one) => !isUsed(one))].map(nameOf);
  for (const [key, name] of new Map(gone.map((one) => [nameKey(one), one])))
    if (!named.has(key))
      leftOut.add(`source ${name}`, 'stands only in rows that were left out: it was left out, too');
  const investigation = {
    research_question: question,
    actors: [...there.actors, ...actors].filter(isUsed),
    subjects: [...there.subjects, ...subjects].filter(isUsed),
    claims: kept,
  };
  // What the session holds of it was checked above: the rest must hold without.
  const inFile = new Set(kept.map(({ id }) => id));
  const { leftOut: warned, leftOutTotal } = checkedInvestigation({
    ...investigation,
    subjects: [...investigation.subjects, IN_SESSION],
    claims: kept.map(({ target_claim_id: target, ...claim }) =>
      target === undefined || inFile.has(String(target))
        ? { ...claim, ...(target !== undefined && { target_claim_id: target }) }
        : { ...claim, subject_id: IN_SESSION.id },
    ),
  });
  const payload = investigation as unknown as InvestigationInput;
  return withLeftOut({ payload, leftOut: warned, leftOutTotal }, leftOut);
}

/**
 * New sources and subjects with ids by their names, as those of other formats have them: short ones may be
 * those of others in the session that the file is added to.
 */
function withIdsByName<Lists extends Readonly<Record<'actors' | 'subjects' | 'claims', readonly Item[]>>>({
  actors,
  subjects,
  claims,
}: Lists) {
  const ids = new Map<string, string>([
    ...actors.map(({ id, name }) => [`actor ${id}`, actorId(String(name))] as const),
    ...subjects.map(
      ({ id, name, subject_type: type }) => [`subject ${id}`, subjectId(String(name), String(type))] as const,
    ),
  ]);
  const renamed = (kind: string, id: unknown) => ids.get(`${kind} ${String(id)}`) ?? id;
  return {
    actors: actors.map((actor) => ({ ...actor, id: renamed('actor', actor.id) as string })),
    subjects: subjects.map((subject) => ({ ...subject, id: renamed('subject', subject.id) as string })),
    claims: claims.map((claim) => ({
      ...claim,
      ...('actor_id' in claim && { actor_id: renamed('actor', claim['actor_id']) }),
      ...('subject_id' in claim && { subject_id: renamed('subject', claim['subject_id']) }),
    })),
  };
}

/** Columns that one error names, and the characters of a name in it. */
const UNDECIDED_MAX = 5;
const NAME_LENGTH = 60;

const ORDERS = ['day-first', 'month-first'] as const;

/** A date that could be read either way, with its place, or else two that contradict each other. */
function undecidedDate({ columns, rows }: Sheet, sheet: string, column: number): string {
  const dates = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((date) => dependsOnOrder(date));
  const place = columnWords(columns[column]!, sheet);
  const dayFirst = dates.find((date) => readDate(date, 'month-first') === null);
  const monthFirst = dates.find((date) => readDate(date, 'day-first') === null);
  const either = dates.find((date) => ORDERS.every((order) => readDate(date, order) !== null));
  return either === undefined
    ? `${place}, where ${JSON.stringify(dayFirst)} has the day first and ${JSON.stringify(monthFirst)} the month`
    : `${JSON.stringify(either)} in ${place}`;
}

function columnWords(column: string, sheet: string): string {
  const [heading, at] = [column, sheet].map((name) => name.replace(/\s+/g, ' ').slice(0, NAME_LENGTH));
  return `column ${heading} of sheet ${at}`;
}

/** Why dates are not read, and how their sender says in which order they are meant. */
function orderAsked(undecided: readonly string[]): string {
  const more = undecided.length - UNDECIDED_MAX;
  const named = undecided.slice(0, UNDECIDED_MAX).join(', ') + (more > 0 ? ` and ${more} more columns` : '');
  return `dates: the day or the month may come first in ${named}: send dates=day_first or dates=month_first, or write the dates as 2025-05-31`;
}

/** The same of numbers among the values. */
function markAsked(undecided: readonly string[]): string {
  const more = undecided.length - UNDECIDED_MAX;
  const named = undecided.slice(0, UNDECIDED_MAX).join(', ') + (more > 0 ? ` and ${more} more sheets` : '');
  return `numbers: ${named}: send numbers=decimal_comma or numbers=decimal_point`;
}

/** Names the first of the hidden rows or columns of a sheet, and how many there are. */
function nameHidden([first, ...more]: readonly string[], kind: string, leftOut: LeftOutList): void {
  if (first === undefined) return;
  leftOut.add(
    first,
    more.length === 0
      ? 'is hidden in the workbook: it was read as the others'
      : `is hidden in the workbook, the first of ${more.length + 1} such ${kind}: they were read as the others`,
  );
}

/** Cells that one note names. */
const CELLS_NAMED_MAX = 20;

/** Names the cells of a sheet that are struck through, a usual way to withdraw what they say. */
function nameStruck(cells: readonly string[], place: string, leftOut: LeftOutList): void {
  if (cells.length === 0) return;
  const more = cells.length - CELLS_NAMED_MAX;
  const named = `${cells.slice(0, CELLS_NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  leftOut.add(
    place,
    `has text that is struck through, in ${named}: it was read as the rest, so delete what is withdrawn`,
  );
}

/** Cells of a sheet whose notes are named one by one, and the characters of a note that are told. */
const NOTES_MAX = 20;
const NOTE_LENGTH = 80;

/** Names the cells that have notes or threads of comments, which no claim can hold. */
function nameNotes(sheet: XLSX.WorkSheet, place: string, leftOut: LeftOutList): void {
  let count = 0;
  const data = (sheet['!data'] ?? []) as (XLSX.CellObject | undefined)[][];
  data.forEach((cells, r) =>
    cells.forEach((cell, c) => {
      const texts = (cell?.c ?? []).map(({ t }) => t ?? '').filter((text) => text.trim() !== '');
      if (texts.length === 0) return;
      count += 1;
      if (count > NOTES_MAX) return;
      const words = texts.join(' / ').replace(/\s+/g, ' ').trim().slice(0, NOTE_LENGTH);
      leftOut.add(
        `${place}, cell ${XLSX.utils.encode_cell({ r, c })}`,
        `has a note that is not read: ${JSON.stringify(words)}`,
      );
    }),
  );
  if (count > NOTES_MAX) leftOut.add(place, `has ${count - NOTES_MAX} more notes on cells that are not read`);
}

/** The ids that the cells of a sheet give. */
function idsOf({ rows }: Sheet, mapping: readonly (string | null)[]): ReadonlySet<string> {
  const column = mapping.indexOf('id');
  return new Set(column < 0 ? [] : rows.map(({ cells }) => cells[column]?.trim() ?? ''));
}

/**
 * The ids of claims over all sheets. One that its row does not give is made from the content; of rows that
 * say the same, the second and later ones get it by their number, too. So a workbook replaces what it brought
 * before and nothing else.
 */
class RowIds {
  /** The sheet and row of each id. */
  readonly placeOf = new Map<string, string>();
  readonly #seen = new Map<string, number>();

  /** A claim with its id in the investigation; `given` are the ids that its sheet gives. */
  take(claim: Item, given: ReadonlySet<string>, place: string): Item {
    let { id } = claim;
    if (!given.has(id)) {
      const { id: _row, ...content } = claim;
      const text = JSON.stringify(content);
      do {
        const before = this.#seen.get(text) ?? 0;
        this.#seen.set(text, before + 1);
        id = idOf('row', before === 0 ? text : `${text}\n${before}`);
      } while (given.has(id) || this.placeOf.has(id));
    }
    this.placeOf.set(id, place);
    return { ...claim, id };
  }
}

function parse(bytes: Uint8Array): XLSX.WorkBook {
  try {
    return XLSX.read(bytes, {
      type: 'array',
      cellFormula: false,
      cellHTML: false,
      cellStyles: false,
      cellDates: true,
      cellNF: true,
      UTC: true,
      dense: true,
      sheetRows: ROWS_MAX + 1,
      bookVBA: false,
    });
  } catch (error) {
    throw new UnreadableFile('the workbook is damaged: its sheets cannot be read', { cause: error });
  }
}

/** Rows of a sheet as text; `line` is the row's number in the spreadsheet. */
function sheetOf(
  sheet: XLSX.WorkSheet | undefined,
  name: string,
  {
    leftOut,
    budget,
    date1904,
  }: { readonly leftOut: LeftOutList; readonly budget: TextBudget; readonly date1904: boolean },
): Sheet {
  const data = (sheet?.['!data'] ?? []) as (XLSX.CellObject | undefined)[][];
  const first = sheet?.['!ref'] === undefined ? 0 : XLSX.utils.decode_range(sheet['!ref']).s.r;
  if (data.length > ROWS_MAX)
    leftOut.add(`sheet ${name}`, `rows after ${ROWS_MAX} were not read: send them by themselves`);
  /** Which columns hold dates, once the first row has named them. */
  let mapping: readonly (string | null)[] | undefined;
  /** By column, the first number that was read as a day, and how many more there are. */
  const days = new Map<number, { readonly words: string; more: number }>();
  /** By column, the first number that was read as its format rounds it, and how many more there are. */
  const rounded = new Map<number, { readonly words: string; more: number }>();
  const numbers = new Set<string>();
  const textOf = (cell: XLSX.CellObject | undefined, at: number, row: number) => {
    const text = cellText(cell);
    if (mapping?.[at] === 'value' && typeof cell?.v !== 'string') numbers.add(numberKey(row, at));
    if (isRounded(cell, text)) {
      const one = rounded.get(at);
      if (one !== undefined) one.more += 1;
      else rounded.set(at, { words: `${text} in row ${row} is ${String(cell!.v)} in the workbook`, more: 0 });
    }
    const isDate = typeof cell?.v === 'number' && DATE_FIELDS.includes(mapping?.[at] ?? '');
    const day = isDate ? dayOfNumber(text, date1904) : null;
    if (day === null) return text;
    const first = days.get(at);
    if (first !== undefined) first.more += 1;
    else days.set(at, { words: `${text} in row ${row} has no date format and was read as ${day}`, more: 0 });
    return day;
  };
  const rows = data.slice(0, ROWS_MAX + 1).flatMap((cells, index) => {
    if (cells === undefined || index < first) return [];
    const texts = Array.from({ length: Math.min(cells.length, COLUMNS_MAX) }, (_, at) => {
      const cell = cells[at];
      if (cell?.t === 'e')
        leftOut.add(
          `sheet ${name}, row ${index + 1}, column ${XLSX.utils.encode_col(at)}`,
          cell.v === undefined
            ? 'holds a formula without a stored value: it was taken as empty; save the workbook in a program that computes it'
            : `shows the error ${cell.w ?? String(cell.v)}: it was taken as empty`,
        );
      return textOf(cell, at, index + 1);
    });
    budget.take(texts);
    if (texts.every((text) => text.trim() === '')) return [];
    mapping ??= guessMapping(texts.map((text) => text.trim()));
    return [{ line: index + 1, cells: texts }];
  });
  const [heading, ...body] = rows;
  const columns = (heading?.cells ?? []).map((text) => text.trim());
  for (const [at, { words, more }] of days)
    leftOut.add(
      `sheet ${name}, column ${columns[at]}`,
      `${words}, the day that spreadsheets mean by it${more > 0 ? `, and so were ${more} more` : ''}: format the column as a date`,
    );
  for (const [at, { words, more }] of rounded)
    leftOut.add(
      `sheet ${name}, column ${columns[at]}`,
      `${words}: it was read as it is shown${more > 0 ? `, and so were ${more} more` : ''}; a format without words gives the whole number`,
    );
  const widthOf = (cells: readonly string[]) => cells.findLastIndex((text) => text.trim() !== '') + 1;
  return {
    columns,
    // Cells that were only formatted are no cells.
    rows: body.map(({ line, cells }) => ({
      line,
      cells: cells.slice(0, Math.max(columns.length, widthOf(cells))),
    })),
    problems: [],
    numbers,
  };
}
