import { keepInferences } from './inference.ts';
import { buildModel } from '../model/build-model.ts';
import { quote } from '../contract/quote.ts';
import { estimateReliability } from '../dependence/estimate-reliability.ts';
import { findDependence } from '../dependence/source-dependence.ts';
import type { CopyingSearch, Dependence } from '../dependence/source-dependence.ts';
import { validate } from '../contract/validate.ts';
import { judge } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import type { Warnings } from '../contract/warnings.ts';
import { weighClaims } from '../weighing/weighing.ts';
import type { Carried, CarriedFinder, Weighed } from '../weighing/weighing.ts';
import type { Pair } from '../model/statements.ts';

/** An investigation whose claims are weighed and whose pairs have verdicts. */
export interface JudgedInvestigation {
  readonly weighed: Weighed;
  readonly dependence: Dependence;
  /** By subject id, then predicate. */
  readonly verdicts: readonly Verdict[];
}

/** What of an earlier judgement still holds, verdicts included; of pairs without one it is null. */
export interface Earlier extends Carried {
  readonly verdictOf: (pair: Pair) => Verdict | null;
}

/**
 * Reads, weighs and judges an investigation; `enter` is told the phase that begins; `findEarlier` and
 * `earlierSearch` give what need not be computed again.
 * Throws InvalidInvestigation for an input that cannot be judged, and what `enter` throws. Source: reasoning
 * model §2–§6.
 */
export function judgeInvestigation(
  input: unknown,
  now: Date,
  warnings: Warnings,
  enter: (phase: 'read' | 'weigh' | 'judge') => void,
  findEarlier?: (now: Parameters<CarriedFinder>[0]) => Earlier,
  earlierSearch: CopyingSearch | null = null,
): JudgedInvestigation {
  enter('read');
  const model = buildModel(validate(input, warnings), now.getTime(), warnings);

  enter('weigh');
  let dependence!: Dependence;
  let earlier: Earlier | undefined;
  const weighed = weighClaims(
    model,
    (pairs, reliability) => {
      dependence = findDependence(model, pairs, reliability, warnings, earlierSearch);
      return dependence.classes;
    },
    (pairs, classes, declared) =>
      model.settings.estimatesReliability ? estimateReliability(model, pairs, classes, declared) : null,
    warnings,
    findEarlier && ((now) => (earlier = findEarlier(now))),
  );
  warnBelowFloor(weighed, warnings);

  enter('judge');
  const verdicts = judge(weighed, keepInferences(weighed, warnings), earlier?.verdictOf);
  return { weighed, dependence, verdicts };
}

function warnBelowFloor({ model, weighings }: Weighed, warnings: Warnings): void {
  for (const claim of model.claims) {
    const { belowFloor, credibility } = weighings[claim.index]!;
    if (!belowFloor) continue;
    warnings.add(
      'below_credibility_floor',
      claim.id,
      `Claim ${quote(claim.id)} has an effective reliability of ${credibility.toFixed(3)}, below the credibility floor, and counts for nothing.`,
    );
  }
}
