import type { OpinionSummary, SubjectResult, TruthStatus } from '../contract/types.ts';
import { EVEN, likelihoodWord } from './likelihood-words.ts';

/** What the status of a verdict is chosen by; results of engine 1 have no calibrated chance. */
type Standing = Pick<SubjectResult, 'truth_status' | 'expected_probability'> & {
  readonly calibrated_probability?: number | null | undefined;
  readonly confidence?: Sides | undefined;
  readonly tied?: boolean | undefined;
  readonly denied?: boolean | undefined;
  readonly leading_value?: string | null | undefined;
  readonly superseded?: { readonly is_all?: true | undefined } | undefined;
  readonly rival_values?:
    readonly { readonly tied?: true | undefined; readonly apart?: true | undefined }[] | undefined;
};

type Sides = Pick<OpinionSummary, 'support' | 'opposition'>;

/** Share of the evidence above which the other side is too strong for a plain True or False. */
const OTHER_SIDE_MAX = 0.25;
/** Dispute, 0 to 1, below which a verdict is hardly disputed: what is open is not called contested then. */
const DISPUTED_FROM = 0.05;
/** The least chance that is very likely. */
const FAR_FROM = 0.8;

/**
 * The status that pages and texts tell, the one rule of whether there is enough evidence to say. True and
 * False are never told within the even band or beyond it, nor where the other side holds more than a quarter
 * of the evidence: such a verdict is contested, whatever the thresholds of the engine say. Too little speaks
 * for it, and it is open, where hardly anything speaks for the other side, or where little is said against it
 * and the chance is on the other side of even. What is very likely or more is never open: documents that
 * refute a denial add to the chance alone. Nothing is contested where all that is against it is superseded.
 * Pure.
 */
export function shownStatus(verdict: Standing): TruthStatus {
  const { truth_status, expected_probability: weight, confidence } = verdict;
  const chance = verdict.calibrated_probability ?? weight;
  const isUnopposed = verdict.superseded?.is_all === true;
  const isFar = chance >= FAR_FROM;
  if (truth_status === 'Neither') return isFar ? 'True' : 'Neither';
  if (truth_status === 'Both' && !isUnopposed) return 'Both';
  // A no that is tied with another answer than yes opposes the yes, and yet the question is undecided.
  const isTied = verdict.tied && !verdict.denied && verdict.leading_value === 'true';
  if (isTied && verdict.rival_values?.every(({ tied, apart }) => !tied || !apart)) return 'Neither';
  const isFor = truth_status === 'Both' ? weight >= 0.5 : truth_status === 'True';
  const isEven = [weight, chance].some((one) => likelihoodWord(one) === EVEN);
  const isContrary = [weight, chance].some((one) => (isFor ? one < 0.5 : one > 0.5));
  const share = isUnopposed ? 0 : confidence && otherShare(confidence);
  if (share !== undefined && share > OTHER_SIDE_MAX) return 'Both';
  const isOneSided = share !== undefined && 2 * share < DISPUTED_FROM;
  if (isFar) return 'True';
  if ((isEven && isOneSided) || (isContrary && !isEven)) return 'Neither';
  if (isEven) return 'Both';
  return isFor ? 'True' : 'False';
}

/** Share of the evidence that the weaker side holds, 0 to 0.5; 0 without evidence. */
function otherShare({ support, opposition }: Sides): number {
  const all = support + opposition;
  return all === 0 ? 0 : Math.min(support, opposition) / all;
}

/**
 * How disputed a verdict is, 0 (one side alone) to 1 (both sides alike): twice the share of the weaker side.
 */
export function disputeOf({ confidence }: { readonly confidence: Sides }): number {
  return 2 * otherShare(confidence);
}

/** `strongly`, `somewhat` or `hardly disputed`; `undisputed` where nothing is against it. */
export function disputeWords(level: number): string {
  if (level >= 2 * OTHER_SIDE_MAX) return 'strongly disputed';
  if (level >= DISPUTED_FROM) return 'somewhat disputed';
  return level > 0 ? 'hardly disputed' : 'undisputed';
}
