import { describe, expect, it } from '@jest/globals';
import { randomFrom } from '@platform/argumentation/investigation-framework.fixture';
import { covers } from '@platform/testing/covers';
import { actor, analysisOf, claim, investigation, judge, meta } from '../fixtures/investigation.fixture.ts';
import type {
  ClaimInput,
  InvestigationInput,
  InvestigationResult,
  SubjectArgumentation,
} from '../contract/types.ts';

function argued(
  claims: ClaimInput[],
  more: Partial<InvestigationInput> = {},
): SubjectArgumentation & { result: InvestigationResult } {
  const result = judge(investigation(claims, more));
  const entry = result.conflict_analysis.find(
    (one) => one.subject_id === 's1' && one.predicate === 'colour',
  )!;
  return { ...entry, result };
}

const tie = (relationship_type: string, target_claim_id: string) => ({
  relationships: [{ relationship_type, target_claim_id }],
});
const edges = (analysis: SubjectArgumentation, tree = 0) =>
  analysis.interpretations[tree]!.supports.map(
    (edge) => `${edge.supporter_claim_id}→${edge.supported_claim_id}`,
  );
const attacks = (analysis: SubjectArgumentation) =>
  analysis.interpretations.flatMap((tree) =>
    tree.attacks.map((edge) => `${edge.attacker_claim_id}→${edge.target_claim_id}`),
  );

describe('interpretations', () => {
  it('interpretations are the preferred extensions, most coherent first', () => {
    covers('RM-7.2', 'RM-7.8', 'RM-7.9', 'RM-7.10', 'RM-7.11', 'RM-7.15');
    const analysis = argued([
      claim('c1', 'a', 'blue'),
      claim('c2', 'b', 'red'),
      claim('c3', 'c', 'red'),
      claim('c4', 'd', 'x', { scope: 'elsewhere' }),
    ]);
    expect(analysis.alternative_interpretations).toEqual([
      ['c2', 'c3', 'c4'],
      ['c1', 'c4'],
    ]);
    expect(analysis.accepted_claims).toEqual(['c4']);
    // Two journalists against one: r = 1.4, s = 0.7.
    expect(analysis.dispute_level).toBeCloseTo(2 / 3, 12);
    expect(analysis.is_exact).toBe(true);
    expect(analysis.interpretations.map((tree) => tree.label)).toEqual([
      'Interpretation 1',
      'Interpretation 2',
    ]);
    expect(attacks(analysis).sort()).toEqual(['c1→c2', 'c1→c3', 'c2→c1', 'c3→c1']);
    for (const tree of analysis.interpretations) {
      const accepted = tree.accepted_claims.map((one) => one.claim_id);
      for (const { attacker_claim_id, target_claim_id } of tree.attacks) {
        expect(accepted).toContain(attacker_claim_id);
        expect(accepted).not.toContain(target_claim_id);
      }
    }
    expect(analysis.interpretations[0]!.accepted_claims[0]).toEqual({
      claim_id: 'c2',
      actor_id: 'b',
      actor_name: 'Actor b',
      predicate: 'colour',
      value: 'red',
      content: 'b says red',
      truth_status: analysisOf(analysis.result, 'c2').truth_status,
      belief: analysisOf(analysis.result, 'c2').support,
      disbelief: analysisOf(analysis.result, 'c2').opposition,
      uncertainty: analysisOf(analysis.result, 'c2').uncertainty,
      expected_probability: analysisOf(analysis.result, 'c2').expected_probability,
    });
  });

  it('interpretations hold claims with weight and the metas that reach them through such claims', () => {
    covers('RM-7.1', 'RM-7.18');
    const weak = actor('w', { source_type: 'Troll', base_reliability: 0.1 });
    const analysis = argued(
      [
        claim('c1', 'a', 'red'),
        claim('c2', 'w', 'blue'),
        claim('c3', 'b', 'green', { epistemic_status: 'retracted' }),
        meta('m1', 'c', 'c1', 'Neutral'),
        meta('m2', 'd', 'm1', 'Supports'),
        meta('m3', 'd', 'c2', 'Supports'),
        meta('m4', 'w', 'c1', 'Supports'),
        meta('m5', 'e', 'm4', 'Supports'),
      ],
      { actors: ['a', 'b', 'c', 'd', 'e'].map((id) => actor(id)).concat(weak) },
    );
    expect(analysis.alternative_interpretations).toEqual([['c1', 'm1', 'm2']]);
    const nothing = argued([claim('c3', 'b', 'green', { epistemic_status: 'retracted' })]);
    expect(nothing).toMatchObject({
      interpretations: [],
      alternative_interpretations: [],
      accepted_claims: [],
      dispute_level: 0,
      is_exact: true,
    });
  });

  it('interpretations let a Refutes meta attack when it weighs at least as much, else be attacked', () => {
    covers('RM-7.3');
    const strong = argued([claim('c1', 'a', 'red'), meta('m1', 'b', 'c1', 'Refutes')]);
    expect(strong.alternative_interpretations).toEqual([['m1']]);
    const actors = [actor('a'), actor('b', { base_reliability: 0.75 })];
    const weak = argued([claim('c1', 'a', 'red'), meta('m1', 'b', 'c1', 'Refutes')], { actors });
    expect(weak.alternative_interpretations).toEqual([['c1']]);
    expect(attacks(weak)).toEqual(['c1→m1']);
  });

  it('interpretations let the superseding claim attack and not the reverse, agreeing or not, within one framework', () => {
    covers('RM-7.4', 'RM-10.10');
    const analysis = argued([
      claim('c1', 'a', 'red'),
      claim('c2', 'b', 'blue', { supersedes_claim_id: 'c1' }),
    ]);
    expect(analysis.alternative_interpretations).toEqual([['c2']]);
    const agreeing = argued([
      claim('c1', 'a', 'red'),
      claim('c2', 'b', 'red', { supersedes_claim_id: 'c1' }),
    ]);
    expect(agreeing.alternative_interpretations).toEqual([['c2']]);
    const across = argued([
      claim('c1', 'a', 'red'),
      claim('c2', 'b', 'red', { predicate: 'size', supersedes_claim_id: 'c1' }),
    ]);
    expect(across.alternative_interpretations).toEqual([['c1']]);
    const metas = argued([
      claim('c1', 'a', 'red', { supersedes_claim_id: 'm1' }),
      meta('m1', 'b', 'c1', 'Refutes'),
    ]);
    expect(metas.alternative_interpretations).toEqual([['c1']]);
    expect(attacks(metas)).toEqual(['c1→m1']);
  });

  it('interpretations let a claim that arrives as superseded attack and be attacked as usual', () => {
    covers('RM-10.9');
    const analysis = argued([
      claim('c1', 'a', 'red', { epistemic_status: 'superseded' }),
      claim('c2', 'b', 'blue'),
    ]);
    expect(analysis.alternative_interpretations).toHaveLength(2);
  });

  it('distinguished claims do not attack each other, not even by supersession, and both are accepted', () => {
    covers('RM-7.5', 'INV-R10.1', 'INV-R10.2');
    const distinctions = [
      { id: 'd', argument_a: 'c1', argument_b: 'c2', feature: '', condition_a: '', condition_b: '' },
    ];
    for (const more of [{}, { supersedes_claim_id: 'c1' }]) {
      const analysis = argued([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue', more)], { distinctions });
      expect(analysis.alternative_interpretations).toEqual([['c1', 'c2']]);
    }
  });

  it('interpretations list at most 64 and count the rest', () => {
    covers('RM-7.20', 'RM-7.22', 'RM-8.16');
    const claims = Array.from({ length: 10 }, (_, i) => [
      claim(`a${i}`, 'a', 'red', { scope: `s${i}` }),
      claim(`b${i}`, 'b', 'blue', { scope: `s${i}` }),
    ]).flat();
    const analysis = argued([...claims, claim('z', 'c', 'x', { scope: 'z' })]);
    expect(analysis.interpretations).toHaveLength(64);
    expect(analysis.is_exact).toBe(true);
    expect(analysis.accepted_claims).toEqual(['z']);
    expect(analysis.result.warnings).toEqual([expect.stringMatching(/1024 interpretations .* 64 .* 960/)]);
    const scores = analysis.interpretations.map((tree) => tree.coherence_score);
    expect(scores).toEqual(scores.toSorted((x, y) => y - x));
  });

  it('interpretations are the best found, with the grounded extension, when the work budget is spent', () => {
    covers('RM-7.21');
    // Rivals in each scope, and superseding edges across scopes from everywhere to everywhere further on.
    const random = randomFrom(1);
    const ids = Array.from({ length: 400 }, (_, i) => `c${String(i).padStart(3, '0')}`);
    const claims = ids.map((id, i) => {
      const later = ids.slice(i + 2);
      const relationships = Array.from({ length: later.length === 0 ? 0 : 3 }, () => ({
        relationship_type: 'supersedes',
        target_claim_id: later[Math.floor(random() * later.length)]!,
      }));
      return claim(id, id, i % 2 ? 'red' : 'blue', { scope: `s${i >> 1}`, relationships });
    });
    const analysis = argued([...claims, claim('z', 'c', 'x', { scope: 'z' })], {
      actors: [...ids, 'c'].map((id) => actor(id)),
    });
    expect(analysis.is_exact).toBe(false);
    expect(analysis.result.warnings).toContainEqual(expect.stringContaining('within the budget'));
    expect(analysis.accepted_claims).toContain('z');
    expect(analysis.interpretations.length).toBeGreaterThan(0);
    for (const tree of analysis.alternative_interpretations) expect(tree).toContain('z');
  });

  it('interpretations are exact for hundreds of scopes that multiply beyond counting', () => {
    covers('RM-7.19');
    const claims = Array.from({ length: 300 }, (_, i) => [
      claim(`a${i}`, 'a', 'red', { scope: `s${i}` }),
      claim(`b${i}`, 'b', 'blue', { scope: `s${i}` }),
    ]).flat();
    const analysis = argued(claims);
    expect(analysis.is_exact).toBe(true);
    expect(analysis.result.warnings[0]).toContain(`${2n ** 300n} interpretations`);
  });
});

describe('support edges', () => {
  it('support edges come from complements, refines, qualifies, Supports metas and agreement of other classes', () => {
    covers('RM-7.6', 'RM-7.7', 'INV-R8.1', 'INV-R8.3', 'RM-4.20');
    const actors = [...'abcdef'].map((id) => actor(id, id === 'b' ? { depends_on: ['a'] } : {}));
    const analysis = argued(
      [
        claim('c1', 'a', 'red'),
        claim('c2', 'b', 'red'),
        claim('c3', 'c', 'red'),
        claim('c4', 'd', 'red', tie('complements', 'c1')),
        claim('c5', 'e', 'x', { scope: 'at night', ...tie('qualifies', 'c1') }),
        claim('c6', 'f', 'y', { scope: 'z', ...tie('challenges_methodology', 'c1') }),
        meta('m1', 'f', 'c2', 'Supports'),
      ],
      { actors },
    );
    expect(edges(analysis)).toEqual(['c1→c3', 'c2→c3', 'c2→c4', 'c3→c4', 'c4→c1', 'c5→c1', 'm1→c2']);
    expect(analysis.interpretations[0]!.supports.find((edge) => edge.supporter_claim_id === 'c5')).toEqual({
      supporter_claim_id: 'c5',
      supported_claim_id: 'c1',
      condition: 'at night',
    });
  });

  it('support edges decide coverage and density, and together with P the coherence', () => {
    covers('INV-R14.1', 'RM-7.12', 'RM-7.13', 'RM-7.14', 'RM-10.6');
    const P = (analysis: ReturnType<typeof argued>, ids: string[]) =>
      ids.reduce((sum, id) => sum + analysisOf(analysis.result, id).expected_probability, 0) / ids.length;
    const three = argued([
      claim('c1', 'a', 'red'),
      claim('c2', 'b', 'red'),
      claim('c3', 'c', 'x', { scope: 'z' }),
    ]);
    expect(three.interpretations[0]!.coherence_score).toBeCloseTo(
      0.25 * (2 / 3) + 0.25 * (1 / 3) + 0.5 * P(three, ['c1', 'c2', 'c3']),
      12,
    );
    const bare = argued([claim('c1', 'a', 'red')]);
    expect(bare.interpretations[0]!.coherence_score).toBeCloseTo(0.5 * P(bare, ['c1']), 12);
    for (const more of [
      { evidence: [{ id: 'e', claim_id: 'c1', content: '', valence: 'Supports' }] },
      {
        claims: [
          claim('c1', 'a', 'red', {
            corroboration_events: [{ time: '2025-01-01T00:00:00Z', actor_id: 'b' }],
          }),
        ],
      },
    ]) {
      const covered = argued([claim('c1', 'a', 'red')], more);
      expect(covered.interpretations[0]!.coherence_score).toBeCloseTo(0.5 + 0.5 * P(covered, ['c1']), 12);
    }
    // c2 qualifies c1 from another interpretation: c1 is covered although its interpretation leaves c2 out.
    const outside = argued([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue', tie('qualifies', 'c1'))]);
    const alone = outside.interpretations.find((tree) => tree.accepted_claims[0]!.claim_id === 'c1')!;
    expect(alone.coherence_score).toBeCloseTo(0.5 + 0.5 * P(outside, ['c1']), 12);
  });

  it('agreement draws no support edge where another edge joins the pair, coverage included', () => {
    covers('RM-10.11');
    const analysis = argued([claim('c1', 'a', 'red', tie('complements', 'c2')), claim('c2', 'b', 'red')]);
    expect(edges(analysis)).toEqual(['c1→c2']);
    const P = (id: string) => analysisOf(analysis.result, id).expected_probability;
    expect(analysis.interpretations[0]!.coherence_score).toBeCloseTo(
      0.25 * 0.5 + 0.25 + 0.25 * (P('c1') + P('c2')),
      12,
    );
  });
});

describe('causal chains', () => {
  it('causal chains run from premise to inference and along support edges between Causal claims', () => {
    covers('RM-7.16', 'RM-7.17', 'RM-10.13');
    const causal = (id: string, who: string, ...targets: string[]) =>
      claim(id, who, id, {
        scope: id,
        claim_type: 'Causal',
        relationships: targets.map((target_claim_id) => ({
          relationship_type: 'complements',
          target_claim_id,
        })),
      });
    const analysis = argued(
      [
        causal('k1', 'a', 'k2', 'k3'),
        causal('k2', 'b', 'k4'),
        causal('k3', 'c', 'k4'),
        causal('k4', 'd'),
        claim('n1', 'e', 'n1', { scope: 'n', ...tie('complements', 'k1') }),
      ],
      {
        inferences: [
          {
            id: 'i1',
            subject_id: 's1',
            predicate: 'colour',
            premise_claim_ids: ['n1', 'k4', 'n1'],
            rule_type: 'default',
            rule_param: 'd',
          },
        ],
      },
    );
    expect(analysis.causal_chains.map((chain) => chain.argument_ids.join(' '))).toEqual([
      'k1 k2 k4',
      'k1 k3 k4',
      'k4 i1',
      'n1 i1',
    ]);
  });

  it('causal chains stop at a cycle and at a bound', () => {
    const ring = ['k1', 'k2', 'k3'].map((id, i, all) =>
      claim(id, 'abc'[i]!, id, { scope: id, claim_type: 'Causal', ...tie('complements', all[(i + 1) % 3]!) }),
    );
    const start = claim('k0', 'd', 'k0', { scope: 'k0', claim_type: 'Causal', ...tie('complements', 'k1') });
    expect(argued([...ring, start]).causal_chains).toEqual([{ argument_ids: ['k0', 'k1', 'k2', 'k3'] }]);
    const layers = Array.from({ length: 12 }, (_, layer) =>
      Array.from({ length: 3 }, (__, i) =>
        claim(`l${layer}x${i}`, 'abc'[i]!, `${layer}`, {
          scope: `l${layer}`,
          claim_type: 'Causal',
          relationships: Array.from({ length: 3 }, (___, j) => ({
            relationship_type: 'complements',
            target_claim_id: `l${layer + 1}x${j}`,
          })),
        }),
      ),
    ).flat();
    const many = argued(layers);
    expect(many.causal_chains).toHaveLength(1000);
    expect(many.result.warnings.some((warning) => warning.includes('more causal chains'))).toBe(true);
  });
});

describe('evidence gaps', () => {
  it('evidence gaps show how far one more item moves a verdict, largest first', () => {
    covers('RM-8.1', 'RM-8.2', 'RM-8.3', 'RM-8.4', 'INV-F.SensitivityAnalysis.evidence_gaps', 'RM-11.151');
    const result = judge(
      investigation([
        claim('c1', 'a', 'red'),
        claim('c2', 'b', 'blue'),
        claim('c3', 'a', 'x', { predicate: 'size' }),
        claim('c4', 'a', 'x', { subject_id: 's2' }),
        claim('c5', 'b', 'x', { subject_id: 's2' }),
      ]),
    );
    const gaps = result.sensitivity_analysis.evidence_gaps;
    expect(gaps.map((gap) => [gap.subject_id, gap.predicate])).toEqual([
      ['s1', 'size'],
      ['s2', 'colour'],
      ['s1', 'colour'],
    ]);
    const P = (r: number, s: number) => (r + 1) / (r + s + 2);
    expect(gaps[0]!.potential_shift).toBeCloseTo(Math.abs(P(0.8, 1) - P(0.8, 0)), 12);
    expect(gaps[2]).toMatchObject({ is_contested: true, discriminating_claims: ['c1', 'c2'] });
    expect(gaps[0]).toMatchObject({ is_contested: false });
    expect(gaps[0]).not.toHaveProperty('discriminating_claims');
    for (const gap of gaps.slice(0, 2))
      expect(gap.suggestion).toMatch(/ is x`.*(expert|regulator|source|voice)/);
    // The tied question has no value to name.
    expect(gaps[2]!.suggestion).toMatch(
      /tells apart the claims `c1`, `c2`: there is evidence on both sides\.$/,
    );
  });

  it.each(['red', 'false'])(
    'evidence gaps of %s count sources that support a claim among the voices',
    (value) => {
      covers('INV-V.132');
      const support = (id: string, actor: string) => ({
        ...claim(id, actor, value, { valence: 'Supports' }),
        subject_id: undefined,
        target_claim_id: 'c1',
      });
      const [gap] = judge(
        investigation([claim('c1', 'a', value), support('c2', 'b'), support('c3', 'c')] as never),
      ).sensitivity_analysis.evidence_gaps;
      expect(gap!.suggestion).toMatch(/independent of the 3 voices heard/);
    },
  );

  it('evidence gaps say that one voice stands against more, not that the verdict rests on it', () => {
    covers('RM-8.3');
    const [gap] = judge(
      investigation([
        claim('c1', 'a', 'red', { valence: 'Refutes' }),
        claim('c2', 'b', 'red', { valence: 'Refutes' }),
        claim('c3', 'c', 'red', { valence: 'Refutes' }),
        claim('c4', 'd', 'red'),
      ]),
    ).sensitivity_analysis.evidence_gaps;
    expect(gap!.suggestion).toMatch(/ is red`: one voice says so, and more speaks against it\.$/);
  });
});
