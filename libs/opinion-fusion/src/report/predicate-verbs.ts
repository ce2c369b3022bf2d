import {
  ADJECTIVES,
  ALONE,
  AUXILIARIES,
  CALLED,
  CHANGED,
  COMMON_PLURALS,
  COUNTED,
  DONE_BY,
  FAULTS,
  INTRANSITIVE,
  NOT_PARTICIPLES,
  NOUNS,
  OF_ADJECTIVES,
  PASSIVE,
  PAST_NOUNS,
  PAST_TENSES,
  PREPOSITIONS,
  QUESTION,
  RISEN,
  ROLES,
  SOLE_ROLES,
  STATES,
  THIRD_PERSON,
  THIRD_PERSON_TO,
  TRANSITIVE_TOO,
} from './predicate-words.ts';
import { dateWords } from './date-words.ts';
import { article, headOf, isPluralWord } from './subject-words.ts';

/** A finite verb with what follows it: behind `be` an adverb and `not` have their place. */
export interface Verb {
  readonly be: string;
  /** The words of the predicate after it, or the whole verb where `be` is empty. */
  readonly rest: string;
}

const ADJECTIVE = /(able|ible|ful|less|ous|ive|ical|ic|al|ant|ent|ing)$/;
/** Adjectives by their ending alone, and those that a preposition makes one: `resistant to`. */
const PLAIN_ADJECTIVE = /(able|ible|ful|less|ous)$/;
const RELATED_ADJECTIVE = /(?<!m)(ive|ical|ic|al|ant|ent)$/;
const AGENT = /(or|er|ist|ian)$/;
const PARTICLE = /^(first|last|ever|never|not|still|already|also|once|twice|again|recently|\w+ly)$/;
/** A number of people or things without its unit. */
const BARE_NUMBER =
  /^\s*(about |over |at least |[~<>≥≤])?\d[\d.,\s]*( ?(k|m|bn|thousand|million|billion))?\s*$/i;

export const isParticiple = (word: string): boolean =>
  (word.endsWith('ed') && !NOT_PARTICIPLES.has(word)) || PASSIVE.has(word);
export const isFinite = (word: string): boolean => PAST_TENSES.has(word) || INTRANSITIVE.has(word);
const isAdjective = (word: string) => ADJECTIVES.has(word) || STATES.has(word);

const OWNING = new Set(['has', 'have', 'had']);
/** An auxiliary and what follows it. */
const split = (words: string): Verb => {
  const [be = '', ...rest] = words.split(' ');
  return { be, rest: rest.join(' ') };
};
const AGREEING: Readonly<Record<string, string>> = { is: 'are', was: 'were', has: 'have', does: 'do' };

/** The verb as one or several things have it. Pure. */
export const agreeing = (verb: Verb | null, isMany: boolean): Verb | null =>
  verb && isMany ? ofMany(verb) : verb;

/** A verb as several things have it: `are`, `show powered flight`. */
function ofMany({ be, rest }: Verb): Verb {
  if (be !== '') return { be: AGREEING[be] ?? be, rest };
  const [first = ''] = rest.split(' ');
  return { be, rest: (AGREEING[first] ?? withoutEnding(first)) + rest.slice(first.length) };
}

/** `show` for `shows`, `fly` for `flies`, `lie` for `lies`, `reach` for `reaches`. */
function withoutEnding(verb: string): string {
  if (!/[^su]s$/.test(verb)) return verb;
  if (/.{2}ies$/.test(verb) && !/^(dies|lies|ties)$/.test(verb)) return verb.replace(/ies$/, 'y');
  return verb.replace(/(?<=ch|sh|ss|x|zz|go)es$|s$/, '');
}

/**
 * What joins subject and a yes-or-no property; null where the property is a clause of its own or fits no
 * pattern. Pure.
 */
export function yesVerb(words: string, isMany: boolean): Verb | null {
  const all = words.toLowerCase().split(' ');
  const [first = '', second = ''] = all;
  const be = isMany ? 'are' : 'is';
  const whole = { be: '', rest: words };
  if (AUXILIARIES.has(first) && second !== '')
    return OWNING.has(first) && !isParticiple(second) && second !== 'been' ? whole : split(words);
  if (all.some((word) => AUXILIARIES.has(word))) return null;
  if (all.includes('since')) return sinceVerb(words, isMany);
  if (PARTICLE.test(first) && second !== '') {
    const verb = yesVerb(words.slice(first.length + 1), isMany);
    return verb && { be: verb.be, rest: `${first} ${verb.rest}` };
  }
  if (second === 'of' && isRole(first)) return isMany ? null : roleVerb(words, first);
  if (second === 'than' && /(er|ier)$/.test(first)) return { be, rest: words };
  const isHead = second === '' || PREPOSITIONS.has(second) || PARTICLE.test(second);
  if (INTRANSITIVE.has(first)) return whole;
  if (RISEN.has(first)) return { be: 'has', rest: words };
  if (isHead && isAdjective(first)) return { be, rest: words };
  if (isParticiple(first) && (second === '' || second === 'by' || (isHead && !PAST_TENSES.has(first))))
    return { be: isMany ? 'were' : 'was', rest: byWhom(words) };
  if (PAST_TENSES.has(first) || first.endsWith('ed') || THIRD_PERSON.has(first)) return whole;
  if (PREPOSITIONS.has(first) && second !== '') return { be, rest: words };
  const one = `${article(first)} ${words}`;
  if (FAULTS.has(all.at(-1)!)) return { be: '', rest: `has ${one}` };
  if (isHead && NOUNS.has(first) && !isMany) return { be, rest: one };
  const last = all.at(-1)!;
  const isLastParticiple = second !== '' && isParticiple(last) && !INTRANSITIVE.has(last);
  if (isLastParticiple || (isHead && ADJECTIVE.test(first) && !NOUNS.has(first))) return { be, rest: words };
  const isThing = isHead
    ? AGENT.test(first) || ROLES.has(first)
    : NOUNS.has(all.at(-1)!) && !all.some((word) => PREPOSITIONS.has(word));
  if (isThing && !isMany) return { be, rest: one };
  if (COMMON_PLURALS.has(first) || NOUNS.has(first.slice(0, -1))) return null;
  // A third person: `shows_powered_flight`, `requires_zero_resistance`.
  return /[^su]s$/.test(first) && second !== '' && !PREPOSITIONS.has(second) ? whole : null;
}

/** `credited by the publisher`: who did it is known by what it is. */
const byWhom = (words: string) =>
  words.replace(/(?<= by )(\w+)$/, (who) => (ROLES.has(who) || SOLE_ROLES.has(who) ? `the ${who}` : who));

/** What began in the past and lasts: `has been inspected since 2019`; null for a noun that is not known. */
function sinceVerb(words: string, isMany: boolean): Verb | null {
  const [first = ''] = words.toLowerCase().split(' ');
  if (INTRANSITIVE.has(first) || RISEN.has(first)) return { be: 'has', rest: words };
  if (isParticiple(first) || isAdjective(first) || PREPOSITIONS.has(first))
    return { be: 'has', rest: `been ${words}` };
  return ROLES.has(first) && !isMany ? { be: 'has', rest: `been ${article(first)} ${words}` } : null;
}

/** A clause about something of the subject. */
interface OwnClause extends Verb {
  readonly about: string;
}

/**
 * A clause about something of the subject: `vaccine`, `was` and `mandatory`, or `airframe`, `is` and `capable
 * of flight`; null for other words. Pure.
 */
export function ownClause(words: string, hasValue: boolean): OwnClause | null {
  const all = words.split(' ');
  const at = all.findIndex((word) => AUXILIARIES.has(word));
  const about = all.slice(0, at);
  if (/^(nobody|everybody|everyone|someone|somebody)$/.test(all[0]!) && all.length > 1 && at !== 1)
    return { about: all[0]!, be: '', rest: all.slice(1).join(' ') };
  const isAbout =
    at > 0 &&
    (hasValue || at < all.length - 1) &&
    at <= 3 &&
    !about.some((word) => PREPOSITIONS.has(word) || isParticiple(word) || QUESTION.test(word));
  if (isAbout) return { about: about.join(' '), be: all[at]!, rest: all.slice(at + 1).join(' ') };
  const [first = '', second = '', third = ''] = all;
  const isMany = NOUNS.has(first.slice(0, -1)) && isPluralWord(first);
  // What was done to a thing of the subject: “the hospital was overwhelmed”.
  if (!hasValue && all.length === 2 && (isMany || NOUNS.has(first)) && isDoneTo(second))
    return { about: first, be: isMany ? 'were' : 'was', rest: second };
  const isAdjectiveOf =
    !hasValue &&
    PREPOSITIONS.has(third) &&
    all.length > 3 &&
    (OF_ADJECTIVES.has(second) || PLAIN_ADJECTIVE.test(second));
  if (!isAdjectiveOf || isAdjective(first) || isParticiple(first) || PARTICLE.test(first)) return null;
  return { about: first, be: isPluralWord(first) ? 'are' : 'is', rest: all.slice(1).join(' ') };
}

const isDoneTo = (word: string) =>
  isParticiple(word) && !INTRANSITIVE.has(word) && !STATES.has(word) && !DONE_BY.has(word);

/** What joins subject and a property that a value follows; null where the property is a noun. Pure. */
export function valueVerb(words: string, value: string, isMany: boolean): Verb | null {
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
  if (last === 'since' && all.length > 1) return sinceVerb(words, isMany);
  const be = isMany ? 'are' : 'is';
  const was = STATES.has(first) ? be : isMany ? 'were' : 'was';
  if (all.length === 1 && COUNTED.has(first) && BARE_NUMBER.test(value)) return null;
  if (all.length === 1 && (isFinite(first) || isParticiple(first)) && date !== null)
    return { be: isParticiple(first) && !INTRANSITIVE.has(first) ? was : '', rest: words };
  const isDone = last === 'by' && TRANSITIVE_TOO.has(first);
  if (INTRANSITIVE.has(first) && !isDone && (isOpen || all.length === 1)) return { be: '', rest: words };
  if (RISEN.has(first) && isOpen) return { be: 'has', rest: words };
  if (CHANGED.has(first) && isOpen && /\d/.test(value)) return { be: '', rest: words };
  if (
    isParticiple(first) &&
    (last === 'by' || (isOpen && !PAST_TENSES.has(first)) || (PASSIVE.has(first) && isOpen))
  )
    return { be: was, rest: words };
  if (isFinite(first) && (isOpen || all.length === 1)) return { be: '', rest: words };
  if (THIRD_PERSON.has(first) && (isOpen || all.length === 1)) return { be: '', rest: words };
  if (last === 'than' && all.length === 2 && first.endsWith('er')) return { be, rest: words };
  if (isOpen) return openVerb(words, all, isMany);
  if (all.length > 1) return null;
  if (CALLED.has(first)) return { be, rest: words };
  return isDoing(first) && /^\s*\p{L}/u.test(value) ? { be: '', rest: words } : null;
}

/** A past tense in -ed that what it acts on may follow: `killed two people`. */
const isDoing = (word: string) =>
  word.endsWith('ed') && isParticiple(word) && !isAdjective(word) && !ALONE.has(word);

/** Adjectives, roles and verbs in front of a preposition that the value follows. */
function openVerb(words: string, all: readonly string[], isMany: boolean): Verb | null {
  const [first = ''] = all;
  const last = all.at(-1)!;
  const be = isMany ? 'are' : 'is';
  if (THIRD_PERSON_TO.has(first)) return { be: '', rest: words };
  if (first === 'same' && last === 'as') return { be, rest: `the ${words}` };
  const isFit =
    last === 'of'
      ? OF_ADJECTIVES.has(first) || /(able|ible)$/.test(first)
      : isAdjective(first) || PLAIN_ADJECTIVE.test(first) || isRelated(first, last);
  if (all.length === 2 && isFit && !isRole(first)) return { be, rest: words };
  if (PREPOSITIONS.has(first) && all.length > 2) return { be, rest: words };
  const role = headOf(all).at(-1)!;
  return isRole(role) && !isMany && headOf(all).length === all.length - 1 ? roleVerb(words, role) : null;
}

const isRole = (word: string) => ROLES.has(word) || SOLE_ROLES.has(word) || word === 'part';

/** `is a member of`, `is the capital of`, `is part of`. */
function roleVerb(words: string, role: string): Verb {
  const said = words.replace(/^(ceo|cfo|cto)\b/, (short) => short.toUpperCase());
  if (SOLE_ROLES.has(role)) return { be: PAST_NOUNS.has(role) ? 'was' : 'is', rest: `the ${said}` };
  return { be: 'is', rest: role === 'part' ? words : `${article(words)} ${words}` };
}

const isRelated = (word: string, preposition: string) =>
  RELATED_ADJECTIVE.test(word) && /^(to|from|with|on)$/.test(preposition) && !NOUNS.has(word);
