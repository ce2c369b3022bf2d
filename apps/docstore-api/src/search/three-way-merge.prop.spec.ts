import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { diff } from './line-diff.mjs';
import { mergeThreeWays } from './three-way-merge.mjs';

fc.configureGlobal({ seed: SEED });

/** Length of the longest common subsequence, from its definition. */
function longestCommon(a: readonly number[], b: readonly number[]): number {
  let below = new Array<number>(b.length + 1).fill(0);
  for (let i = a.length - 1; i >= 0; i--) {
    const row = new Array<number>(b.length + 1).fill(0);
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!);
    below = row;
  }
  return below[0]!;
}

/** `a` with every hunk replaced by what `b` has in its place. */
function patched(a: readonly number[], b: readonly number[]): { text: number[]; edits: number } {
  const text: number[] = [];
  let [at, edits] = [0, 0];
  for (const { aStart, aEnd, bStart, bEnd } of diff(Int32Array.from(a), Int32Array.from(b))) {
    text.push(...a.slice(at, aStart), ...b.slice(bStart, bEnd));
    at = aEnd;
    edits += aEnd - aStart + bEnd - bStart;
  }
  return { text: [...text, ...a.slice(at)], edits };
}

describe('diff', () => {
  const sequence = fc.array(fc.nat({ max: 4 }), { maxLength: 40 });

  it('diff is a shortest edit script', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const { text, edits } = patched(a, b);
        expect(text).toEqual(b);
        expect(edits).toBe(a.length + b.length - 2 * longestCommon(a, b));
      }),
    );
  });

  it('diff is a valid edit script of sequences that differ in thousands of places', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 2 }), { minLength: 3000, maxLength: 5000 }),
        fc.nat(),
        (a, shift) => {
          const b = a.map((value, index) => (value * 7 + index * (shift % 5)) % 3);
          expect(patched(a, b).text).toEqual(b);
        },
      ),
      { numRuns: 10 },
    );
  });
});

describe('mergeThreeWays', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n');
  const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join(''));

  it('mergeThreeWays returns the side that changed, and either when both are equal', () => {
    covers('DOC-D.23');
    fc.assert(
      fc.property(text, text, (base, changed) => {
        const expected = { merged: changed, conflicts: [], marked: null };
        expect(mergeThreeWays(base, changed, base)).toEqual(expected);
        expect(mergeThreeWays(base, base, changed)).toEqual(expected);
        expect(mergeThreeWays(base, changed, changed)).toEqual(expected);
      }),
    );
  });

  it('mergeThreeWays applies changes of both sides that lie apart, whatever surrounds them', () => {
    covers('DOC-D.8');
    const block = fc.array(fc.nat(), { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.nat({ max: 20 }),
        fc.nat({ max: 20 }),
        block,
        block,
        fc.boolean(),
        (i, gap, mine, current, isLast) => {
          const lines = Array.from({ length: 45 }, (_, index) => `line ${index}`);
          const [first, second] = [1 + i, 1 + i + 2 + gap];
          const put = (at: number, side: string, values: readonly number[], to: readonly string[]) =>
            to.flatMap((each, index) => (index === at ? values.map((value) => `${side} ${value}`) : [each]));
          const textOf = (each: readonly string[]) => each.join('\n') + (isLast ? '' : '\n');
          const merged = mergeThreeWays(
            textOf(lines),
            textOf(put(first, 'mine', mine, lines)),
            textOf(put(second, 'current', current, lines)),
          );
          // The later place first: replacing lines moves those behind them.
          const expected = put(first, 'mine', mine, put(second, 'current', current, lines));
          expect(merged).toEqual({ merged: textOf(expected), conflicts: [], marked: null });
        },
      ),
    );
  });

  it('mergeThreeWays is symmetric, and quotes each side of a conflict unchanged', () => {
    covers('DOC-D.8');
    fc.assert(
      fc.property(text, text, text, (base, mine, current) => {
        const one = mergeThreeWays(base, mine, current);
        const other = mergeThreeWays(base, current, mine);
        if (one.conflicts.length === 0) expect(other.merged).toBe(one.merged);
        expect(other.conflicts).toEqual(
          one.conflicts.map((each) => ({ ...each, mine: each.current, current: each.mine })),
        );
        const lines = base.split('\n');
        for (const conflict of one.conflicts) {
          const quoted = conflict.base === '' ? [] : conflict.base.split('\n');
          const start = conflict.base_line - 1;
          if (quoted.length > 0) expect(lines.slice(start, start + quoted.length)).toEqual(quoted);
        }
        expect(one.marked?.match(/^<<<<<<< mine$/gm)?.length ?? 0).toBe(one.conflicts.length);
      }),
    );
  });
});
