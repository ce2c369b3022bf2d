/** Data of responses that take no more of a model's context than they should. */

import { jsonLength } from '../wire/json-length.ts';

/** What either half of a response, text or data, takes unless more is asked for: 2,000 tokens. Bytes. */
export const RESPONSE_BUDGET = 8_000;
/** Longest data that the text repeats: most clients show a model no more of a response. Bytes. */
export const REPEATED_MAX = 100_000;

/** Items of a list and characters of a text, from the most that is tried to the least: items go first. */
const CUTS = [
  [20, 1_000],
  [10, 400],
  [5, 200],
  [3, 400],
  [3, 200],
  [3, 100],
  [1, 60],
] as const;

/** Members of an object that are shown: no object of the contract has as many, but a map of names may. */
const MEMBERS_MAX = 100;

/** What fits, and whether something is left out. */
export interface Fitted {
  readonly data: object;
  readonly isCut: boolean;
}

/**
 * The data with as many items of each list and characters of each text as fit into `bytesMax`, and at most
 * MEMBERS_MAX members of each object; the list `whole` keeps all its items, because what comes after them is
 * asked for by their number. What is too long with the shortest lists and texts comes back with those.
 */
export function fitted(data: object, bytesMax: number, whole?: string): Fitted {
  if (jsonLength(data, bytesMax) <= bytesMax) return { data, isCut: false };
  let shorter = data;
  for (const [items, characters] of CUTS) {
    shorter = Object.fromEntries(
      Object.entries(data).map(([key, value]): [string, unknown] => [
        key,
        key === whole && Array.isArray(value)
          ? value.map((item) => cut(item as unknown, items, characters))
          : cut(value as unknown, items, characters),
      ]),
    );
    if (jsonLength(shorter, bytesMax) <= bytesMax) break;
  }
  return { data: shorter, isCut: true };
}

function cut(value: unknown, items: number, characters: number): unknown {
  if (typeof value === 'string')
    return value.length <= characters ? value : `${value.slice(0, characters).toWellFormed()}…`;
  if (Array.isArray(value))
    return value.slice(0, items).map((item) => cut(item as unknown, items, characters));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(members)
      .slice(0, MEMBERS_MAX)
      .map((key) => [key, cut(members[key], items, characters)]),
  );
}

/** The JSON of the data, for those who read text alone; null where it is longer than text repeats. */
export function repeated(data: object): string | null {
  return jsonLength(data, REPEATED_MAX) <= REPEATED_MAX ? JSON.stringify(data) : null;
}
