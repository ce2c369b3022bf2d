import type { GateReply, GateRequest } from './gate.ts';

/** What the script is called with. */
export interface GroupCall {
  readonly keys: string[];
  readonly args: string[];
}

/** Prefixes of the three kinds of keys. */
export interface KeyPrefixes {
  readonly stamp: string;
  readonly rate: string;
  readonly counter: string;
}

/** One reply of the script: 0, or what it is and the places it is about. */
export type ScriptReply = number | readonly (number | string)[];

/** Distinct entries of one kind: a key with what the calls say of it. */
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

/** The calls that enter the gate together, in the order in which they came. */
export class EnteringGroup {
  readonly #stamps = new Map<string, number>();
  readonly #seen: (readonly [key: string, stamp: string])[] = [];
  readonly #rates = new Entries<GateRequest['rates'][number]>(
    (one, other) => one.limit === other.limit && one.windowMs === other.windowMs,
  );
  readonly #takes = new Entries<GateRequest['takes'][number]>(
    (one, other) => one.calls === other.calls && one.epoch === other.epoch && one.capacity === other.capacity,
  );
  /** Per call the places of its entries: of stamps, rates and takes. */
  readonly #calls: (readonly [stamps: string, rates: number[], takes: number[]])[] = [];

  /** Keys that the script would be called with. */
  get keys(): number {
    return this.#seen.length + this.#rates.list.length + this.#takes.list.length;
  }

  /** Appends a call. */
  add({ seen, rates, takes }: GateRequest): void {
    let stamps = '';
    for (const pair of seen) stamps += `${this.#addStamp(pair)},`;
    this.#calls.push([
      stamps,
      rates.map((rate) => this.#rates.add(rate)),
      takes.map((take) => this.#takes.add(take)),
    ]);
  }

  /** The call of the script; `fresh` is the stamp of entities that have none. */
  call(prefixes: KeyPrefixes, fresh: string, stampTtlMs: number): GroupCall {
    const [rates, takes] = [this.#rates.list, this.#takes.list];
    const keys: string[] = [];
    const args = [String(this.#seen.length), String(rates.length), fresh, String(stampTtlMs)];
    for (const [key, stamp] of this.#seen) {
      keys.push(prefixes.stamp + key);
      args.push(stamp);
    }
    for (const { key, limit, windowMs } of rates) {
      keys.push(prefixes.rate + key);
      args.push(String(limit), String(windowMs));
    }
    for (const { key, calls, epoch, capacity } of takes) {
      keys.push(prefixes.counter + key);
      args.push(String(calls), String(epoch), String(capacity));
    }
    const firstRate = this.#seen.length + 1;
    const firstTake = firstRate + rates.length;
    for (const [stamps, rated, taken] of this.#calls) {
      let places = stamps;
      for (const place of rated) places += `${firstRate + place},`;
      for (const place of taken) places += `${firstTake + place},`;
      args.push(places);
    }
    return { keys, args };
  }

  /** A reply of the script in the words of the gate. */
  read(reply: ScriptReply): GateReply {
    if (reply === 0) return { kind: 'entered' };
    const [kind, ...rest] = reply as readonly (number | string)[];
    const [seen, rates] = [this.#seen.length, this.#rates.list.length];
    const stampKey = (place: unknown) => (this.#seen[Number(place) - 1] as readonly [string, string])[0];
    const takeKey = (place: unknown) =>
      (this.#takes.list[Number(place) - seen - rates - 1] as { key: string }).key;
    switch (kind) {
      case 1: {
        const stamps = new Map<string, string>();
        for (let i = 0; i < rest.length; i += 2) stamps.set(stampKey(rest[i]), String(rest[i + 1]));
        return { kind: 'stale', stamps };
      }
      case 2:
        return { kind: 'unseeded', keys: rest.map(takeKey) };
      case 3: {
        const { key } = this.#rates.list[Number(rest[0]) - seen - 1] as { key: string };
        return { kind: 'rate_limited', key, retryAfterMs: Number(rest[1]) / 1000 };
      }
      case 4:
        return { kind: 'quota_exhausted', key: takeKey(rest[0]) };
      default:
        throw new Error(`unknown reply of the gate script: ${String(kind)}`);
    }
  }

  /** The place of what was seen, from 1. */
  #addStamp(pair: readonly [key: string, stamp: string]): number {
    const [key, stamp] = pair;
    const place = this.#stamps.get(key);
    if (place !== undefined && this.#seen[place - 1]?.[1] === stamp) return place;
    const added = this.#seen.push(pair);
    this.#stamps.set(key, added);
    return added;
  }
}
