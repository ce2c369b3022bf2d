import {
  InvalidInvestigation,
  OBJECTS,
  validateShape,
  type Field,
  type ObjectName,
} from '@platform/opinion-fusion';
import type { Problem } from '../api/problems.ts';

/** An object as a form holds it: numbers as they were typed, absent fields missing or empty. */
export type Draft = Readonly<Record<string, unknown>>;

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

const DATE = /^\s*\d{4}-\d{2}-\d{2}\s*$/;

/**
 * What a draft says: fields left empty are absent, numbers are numbers where they can be read, a date in
 * place of a timestamp is its first instant in UTC, lists without an item are absent unless the field is
 * required. Fields that the table lacks stay as they are.
 */
export function readDraft(object: ObjectName, draft: Draft): Record<string, unknown> {
  const fields = OBJECTS[object];
  return Object.fromEntries(
    Object.entries(draft).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const read = field === undefined ? value : readField(field, value);
      return read === undefined ? [] : [[name, read]];
    }),
  );
}

function readField(field: Field, value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  switch (field.kind) {
    case 'number':
    case 'count':
      return readNumber(value);
    case 'timestamp':
      return typeof value === 'string' && DATE.test(value) ? `${value.trim()}T00:00:00Z` : value;
    case 'texts': {
      const texts = Array.isArray(value) ? value.filter((entry) => entry !== '') : value;
      return isEmptyList(texts) && !field.required ? undefined : texts;
    }
    case 'numbers': {
      if (typeof value !== 'object') return value;
      const entries = Object.entries(value).filter(([, number]) => number !== '');
      return entries.length === 0
        ? undefined
        : Object.fromEntries(entries.map(([name, number]) => [name, readNumber(number)]));
    }
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
        ? readDraft(field.of!, value as Draft)
        : value;
    case 'list':
      if (!Array.isArray(value)) return value;
      return isEmptyList(value) && !field.required
        ? undefined
        : value.map((item: Draft) => readDraft(field.of!, item));
    default:
      return value;
  }
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
}

/**
 * Problems of a claim that its shape does not show and that would keep it from being judged: a claim must
 * are about a subject or another claim, and events end after they start.
 */
export function claimProblems(claim: Draft): readonly Problem[] {
  const isGiven = (field: string) => (claim[field] ?? '') !== '';
  const problems: Problem[] = [];
  if (!isGiven('subject_id') && !isGiven('target_claim_id'))
    problems.push({ path: 'subject_id', message: 'is needed, unless the claim speaks of another claim' });
  if (isGiven('subject_id') && isGiven('target_claim_id'))
    problems.push({
      path: 'target_claim_id',
      message: 'must be empty where the claim has a subject: it speaks of one or the other',
    });
  const [start, end] = ['event_start_time', 'event_end_time'].map((field) =>
    Date.parse(String(claim[field])),
  );
  if (start! >= end!)
    problems.push({ path: 'event_start_time', message: 'must be before the end of the event' });
  return problems;
}

/** Problems of numbers that were entered without a name. */
export function namelessProblems(object: ObjectName, value: Draft): readonly Problem[] {
  return Object.entries(OBJECTS[object]).flatMap(([name, { kind }]) => {
    const numbers = value[name];
    const isNameless =
      kind === 'numbers' && typeof numbers === 'object' && numbers !== null && Object.hasOwn(numbers, '');
    return isNameless ? [{ path: `${name}[""]`, message: 'needs a name' }] : [];
  });
}

/** What is wrong with an object by the field table, each problem with the path of its field. */
export function problemsOf(object: ObjectName, value: unknown): readonly Problem[] {
  try {
    validateShape(object, value, '');
    return [];
  } catch (error) {
    if (error instanceof InvalidInvestigation) return error.problems;
    throw error;
  }
}

/** Gives a few letters and digits, mostly others at each call. */
export type NewCode = () => string;

/**
 * Gives ids such as `c-7k2mq` that are not taken, never the same twice. They are not counted up: programs
 * that add items without having seen the last ones would count to the same id, and replace what has it.
 */
export function newIds(letter: string, taken: { has(id: string): boolean }, code: NewCode): () => string {
  const given = new Set<string>();
  return () => {
    let id;
    do id = `${letter}-${code()}`;
    while (taken.has(id) || given.has(id));
    given.add(id);
    return id;
  };
}

/** Counts 1, 2, …: for ids that are to be known beforehand, or that nobody keeps. */
export function countedCodes(): NewCode {
  let number = 0;
  return () => String((number += 1));
}
