import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import {
  actor,
  analysisOf,
  claim,
  evidenceOf,
  investigation,
  judge,
  meta,
  verdictOf,
} from '../fixtures/investigation.fixture.ts';
import type {
  ClaimInput,
  EvidenceInput,
  InvestigationInput,
  InvestigationResult,
} from '../contract/types.ts';

/** The weight of a claim of an actor of the fixtures: reliability 0.8, no age. */
const G = 0.8;

const item = (id: string, claim_id: string, valence: string, weight?: number): EvidenceInput => ({
  id,
  claim_id,
  content: '',
  valence,
  ...(weight !== undefined && { weight }),
});

function evidenceFor(result: InvestigationResult, id: string): { r: number; s: number } {
  return evidenceOf(analysisOf(result, id));
}

/** r of c1 alone, when all that matters is the weight of its author. */
function weightOf(input: InvestigationInput): number {
  return evidenceFor(judge(input), 'c1').r;
}

describe('effective reliability', () => {
  const of = (more: Parameters<typeof actor>[1], predicate = 'colour') =>
    weightOf(investigation([claim('c1', 'x', 'red', { predicate })], { actors: [actor('x', more)] }));

  it('effective reliability is clamped base × competence, competence falling back to default_competence and to 1', () => {
    covers('INV-R2.1', 'INV-R2.2', 'RM-4.1');
    expect(of({ base_reliability: 0.8 })).toBeCloseTo(0.8, 12);
    expect(of({ base_reliability: 2 })).toBeCloseTo(0.99, 12);
    expect(of({ competence: { colour: 0.5 }, default_competence: 0.25 })).toBeCloseTo(0.4, 12);
    expect(of({ competence: { colour: 0.5 }, default_competence: 0.25 }, 'size')).toBeCloseTo(0.2, 12);
    expect(of({ competence: { colour: 0.5 } }, 'size')).toBeCloseTo(0.8, 12);
  });

  it.each([
    ['Regulator', 0.85],
    ['Expert', 0.85],
    ['Analyst', 0.65],
    ['Journalist', 0.7],
    ['Insider', 0.5],
    ['Institutional', 0.4],
    ['Anonymous', 0.2],
    ['SocialMedia', 0.2],
  ])('effective reliability is %s by default %p', (source_type, base) => {
    covers('RM-2.29');
    expect(of({ source_type, base_reliability: null })).toBeCloseTo(base, 12);
  });

  it('effective reliability is multiplied by 0.8 ^ min(k, 3) for k self-contradictions', () => {
    covers('RM-4.2');
    const colours = ['red', 'blue', 'green', 'black', 'white'];
    for (let k = 0; k <= 4; k += 1) {
      const claims = colours.slice(0, k + 1).map((value, i) => claim(`c${i + 1}`, 'a', value));
      expect(weightOf(investigation(claims))).toBeCloseTo(0.8 * 0.8 ** Math.min(k, 3), 12);
    }
  });

  it('self-contradictions count only while they stand and no distinction ends them', () => {
    covers('RM-4.3', 'RM-3.24');
    const with_ = (more: Partial<ClaimInput>, rest: Partial<InvestigationInput> = {}) =>
      weightOf(investigation([claim('c1', 'a', 'red'), claim('c2', 'a', 'blue', more)], rest));
    expect(with_({})).toBeCloseTo(0.64, 12);
    expect(with_({ epistemic_status: 'retracted' })).toBeCloseTo(0.8, 12);
    expect(with_({ epistemic_status: 'superseded' })).toBeCloseTo(0.8, 12);
    expect(with_({ scope: 'at night' })).toBeCloseTo(0.8, 12);
    expect(with_({ subject_id: 's2' })).toBeCloseTo(0.8, 12);
    const distinction = {
      id: 'd',
      argument_a: 'c1',
      argument_b: 'c2',
      feature: '',
      condition_a: '',
      condition_b: '',
    };
    expect(with_({}, { distinctions: [distinction] })).toBeCloseTo(0.8, 12);
  });
});

describe('the credibility floor', () => {
  const weak = investigation([claim('c1', 'x', 'red'), claim('c2', 'a', 'red')], {
    actors: [actor('x', { source_type: 'Troll', base_reliability: 0.149 }), actor('a')],
    evidence: [item('e1', 'c1', 'Supports'), item('e2', 'c1', 'Refutes'), item('e3', 'c1', 'Neutral')],
  });

  it('the credibility floor sets evidence and counts of a claim below 0.15 to zero, with a warning', () => {
    covers('INV-R3.1', 'INV-R3.2', 'INV-R3.3', 'RM-4.6', 'RM-4.25');
    const result = judge(weak);
    expect(analysisOf(result, 'c1')).toMatchObject({
      below_credibility_floor: true,
      support: 0,
      opposition: 0,
      uncertainty: 1,
      supporting_count: 0,
      refuting_count: 0,
      neutral_count: 0,
    });
    expect(result.warnings).toEqual([expect.stringContaining('`c1`')]);
  });

  it('a claim below the credibility floor lends nothing to others', () => {
    covers('RM-4.6', 'RM-10.1');
    const c2 = analysisOf(judge(weak), 'c2');
    expect(evidenceOf(c2).r).toBeCloseTo(G, 12);
    expect(evidenceOf(c2).s).toBe(0);
    expect(c2).toMatchObject({ supporting_count: 1, refuting_count: 0 });
    expect(c2).not.toHaveProperty('below_credibility_floor');
  });

  it('the credibility floor lies at 0.15 exactly, whatever the rounding of the product', () => {
    const at = (base_reliability: number, default_competence: number) =>
      analysisOf(
        judge(
          investigation([claim('c1', 'x', 'red')], {
            actors: [actor('x', { base_reliability, default_competence })],
          }),
        ),
        'c1',
      ).below_credibility_floor;
    expect(at(0.15, 1)).toBeUndefined();
    expect(at(0.3, 0.5)).toBeUndefined();
    expect(at(0.1875, 0.8)).toBeUndefined();
    expect(at(0.1499, 1)).toBe(true);
  });
});

describe('duplicates', () => {
  const at = (id: string, value: string, time?: string, more: Partial<ClaimInput> = {}) =>
    claim(id, 'a', value, { ...(time && { assertion_time: `${time}T00:00:00Z` }), ...more });
  const keptOf = (...claims: ClaimInput[]) =>
    judge(investigation(claims)).claim_analyses.map((analysis) => analysis.claim_id);

  it('duplicates are removed with a warning', () => {
    covers('INV-R4.1', 'RM-2.33');
    const result = judge(investigation([at('c1', 'red'), at('c2', ' RED ')]));
    expect(result.claim_analyses.map((analysis) => analysis.claim_id)).toEqual(['c1']);
    expect(result.warnings).toEqual([expect.stringMatching(/`c2`.*`c1`/)]);
    expect(result.ranked_claims).toHaveLength(1);
  });

  it('duplicates are equal in actor, subject, predicate, value form, scope, polarity and event interval', () => {
    covers('RM-2.33', 'RM-10.8');
    expect(keptOf(at('c1', 'yes'), at('c2', 'true'))).toEqual(['c1']);
    expect(keptOf(at('c1', '100M'), at('c2', '0.1B'))).toEqual(['c1']);
    // From 1000 to 2999 a bare number may be a year, which agrees with the number however that is written.
    for (const [one, other] of [
      ['1500', '1.5K'],
      ['2000', '2,000'],
      ['2000', '2K'],
      ['1000', '1,000'],
    ] as const)
      expect([one, keptOf(at('c1', one), at('c2', other))]).toEqual([one, ['c1']]);
    for (const other of [
      at('c2', '99M'),
      at('c2', '100M', undefined, { scope: 'x' }),
      at('c2', '100M', undefined, { predicate: 'size' }),
      at('c2', '100M', undefined, { subject_id: 's2' }),
      at('c2', '100M', undefined, { actor_id: 'b' }),
      at('c2', '100M', undefined, { valence: 'Refutes' }),
      at('c2', '100M', undefined, { event_start_time: '2024' }),
    ])
      expect(keptOf(at('c1', '100M'), other)).toEqual(['c1', 'c2']);
    expect(keptOf(at('c1', '100M'), at('c2', '100M', undefined, { valence: 'Supports', scope: '' }))).toEqual(
      ['c1'],
    );
  });

  it('duplicates keep the earliest assertion; a missing time is latest, then the smallest id stays', () => {
    covers('RM-2.34');
    expect(keptOf(at('c1', 'red', '2024-02-01'), at('c2', 'red', '2024-01-01'))).toEqual(['c2']);
    expect(keptOf(at('c1', 'red'), at('c2', 'red', '2024-01-01'))).toEqual(['c2']);
    expect(keptOf(at('c2', 'red'), at('c1', 'red'))).toEqual(['c1']);
  });

  it('hand references over to the claim kept and take their own along', () => {
    covers('RM-2.35');
    const result = judge(
      investigation(
        [
          at('c1', 'red'),
          at('c2', 'red', undefined, {
            relationships: [{ relationship_type: 'supersedes', target_claim_id: 'c3' }],
          }),
          claim('c3', 'b', 'blue'),
          meta('m1', 'c', 'c2', 'Supports'),
          meta('m2', 'c', 'c1', 'Supports'),
        ],
        { evidence: [item('e1', 'c2', 'Supports')] },
      ),
    );
    expect(result.claim_analyses.map((analysis) => analysis.claim_id)).toEqual(['c1', 'c3', 'm1']);
    expect(analysisOf(result, 'c1').supporting_count).toBe(3);
    expect(analysisOf(result, 'c3').epistemic_status).toBe('hypothesis');
  });

  it('retracted claims are no duplicates', () => {
    covers('RM-2.36');
    expect(keptOf(at('c1', 'red', undefined, { epistemic_status: 'retracted' }), at('c2', 'red'))).toEqual([
      'c1',
      'c2',
    ]);
  });
});

describe('voice', () => {
  const withItems = (...weights: (number | undefined)[]) =>
    weightOf(
      investigation([claim('c1', 'x', 'red')], {
        actors: [actor('x', { base_reliability: 0.9 })],
        evidence: weights.map((weight, i) => item(`e${i}`, 'c1', 'Supports', weight)),
      }),
    );

  it('voice is g·(1 + Σ weight of Supports items), an absent weight being 1', () => {
    covers('RM-4.7');
    expect(withItems()).toBeCloseTo(0.9, 12);
    expect(withItems(undefined)).toBeCloseTo(1.8, 12);
    expect(withItems(undefined, 2.5)).toBeCloseTo(0.9 * 4.5, 12);
    expect(withItems(0)).toBeCloseTo(0.9, 12);
  });

  it('voice is at most 2g/(1 − R), so that belief from own material never exceeds R', () => {
    covers('RM-4.8');
    expect(withItems(100)).toBeCloseTo(18, 12);
    const { support } = analysisOf(
      judge(
        investigation([claim('c1', 'x', 'red')], {
          actors: [actor('x', { base_reliability: 0.9 })],
          evidence: [item('e', 'c1', 'Supports', 100)],
        }),
      ),
      'c1',
    );
    expect(support).toBeCloseTo(0.9, 12);
  });

  it('voice is refuted by items of δ·weight, each a class of its own', () => {
    covers('RM-4.11');
    const result = judge(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'red')], {
        evidence: [
          item('e1', 'c1', 'Refutes'),
          item('e2', 'c1', 'Refutes', 0.5),
          item('e3', 'c2', 'Neutral'),
        ],
      }),
    );
    expect(evidenceFor(result, 'c1').s).toBeCloseTo(1.5, 12);
    expect(evidenceFor(result, 'c2').s).toBeCloseTo(1.5, 12);
    expect(analysisOf(result, 'c1')).toMatchObject({
      supporting_count: 2,
      refuting_count: 2,
      neutral_count: 0,
    });
    expect(analysisOf(result, 'c2')).toMatchObject({
      supporting_count: 2,
      refuting_count: 0,
      neutral_count: 1,
    });
  });
});

describe('opinions of claims', () => {
  it('opinions of claims add agreeing voices and, times κ, conflicting ones', () => {
    covers('RM-4.4', 'RM-4.15', 'RM-4.16', 'RM-4.17', 'RM-4.23', 'RM-4.24');
    const result = judge(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'red'), claim('c3', 'c', 'blue')], {
        evidence: [item('e1', 'c3', 'Refutes', 0.8)],
      }),
    );
    expect(evidenceFor(result, 'c1').r).toBeCloseTo(2 * G, 12);
    expect(evidenceFor(result, 'c1').s).toBeCloseTo(G * 0.5, 12);
    expect(analysisOf(result, 'c1')).toMatchObject({ supporting_count: 2, refuting_count: 1 });
    expect(evidenceFor(result, 'c3').s).toBeCloseTo(2 * G + 0.8, 12);
    expect(analysisOf(result, 'c3')).toMatchObject({ supporting_count: 1, refuting_count: 3 });
  });

  it('denials oppose the value they deny and nothing else', () => {
    covers('RM-3.16', 'RM-3.20', 'RM-3.21', 'RM-3.22');
    const result = judge(
      investigation([
        claim('c1', 'a', 'red'),
        claim('c2', 'b', 'red', { valence: 'refutes' }),
        claim('c3', 'c', 'blue', { valence: 'Refutes' }),
      ]),
    );
    expect(evidenceFor(result, 'c1')).toEqual({ r: expect.closeTo(G), s: expect.closeTo(G) });
    expect(evidenceFor(result, 'c2')).toEqual({ r: expect.closeTo(G), s: expect.closeTo(G) });
    expect(evidenceFor(result, 'c3')).toEqual({ r: expect.closeTo(G), s: expect.closeTo(0) });
  });

  it('the denial of a boolean counts for the other value', () => {
    covers('RM-3.23');
    const result = judge(
      investigation([
        claim('c1', 'a', 'yes', { valence: 'Refutes' }),
        claim('c2', 'b', 'no'),
        claim('c3', 'c', 'true'),
      ]),
    );
    expect(evidenceFor(result, 'c1')).toEqual({ r: expect.closeTo(2 * G), s: expect.closeTo(G) });
    expect(evidenceFor(result, 'c2')).toEqual({ r: expect.closeTo(2 * G), s: expect.closeTo(G) });
  });

  it.each<[string, Partial<ClaimInput>, Partial<ClaimInput>, boolean]>([
    ['the same scope', { scope: 'x' }, { scope: 'x' }, true],
    ['different scopes', { scope: 'x' }, { scope: 'y' }, false],
    ['an absent scope and some', {}, { scope: 'x' }, false],
    ['an empty scope, which is absent', { scope: '' }, {}, true],
    ['scopes that differ in case', { scope: 'X' }, { scope: 'x' }, false],
    [
      'overlapping intervals',
      { event_start_time: '2024-01', event_end_time: '2024-03' },
      { event_start_time: '2024-02' },
      true,
    ],
    ['touching intervals', { event_end_time: '2024-02-01' }, { event_start_time: '2024-02' }, false],
    ['an open end', { event_end_time: '2024-02' }, {}, true],
    ['disjoint intervals', { event_end_time: '2023' }, { event_start_time: '2024' }, false],
  ])('values are comparable with %s: %p %p → %p', (_, a, b, comparable) => {
    covers('RM-3.17', 'RM-3.19', 'INV-R6.1', 'RM-3.13', 'RM-3.14', 'RM-3.15', 'RM-3.18');
    const agreeing = judge(investigation([claim('c1', 'a', 'red', a), claim('c2', 'b', 'red', b)]));
    expect(evidenceFor(agreeing, 'c1').r).toBeCloseTo(comparable ? 2 * G : G, 12);
    const conflicting = judge(investigation([claim('c1', 'a', 'red', a), claim('c2', 'b', 'blue', b)]));
    expect(evidenceFor(conflicting, 'c1').s).toBeCloseTo(comparable ? G : 0, 12);
  });

  it('claims agree pairwise, so near values do not agree through a third', () => {
    covers('RM-4.18', 'INV-R5.2');
    const result = judge(
      investigation([claim('c1', 'a', '100'), claim('c2', 'b', '96'), claim('c3', 'c', '92.5')]),
    );
    expect(evidenceFor(result, 'c1')).toEqual({ r: expect.closeTo(2 * G), s: expect.closeTo(G) });
    expect(evidenceFor(result, 'c2')).toEqual({ r: expect.closeTo(3 * G), s: expect.closeTo(0) });
  });

  it('a distinction ends a conflict for its two claims only', () => {
    covers('RM-3.24', 'INV-R10.1');
    const result = judge(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue'), claim('c3', 'c', 'blue')], {
        distinctions: [
          { id: 'd', argument_a: 'c1', argument_b: 'c2', feature: '', condition_a: '', condition_b: '' },
        ],
      }),
    );
    expect(evidenceFor(result, 'c1').s).toBeCloseTo(G, 12);
    expect(analysisOf(result, 'c1').refuting_count).toBe(1);
    expect(evidenceFor(result, 'c2').s).toBeCloseTo(0, 12);
    expect(evidenceFor(result, 'c3').s).toBeCloseTo(G, 12);
  });
});

describe('meta-claims', () => {
  it('meta-claims add g·κ for or against their target and the claims that agree with it', () => {
    covers('RM-4.10', 'RM-4.13', 'RM-4.14', 'RM-10.5');
    const result = judge(
      investigation(
        [
          claim('c1', 'a', 'red'),
          claim('c2', 'b', 'red'),
          meta('m1', 'c', 'c1', 'Refutes'),
          meta('m2', 'd', 'm1', 'Refutes'),
          meta('m3', 'e', 'c1', 'Supports'),
          meta('m4', 'f', 'c1', 'Neutral'),
        ],
        { evidence: [item('e1', 'm1', 'Supports')] },
      ),
    );
    // m1: voice 1.6 for, m2 0.8 against: κ = 2/3, and it adds 0.8 · 2/3.
    const m1 = (G * 2) / 3;
    expect(evidenceFor(result, 'm1')).toEqual({ r: expect.closeTo(1.6), s: expect.closeTo(G) });
    expect(evidenceFor(result, 'c1')).toEqual({ r: expect.closeTo(3 * G), s: expect.closeTo(m1) });
    expect(evidenceFor(result, 'c2')).toEqual({ r: expect.closeTo(3 * G), s: expect.closeTo(m1) });
    expect(analysisOf(result, 'c1')).toMatchObject({
      supporting_count: 3,
      refuting_count: 1,
      neutral_count: 1,
    });
  });

  it('meta-claims lower κ, so that a refuted claim weighs less against others', () => {
    covers('RM-4.12', 'RM-4.13');
    const result = judge(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue'), meta('m1', 'c', 'c2', 'Refutes')]),
    );
    expect(evidenceFor(result, 'c1').s).toBeCloseTo(G / 2, 12);
  });

  it('meta-claims take κ of the capped voice', () => {
    covers('RM-10.4');
    const result = judge(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'x', 'blue')], {
        actors: [actor('a'), actor('x', { base_reliability: 0.5 })],
        evidence: [item('e1', 'c2', 'Supports', 100), item('e2', 'c2', 'Refutes', 2)],
      }),
    );
    // Voice 2·0.5/(1 − 0.5) = 2 for, 2 against: κ = 1/2.
    expect(evidenceFor(result, 'c1').s).toBeCloseTo(1, 12);
  });
});

describe('dependence', () => {
  const actors = [
    actor('a'),
    actor('b', { depends_on: ['a'] }),
    actor('c', { depends_on: ['b'] }),
    actor('d', { base_reliability: 0.9 }),
  ];

  it('a dependence class counts once, by its strongest', () => {
    covers('RM-1.6', 'RM-4.9', 'RM-4.26', 'RM-4.27');
    const claims = ['a', 'b', 'c', 'd'].map((id) => claim(`c${id}`, id, 'red'));
    const result = judge(investigation(claims, { actors }));
    expect(evidenceFor(result, 'ca').r).toBeCloseTo(0.8 + 0.9, 12);
    expect(analysisOf(result, 'ca').supporting_count).toBe(4);
    expect(verdictOf(result)).toMatchObject({ source_count: 4, independent_source_count: 2 });
    expect(result.source_dependence).toEqual([]);
  });

  it('a dependence class covers meta-claims of its members', () => {
    covers('RM-4.10');
    const result = judge(
      investigation([claim('c1', 'a', 'red'), meta('m1', 'b', 'c1', 'Supports')], { actors }),
    );
    expect(evidenceFor(result, 'c1').r).toBeCloseTo(0.8, 12);
  });
});

describe('relationships', () => {
  const tie = (relationship_type: string, target_claim_id: string) => ({
    relationships: [{ relationship_type, target_claim_id }],
  });

  it('refines takes a tenth from its target, once, whatever the scope', () => {
    covers('INV-R8.2', 'RM-4.5');
    const refined = (more: Partial<ClaimInput>, value = 'red') =>
      evidenceFor(
        judge(
          investigation([
            claim('c1', 'a', 'red', { scope: 'x' }),
            claim('c2', 'b', value, { scope: 'y', ...tie('refines', 'c1'), ...more }),
            claim('c3', 'c', value, { scope: 'z', ...tie('refines', 'c1'), ...more }),
          ]),
        ),
        'c1',
      ).r;
    expect(refined({})).toBeCloseTo(0.9 * G, 12);
    expect(refined({}, 'blue')).toBeCloseTo(G, 12);
    expect(refined({ predicate: 'size' })).toBeCloseTo(G, 12);
    expect(refined({ epistemic_status: 'superseded' })).toBeCloseTo(G, 12);
    expect(refined({ epistemic_status: 'retracted' })).toBeCloseTo(G, 12);
  });

  it('refines asks for agreeing values whatever the polarity, a denied boolean being the other', () => {
    covers('RM-10.12');
    const r = (value: string, other: string) =>
      evidenceFor(
        judge(
          investigation([
            claim('c1', 'a', value),
            claim('c2', 'b', other, { scope: 'x', valence: 'Refutes', ...tie('refines', 'c1') }),
          ]),
        ),
        'c1',
      ).r;
    expect(r('red', 'red')).toBeCloseTo(0.9 * G, 12);
    expect(r('true', 'true')).toBeCloseTo(G, 12);
    expect(r('true', 'false')).toBeCloseTo(0.9 * G, 12);
  });

  it('complements and qualifies add nothing to r, challenges_methodology nothing at all', () => {
    covers('RM-4.19', 'INV-R8.5');
    for (const type of ['complements', 'qualifies', 'challenges_methodology']) {
      const result = judge(
        investigation([
          claim('c1', 'a', 'red'),
          claim('c2', 'b', 'blue', { scope: 'x', ...tie(type, 'c1') }),
        ]),
      );
      expect(evidenceFor(result, 'c1')).toEqual({ r: expect.closeTo(G), s: expect.closeTo(0) });
      expect(analysisOf(result, 'c1').supporting_count).toBe(1);
    }
  });

  it('relationships of a retracted claim have no effect', () => {
    covers('RM-4.21', 'RM-2.38');
    const result = judge(
      investigation([
        claim('c1', 'a', 'red'),
        claim('c2', 'b', 'red', {
          epistemic_status: 'retracted',
          supersedes_claim_id: 'c1',
          ...tie('refines', 'c1'),
        }),
      ]),
    );
    expect(evidenceFor(result, 'c1').r).toBeCloseTo(G, 12);
    expect(analysisOf(result, 'c1').epistemic_status).toBe('hypothesis');
  });

  it('relationships beyond 50 of a claim are dropped', () => {
    covers('RM-4.22');
    const targets = Array.from({ length: 51 }, (_, i) =>
      claim(`t${i}`, 'b', `v${i}`, { subject_id: 's2', predicate: `p${i}` }),
    );
    const relationships = targets.map((target) => ({
      relationship_type: 'supersedes',
      target_claim_id: target.id,
    }));
    const result = judge(investigation([claim('c1', 'a', 'red', { relationships }), ...targets]));
    expect(analysisOf(result, 't49').epistemic_status).toBe('superseded');
    expect(analysisOf(result, 't50').epistemic_status).toBe('hypothesis');
    expect(result.warnings).toEqual([expect.stringMatching(/`c1`.*51.*50/)]);
  });
});
