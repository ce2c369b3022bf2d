import { CALIBRATION, CREDIBILITY_FLOOR, ESTIMATION, RELIABILITY_RANGE } from '../contract/constants.ts';
import { clamp } from '../contract/rounding.ts';
import type { EstimatedReliability } from '../contract/types.ts';
import type { Actor, Model } from '../model/model.ts';
import { reliabilityPosterior } from '../model/reliability-posterior.ts';
import type { Pair } from '../model/statements.ts';
import type { DependenceClasses } from './dependence-classes.ts';
import { joinEchoes, outnumbering } from './echoes.ts';
import { collectItems, isClosed, type Domain, type Item, type Voices } from './items.ts';
import { bounded, solve, type Learned } from './learn-reliability.ts';

/** The evidence of the claims on one statement: how likely it is right before others are considered. */
export interface StatementEstimate {
  /**
   * Stands in for the base reliability: 0 for a source that guesses, towards 1 for one that is always right.
   */
  readonly base: number;
  /** Log odds that the statement adds to its value, ≥ 0. */
  readonly logOdds: number;
  /** How often such a statement is right, which the credibility floor asks. Probability. */
  readonly right: number;
}

/** Reliabilities learned from the claims. */
export interface Estimate {
  /**
   * By claim id; claims without a comparable statement (denials, meta-claims, claims below the floor) are
   * absent.
   */
  readonly statements: ReadonlyMap<string, StatementEstimate>;
  /** Reliabilities sorted by actor id. */
  readonly reliabilities: readonly EstimatedReliability[];
}

/**
 * How often each source is right, by expectation–maximisation over dependence classes: the truth of each item
 * is inferred from what the classes say and how often each was found right, and the other way round, for a
 * fixed number of rounds from the shares of the votes. A class is right with one probability, with a Beta
 * prior around its members' declared reliability; in a closed domain, a class that says enough has a
 * confusion matrix with a Dirichlet prior after a few rounds. In an open domain, errors fall on wrong values
 * as often as these are stated. A statement tests its class only as far as the others know the truth, and not
 * where nobody differs: a class alone on many items does not confirm itself, and classes that never differ
 * count once (`joinEchoes`, over whose numberings log odds and tests are averaged), but those that lose by
 * this alone keep at least what was declared (`outnumbering`). Several who are not identified are one voice
 * on a value. Source: Dawid and Skene 1979; Raykar et al. 2010; Kim and Ghahramani 2012; Dong, Saha,
 * Srivastava 2012 for popular errors; reasoning model §11. The same claims give the same numbers. Never
 * throws.
 */
export function estimateReliability(
  model: Model,
  pairs: readonly Pair[],
  given: DependenceClasses,
  declared: Float64Array,
): Estimate {
  const apart = collectItems(pairs, given, declared);
  const statements = new Map<string, { base: number; logOdds: number; right: number }>();
  const tests: Tests[] = model.actors.map(() => ({ right: 0, tested: 0, said: 0 }));
  for (const { joined, share } of joinEchoes(apart, given.count)) {
    const classes = { count: given.count, of: (actor: Actor) => joined[given.of(actor)]! };
    const kept = outnumbering(apart, joined);
    const solutions = solve(() => collectItems(pairs, classes, declared), priors(model, classes), kept);
    for (const { items, learned, chance } of solutions) {
      const part = share * chance;
      for (const { domain, slots } of items) {
        for (const { label, claims } of slots) {
          for (const claim of claims) {
            const one = assess(domain, label, classes.of(claim.actor), claim.actor.base, learned);
            const known = statements.get(claim.id) ?? { base: 0, logOdds: 0, right: 0 };
            statements.set(claim.id, known);
            known.base += part * one.base;
            known.logOdds += part * one.logOdds;
            known.right += part * one.right;
          }
        }
      }
      testsOf(model, items, classes, kept).forEach(({ right, tested, said }, actor) => {
        tests[actor]!.right += part * right;
        tests[actor]!.tested += part * tested;
        tests[actor]!.said = said;
      });
    }
  }
  return { statements, reliabilities: model.actors.map((actor, i) => describe(actor, tests[i]!)) };
}

/** By class: the mean declared reliability of its members. */
function priors({ actors }: Model, classes: Voices): Float64Array {
  const sum = new Float64Array(classes.count);
  const count = new Int32Array(classes.count);
  for (const actor of actors) {
    sum[classes.of(actor)]! += actor.base;
    count[classes.of(actor)]! += 1;
  }
  return sum.map((total, cls) => total / Math.max(1, count[cls]!));
}

/**
 * What a class's statement of a label is worth: the log odds that it is right by what was learned, and as far
 * as nothing tested the class, at least those of the reliability declared. By log odds alone, who is
 * declared no better than chance would have no voice even where nobody differs.
 */
function assess(
  domain: Domain,
  label: number,
  cls: number,
  declared: number,
  { accuracy, tested }: Learned,
): StatementEstimate {
  const size = domain.labels.size;
  const confusion = isClosed(domain) ? domain.confusions.get(cls) : undefined;
  let right = accuracy[cls]!;
  if (confusion) {
    let stated = 0;
    for (let truth = 0; truth < size; truth += 1) stated += confusion[truth * size + label]!;
    right = confusion[label * size + label]! / stated;
  }
  const { high } = RELIABILITY_RANGE;
  const falseValues = isClosed(domain) ? Math.max(1, size - 1) : ESTIMATION.falseValues;
  const most = positiveLogit(high, falseValues);
  const learned = positiveLogit(bounded(right), falseValues);
  // In a closed domain, who guesses agrees with others by chance, so that what is worth less than the floor
  // fades to nothing, and steadily: a step would turn verdicts.
  const faded = (weight: number) => weight * (isClosed(domain) ? fadedBy(weight / most) : 1);
  const untested = ESTIMATION.priorClaims / (ESTIMATION.priorClaims + tested[cls]!);
  const given = positiveLogit(bounded(declared), falseValues);
  const surplus = Math.max(CALIBRATION.perItem * declared, given) - faded(given);
  const logOdds = faded(learned) + untested * surplus;
  return { base: clamp(logOdds / most, 0, high), logOdds, right };
}

/** How much is left of a weight: all from the credibility floor on. Share. */
const fadedBy = (weight: number) => Math.min(1, weight / CREDIBILITY_FLOOR) ** ESTIMATION.fading;

/** ln(n·q/(1 − q)), at least 0. */
function positiveLogit(q: number, n: number): number {
  return Math.max(0, Math.log((n * q) / (1 - q)));
}

/** What was learned of an actor by itself: its statements that tested it, how many of them were right. */
interface Tests {
  right: number;
  tested: number;
  said: number;
}

function testsOf(
  { actors }: Model,
  items: readonly Item[],
  classes: Voices,
  kept: ReadonlySet<number>,
): readonly Tests[] {
  const tests: Tests[] = actors.map(() => ({ right: 0, tested: 0, said: 0 }));
  for (const { slots } of items) {
    for (const { classes: speaking, claims, probability, known } of slots) {
      for (const { actor } of claims) {
        const weight = slots.length < 2 ? 0 : known[speaking.indexOf(classes.of(actor))]!;
        const own = tests[actor.index]!;
        own.right += weight * probability;
        own.tested += weight;
        own.said += 1;
      }
    }
  }
  actors.forEach((actor, i) => {
    const own = tests[i]!;
    // What did not count against a source tested nothing.
    if (kept.has(classes.of(actor)) && own.right < actor.base * own.tested) own.right = own.tested = 0;
  });
  return tests;
}

/** An actor's own posterior, and how many statements it made. */
function describe(actor: Actor, { right, tested, said }: Tests): EstimatedReliability {
  return { actor_id: actor.id, ...reliabilityPosterior(actor.base, { right, tested }), claims: said };
}
