import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { absentVerdict } from './absent-verdict.ts';

const NONE = 'the last judgement has no verdict on this subject_id and predicate';
const line = (subject_id: string, predicate: string) => JSON.stringify({ subject_id, predicate });

describe('a verdict that is not there', () => {
  covers('INV-T.17');
  it('the error about an absent verdict has those there are, the likeliest meant first, and nothing else of them', () => {
    const verdicts = [
      { subject_id: 'a', predicate: 'p', leading_value: '1' },
      { subject_id: 'b', predicate: 'q', leading_value: '2' },
    ];
    expect(absentVerdict(verdicts, { subject_id: 'b', predicate: 'Q' })).toBe(
      `${NONE}; it has verdicts on\n${line('b', 'q')}\n${line('a', 'p')}`,
    );
    expect(absentVerdict([], { subject_id: 'b', predicate: 'q' })).toBe(`${NONE}, nor on any other`);
  });

  it('the response about an absent verdict stays short, however many verdicts there are', () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ subject_id: `s${i}`, predicate: 'p' }));
    const lines = absentVerdict(many, { subject_id: 's299', predicate: 'x' }).split('\n');
    expect([lines[1], lines.length, lines.at(-1)]).toEqual([line('s299', 'p'), 22, 'and 280 more']);
    const long = [{ subject_id: 's'.repeat(1_000_000), predicate: 'p' }];
    expect(absentVerdict(long, { subject_id: 's', predicate: 'p' })).toMatch(
      /it has verdicts on\nand 1 more$/,
    );
  });
});
