import { quote, QUOTED_MAX } from './quote.ts';
import { SOURCE_TYPES, type SourceType } from './vocabulary.ts';

/** A word in the form in which its spellings are equal: `SocialMedia`, `social-media` and `social media`. */
export function fold(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/gu, '');
}

/** What each kind of source is, and words that mean it, folded; the first with a part of a word is meant. */
const KINDS: Readonly<Record<SourceType, { readonly is: string; readonly words: readonly string[] }>> = {
  Regulator: {
    is: 'ministry, authority, court, police',
    words: ['government', 'ministry', 'minister', 'official', 'authority', 'court', 'police', 'regulation'],
  },
  Journalist: {
    is: 'newspaper, broadcaster, news agency',
    words: ['journal', 'news', 'press', 'media', 'reporter', 'broadcaster', 'television', 'agency'],
  },
  Expert: {
    is: 'scientist, specialist',
    words: ['scientist', 'professor', 'doctor', 'researcher', 'academic', 'specialist', 'scholar'],
  },
  Analyst: { is: 'analyst, consultant', words: ['analysis', 'consultant', 'thinktank', 'economist'] },
  Insider: { is: 'employee, whistleblower', words: ['employee', 'whistleblower', 'staff'] },
  Institutional: {
    is: 'company, university, association',
    words: [
      'university',
      'company',
      'corporation',
      'organization',
      'organisation',
      'institute',
      'association',
      'charity',
      'ngo',
    ],
  },
  SocialMedia: {
    is: 'post, blog, forum',
    words: ['blog', 'forum', 'tweet', 'twitter', 'facebook', 'influencer', 'socialnetwork'],
  },
  Anonymous: { is: 'unnamed source', words: ['unnamed', 'unknown', 'nameless'] },
  Troll: { is: 'account that spreads falsehoods', words: ['disinformation', 'propaganda', 'spam'] },
};
const KIND_NAMES = Object.keys(KINDS) as SourceType[];
/** Letters from which on a word may be the beginning of another, as in `Gov`. */
const BEGINNING_MIN = 3;

/**
 * What is wrong with a word that a list lacks: the nearest word, where it is a misspelling, and the list. Of
 * kinds of sources the nearest is always named, by meaning before letters, because the reasoning model §2
 * asks for it; where it is near by neither, the message says so, and what each kind is.
 */
export function unknownWord(word: string, values: readonly string[]): string {
  const { nearest, distance } = nearestByLetters(word, values);
  const all = `all are: ${values.join(', ')}`;
  // `Refutes` is the nearest to `positive` by letters and would mislead.
  if (values !== SOURCE_TYPES)
    return `${quote(word)} is not known; ${distance * 2 <= nearest.length ? `the nearest is ${nearest}, ` : ''}${all}`;
  // What a source weighs hangs on its kind, so that a Poll is no Troll.
  const meant = distance * 3 <= nearest.length ? nearest : kindMeantBy(word);
  if (meant !== undefined) return `${quote(word)} is not known; the nearest is ${meant}, ${all}`;
  const kinds = SOURCE_TYPES.map((kind) => `${kind} (${KINDS[kind].is})`).join(', ');
  return `${quote(word)} is not known; the nearest is ${nearest}, but only by its letters: choose by meaning of ${kinds}`;
}

function kindMeantBy(word: string): SourceType | undefined {
  const folded = fold(word.slice(0, QUOTED_MAX));
  return KIND_NAMES.find((kind) =>
    KINDS[kind].words.some(
      (known) => folded.includes(known) || (folded.length >= BEGINNING_MIN && known.startsWith(folded)),
    ),
  );
}

/** The word of a list that another is a misspelling of: at most half of its letters differ. */
export function misspelled(word: string, values: readonly string[]): string | undefined {
  const { nearest, distance } = nearestByLetters(word, values);
  return distance * 2 <= (nearest?.length ?? 0) ? nearest : undefined;
}

function nearestByLetters(word: string, values: readonly string[]): { nearest: string; distance: number } {
  const folded = fold(word.slice(0, QUOTED_MAX));
  let nearest = values[0]!;
  let distance = Infinity;
  for (const value of values) {
    const d = editDistance(folded, fold(value));
    if (d < distance) [nearest, distance] = [value, d];
  }
  return { nearest, distance };
}

/** Levenshtein distance between two short words. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, substitution));
    }
    row = next;
  }
  return row[b.length]!;
}
