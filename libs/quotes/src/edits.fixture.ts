import fc from 'fast-check';
import { selectPassage } from './selector.ts';

const WORDS = [
  'the bridge',
  'a council',
  'was open',
  'on Friday',
  'said so',
  '𝔞lways',
  'naïve',
  'costs €5',
  '“no”',
];

/** Sentences of few words, each with a number of its own: contexts of 32 characters never stand twice. */
export const articles = fc
  .array(fc.array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 8 }), { minLength: 8, maxLength: 60 })
  .map((sentences) => sentences.map((words, index) => `${words.join(' ')} ${1_000_000 + index * 7919}. `));

const edit = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'lookalike', 'alter', 'remove', 'none' as const),
  /** Where, as a share of the text before or after the passage. */
  where: fc.double({ min: 0, max: 1, noNaN: true }),
  isBefore: fc.boolean(),
  size: fc.integer({ min: 1, max: 80 }),
});

export const planted = fc.record({
  article: articles,
  sentence: fc.nat(),
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
});
type Planted = typeof planted extends fc.Arbitrary<infer T> ? T : never;

/** Longest context that a selection takes; edits leave it as it is, so that the place stays recognizable. */
const CONTEXT = 32;

/**
 * An article, a quote pinned in it, the article after edits outside the passage and its context or in the
 * passage, and the place of the passage in it in code points: null once it was altered or removed.
 */
export function editOf({ article, sentence, edits }: Planted) {
  const text = article.join('');
  const index = sentence % article.length;
  const start = article.slice(0, index).join('').length;
  const passage = article[index]!.trimEnd();
  const selector = selectPassage(text, start, start + passage.length)!;
  let before = text.slice(0, start);
  let middle = passage;
  let after = text.slice(start + passage.length);
  for (const { kind, where, isBefore, size } of edits) {
    if (kind === 'alter') middle = middle.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
    if (kind === 'remove') middle = '';
    if (kind !== 'insert' && kind !== 'delete' && kind !== 'lookalike') continue;
    const side = isBefore ? before : after;
    const room = Math.max(0, side.length - CONTEXT);
    // Behind the context of the passage, before its context, and never inside a surrogate pair.
    let at = Math.floor(where * room) + (isBefore ? 0 : Math.min(CONTEXT, side.length));
    if ((side.charCodeAt(at) & 0xfc00) === 0xdc00) at -= 1;
    if (!isBefore && at < CONTEXT) continue;
    const removed = kind === 'delete' ? removable(side, at, isBefore ? room : side.length, size) : 0;
    const added = kind === 'insert' ? `${'𝔵'.repeat(size)} ` : kind === 'lookalike' ? `~${passage}~` : '';
    const changed = side.slice(0, at) + added + side.slice(at + removed);
    if (isBefore) before = changed;
    else after = changed;
  }
  const isThere = middle === passage;
  return { text, selector, edited: before + middle + after, place: isThere ? [...before].length : null };
}

/** How much may be deleted from a position on without cutting a surrogate pair. */
function removable(side: string, at: number, limit: number, size: number): number {
  const end = Math.min(limit, at + size);
  const isCut = (side.charCodeAt(end) & 0xfc00) === 0xdc00;
  return Math.max(0, (isCut ? end - 1 : end) - at);
}

export const invented = fc.record({
  article: articles,
  sentence: fc.nat(),
  how: fc.constantFrom('word', 'letter', 'sign', 'case', 'space', 'negation', 'free' as const),
  free: fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme' }),
});
type Invented = typeof invented extends fc.Arbitrary<infer T> ? T : never;

/** An article and words that somebody says are quoted from it. */
export function articleWith({ article, sentence, how, free }: Invented): { text: string; exact: string } {
  const said = article[sentence % article.length]!.trim();
  const exact = {
    word: said.replace(/\w+/, 'tunnel'),
    letter: said.replace(/\d/, '2'),
    sign: said.replace('.', '!'),
    case: said.toUpperCase(),
    space: said.replaceAll(' ', '  '),
    negation: said.replace(' ', ' not '),
    free: `${free}#`,
  }[how];
  return { text: article.join(''), exact };
}
