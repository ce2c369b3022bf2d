import {
  askedOf,
  byWeight,
  deniedWord,
  disputedWords,
  isDeniedTie,
  isYesNo,
  likelihoodWord,
  moreTied,
  namedOfTie,
  opened,
  shortAnswer,
  statement,
  timeAtOdds,
  unlistedOf,
  type Part,
  type Proposition,
} from '@platform/opinion-fusion';
import { eitherOf, orRest, placesOf, togetherParts, userPart, yesAndNo } from './statement-of.ts';
import { percent } from '../../format/numbers.ts';
import {
  answerWord,
  capital,
  chanceOf,
  leadingPlaceText,
  otherValues,
  moreLikely,
  shownStatus,
  isOfYesAndNo,
  isYesOrNo,
  isTieApart,
  tieOf,
  togetherOf,
  type Rival,
  type Standing,
} from '../../format/words.ts';
import { verdictOf, type Model, type Verdict } from '../../model.ts';
import type { Presentation } from '../../snapshot.ts';
import { isOpposite } from '../../components/claim-statement.tsx';

/** Sums of the same numbers in another order differ less. */
export const EQUAL_WITHIN = 1e-9;

/** Openers of a yes-or-no statement, by the word of ICD 203. */
export const THAT: Readonly<Record<string, string>> = {
  'almost no chance': 'There is almost no chance that ',
  'very unlikely': 'It is very unlikely that ',
  unlikely: 'It is unlikely that ',
  'roughly even chance': 'It is uncertain whether ',
  likely: 'It is likely that ',
  'very likely': 'It is very likely that ',
  'almost certain': 'It is almost certain that ',
};
/** Opens a statement that is as likely as not and has evidence on both sides. */
const DIVIDED = 'The evidence is divided on whether ';
/** What a value that leads is said with, by the word of ICD 203; the others leave the question open. */
const ADVERB: Readonly<Record<string, string>> = {
  likely: 'probably',
  'very likely': 'very probably',
  'almost certain': 'almost certainly',
};

/**
 * Whether the question asks for the value of a verdict, so that the value alone answers it. Only its author
 * knows: of a finding that is not marked the whole sentence is said.
 */
export function asksForValue(
  verdict: Pick<Verdict, 'result' | 'subjectId' | 'predicate'>,
  asked: { readonly subjects: number; readonly question: string; readonly presentation: Presentation },
): boolean {
  const question = asked.question.toLowerCase();
  if (!verdictOf([verdict], asked.presentation.answer_finding)) return false;
  if (!/\b(who|whom|whose|what|which|when|where|why|how)\b/.test(question)) return false;
  if (asked.subjects === 1) return true;
  const words = verdict.result.subject_name.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.length > 0 && words.every((word) => question.includes(word));
}

/** Whether the verdict is about a value that no source affirms, which is the one denied most. */
export function isDenied({ explanation }: Verdict, { claimById }: Model): boolean {
  const leading = claimById.get(explanation?.leading_claim_id ?? '');
  return leading !== undefined && isOpposite(leading);
}

/**
 * The answer that a verdict gives as a sentence without its chance and full stop, behind one that names the
 * scopes and times in which what holds is disputed: `What holds from 1938 on is disputed. The owner …`. Pure.
 */
export const headlineOf = (...said: Parameters<typeof answerSentence>): Part[] => [
  ...disputedWords(said[0].result),
  ...answerSentence(...said),
];

/**
 * The answer that a verdict gives as a sentence without its chance and full stop: `The cause of the collapse
 * was probably a ship collision`, or `Probably Wilbur and Orville Wright` where the question asks for it.
 * Pure.
 */
function answerSentence(
  verdict: Pick<Verdict, 'result' | 'pattern'>,
  {
    isValueAsked,
    isValueDenied,
  }: {
    readonly isValueAsked: boolean;
    readonly isValueDenied: boolean;
  },
): Part[] {
  const result: Verdict['result'] & Standing = verdict.result;
  const proposition = {
    subject: result.subject_name,
    predicate: result.predicate,
    value: result.leading_value,
    pattern: verdict.pattern,
  };
  const status = shownStatus(result);
  const word = likelihoodWord(chanceOf(result));
  const tie = tieOf(result);
  const isOpen = tie !== null && !isOfYesAndNo(tie);
  const likelier = isValueDenied && !isYesNo(proposition) ? null : likelierPart(result);
  const orLikelier: Part[] = likelier ? ['; ', ...likelier] : [];
  const contested = [...(status === 'Both' ? [', though it is contested'] : []), ...orLikelier];
  if (isOpen) return [...tiedHeadline(tie, result, proposition, isValueAsked), ...orLikelier];
  const place = userPart(leadingPlaceText(result));
  // Yes and no that are tied beside a third answer are each less likely than not.
  const isDivided = status === 'Both' && (tie !== null || word === 'roughly even chance');
  const said = (opener: string) => [...opened(opener, proposition), ...place];
  if (result.no_value_counts) return ['There is not enough evidence on ', ...askedOf(proposition)];
  const others = othersNamed(result, isValueDenied);
  if (status === 'Neither' && others === null)
    return [...said('There is not enough evidence to say whether '), ...orLikelier];
  if (result.leading_value === null || isYesNo(proposition)) {
    return isDivided ? [...said(DIVIDED), ...orLikelier] : [...said(THAT[word]!), ...contested];
  }
  const adverb = ADVERB[word];
  const value: Part[] = [...shortAnswer(proposition), ...place];
  const together = isValueDenied ? null : togetherOf(result);
  if (together) return togetherHeadline(together, result, proposition, { isValueAsked, contested });
  if (others === null) {
    if (adverb === undefined) return isDivided ? said(DIVIDED) : [...said(THAT[word]!), ...contested];
    return isValueAsked
      ? [capital(adverb), ' ', ...value, ...contested]
      : [...statement(proposition, { adverb }), ...place, ...contested];
  }
  const { named, rest } = others;
  const times = named.map((one) => timeAtOdds(one, result.rival_values));
  // Of values of several times, each is told with its own.
  const isTimed = !isValueAsked && times.some((time) => time !== '');
  const first: Part[] = [{ user: answerWord(result.leading_value) }, ...(isTimed ? [] : place)];
  const own = isTimed ? leadingPlaceText(result) : '';
  const either = [result.leading_value, ...named.map((one) => one.value)].map((one, index, all) => ({
    value: one,
    place: `${[own, ...times][index]!}${index === all.length - 1 && rest !== null ? orRest(rest) : ''}`,
  }));
  const open: Part[] = isValueAsked
    ? ['No answer stands out; ']
    : [...opened('It is uncertain whether ', { ...proposition, either }), '; '];
  if (likelier) return [...open, ...likelier, ' than ', ...first, ', which leads by weight'];
  return [...open, ...first, ' leads', ...(isValueAsked ? [' over ', ...listedParts(others, result)] : [])];
}

/** `Smith (97 %) is more likely`; null where nothing is likelier than what leads, or than what is tied. */
function likelierPart(result: Standing): Part[] | null {
  const likeliest = likeliestOthers(result);
  if (!likeliest) return null;
  const { named } = likeliest;
  const chance = percent(chanceOf(named[0]!));
  return [
    ...listedParts(likeliest, result),
    ` (${chance}${named.length > 1 ? ' each) are' : ') is'} more likely`,
  ];
}

/** The values that are likelier than what leads by weight, all that are as likely; null where none is. */
export function likeliestOthers(result: Standing) {
  const likelier = moreLikely(result);
  const isAsLikely = (one: Rival) => Math.abs(chanceOf(one) - likelier!.chance) < EQUAL_WITHIN;
  return likelier && namedOfTie(byWeight(otherValues(result).filter(isAsLikely)).flat());
}

/** `Bears, Crows and Tigers`. */
function listedParts(
  { named, rest }: ReturnType<typeof namedOfTie<Rival>>,
  { rival_values }: Standing,
): Part[] {
  const last = rest === null ? named.length - 1 : named.length;
  return [
    ...named.flatMap((one, index): Part[] => [
      index === 0 ? '' : index === last ? ' and ' : ', ',
      { user: answerWord(one.value) },
      ...userPart(timeAtOdds(one, rival_values)),
    ]),
    ...(rest === null ? [] : [` and ${rest}`]),
  ];
}

/** Of likely values of several scopes and times; the least likely chooses the word. */
function togetherHeadline(
  together: readonly Rival[],
  result: Standing,
  proposition: Proposition,
  { isValueAsked, contested }: { readonly isValueAsked: boolean; readonly contested: readonly Part[] },
): Part[] {
  const adverb = ADVERB[likelihoodWord(Math.min(...together.map(chanceOf)))]!;
  const [value, rest] = togetherParts(together, result, proposition);
  const said = { ...proposition, value };
  const first = isValueAsked ? [capital(adverb), ' ', ...shortAnswer(said)] : statement(said, { adverb });
  return [...first, ...rest, ...contested];
}

/**
 * The values that a headline without tie names besides the leading one, all that are equal, and how many
 * more of them there are; null where it names one alone.
 */
export function othersNamed(result: Verdict['result'] & Standing, isValueDenied: boolean) {
  const { leading_value: value } = result;
  if (value === null || isYesNo({ subject: '', predicate: '', value })) return null;
  const likeliest = isValueDenied ? null : likeliestOthers(result);
  if (likeliest) return likeliest;
  if (shownStatus(result) === 'Neither') return null;
  if (ADVERB[likelihoodWord(chanceOf(result))] !== undefined) return null;
  const others = otherValues(result);
  const [equal] = byWeight(others);
  // Values that are not listed weigh no more than the last one that is.
  return equal ? namedOfTie(equal, equal.length < others.length ? 0 : unlistedOf(result).competing) : null;
}

const DEPENDS = 'It depends on the scope or time whether ';

/** Of values of which none leads. */
function tiedHeadline(
  tie: readonly Rival[],
  result: Standing,
  proposition: Proposition,
  isValueAsked: boolean,
): Part[] {
  const isApart = isTieApart(tie);
  const isOnlyDenied = isDeniedTie(tie);
  if (isApart && tie.every(isYesOrNo)) return yesAndNo(DEPENDS, tie, result, proposition);
  if (!isValueAsked)
    return opened(
      isOnlyDenied
        ? `Sources ${deniedWord(tie) === 'denied' ? '' : 'only '}deny that `
        : isApart
          ? DEPENDS
          : 'It is undecided whether ',
      {
        ...proposition,
        either: eitherOf(tie, result),
      },
    );
  const { named, rest } = namedOfTie(tie, moreTied(result));
  const last = rest === null ? named.length - 1 : named.length;
  const places = placesOf(named);
  const values = named.flatMap(({ value }, index): Part[] => [
    ...(index === 0 ? [] : [index === last ? ' and ' : ', ']),
    ...shortAnswer({ ...proposition, value }),
    ...userPart(places[index]!),
  ]);
  const all = [...values, ...(rest === null ? [] : [` and ${rest}`])];
  if (isOnlyDenied) return ['No answer leads; ', ...all, ` are ${deniedWord(tie)}`];
  return isApart
    ? [...all, ' are said in different scopes or of different times']
    : ['No answer leads; ', ...all, ' are tied'];
}
