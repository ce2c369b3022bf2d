import {
  likelihoodWord,
  saysTheSame,
  statement,
  textOf,
  type ActorInput,
  type ClaimInput,
  type SubjectResult,
  type VerdictExplanation,
} from '@platform/opinion-fusion';
import { leadingPlaceText } from '@platform/viewer';
import { groupBy } from './group-by.ts';
import { verdictsOf, type Judged } from './judged.ts';

/** A verdict with a leading value, in words. */
export interface VerdictLine {
  readonly verdict: SubjectResult;
  /** With the scope and time of its leading value. */
  readonly statement: string;
  /** Chance in [0, 1] that the statement is right, and its word of ICD 203. */
  readonly chance: number;
  readonly word: string;
  /** Word and percentage, as `Likely (72 %)`. */
  readonly likelihood: string;
  /** How many sources say so, and how many do not, as sentences. */
  readonly sources: string;
  /** The claims that the engine heard and that say so. */
  readonly saying: readonly ClaimInput[];
  /** Those that say that it is true, whichever value leads. */
  readonly affirming: readonly ClaimInput[];
  /** The claims on its question. */
  readonly claims: readonly ClaimInput[];
}

/** Names a question in a map. */
const questionOf = (subjectId: string | null | undefined, predicate: string) =>
  JSON.stringify([subjectId, predicate]);

/** The verdicts with a leading value, in the words of the page. */
export function verdictLines(judged: Judged): VerdictLine[] {
  const { input, share, presentation = share } = judged;
  const claims = groupBy(input.claims, (claim) => questionOf(claim.subject_id, claim.predicate));
  const weights = new Map(judged.claim_audits.map(({ claim_id, weight }) => [claim_id, weight.weight]));
  const explanations = new Map(
    judged.explanations.map((one) => [questionOf(one.subject_id, one.predicate), one]),
  );
  return verdictsOf(judged).flatMap((verdict) => {
    if (verdict.leading_value === null) return [];
    const question = questionOf(verdict.subject_id, verdict.predicate);
    const own = claims.get(question) ?? [];
    const explanation = explanations.get(question);
    const voices = voicesOf(verdict.leading_value, own, explanation, weights);
    const chance = verdict.calibrated_probability ?? verdict.expected_probability;
    const word = likelihoodWord(chance);
    return [
      {
        verdict,
        statement:
          textOf(
            statement({
              subject: verdict.subject_name,
              predicate: verdict.predicate,
              value: verdict.leading_value,
              pattern: presentation?.patterns?.[verdict.predicate],
            }),
          ) + leadingPlaceText(verdict),
        chance,
        word,
        likelihood: `${word.slice(0, 1).toUpperCase()}${word.slice(1)} (${Math.round(chance * 100)} %)`,
        sources: explanation === undefined ? sourcesOf(verdict) : sourcesSaying(voices, judged),
        saying: voices.saying,
        affirming: voices.affirming,
        claims: own,
      },
    ];
  });
}

/** What a verdict counts: the claims with weight that say so, and those that conflict with it. */
interface Voices {
  readonly saying: readonly Voice[];
  readonly affirming: readonly Voice[];
  readonly others: readonly Pick<Voice, 'actor_id'>[];
}
type Voice = ClaimInput & { readonly dependenceClass: string | null };

/**
 * The claims that the engine heard for and against a verdict. Where a denial leads, a claim may speak against
 * it with another value, and so for the verdict, without saying so.
 */
function voicesOf(
  leadingValue: string,
  claims: readonly ClaimInput[],
  explanation: VerdictExplanation | undefined,
  weights: ReadonlyMap<string, number>,
): Voices {
  const claimById = new Map(claims.map((claim) => [claim.id, claim]));
  const heard = (explanation?.contributions ?? []).flatMap(
    ({ route, side, claim_id: id, dependence_class: dependenceClass }) => {
      if (route !== 'voice' || weights.get(id!)! <= 0) return [];
      return [{ ...claimById.get(id!)!, dependenceClass, side }];
    },
  );
  const saysSo = ({ side, value, valence }: (typeof heard)[number]) =>
    side === 'support' && (valence?.toLowerCase() === 'refutes') !== saysTheSame(value, leadingValue);
  // A claim about a claim that speaks against the verdict.
  const disputing = (explanation?.contributions ?? []).flatMap(
    ({ route, side, actor_id, offered, counted, outcome }) =>
      route === 'meta_claim' &&
      side === 'opposition' &&
      offered > 0 &&
      (counted > 0 || outcome === 'dependent' || outcome === 'raises_target')
        ? [{ actor_id: actor_id! }]
        : [],
  );
  return {
    saying: heard.filter(saysSo),
    affirming: heard.filter(({ value, valence }) =>
      saysTheSame(value, valence?.toLowerCase() === 'refutes' ? 'false' : 'true'),
    ),
    others: [...heard.filter((voice) => !saysSo(voice)), ...disputing],
  };
}

/** The sources of claims, each once, in their order. */
export function sourcesAmong(
  claims: readonly Pick<ClaimInput, 'actor_id'>[],
  { input }: Judged,
): readonly ActorInput[] {
  const ids = new Set(claims.map(({ actor_id: id }) => id));
  return input.actors.filter(({ id }) => ids.has(id));
}

function sourcesSaying({ saying, others }: Voices, judged: Judged): string {
  const all = sourcesAmong([...saying, ...others], judged).length;
  const source_count = sourcesAmong(saying, judged).length;
  const independent_source_count = new Set(saying.map(({ dependenceClass }) => dependenceClass)).size;
  const so =
    source_count === 0 ? 'No source says so.' : sourcesOf({ source_count, independent_source_count });
  const differing = all - source_count;
  if (differing === 0) return so;
  return `${so} ${differing} of ${all} ${differing === 1 ? 'does' : 'do'} not say so.`;
}

/** How many sources say something, as a sentence. */
function sourcesOf({
  source_count: all,
  independent_source_count: independent,
}: Pick<SubjectResult, 'source_count' | 'independent_source_count'>): string {
  if (all === 1) return '1 source.';
  return `${all} sources, ${independent} of them independent.`;
}
