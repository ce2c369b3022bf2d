import { fold } from '../rules/text.ts';

/**
 * A glob as a regular expression of Postgres (an "advanced" one, matched by an automaton and not by backtracking as long
 * as it holds no back reference, and none is ever written here). `*` is any run of characters but `/`, `**` any run at
 * all, `?` one character but `/`; `[abc]`, `[a-z]` and `[!a]` are one character of a class but never `/`; a backslash
 * takes away what the next character means. An unclosed `[` and a backslash at the end stand for themselves. Without
 * regard to case it is for folded names, and a range holds the folds of all that it spans.
 */
export function globToPostgresRegex(glob: string, isCaseSensitive: boolean): string {
  const points = [...glob];
  const literal = (point: string) => (isCaseSensitive ? [point] : [...fold(point)]).map(quote).join('');
  // `***:` would be read as a directive only at the start, and `^` stands there.
  let regex = '^';
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!;
    if (point === '*') {
      let stars = 1;
      while (points[index + 1] === '*') {
        index++;
        stars++;
      }
      regex += stars === 1 ? '[^/]*' : '.*';
    } else if (point === '?') regex += '[^/]';
    else if (point === '[') {
      const group = readClass(points, index, isCaseSensitive);
      if (group === null) regex += literal(point);
      else {
        regex += group.regex;
        index = group.end;
      }
    } else if (point === '\\' && index + 1 < points.length) regex += literal(points[++index]!);
    else regex += literal(point);
  }
  return `${regex}$`;
}

/** The class that begins at `start`, or null when it is never closed or holds nothing. */
function readClass(
  points: readonly string[],
  start: number,
  isCaseSensitive: boolean,
): { regex: string; end: number } | null {
  let index = start + 1;
  const isNegated = points[index] === '!' || points[index] === '^';
  if (isNegated) index++;
  const items: string[] = [];
  const ranges: string[] = [];
  for (let first = true; ; first = false) {
    const point = points[index];
    if (point === undefined) return null;
    if (point === ']' && !first) break;
    const low = point === '\\' && points[index + 1] !== undefined ? points[++index]! : point;
    index++;
    const isRange = points[index] === '-' && points[index + 1] !== undefined && points[index + 1] !== ']';
    if (!isRange) {
      items.push(...(isCaseSensitive ? [low] : fold(low)));
      continue;
    }
    index++;
    const high =
      points[index] === '\\' && points[index + 1] !== undefined ? points[++index]! : points[index]!;
    index++;
    // An empty range matches nothing; Postgres would refuse it.
    if (low.codePointAt(0)! > high.codePointAt(0)!) continue;
    ranges.push(`${classLiteral(low)}-${classLiteral(high)}`);
    if (!isCaseSensitive) items.push(...foldsBeyond(low.codePointAt(0)!, high.codePointAt(0)!));
  }
  const chosen = [...new Set(items)].map(classLiteral).concat(ranges).join('');
  // A slash is never matched by a class, whichever way it is written.
  if (isNegated) return { regex: `[^/${chosen}]`, end: index };
  return { regex: chosen === '' ? '(?!)' : `(?!/)[${chosen}]`, end: index };
}

/** Characters that folding changes, as code point and fold; few of a million, found when first asked for. */
let folding: readonly (readonly [point: number, folded: string])[] | undefined;

/** What the characters from `low` to `high` fold to and is not among them itself. */
function foldsBeyond(low: number, high: number): string[] {
  folding ??= Array.from({ length: 0x20000 }, (_, point) => [point, String.fromCodePoint(point)] as const)
    .filter(([, text]) => text.isWellFormed() && fold(text) !== text)
    .map(([point, text]) => [point, fold(text)] as const);
  return folding
    .filter(([point]) => point >= low && point <= high)
    .flatMap(([, folded]) => [...folded])
    .filter((folded) => folded.codePointAt(0)! < low || folded.codePointAt(0)! > high);
}

function quote(point: string): string {
  return /[A-Za-z0-9_/ ]/.test(point) || point.codePointAt(0)! > 0x7f ? point : `\\${point}`;
}

/** Inside brackets, Postgres reads a backslash as an escape, and `[:`, `[.`, `[=` as more than characters. */
function classLiteral(point: string): string {
  return /[A-Za-z0-9]/.test(point) || point.codePointAt(0)! > 0x7f ? point : `\\${point}`;
}
