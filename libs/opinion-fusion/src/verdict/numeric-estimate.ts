import { CROWD_FACTOR, INTERVAL_COVERAGE } from '../contract/constants.ts';
import { roundForComparison } from '../contract/rounding.ts';
import type { NumericEstimate } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import type { StatementGroup } from '../model/statements.ts';
import { convert } from '../model/units.ts';
import type { Value } from '../model/value.ts';
import { challenge, isIdentified } from '../weighing/claim-weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';
import type { Verdict } from './verdict.ts';

/** A claim that states a number, and its share of the weight of all numbers. */
export interface NumericVoice {
  readonly claim: Claim;
  readonly amount: number;
  /** Share of the weight, > 0; all of a question sum to 1. */
  readonly share: number;
}

/** The numbers stated on a question, in one unit. */
export interface NumericVoices {
  readonly unit: string;
  /** By amount, then by claim id; at least one. */
  readonly voices: readonly NumericVoice[];
  /** Claims with weight that state a number in a unit that cannot be converted. */
  readonly leftOut: readonly Claim[];
  /** Effective number of independent sources, (Σ weight)² / Σ weight² over dependence classes: 1 or more. */
  readonly sources: number;
}

/**
 * The numbers that speak beside the leading claim: those asserted with weight in its scope at its time, in
 * its unit, or where it states no number, in the unit that has most weight; numbers in other units of the
 * same quantity are converted, and the rest is left out. A claim speaks with its voice
 * times κ; a dependence class shares the strongest of its claims among them, and unidentified classes lose
 * together what they lose as a crowd. Null where it was not asked for, nothing leads or nobody states a
 * number. Source: reasoning model §11. Never throws.
 */
export function numericVoices({ pair, leading }: Verdict, weighed: Weighed): NumericVoices | null {
  if (!weighed.model.settings.estimatesNumbers || !pair || !leading) return null;
  const { weighings, groupOf, classes } = weighed;
  const led = groupOf[leading.index]!;
  const numeric = pair.buckets
    .find(({ scope }) => scope === leading.scope)!
    .groups.filter((group) => isBesides(group, led) && numberOf(group.value) !== null);
  const unit = unitAmong(numeric, led, weighed);
  if (unit === null) return null;
  const spoken: { claim: Claim; amount: number; weight: number }[] = [];
  const byClass = new Map<number, { strongest: number; sum: number; isIdentified: boolean }>();
  const leftOut: Claim[] = [];
  for (const { value, claims } of numeric) {
    const amount = convert(numberOf(value)!, unitOf(value), unit);
    for (const claim of claims) {
      const weight = challenge(weighings[claim.index]!);
      if (weight <= 0) continue;
      if (amount === null) {
        if (value.kind === 'number') leftOut.push(claim);
        continue;
      }
      spoken.push({ claim, amount, weight });
      const cls = classes.of(claim.actor);
      const known = byClass.get(cls) ?? { strongest: 0, sum: 0, isIdentified: false };
      known.strongest = Math.max(known.strongest, weight);
      known.sum += weight;
      known.isIdentified ||= isIdentified(claim);
      byClass.set(cls, known);
    }
  }
  const crowd = crowdShare([...byClass.values()].filter((one) => !one.isIdentified));
  const weightOf = (one: { strongest: number; isIdentified: boolean }) =>
    one.strongest * (one.isIdentified ? 1 : crowd);
  const weights = [...byClass.values()].map(weightOf).sort((a, b) => a - b);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const squares = weights.reduce((sum, weight) => sum + (weight / total) ** 2, 0);
  const voices = spoken.map(({ claim, amount, weight }) => {
    const own = byClass.get(classes.of(claim.actor))!;
    return { claim, amount, share: ((weight / own.sum) * weightOf(own)) / total };
  });
  voices.sort((a, b) => a.amount - b.amount || a.claim.index - b.claim.index);
  leftOut.sort((a, b) => a.index - b.index);
  return { unit, voices, leftOut, sources: 1 / squares };
}

/**
 * The weighted median of some numbers, the middle between two where they have half of the weight each, with
 * its 90 % interval: of n effective sources, rounded down, from the k-th to the (n + 1 − k)-th, k as large as
 * leaves the median of all that could be said inside with at least 90 %. Where so few sources speak that even
 * the least and the largest number enclose it with less, these are the ends, and `few_sources` says so.
 * Source: W. R. Thompson, On confidence ranges for the median and other expectation distributions, Annals of
 * Mathematical Statistics 7, 1936. Never throws.
 */
export function estimateNumber({ unit, voices, sources }: NumericVoices): NumericEstimate {
  const whole = Math.floor(roundForComparison(sources));
  const outside = outsideRank(whole);
  const isFew = outside === 0;
  const [first, last] = [voices[0]!.amount, voices.at(-1)!.amount];
  const [below, above] = [quantile(voices, 0.5, false), quantile(voices, 0.5, true)];
  return {
    median: below === above ? below : below / 2 + above / 2,
    low: isFew ? first : quantile(voices, outside / whole, false),
    high: isFew ? last : quantile(voices, 1 - outside / whole, true),
    unit,
    claims: voices.length,
    ...(isFew && { few_sources: true }),
  };
}

/**
 * The largest k for which the k-th smallest and the k-th largest of n independent numbers enclose their
 * median with INTERVAL_COVERAGE, by the binomial distribution; 0 where there is none.
 */
function outsideRank(n: number): number {
  let logChance = -n * Math.LN2;
  let below = Math.exp(logChance);
  let k = 0;
  while (k < n / 2 && roundForComparison(1 - 2 * below) >= INTERVAL_COVERAGE) {
    logChance += Math.log((n - k) / (k + 1));
    below += Math.exp(logChance);
    k += 1;
  }
  return k;
}

/**
 * The first number up to which at least (`isBeyond`: more than) a share of the weight lies; the last where
 * none is.
 */
function quantile(voices: readonly NumericVoice[], share: number, isBeyond: boolean): number {
  let below = 0;
  for (const voice of voices) {
    below += voice.share;
    const reached = roundForComparison(below - share);
    if (isBeyond ? reached > 0 : reached >= 0) return voice.amount;
  }
  return voices.at(-1)!.amount;
}

/**
 * What a crowd of unidentified classes keeps of its weight when the i-th strongest counts CROWD_FACTOR^(i −
 * 1). Share.
 */
function crowdShare(crowd: readonly { readonly strongest: number }[]): number {
  const amounts = crowd.map(({ strongest }) => strongest).sort((a, b) => b - a);
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  const left = amounts.reduce((sum, amount, i) => sum + amount * CROWD_FACTOR ** i, 0);
  return whole === 0 ? 1 : left / whole;
}

/** Whether a statement asserts something of the time that another is about. */
function isBesides(group: StatementGroup, led: StatementGroup): boolean {
  return !group.denies && group.from < led.to && led.from < group.to;
}

/** Where a real number stands beside it, a bare year is one, too. */
function numberOf(value: Value): number | null {
  return value.kind === 'number' ? value.amount : value.kind === 'date' ? value.year : null;
}

const unitOf = (value: Value) => (value.kind === 'number' || value.kind === 'date' ? value.unit : '');

/**
 * The unit of the leading number, else the one with most weight; of equal ones the first by name. Null
 * without a number.
 */
function unitAmong(groups: readonly StatementGroup[], led: StatementGroup, weighed: Weighed): string | null {
  const weights = new Map<string, number>();
  for (const { value, claims } of groups) {
    if (value.kind !== 'number') continue;
    const own = claims.reduce((sum, claim) => sum + challenge(weighed.weighings[claim.index]!), 0);
    if (own > 0) weights.set(value.unit, (weights.get(value.unit) ?? 0) + own);
  }
  if (numberOf(led.value) !== null && weights.has(unitOf(led.value))) return unitOf(led.value);
  const most = (a: [string, number], b: [string, number]) =>
    roundForComparison(b[1]) - roundForComparison(a[1]) || (a[0] < b[0] ? -1 : 1);
  return [...weights].sort(most)[0]?.[0] ?? null;
}
