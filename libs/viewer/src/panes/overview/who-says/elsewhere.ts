import { byWeight, denialWords, inWords, listed, unlistedOf, type Part } from '@platform/opinion-fusion';
import { percent } from '../../../format/numbers.ts';
import { userPart } from '../statement-of.ts';
import {
  answerWord,
  chanceOf,
  isOfYesAndNo,
  placeText,
  tieOf,
  togetherOf,
  valuesApart,
} from '../../../format/words.ts';
import type { Model, Verdict } from '../../../model.ts';
import { againstThere, denialDisputed, denialsOf, denying } from './refutations.ts';

/**
 * `In other scopes or of other times: 5 % or 7 % (in food), chance 42 % each; 19 % (in standard), chance
 * 8 %; two sources deny 3 % (in tea).`: what line one does not name.
 */
export function elsewhere({ result, claims }: Verdict, model: Model): Part[] {
  const tie = tieOf(result);
  const told = togetherOf(result) ?? (tie === null || isOfYesAndNo(tie) ? [] : tie);
  const said = byWeight(
    valuesApart(result).filter((one) => (!one.denied || one.disputed) && !told.includes(one)),
  )
    .flatMap((equal) =>
      new Set(equal.map(placeText)).size > 1 ||
      equal.some((one) => againstThere(one, claims, model).length > 0)
        ? equal.map((one) => [one])
        : [equal],
    )
    .flatMap((equal): Part[] => [
      '; ',
      {
        user: `${listed(
          equal.map(({ value }) => answerWord(value)),
          'or',
        )}${placeText(equal[0]!)}`,
      },
      `, chance ${percent(chanceOf(equal[0]!))}${equal.length > 1 ? ' each' : ''}`,
      ...againstThere(equal[0]!, claims, model),
    ]);
  const isTied = (denial: { value: string }) =>
    tie?.some((one) => one.value === denial.value && placeText(one) === placeText(denial));
  const denials = (result.denials ?? []).filter((one) => one.apart && !isTied(one));
  const denied = denialWords(denials, (denial) => denialDisputed(denial, claims, model));
  const deniedToo = (tie === null ? told : [])
    .filter(({ apart }) => apart)
    .flatMap((one): Part[] => {
      const denials = denialsOf(one, claims);
      if (denials.length === 0) return [];
      const [who, more] = denying(one, denials, model);
      return ['; ', ...who, ' ', { user: answerWord(one.value) }, ...userPart(placeText(one)), ...more];
    });
  const { apart: left } = unlistedOf(result);
  const more = left > 0 ? ['; ', `${said.length > 0 ? 'and ' : ''}${inWords(left)} more`] : [];
  const all = [...said, ...more, ...deniedToo, ...(denied.length === 0 ? [] : ['; ', ...denied])];
  return all.length === 0 ? [] : ['In other scopes or of other times: ', ...all.slice(1), '.'];
}
