import { expectedProbability, opinionFromEvidence } from '@platform/subjective-logic';
import { RIVALS_MAX, TIED_WITHIN } from '../contract/constants.ts';
import type { RivalValue } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import type { Pair } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { CONFLICT, relation } from '../model/statements.ts';
import { Chances, logOddsFor } from './chances.ts';
import { inferredEvidence } from './inference.ts';
import { candidatesOf, countSources } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/**
 * What a verdict says besides its opinion: the values that rival for the lead and the chance that the leading
 * one is right.
 */
export interface Rivalry {
  readonly calibrated: number;
  /** Leading value first, at most RIVALS_MAX; empty where nothing leads. */
  readonly rivals: readonly RivalValue[];
  readonly isTied: boolean;
  /** What is likelier than the statement that leads; null where nothing is. */
  readonly likelier: Likelier | null;
}

/** A statement that is likelier than the one that leads, which has more weight. Chances are probabilities. */
export interface Likelier {
  readonly claim: Claim;
  readonly chance: number;
  /** Of the statement that leads. */
  readonly leadingChance: number;
}

/** The rivals of a verdict. Source: reasoning model §11. Never throws. */
export function rivalryOf(verdict: Verdict, weighed: Weighed): Rivalry {
  const { pair, leading, inferences } = verdict;
  const inferred = logOddsFor(inferredEvidence(inferences));
  if (!pair || !leading) return { calibrated: logistic(inferred), rivals: [], isTied: false, likelier: null };
  const candidates = candidatesOf(pair, weighed);
  const best = distinctValues([leading, ...candidates.filter((claim) => claim !== leading)], weighed);
  const chances = new Chances(pair, best, weighed);
  const rivals = best.map((claim) => describe(claim, chances.of(claim), pair, weighed));
  const group = weighed.groupOf[leading.index]!;
  const saysFalse = group.value.kind === 'boolean' && !group.value.truth;
  const swapped = group.denies || saysFalse;
  // Inferences speak for the value that the verdict is about, not for its denial.
  const leadingChance = chances.of(leading, swapped ? -inferred : inferred);
  // Against `false` stand `true` and every other answer that somebody gives.
  const otherAnswers = saysFalse ? thirdAnswers(leading, best, weighed) : [];
  const third = otherAnswers.reduce((sum, claim) => sum + chances.of(claim), 0);
  const calibrated = swapped ? Math.max(0, 1 - leadingChance - third) : leadingChance;
  // Of yes and no, the chance of the one says it of the other.
  const isOther = (claim: Claim) =>
    group.value.kind !== 'boolean' || weighed.groupOf[claim.index]!.value.kind !== 'boolean';
  const evidenceOf = (claim: Claim | undefined) => (claim ? weighed.weighings[claim.index]!.r : -Infinity);
  const isTied = Math.abs(evidenceOf(best[0]) - evidenceOf(best[1])) < TIED_WITHIN;
  const likelier = isTied ? null : likelierThan(leadingChance, best.slice(1).filter(isOther), chances);
  if (!saysFalse) return { calibrated, rivals, isTied, likelier };
  const isTrue = ({ value }: RivalValue) => value === 'true';
  const forTrue = rivals.find(isTrue) ?? { source_count: 0, independent_source_count: 0 };
  const first: RivalValue = {
    ...forTrue,
    value: 'true',
    expected_probability: expectedProbability(verdict.opinion),
    calibrated_probability: calibrated,
  };
  return { calibrated, rivals: [first, ...rivals.filter((rival) => !isTrue(rival))], isTied, likelier };
}

/** The answers to a question of yes or no that are neither, where `no` leads. */
function thirdAnswers(no: Claim, best: readonly Claim[], { groupOf }: Weighed): readonly Claim[] {
  const own = groupOf[no.index]!;
  return best.filter(({ index, scope }) => {
    const other = groupOf[index]!;
    return scope === no.scope && other.value.kind !== 'boolean' && relation(own, other) === CONFLICT;
  });
}

function likelierThan(leadingChance: number, others: readonly Claim[], chances: Chances): Likelier | null {
  let likelier: Likelier | null = null;
  for (const claim of others) {
    const chance = chances.of(claim);
    if (chance > (likelier?.chance ?? leadingChance) + TIED_WITHIN)
      likelier = { claim, chance, leadingChance };
  }
  return likelier;
}

/**
 * The candidates in leading order, each agreeing with none listed before, whatever their scope; at most
 * RIVALS_MAX.
 */
function distinctValues(candidates: readonly Claim[], { groupOf }: Weighed): readonly Claim[] {
  const distinct: Claim[] = [];
  for (const claim of candidates) {
    const { value } = groupOf[claim.index]!;
    if (distinct.some((other) => valuesAgree(groupOf[other.index]!.value, value))) continue;
    distinct.push(claim);
    if (distinct.length === RIVALS_MAX) break;
  }
  return distinct;
}

function describe(claim: Claim, chance: number, pair: Pair, weighed: Weighed): RivalValue {
  const { r, s } = weighed.weighings[claim.index]!;
  const { denies, value } = weighed.groupOf[claim.index]!;
  const { sources, independentSources } = countSources(claim, pair, weighed);
  return {
    value: value.kind === 'boolean' ? String(value.truth) : claim.input.value,
    expected_probability: expectedProbability(denies ? opinionFromEvidence(s, r) : opinionFromEvidence(r, s)),
    calibrated_probability: denies ? 1 - chance : chance,
    source_count: sources,
    independent_source_count: independentSources,
  };
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
