import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import {
  actor,
  analysisOf,
  claim,
  investigation,
  judge,
  verdictOf,
} from '../fixtures/investigation.fixture.ts';
import type { ClaimInput, InvestigationInput } from '../contract/types.ts';

const at = (month: number) => ({ assertion_time: `2025-0${month}-01` });
const weightOf = (input: InvestigationInput, id: string) => analysisOf(judge(input), id).support;

describe('corrections and repetitions of one source', () => {
  it('a value is withdrawn where the claim that corrects it repeats an earlier claim and is dropped', () => {
    covers('RM-2.35', 'RM-11.126');
    const corrected = (more: Partial<ClaimInput>) =>
      investigation([
        claim('c1', 'a', '2024', at(1)),
        claim('c2', 'a', '2023', at(2)),
        claim('c3', 'a', '2024', { ...at(3), ...more }),
        claim('c4', 'b', '2023', { ...at(3), scope: 'elsewhere' }),
      ]);
    for (const more of [
      { supersedes_claim_id: 'c2' },
      { relationships: [{ relationship_type: 'supersedes', target_claim_id: 'c2' }] },
    ]) {
      const input = corrected(more);
      expect(weightOf(input, 'c2')).toBe(0);
      expect(judge(input).temporal_analysis!.supersession_chains).toMatchObject([
        { claim_ids: ['c2', 'c1'] },
      ]);
      expect(verdictOf(judge({ ...input, claims: input.claims.slice(0, 3) })).leading_value).toBe('2024');
    }
    expect(weightOf(corrected({}), 'c2')).toBeGreaterThan(0);
  });

  it('a source that comes back to a value it had corrected is heard with that value', () => {
    covers('RM-2.34', 'RM-2.35', 'RM-11.172', 'RM-11.126');
    const turns = (ids: readonly string[], isDated: boolean) => {
      const [one, two, three] = ids as [string, string, string];
      const when = (month: number) => (isDated ? at(month) : {});
      return investigation([
        claim(one, 'a', '2024', when(1)),
        claim(two, 'a', '2023', { ...when(2), supersedes_claim_id: one }),
        claim(three, 'a', '2024', { ...when(3), supersedes_claim_id: two }),
      ]);
    };
    for (const isDated of [true, false]) {
      for (const ids of ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'].map((order) => [...order])) {
        const input = turns(ids, isDated);
        const result = judge(input);
        expect(verdictOf(result)).toMatchObject({ leading_value: '2024', source_count: 1 });
        expect(ids.map((id) => weightOf(input, id) > 0)).toEqual([false, false, true]);
        expect(result.temporal_analysis!.supersession_chains).toMatchObject([{ claim_ids: ids }]);
        expect(result.warnings.filter((warning) => /circle|repeats/.test(warning))).toEqual([]);
      }
    }
  });

  it('a source that insists on its value after another corrected it leads again', () => {
    covers('RM-11.126');
    const { leading_value: value } = verdictOf(
      judge(
        investigation(
          [
            claim('c1', 'a', '2024', at(1)),
            claim('c2', 'b', '2023', { ...at(2), supersedes_claim_id: 'c1' }),
            claim('c3', 'a', '2024', { ...at(3), supersedes_claim_id: 'c2' }),
          ],
          { actors: [actor('a'), actor('b')] },
        ),
      ),
    );
    expect(value).toBe('2024');
  });

  it('a repetition belongs to the last time its source came back before it', () => {
    covers('RM-2.34', 'RM-2.35');
    const claims = [
      claim('c1', 'a', '2024', at(1)),
      claim('c1-again', 'a', '2024', at(1)),
      claim('c2', 'a', '2023', { ...at(2), supersedes_claim_id: 'c1-again' }),
      claim('c2-again', 'a', '2023', at(3)),
      claim('c3', 'a', '2024', { ...at(4), supersedes_claim_id: 'c2-again' }),
      claim('c4', 'a', '2024', at(5)),
      claim('c5', 'a', '2023', { ...at(6), supersedes_claim_id: 'c4' }),
    ];
    const kept = (upTo: number) =>
      judge(investigation(claims.slice(0, upTo))).claim_analyses.map(({ claim_id: id }) => id);
    expect(kept(6)).toEqual(['c1', 'c2', 'c3']);
    expect(kept(7)).toEqual(['c1', 'c2', 'c3', 'c5']);
    expect(verdictOf(judge(investigation(claims.slice(0, 6)))).leading_value).toBe('2024');
    expect(verdictOf(judge(investigation(claims))).leading_value).toBe('2023');
  });

  it('a chain of corrections that nothing repeats leaves each of its claims', () => {
    const ids = Array.from({ length: 200 }, (_, i) => `c${String(i).padStart(3, '0')}`);
    const claims = ids.map((id, i) =>
      claim(id, 'a', i % 2 === 0 ? 'red' : 'blue', i === 0 ? {} : { supersedes_claim_id: ids[i - 1]! }),
    );
    const result = judge(investigation(claims));
    expect(result.claim_analyses).toHaveLength(200);
    expect(verdictOf(result).leading_value).toBe('blue');
  });
});
