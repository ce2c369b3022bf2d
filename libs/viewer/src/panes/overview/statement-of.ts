import {
  askedOf,
  listed,
  moreTied,
  namedOfTie,
  opened,
  shortAnswer,
  statement,
  type Alternative,
  type Part,
  type Proposition,
} from '@platform/opinion-fusion';
import {
  answerWord,
  isInTime,
  isOfYesAndNo,
  isYesOrNo,
  leadingPlaceText,
  moreTogether,
  placeText,
  tieOf,
  togetherOf,
  type Rival,
  type Standing,
} from '../../format/words.ts';
import type { Verdict } from '../../model.ts';

/** What a verdict says, as a sentence without likelihood and full stop; of a tie, its values. */
export function statementOf({ result, pattern }: Pick<Verdict, 'result' | 'pattern'>): Part[] {
  const { subject_name: subject, predicate, leading_value: leading } = result;
  if (result.no_value_counts) return ['On ', ...askedOf({ subject, predicate })];
  const proposition = { pattern, subject, predicate, value: leading };
  const tie = tieOf(result);
  const place = userPart(leadingPlaceText(result));
  const together = togetherOf(result);
  if (together) {
    const [first, rest] = togetherParts(together, result, proposition);
    return [...statement({ ...proposition, value: first }), ...rest];
  }
  if (tie === null || leading === null) return [...statement(proposition), ...place];
  if (isOfYesAndNo(tie)) return [...opened('Whether ', proposition), ...place];
  if (tie.every(isYesOrNo)) return yesAndNo('Whether ', tie, result, proposition);
  return statement({ ...proposition, either: eitherOf(tie, result) });
}

/** `Whether Cannabis is legal: yes (in Malta) and no (in Rome)`: “is legal true or false” is no clause. */
export function yesAndNo(
  opener: string,
  tie: readonly Rival[],
  verdict: Standing,
  said: Proposition,
): Part[] {
  const { named, rest } = namedOfTie(tie, moreTied(verdict));
  const answers = named.map((one) => `${answerWord(one.value)}${placeText(one)}`);
  const user = listed(rest === null ? answers : [...answers, rest]);
  return [...opened(opener, { ...said, value: 'true' }), ': ', { user }];
}

/** The first of the values of several scopes and times, and what follows it: its place, and the others. */
export function togetherParts(
  together: readonly Rival[],
  verdict: Standing,
  said: Proposition,
): readonly [string, Part[]] {
  const { named, rest } = namedOfTie(together, moreTogether(together, verdict));
  const [first, ...others] = named as readonly [Rival, ...Rival[]];
  const last = rest === null ? others.at(-1) : undefined;
  const joint = isInTime(together) ? ', then ' : ' and ';
  return [
    first.value,
    [
      ...userPart(placeText(first)),
      ...others.flatMap((one): Part[] => [
        joint === ' and ' && one !== last ? ', ' : joint,
        ...shortAnswer({ ...said, value: one.value }),
        ...userPart(placeText(one)),
      ]),
      ...(rest === null ? [] : [` and ${rest}`]),
    ],
  ];
}

/** The named values of a tie, each with its scope and time; those that all have stand behind the last. */
export function eitherOf(tie: readonly Rival[], verdict: Standing): readonly Alternative[] {
  const { named, rest } = namedOfTie(tie, moreTied(verdict));
  const places = placesOf(named);
  const last = named.length - 1;
  return named.map(({ value }, index) => ({
    value,
    place: places[index]! + (index === last && rest !== null ? orRest(rest) : ''),
  }));
}

/** Scope and time of each value; those that all have only of the last. */
export function placesOf(named: readonly Rival[]): readonly string[] {
  const places = named.map(placeText);
  const isShared = places.every((place) => place === places[0]);
  return places.map((place, index) => (isShared && index < places.length - 1 ? '' : place));
}

/** `, or one of two more`. */
export const orRest = (rest: string) =>
  rest === 'others' ? ', or another' : `, or ${rest === 'one more' ? rest : `one of ${rest}`}`;

/** A text as a user wrote it; nothing where it is empty. */
export const userPart = (text: string): Part[] => (text === '' ? [] : [{ user: text }]);
