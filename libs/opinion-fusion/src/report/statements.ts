import {
  ADJECTIVES,
  AUXILIARIES,
  COUNTED,
  NOT_PARTICIPLES,
  NOUNS,
  PAST_NOUNS,
  PREPOSITIONS,
  QUESTION,
  SAME_PLURALS,
  THIRD_PERSON,
} from './predicate-words.ts';
import { dateWords } from './date-words.ts';
import { listed, lowered, valueText, type Part } from './value-words.ts';

export type { Part };
import {
  agreeing,
  isFinite,
  isParticiple,
  ownClause,
  valueVerb,
  type Verb,
  yesVerb,
} from './predicate-verbs.ts';
import { isStatement, statedIn, type Stated } from './stated-clause.ts';
import { article, headOf, isPlural, isPluralWord, subjectPhrase } from './subject-words.ts';

/** The subject and predicate of a verdict or a claim. */
export interface Proposition {
  readonly subject: string;
  readonly predicate: string;
  /** `true` for a yes-or-no property; null where no value leads. */
  readonly value: string | null;
  /** The values of which it is one or another, the first of them `value`: `arson or a short circuit`. */
  readonly either?: readonly Alternative[] | undefined;
  /** The author's sentence for the predicate, with `{subject}` and `{value}`. */
  readonly pattern?: string | undefined;
}

/** A value with what tells it from others of its kind, ` (in Oslo)`. */
export interface Alternative {
  readonly value: string;
  readonly place?: string;
}

/** How a proposition is said, besides plainly. */
export interface Mood {
  /** `probably`, before what the sentence asserts. */
  readonly adverb?: string | undefined;
  /** Says that it is not so. */
  readonly isDenied?: boolean;
}

const PARTICIPLE = /(ed|own|en|sen|ought)$/;

/** Whether a value answers a yes-or-no property with yes. */
const isYes = (value: string) => /^\s*(true|yes|y)\s*$/i.test(value);
const isNo = (value: string) => /^\s*(false|no|n)\s*$/i.test(value);

/**
 * A proposition as a sentence without its full stop, guessed from the words of its predicate:
 * `flew_under_power` with the value `true` reads “No. 21 flew under power”, `open` “The bridge is open”,
 * `deaths` with a number “For the accident, the number of deaths is 17”. What fits no pattern is quoted. The
 * author's own pattern stands instead where it fits the value. Pure.
 */
export const statement = (said: Proposition, mood: Mood = {}): Part[] =>
  capitalized(clause(said, mood), said.subject);

/** The same as it stands behind `that` and `whether`. Pure. */
export const clause = (said: Proposition, mood: Mood = {}): Part[] => joined(worded(said, mood));

/**
 * The same behind words that say how likely it is, `It is likely that `: what it is about stands before them
 * where a clause would begin with it, as in “For the fire, it is likely that the number of deaths is 31”.
 * Pure.
 */
export function opened(opener: string, said: Proposition): Part[] {
  const { setting, main } = worded(said, {});
  if (setting.length === 0) return [opener, ...main];
  return joined({
    setting: capitalized(setting),
    main: [opener.charAt(0).toLowerCase(), opener.slice(1), ...main],
  });
}

/**
 * What is asked where no value leads, as a noun phrase: `the murderer of the mayor`, `the rating of “…”`.
 * Pure.
 */
export function askedOf({ subject, predicate }: Pick<Proposition, 'subject' | 'predicate'>): Part[] {
  const itself = statedIn(subject, predicate);
  if (itself) return ['the rating of “', { user: itself.text }, '”'];
  const { what, isApart } = nounOf(spokenWords(predicate), '', [{ value: '' }]);
  return [...what, isApart ? ' for ' : ' of ', ...subjectPhrase(subject)];
}

/** A clause, and in front of it what it is about, `for the fire`, where it does not name that itself. */
interface Worded {
  readonly setting: readonly Part[];
  readonly main: readonly Part[];
}

const joined = ({ setting, main }: Worded): Part[] =>
  setting.length === 0 ? [...main] : [...setting, ', ', ...main];

function worded(said: Proposition, mood: Mood): Worded {
  const { subject, predicate, pattern, either } = said;
  const value = sampleOf(said);
  const isDenied = (mood.isDenied ?? false) !== (value !== null && isNo(value));
  const stated = value !== null && isNo(value) ? 'true' : value;
  const given = pattern === undefined ? null : filled(pattern, subject, either ? valuesText(either) : stated);
  if (given) return { setting: [], main: asWhole(midSentence(given), { ...mood, isDenied }) };
  const itself = statedIn(subject, predicate);
  if (itself) return { setting: [], main: ofStatement(itself, stated, either, { ...mood, isDenied }) };
  const words = spokenWords(predicate);
  const about = subjectPhrase(subject);
  const isMany = isPlural(subject);
  const main = (first: readonly Part[], verb: Verb, tail: readonly Part[]): Worded => ({
    setting: [],
    main: asserted(first, verb, tail, { ...mood, isDenied }),
  });
  const of = (first: readonly Part[], verb: Verb, tail: readonly Part[]): Worded => ({
    ...main(first, verb, tail),
    setting: ['for ', ...about],
  });
  const own = ownClause(words, stated !== null && !isYes(stated));
  const ofOwn = (clauseOfOwn: NonNullable<typeof own>, tail: readonly Part[]) => {
    const { about: thing, be, rest } = clauseOfOwn;
    // “Bridge” with `bridge_was_safe` names the bridge once.
    if (subject.trim().toLowerCase().endsWith(thing)) return main(about, { be, rest }, tail);
    return of([BARE.test(thing) ? '' : 'the ', { user: thing }], { be, rest }, tail);
  };
  if (stated === null || isYes(stated)) {
    const isOpen = stated === null && PREPOSITIONS.has(words.split(' ').at(-1)!);
    if (own) return ofOwn(own, []);
    const verb = isOpen ? null : agreeing(yesVerb(words, isMany), isMany);
    return verb
      ? main(about, verb, [])
      : main(['“', { user: words }, '”'], { be: 'is', rest: '' }, [' true of ', ...about]);
  }
  const values = either ?? [{ value: stated }];
  const verb = agreeing(valueVerb(words, stated, isMany), isMany);
  if (verb) return main(about, ...withDate(verb, values));
  if (own) return ofOwn({ ...own, ...withDate(own, values)[0] }, withDate(own, values)[1]);
  const noun = nounOf(words, stated, values);
  const isSaid = noun.isCounted && subject.toLowerCase().split(/\s+/).includes(words.split(' ').at(-1)!);
  // “For deaths in 1986, the number is 30” names what is counted once.
  if (isSaid) return of(['the number'], noun, noun.tail);
  return noun.isApart
    ? of(noun.what, noun, noun.tail)
    : main([...noun.what, ' of ', ...about], noun, noun.tail);
}

/** A subject that is a statement: what it says where it is said to be true, else what it is rated. */
function ofStatement(
  { text, isQuestion, isClause }: Stated,
  value: string | null,
  either: readonly Alternative[] | undefined,
  mood: Mood,
): Part[] {
  const quoted: Part[] = ['“', { user: text }, '”'];
  if (value !== null && !isYes(value)) {
    const rated = (either ?? [{ value }]).map((one) => ({
      ...one,
      value: one.value.replace(/^rated /i, ''),
    }));
    const tail = valuesParts(rated, (rating) => [{ user: valueText(rating) }]);
    return asserted(quoted, { be: 'is', rest: '' }, [' rated', ...tail], mood);
  }
  if (isQuestion) {
    const answer = mood.isDenied ? ' no' : ' yes';
    const { adverb } = mood;
    return asserted(['the answer to ', ...quoted], { be: 'is', rest: '' }, [answer], { adverb });
  }
  return isClause
    ? asWhole([{ user: lowered(text.replace(FOR, 'for ')) }], mood)
    : asserted(quoted, { be: 'is', rest: '' }, [' true'], mood);
}

/** The beginning of a statement in the form that subjects without a clause of their own get here. */
const FOR = /^For (?=[^,]+, )/;

/** Words that stand without an article in front of their verb. */
const BARE =
  /^(it|they|(?:s?h|w)e|there|this|that|these|those|all|some|no|many|most|nobody|everybody|the|an?)\b/;

/** A machine name in the small letters of a sentence; words apart keep theirs, as in `uses FoxRat`. */
const spokenWords = (predicate: string) =>
  readable(predicate)
    .replace(/^\S+$/, machineWords)
    .replace(/\s*\?+$/, '') || readable(predicate);
const machineWords = (name: string) =>
  name.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/** The value by which words are chosen; of several that are not all of one kind, their text. */
function sampleOf({ value, either }: Proposition): string | null {
  if (!either) return value;
  return either.some((one) => isYes(one.value) || isNo(one.value)) ? valuesText(either) : either[0]!.value;
}

const valuesText = (values: readonly Alternative[]) =>
  listed(
    values.map(({ value, place = '' }) => `${valueText(value)}${place}`),
    'or',
  );

const valuesParts = (values: readonly Alternative[], partsOf: (value: string) => readonly Part[]): Part[] =>
  values.flatMap(({ value, place }, index) => [
    index === 0 ? ' ' : index === values.length - 1 ? ' or ' : ', ',
    ...partsOf(value),
    ...(place ? [{ user: place }] : []),
  ]);

/** A verb and the values behind it; a date with its own preposition: `was last inspected` and `in 1960`. */
function withDate({ be, rest }: Verb, values: readonly Alternative[]): [Verb, Part[]] {
  const words = rest.replace(/ (in|on|at)$/, '');
  const last = words.split(' ').at(-1)!;
  const isDated =
    !PREPOSITIONS.has(last) &&
    (isParticiple(last) || isFinite(last)) &&
    values.every(({ value }) => dateWords(value));
  if (!isDated) return [{ be, rest }, valuesParts(values, (value) => valueParts(value, rest))];
  return [{ be, rest: words }, valuesParts(values, (value) => [{ user: dateWords(value)! }])];
}

/** A property as what a value is of: `the cause`, `the number of deaths`; what is not a noun is quoted. */
interface NounPhrase extends Verb {
  readonly what: readonly Part[];
  readonly tail: readonly Part[];
  /** Whether the words that it is of stand in front: “of …” would not follow well. */
  readonly isApart: boolean;
  readonly isCounted: boolean;
}

function nounOf(words: string, sample: string, values: readonly Alternative[]): NounPhrase {
  const all = words.toLowerCase().split(' ');
  const [first = ''] = all;
  const last = all.at(-1)!;
  const tail = valuesParts(values, (value) => valueParts(value, words));
  const phrase = { tail, be: 'is', rest: '', isApart: true, isCounted: false };
  if (
    all.length === 1 &&
    COUNTED.has(first) &&
    /^[^\p{L}]*\d/u.test(sample) &&
    !/^\s*[12]\d{3}\s*$/.test(sample)
  )
    return { ...phrase, what: [/%\s*$/.test(sample) ? 'the share ' : 'the number ', { user: words }] };
  const isCounted = isCount(words, sample);
  const isOn = all.length > 1 && /^(on|at|in)$/.test(last) && values.every(({ value }) => dateWords(value));
  if (!isOn && !isCounted && !isNounPhrase(all)) return { ...phrase, what: ['“', { user: words }, '”'] };
  const isPast = isOn || PAST_NOUNS.has(first) || PAST_NOUNS.has(last);
  const head = headOf(all).filter((word, index) => index === 0 || !isParticiple(word));
  const isMany = !isCounted && isPluralWord(head.at(-1)!);
  return {
    what: [isCounted ? 'the number of ' : 'the ', { user: isOn ? words.replace(/ \w+$/, '') : words }],
    tail: isOn ? valuesParts(values, (value) => [{ user: dateWords(value)! }]) : tail,
    be: isPast ? (isMany ? 'were' : 'was') : isMany ? 'are' : 'is',
    rest: '',
    isApart: isOn || isCounted || needsFor(all),
    isCounted,
  };
}

/** Whether `the` before the words makes a phrase. */
function isNounPhrase(all: readonly string[]): boolean {
  const [first = '', second = ''] = all;
  if (all.length === 1)
    return !(isParticiple(first) || isFinite(first) || ADJECTIVES.has(first) || first === 'about');
  if (/^(first|last)$/.test(first) && all.length === 2 && isParticiple(second)) return false;
  if (PREPOSITIONS.has(first) || PREPOSITIONS.has(all.at(-1)!)) return false;
  if (all.some((word) => AUXILIARIES.has(word) || QUESTION.test(word))) return false;
  return !isFinite(first) && (second === 'of' || !THIRD_PERSON.has(first));
}

function asserted(
  about: readonly Part[],
  { be, rest }: Verb,
  tail: readonly Part[],
  { adverb, isDenied }: Mood,
): Part[] {
  const negated = /^(not|never) /.exec(rest)?.[0];
  if (isDenied && negated) return asserted(about, { be, rest: rest.slice(negated.length) }, tail, { adverb });
  // What has no auxiliary is denied as a whole: its verb would change its form.
  if (isDenied && be === '') return asWhole([...about, ' ', { user: rest }, ...tail], { adverb, isDenied });
  return [
    ...about,
    ...(be === '' ? [] : [` ${be}`]),
    ...(adverb ? [` ${adverb}`] : []),
    ...(isDenied ? [be === 'can' && !adverb ? 'not' : ' not'] : []),
    ...(rest === '' ? [] : [' ', { user: rest }]),
    ...tail,
  ];
}

/** A clause that nothing can be put into: the mood stands before it. */
function asWhole(parts: readonly Part[], { adverb, isDenied }: Mood): Part[] {
  if (!adverb && !isDenied) return [...parts];
  return ['it is', ...(adverb ? [` ${adverb}`] : []), isDenied ? ' not true that ' : ' true that ', ...parts];
}

/**
 * The author's pattern with subject and value in their places; null where it does not fit: where it has a
 * place for a value that does not exist, and for a value that it would leave out.
 */
function filled(pattern: string, subject: string, value: string | null): Part[] | null {
  const hasPlace = pattern.includes('{value}');
  if (value === null ? hasPlace : !hasPlace && !isYes(value)) return null;
  return pattern
    .split(/(\{subject\}|\{value\})/)
    .filter((piece) => piece !== '')
    .map((piece) => ({
      user: piece === '{subject}' ? subject : piece === '{value}' ? valueText(value ?? '') : piece,
    }));
}

function midSentence([first, ...rest]: readonly Part[]): Part[] {
  if (first === undefined) return [];
  return [typeof first === 'string' ? lowered(first) : { user: lowered(first.user) }, ...rest];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Words of the page begin a sentence with a capital, and so do articles and subjects that are not names
 * written in another way, such as `iPhone`.
 */
function capitalized([first, ...rest]: readonly Part[], subject = ''): Part[] {
  if (first === undefined) return [];
  if (typeof first === 'string') return first === '' ? capitalized(rest) : [capital(first), ...rest];
  const isSubject = first.user.toLowerCase() === subject.toLowerCase() && /^\p{Ll}+(?!\S)/u.test(first.user);
  return [
    isSubject || /^(the|a|an|there|it|its|this|that) /.test(first.user)
      ? { user: capital(first.user) }
      : first,
    ...rest,
  ];
}

/** A value where it stands: of a cause `a ship collision`, of two `a ship collision or a fatigue crack`. */
function valueParts(value: string, words: string): Part[] {
  const isThing = /cause$|trigger|motive|^type|weapon|culprit/.test(words);
  if (!isThing) return [{ user: valueText(value) }];
  return value.split(' or ').flatMap((one, index) => {
    const isBare =
      /^\p{Ll}[\p{L}\s-]*$/u.test(one) &&
      NOUNS.has(one.split(/\s+/).at(-1)!) &&
      !/^(the|an?|no|one|some|its|h(?:is|er)|their) | and /.test(one);
    return [
      ...(index > 0 ? [' or '] : []),
      ...(isBare ? [`${article(one)} `] : []),
      { user: valueText(one) },
    ];
  });
}

/**
 * The value alone as an answer: `Wilbur and Orville Wright`, or `17 deaths` where the property counts
 * something.
 */
export function shortAnswer({ predicate, value }: Proposition): Part[] {
  if (value === null) return [];
  const words = spokenWords(predicate);
  const isMany = isCount(words, value) && value.trim() !== '1';
  return isMany ? [{ user: valueText(value) }, ' ', { user: words }] : [{ user: valueText(value) }];
}

/** Whether the property is answered by yes or no. */
export const isYesNo = ({ value }: Proposition): boolean => value !== null && isYes(value);

/**
 * Whether a value rates a statement, `Misleading`: then it is the rating that a verdict holds to be right,
 * and not the statement. Pure.
 */
export const isRating = ({ subject, predicate, value }: Proposition): boolean =>
  value !== null && !isYes(value) && !isNo(value) && isStatement(subject, predicate);

/** A sentence as text, for places that hold no markup. */
export const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.user)).join('');

/** Whether words and value are a number of something, as `17` and `deaths` are. Pure. */
export const isCount = (words: string, value: string) =>
  /^\s*[~<>≥≤]?\d/.test(value) &&
  !PREPOSITIONS.has(words.split(' ').at(-1)!) &&
  !/^\s*\d{4}-\d\d/.test(value) &&
  headOf(words.split(' ')).some((word) => isPluralWord(word) || SAME_PLURALS.has(word)) &&
  !/[%a-z]{3}/i.test(value.replace(/\b(thousand|million|billion|to)\b/gi, ''));

/** Noun phrases that “of …” would not follow well. */
function needsFor(all: readonly string[]): boolean {
  const last = all.at(-1)!;
  if (all.some((word) => PREPOSITIONS.has(word)) || isParticiple(last)) return true;
  return PARTICIPLE.test(last) && !NOT_PARTICIPLES.has(last);
}

/** A machine name as it is read: `flew_under_power` → `flew under power`. Changes nothing but underscores. */
export function readable(name: string): string {
  return name.replaceAll('_', ' ').trim() || name;
}
