import type { ClaimType, Domain, EpistemicStatus, RuleType, SourceType } from './vocabulary.ts';

/** Every constant of the model, once: unit, range and the rule it belongs to. */

/** Version of the model and of this engine; part of every result, so that a judgement can be replayed. */
export const ENGINE_VERSION = '2';

/** Two numbers of one unit agree within this share of the larger. Rule 5; reasoning model §3. */
export const NUMERIC_TOLERANCE = 0.05;
/**
 * Years: a year said to be inexact agrees with years at most this far from it. Archives write `circa` for
 * what they cannot tell within a few years, while 5 % of the number is nearly a century. ADR 0064.
 */
export const ROUGH_YEAR_TOLERANCE = 5;

/** Base reliability is clamped to this range. Probability. Rule 1. */
export const RELIABILITY_RANGE = { low: 0.01, high: 0.99 } as const;

/**
 * Plausible reliability, its default (probabilities), and the factor on the half-life. Rules 1 and 13;
 * reasoning model §2.
 */
export const SOURCES: Readonly<
  Record<
    SourceType,
    { readonly low: number; readonly high: number; readonly base: number; readonly authority: number }
  >
> = {
  Regulator: { low: 0.8, high: 0.95, base: 0.85, authority: 2 },
  Expert: { low: 0.75, high: 0.95, base: 0.85, authority: 2 },
  Analyst: { low: 0.5, high: 0.85, base: 0.65, authority: 1.25 },
  Journalist: { low: 0.5, high: 0.8, base: 0.7, authority: 1 },
  Insider: { low: 0.3, high: 0.7, base: 0.5, authority: 1 },
  Institutional: { low: 0.2, high: 0.7, base: 0.4, authority: 1 },
  Anonymous: { low: 0.1, high: 0.3, base: 0.2, authority: 0.5 },
  SocialMedia: { low: 0.1, high: 0.3, base: 0.2, authority: 0.5 },
  Troll: { low: 0.01, high: 0.15, base: 0.05, authority: 0.25 },
};

/** Source types whose members cannot be told apart, so that many of them may be few. Reasoning model §11. */
export const UNIDENTIFIED: ReadonlySet<string> = new Set(['Anonymous', 'SocialMedia', 'Troll']);

/** Competence where an actor states none. Share, 0..1. Rule 2. */
export const DEFAULT_COMPETENCE = 1;
/** Below this effective reliability a claim weighs nothing. Probability. Rule 3. */
export const CREDIBILITY_FLOOR = 0.15;
/**
 * π = SELF_CONTRADICTION_FACTOR ^ min(k, SELF_CONTRADICTIONS_MAX). Share; claims. Rule 2; reasoning model §4.
 */
export const SELF_CONTRADICTION_FACTOR = 0.8;
export const SELF_CONTRADICTIONS_MAX = 3;
/** Weight left of a claim that another actor's standing claim supersedes. Share. Reasoning model §11. */
export const SUPERSEDED_FACTOR = 0.25;
/**
 * Claims looked at of those that supersede one claim, directly or through others, and of those among them
 * that stand.
 */
export const SUCCESSORS_MAX = 64;
/**
 * The i-th strongest class of unidentified sources on one side counts this to the power i − 1. Share.
 * Reasoning model §11.
 */
export const CROWD_FACTOR = 0.9;
/** Weight left of a claim that a standing claim refines. Share. Rule 8. */
export const REFINED_FACTOR = 0.9;
/** Weight of an evidence item: unless given, and its range. Items. Reasoning model §2. */
export const EVIDENCE_WEIGHT = { usual: 1, low: 0, high: 100 } as const;
/** Relationships kept per claim. Reasoning model §4. */
export const RELATIONSHIPS_MAX = 50;

/**
 * How far after `now` an assertion may be dated before it is treated as made now: clocks and time zones
 * differ. Days. Reasoning model §11.
 */
export const FUTURE_DAYS_MAX = 1;
/**
 * Age makes a warning due for a claim older than this many half-lives, in a question that keeps less than
 * this share. Reasoning model §11.
 */
export const FADED = { halfLives: 2, shareLeft: 0.5 } as const;

/**
 * Share of weight lost to age from which age is said to decide; what leads, only where age leaves the claim
 * that has lost most that much less than the one that has lost least. RM-11.226.
 */
export const AGE_DECIDES_FROM = 0.1;
/** Share of weight that half of a half-life leaves; more is recent. RM-11.227. */
export const RECENT_FROM = 0.5 ** 0.5;

/** Half-life by domain, days. Rule 13. */
export const DOMAIN_HALF_LIFE_DAYS: Readonly<Record<Domain, number>> = {
  Finance: 180,
  News: 90,
  Technology: 365,
  Geopolitics: 730,
  Medicine: 3650,
  Science: 9125,
  Legal: 7300,
  General: 180,
};
/** Factor on the half-life by claim type. Reasoning model §2. */
export const CLAIM_TYPE_HALF_LIFE: Readonly<Record<ClaimType, number>> = {
  Factual: 1,
  Predictive: 0.5,
  Evaluative: 0.75,
  Causal: 1.5,
  Procedural: 2,
  Methodological: 2,
};
/** Factor on the half-life by epistemic status. Rule 13. */
export const STATUS_HALF_LIFE: Readonly<Record<EpistemicStatus, number>> = {
  conjecture: 0.5,
  hypothesis: 1,
  theory: 2,
  law: 100,
  superseded: 0.25,
  retracted: 0,
};
/** A claim's own half-life is valid in (0, this]. Days. Rule 13. */
export const OWN_HALF_LIFE_DAYS_MAX = 365_000;
/** How far a dependent corroboration moves the decay clock unless given. Share, 0..1. Rule 12. */
export const DEPENDENT_REFRESH_FACTOR = 0.5;
/** Corroborations kept per claim, the latest ones. Rule 12. */
export const CORROBORATIONS_MAX = 100;
/** A claim is stale below this decay factor. Rule 13. */
export const STALE_BELOW = 0.25;
/**
 * Shares of decay, recency of corroboration and epistemic status in the freshness score; they sum to 1. Rule
 * 13.
 */
export const FRESHNESS = { decay: 0.7, recency: 0.2, status: 0.1 } as const;
/** Epistemic status factor of the freshness score, 0..1. Reasoning model §5. */
export const STATUS_FRESHNESS: Readonly<Record<EpistemicStatus, number>> = {
  law: 1,
  theory: 0.9,
  hypothesis: 0.7,
  conjecture: 0.4,
  superseded: 0.1,
  retracted: 0,
};
/**
 * When another epistemic status is suggested: independent corroborations, probability, disbelief. Reasoning
 * model §5.
 */
export const SUGGEST = {
  hypothesisCorroborations: 1,
  hypothesisProbability: 0.6,
  theoryCorroborations: 3,
  theoryProbability: 0.8,
  demoteDisbelief: 0.3,
} as const;

/** Strength ρ of an inference by its rule: share of the weakest premise's belief. Reasoning model §4. */
export const RULE_STRENGTH: Readonly<Record<RuleType, number>> = {
  a_fortiori: 0.9,
  expert_testimony: 0.8,
  custom: 0.7,
  generalization: 0.6,
  default: 0.6,
  temporal_precedence: 0.5,
  analogy: 0.5,
};
/** All inferences on one pair together add at most this much evidence. Items. Reasoning model §4. */
export const INFERRED_EVIDENCE_MAX = 1;

/** θ: belief or disbelief from which a side counts as held. Probability mass. Reasoning model §6. */
export const HELD = 0.2;
/** The smaller of belief and disbelief contests the larger from this share of it on. Reasoning model §11. */
export const CONTESTED_SHARE = 0.5;
/** Rival values listed per verdict. Reasoning model §11. */
export const RIVALS_MAX = 8;

/** Values of one scope and time of which a verdict gives chances besides; what is left has 1/65 at most. */
export const PLACE_VALUES_MAX = 64;
/** Least chance of two values of one scope and time for which what holds there is called disputed. */
export const DISPUTED_FROM = 0.1;
/** Spellings of a denied value that a claim analysis lists. */
export const SPELLINGS_MAX = 32;
/** Two values whose best claims differ by less are tied. Evidence items. Reasoning model §11. */
export const TIED_WITHIN = 1e-9;
/**
 * Calibration: the chance that a value is right, from declared reliabilities. `perItem`: log odds that a
 * contribution adds for each item of evidence, up to one; the logarithm beyond. The sum is divided by
 * the design effect 1 + `correlation`·(n − 1) of n classes (L. Kish, Survey Sampling, 1965, §5.4),
 * because sources err together. The public sets have one kind of source, of reliability 0.7, and so fix
 * the log odds of that one, 1.6 · ln 1.7 = 0.849 = 1.213 · 0.7; in proportion rather than by the
 * logarithm between 0 and 1, because the log odds of a source by its reliability, ln(nR/(1 − R)) for n
 * wrong values, bend upwards from 0.5 on: the logarithm made two sources of 0.4 likelier right than one
 * of 0.85 that outweighs them. ADR 0036.
 */
export const CALIBRATION = { perItem: 1.213, correlation: 0.05 } as const;
/**
 * Estimated reliability (reasoning model §11). `priorClaims`: statements that the declared reliability counts
 * for. `closedMax`: most distinct values of a closed domain; `saidMin`: statements in it from which a class
 * has a confusion matrix; `rowPrior`: statements that each row of its prior counts for. `plainRounds`: rounds
 * before the first matrix, because the shares of the votes, which the first round starts from, make all rows
 * of a matrix alike where most answers are the same. `smoothing`: votes added to each value when the
 * popularity of errors is counted. `fading`: the power by which a weight below the credibility floor fades in
 * a closed domain, so that who is found to guess counts for next to nothing. `falseValues`: of an open
 * domain, among which a wrong statement falls. `echoWorkMax`: pairs of statements looked at to find sources
 * that never differ. `rounds`: fixed, so that the same claims give the same numbers. `interval`: standard
 * deviations of 90 %. rowPrior, smoothing and falseValues were chosen on nine public data sets with known
 * truth (flights, books, birthplaces, bluebird, rte, sentiment, dog, weather_amt, sp_amt), all nine at once,
 * so figures on these sets flatter them. falseValues from 1 to 3 leave the mean accuracy on open sets within
 * 0.004, and 5 costs 0.01; rowPrior from 2 to 5 leaves that on closed sets within 0.001. ADR 0101.
 */
export const ESTIMATION = {
  priorClaims: 10,
  closedMax: 12,
  saidMin: 20,
  rowPrior: 2,
  plainRounds: 3,
  smoothing: 0.5,
  falseValues: 2,
  fading: 3,
  echoWorkMax: 10_000_000,
  rounds: 15,
  interval: 1.645,
} as const;
/**
 * Calibration where reliability is estimated: the posterior of the learned log odds times `temper`, mixed
 * with the share of log odds, to whose sum `doubt` is added; `mixture` is the weight of the latter. There is
 * no design effect (correlation 0), because it adds nothing besides the temper and the mixture. Fitted by
 * log-loss on the nine public sets named at ESTIMATION, leaving one out each time, with a model of the same
 * kind that stands apart from the engine (`npm run eval:fit`): temper 0.2 to 0.3 and mixture 0.4 to 0.5 in
 * nearly all folds. They were not fitted again in the engine, where `doubt` is in log odds and not in votes;
 * on the nine sets, doubt from 0.5 to 1 and mixture from 0.5 to 0.6 change its mean Brier score by less than
 * 0.001.
 */
export const ESTIMATED_CALIBRATION = { temper: 0.3, mixture: 0.5, doubt: 0.5 } as const;
/** Least chance that the interval of an estimated number holds the median of all. Reasoning model §11. */
export const INTERVAL_COVERAGE = 0.9;
/**
 * Belief minus disbelief from which a ranked claim is strong or moderate; its negative moderate is refuted.
 * Rule 16.
 */
export const CATEGORY_MARGIN = { strong: 0.5, moderate: 0.2 } as const;

/** Shares of coverage, density and credibility in the coherence score; they sum to 1. Rule 14. */
export const COHERENCE = { coverage: 0.25, density: 0.25, credibility: 0.5 } as const;
/** Interpretations listed per pair; the rest are counted. Reasoning model §7. */
export const INTERPRETATIONS_MAX = 64;
/**
 * Claims named in the interpretations of a whole result, about; large investigations list fewer
 * interpretations.
 */
export const INTERPRETED_CLAIMS_MAX = 400_000;
/** Attack and support edges listed in a whole result, about; small trees are always listed whole. */
export const LISTED_EDGES_MAX = 400_000;
/** Paths listed per framework (causal chains) or result (supersession chains). */
export const CHAINS_MAX = 1_000;
/** Conflicts the search for preferred extensions may meet per framework. */
export const CONFLICT_BUDGET = 20_000;
/** Attacks of a framework that are written out for the search; larger ones are approximated. */
export const EXPLICIT_ATTACKS_MAX = 4_000_000;

/** Entries of each list in the compact result. Reasoning model §8. */
export const SUMMARY_TOP = 5;
/**
 * Claims and distinctions that all distinctions may have read together; later ones are dropped with a
 * warning.
 */
export const ACCUMULATION_WORK_MAX = 1_000_000;
/**
 * Claims that one explanation may read for verdicts without some claims, unless told otherwise: `least` and
 * some for each claim.
 */
export const EXPLANATION_WORK = { least: 20_000, perClaim: 6 } as const;
/**
 * The same for all explanations of an investigation together: `least`, or so many for each claim where that
 * is more.
 */
export const ALL_EXPLANATIONS_WORK = { least: 6_000, perClaim: 2 } as const;

/**
 * Copy detection. `prior` α: probability before looking that a source copies from another; spread over all
 * others where pairs are judged. `copyRate` c: share of its values that a copier copies. `falseValuesMax`:
 * an item could have as many wrong values n as its predicate has others, at most this many. `errorRate` ε:
 * a source's first assumed share of errors. α, c, n and ε as customary for the method of Dong,
 * Berti-Équille, Srivastava, PVLDB 2(1), 2009; none is fitted to data. `habitPrior`: items for which a
 * source's accuracy counts in its habits with a label; 1, 4 and 10 give the same figures. `foundTruth`:
 * trust in the truth found; the rest goes to what most sources say (reasoning model §11, item difficulty).
 * From 0.5 to 0.85 the figures on data with known truth and on redrawn labels stay within sampling error.
 * `lostMin`, `decidedMin`: shares of the items a group shares above which the majority guard holds it back:
 * items it loses when counted once, and those of them it would win or tie when counted one by one; the
 * fewer it loses, the more it must decide. `blocMin`: the least share of the declared reliability of those
 * who contradict a group, and agree as closely, from which on these count once, too: two against three, not
 * against four. At one half the flights lose one item. `spotMax`: how much rarer differences must be among
 * those who outvote a group than they are among the same elsewhere, before they count once. `probabilityMin`
 * and `sharedMin`: posterior, and number of shared values, before two sources are joined (reasoning model
 * §4). `fewMax`: the most of the other sources on an item that are few (reasoning model §4, "values which
 * few others report"); it is told and decides nothing. Numerical: `accuracyMax` keeps logarithms finite,
 * `settled` and `tie` lie below what matters, `roundsMax` and `judgingRoundsMax` end iterations. Work:
 * `claimantsMax` sources of one value above which sharing it tells nothing, `workMax` statements read to
 * compare pairs.
 */
export const COPYING = {
  prior: 0.2,
  copyRate: 0.8,
  falseValuesMax: 100,
  errorRate: 0.2,
  habitPrior: 4,
  foundTruth: 0.6,
  lostMin: 0.7,
  decidedMin: 0.1,
  blocMin: 0.65,
  spotMax: 0.25,
  probabilityMin: 0.95,
  sharedMin: 5,
  fewMax: 0.2,
  accuracyMax: 0.99,
  settled: 1e-4,
  tie: 1e-9,
  roundsMax: 10,
  judgingRoundsMax: 20,
  claimantsMax: 64,
  workMax: 1_000_000,
} as const;
