import { createHash } from 'node:crypto';
import type { Imported, LeftOutList } from './imported.ts';
import { isObject, type JsonObject } from './read-json.ts';

/** Characters of a digest in base64: 36 bits, so that no two values of a field meet by chance. */
const DIGEST_LENGTH = 6;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The fields of each object that an export wrote, by its id, each with a digest of what it says. */
export type Written = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What an export notes of its objects, so that its import tells what other tools did to them. */
export const writtenOf = (objects: readonly (readonly [id: string, object: object])[]): Written =>
  Object.fromEntries(objects.map(([id, object]) => [id, Object.fromEntries(digests(object))]));

/** Tells what another tool did to the objects of an export, by what the export notes of them. */
export class Changes {
  readonly #written: ReadonlyMap<string, ReadonlyMap<string, unknown>> | null;
  readonly #found = new Set<string>();
  readonly #leftOut: LeftOutList;
  readonly #instead: string;

  /** `instead` is what holds in place of what was changed. */
  constructor(written: unknown, leftOut: LeftOutList, instead: string) {
    this.#leftOut = leftOut;
    this.#instead = instead;
    this.#written = isObject(written)
      ? new Map(
          Object.entries(written).map(([id, fields]) => [
            id,
            new Map(isObject(fields) ? Object.entries(fields) : []),
          ]),
        )
      : null;
    if (this.#written === null)
      leftOut.add(
        '$',
        `does not note what it said when it was written: what other tools changed is not named, and ${instead} taken`,
      );
  }

  /**
   * The fields of an object that say something else than they did when it was written; null for an object
   * that was not written. Where nothing is noted, every object is taken as unchanged.
   */
  fieldsOf(id: string, object: object): ReadonlySet<string> | null {
    if (this.#written === null) return new Set();
    const before = this.#written.get(id);
    if (before === undefined) return null;
    this.#found.add(id);
    return keysChanged(before, new Map<string, unknown>(digests(object)));
  }

  /** Names the changed fields of an object at `path` that were not `taken` over. */
  name(fields: ReadonlySet<string>, path: string, taken: readonly string[] = []): void {
    for (const field of fields)
      if (!taken.includes(field))
        this.#leftOut.add(
          `${path}.${field.slice(0, 200)}`,
          `was changed by another tool: ${this.#instead} taken`,
        );
  }

  /** Names the objects that are no longer there; `contents` says what some of them said. */
  nameRemoved(contents: ReadonlyMap<string, string>): void {
    for (const id of this.#written?.keys() ?? []) {
      if (this.#found.has(id)) continue;
      const content = contents.get(id);
      this.#leftOut.add(
        id.slice(0, 200),
        content === undefined
          ? `was removed by another tool: ${this.#instead} taken`
          : `was removed by another tool, and is kept: ${content.slice(0, 80)}`,
      );
    }
  }
}

/** The fields in which an object says something else than it did before. */
export const fieldsChanged = (before: object, now: object): ReadonlySet<string> =>
  keysChanged(new Map(digests(before)), new Map(digests(now)));

const keysChanged = (before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>) =>
  new Set([...before.keys(), ...now.keys()].filter((key) => before.get(key) !== now.get(key)));

/** An investigation with claims that another tool withdrew as retracted. */
export function withWithdrawn(imported: Imported, withdrawn: ReadonlySet<string>): Imported {
  if (withdrawn.size === 0) return imported;
  const claims = imported.payload.claims.map((claim) =>
    withdrawn.has(claim.id) ? { ...claim, epistemic_status: 'retracted' } : claim,
  );
  return { ...imported, payload: { ...imported.payload, claims } };
}

/** Fields that say something, each with its digest. */
const digests = (object: object): (readonly [string, string])[] =>
  Object.entries(object).flatMap(([key, value]) => {
    const said = saidBy(value);
    if (said === null) return [];
    const digest = createHash('sha256').update(JSON.stringify(said)).digest('base64url');
    return [[key, digest.slice(0, DIGEST_LENGTH)] as const];
  });

/**
 * What a value says, apart from how tools write it: in a list of one or alone, in whatever order, as number
 * or text, a time with or without thousandths. Null where it says nothing, as a flag that is not set.
 */
function saidBy(value: unknown): unknown {
  if (value === undefined || value === null || value === '' || value === false) return null;
  if (Array.isArray(value)) {
    const said = value.map(saidBy).filter((one) => one !== null);
    if (said.length < 2) return said[0] ?? null;
    return said.map((one) => JSON.stringify(one)).sort();
  }
  if (isObject(value)) return saidByObject(value);
  if (typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value)))
    return new Date(value).toISOString();
  return String(value);
}

function saidByObject(object: JsonObject): unknown {
  const said = Object.entries(object)
    .map(([key, value]) => [key, saidBy(value)] as const)
    .filter(([, value]) => value !== null);
  const [first] = said;
  if (first === undefined) return null;
  // A reference or text of JSON-LD in its long form.
  if (said.length === 1 && (first[0] === '@id' || first[0] === '@value')) return first[1];
  return said.sort(([one], [other]) => (one < other ? -1 : 1));
}
