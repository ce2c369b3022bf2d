import {
  answersOf,
  isSameValue,
  likelihoodWord,
  saysTheSame,
  statement,
  textOf,
  tiedValues,
  withAllValues,
  type ActorInput,
  type ClaimInput,
  type RivalValue,
  type SubjectResult,
  type VerdictExplanation,
} from '@platform/opinion-fusion';
import { conditionTexts, leadingPlaceText, moreLikely, placeText } from '@platform/viewer';
import { groupBy } from './group-by.ts';
import { verdictsOf, type Judged } from './judged.ts';

/** A verdict with a leading value, in words. */
export interface VerdictLine {
  readonly verdict: SubjectResult;
  /** What tells it from the others of its judgement. */
  readonly key: readonly unknown[];
  /** With the scope and time of its leading value. */
  readonly statement: string;
  /** What it says, and where and when, in brackets; empty where nothing says it. */
  readonly value: string;
  readonly place: string;
  /** Chance in [0, 1] that the statement is right, and its word of ICD 203. */
  readonly chance: number;
  readonly word: string;
  /** Word and percentage, as `Likely (72 %)`. */
  readonly likelihood: string;
  /** How many sources say so, and how many do not, as sentences. */
  readonly sources: string;
  /** What is more likely than what leads by weight, as a sentence; empty where nothing is. */
  readonly likelier: string;
  /** How likely it is under each condition of its distinctions, a sentence for each of them. */
  readonly conditions: readonly string[];
  /** The claims that the engine heard and that say that very value. */
  readonly saying: readonly ClaimInput[];
  /** Those that say that it is true, whichever value leads. */
  readonly affirming: readonly ClaimInput[];
  /** The claims on its question. */
  readonly claims: readonly ClaimInput[];
}

/** Names a question in a map. */
const questionOf = (subjectId: string | null | undefined, predicate: string) =>
  JSON.stringify([subjectId, predicate]);

/**
 * The verdicts with a leading value, in the words of the page; for a tie each value that is tied, with its
 * own chance; with `apart` also what is likeliest in each other scope and time of a question.
 */
export function verdictLines(
  judged: Judged,
  { apart: withApart = false }: { readonly apart?: boolean } = {},
): VerdictLine[] {
  const { input, share, presentation = share } = judged;
  const claims = groupBy(input.claims, (claim) => questionOf(claim.subject_id, claim.predicate));
  const weights = new Map(judged.claim_audits.map(({ claim_id, weight }) => [claim_id, weight.weight]));
  const explanations = new Map(
    judged.explanations.map((one) => [questionOf(one.subject_id, one.predicate), one]),
  );
  const conditions = groupBy(conditionTexts(judged), (one) => questionOf(one.subjectId, one.predicate));
  const verdicts = verdictsOf(judged).map(withAllValues);
  return verdicts.flatMap((verdict) => {
    if (verdict.leading_value === null) return [];
    const question = questionOf(verdict.subject_id, verdict.predicate);
    const own = claims.get(question) ?? [];
    const explanation = explanations.get(question);
    const voices = voicesOf(verdict.leading_value, own, explanation, weights);
    const { subject_name: subject, predicate } = verdict;
    const saying = (among: readonly ClaimInput[], value: string, rival: RivalValue | undefined) =>
      among.filter((claim) => says(claim, value) && !isListedBeside(claim, rival, verdict));
    const told = (among: readonly ClaimInput[], rival: RivalValue) => {
      // Near values count for it, too, as the engine counts them.
      const agreeing = among.filter((claim) => says(claim, rival.value) || isNear(claim, rival.value));
      return {
        saying: claimsCounted(rival, saying(among, rival.value, rival), placeText(rival)),
        sources: withDissent(sourcesOf(rival), { saying: agreeing, among }, judged),
      };
    };
    const line = (value: string, place: string, chance: number, apart: readonly string[] = []) => {
      const word = likelihoodWord(chance);
      const pattern = presentation?.patterns?.[predicate];
      return {
        verdict,
        key: [verdict.subject_id, predicate, ...(verdict.tied ? [value] : []), ...apart],
        value,
        place,
        statement: textOf(statement({ subject, predicate, value, pattern })) + place,
        chance,
        word,
        likelihood: `${word.slice(0, 1).toUpperCase()}${word.slice(1)} (${Math.round(chance * 100)} %)`,
        conditions: (conditions.get(question) ?? []).map(({ text }) => text),
        claims: own,
      };
    };
    const { leading_value: leading, calibrated_probability, expected_probability } = verdict;
    const likelierWords = (of: Parameters<typeof moreLikely>[0] | undefined) => {
      const rival = of ? moreLikely(of) : null;
      if (rival === null) return '';
      const said = textOf(statement({ subject, predicate, value: rival.value }));
      return `More likely is: ${said} (${Math.round(rival.chance * 100)} %).`;
    };
    const likelier = likelierWords(verdict);
    const first = {
      ...line(leading, leadingPlaceText(verdict), calibrated_probability ?? expected_probability),
      likelier,
      sources:
        explanation === undefined
          ? sourcesOf(verdict.rival_values?.[0] ?? verdict)
          : sourcesSaying(voices, judged),
      saying: claimsCounted(
        verdict.rival_values?.[0] ?? verdict,
        saying(voices.agreeing, leading, verdict.rival_values?.[0]),
        leadingPlaceText(verdict),
      ),
      affirming: voices.heard.filter((claim) => says(claim, 'true')),
    };
    const lines = [
      first,
      ...tiedWith(verdict).map((rival) => ({
        ...line(rival.value, placeText(rival), rival.calibrated_probability),
        likelier,
        ...told(voices.heard, rival),
        affirming: voices.heard.filter((claim) => says(claim, 'true')),
      })),
    ].toSorted((a, b) => (a.value < b.value ? -1 : 1));
    if (!withApart) return lines;
    const counted = own.filter(({ id }) => (weights.get(id) ?? 0) > 0);
    const answers = answersOf(verdict);
    const others = likeliestApart(verdict).map(([place, rival]) => {
      const there = counted.filter((claim) => placeText(claim) === place);
      return {
        ...line(rival.value, place, rival.calibrated_probability, [rival.value, place]),
        likelier: likelierWords(answers.find((one) => isAnswerOf(rival, one))?.verdict as SubjectResult),
        ...told(there, rival),
        affirming: there.filter((claim) => says(claim, 'true')),
      };
    });
    return [...lines, ...others];
  });
}

/** The values besides the leading one that are tied with it; of yes and no, yes says it all. */
function tiedWith(verdict: SubjectResult): readonly RivalValue[] {
  const tied = (verdict.tied ? tiedValues(verdict) : null) ?? [];
  const isYesOrNo = [...tied.map(({ value }) => value), verdict.leading_value].every(
    (value) => value === 'true' || value === 'false',
  );
  if (isYesOrNo || tied.some(({ apart }) => apart)) return [];
  return tied.filter(({ value }) => value !== verdict.leading_value);
}

/** Whether an answer is that of a value in its scope and time. */
const isAnswerOf = (rival: RivalValue, { verdict }: ReturnType<typeof answersOf>[number]): boolean =>
  verdict.leading_value === rival.value && placeText(verdict.rival_values[0]!) === placeText(rival);

/** By scope and time, in brackets: the strongest of the values that are said elsewhere than what leads. */
function likeliestApart({ rival_values: rivals = [] }: Partial<SubjectResult>): [string, RivalValue][] {
  const strongest = new Map<string, RivalValue>();
  for (const rival of rivals) {
    const place = placeText(rival);
    if (rival.apart && !strongest.has(place)) strongest.set(place, rival);
  }
  return [...strongest];
}

/**
 * Whether a verdict lists the value of a claim beside a rival: as one that competes with it, or of its scope
 * and time. The engine read a number without a unit as another one then, though it could be the same.
 */
function isListedBeside(
  { value, valence }: ClaimInput,
  rival: RivalValue | undefined,
  verdict: SubjectResult,
) {
  if (rival === undefined || value === rival.value || valence?.toLowerCase() === 'refutes') return false;
  const isBeside = (one: RivalValue) =>
    rival.apart ? placeText(one) === placeText(rival) : one.apart === undefined;
  return (verdict.rival_values ?? []).some((one) => one.value === value && isBeside(one));
}

/**
 * The claims that say a value; where the verdict counts fewer sources, those that say it of that very scope
 * and time: who speaks of another time does not always count for it (ADR 0131).
 */
function claimsCounted(
  { source_count: counted }: Pick<RivalValue, 'source_count'>,
  saying: readonly ClaimInput[],
  place: string,
): readonly ClaimInput[] {
  if (new Set(saying.map(({ actor_id: id }) => id)).size <= counted) return saying;
  return saying.filter((claim) => placeText(claim) === place);
}

const OPPOSITE: Readonly<Record<string, string>> = { true: 'false', false: 'true' };

/** Whether a claim says that very value; who denies yes says no. */
function says({ value: said, valence }: ClaimInput, value: string): boolean {
  const meant = valence?.toLowerCase() === 'refutes' ? OPPOSITE[value] : value;
  return meant !== undefined && isSameValue(said, meant);
}

const isNear = ({ value, valence }: ClaimInput, other: string) =>
  valence?.toLowerCase() !== 'refutes' && saysTheSame(value, other);

/** What a verdict counts: the claims with weight that say so, and those that conflict with it. */
interface Voices {
  readonly heard: readonly Voice[];
  /**
   * Those that the engine did not read as another value, as it may a number without a unit; where a denial
   * leads, all.
   */
  readonly agreeing: readonly Voice[];
  readonly saying: readonly Voice[];
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
  const isDenial = claimById.get(explanation?.leading_claim_id ?? '')?.valence?.toLowerCase() === 'refutes';
  return {
    heard,
    agreeing: isDenial ? heard : heard.filter(({ side }) => side === 'support'),
    saying: heard.filter(saysSo),
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
  const source_count = sourcesAmong(saying, judged).length;
  const independent_source_count = new Set(saying.map(({ dependenceClass }) => dependenceClass)).size;
  const so = sourcesOf({ source_count, independent_source_count });
  return withDissent(so, { saying, among: [...saying, ...others] }, judged);
}

/** With how many of the sources of some claims do not say so, where any does not. */
function withDissent(
  so: string,
  { saying, among }: Record<'saying' | 'among', readonly Pick<ClaimInput, 'actor_id'>[]>,
  judged: Judged,
): string {
  const all = sourcesAmong(among, judged).length;
  const differing = all - sourcesAmong(saying, judged).length;
  if (differing === 0) return so;
  return `${so} ${differing} of ${all} ${differing === 1 ? 'does' : 'do'} not say so.`;
}

/** How many sources say something, as a sentence; those of what is denied are who denies it. */
function sourcesOf({
  source_count: all,
  independent_source_count: independent,
  denied,
}: Pick<SubjectResult, 'source_count' | 'independent_source_count' | 'denied'>): string {
  if (denied || all === 0) return 'No source says so.';
  if (all === 1) return '1 source.';
  return `${all} sources, ${independent} of them independent.`;
}
