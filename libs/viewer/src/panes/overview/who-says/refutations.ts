import { andOthers, inWords, sharedTime, type ClaimInput, type Part } from '@platform/opinion-fusion';
import { answerOfClaim, isDenial, saysYesOrNo } from '../../../components/claim-statement.tsx';
import {
  answerWord,
  isHeard,
  placeText,
  sameWords,
  withdrawnStatus,
  type Rival,
} from '../../../format/words.ts';
import type { Claim, Model } from '../../../model.ts';
import { userPart } from '../statement-of.ts';

type Value = Pick<ClaimInput, 'value' | 'scope' | 'event_start_time' | 'event_end_time'>;

/** `, which Curator and one other dispute and one item of evidence refutes`: what is against a denial. */
export function denialDisputed(rival: Value, claims: readonly Claim[], model: Model): Part[] {
  const denials = claims.filter(
    (claim) =>
      isDenial(claim) && deniesValue(claim, rival.value) && placeText(claim.input) === placeText(rival),
  );
  return disputedBy(denials, model);
}

/** Whether a denial is of this value, in whatever words the two are written. */
const deniesValue = ({ input, analysis }: Claim, value: string): boolean =>
  [input.value, ...(analysis?.denied_as ?? [])].some((one) => sameWords(answerWord(one), answerWord(value)));

/** The claims that count and deny a value that others state for the same scope and a time of it. */
export const denialsOf = (value: Value, claims: readonly Claim[]): readonly Claim[] =>
  claims.filter(
    (claim) =>
      isDenial(claim) &&
      !saysYesOrNo(claim) &&
      isHeard(claim.analysis) &&
      withdrawnStatus(claim) === null &&
      deniesValue(claim, value.value) &&
      (claim.input.scope ?? '') === (value.scope ?? '') &&
      sharedTime(claim.input, value) !== null,
  );

/** `Dan and one other deny`, and then ` (from 2006 on), though one item of evidence refutes that`. */
export function denying(value: Value, denials: readonly Claim[], model: Model): readonly [Part[], Part[]] {
  const [first = '', ...others] = [...new Set(denials.map(({ actor }) => actor.name))].toSorted();
  const places = new Set(denials.map(({ input }) => placeText(input)));
  const [place = ''] = places.size === 1 ? places : [];
  const against = againstThese(denials, model);
  return [
    [...andOthers(first, others.length), others.length > 0 ? ' deny' : ' denies'],
    [
      ...(place === placeText(value) ? [] : userPart(place)),
      ...(against.length > 0 ? [', though ', ...against, ' that'] : []),
    ],
  ];
}

/** `, which Dan denies, though one item of evidence refutes that`: who denies a value that others state. */
export function deniedBy(value: Value, claims: readonly Claim[], model: Model): Part[] {
  const denials = denialsOf(value, claims);
  return denials.length === 0 ? [] : [', which ', ...denying(value, denials, model).flat()];
}

/**
 * `, which one item of evidence refutes, which Dan denies`: what is against a value in its scope and time; of
 * one that nobody states, what is against its denials is told with these.
 */
export function againstThere(value: Rival, claims: readonly Claim[], model: Model): Part[] {
  const stating = claims.filter(
    (claim) =>
      (!isDenial(claim) || saysYesOrNo(claim)) &&
      isHeard(claim.analysis) &&
      sameWords(answerOfClaim(claim), answerWord(value.value)) &&
      placeText(claim.input) === placeText(value),
  );
  return [...(value.denied ? [] : disputedBy(stating, model)), ...deniedBy(value, claims, model)];
}

/** `, which Curator disputes and one item of evidence refutes`: what is against what some claims say. */
export function disputedBy(said: readonly Claim[], model: Model): Part[] {
  const against = againstThese(said, model);
  return against.length === 0 ? [] : [', which ', ...against];
}

function againstThese(said: readonly Claim[], { claimById }: Model): Part[] {
  const disputers = said
    .flatMap(({ metaClaimIds }) => metaClaimIds.flatMap((id) => claimById.get(id) ?? []))
    .filter(({ input, analysis }) => refutes(input) && isHeard(analysis));
  const [first, ...others] = [...new Set(disputers.map(({ actor }) => actor.name))].toSorted();
  const items = said.flatMap(refutingItems);
  return [
    ...(first === undefined
      ? []
      : [...andOthers(first, others.length), others.length > 0 ? ' dispute' : ' disputes']),
    ...(items.length > 0 ? [`${first === undefined ? '' : ' and '}${refutedBy(items)}`] : []),
  ];
}

const refutes = ({ valence }: { readonly valence?: string | null | undefined }) =>
  valence?.toLowerCase() === 'refutes';

/** The evidence against a claim. */
export const refutingItems = ({ evidence }: Claim) =>
  evidence.filter((item) => refutes(item) && item.weight !== 0);

/** `two items of evidence refute`. */
export const refutedBy = ({ length }: readonly unknown[]): string =>
  `${inWords(length)} ${length === 1 ? 'item of evidence refutes' : 'items of evidence refute'}`;
