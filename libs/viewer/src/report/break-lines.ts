import type { Look } from './report-styles.ts';

/** A word, or a part of one, in one look. */
export interface Atom {
  readonly text: string;
  readonly look: Look;
  readonly named: string | null;
  /** Parts of one link or one named piece: they are one element. */
  readonly owner: object | null;
}

/** What stands in one line in one look. */
interface Segment extends Atom {
  /** Points from the left edge of the page. */
  readonly x: number;
}

/**
 * Words set in lines of `width` points from `x` on, as `widthOf` measures them: a line ends before the word
 * that is too long for it, and a word longer than a line is parted between its characters. Pure.
 */
export function linesOf(
  atoms: readonly (Atom | ' ')[],
  { x, width }: { readonly x: number; readonly width: number },
  widthOf: (text: string, look: Look) => number,
): Segment[][] {
  const lines: Segment[][] = [];
  let line: Segment[] = [];
  let used = 0;
  let isSpaced = false;
  const end = () => {
    if (line.length > 0) lines.push(line);
    line = [];
    used = 0;
    isSpaced = false;
  };
  const put = (atom: Atom) => {
    const last = line.at(-1);
    if (isSpaced && last !== undefined) used += widthOf(' ', last.look);
    if (last !== undefined && last.look === atom.look && last.owner === atom.owner) {
      line[line.length - 1] = { ...last, text: `${last.text}${isSpaced ? ' ' : ''}${atom.text}` };
    } else {
      // The space belongs to what stands before it, so that a reader of the text finds it.
      if (isSpaced && last !== undefined) line[line.length - 1] = { ...last, text: `${last.text} ` };
      line.push({ ...atom, x: x + used });
    }
    used += widthOf(atom.text, atom.look);
    isSpaced = false;
  };
  for (const word of wordsOf(atoms)) {
    if (word === ' ') {
      isSpaced = line.length > 0;
      continue;
    }
    const size = word.reduce((sum, { text, look }) => sum + widthOf(text, look), 0);
    const space = isSpaced && line.length > 0 ? widthOf(' ', line.at(-1)!.look) : 0;
    if (used > 0 && used + space + size > width) end();
    for (const atom of word) {
      if (used + widthOf(atom.text, atom.look) <= width || size <= width) {
        put(atom);
        continue;
      }
      for (const character of atom.text) {
        if (used > 0 && used + widthOf(character, atom.look) > width) end();
        put({ ...atom, text: character });
      }
    }
  }
  end();
  return lines;
}

/** Atoms between two spaces, which no line break parts. */
function* wordsOf(atoms: readonly (Atom | ' ')[]): Generator<Atom[] | ' '> {
  let word: Atom[] = [];
  for (const atom of atoms) {
    if (atom !== ' ') {
      word.push(atom);
      continue;
    }
    if (word.length > 0) yield word;
    word = [];
    yield ' ';
  }
  if (word.length > 0) yield word;
}
