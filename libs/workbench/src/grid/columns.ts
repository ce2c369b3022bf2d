import { OBJECTS } from '@platform/opinion-fusion';
import { dependsOnOrder, isWrittenDay, orderOf, readDate } from '../csv/read-dates.ts';
import { markOf, readNumber } from '../csv/read-numbers.ts';
import { valueOf } from '../csv/column-values.ts';
import { guessSourceType } from '../csv/guess-source-type.ts';
import { guessMapping } from '../csv/mapping.ts';
import { valenceNamed } from '../csv/valence-words.ts';
import { plain } from '@platform/viewer/browser';
import { Directory } from '../edit/directory.ts';
import { newIds, readDraft, type NewCode } from '../edit/draft.ts';
import { labelOf, nameOf, REFERENCES, type Entity } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import { dateProblem, withScheme } from '../csv/problem-words.ts';
import { itemOf, type ItemEdit } from '../edit/edits.ts';
import type { Refusal } from './refusals.ts';

/** A column of the grid: one field of a claim as people type it. */
export interface GridColumn {
  readonly field: string;
  readonly title: string;
  /** Looks of the column: its width, and figures to the right. */
  readonly width: 'narrow' | 'medium' | 'wide';
}

const column = (field: string, width: GridColumn['width']): GridColumn => ({
  field,
  title: TITLES[field] ?? labelOf(field),
  width,
});

const TITLES: Readonly<Record<string, string>> = { valence: 'Denies it', content: 'In words' };

export const COLUMNS: readonly GridColumn[] = [
  column('actor_id', 'medium'),
  column('subject_id', 'medium'),
  column('predicate', 'medium'),
  column('value', 'narrow'),
  column('valence', 'narrow'),
  column('content', 'wide'),
  column('assertion_time', 'narrow'),
  column('url', 'medium'),
  column('quote', 'wide'),
];

/** Shown where the user asks for them. */
export const ADVANCED_COLUMNS: readonly GridColumn[] = [
  column('id', 'narrow'),
  column('scope', 'narrow'),
  column('event_start_time', 'narrow'),
  column('event_end_time', 'narrow'),
  column('supersedes_claim_id', 'narrow'),
  column('decay_half_life_days', 'narrow'),
];

const ALL_COLUMNS = [...COLUMNS, ...ADVANCED_COLUMNS];

/** Where the column of a field stands; -1 for a field that has none. */
export const columnIndex = (field: string): number => ALL_COLUMNS.findIndex((one) => one.field === field);

/** The heading of a field's column. */
export const titleOf = (field: string): string => ALL_COLUMNS[columnIndex(field)]?.title ?? labelOf(field);

/**
 * Pasted cells without their first row, where that names the columns that the cells go into, as the heading
 * of this grid does. Pure.
 */
export function withoutHeading(
  cells: readonly (readonly string[])[],
  columns: readonly GridColumn[],
): readonly (readonly string[])[] {
  const [heading = [], ...rows] = cells;
  const mapping = guessMapping(heading);
  const isHeading =
    rows.length > 0 && heading.length > 1 && heading.every((_, at) => mapping[at] === columns[at]?.field);
  return isHeading ? rows : cells;
}

/** Type of the subjects and, where their name suggests none, of the sources that are made in a cell. */
const SUBJECT_TYPE = 'topic';
const SOURCE_TYPE = 'Anonymous';
const CONTENT_LENGTH = 300;

/** What a cell shows, and what copying it gives. */
export function cellText(payload: object, claim: Entity, field: string): string {
  const value = claim[field];
  if (value === undefined || value === null) return '';
  if (field === 'valence') return valenceText(String(value));
  const kind = REFERENCES[field];
  if ((kind === 'actors' || kind === 'subjects') && typeof value === 'string') {
    const item = itemOf(payload, { kind, id: value });
    return item === null ? value : nameOf(item) || value;
  }
  if (field === 'assertion_time' && typeof value === 'string') return value.replace(/T00:00:00(\.0+)?Z$/, '');
  return typeof value === 'string' ? value : String(value);
}

/** What “Denies it” shows; words that leave a doubt stay as they were typed. */
function valenceText(valence: string): string {
  const named = valenceNamed(valence, true);
  if (named === undefined) return valence;
  return named === 'Refutes' ? 'yes' : '';
}

/** A text for a cell of the claim at a place of the shown ones; undefined for the row that adds one. */
export interface CellInput {
  readonly claim: Entity | undefined;
  /** Cells of one new claim share it. */
  readonly row: number;
  readonly field: string;
  readonly text: string;
}

export interface TypedCells {
  readonly items: readonly Omit<ItemEdit, 'before'>[];
  /** Ids of the claims that were made, in order of their rows. */
  readonly madeClaims: readonly string[];
  readonly madeSources: readonly Entity[];
  readonly madeSubjects: readonly Entity[];
  /** Cells that were left as they are, and why. */
  readonly refused: readonly Refusal[];
  /** A sentence on values that could be read otherwise than they were; empty for none. */
  readonly note: string;
}

/**
 * What typing or pasting texts into cells makes of the investigation: changed and new claims, with sources
 * and subjects made where a name is new. A claim all of whose shown cells are emptied is deleted. Pure, but
 * for `code`, of which new claims have their ids.
 */
export function typeCells(
  payload: object,
  inputs: readonly CellInput[],
  shown: readonly GridColumn[],
  code: NewCode,
): TypedCells {
  const actors = new Directory(itemsOf(payload, 'actors'), (id, name) => ({
    id,
    name,
    source_type: guessSourceType(name) ?? SOURCE_TYPE,
  }));
  const subjects = new Directory(itemsOf(payload, 'subjects'), (id, name) => ({
    id,
    name,
    subject_type: SUBJECT_TYPE,
  }));
  const taken = new Set(itemsOf(payload, 'claims').map(({ id }) => id));
  const nextId = newIds('c', taken, code);
  const refused: Refusal[] = [];
  const orders = new Map<string, ReturnType<typeof orderOf>>();
  const values = inputs.filter(({ field }) => field === 'value').map(({ text }) => text.trim());
  const days = values.filter(isWrittenDay);
  const valueOrder = days.length === 0 ? undefined : orderOf(days);
  const { shown: mark, example } = markOf(values.filter((value) => !isWrittenDay(value)));
  const readsMark = mark === 'comma' || mark === 'each';
  /** Why dates that could be read either way are not taken, by the first one of them. */
  let eitherWay: string | undefined;
  const drafts = new Map<
    number,
    { readonly was: Entity | undefined; readonly draft: Record<string, unknown> }
  >();
  for (const { claim, row, field, text } of inputs) {
    let typed = drafts.get(row);
    if (typed === undefined) {
      if (claim === undefined && text.trim() === '') continue;
      typed = { was: claim, draft: claim === undefined ? {} : { ...claim } };
      drafts.set(row, typed);
    }
    const { draft } = typed;
    const clean = text.trim();
    const refuse = (reason: string) => refused.push({ row, text: clean, reason });
    if (field === 'id') {
      if (claim !== undefined) {
        if (clean !== claim.id) refuse('the id stays as it is: other items refer to it');
      } else if (clean !== '' && !taken.has(clean)) draft['id'] = clean;
      continue;
    }
    if (clean === '') delete draft[field];
    else if (field === 'actor_id' || field === 'subject_id') {
      const directory = field === 'actor_id' ? actors : subjects;
      const id = directory.find(clean) ?? directory.propose(clean);
      directory.keep(id);
      draft[field] = id;
    } else if (field === 'value') draft[field] = valueOf(clean, valueOrder, readsMark ? mark : undefined);
    else if (field === 'valence') draft[field] = valenceOf(clean, draft[field]);
    else if (OBJECTS.ClaimInput[field]!.kind === 'timestamp') {
      const order =
        orders.get(field) ?? orderOf(inputs.filter((one) => one.field === field).map((one) => one.text));
      orders.set(field, order);
      const read = readDate(clean, order === 'month-first' ? order : 'day-first');
      if (order === 'ask' && dependsOnOrder(clean)) refuse((eitherWay ??= eitherWords(clean)));
      else if (read === null) refuse(dateProblem(clean));
      else draft[field] = read;
    } else draft[field] = OBJECTS.ClaimInput[field]!.kind === 'url' ? withScheme(clean) : clean;
    if (draft[field] === undefined) delete draft[field];
  }
  const madeClaims: string[] = [];
  const claims = [...drafts.entries()]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, { was, draft }]): Omit<ItemEdit, 'before'>[] => {
      if (was !== undefined && isEmptied(draft, shown)) return [{ kind: 'claims', id: was.id, after: null }];
      const id = was?.id ?? (draft['id'] as string | undefined) ?? nextId();
      if (was === undefined) {
        taken.add(id);
        madeClaims.push(id);
      }
      return [{ kind: 'claims', id, after: withWords(was, { id, ...draft }) }];
    });
  const made = (kind: 'actors' | 'subjects', items: readonly Entity[]) =>
    items.map((item) => ({ kind, id: item.id, after: item }));
  return {
    items: [...made('actors', actors.kept()), ...made('subjects', subjects.kept()), ...claims],
    madeClaims,
    madeSources: actors.kept(),
    madeSubjects: subjects.kept(),
    refused,
    note:
      mark === 'ask' && values.length > 1
        ? `“${plain(example!)}” was taken with a decimal point: write ${readNumber(example!, 'comma')} where it has a decimal comma.`
        : '',
  };
}

function eitherWords(date: string): string {
  const days = (['day-first', 'month-first'] as const).flatMap((order) => readDate(date, order) ?? []);
  return `could be read day first or month first: write it as ${days.join(' or ')}`;
}

/**
 * Words that leave a doubt stay as they are typed, which is an error at their cell. By a no, a claim stays
 * for it or neither, as it was.
 */
function valenceOf(text: string, before: unknown): unknown {
  const named = valenceNamed(text, false);
  if (named !== undefined) return named;
  const answered = valenceNamed(text, true);
  if (answered !== 'Supports') return answered ?? text;
  return before === 'Supports' || before === 'Neutral' ? before : undefined;
}

const isEmptied = (draft: Readonly<Record<string, unknown>>, shown: readonly GridColumn[]) =>
  shown.every(({ field }) => field === 'id' || (draft[field] ?? '') === '');

/** What the words of a claim say where nobody wrote any: they follow property and value. */
const wordsOf = ({ predicate, value }: Readonly<Record<string, unknown>>) =>
  typeof predicate === 'string' && typeof value === 'string'
    ? `${predicate.replaceAll('_', ' ')}: ${value}`.slice(0, CONTENT_LENGTH)
    : undefined;

function withWords(was: Entity | undefined, draft: Readonly<Record<string, unknown>>): Entity {
  const isMadeUp = draft['content'] === undefined || (was !== undefined && draft['content'] === wordsOf(was));
  const words = isMadeUp ? wordsOf(draft) : undefined;
  return readDraft('ClaimInput', { ...draft, ...(words !== undefined && { content: words }) }) as Entity;
}

/** Texts that a column holds already, of which one completes what is typed. */
export function completionsOf(payload: object, field: string): readonly string[] {
  const kind = REFERENCES[field];
  if (field === 'actor_id' || field === 'subject_id') return itemsOf(payload, kind!).map(nameOf);
  if (field !== 'predicate' && field !== 'scope') return [];
  const used = itemsOf(payload, 'claims').map((claim) => claim[field]);
  return [...new Set(used.filter((text) => typeof text === 'string'))];
}

/** The first text that begins as typed, in any case; null where none does. */
export function completed(typed: string, texts: readonly string[]): string | null {
  if (typed.trim() === '') return null;
  const start = typed.toLowerCase();
  const found = texts.find((text) => text.length > typed.length && text.toLowerCase().startsWith(start));
  return found === undefined ? null : typed + found.slice(typed.length);
}

/** What deleting claims makes of the investigation. */
export const deletionOf = (claims: readonly Entity[]): Omit<ItemEdit, 'before'>[] =>
  claims.map(({ id }) => ({ kind: 'claims' as const, id, after: null }));
