import {
  ADJECTIVES,
  AUXILIARIES,
  FAULTS,
  FIRST_WORDS,
  INTRANSITIVE,
  NOUNS,
  PASSIVE,
  PAST_NOUNS,
  PAST_TENSES,
  PREPOSITIONS,
  STATES,
  THIRD_PERSON,
  TITLES,
} from './predicate-words.ts';
import { dateText, dateWords } from './date-words.ts';

/** A piece of a sentence: words of the page, or words that a user wrote, whose direction is isolated. */
export type Part = string | { readonly user: string };

/** The subject and predicate of a verdict or a claim. */
export interface Proposition {
  readonly subject: string;
  readonly predicate: string;
  /** `true` for a yes-or-no property; null where no value leads. */
  readonly value: string | null;
  /** The author's sentence for the predicate, with `{subject}` and `{value}`. */
  readonly pattern?: string | undefined;
}

/** How a proposition is said, besides plainly. */
export interface Mood {
  /** `probably`, before what the sentence asserts. */
  readonly adverb?: string | undefined;
  /** Says that it is not so. */
  readonly isDenied?: boolean;
}

const ADJECTIVE = /(able|ible|ful|less|ous|ive|ical|ic|al|ant|ent|ing)$/;
const AGENT = /(or|er|ist|ian)$/;
const PARTICIPLE = /(ed|own|en|sen|ought)$/;
const PARTICLE = /^(first|last|ever|never|not|still|already|also|once|recently|\w+ly)$/;

/** Whether a value answers a yes-or-no property with yes. */
const isYes = (value: string) => /^\s*(true|yes|y)\s*$/i.test(value);
const isNo = (value: string) => /^\s*(false|no|n)\s*$/i.test(value);

/**
 * A proposition as a sentence without its full stop, guessed from the words of its predicate:
 * `flew_under_power` with the value `true` reads “No. 21 flew under power”, `open` “The bridge is open”,
 * `deaths` with a number “For the accident, the number of deaths is 17”. What fits no pattern is quoted. The
 * author's own pattern stands instead where it fits the value. Pure.
 */
export const statement = (said: Proposition, mood: Mood = {}): Part[] => capitalized(clause(said, mood));

/** A verb and the value behind it; a date with its own preposition: `was last inspected` and `in 1960`. */
function withDate(verb: Verb, value: string): [Verb, Part[]] {
  const date = dateWords(value);
  const words = verb.rest.replace(/ (in|on)$/, '');
  const isOpen = PREPOSITIONS.has(words.split(' ').at(-1)!);
  if (date === null || isOpen || !(isParticiple(words.split(' ').at(-1)!) || isFinite(words)))
    return [verb, [' ', ...valueParts(value, verb.rest)]];
  return [{ ...verb, rest: words }, [' ', { user: date }]];
}

/** The same as it stands behind `that` and `whether`. Pure. */
export function clause({ subject, predicate, value, pattern }: Proposition, mood: Mood = {}): Part[] {
  const isDenied = (mood.isDenied ?? false) !== (value !== null && isNo(value));
  const said = value !== null && isNo(value) ? 'true' : value;
  const given = pattern === undefined ? null : filled(pattern, subject, said);
  if (given) return asWhole(midSentence(given), { ...mood, isDenied });
  const words = readable(predicate).replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => {
    return `${end} ${start.toLowerCase()}`;
  });
  const about = subjectPhrase(subject);
  const isMany = isPlural(subject);
  if (said === null || isYes(said)) {
    const isOpen = said === null && PREPOSITIONS.has(words.split(' ').at(-1)!);
    const joined = isOpen ? null : agreeing(yesVerb(words, isMany), isMany);
    if (joined === null)
      return asserted(['“', { user: words }, '”'], { be: 'is', rest: '' }, [' true of ', ...about], {
        ...mood,
        isDenied,
      });
    return asserted(about, joined, [], { ...mood, isDenied });
  }
  const joined = agreeing(valueVerb(words, said, isMany), isMany);
  if (joined !== null) return asserted(about, ...withDate(joined, said), { ...mood, isDenied });
  const all = words.toLowerCase().split(' ');
  const isCounted = isCount(words, said) && !/^(number|count|total) of /.test(words);
  const isPluralNoun = all.length === 1 && /[^su]s$/.test(words) && !isCounted;
  const tense = PAST_NOUNS.has(all[0]!) || PAST_NOUNS.has(all.at(-1)!) ? ['was', 'were'] : ['is', 'are'];
  const be = tense[isPluralNoun ? 1 : 0]!;
  // “For deaths in 1986, the number is 30” names what is counted once.
  const isSaid = isCounted && subject.toLowerCase().split(/\s+/).includes(all.at(-1)!);
  const what: Part[] = isSaid ? ['the number'] : [isCounted ? 'the number of ' : 'the ', { user: words }];
  const first =
    isCounted || needsFor(words) ? ['for ', ...about, ', ', ...what] : [...what, ' of ', ...about];
  return asserted(first, { be, rest: '' }, [' ', ...valueParts(said, words)], { ...mood, isDenied });
}

/** A finite verb with what follows it: behind `be` an adverb and `not` have their place. */
interface Verb {
  readonly be: string;
  /** The words of the predicate after it, or the whole verb where `be` is empty. */
  readonly rest: string;
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

const ARTICLE = /^(The|A|An|There|It|Its|This|That) (?=\p{Ll}|$)/u;
const lowered = (text: string) => text.replace(ARTICLE, (article) => article.toLowerCase());

function midSentence([first, ...rest]: readonly Part[]): Part[] {
  if (first === undefined) return [];
  return [typeof first === 'string' ? lowered(first) : { user: lowered(first.user) }, ...rest];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Words of the page, and articles that were written in small letters, begin a sentence with a capital. */
function capitalized([first, ...rest]: readonly Part[]): Part[] {
  if (first === undefined) return [];
  if (typeof first === 'string') return [capital(first), ...rest];
  return [
    /^(the|a|an|there|it|its|this|that) /.test(first.user) ? { user: capital(first.user) } : first,
    ...rest,
  ];
}

/**
 * A subject in the middle of a sentence: `the bridge` for “Bridge”, `the Halden bridge collapse`, `the
 * freighter Maren`. A name stays as it is: whatever ends in a capitalized word of several.
 */
function subjectPhrase(subject: string): Part[] {
  const all = subject.trim().split(/\s+/);
  const [first = '', second = ''] = all;
  const last = all.at(-1)!;
  const isTitle = second !== '' && TITLES.has(first.toLowerCase()) && !NOUNS.has(second.toLowerCase());
  const isThing = all.length === 1 ? NOUNS.has(last.toLowerCase()) : isNoun(last);
  const isListed = FIRST_WORDS.has(first.toLowerCase()) && /^\p{Ll}/u.test(second);
  if (!isTitle && !isThing && !isListed) return [{ user: lowered(subject) }];
  if (/^(the|an?|this|that|its?|h(?:is|er)|their|our|my|your|no\.?|every)$|['’]s?$/i.test(first))
    return [{ user: lowered(subject) }];
  const isWord = all.length === 1 || isTitle || FIRST_WORDS.has(first.toLowerCase());
  return ['the ', { user: isWord ? subject.charAt(0).toLowerCase() + subject.slice(1) : subject }];
}

/** A word in small letters for a thing that can be counted, alone or as many. */
const isNoun = (word: string) => NOUNS.has(word) || (word.endsWith('s') && NOUNS.has(word.slice(0, -1)));

/** Whether a subject is several things: `the Wright brothers`, `three witnesses`. */
function isPlural(subject: string): boolean {
  const all = subject.trim().split(/\s+/);
  if (/^\p{Lu}\p{Ll}+ and \p{Lu}/u.test(subject)) return true;
  return all.length > 1 && /^\p{Ll}+[^sui\P{Ll}]s$/u.test(all.at(-1)!) && !PREPOSITIONS.has(all.at(-2)!);
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

const article = (word: string) => (/^[aeiou]/i.test(word) && !/^(uni|use|eu|one)/i.test(word) ? 'an' : 'a');

/**
 * The value alone as an answer: `Wilbur and Orville Wright`, or `17 deaths` where the property counts
 * something.
 */
export function shortAnswer({ predicate, value }: Proposition): Part[] {
  if (value === null) return [];
  const words = readable(predicate);
  return isCount(words, value)
    ? [{ user: valueText(value) }, ' ', { user: words }]
    : [{ user: valueText(value) }];
}

/** Whether the property is answered by yes or no. */
export const isYesNo = ({ value }: Proposition): boolean => value !== null && isYes(value);

/** A sentence as text, for places that hold no markup. */
export const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.user)).join('');

const valueText = (value: string) => (value.trim() === '' ? '(empty)' : (dateText(value) ?? value));

const isParticiple = (word: string) =>
  (word.endsWith('ed') && !/^(need|speed|red|seed|feed)$/.test(word)) || PASSIVE.has(word);
const isFinite = (word: string) => PAST_TENSES.has(word) || INTRANSITIVE.has(word);

const OWNING = new Set(['has', 'have', 'had']);
/** An auxiliary and what follows it. */
const split = (words: string): Verb => {
  const [be = '', ...rest] = words.split(' ');
  return { be, rest: rest.join(' ') };
};
const AGREEING: Readonly<Record<string, string>> = { is: 'are', was: 'were', has: 'have', does: 'do' };
const agreeing = (verb: Verb | null, isMany: boolean) => (verb && isMany ? ofMany(verb) : verb);

/** A verb as several things have it: `are`, `show powered flight`. */
function ofMany({ be, rest }: Verb): Verb {
  if (be !== '') return { be: AGREEING[be] ?? be, rest };
  const [first = ''] = rest.split(' ');
  const many =
    AGREEING[first] ?? (/[^su]s$/.test(first) ? first.replace(/ies$/, 'y').replace(/s$/, '') : first);
  return { be, rest: many + rest.slice(first.length) };
}

/**
 * What joins subject and a yes-or-no property; null where the property is a clause of its own or fits no
 * pattern.
 */
function yesVerb(words: string, isMany: boolean): Verb | null {
  const all = words.toLowerCase().split(' ');
  const [first = '', second = ''] = all;
  const be = isMany ? 'are' : 'is';
  const whole = { be: '', rest: words };
  if (AUXILIARIES.has(first) && second !== '')
    return OWNING.has(first) && !isParticiple(second) && second !== 'been' ? whole : split(words);
  if (all.some((word) => AUXILIARIES.has(word))) return null;
  if (PARTICLE.test(first) && second !== '') {
    const verb = yesVerb(words.slice(first.length + 1), isMany);
    return verb && { be: verb.be, rest: `${first} ${verb.rest}` };
  }
  const isHead = second === '' || PREPOSITIONS.has(second) || PARTICLE.test(second);
  if (INTRANSITIVE.has(first)) return whole;
  if (isHead && (ADJECTIVES.has(first) || STATES.has(first))) return { be, rest: words };
  if (isParticiple(first) && (second === '' || second === 'by' || (isHead && !PAST_TENSES.has(first))))
    return { be: isMany ? 'were' : 'was', rest: words };
  if (PAST_TENSES.has(first) || first.endsWith('ed') || THIRD_PERSON.has(first)) return whole;
  if (PREPOSITIONS.has(first) && second !== '') return { be, rest: words };
  const one = `${article(first)} ${words}`;
  if (FAULTS.has(all.at(-1)!)) return { be: '', rest: `has ${one}` };
  if (isHead && NOUNS.has(first) && !isMany) return { be, rest: one };
  const isLastParticiple = second !== '' && isParticiple(all.at(-1)!);
  if (isLastParticiple || (isHead && ADJECTIVE.test(first) && !NOUNS.has(first))) return { be, rest: words };
  const isThing = isHead
    ? AGENT.test(first)
    : NOUNS.has(all.at(-1)!) && !all.some((word) => PREPOSITIONS.has(word));
  if (isThing && !isMany) return { be, rest: one };
  // A third person: `shows_powered_flight`, `requires_zero_resistance`.
  return /[^su]s$/.test(first) && second !== '' && !PREPOSITIONS.has(second) ? whole : null;
}

/** What joins subject and a property that a value follows; null where the property is a noun. */
function valueVerb(words: string, value: string, isMany: boolean): Verb | null {
  const all = words.toLowerCase().split(' ');
  const [first = ''] = all;
  const last = all.at(-1)!;
  const date = dateWords(value);
  const isOpen = PREPOSITIONS.has(last) && all.length > 1;
  if (AUXILIARIES.has(first)) return OWNING.has(first) ? { be: '', rest: words } : split(words);
  if (PARTICLE.test(first) && all.length > 1) {
    const verb = valueVerb(words.slice(first.length + 1), value, isMany);
    return verb && { be: verb.be, rest: `${first} ${verb.rest}` };
  }
  const was = STATES.has(first) ? (isMany ? 'are' : 'is') : isMany ? 'were' : 'was';
  if (all.length === 1 && (isFinite(first) || isParticiple(first)) && date !== null)
    return { be: isParticiple(first) && !INTRANSITIVE.has(first) ? was : '', rest: words };
  if (INTRANSITIVE.has(first) && (isOpen || all.length === 1)) return { be: '', rest: words };
  if (
    isParticiple(first) &&
    (last === 'by' || (isOpen && !PAST_TENSES.has(first)) || (PASSIVE.has(first) && isOpen))
  )
    return { be: was, rest: words };
  if (isFinite(first) && (isOpen || all.length === 1)) return { be: '', rest: words };
  if (THIRD_PERSON.has(first) && (isOpen || all.length === 1)) return { be: '', rest: words };
  return null;
}

/** A number of something: `17` and `deaths`, `4K` and `cases registered`. */
const isCount = (words: string, value: string) =>
  /^\s*[~<>≥≤]?\d/.test(value) &&
  words.split(' ').some((word) => /[^su]s$/.test(word)) &&
  !/[%a-z]{3}/i.test(value.replace(/\b(thousand|million|billion|to)\b/gi, ''));

/** Noun phrases that “of …” would not follow well. */
function needsFor(words: string): boolean {
  const last = words.split(' ').at(-1)!;
  return words.includes(' of ') || PARTICIPLE.test(last) || isParticiple(last);
}

/** A machine name as it is read: `flew_under_power` → `flew under power`. Changes nothing but underscores. */
export function readable(name: string): string {
  return name.replaceAll('_', ' ').trim() || name;
}
