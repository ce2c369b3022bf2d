import { RIVALS_MAX } from '../contract/constants.ts';
import { quote } from '../contract/quote.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { Claim } from '../model/model.ts';
import { effectiveReliabilities } from '../model/reliability.ts';
import type { StatementGroup } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Weighed } from '../weighing/weighing.ts';

/** Questions that the warning names. */
const NAMED_MAX = 3;

/**
 * One warning of all questions on which reliability that was estimated lets one value lead while the
 * reliability that was declared would let another: sources that contradict each other throughout say nothing
 * about which of them is right, so that the estimate may take either side. Never throws.
 */
export function warnOfTurned(verdicts: readonly Verdict[], weighed: Weighed, warnings: Warnings): void {
  if (!weighed.estimate) return;
  const declared = effectiveReliabilities(weighed.model.claims, weighed.contradictions);
  const weightOf = (claim: Claim) =>
    claim.status === 'retracted'
      ? 0
      : declared[claim.index]! *
        weighed.weighings[claim.index]!.ageing.decay *
        weighed.successions.factorOf(claim);
  const turned = verdicts.filter((verdict) => isTurned(verdict, weighed, weightOf));
  if (turned.length === 0) return;
  const named = turned
    .slice(0, NAMED_MAX)
    .map(({ subject, predicate }) => `${quote(predicate)} of ${quote(subject.id)}`)
    .join(', ');
  const more = turned.length > NAMED_MAX ? ` and ${turned.length - NAMED_MAX} more` : '';
  warnings.add(
    'estimate_decides',
    turned[0]!.subject.id,
    `With reliability as declared, another value would lead on ${named}${more}: how far the sources agree with one another decides there. Judge with reliability declared, too, before you rely on either.`,
  );
}

/**
 * Whether another value of the leading one's scope has more weight by declared reliability; only those with
 * the most weight by themselves are looked at.
 */
function isTurned(
  { pair, leading }: Verdict,
  { groupOf, classes }: Weighed,
  weightOf: (claim: Claim) => number,
): boolean {
  const group = leading && groupOf[leading.index];
  const bucket = group && pair?.buckets.find(({ groups }) => groups.includes(group));
  if (!bucket || group.denies) return false;
  const asserted = bucket.groups.filter(({ denies }) => !denies);
  const total = (groups: readonly StatementGroup[]) => {
    const strongest = new Map<number, number>();
    for (const claim of groups.flatMap(({ claims }) => claims)) {
      const cls = classes.of(claim.actor);
      strongest.set(cls, Math.max(strongest.get(cls) ?? 0, weightOf(claim)));
    }
    return [...strongest.values()].reduce((sum, weight) => sum + weight, 0);
  };
  const agreeing = ({ value }: StatementGroup) => asserted.filter((other) => valuesAgree(value, other.value));
  const own = total(agreeing(group));
  return asserted
    .filter(({ value }) => !valuesAgree(value, group.value))
    .map((rival) => ({ rival, weight: total([rival]) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, RIVALS_MAX)
    .some(({ rival }) => total(agreeing(rival)) > own);
}
