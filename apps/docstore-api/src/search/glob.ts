import { DomainError } from '@platform/error-contracts';
import { fold } from '../rules/text.ts';

/**
 * A glob as a regular expression of Postgres (an "advanced" one, matched by an automaton and not by
 * backtracking as long as it holds no back reference, and none is ever written here). `*` is any run of
 * characters but `/`, `**` any run at all, `**` as a whole segment also no folder, `?` one character but `/`;
 * `[abc]`, `[a-z]` and `[!a]` are one character of a class but never `/`; `{a,b}` is one of the alternatives,
 * which may hold others; a backslash takes away what the next character means. For comparison without regard
 * to case names are folded, and a range holds the folds of all that it spans. Throws `invalid_argument` for a
 * class, alternatives or a backslash that nothing closes. (`libs/decide/src/glob.ts` reads another
 * language of globs on purpose.)
 */
export function globToPostgresRegex(glob: string, isCaseSensitive: boolean): string {
  const points = [...glob];
  const literal = (point: string) => (isCaseSensitive ? [point] : [...fold(point)]).map(quote).join('');
  // `***:` would be read as a directive only at the start, and `^` stands there.
  let regex = '^';
  let braces = 0;
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!;
    if (point === '*') {
      const isAtStart = index === 0 || points[index - 1] === '/';
      let stars = 1;
      while (points[index + 1] === '*') {
        index++;
        stars++;
      }
      if (stars === 1) regex += '[^/]*';
      else if (isAtStart && points[index + 1] === '/') {
        // Several in a row match the same as one.
        while (points.slice(index + 2, index + 5).join('') === '**/') index += 3;
        index++;
        regex += '(.*/)?';
      } else regex += '.*';
    } else if (point === '?') regex += '[^/]';
    else if (point === '[') {
      const group = readClass(points, index, isCaseSensitive);
      if (group === null) throw unclosed(point, index);
      regex += group.regex;
      index = group.end;
    } else if (point === '{') {
      braces++;
      regex += '(';
    } else if (point === ',' && braces > 0) regex += '|';
    else if (point === '}' && braces > 0) {
      braces--;
      regex += ')';
    } else if (point === '\\') {
      const next = points[++index];
      if (next === undefined) throw unclosed(point, index - 1);
      regex += literal(next);
    } else regex += literal(point);
  }
  if (braces > 0) throw unclosed('{', points.lastIndexOf('{'));
  return `${regex}$`;
}

function unclosed(point: string, index: number): DomainError {
  const fix =
    point === '\\' ? 'put a character after it, or write `\\\\`' : `close it, or write \`\\${point}\``;
  return new DomainError(
    'invalid_argument',
    `the glob's \`${point}\` at character ${index + 1} is not closed: ${fix}`,
  );
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
