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

const AUXILIARIES = new Set(
  'is are was were has have had can could may might must should shall did does do will would'.split(' '),
);
const PREPOSITIONS = new Set('of to in on at for from with by as under over against'.split(' '));
/** Verbs whose past tense does not end in -ed. */
const PAST_TENSES = new Set(
  (
    'became began broke brought built burst bought came caught chose cut drew drove fell felt flew fought found gave got ' +
    'grew held hit kept knew laid led left lost made met paid ran rose said sank saw sent set shot sold spent spoke ' +
    'stole stood struck threw told took went won wrote'
  ).split(' '),
);
/** Participles that need `was` before them, alone and before `in`, `at`, `on` or `from`. */
const PASSIVE = new Set(
  'abandoned abolished adopted based born built buried caused caught completed created demolished destroyed discovered established found founded held hidden invented killed located made paid published rebuilt seen sent shot signed sold stored taken used written'.split(
    ' ',
  ),
);
const ADJECTIVE = /(able|ible|ful|less|ous|ive|ical|ic|al|ant|ent)$/;
const AGENT = /(or|er|ist|ian)$/;
const PARTICIPLE = /(ed|own|en|sen|ought)$/;

/** Whether a value answers a yes-or-no property with yes. */
const isYes = (value: string) => /^\s*(true|yes|y)\s*$/i.test(value);

/**
 * A proposition as a sentence without its full stop, guessed from the words of its predicate:
 * `flew_under_power` with the value `true` reads “No. 21 flew under power”, `achieved_by` “… was achieved by
 * …”, `deaths` with a number “…: 17 deaths”. What fits no pattern reads “subject: predicate”. The author's
 * own pattern stands instead where it fits the value. Pure.
 */
export function statement({ subject, predicate, value, pattern }: Proposition): Part[] {
  const given = pattern === undefined ? null : filled(pattern, subject, value);
  if (given) return given;
  const words = readable(predicate);
  const about = { user: subject };
  const what = { user: words };
  if (value === null || isYes(value)) {
    // What is only inferred has no value and holds or not, unless its words end where a value would follow.
    const isOpen = value === null && PREPOSITIONS.has(words.split(' ').at(-1)!);
    const verb = isOpen ? null : yesVerb(words);
    return verb === null ? [about, ': ', what] : [about, verb, what];
  }
  const shown = { user: valueText(value) };
  const verb = valueVerb(words);
  if (verb !== null) return [about, verb, what, ' ', shown];
  if (isCount(words, value)) return [about, ': ', shown, ' ', what];
  const isPlural = /[^su]s$/.test(words.split(' ')[0]!) && !words.includes(' ');
  const copula = isPlural ? ' are ' : ' is ';
  return needsFor(words)
    ? ['For ', about, ', the ', what, copula, shown]
    : ['The ', what, ' of ', about, copula, shown];
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

const valueText = (value: string) => (value.trim() === '' ? '(empty)' : value);

/**
 * What joins subject and a yes-or-no property; null where the property is a clause of its own or fits no
 * pattern.
 */
function yesVerb(words: string): string | null {
  const [first = '', second = ''] = words.toLowerCase().split(' ');
  if (AUXILIARIES.has(first) || PAST_TENSES.has(first)) return ' ';
  if (
    words
      .toLowerCase()
      .split(' ')
      .some((word) => AUXILIARIES.has(word))
  )
    return null;
  if (first.endsWith('ed')) return second === 'by' ? ' was ' : ' ';
  const isHead = second === '' || PREPOSITIONS.has(second);
  if (ADJECTIVE.test(first) && isHead) return ' is ';
  if (AGENT.test(first) && isHead) return /^[aeiou]/.test(first) ? ' is an ' : ' is a ';
  // A third person: `shows_powered_flight`, `requires_zero_resistance`.
  if (/[^su]s$/.test(first) && second !== '' && !PREPOSITIONS.has(second)) return ' ';
  return null;
}

/** What joins subject and a property that a value follows; null where the property is a noun. */
function valueVerb(words: string): string | null {
  const all = words.toLowerCase().split(' ');
  const first = all[0]!;
  const last = all.at(-1)!;
  if (AUXILIARIES.has(first)) return ' ';
  const isParticiple = first.endsWith('ed') || PAST_TENSES.has(first) || PASSIVE.has(first);
  if (isParticiple && last === 'by') return ' was ';
  if (PASSIVE.has(first) && all.length === 1) return ' was ';
  if (PASSIVE.has(first) && all.length > 1 && PREPOSITIONS.has(last)) return ' was ';
  if (isParticiple && (all.length === 1 || PREPOSITIONS.has(last))) return ' ';
  return null;
}

/** A number of something: `17` and `deaths`, `4K` and `cases registered`. */
const isCount = (words: string, value: string) =>
  /^\s*[~<>≥≤]?\d/.test(value) &&
  words.split(' ').some((word) => /[^su]s$/.test(word)) &&
  !/[%a-z]{3}/i.test(value.replace(/\b(thousand|million|billion|to)\b/gi, ''));

/** Noun phrases that “of …” would not follow well. */
const needsFor = (words: string) => words.includes(' of ') || PARTICIPLE.test(words.split(' ').at(-1)!);

/** A machine name as it is read: `flew_under_power` → `flew under power`. Changes nothing but underscores. */
export function readable(name: string): string {
  return name.replaceAll('_', ' ').trim() || name;
}
