import { ESTIMATION, UNIDENTIFIED } from '../contract/constants.ts';
import type { Claim } from '../model/model.ts';
import { isBelowFloor } from '../model/reliability.ts';
import type { Pair } from '../model/statements.ts';
import type { DependenceClasses } from './dependence-classes.ts';

/** The class of each source, and how many classes there are: the sources of a class have one voice. */
export type Voices = Pick<DependenceClasses, 'of' | 'count'>;

/** One value of one item; the classes that state it. */
export interface Slot {
  readonly label: number;
  readonly classes: number[];
  readonly claims: Claim[];
  /** Positions in `classes` of two or more unidentified sources, which share one voice; else empty. */
  readonly crowd: readonly number[];
  /** Voices: classes, the crowd as one. */
  readonly voices: number;
  /** Probability that it is right. */
  probability: number;
  /** By position in `classes`: how far the others know the truth of the item, 0..1. */
  known: number[];
}

/** Something asked: a subject, predicate, scope and time. */
export interface Item {
  readonly domain: Domain;
  readonly slots: Slot[];
  /** Voices on all values. */
  votes: number;
}

/** The statistics of a predicate. */
export interface Domain {
  readonly labels: Map<string, number>;
  /** The number of statements of each class. */
  readonly said: Int32Array;
  items: Item[];
  /** Confusion matrices by class, `size` × `size`, truth first; for closed domains. */
  readonly confusions: Map<number, Float64Array>;
  /** How often each label is right; for closed domains. */
  shares: Float64Array;
}

/** The items that pairs of subject and predicate ask for, with the classes that state each value. */
export function collectItems(pairs: readonly Pair[], classes: Voices, declared: Float64Array): Item[] {
  const domains = new Map<string, Domain>();
  const items: Item[] = [];
  for (const { predicate, buckets } of pairs) {
    let domain = domains.get(predicate);
    if (!domain) {
      domain = {
        labels: new Map(),
        said: new Int32Array(classes.count),
        items: [],
        confusions: new Map(),
        shares: new Float64Array(),
      };
      domains.set(predicate, domain);
    }
    for (const { groups } of buckets) {
      const itemOf = new Map<string, Item>();
      for (const { denies, value, from, to, claims } of groups) {
        if (denies) continue;
        const heard = claims.filter(
          (claim) => claim.status !== 'retracted' && !isBelowFloor(declared[claim.index]!),
        );
        if (heard.length === 0) continue;
        const when = `${from} ${to}`;
        let item = itemOf.get(when);
        if (!item) {
          item = { domain, slots: [], votes: 0 };
          itemOf.set(when, item);
          items.push(item);
          domain.items.push(item);
        }
        let label = domain.labels.get(value.key);
        if (label === undefined) domain.labels.set(value.key, (label = domain.labels.size));
        const speaking = [...new Set(heard.map(({ actor }) => classes.of(actor)))];
        const crowd = crowdOf(speaking, heard, classes);
        const voices = crowd.length > 1 ? speaking.length - crowd.length + 1 : speaking.length;
        item.slots.push({
          label,
          classes: speaking,
          claims: heard,
          crowd: crowd.length > 1 ? crowd : [],
          voices,
          probability: 0,
          known: speaking.map(() => 1),
        });
        item.votes += voices;
        for (const cls of speaking) domain.said[cls]! += 1;
      }
    }
  }
  for (const { slots, votes } of items) for (const slot of slots) slot.probability = slot.voices / votes;
  return items;
}

/** Whether a predicate has so few values that any of them may be right. */
export const isClosed = ({ labels }: Domain) => labels.size <= ESTIMATION.closedMax;

/** The positions of classes without an identified source. */
function crowdOf(speaking: readonly number[], heard: readonly Claim[], classes: Voices): number[] {
  if (!heard.some(({ actor }) => UNIDENTIFIED.has(actor.type))) return [];
  const identified = new Set(
    heard.filter(({ actor }) => !UNIDENTIFIED.has(actor.type)).map(({ actor }) => classes.of(actor)),
  );
  return speaking.flatMap((cls, position) => (identified.has(cls) ? [] : [position]));
}

/** The part of a voice that the class at a position has, 0..1. */
export const weightOf = ({ crowd }: Slot, position: number) =>
  crowd.includes(position) ? 1 / crowd.length : 1;

/** What leaving out the class at a position takes from a sum of gains: one voice, of a crowd the crowd's. */
export function leftOut({ crowd }: Slot, position: number, gain: (position: number) => number): number {
  if (!crowd.includes(position)) return gain(position);
  return crowd.reduce((sum, at) => sum + gain(at), 0) / crowd.length;
}
