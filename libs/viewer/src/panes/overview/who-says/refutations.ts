import { andOthers, inWords, type Part } from '@platform/opinion-fusion';
import { isDenial } from '../../../components/claim-statement.tsx';
import { isHeard, placeText, sameWords, type Rival } from '../../../format/words.ts';
import type { Claim, Model } from '../../../model.ts';

type Value = Pick<Rival, 'value' | 'scope' | 'event_start_time' | 'event_end_time'>;

/** `, which Curator and one other dispute and one item of evidence refutes`: what is against a denial. */
export function denialDisputed(rival: Value, claims: readonly Claim[], model: Model): Part[] {
  const denials = claims.filter(
    (claim) =>
      isDenial(claim) &&
      sameWords(claim.input.value, rival.value) &&
      placeText(claim.input) === placeText(rival),
  );
  return disputedBy(denials, model);
}

/** `, which Curator disputes and one item of evidence refutes`: what is against what some claims say. */
export function disputedBy(said: readonly Claim[], { claimById }: Model): Part[] {
  const disputers = said
    .flatMap(({ metaClaimIds }) => metaClaimIds.flatMap((id) => claimById.get(id) ?? []))
    .filter(({ input, analysis }) => refutes(input) && isHeard(analysis));
  const [first, ...others] = [...new Set(disputers.map(({ actor }) => actor.name))].toSorted();
  const items = said.flatMap(refutingItems);
  const who: Part[] =
    first === undefined
      ? []
      : [...andOthers(first, others.length), others.length > 0 ? ' dispute' : ' disputes'];
  if (items.length > 0) who.push(`${first === undefined ? '' : ' and '}${refutedBy(items)}`);
  return who.length === 0 ? [] : [', which ', ...who];
}

const refutes = ({ valence }: { readonly valence?: string | null | undefined }) =>
  valence?.toLowerCase() === 'refutes';

/** The evidence against a claim. */
export const refutingItems = ({ evidence }: Claim) =>
  evidence.filter((item) => refutes(item) && item.weight !== 0);

/** `two items of evidence refute`. */
export const refutedBy = ({ length }: readonly unknown[]): string =>
  `${inWords(length)} ${length === 1 ? 'item of evidence refutes' : 'items of evidence refute'}`;
