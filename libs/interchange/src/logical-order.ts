import { type PlacedText, separator } from './placed-text.ts';

/** A letter of a script that is written from right to left. */
const R = String.raw`[[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]--\p{Nd}]`;
const NUMBER = String.raw`[#$%°\p{Sc}]{0,3}\p{Nd}+(?:[.,:\/+\-]\p{Nd}+)*[#$%°\p{Sc}]{0,3}`;
/** Words of another script, with what stands between them, or a number. */
const LEFT_TO_RIGHT = String.raw`\p{Nd}*[\p{L}--${R}](?:[^${R}]*[[\p{L}\p{Nd}]--${R}])?\p{M}*|${NUMBER}`;
const TOKENS = new RegExp(`${LEFT_TO_RIGHT}|[^]`, 'gv');
const RIGHT_TO_LEFT_RUN = new RegExp(String.raw`${R}(?:[[^\p{L}]${R}\p{M}]*${R})?`, 'gv');
const LETTERS = /\p{L}/gu;
const ENDS_RIGHT_TO_LEFT = new RegExp(String.raw`${R}\P{L}*$`, 'v');
const RIGHT_TO_LEFT_LETTERS = new RegExp(R, 'gv');
/** Letters in the shape that they have in a word, and ligatures of them. */
const PRESENTATION_FORMS = /[\uFB1D-\uFDFF\uFE70-\uFEFC]/g;
const MIRRORED = new Map([...'()[]{}<>«»'].map((sign, at, all) => [sign, all[at % 2 ? at - 1 : at + 1]!]));

/**
 * The text of one line of a page. A PDF file has the runs of a line where they stand, from the left, also of
 * Hebrew and Arabic; they are put in the order in which they are read, with letters as they are typed. A line
 * without such letters stays as it is drawn, with a line break wherever it goes back. `isPage` says whether
 * most letters of the page are of these scripts: a line that ends on the right in one of them is then read
 * from there. Source: the order that the Unicode bidirectional algorithm (UAX 9) shows is undone, without
 * its explicit marks.
 */
export function logicalLine(items: readonly PlacedText[], isPage: boolean): string {
  const given = items.map(({ str }) => str).join('');
  if (!given.match(RIGHT_TO_LEFT_LETTERS)) return joined(items, '\n');
  const shown = joined(
    items
      .toSorted((a, b) => a.transform[4]! - b.transform[4]!)
      .map((item) => ({ ...item, str: reordered(item.str, item.dir === 'rtl', (sign) => sign) })),
    '',
  );
  const isRightToLeft = isMostlyRightToLeft(given) || (isPage && ENDS_RIGHT_TO_LEFT.test(shown));
  return reordered(shown, isRightToLeft, (sign) => MIRRORED.get(sign) ?? sign).replace(
    PRESENTATION_FORMS,
    (form) => form.normalize('NFKC'),
  );
}

/** Whether most letters of a text are written from right to left. */
export const isMostlyRightToLeft = (text: string): boolean =>
  2 * (text.match(RIGHT_TO_LEFT_LETTERS)?.length ?? 0) > (text.match(LETTERS)?.length ?? 0);

/** The texts of runs, with what stands between each and the next; `back` where the next one goes back. */
const joined = (items: readonly PlacedText[], back: string): string =>
  items
    .map((item, at) => (at > 0 ? separator(items[at - 1]!, item).replace('\n', back) : '') + item.str)
    .join('');

/** Logical from visual order, and the other way round. */
function reordered(text: string, isRightToLeft: boolean, mirror: (sign: string) => string): string {
  if (!isRightToLeft) return text.replace(RIGHT_TO_LEFT_RUN, (run) => reordered(run, true, mirror));
  return text.match(TOKENS)?.map(mirror).toReversed().join('') ?? '';
}
