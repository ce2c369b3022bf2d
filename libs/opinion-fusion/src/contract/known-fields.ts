import type { ObjectName } from './fields.ts';
import { OBJECTS } from './fields.ts';

type Given = Readonly<Record<string, unknown>>;

/** One field of the table that an input uses. */
export interface UsedField {
  readonly object: ObjectName;
  readonly field: string;
  /** How many of its objects have it, with a value other than null. */
  readonly count: number;
}

/** What of an input the field table knows. */
export interface KnownFields<T> {
  /** The input without all other fields, at any depth; the very same object where there are none. */
  readonly input: T;
  /** In the order of the table. */
  readonly used: readonly UsedField[];
}

/**
 * The part of an investigation that the field table has, and which of its fields that uses. `input` is one
 * that `validateShape` has passed. Never throws.
 */
export function knownFields<T extends object>(input: T): KnownFields<T> {
  const counts = new Map<string, number>();
  const known = pick('InvestigationInput', input as Given, counts) as T;
  const used = (Object.keys(OBJECTS) as ObjectName[]).flatMap((object) =>
    Object.keys(OBJECTS[object]).flatMap((field): UsedField[] => {
      const count = counts.get(`${object}.${field}`);
      return count === undefined ? [] : [{ object, field, count }];
    }),
  );
  return { input: known, used };
}

/** The object with the fields of the table alone; itself where nothing had to go. */
function pick(name: ObjectName, source: Given, counts: Map<string, number>): Given {
  const fields = OBJECTS[name];
  let isWhole = true;
  const entries = Object.entries(source).flatMap(([key, value]): [string, unknown][] => {
    if (!Object.hasOwn(fields, key)) {
      isWhole = false;
      return [];
    }
    if (value == null) return [[key, value]];
    const label = `${name}.${key}`;
    counts.set(label, (counts.get(label) ?? 0) + 1);
    const { kind, of } = fields[key]!;
    if (kind === 'object') {
      const picked = pick(of!, value as Given, counts);
      if (picked !== value) isWhole = false;
      return [[key, picked]];
    }
    if (kind !== 'list') return [[key, value]];
    const list = value as readonly Given[];
    const picked = list.map((item) => pick(of!, item, counts));
    if (picked.every((item, index) => item === list[index])) return [[key, value]];
    isWhole = false;
    return [[key, picked]];
  });
  return isWhole ? source : Object.fromEntries(entries);
}
