import {
  isYesNo,
  likelihoodWord,
  shortAnswer,
  statement,
  type Contribution,
  type Part,
} from '@platform/opinion-fusion';
import { percent } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import {
  capital,
  chanceOf,
  chanceText,
  otherValues,
  moreLikely,
  shownStatus,
  shownValue,
  isOfYesAndNo,
  placeText,
  tiedPair,
  type Rival,
  type Standing,
} from '../../format/words.ts';
import type { Claim, Model, Verdict } from '../../model.ts';
import { distinctionCards, type Side } from '../distinctions/distinction-cards.ts';
import { isOpposite } from '../../components/claim-statement.tsx';

/** What an investigation answers, sentence by sentence. */
export interface Answer {
  readonly verdict: Verdict;
  /** The answer itself, `Probably Wilbur and Orville Wright`, without its chance and full stop. */
  readonly headline: readonly Part[];
  /** `chance 78 %`. */
  readonly chance: string;
  /** The sources that agree and those that disagree. Empty where the reasons are not known. */
  readonly sources: readonly Part[];
  /** What the answer depends on: a sentence for each distinction about it. */
  readonly conditions: readonly (readonly Part[])[];
  /** The evidence that would help most to settle the question; empty where the result names none. */
  readonly next: readonly Part[];
}

/** The verdict that answers the question: the one that the author marked, else the first. */
export function answeringVerdict({
  verdicts,
  presentation: { answer_finding: marked },
}: Pick<Model, 'verdicts' | 'presentation'>): Verdict | undefined {
  const found =
    marked &&
    verdicts.find(
      ({ subjectId, predicate }) => subjectId === marked.subject_id && predicate === marked.predicate,
    );
  return found ?? verdicts[0];
}

/**
 * The answer of an investigation: the verdict that the author marked, or its first, as a person would say it,
 * who says so, what it depends on and what would help most. Null without verdicts. Pure.
 */
export function answerOf(model: Model): Answer | null {
  const verdict = answeringVerdict(model);
  if (!verdict) return null;
  return {
    verdict,
    headline: headlineOf(verdict, {
      isSubjectKnown: isNamed(verdict, { ...model, ...model.judged.result }),
      isValueDenied: isDenied(verdict, model),
    }),
    chance: `chance ${chanceText(verdict.result)}`,
    sources: sourcesOf(verdict, model),
    conditions: conditionsOf(verdict, model),
    next: nextOf(verdict),
  };
}

/** What a verdict says, as a sentence without likelihood and full stop; of a tie, both values. */
export function statementOf({ result, pattern }: Pick<Verdict, 'result' | 'pattern'>): Part[] {
  const { subject_name: subject, predicate, leading_value: leading } = result;
  const proposition = { pattern, subject, predicate, value: leading };
  const tie = tiedPair(result);
  const first: Rival | undefined = result.rival_values?.[0];
  if (tie === null || leading === null) return [...statement(proposition), ...placeOf(first, result)];
  if (isOfYesAndNo(tie)) return ['Whether ', ...statement(proposition)];
  const [one, other] = tie.map((rival) => `${shownValue(rival.value)}${placeText(rival, result)}`);
  return statement({ ...proposition, value: `${one} or ${other}` });
}

/** The scope and time in which a value is said, as a user wrote them. */
function placeOf(rival: Rival | undefined, verdict: Pick<Standing, 'rival_values'>): Part[] {
  const where = placeText(rival, verdict);
  return where === '' ? [] : [{ user: where }];
}

/** Openers of a yes-or-no statement, by the word of ICD 203. */
const THAT: Readonly<Record<string, string>> = {
  'almost no chance': 'There is almost no chance that ',
  'very unlikely': 'It is very unlikely that ',
  unlikely: 'It is unlikely that ',
  'roughly even chance': 'It is open whether ',
  likely: 'It is likely that ',
  'very likely': 'It is very likely that ',
  'almost certain': 'It is almost certain that ',
};
/** Openers of a value that leads, by the word of ICD 203; the others leave the question open. */
const ADVERB: Readonly<Record<string, string>> = {
  likely: 'Probably ',
  'very likely': 'Very probably ',
  'almost certain': 'Almost certainly ',
};

/** Whether the question itself names the subject of a verdict, so that the answer does not need to. */
export function isNamed(
  { result }: Pick<Verdict, 'result'>,
  asked: { readonly subjectById: { readonly size: number }; readonly research_question: string },
): boolean {
  if (asked.subjectById.size === 1) return true;
  const question = asked.research_question.toLowerCase();
  const words = result.subject_name.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.length > 0 && words.every((word) => question.includes(word));
}

/** Whether the verdict is about a value that no source affirms, which is the one denied most. */
function isDenied({ explanation }: Verdict, { claimById }: Model): boolean {
  const leading = claimById.get(explanation?.leading_claim_id ?? '');
  return leading !== undefined && isOpposite(leading);
}

/**
 * The answer that a verdict gives, `Probably Wilbur and Orville Wright`, without its chance and full stop.
 * Pure.
 */
export function headlineOf(
  verdict: Pick<Verdict, 'result' | 'pattern'>,
  { isSubjectKnown, isValueDenied }: { readonly isSubjectKnown: boolean; readonly isValueDenied: boolean },
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
  const tie = tiedPair(result);
  const isOpen = tie !== null && !isOfYesAndNo(tie);
  if (result.leading_value === null || (isYesNo(proposition) && !isOpen)) {
    const said = statement(proposition);
    if (status === 'Neither') return ['There is not enough evidence to say whether ', ...said];
    if (status === 'Both' && word === 'roughly even chance')
      return ['The evidence is divided on whether ', ...said];
    return [...(status === 'Both' ? ['Contested: '] : []), THAT[word]!, ...said];
  }
  const value: Part[] = [...shortAnswer(proposition), ...placeOf(result.rival_values?.[0], result)];
  const about: Part[] = isSubjectKnown ? [] : [{ user: result.subject_name }, ': '];
  const adverb = isSubjectKnown ? ADVERB[word] : ADVERB[word]?.toLowerCase();
  const open = (text: string) => (isSubjectKnown ? text : text.charAt(0).toLowerCase() + text.slice(1));
  const [rival] = otherValues(result);
  const other = rival ? shortAnswer({ ...proposition, value: rival.value }) : [];
  const likelier = isValueDenied ? null : moreLikely(result);
  if (isOpen) {
    const [one, second] = tie.map((each) => [
      ...shortAnswer({ ...proposition, value: each.value }),
      ...placeOf(each, result),
    ]) as [Part[], Part[]];
    return tie[1].apart
      ? [...about, ...one, ' and ', ...second, ' are said in different scopes or of different times']
      : [...about, open('No answer leads: '), ...one, ' and ', ...second, ' are tied'];
  }
  if (status === 'Neither') return [...about, open('Not enough evidence to say; '), ...value, ' leads'];
  if (likelier)
    return [
      ...about,
      open('No answer stands out; '),
      ...shortAnswer({ ...proposition, value: likelier.value }),
      ` (${percent(likelier.chance)}) is more likely than `,
      ...value,
      ', which leads by weight',
    ];
  if (adverb === undefined)
    return [
      ...about,
      open('No answer stands out; '),
      ...value,
      ' leads',
      ...(rival ? [' over ', ...other] : []),
    ];
  return [...about, adverb, ...value, ...(status === 'Both' ? [', though it is contested'] : [])];
}

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const inWords = (value: number) => NUMBERS[value] ?? String(value);

/** `Four sources say so, none known to repeat another; Jane’s says Gustave Whitehead.` */
function sourcesOf({ result, explanation }: Verdict, model: Model): Part[] {
  const tie = tiedPair(result);
  // Who speaks for which of the two stands with the finding.
  if (tie !== null && !isOfYesAndNo(tie)) return [];
  // Without the reasons only one side could be counted.
  if (explanation === null) return [];
  const { source_count: all, independent_source_count: independent, leading_value } = result;
  // The engine counts the sources that agree with the leading claim: those against where the answer is no.
  const isNo =
    leading_value !== null &&
    isYesNo({ subject: '', predicate: '', value: leading_value }) &&
    chanceOf(result) < 0.5;
  const so = isNo ? 'it is not so' : 'so';
  const parts: Part[] = [];
  if (all === 0) parts.push('No source says so directly');
  else if (all === 1) parts.push(`One source says ${so}`);
  else if (independent === all)
    parts.push(`${capital(inWords(all))} sources say ${so}, none known to repeat another`);
  else if (independent === 1)
    parts.push(`${capital(inWords(all))} sources say ${so}, none independent of the others`);
  else parts.push(`${capital(inWords(all))} sources say ${so}, ${inWords(independent)} of them independent`);
  const against = voices(explanation.contributions, isNo ? 'support' : 'opposition');
  // The page of a very large investigation holds only the strongest claims.
  const first = against.map((id) => model.claimById.get(id)).find((claim) => claim !== undefined);
  const others = against.length - (first ? 1 : 0);
  if (first) parts.push('; ', { user: first.actor.name }, ...dissent(first, leading_value, isNo));
  if (others === 1) parts.push(first ? ', and one other disagrees' : '; one source disagrees');
  if (others > 1)
    parts.push(`${first ? ', and' : ';'} ${inWords(others)} ${first ? 'others' : 'sources'} disagree`);
  parts.push('.');
  return parts;
}

/** Ids of one claim of each source that counts on a side of the verdict, the weightiest first. */
function voices(contributions: readonly Contribution[], wanted: Contribution['side']): string[] {
  const ofSide = contributions
    .filter(({ side, counted, route }) => side === wanted && counted > 0 && route === 'voice')
    .toSorted((a, b) => a.counted - b.counted);
  // The weightiest is set last.
  return [
    ...new Map(ofSide.map(({ actor_id, claim_id }) => [actor_id, claim_id ?? ''])).values(),
  ].toReversed();
}

function dissent(claim: Claim, leading: string | null, isNo: boolean): Part[] {
  if (isNo) return [' says it is'];
  if (isOpposite(claim) || leading === null) return [' says it is not so'];
  return [' says ', { user: shortened(shownValue(claim.input.value), 80) }];
}

/** `It depends on what counts as a flight: if …, Wilbur and Orville Wright; if …, Alberto Santos-Dumont.` */
function conditionsOf(verdict: Verdict, model: Model): Part[][] {
  return distinctionCards(model)
    .filter(
      ({ status, a }) =>
        status === 'active' &&
        a.claim?.subject?.id === verdict.subjectId &&
        a.claim.predicate === verdict.predicate,
    )
    .map(({ distinction, a, b }) => [
      'It depends on ',
      { user: distinction.feature },
      ': ',
      ...underCondition(a),
      '; ',
      ...underCondition(b),
      '.',
    ]);
}

/** Without its chance: that of a condition is a share of weight, and would stand beside a calibrated one. */
function underCondition({ condition, claim }: Side): Part[] {
  const says: Part[] = !claim
    ? []
    : isOpposite(claim)
      ? ['it is not so']
      : isYesNo({ subject: '', predicate: '', value: claim.input.value })
        ? ['it is so']
        : [{ user: shownValue(claim.input.value) }];
  return ['if ', { user: lowerFirst(condition) }, ', ', ...says];
}

const lowerFirst = (text: string) =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** The kind of evidence that the result asks for, from the first words of its suggestion. */
function nextOf({ gap }: Verdict): Part[] {
  const wanted = /^Look for (.+?),? on (?:whether )?`/.exec(gap?.suggestion ?? '')?.[1];
  if (wanted === undefined) return [];
  const kind = wanted === 'evidence against' ? 'independent evidence that could speak against it' : wanted;
  return [`Most useful next: ${kind.replace(/Regulator|Expert/g, (type) => type.toLowerCase())}.`];
}
