import type { AcquireResult, AcquireRequest } from './limit-store.ts';

/** What the script is called with. */
export interface GroupCall {
  readonly keys: string[];
  readonly args: string[];
}

/** Prefixes of the three kinds of keys. */
export interface KeyPrefixes {
  readonly version: string;
  readonly rate: string;
  readonly counter: string;
}

/** One reply of the script: 0, or what it is and the places it is about. */
export type ScriptReply = number | readonly (number | string)[];

/** Distinct entries of one kind: a key with what the calls say about it. */
class Entries<T extends { readonly key: string }> {
  readonly list: T[] = [];
  readonly #places = new Map<string, number>();
  readonly #isSame: (one: T, other: T) => boolean;

  constructor(isSame: (one: T, other: T) => boolean) {
    this.#isSame = isSame;
  }

  /** The place of the entry, from 0; calls that say the same share it. */
  add(entry: T): number {
    const place = this.#places.get(entry.key);
    if (place !== undefined && this.#isSame(this.list[place] as T, entry)) return place;
    this.#places.set(entry.key, this.list.length);
    return this.list.push(entry) - 1;
  }
}

/** The calls that acquire together, in the order in which they came. */
export class AcquireGroup {
  readonly #versions = new Map<string, number>();
  readonly #seen: (readonly [key: string, version: string])[] = [];
  readonly #rates = new Entries<AcquireRequest['rates'][number]>(
    (one, other) => one.limit === other.limit && one.windowMs === other.windowMs,
  );
  readonly #quotas = new Entries<AcquireRequest['quotas'][number]>(
    (one, other) => one.calls === other.calls && one.epoch === other.epoch && one.capacity === other.capacity,
  );
  /** Per call the places of its entries: of versions, rates and quotas. */
  readonly #calls: (readonly [versions: string, rates: number[], quotas: number[]])[] = [];

  /** Keys that the script would be called with. */
  get keys(): number {
    return this.#seen.length + this.#rates.list.length + this.#quotas.list.length;
  }

  add({ expectVersions, rates, quotas }: AcquireRequest): void {
    let versions = '';
    for (const pair of expectVersions) versions += `${this.#addVersion(pair)},`;
    this.#calls.push([
      versions,
      rates.map((rate) => this.#rates.add(rate)),
      quotas.map((take) => this.#quotas.add(take)),
    ]);
  }

  /** The call of the script; `fresh` is the version of entities that have none. */
  call(prefixes: KeyPrefixes, fresh: string, versionTtlMs: number): GroupCall {
    const [rates, quotas] = [this.#rates.list, this.#quotas.list];
    const keys: string[] = [];
    const args = [String(this.#seen.length), String(rates.length), fresh, String(versionTtlMs)];
    for (const [key, version] of this.#seen) {
      keys.push(prefixes.version + key);
      args.push(version);
    }
    for (const { key, limit, windowMs } of rates) {
      keys.push(prefixes.rate + key);
      args.push(String(limit), String(windowMs));
    }
    for (const { key, calls, epoch, capacity } of quotas) {
      keys.push(prefixes.counter + key);
      args.push(String(calls), String(epoch), String(capacity));
    }
    const firstRate = this.#seen.length + 1;
    const firstQuota = firstRate + rates.length;
    for (const [versions, rated, taken] of this.#calls) {
      let places = versions;
      for (const place of rated) places += `${firstRate + place},`;
      for (const place of taken) places += `${firstQuota + place},`;
      args.push(places);
    }
    return { keys, args };
  }

  /** A reply of the script in the words of the limit store. */
  read(reply: ScriptReply): AcquireResult {
    if (reply === 0) return { kind: 'acquired' };
    const [kind, ...rest] = reply as readonly (number | string)[];
    const [seen, rates] = [this.#seen.length, this.#rates.list.length];
    const versionKey = (place: unknown) => (this.#seen[Number(place) - 1] as readonly [string, string])[0];
    const quotaKey = (place: unknown) =>
      (this.#quotas.list[Number(place) - seen - rates - 1] as { key: string }).key;
    switch (kind) {
      case 1: {
        const versions = new Map<string, string>();
        for (let i = 0; i < rest.length; i += 2) versions.set(versionKey(rest[i]), String(rest[i + 1]));
        return { kind: 'stale', versions };
      }
      case 2:
        return { kind: 'uninitialized', keys: rest.map(quotaKey) };
      case 3: {
        const { key } = this.#rates.list[Number(rest[0]) - seen - 1] as { key: string };
        return { kind: 'rate_limited', key, retryAfterMs: Number(rest[1]) / 1000 };
      }
      case 4:
        return { kind: 'quota_exhausted', key: quotaKey(rest[0]) };
      default:
        throw new Error(`unknown reply of the limit script: ${String(kind)}`);
    }
  }

  /** The place of what was seen, from 1. */
  #addVersion(pair: readonly [key: string, version: string]): number {
    const [key, version] = pair;
    const place = this.#versions.get(key);
    if (place !== undefined && this.#seen[place - 1]?.[1] === version) return place;
    const added = this.#seen.push(pair);
    this.#versions.set(key, added);
    return added;
  }
}
