import { denialWords, inWords, namedOfTie, type Part } from '@platform/opinion-fusion';
import { shortened } from '../../../format/text.ts';
import { answerWord, capital, type Rival } from '../../../format/words.ts';
import type { Claim, Model, Verdict } from '../../../model.ts';
import { likeliestOthers } from '../headline.ts';
import { placesOf, userPart } from '../statement-of.ts';
import { denialDisputed } from './refutations.ts';

/** `Two sources deny Smith; one source denies Jones, which Curator disputes.` */
export function deniersOf(tie: readonly Rival[], { claims }: Verdict, model: Model): Part[] {
  const [, first, ...others] = denying(namedOfTie(tie).named, claims, model);
  return [capital(first as string), ...others, '.'];
}

/** `; two sources deny Smith`: likelier values that sources deny and that the list of denials lacks. */
export function likelierDenied({ result, claims }: Verdict, model: Model): Part[] {
  const isListed = ({ value }: Rival) => result.denials?.some((denial) => denial.value === value);
  const denied = (likeliestOthers(result)?.named ?? []).filter((one) => one.denied && !isListed(one));
  return denying(denied, claims, model);
}

/** `; two sources deny Smith; one source denies Jones, which Curator disputes`. */
function denying(named: readonly Rival[], claims: readonly Claim[], model: Model): Part[] {
  const places = placesOf(named);
  return named.flatMap((rival, index): Part[] => {
    const { value, source_count: count = 0 } = rival;
    return [
      '; ',
      `${inWords(count)} ${count === 1 ? 'source denies ' : 'sources deny '}`,
      { user: shortened(answerWord(value), 80) },
      ...userPart(places[index]!),
      ...denialDisputed(rival, claims, model),
    ];
  });
}

/** `Two sources deny Ms Gray, which one item of evidence refutes.`: values that nobody states. */
export function deniedHere({ result, claims }: Verdict, model: Model): Part[] {
  const likeliest = new Set(likeliestOthers(result)?.named.map(({ value }) => value));
  const own = (result.denials ?? [])
    .filter(({ apart }) => !apart)
    .toSorted((a, b) => Number(likeliest.has(b.value)) - Number(likeliest.has(a.value)));
  const [first, ...rest] = denialWords(own, (denial) => denialDisputed(denial, claims, model));
  return first === undefined ? [] : [capital(first as string), ...rest, '.'];
}
