import {
  byWeight,
  isDeniedTie,
  isYesNo,
  likelihoodWord,
  namedOfTie,
  opened,
  shortAnswer,
  statement,
  type Contribution,
  textOf,
  type Part,
  type Proposition,
} from '@platform/opinion-fusion';
import { guessedFinding } from './guessed-finding.ts';
import { eitherOf, orRest, placesOf, togetherParts, userPart } from './statement-of.ts';
import { evidenceOf, isBacking, isDispute, isSpoken, voicesOf, type Voices } from './sides.ts';
import { percent } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import {
  answerWord,
  capital,
  chanceOf,
  chanceText,
  leadingPlaceText,
  otherValues,
  moreLikely,
  placeText,
  sameWords,
  shownStatus,
  isOfYesAndNo,
  isTieApart,
  tieOf,
  togetherOf,
  valuesApart,
  type Rival,
  type Standing,
} from '../../format/words.ts';
import { verdictOf, type Claim, type Model, type Verdict } from '../../model.ts';
import type { AnswerWords, Presentation } from '../../snapshot.ts';
import { distinctionCards, type Side } from '../distinctions/distinction-cards.ts';
import { isOpposite } from '../../components/claim-statement.tsx';

/** What an investigation answers, with the verdict that answers it. */
export interface Answer extends AnswerWords {
  readonly verdict: Verdict;
}

/**
 * The verdict that answers the question: the one that the author marked, else the one that its words are
 * guessed to ask for. Pure.
 */
export function answeringVerdict<Found extends Pick<Verdict, 'subjectId' | 'predicate' | 'result'>>(
  verdicts: readonly Found[],
  { answer_finding }: Presentation,
  question: string,
): Found | undefined {
  const marked = verdictOf(verdicts, answer_finding);
  if (marked) return marked;
  const guessed = guessedFinding(
    verdicts.map(({ result }) => result),
    question,
  );
  return verdicts.find(({ result }) => result === guessed);
}

/**
 * The answer of an investigation: the verdict that answers the question as a person would say it, who says
 * so, what it depends on and what would help most. Null without verdicts. Pure.
 */
export function answerOf(model: Model): Answer | null {
  const { research_question: question } = model.judged.result;
  const verdict = answeringVerdict(model.verdicts, model.presentation, question);
  if (!verdict) return null;
  return {
    verdict,
    finding: { subject_id: verdict.subjectId, predicate: verdict.predicate },
    headline: headlineOf(verdict, {
      isValueAsked: asksForValue(verdict, {
        subjects: model.subjectById.size,
        question,
        presentation: model.presentation,
      }),
      isValueDenied: isDenied(verdict, model),
    }),
    chance: `chance ${chanceText(verdict.result)}`,
    sources: sourcesOf(verdict, model),
    conditions: conditionsOf(verdict, model),
    next: nextOf(verdict, model),
  };
}

/** Openers of a yes-or-no statement, by the word of ICD 203. */
const THAT: Readonly<Record<string, string>> = {
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
function isDenied({ explanation }: Verdict, { claimById }: Model): boolean {
  const leading = claimById.get(explanation?.leading_claim_id ?? '');
  return leading !== undefined && isOpposite(leading);
}

/**
 * The answer that a verdict gives as a sentence without its chance and full stop: `The cause of the collapse
 * was probably a ship collision`, or `Probably Wilbur and Orville Wright` where the question asks for it.
 * Pure.
 */
export function headlineOf(
  verdict: Pick<Verdict, 'result' | 'pattern'>,
  { isValueAsked, isValueDenied }: { readonly isValueAsked: boolean; readonly isValueDenied: boolean },
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
  const contested = status === 'Both' ? [', though it is contested'] : [];
  if (isOpen) return tiedHeadline(tie, proposition, isValueAsked);
  const place = userPart(leadingPlaceText(result));
  const isDivided = status === 'Both' && word === 'roughly even chance';
  const said = (opener: string) => [...opened(opener, proposition), ...place];
  if (status === 'Neither') return said('There is not enough evidence to say whether ');
  if (result.leading_value === null || isYesNo(proposition)) {
    return isDivided ? said(DIVIDED) : [...said(THAT[word]!), ...contested];
  }
  const adverb = ADVERB[word];
  const value: Part[] = [...shortAnswer(proposition), ...place];
  const others = othersNamed(result, isValueDenied);
  const together = isValueDenied ? null : togetherOf(result);
  if (together) return togetherHeadline(together, proposition, { isValueAsked, contested });
  if (others === null) {
    if (adverb === undefined) return isDivided ? said(DIVIDED) : [...said(THAT[word]!), ...contested];
    return isValueAsked
      ? [capital(adverb), ' ', ...value, ...contested]
      : [...statement(proposition, { adverb }), ...place, ...contested];
  }
  const likelier = isValueDenied ? null : moreLikely(result);
  const { named, rest } = others;
  const last = rest === null ? named.length - 1 : named.length;
  const second: Part[] = [
    ...named.flatMap(({ value: other }, index): Part[] => [
      index === 0 ? '' : index === last ? ' and ' : ', ',
      { user: answerWord(other) },
    ]),
    ...(rest === null ? [] : [` and ${rest}`]),
  ];
  const first: Part[] = [{ user: answerWord(result.leading_value) }, ...place];
  const either = [result.leading_value, ...named.map((one) => one.value)].map((one, index, all) => ({
    value: one,
    place: index === all.length - 1 && rest !== null ? orRest(rest) : '',
  }));
  const open: Part[] = isValueAsked
    ? ['No answer stands out; ']
    : [...opened('It is uncertain whether ', { ...proposition, either }), '; '];
  if (likelier)
    return [
      ...open,
      ...second,
      ` (${percent(likelier.chance)}${named.length > 1 ? ' each) are' : ') is'} more likely than `,
      ...first,
      ', which leads by weight',
    ];
  return [...open, ...first, ' leads', ...(isValueAsked ? [' over ', ...second] : [])];
}

/** Of likely values of several scopes and times; the least likely chooses the word. */
function togetherHeadline(
  together: readonly Rival[],
  proposition: Proposition,
  { isValueAsked, contested }: { readonly isValueAsked: boolean; readonly contested: readonly string[] },
): Part[] {
  const adverb = ADVERB[likelihoodWord(Math.min(...together.map(chanceOf)))]!;
  const [value, rest] = togetherParts(together, proposition);
  const said = { ...proposition, value };
  const first = isValueAsked ? [capital(adverb), ' ', ...shortAnswer(said)] : statement(said, { adverb });
  return [...first, ...rest, ...contested];
}

/**
 * The values that a headline without tie names besides the leading one, all that are equal, and how many
 * more of them there are; null where it names one alone.
 */
function othersNamed(result: Verdict['result'] & Standing, isValueDenied: boolean) {
  const { leading_value: value } = result;
  if (value === null || isYesNo({ subject: '', predicate: '', value })) return null;
  if (shownStatus(result) === 'Neither') return null;
  const likelier = isValueDenied ? null : moreLikely(result);
  const others = otherValues(result);
  if (likelier) {
    const isAsLikely = (one: Rival) => Math.abs(chanceOf(one) - likelier.chance) < EQUAL_WITHIN;
    return namedOfTie(byWeight(others.filter(isAsLikely)).flat());
  }
  if (ADVERB[likelihoodWord(chanceOf(result))] !== undefined) return null;
  const [equal] = byWeight(others);
  return equal ? namedOfTie(equal) : null;
}

/** Of values of which none leads. */
function tiedHeadline(tie: readonly Rival[], proposition: Proposition, isValueAsked: boolean): Part[] {
  const isApart = isTieApart(tie);
  const isOnlyDenied = isDeniedTie(tie);
  if (!isValueAsked)
    return opened(
      isOnlyDenied
        ? 'Sources only deny that '
        : isApart
          ? 'It depends on the scope or time whether '
          : 'It is undecided whether ',
      {
        ...proposition,
        either: eitherOf(tie),
      },
    );
  const { named, rest } = namedOfTie(tie);
  const last = rest === null ? named.length - 1 : named.length;
  const places = placesOf(named);
  const values = named.flatMap(({ value }, index): Part[] => [
    ...(index === 0 ? [] : [index === last ? ' and ' : ', ']),
    ...shortAnswer({ ...proposition, value }),
    ...userPart(places[index]!),
  ]);
  const all = [...values, ...(rest === null ? [] : [` and ${rest}`])];
  if (isOnlyDenied) return ['No answer leads; ', ...all, ' are only denied'];
  return isApart
    ? [...all, ' are said in different scopes or of different times']
    : ['No answer leads; ', ...all, ' are tied'];
}

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const inWords = (value: number) => NUMBERS[value] ?? String(value);

/**
 * `Four independent sources say so; Jane’s says Gustave Whitehead, and one other disagrees.` Sources that are
 * not, or may not be, independent of these are named as such, on either side. A source that says both is told
 * with those that say so, and disagrees with nobody. Sources that speak about a claim dispute or support it,
 * and evidence is told as evidence.
 */
function sourcesOf(verdict: Verdict, model: Model): Part[] {
  const { result, explanation } = verdict;
  const tie = tieOf(result);
  if (tie !== null && isDeniedTie(tie)) return deniersOf(tie);
  // Who speaks for which of the two stands with the finding.
  if (tie !== null && !isOfYesAndNo(tie)) return [];
  // Without the reasons only one side could be counted.
  if (explanation === null) return [];
  const { leading_value } = result;
  // The engine counts the sources that agree with the leading claim: those against where the answer is no.
  const isNo =
    leading_value !== null &&
    isYesNo({ subject: '', predicate: '', value: leading_value }) &&
    chanceOf(result) < 0.5;
  const isDenial = isDenied(verdict, model);
  const others = isDenial ? null : othersNamed(result, isDenial);
  const isOneOfSeveral = others !== null || (!isDenial && togetherOf(result) !== null);
  const leadingText = (): Part => ({
    user: `${answerWord(leading_value!)}${others === null ? leadingPlaceText(result) : ''}`,
  });
  const so: Part = isNo ? 'it is not so' : isOneOfSeveral ? leadingText() : 'so';
  const onSide = (isAgreed: boolean) =>
    explanation.contributions.filter(({ side }) => ((side === 'support') !== isNo) === isAgreed);
  const [agreed, other] = [true, false].map((isAgreed) =>
    onSide(isAgreed).filter((one) => isSpoken(one) && !isBacking(one)),
  ) as [Contribution[], Contribution[]];
  const idsOf = (list: readonly Contribution[]) => new Set(list.map(({ actor_id }) => actor_id));
  const saying = idsOf(agreed.filter(isVoice));
  const said = agreed.filter(({ actor_id }) => saying.has(actor_id));
  const without = (list: readonly Contribution[], ids: ReadonlySet<string | null>) =>
    list.filter(({ actor_id }) => !ids.has(actor_id));
  const behind = without(agreed, saying);
  const turned = [...idsOf(other.filter(isVoice))].filter((id) => saying.has(id));
  const turnedOn = [...idsOf(without(other, new Set(turned)))].filter((id) => saying.has(id));
  const dissents = without(other, saying);
  const [agreeing, behindIt, dissenting] = [said, behind, dissents].map(voicesOf) as [Voices, Voices, Voices];
  const { independent } = agreeing;
  const of: Part = isOneOfSeveral ? so : 'it';
  const [ours, theirs] = isNo ? (['against', 'for'] as const) : (['for', 'against'] as const);
  const about = (names: readonly Part[], isMany: boolean, side: 'for' | 'against', what = of): Part[] => [
    ...names,
    ` ${side === 'for' ? 'support' : 'dispute'}${isMany ? '' : 's'} `,
    what,
  ];
  const items = (list: readonly Contribution[], side: 'for' | 'against', what: Part): Part[] | null => {
    const { length } = evidenceOf(list);
    if (length === 0) return null;
    const verb = length === 1 ? 'item of evidence speaks' : 'items of evidence speak';
    return [`${inWords(length)} ${verb} ${side} `, what];
  };
  const namesOf = (ids: readonly string[]): Part[] => {
    const [first, ...rest] = ids;
    const name = model.claimById.get(first ?? '')?.actor.name ?? '';
    return [{ user: name }, ...(rest.length > 0 ? [` and ${othersInWords(rest.length)}`] : [])];
  };
  const supporters = voices(behind, model);
  const parts: Part[] = [];
  if (independent > 0)
    parts.push(
      independent === 1 ? 'One source says ' : `${capital(inWords(independent))} independent sources say `,
      so,
    );
  else if (supporters.length === 0)
    parts.push(...(isNo ? ['No source says that it is not so'] : ['No source says ', so, ' directly']));
  if (agreeing.copies > 0) parts.push(`, and ${further(agreeing, independent)}`);
  if (supporters.length > 0)
    parts.push(
      ...(independent > 0 ? [', and '] : []),
      ...about(namesOf(supporters), supporters.length > 1, ours),
    );
  if (behindIt.copies > 0)
    parts.push(
      `, and so ${behindIt.copies === 1 ? 'does' : 'do'} ${further(behindIt, independent + supporters.length)}`,
    );
  const ownItems = items(onSide(true), ours, of);
  if (ownItems && (isNo || independent + supporters.length > 0))
    parts.push(independent + supporters.length === 0 ? ', but ' : ', and ', ...ownItems);
  const turns = turned.map((id) => turnOf(id, verdict, model, isNo));
  if (turns.length > 0) parts.push(...turnsText(turns, saying.size));
  if (turnedOn.length > 0) {
    const who = saying.size === 1 ? 'it' : `${inWords(turnedOn.length)} of them`;
    const verb = isNo ? 'support' : 'dispute';
    parts.push(`, though ${who} also ${verb}${turnedOn.length === 1 ? 's' : ''} one of these claims`);
  }
  const voiced = dissents.filter(isVoice);
  const against = voices(voiced, model);
  const byView = new Map<string, readonly [Claim, ...Claim[]]>();
  for (const claim of against.flatMap((id) => model.claimById.get(id) ?? [])) {
    const view = textOf(dissent(claim, leading_value, isNo));
    byView.set(view, [...(byView.get(view) ?? []), claim] as unknown as [Claim]);
  }
  const groups = [...byView.values()];
  // The values that line one names are quoted; where it names none, the weightiest.
  const quoted = (others?.named ?? []).flatMap(({ value }) =>
    groups.filter(([{ input }]) => sameWords(input.value, value)),
  );
  const told = quoted.length > 0 ? quoted : groups.slice(0, 1);
  const rest = against.length - told.flat().length;
  for (const [index, [claim, ...more]] of told.entries()) {
    const isLast = rest === 0 && index === told.length - 1;
    parts.push(index === 0 ? '; ' : isLast ? ', and ' : ', ', { user: claim.actor.name });
    if (more.length > 0) parts.push(` and ${othersInWords(more.length)}`);
    parts.push(more.length > 0 ? ' say ' : ' says ', ...dissent(claim, leading_value, isNo));
  }
  if (rest > 0 && told.length > 0)
    parts.push(`, and ${inWords(rest)} ${rest === 1 ? 'other disagrees' : 'others disagree'}`);
  const first = told[0]?.[0];
  // Behind another value, “it” would be read as that one.
  const isOtherValue = first !== undefined && !isNo && !isOpposite(first) && leading_value !== null;
  const theirOf = isOtherValue ? leadingText() : of;
  const speaking = idsOf(voiced.filter(({ counted }) => counted > 0));
  const disputers = voices(without(dissents, speaking), model);
  if (disputers.length > 0)
    parts.push(first ? ', and ' : '; ', ...about(namesOf(disputers), disputers.length > 1, theirs, theirOf));
  const all = against.length + disputers.length;
  if (all > 0 && dissenting.copies > 0)
    parts.push(`, and so ${dissenting.copies === 1 ? 'does' : 'do'} ${further(dissenting, all)}`);
  const theirItems = items(onSide(false), theirs, theirOf);
  if (theirItems) parts.push(all > 0 ? ', and ' : '; ', ...theirItems);
  parts.push(...aboutClaims(explanation.contributions, 'support', model));
  parts.push(...aboutClaims(explanation.contributions, 'dispute', model));
  parts.push('.', ...elsewhere(result), ...(isDenial ? [] : olderValue(verdict, model)));
  return parts;
}

/** `Two sources deny Smith; one source denies Jones.` */
function deniersOf(tie: readonly Rival[]): Part[] {
  const { named } = namedOfTie(tie);
  const places = placesOf(named);
  const said = named.flatMap(({ value, source_count: count = 0 }, index): Part[] => [
    `${index === 0 ? '' : '; '}${inWords(count)} ${count === 1 ? 'source denies ' : 'sources deny '}`,
    { user: shortened(answerWord(value), 80) },
    ...userPart(places[index]!),
  ]);
  return [capital(said[0] as string), ...said.slice(1), '.'];
}

/** ` In other scopes or of other times: 19 % (in standard), chance 88 %.`: what line one does not name. */
function elsewhere(result: Standing): Part[] {
  const apart = togetherOf(result)
    ? []
    : byWeight(valuesApart(result).filter(({ denied }) => !denied)).flat();
  if (apart.length === 0) return [];
  const { named, rest } = namedOfTie(apart);
  return [
    ' In other scopes or of other times: ',
    ...named.flatMap((one, index): Part[] => [
      index === 0 ? '' : '; ',
      { user: `${answerWord(one.value)}${placeText(one)}` },
      `, chance ${percent(chanceOf(one))}`,
    ]),
    ...(rest === null ? [] : [`; and ${rest}`]),
    '.',
  ];
}

/** `; Curator disputes what Historian says`: sources whose claims about a claim count in its weight alone. */
function aboutClaims(all: readonly Contribution[], verb: 'support' | 'dispute', model: Model): Part[] {
  const spoken = all.filter(verb === 'support' ? isBacking : isDispute);
  const nameOf = (id: string | null | undefined) => model.claimById.get(id ?? '')?.actor.name ?? '';
  const target = nameOf(spoken[0]?.target_claim_id);
  const names = (isTarget: boolean) => [
    ...new Set(
      spoken
        .filter((one) => (nameOf(one.target_claim_id) === target) === isTarget)
        .map(({ claim_id }) => nameOf(claim_id)),
    ),
  ];
  const [first, ...others] = names(true);
  if (!first || target === '') return [];
  const elsewhere = names(false).length;
  const who: Part[] = [
    { user: first },
    ...(others.length > 0 ? [` and ${othersInWords(others.length)}`] : []),
  ];
  return [
    '; ',
    ...who,
    ` ${verb}${others.length > 0 ? '' : 's'} what `,
    { user: target },
    ' says',
    ...(elsewhere > 0
      ? [`, and ${inWords(elsewhere)} ${verb}${elsewhere === 1 ? 's' : ''} what others say`]
      : []),
  ];
}

const isVoice = ({ route }: Contribution) => route === 'voice';
/** `one other`, `two others`. */
const othersInWords = (count: number) => `${inWords(count)} ${count === 1 ? 'other' : 'others'}`;

/** `two more that are not independent of them`; that they may not be where nobody declared so. */
const further = ({ copies, suspected }: Voices, of: number) =>
  `${inWords(copies)} more that ${suspected ? 'may not be' : copies === 1 ? 'is not' : 'are not'} independent of ${of === 1 ? 'it' : 'them'}`;

/** A source that says the answer and something else. */
interface Turn {
  readonly name: string;
  /** Whether it said the other before, or says it by now; `also` where times do not tell. */
  readonly when: 'before' | 'now' | 'also';
  /** The other; null where it is no other value. */
  readonly value: string | null;
}

/** By the side of what the source said last, repetitions among it. */
function turnOf(actor: string | null, verdict: Verdict, { claimById }: Model, isNo: boolean): Turn {
  const says = ({ input }: Claim) => JSON.stringify([input.value, isOpposite({ input }), input.scope ?? '']);
  const sides = new Map<string, boolean>();
  for (const { actor_id, claim_id, route, side } of verdict.explanation!.contributions) {
    const claim = actor_id === actor && route === 'voice' ? claimById.get(claim_id ?? '') : undefined;
    if (claim) sides.set(says(claim), (side === 'support') !== isNo);
  }
  const own = verdict.claims
    .filter(({ actor: { id }, input }) => id === actor && !input.target_claim_id)
    .map((claim) => ({
      claim,
      isSo: sides.get(says(claim)),
      time: Date.parse(claim.input.assertion_time ?? ''),
    }));
  // NaN, which equals nothing, where one has no time.
  const last = Math.max(...own.map(({ time }) => time));
  const latest = own.filter(({ time }) => time === last);
  const isLast = (isSo: boolean) => latest.length > 0 && latest.every((one) => one.isSo === isSo);
  const when = isLast(true) ? 'before' : isLast(false) ? 'now' : 'also';
  const others = (when === 'now' ? latest : own).filter(({ isSo }) => isSo === false);
  const values = others.map(({ claim }) => (isNo || isOpposite(claim) ? null : claim.input.value));
  return {
    name: own[0]?.claim.actor.name ?? '',
    when,
    value: new Set(values).size === 1 ? values[0]! : null,
  };
}

/** `, though one of them, Reuters, said 12 before`; `of` is how many sources say so. */
function turnsText(turns: readonly Turn[], of: number): Part[] {
  const [{ name, when: first, value }] = turns as [Turn];
  const isOne = turns.length === 1;
  const when = turns.every((turn) => turn.when === first) ? first : 'also';
  const who: Part[] =
    of === 1
      ? ['it']
      : isOne
        ? ['one of them, ', { user: name }, ',']
        : [`${turns.length < of ? inWords(turns.length) : of === 2 ? 'both' : 'all'} of them`];
  const verb = when === 'before' ? 'said' : isOne ? 'says' : 'say';
  const what: Part = isOne && value !== null ? { user: shortened(answerWord(value), 80) } : 'otherwise';
  const end = when === 'before' ? ' before' : when === 'now' ? ' by now' : '';
  return [', though ', ...who, ` ${when === 'also' ? 'also ' : ''}${verb} `, what, end];
}

/** Ids of one claim of each source that counts, the weightiest first, the equal ones by names. */
function voices(contributions: readonly Contribution[], { claimById }: Model): string[] {
  const said = ({ claim_id }: Contribution) => {
    const claim = claimById.get(claim_id ?? '');
    return claim ? `${claim.actor.name}\n${claim.input.value}` : '';
  };
  const weights = new Map<string | null, number>();
  for (const { actor_id: id, counted } of contributions)
    if (counted > 0) weights.set(id, Math.max(weights.get(id) ?? 0, rounded(counted)));
  // Of several claims of a source that are alike, the engine counts one by its id.
  const ordered = contributions
    .filter(({ actor_id }) => weights.has(actor_id))
    .toSorted(
      (a, b) =>
        weights.get(b.actor_id)! - weights.get(a.actor_id)! ||
        rounded(b.offered) - rounded(a.offered) ||
        (said(a) < said(b) ? -1 : 1),
    );
  const first = new Map(ordered.toReversed().map(({ actor_id, claim_id }) => [actor_id, claim_id ?? '']));
  return [...new Set(ordered.map(({ actor_id }) => first.get(actor_id)!))];
}

/** Sums of the same numbers in another order differ less. */
const rounded = (items: number) => Math.round(items / EQUAL_WITHIN);
const EQUAL_WITHIN = 1e-9;

/** What a source says that disagrees, after `says`. */
function dissent(claim: Claim, leading: string | null, isNo: boolean): Part[] {
  if (isNo) return ['it is'];
  if (isOpposite(claim) || leading === null) return ['it is not so'];
  return [{ user: shortened(answerWord(claim.input.value), 80) }];
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

/** What a side says; where that is less likely than not under its condition, with the word for its chance. */
function underCondition({ condition, claim, chance }: Side): Part[] {
  const word = chance !== null && chance < EVEN ? likelihoodWord(chance) : null;
  const says: Part[] = !claim
    ? []
    : isOpposite(claim)
      ? [word === null ? 'it is not so' : `it is ${word} not to be so`]
      : isYesNo({ subject: '', predicate: '', value: claim.input.value })
        ? [word === null ? 'it is so' : `it is ${word} to be so`]
        : [{ user: answerWord(claim.input.value) }, ...(word === null ? [] : [` is ${word}`])];
  return ['if ', { user: lowerFirst(condition) }, ', ', ...says];
}

/** A chance that no rounding puts below one half. Probability. */
const EVEN = 0.5 - 1e-9;

const lowerFirst = (text: string) =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

const decayOf = ({ factors }: Contribution) => factors.find(({ name }) => name === 'decay')?.value ?? 1;

/** `2015`, `2012 to 2015`: when claims were said. */
function yearsOf(claims: readonly Claim[]): string {
  const years = claims.flatMap(({ input }) => input.assertion_time?.slice(0, 4) ?? []).toSorted();
  return years[0] === years.at(-1) ? (years[0] ?? '') : `${years[0]!} to ${years.at(-1)!}`;
}

/** ` 1200 was said in 2024 and counts less for its age, …`: a value that age alone has put behind. */
function olderValue({ explanation, result }: Verdict, { claimById }: Model): Part[] {
  if (result.leading_value === null || result.leading_value === 'true') return [];
  const voiced = explanation!.contributions.filter((one) => isVoice(one) && one.counted > 0);
  const weigh = (list: readonly Contribution[], left: (one: Contribution) => number) =>
    list.reduce((sum, one) => sum + one.counted / left(one), 0);
  const leading = voiced.filter(({ side }) => side === 'support');
  const times = (list: readonly Contribution[]) =>
    list.map(({ claim_id }) => Date.parse(claimById.get(claim_id ?? '')?.input.assertion_time ?? ''));
  const earliest = Math.min(...times(leading));
  // Of values of which both were said early and late, a reader would call neither older.
  const isOlder = (list: readonly Contribution[]) =>
    times(list).every((time) => time < earliest) &&
    weigh(list, decayOf) > CLEARLY * weigh(leading, decayOf) &&
    weigh(list, () => 1) < weigh(leading, () => 1);
  for (const { value } of byWeight(otherValues(result)).flat()) {
    const own = voiced.filter(({ side, claim_id }) => {
      const claim = claimById.get(claim_id ?? '');
      return side === 'opposition' && claim && !isOpposite(claim) && sameWords(claim.input.value, value);
    });
    const years = yearsOf(own.flatMap(({ claim_id }) => claimById.get(claim_id ?? '') ?? []));
    if (years !== '' && isOlder(own))
      return [
        ' ',
        { user: shortened(answerWord(value), 80) },
        ` was said in ${years} and counts less for its age, without which it would have more weight.`,
      ];
  }
  return [];
}

/** What is only as heavy without age would not lead. */
const CLEARLY = 1.05;

/** Share of the weight that age leaves, below which a claim is stale. */
const STALE_BELOW = 0.25;

/** The kind of evidence that the result asks for, from the first words of its suggestion. */
function nextOf({ gap, explanation }: Verdict, { claimById }: Model): Part[] {
  const spoken = explanation?.contributions.filter(isSpoken) ?? [];
  if (spoken.length > 0 && spoken.every((one) => decayOf(one) < STALE_BELOW)) {
    const years = yearsOf(spoken.flatMap(({ claim_id }) => claimById.get(claim_id ?? '') ?? []));
    return [
      `All that is said is of ${years}, and age has taken most of its weight. Most useful next: a recent source.`,
    ];
  }
  const wanted = /^Look for (.+?),? on (?:whether )?`/.exec(gap?.suggestion ?? '')?.[1];
  if (wanted === undefined) return [];
  const kind = wanted === 'evidence against' ? 'independent evidence that could speak against it' : wanted;
  return [`Most useful next: ${kind}.`];
}
