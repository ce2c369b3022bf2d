/** A piece of a text: drawn as it stands, or named because the fonts lack its characters. */
export interface Piece {
  /** What is drawn, such as `[4 Chinese characters]` for a piece that is named. */
  readonly drawn: string;
  /** What stands behind it for copying and for screen readers; null where it is drawn itself. */
  readonly named: string | null;
}

/** Scripts as readers know them; the first that a piece has a letter of names it. */
const SCRIPTS: readonly (readonly [kind: RegExp, name: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'Japanese '],
  [/\p{Script=Han}/u, 'Chinese '],
  ...['Hangul', 'Arabic', 'Hebrew', 'Devanagari', 'Bengali', 'Tamil', 'Thai', 'Georgian', 'Armenian'].map(
    (script): [RegExp, string] => [
      new RegExp(`\\p{Script=${script}}`, 'u'),
      script === 'Hangul' ? 'Korean ' : `${script} `,
    ],
  ),
];

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** UTF-16 code units that are segmented at once. */
const WINDOW = 1_000;
const EMOJI = /\p{Extended_Pictographic}|\p{RI}/u;
/** White space and signs between words of another script belong to it. */
const NEUTRAL = /^[\s\p{P}\p{N}]+$/u;

/**
 * A text in pieces that the fonts draw and pieces that they do not, whole characters together: a letter whose
 * accent the font lacks is not drawn without it. `has` says whether the font has a code point. Pure.
 */
export function piecesOf(text: string, has: (codePoint: number) => boolean): Piece[] {
  if ([...text].every((character) => has(character.codePointAt(0)!)))
    return text === '' ? [] : [{ drawn: text, named: null }];
  const runs: { graphemes: string[]; isDrawn: boolean }[] = [];
  const graphemes = graphemesOf(text);
  const drawn = graphemes.map((one) => [...one].every((character) => has(character.codePointAt(0)!)));
  /** Whether the next characters that are neither white space nor signs are drawn, by the position. */
  const ahead = drawn.slice();
  for (let at = graphemes.length - 2; at >= 0; at--)
    if (NEUTRAL.test(graphemes[at]!)) ahead[at] = drawn[at]! && (ahead[at + 1] ?? true);
  for (const [at, segment] of graphemes.entries()) {
    const last = runs.at(-1);
    const isBetween = NEUTRAL.test(segment) && last?.isDrawn === false && !ahead[at]!;
    const isDrawn = drawn[at]! && !isBetween;
    if (last?.isDrawn === isDrawn) last.graphemes.push(segment);
    else runs.push({ graphemes: [segment], isDrawn });
  }
  return runs.map(({ graphemes: run, isDrawn }) =>
    isDrawn ? { drawn: run.join(''), named: null } : { drawn: nameOf(run), named: run.join('') },
  );
}

/**
 * In windows: V8 copies the whole text that is segmented for each grapheme of it, and a long one took more
 * memory than a thread may have, which ends the process.
 */
function graphemesOf(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const part = [...GRAPHEMES.segment(text.slice(at, at + WINDOW))].map(({ segment }) => segment);
    // The last one may continue behind the window.
    if (at + WINDOW < text.length && part.length > 1) part.pop();
    for (const one of part) {
      found.push(one);
      at += one.length;
    }
  }
  return found;
}

/**
 * `[2 emoji]`, `[1 Hebrew character]`, and `[3 characters]` where emoji stand among them. White space and
 * signs between them do not count.
 */
function nameOf(graphemes: readonly string[]): string {
  const named = graphemes.filter((one) => !NEUTRAL.test(one));
  const count = named.length === 0 ? graphemes.length : named.length;
  const emoji = named.filter((one) => EMOJI.test(one) && !/\p{L}/u.test(one)).length;
  if (emoji > 0 && emoji === named.length) return `[${count}\u00a0emoji]`;
  const script = emoji > 0 ? '' : (SCRIPTS.find(([kind]) => kind.test(named.join('')))?.[1] ?? '');
  return `[${count}\u00a0${script.trim()}${script && '\u00a0'}${count === 1 ? 'character' : 'characters'}]`;
}
