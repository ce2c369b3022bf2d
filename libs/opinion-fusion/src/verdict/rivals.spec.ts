import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { actor, analysisOf, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import type { ClaimInput, InvestigationInput, SubjectResult } from '../contract/types.ts';

function verdict(claims: ClaimInput[], more: Partial<InvestigationInput> = {}): SubjectResult {
  return judge(investigation(claims, more)).subject_results[0]!;
}

describe('rival values', () => {
  it('rival values list each value once, the leading one first, with its own sources and chance', () => {
    covers('RM-11.5', 'RM-11.6', 'RM-11.119', 'RM-11.161');
    const {
      rival_values: rivals,
      calibrated_probability: chance,
      tied,
    } = verdict([claim('c1', 'a', 'blue'), claim('c2', 'b', 'red'), claim('c3', 'c', 'Red')]);
    expect(rivals.map(({ value, source_count: count }) => [value, count])).toEqual([
      ['red', 2],
      ['blue', 1],
    ]);
    expect(rivals[0]!.calibrated_probability).toBe(chance);
    const sum = rivals.reduce((total, rival) => total + rival.calibrated_probability, 0);
    expect(sum).toBeLessThan(1);
    expect(tied).toBeUndefined();
  });

  it('rival values report that no value leads where the two best have equal evidence', () => {
    covers('RM-11.6', 'RM-11.120');
    const result = verdict([claim('c1', 'a', 'blue'), claim('c2', 'b', 'red'), claim('c3', 'c', 'green')]);
    expect(result.tied).toBe(true);
    const chances = result.rival_values.map(({ calibrated_probability: chance }) => chance);
    for (const chance of chances) expect(chance).toBeCloseTo(chances[0]!, 12);
  });

  it('rival values of a boolean led by false list true first, with the chance that it is true', () => {
    covers('RM-11.6', 'RM-11.162');
    const result = verdict([claim('c1', 'a', 'no'), claim('c2', 'b', 'no'), claim('c3', 'c', 'yes')]);
    const [first, second] = result.rival_values;
    expect([first!.value, second!.value]).toEqual(['true', 'false']);
    expect(first!.expected_probability).toBe(result.expected_probability);
    expect(first!.calibrated_probability).toBe(result.calibrated_probability);
    expect(first!.calibrated_probability + second!.calibrated_probability).toBeCloseTo(1, 12);
  });

  it('gain by every further independent source that agrees', () => {
    covers('RM-11.5');
    const chances = [1, 2, 3, 5, 8].map(
      (count) =>
        verdict(
          Array.from({ length: count }, (_, i) => claim(`c${i}`, `a${i}`, 'red')),
          { actors: Array.from({ length: count }, (_, i) => actor(`a${i}`)) },
        ).calibrated_probability,
    );
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
    expect(chances.at(-1)).toBeGreaterThan(0.95);
  });

  it('where reliability is estimated, keep half their chance to the share of the log odds', () => {
    covers('RM-11.5');
    const chanceOf = (count: number, more: ClaimInput[] = []) =>
      verdict([...Array.from({ length: count }, (_, i) => claim(`c${i}`, `a${i}`, 'red')), ...more], {
        actors: Array.from({ length: count + 1 }, (_, i) => actor(`a${i}`)),
        reliability: 'estimated',
        dependence: 'declared',
      }).calibrated_probability;
    const logOdds = Math.log(0.8 / 0.2);
    expect(chanceOf(1)).toBeCloseTo(
      0.5 / (1 + Math.exp(-0.3 * logOdds)) + (0.5 * logOdds) / (logOdds + 0.5),
      9,
    );
    const chances = [1, 2, 3, 5, 8].map((count) => chanceOf(count));
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
    for (const count of [1, 2, 3, 5, 8])
      expect(chanceOf(count, [claim('against', `a${count}`, 'blue')])).toBeLessThan(chanceOf(count));
  });

  it('chances of a boolean add up to one, also where reliability is estimated', () => {
    covers('RM-11.6');
    for (const values of [
      ['yes', 'yes', 'no'],
      ['no', 'no', 'yes'],
    ]) {
      const { rival_values: rivals } = verdict(
        values.map((value, i) => claim(`c${i}`, 'abc'[i]!, value)),
        { reliability: 'estimated' },
      );
      const sum = rivals.reduce((total, rival) => total + rival.calibrated_probability, 0);
      expect(rivals).toHaveLength(2);
      expect(sum).toBeCloseTo(1, 12);
    }
  });

  it('rival values are empty where only a superseded claim stands against nothing', () => {
    covers('RM-11.6', 'RM-11.8', 'RM-11.150', 'RM-11.155');
    const result = verdict([
      claim('old', 'a', 'red'),
      claim('new', 'b', 'true', { predicate: 'colour', valence: 'Refutes', supersedes_claim_id: 'old' }),
    ]);
    expect(result.leading_value).not.toBe('red');
  });
});

describe('supersession in the verdict', () => {
  it('a correction outweighs what its own source said before', () => {
    covers('RM-11.8', 'RM-11.126');
    const alone = verdict([claim('new', 'a', 'new')]);
    const corrected = verdict([
      claim('old', 'a', 'old'),
      claim('new', 'a', 'new', { supersedes_claim_id: 'old' }),
    ]);
    expect(corrected).toEqual(alone);
  });

  it('superseded claims do not win over their successor, directly or through others', () => {
    covers('RM-11.8', 'RM-11.127', 'RM-11.154');
    const result = verdict([
      claim('v1', 'a', 'old'),
      claim('v1b', 'b', 'old'),
      claim('v2', 'c', 'newer', { supersedes_claim_id: 'v1' }),
      claim('v3', 'd', 'new', {
        supersedes_claim_id: 'v2',
        relationships: [{ relationship_type: 'supersedes', target_claim_id: 'v1b' }],
      }),
    ]);
    expect(result.leading_value).toBe('new');
    expect(result.rival_values.map(({ value }) => value)).toEqual(['new']);
  });

  it('copies of a superseded claim weigh like it, with a warning', () => {
    covers('RM-11.8', 'RM-11.128');
    const result = judge(
      investigation(
        [
          claim('old', 'a', 'old'),
          claim('copy', 'b', 'old'),
          claim('new', 'a', 'new', { supersedes_claim_id: 'old' }),
        ],
        { actors: [actor('a'), actor('b', { depends_on: ['a'] })] },
      ),
    );
    expect(result.subject_results[0]).toMatchObject({ leading_value: 'new' });
    expect(result.subject_results[0]!.confidence.opposition).toBe(0);
    expect(result.warnings).toContainEqual(expect.stringContaining('`copy` repeats `old`'));
  });

  it('a claim is no copy of what it superseded, even once it is superseded itself', () => {
    covers('RM-11.8', 'RM-11.157');
    const result = judge(
      investigation(
        [
          claim('v1', 'a', 'old'),
          claim('v2', 'b', 'old', { supersedes_claim_id: 'v1' }),
          claim('v3', 'a', 'new', { supersedes_claim_id: 'v2' }),
        ],
        { actors: [actor('a'), actor('b', { depends_on: ['a'] })] },
      ),
    );
    const supportOf = (id: string) => analysisOf(result, id).support;
    expect(supportOf('v1')).toBe(0);
    expect(supportOf('v2')).toBeGreaterThan(0);
    expect(result.warnings.filter((warning) => warning.includes('is weighed like it'))).toEqual([]);
  });
});

describe('contested verdicts', () => {
  it('a verdict is Both where two weak sources flatly contradict each other, with a dispute level of 1', () => {
    covers('RM-11.7', 'RM-11.124');
    const weak = [actor('a', { base_reliability: 0.3 }), actor('b', { base_reliability: 0.3 })];
    const result = judge(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue')], { actors: weak }),
    );
    expect(result.subject_results[0]!.truth_status).toBe('Both');
    expect(result.conflict_analysis[0]!.dispute_level).toBe(1);
  });
});
