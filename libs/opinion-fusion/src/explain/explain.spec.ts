import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { InvalidInvestigation } from '../contract/invalid-investigation.ts';
import { actor, claim, investigation, meta, NOW } from '../fixtures/investigation.fixture.ts';
import type { InvestigationInput } from '../contract/types.ts';
import { auditClaims } from './audit-claims.ts';
import { explain } from './explain.ts';

const why = (input: InvestigationInput) =>
  explain(input, { now: NOW, subject_id: 's1', predicate: 'colour' })!;

describe('explain', () => {
  it('an explanation is null for a pair without a verdict, and refused for what cannot be judged', () => {
    covers('INV-X.1');
    const input = investigation([claim('c1', 'a', 'red')]);
    expect(explain(input, { now: NOW, subject_id: 's2', predicate: 'colour' })).toBeNull();
    expect(() => explain({}, { now: NOW, subject_id: 's1', predicate: 'colour' })).toThrow(
      InvalidInvestigation,
    );
  });

  it('an explanation throws the reason of an aborted signal', () => {
    const reason = new Error('gone');
    const options = { now: NOW, subject_id: 's1', predicate: 'colour', signal: { aborted: true, reason } };
    expect(() => explain(investigation([]), options)).toThrow(reason);
  });

  it('an explanation counts the strongest of a dependence class and names it for the others', () => {
    covers('INV-X.2');
    const { contributions, r, s } = why(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'red'), claim('c3', 'c', 'blue')], {
        actors: [
          actor('a'),
          actor('b', { base_reliability: 0.7, depends_on: ['a'] }),
          actor('c', { base_reliability: 0.5 }),
        ],
      }),
    );
    expect(
      contributions.map(({ claim_id, side, outcome, counted }) => [claim_id, side, outcome, counted]),
    ).toEqual([
      ['c1', 'support', 'counted', 0.8],
      ['c2', 'support', 'dependent', 0],
      ['c3', 'opposition', 'counted', 0.5],
    ]);
    expect(contributions[1]).toMatchObject({ counted_claim_id: 'c1', dependence_class: 'a', offered: 0.7 });
    expect([r, s]).toEqual([0.8, 0.5]);
  });

  it('the smallest change names the repetitions that would take the place of a claim, and counts them', () => {
    covers('INV-X.3');
    const twice = [claim('c0', 'a', 'red'), claim('c1', 'a', 'red ')];
    const alone = why(investigation(twice)).smallest_change!;
    expect(alone).toMatchObject({ claim_ids: ['c0', 'c1'], removed_claim_ids: ['c0', 'c1'], is_exact: true });
  });

  it('the smallest change may take away a retracted claim, without which its copy counts again', () => {
    covers('INV-X.3');
    const { truth_status, smallest_change } = why(
      investigation(
        [claim('original', 'a', 'red', { epistemic_status: 'retracted' }), claim('copy', 'b', 'red')],
        { actors: [actor('a'), actor('b', { depends_on: ['a'] })] },
      ),
    );
    expect(truth_status).toBe('Neither');
    expect(smallest_change).toMatchObject({ claim_ids: ['original'], truth_status: 'True', is_exact: true });
  });

  it('an explanation shows the clamp, the floor, evidence, meta-claims and inferences by their routes', () => {
    covers('INV-X.2');
    const { contributions, r } = why(
      investigation(
        [
          claim('c1', 'a', 'red'),
          claim('c2', 'b', 'red'),
          meta('m1', 'c', 'c1', 'Refutes'),
          claim('p1', 'd', 'big', { predicate: 'size' }),
        ],
        {
          actors: [
            actor('a', { base_reliability: 7 }),
            actor('b', { base_reliability: 0.1 }),
            actor('c'),
            actor('d'),
          ],
          evidence: [{ id: 'e1', claim_id: 'c1', content: '', valence: 'Refutes', weight: 0.25 }],
          inferences: ['i1', 'i2', 'i3', 'i4'].map((id) => ({
            id,
            subject_id: 's1',
            predicate: 'colour',
            premise_claim_ids: ['p1'],
            rule_type: 'a_fortiori',
            rule_param: 'big things are red',
          })),
        },
      ),
    );
    const byRoute = (route: string) => contributions.filter((one) => one.route === route);
    expect(byRoute('voice').map(({ claim_id, outcome }) => [claim_id, outcome])).toEqual([
      ['c1', 'counted'],
      ['c2', 'below_floor'],
    ]);
    expect(byRoute('voice')[0]!.factors[0]).toEqual({ name: 'base_reliability', value: 0.99, given: 7 });
    expect(byRoute('evidence')).toMatchObject([
      { evidence_id: 'e1', side: 'opposition', actor_id: null, counted: 0.25 },
    ]);
    expect(byRoute('meta_claim')).toMatchObject([{ claim_id: 'm1', target_claim_id: 'c1', counted: 0.8 }]);
    const belief = 0.8 / 2.8;
    expect(byRoute('inference').map(({ outcome }) => outcome)).toEqual(Array(4).fill('capped'));
    expect(byRoute('inference')[0]!.offered).toBeCloseTo(0.9 * belief, 12);
    expect(byRoute('inference')[0]!.counted).toBeCloseTo(0.25, 12);
    expect(r).toBeCloseTo(0.99 + 1, 12);
  });

  it('an explanation states which claims carry the verdict, and what it would be without each source', () => {
    covers('INV-X.3', 'INV-X.4');
    const explanation = why(
      investigation([
        claim('c1', 'a', 'red'),
        claim('c2', 'b', 'red'),
        claim('c3', 'c', 'red', { scope: 'north' }),
        meta('m1', 'd', 'c1', 'Neutral'),
      ]),
    );
    expect(explanation).toMatchObject({ truth_status: 'True', unrelated_claim_ids: ['c3'] });
    // The claim of the other scope, c3, is of another answer: nothing of this one is left without c1 and c2.
    expect(explanation.smallest_change).toMatchObject({
      claim_ids: ['c1', 'c2'],
      removed_claim_ids: ['c1', 'c2', 'm1'],
      is_exact: true,
      truth_status: 'Neither',
      expected_probability: 0.5,
      leading_value: null,
    });
    expect(
      explanation.without_source.map(({ actor_id, claim_ids, flips }) => [actor_id, claim_ids, flips]),
    ).toEqual([
      ['a', ['c1'], false],
      ['b', ['c2'], false],
      ['c', ['c3'], false],
      ['d', ['m1'], false],
    ]);
    expect(explanation.without_source[0]!.expected_probability).toBeCloseTo((0.8 + 1) / 2.8, 12);
  });

  it('an explanation states when no removal changes the status', () => {
    covers('INV-X.3');
    const input = investigation([claim('c1', 'a', 'red')], {
      actors: [actor('a', { base_reliability: 0.2 })],
    });
    expect(why(input)).toMatchObject({ truth_status: 'Neither', smallest_change: null });
  });
});

describe('explanations of learned reliabilities', () => {
  it('verdicts without some claims are not called exact where reliabilities were learned', () => {
    covers('RM-11.71');
    const claims = [...'abcdef'].flatMap((source, i) =>
      [0, 1, 2, 3].map((item) =>
        claim(`${source}${item}`, source, i < 4 ? `true ${item}` : `wrong ${item}`, {
          predicate: `p${item}`,
        }),
      ),
    );
    for (const reliability of ['declared', 'estimated']) {
      const input = investigation(claims, { reliability, dependence: 'declared' });
      const { smallest_change: change, without_source: rows } = explain(input, {
        now: NOW,
        subject_id: 's1',
        predicate: 'p0',
      })!;
      const isExact = reliability === 'declared';
      expect(change).toMatchObject({ is_exact: isExact });
      expect(rows).toHaveLength(6);
      for (const row of rows) expect(row.is_exact).toBe(isExact);
    }
  });
});

describe('auditClaims', () => {
  it('auditClaims names the origin of each number', () => {
    covers('INV-X.5');
    const input = investigation(
      [
        claim('c1', 'a', 'red', { assertion_time: '2025-07-05T00:00:00Z' }),
        claim('c2', 'a', 'RED ', { assertion_time: '2025-08-01T00:00:00Z' }),
        claim('c3', 'a', 'blue', { epistemic_status: 'theory', decay_half_life_days: 100 }),
      ],
      { actors: [{ id: 'a', name: 'A', source_type: 'Analyst', competence: { colour: 0.5 } }] },
    );
    const [first, second] = auditClaims(input, { now: NOW });
    expect(first).toMatchObject({
      claim_id: 'c1',
      repetition_ids: ['c2'],
      reliability: {
        given: null,
        base: 0.65,
        base_from: 'source_type',
        competence: 0.5,
        competence_from: 'predicate',
        self_contradictions: 1,
        self_contradiction: 0.8,
      },
      half_life: {
        domain: 180,
        domain_from: 'domain',
        source_authority: 1.25,
        override: null,
        effective_days: 225,
      },
      decay: { assertion_time: '2025-07-05T00:00:00Z', origin: '2025-07-05T00:00:00.000Z', age_days: 180 },
    });
    expect(second).toMatchObject({
      claim_id: 'c3',
      half_life: { override: 100, status: 'theory', effective_days: 100 },
      decay: { origin: null, age_days: 0, factor: 1, is_stale: false },
    });
  });
});
