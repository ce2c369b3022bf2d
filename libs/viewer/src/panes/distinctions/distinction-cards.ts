import type { ConditionalConclusion, DistinctionInput, SubjectResult } from '@platform/opinion-fusion';
import { chanceOf } from '../../format/words.ts';
import { isOpposite } from '../../components/claim-statement.tsx';
import { verdictsOf, type Claim, type Model } from '../../model.ts';

/**
 * - active: over two claims of one question, it ends their conflict and yields two conditional conclusions.
 * - inert: its claims belong to different questions; it is kept but changes nothing. Rule 10.
 * - dropped: it takes no part, as a warning says: the same claim twice, a claim that is missing or counts for
 *  nothing, or no work left for it.
 */
export type DistinctionStatus = 'active' | 'inert' | 'dropped';

export interface Side {
  readonly letter: 'A' | 'B';
  readonly claimId: string;
  /** Null when no claim of the input has the id. */
  readonly claim: Claim | null;
  /** The condition without a leading “if”. */
  readonly condition: string;
  /** Null unless the distinction is active and the result keeps its conclusions. */
  readonly conclusion: ConditionalConclusion | null;
  /**
   * The chance that this side's claim is right under its condition; null without a conclusion. Probability.
   */
  readonly chance: number | null;
}

export interface DistinctionCard {
  readonly distinction: DistinctionInput;
  readonly status: DistinctionStatus;
  readonly a: Side;
  readonly b: Side;
  /** What the engine warned of about it. */
  readonly warnings: readonly string[];
  /**
   * The two claims say different things about the same, so that without the distinction they would attack
   * each other.
   */
  readonly wouldAttack: boolean;
  /**
   * The question's verdict now and as it would be without the distinction; null where it was not computed.
   */
  readonly without: { readonly held: SubjectResult; readonly ignored: SubjectResult } | null;
}

/** Every distinction of the input, the active ones first, else in input order. Pure. */
export function distinctionCards({ judged, full, claimById }: Model): DistinctionCard[] {
  const conclusions = full?.accumulative_analysis?.conditional_conclusions ?? [];
  const cards = (judged.input.distinctions ?? []).map((distinction): DistinctionCard => {
    const { id, argument_a, argument_b, condition_a, condition_b } = distinction;
    const own = conclusions.filter(({ distinction_id }) => distinction_id === id);
    const [a, b] = [claimById.get(argument_a) ?? null, claimById.get(argument_b) ?? null];
    const warnings = judged.result.warnings.filter((warning) => warning.startsWith(`Distinction \`${id}\``));
    const status = statusOf(a, b, own.length > 0, warnings.length > 0, full !== null);
    const side = (
      letter: 'A' | 'B',
      claimId: string,
      claim: Claim | null,
      condition: string,
      index: number,
    ): Side => ({
      letter,
      claimId,
      claim,
      condition: withoutIf(condition),
      conclusion: own[index] ?? null,
      chance: own[index] ? chanceOfClaim(own[index], claim) : null,
    });
    return {
      distinction,
      status,
      a: side('A', argument_a, a, condition_a, 0),
      b: side('B', argument_b, b, condition_b, 1),
      warnings,
      wouldAttack: a !== null && b !== null && status === 'active' && disagree(a, b),
      without: withoutOf(id, judged),
    };
  });
  const rank = { active: 0, inert: 1, dropped: 2 } as const;
  return cards.toSorted((one, other) => rank[one.status] - rank[other.status]);
}

function withoutOf(
  id: string,
  { result, without_distinctions }: Model['judged'],
): DistinctionCard['without'] {
  const ignored = without_distinctions?.find(({ distinction_id }) => distinction_id === id)?.result;
  const held = verdictsOf(result).find(
    ({ subject_id, predicate }) => subject_id === ignored?.subject_id && predicate === ignored.predicate,
  );
  return ignored && held ? { held, ignored } : null;
}

function statusOf(
  a: Claim | null,
  b: Claim | null,
  hasConclusions: boolean,
  isDropped: boolean,
  isFull: boolean,
): DistinctionStatus {
  if (hasConclusions) return 'active';
  if (isDropped) return 'dropped';
  const isOneQuestion =
    a?.subject &&
    a.subject.id === b?.subject?.id &&
    a.predicate === b.predicate &&
    !a.input.target_claim_id &&
    !b.input.target_claim_id;
  if (!isOneQuestion) return 'inert';
  return isFull ? 'dropped' : 'active';
}

/**
 * The engine gives the chance of the value that the claim is about; a claim against that value has the rest.
 */
function chanceOfClaim(conclusion: ConditionalConclusion, claim: Claim | null): number {
  const chance = chanceOf(conclusion);
  return claim && isOpposite(claim) ? 1 - chance : chance;
}

/** Whether two claims of one question differ in words or in polarity, and are about the same scope. */
function disagree({ input: a }: Claim, { input: b }: Claim): boolean {
  const says = (text: string) => text.normalize('NFKC').trim().toLowerCase();
  const denies = (valence: string | null | undefined) => valence?.toLowerCase() === 'refutes';
  const differ = says(a.value) !== says(b.value);
  return (a.scope ?? '') === (b.scope ?? '') && differ !== (denies(a.valence) !== denies(b.valence));
}

/** `If only wheels count` → `only wheels count`: the sentence brings its own “if”. */
function withoutIf(condition: string): string {
  const words = condition.replace(/^\s*if\s+/i, '');
  // Not by an expression: `[\s.]+$` looks at a long run of spaces inside the text once for each of them.
  let end = words.length;
  while (end > 0 && /[\s.]/.test(words[end - 1]!)) end -= 1;
  return words.slice(0, end);
}
