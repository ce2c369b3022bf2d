import { caseFolded } from '@platform/opinion-fusion';
import type { Entity } from './kinds.ts';

/** Finds items by id or name, and makes those that are missing, once each. */
export class Directory {
  readonly #idOf = new Map<string, string>();
  readonly #ids = new Set<string>();
  readonly #proposed = new Map<string, Entity>();
  readonly #kept = new Set<Entity>();
  readonly #make: (id: string, name: string) => Entity;

  constructor(present: readonly Entity[], make: (id: string, name: string) => Entity) {
    this.#make = make;
    for (const { id, name } of present) {
      this.#ids.add(id);
      if (typeof name === 'string' && !this.#idOf.has(nameKey(name))) this.#idOf.set(nameKey(name), id);
    }
  }

  /** The id of the item that a text means, by its id or its name in any case. */
  find(named: string): string | undefined {
    return this.#ids.has(named) ? named : this.#idOf.get(nameKey(named));
  }

  /** The id of an item with this name that was there; of one that was proposed none. */
  findNamesake(name: string): string | undefined {
    const id = this.#idOf.get(nameKey(name));
    return id === undefined || this.#proposed.has(id) ? undefined : id;
  }

  /**
   * Makes an item of a name that is not there, and gives its id, which is `wanted` where that is free. It is
   * not `kept` before `keep` says so.
   */
  propose(name: string, wanted?: string): string {
    const stem = name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .replace(/[^\p{L}\p{N}]+/gu, '-');
    const short = [...stem.replace(/^-|-$/g, '')].slice(0, 40).join('') || 'x';
    let id = wanted ?? short;
    for (let number = 2; this.#ids.has(id); number += 1) id = `${short}-${number}`;
    this.#ids.add(id);
    this.#idOf.set(nameKey(name), id);
    this.#proposed.set(id, this.#make(id, name));
    return id;
  }

  /** The items that were proposed and to which nothing refers. */
  unkept(): Entity[] {
    return [...this.#proposed.values()].filter((item) => !this.#kept.has(item));
  }

  /** Notes that something refers to an item; one that was proposed is added. */
  keep(id: unknown): void {
    const item = typeof id === 'string' ? this.#proposed.get(id) : undefined;
    if (item) this.#kept.add(item);
  }

  /** The proposed items that something refers to. */
  kept(): Entity[] {
    return [...this.#kept];
  }
}

/**
 * What two spellings of one name have in common: NFKC, in one case by Unicode's full mappings (ß is SS), with
 * one space between words.
 */
export const nameKey = (name: string): string =>
  caseFolded(name.normalize('NFKC')).normalize('NFKC').replace(/\s+/g, ' ').trim();
