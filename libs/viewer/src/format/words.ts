import type {
  Category,
  ClaimAnalysisSummary,
  OpinionSummary,
  SubjectResult,
  TruthStatus,
} from '@platform/opinion-fusion';
import {
  byWeight,
  evidenceStrength,
  deniedWord,
  EVEN,
  isDeniedTie,
  likelierRival,
  likelihoodWord,
  listed,
  namedOfTie,
  shownStatus,
  tiedValues,
  valueText,
  whereLeading,
  whereSaid,
} from '@platform/opinion-fusion';
import { decimal, percent } from './numbers.ts';

export { disputeOf, disputeWords, questionSubject, readable, shownStatus } from '@platform/opinion-fusion';

/** What a claim is that does not count any more: taken back, or replaced by another; null for any other. */
export function withdrawnStatus({
  analysis,
  input,
}: {
  readonly analysis?: { readonly epistemic_status?: string | null } | null;
  readonly input: { readonly epistemic_status?: string | null };
}): 'retracted' | 'superseded' | null {
  const statuses = [input.epistemic_status, analysis?.epistemic_status];
  return (['retracted', 'superseded'] as const).find((status) => statuses.includes(status)) ?? null;
}

/** Whether a claim is neither retracted nor below the credibility floor. */
export const isHeard = (analysis: ClaimAnalysisSummary | null): boolean =>
  analysis !== null && analysis.epistemic_status !== 'retracted' && !analysis.below_credibility_floor;

/** What the words for a verdict are chosen by. */
export type Standing = Pick<SubjectResult, 'truth_status' | 'expected_probability'> & {
  readonly calibrated_probability?: number;
  readonly confidence?: Pick<OpinionSummary, 'support' | 'opposition'>;
  readonly tied?: boolean;
  readonly denied?: boolean;
  readonly rival_values?: readonly Rival[];
  readonly more_rival_values?: number;
  readonly more_values_apart?: number;
  readonly more_tied_values?: number;
  readonly leading_value?: string | null;
  readonly no_value_counts?: true;
};

/** One of the values that sources give, with its chance. */
export interface Rival {
  readonly value: string;
  readonly expected_probability: number;
  readonly calibrated_probability?: number;
  readonly scope?: string;
  readonly event_start_time?: string;
  readonly event_end_time?: string;
  /** Said in another scope or of another time than the leading value: the two do not compete. */
  readonly apart?: true;
  /** One of several values of which none leads. */
  readonly tied?: true;
  /** Denied, and asserted by no source; the sources are those that deny it. */
  readonly denied?: true;
  /** Denied, with something that counts against the denial. */
  readonly disputed?: true;
  readonly source_count?: number;
  readonly independent_source_count?: number;
}

/** The values that compete with the leading one, the strongest first; empty where the result lists none. */
export const otherValues = ({ rival_values }: Pick<Standing, 'rival_values'>): readonly Rival[] =>
  rival_values?.slice(1).filter(({ apart }) => !apart) ?? [];

/** The values of other scopes and times, which do not compete with the leading one. */
export const valuesApart = ({ rival_values }: Pick<Standing, 'rival_values'>): readonly Rival[] =>
  rival_values?.filter(({ apart }) => apart) ?? [];

/**
 * The leading value and other ones of other scopes and times where all are likely, in the order of their
 * times, or with the leading one first; null where there is one alone.
 */
export function togetherOf(verdict: Standing): readonly Rival[] | null {
  const [leading, ...rivals] = verdict.rival_values ?? [];
  if (!leading || leading.denied || verdict.tied || leading.value === 'true' || moreLikely(verdict))
    return null;
  const isLikely = (chance: number) => chance > 0.5 && likelihoodWord(chance) !== EVEN;
  if (!isLikely(chanceOf(verdict)) || shownStatus(verdict) === 'Neither') return null;
  const likely = rivals.filter((one) => one.apart && !one.denied && isLikely(chanceOf(one)));
  const others = byWeight(likely.filter(({ value }) => value !== leading.value)).flat();
  if (others.length === 0) return null;
  const first = { ...leading, calibrated_probability: chanceOf(verdict) };
  // Where one held after the other, one that returned is told again.
  if (isInTime([first, ...likely])) return [first, ...likely].toSorted(inOrder);
  return isInTime([first, ...others]) ? [first, ...others].toSorted(inOrder) : [first, ...others];
}

/**
 * How many values that a verdict does not list may be among those of several scopes and times: none where it
 * lists others besides; null where nobody counted.
 */
export const moreTogether = (
  together: readonly Rival[],
  { rival_values: { length } = [], more_rival_values: more }: Standing,
): number | null => (together.length < length || length < 8 || more === 0 ? 0 : null);

/** Whether each of some values is of a time that begins when that of the one before ended, or later. */
export const isInTime = (values: readonly Rival[]): boolean =>
  values
    .toSorted(inOrder)
    .every(
      (one, index, all) => index === 0 || Date.parse(all[index - 1]!.event_end_time ?? '') <= startOf(one),
    );
const startOf = ({ event_start_time: from }: Rival) => (from === undefined ? -8.64e15 : Date.parse(from));
const inOrder = (a: Rival, b: Rival) => startOf(a) - startOf(b);

/**
 * The values of which none leads, all that are tied or only denied; null where one leads or is denied alone.
 */
export const tieOf = ({
  tied,
  rival_values,
}: Pick<Standing, 'tied' | 'rival_values'>): readonly Rival[] | null =>
  tiedValues<Rival>({ tied, rival_values });

/** Whether several values stand that sources deny, and none that one asserts. */
export const isDenied = (tie: readonly Rival[] | null): tie is readonly Rival[] =>
  tie !== null && isDeniedTie(tie);

/** Whether the values of a tie are of different scopes or times, so that they do not compete. */
export const isTieApart = (tie: readonly Rival[] | null): boolean => tie?.some(({ apart }) => apart) ?? false;

/** ` (in city, from 2020 to 2022)` for a value of a verdict or a claim; empty where nothing says it. */
export const placeText = (said: Parameters<typeof whereSaid>[0]): string => inBrackets(whereSaid(said));

/** The same for the leading value of a verdict. */
export const leadingPlaceText = (verdict: Parameters<typeof whereLeading>[0]): string =>
  inBrackets(whereLeading(verdict));

/** ` (…)` behind other words; nothing of an empty text. */
export const inBrackets = (where: string) => (where === '' ? '' : ` (${where})`);

/** The likeliest value, where a reader sees that the leading one, which has more weight, is less likely. */
export function moreLikely(verdict: Standing): { readonly value: string; readonly chance: number } | null {
  const rival = likelierRival(verdict);
  return rival && percent(rival.chance) !== percent(chanceOf(verdict)) ? rival : null;
}

/**
 * The chance of a verdict as text: where none leads, those of the values named, `41 % each`; empty where no
 * value counts.
 */
export function chanceText(verdict: Standing): string {
  if (verdict.no_value_counts) return '';
  const together = togetherOf(verdict);
  if (together) return listed(namedOfTie(together).named.map((one) => percent(chanceOf(one))));
  const tie = tieOf(verdict);
  // One number says it of yes and no.
  if (tie === null || isOfYesAndNo(tie)) return percent(chanceOf(verdict));
  const chances = namedOfTie(tie).named.map((one) =>
    percent(chanceOf(one === verdict.rival_values?.[0] ? verdict : one)),
  );
  return new Set(chances).size === 1 ? `${chances[0]!} each` : listed(chances);
}

/** Whether what is tied is yes with no. */
export const isOfYesAndNo = (tie: readonly Rival[]): boolean =>
  tie.every((one) => !one.apart && isYesOrNo(one));

/** Whether a value is that of a question of yes or no. */
export const isYesOrNo = ({ value }: Pick<Rival, 'value'>): boolean => value === 'true' || value === 'false';

/** `likely (72 %)`; the label alone where no value has a chance. */
export const likelihoodWithChance = (verdict: Standing): string =>
  `${likelihoodLabel(verdict)}${inBrackets(chanceText(verdict))}`;

/** The chance of a verdict for its bar or a number alone; null where no value counts. Probability. */
export const shownChance = (verdict: Standing): number | null =>
  verdict.no_value_counts ? null : chanceOf(verdict);

/** The chance that the leading value is right: the calibrated one where the result has it. Probability. */
export function chanceOf(verdict: Pick<Standing, 'expected_probability' | 'calibrated_probability'>): number {
  return verdict.calibrated_probability ?? verdict.expected_probability;
}

/** A claim's own standing in the form of a verdict's. */
export const claimStanding = (
  claim: Pick<ClaimAnalysisSummary, 'truth_status' | 'expected_probability' | 'support' | 'opposition'>,
): Standing => ({
  truth_status: claim.truth_status,
  expected_probability: claim.expected_probability,
  confidence: claim,
});

/** What the strength of a claim is, wherever one stands: it is no chance, and so no percentage. */
export const STRENGTH_MEANING =
  'Strength, from 0 to 1, is how far a claim is borne out; 0.5 is even. It is not the chance of an answer.';

/** `strength 0.46` of a claim. */
export const strengthText = ({
  expected_probability: strength,
}: Pick<ClaimAnalysisSummary, 'expected_probability'>): string => `strength ${decimal(strength)}`;

/** What a verdict of a status would be, told to a reader of today: `it would no longer be contested`. */
export function otherwise(status: TruthStatus, now: Standing): string {
  if (status === 'Both') return 'it would be contested';
  if (status === 'Neither') return 'there would be too little evidence to say';
  // Within the even band no reader knows which side a verdict is on, so the side is said.
  const isEven = likelihoodWord(chanceOf(now)) === EVEN;
  const isSameSide = !isEven && (status === 'True') === chanceOf(now) > 0.5;
  if (shownStatus(now) === 'Both' && isSameSide) return 'it would no longer be contested';
  return `it would probably be ${status === 'True' ? 'true' : 'false'}`;
}

/**
 * How likely a verdict is, in one or two words: those of ICD 203, `contested`, `only denied`, or `too little
 * evidence`.
 */
export function likelihoodLabel(verdict: Standing): string {
  const status = shownStatus(verdict);
  const tie = tieOf(verdict);
  if (isDenied(tie)) return deniedWord(tie);
  if (verdict.tied) return isTieApart(tieOf(verdict)) ? 'each for itself' : 'tied';
  if (status === 'Neither') return 'too little evidence';
  const word = likelihoodWord(Math.min(...(togetherOf(verdict) ?? [verdict]).map(chanceOf)));
  if (status !== 'Both') return word;
  return word === EVEN ? 'contested' : `${word}, though contested`;
}

/** What the color of a verdict's word says; the word says the same. */
export function likelihoodTone(verdict: Standing): 'for' | 'against' | 'open' {
  const status = shownStatus(verdict);
  const chance = chanceOf(verdict);
  if (tieOf(verdict) !== null || verdict.tied || status === 'Neither' || likelihoodWord(chance) === EVEN)
    return 'open';
  return chance > 0.5 ? 'for' : 'against';
}

/**
 * The sentence on how likely a verdict is, `Likely (72 %).`, in the words of ICD 203. Confidence is never in
 * it: ICD 203 D.6.e.(2) forbids the two in one sentence.
 */
export function likelihoodSentence(verdict: Standing): string {
  if (verdict.no_value_counts) return 'Not enough evidence: no claim counts.';
  const share = percent(chanceOf(verdict));
  const status = shownStatus(verdict);
  const tie = tieOf(verdict);
  if (isDenied(tie)) return `${capital(deniedWord(tie))} (${chanceText(verdict)}).`;
  if (verdict.tied)
    return isTieApart(tieOf(verdict))
      ? `Of different scopes or times (${chanceText(verdict)}).`
      : `Tied with ${(tieOf(verdict)?.length ?? 2) > 2 ? 'other answers' : 'another answer'} (${chanceText(verdict)}).`;
  if (status === 'Neither') return `Not enough evidence either way (${share}).`;
  // The chance is that of the leading value, and so is its word.
  const sentence = `${capital(likelihoodLabel({ ...verdict, rival_values: [] }))} (${share})`;
  return status === 'Both' ? `${sentence}, with evidence on both sides.` : `${sentence}.`;
}

/** The sentence on how much stands behind it: `Evidence: moderate.` */
export function evidenceSentence(uncertainty: number): string {
  return `Evidence: ${evidenceStrength(uncertainty)}.`;
}

/**
 * The words for a verdict without a value: nothing is known where all claims are retracted or below the
 * credibility floor; an inferred one has some evidence.
 */
function withoutValue({ confidence }: Pick<SubjectResult, 'confidence'>): string {
  return confidence.uncertainty === 1 ? 'no weight' : 'inferred';
}

/**
 * A claim's value as it is shown; an empty value reads `(empty)`, so that no reader looks for missing text.
 */
export function shownValue(value: string): string {
  return value.trim() === '' ? '(empty)' : value;
}

/** A value as an answer within a sentence: `yes` and `no` for true and false, times as people say them. */
export function answerWord(value: string): string {
  if (/^\s*(true|yes|y)\s*$/i.test(value)) return 'yes';
  return /^\s*(false|no|n)\s*$/i.test(value) ? 'no' : valueText(value);
}

export const YES_OR_NO = /^\s*(true|yes|y|false|no|n)\s*$/i;

/** Whether two values are the same to a reader: white space and case aside. */
export const sameWords = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** The value of a verdict in a few words. */
export function verdictValue(
  verdict: Pick<SubjectResult, 'leading_value' | 'confidence'> & Pick<Standing, 'rival_values'>,
): string {
  const tie = tieOf(verdict);
  if (isDenied(tie)) return deniedWord(tie);
  return verdict.leading_value === null ? withoutValue(verdict) : shownValue(verdict.leading_value);
}

/** The meaning of Belnap's four values in plain words. */
export const TRUTH_STATUS_MEANING: Readonly<Record<TruthStatus, string>> = {
  True: 'Supported, and much less speaks against it.',
  False: 'Opposed, and much less speaks for it.',
  Both: 'Evidence speaks for it and against it.',
  Neither: 'Too little speaks for or against it.',
};

/** One word for a truth status as a reader meets it. */
export const TRUTH_STATUS_LABEL: Readonly<Record<TruthStatus, string>> = {
  True: 'True',
  False: 'False',
  Both: 'Contested',
  Neither: 'Open',
};

export const CATEGORY_MEANING: Readonly<Record<Category, string>> = {
  strong: 'what supports it outweighs what opposes it by half of all weight or more',
  moderate: 'what supports it outweighs what opposes it by a fifth of all weight or more',
  contested:
    'both sides have a fifth of all weight or more, or the weaker has at least half of what the stronger has',
  weak: 'the two sides are close, and one of them has little weight',
  refuted: 'what opposes it outweighs what supports it by a fifth of all weight or more',
};

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
