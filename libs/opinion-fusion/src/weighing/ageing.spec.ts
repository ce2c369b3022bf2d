import { describe, expect, it } from '@jest/globals';
import { formatTime, parseTime } from '../contract/timestamp.ts';
import { covers } from '@platform/testing/covers';
import { decayFactor } from './ageing.ts';
import { DAY_MS } from '../contract/timestamp.ts';
import { actor, analysisOf, claim, investigation, judge, NOW } from '../fixtures/investigation.fixture.ts';
import type { ClaimInput, InvestigationInput } from '../contract/types.ts';

const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString();

function c1(more: Partial<ClaimInput>, rest: Partial<InvestigationInput> = {}, others: ClaimInput[] = []) {
  const result = judge(
    investigation([claim('c1', 'x', 'red', more), ...others], { actors: actorsWith('Journalist'), ...rest }),
  );
  return { ...analysisOf(result, 'c1'), warnings: result.warnings, temporal: result.temporal_analysis };
}

const actorsWith = (source_type: string) => [
  actor('x', { source_type, base_reliability: null }),
  actor('b'),
  actor('c'),
  actor('y', { depends_on: ['x'] }),
  actor('weak', { source_type: 'Troll', base_reliability: 0.1 }),
];

describe('half-life', () => {
  it.each([
    ['Finance', 180],
    ['news', 90],
    ['TECHNOLOGY', 365],
    ['Geopolitics', 730],
    ['Medicine', 3650],
    ['Science', 9125],
    ['Legal', 7300],
    ['General', 180],
    [null, 180],
  ])('half-life of the domain %p is %p days', (domain, days) => {
    covers('INV-R13.1', 'INV-R13.2', 'INV-F.InvestigationResult.decay_half_life_days');
    expect(c1({}, { domain }).effective_half_life_days).toBe(days);
    expect(judge(investigation([], { domain })).decay_half_life_days).toBe(days);
  });

  it('half-life is the product of domain, claim type, authority and status', () => {
    covers('INV-R13.3', 'RM-5.1');
    expect(
      c1(
        { claim_type: 'Causal', epistemic_status: 'theory' },
        { actors: actorsWith('Regulator'), domain: 'News' },
      ),
    ).toMatchObject({
      effective_half_life_days: 90 * 1.5 * 2 * 2,
    });
  });

  it('a half-life stays a number where the product is too large for one', () => {
    covers('INV-R13.3', 'RM-9.10');
    const of = (epistemic_status: string) =>
      c1({ epistemic_status, claim_type: 'Procedural' }, { decay_half_life_days: 1e308 });
    expect(of('law').effective_half_life_days).toBe(Number.MAX_VALUE);
    expect(of('law').temporal_decay_factor).toBe(1);
    expect(of('superseded').effective_half_life_days).toBe(5e307);
    expect(of('retracted')).toMatchObject({ effective_half_life_days: 0, temporal_decay_factor: 0 });
  });

  it.each([
    ['Factual', 1],
    ['Predictive', 0.5],
    ['Evaluative', 0.75],
    ['Causal', 1.5],
    ['Procedural', 2],
    ['Methodological', 2],
  ])('half-life of a %s claim is × %p', (claim_type, factor) => {
    covers('RM-2.32');
    expect(c1({ claim_type }).effective_half_life_days).toBe(180 * factor);
  });

  it.each([
    ['Regulator', 2],
    ['Expert', 2],
    ['Analyst', 1.25],
    ['Journalist', 1],
    ['Insider', 1],
    ['Institutional', 1],
    ['Anonymous', 0.5],
    ['SocialMedia', 0.5],
    ['Troll', 0.25],
  ])('half-life of a source of type %s is × %p', (source_type, factor) => {
    covers('RM-2.30');
    expect(c1({}, { actors: actorsWith(source_type) }).effective_half_life_days).toBe(180 * factor);
  });

  it.each([
    ['conjecture', 0.5],
    ['hypothesis', 1],
    ['theory', 2],
    ['law', 100],
    ['superseded', 0.25],
    ['retracted', 0],
  ])('half-life of status %s is × %p', (epistemic_status, factor) => {
    covers('INV-R13.8');
    expect(c1({ epistemic_status }).effective_half_life_days).toBe(180 * factor);
  });

  it('a half-life of the claim itself replaces the product; superseded is still a quarter, retracted nothing', () => {
    covers('INV-R13.4', 'RM-5.2', 'RM-5.9');
    expect(c1({ decay_half_life_days: 10, claim_type: 'Causal' }).effective_half_life_days).toBe(10);
    expect(c1({ decay_half_life_days: 10, epistemic_status: 'superseded' }).effective_half_life_days).toBe(
      2.5,
    );
    expect(c1({ decay_half_life_days: 10, epistemic_status: 'retracted' })).toMatchObject({
      effective_half_life_days: 0,
      temporal_decay_factor: 0,
      freshness_score: 0,
    });
  });

  it('a half-life of the claim itself is valid in (0, 365000]', () => {
    covers('INV-R13.5', 'INV-L.3');
    expect(c1({ decay_half_life_days: 365_000 })).toMatchObject({
      effective_half_life_days: 365_000,
      warnings: [],
    });
    for (const days of [0, -1, 365_000.5]) {
      const analysis = c1({ decay_half_life_days: days });
      expect(analysis.effective_half_life_days).toBe(180);
      expect(analysis.warnings).toEqual([expect.stringContaining('`c1`')]);
    }
  });

  it('the half-life of the investigation overrides the domain when positive', () => {
    covers('INV-R13.6');
    expect(c1({}, { decay_half_life_days: 33 }).effective_half_life_days).toBe(33);
    const analysis = c1({}, { decay_half_life_days: 0, domain: 'News' });
    expect(analysis.effective_half_life_days).toBe(90);
    expect(analysis.warnings).toHaveLength(1);
  });

  it('a law on a predictive claim is warned about', () => {
    covers('INV-R13.13');
    expect(c1({ epistemic_status: 'law', claim_type: 'Predictive' }).warnings).toEqual([
      expect.stringContaining('`c1`'),
    ]);
    expect(c1({ epistemic_status: 'law' }).warnings).toEqual([]);
  });
});

describe('decay', () => {
  it('decay is 1 when fresh and 0.5 at one half-life, never more than 1', () => {
    covers('INV-R13.10', 'RM-5.3', 'RM-5.8');
    expect(decayFactor(0, 180)).toBe(1);
    expect(decayFactor(180, 180)).toBe(0.5);
    expect(decayFactor(1, 0)).toBe(0);
    expect(c1({ assertion_time: daysAgo(180) }).temporal_decay_factor).toBe(0.5);
    expect(c1({ assertion_time: daysAgo(360) }).temporal_decay_factor).toBe(0.25);
    expect(c1({ assertion_time: daysAgo(-10) }).temporal_decay_factor).toBe(1);
  });

  it('decay multiplies the weight of the claim', () => {
    covers('RM-4.4');
    expect(c1({ assertion_time: daysAgo(180) }).support).toBeCloseTo(0.35 / 2.35, 12);
  });

  it('decay leaves a claim without assertion_time unchanged', () => {
    covers('RM-5.10');
    const analysis = c1({ corroboration_events: [{ time: daysAgo(180), actor_id: 'b' }] });
    expect(analysis).toMatchObject({ temporal_decay_factor: 1, decay_origin: null, corroboration_count: 1 });
    expect(analysis.freshness_score).toBeCloseTo(0.7 + 0.2 * 0.5 + 0.1 * 0.7, 12);
    expect(analysis).not.toHaveProperty('assertion_time');
  });
});

describe('corroboration', () => {
  const asserted = { assertion_time: daysAgo(360) };
  const by = (actor_id: string, days: number) => ({ time: daysAgo(days), actor_id });
  const after = (...corroboration_events: { time: string; actor_id: string }[]) =>
    c1({ ...asserted, corroboration_events });

  it('corroboration by an independent actor resets the clock', () => {
    covers('INV-R12.1', 'RM-5.6');
    expect(after(by('b', 90))).toMatchObject({
      decay_origin: daysAgo(90),
      corroboration_count: 1,
      last_corroborated: daysAgo(90),
    });
  });

  it('corroboration by a dependent source refreshes the clock half way unless told otherwise', () => {
    covers('INV-R12.2');
    expect(after(by('y', 90)).decay_origin).toBe(daysAgo(225));
    const events = { ...asserted, corroboration_events: [by('y', 60)] };
    expect(c1(events, { dependent_refresh_factor: 0.25 }).decay_origin).toBe(daysAgo(285));
    expect(c1(events, { dependent_refresh_factor: 0 }).decay_origin).toBe(daysAgo(360));
    expect(c1(events, { dependent_refresh_factor: 1 }).decay_origin).toBe(daysAgo(60));
  });

  it('corroboration moves the clock in the order of time, whatever the order of the list', () => {
    covers('RM-5.6', 'RM-10.15');
    expect(after(by('y', 120), by('b', 240)).decay_origin).toBe(daysAgo(180));
    expect(after(by('b', 240), by('y', 120)).decay_origin).toBe(daysAgo(180));
    expect(after(by('y', 120), by('y', 120)).corroboration_count).toBe(2);
  });

  it('corroboration of a claim whose year UTC writes with more or less than four digits is written in RFC 3339', () => {
    expect(c1({ assertion_time: '0000-01-01T00:00:00+01:00' }).decay_origin).toBe('0000-01-01T00:00:00.000Z');
    expect(formatTime(parseTime('9999-12-31T23:59:59-01:00')!.ms)).toBe('9999-12-31T23:59:59.999Z');
  });

  it('corroboration rounds a dependent move to the millisecond', () => {
    covers('RM-10.16');
    const assertion_time = '2025-01-01T00:00:00.000Z';
    const event = { time: '2025-01-01T00:00:00.003Z', actor_id: 'y' };
    expect(c1({ assertion_time, corroboration_events: [event] }).decay_origin).toBe(
      '2025-01-01T00:00:00.002Z',
    );
  });

  it('corroboration moves the clock as far in every year', () => {
    covers('RM-9.9', 'RM-10.16');
    const moves = ['2024-01-06T06:51:28.320Z', '2078-10-09T06:51:28.320Z'].map((assertion_time) => {
      const asserted = Date.parse(assertion_time);
      const event = { time: new Date(asserted + 49_134_407_129).toISOString(), actor_id: 'y' };
      const result = judge(
        investigation([claim('c1', 'x', 'red', { assertion_time, corroboration_events: [event] })], {
          actors: actorsWith('Journalist'),
          dependent_refresh_factor: 0.6497018877359866,
        }),
        new Date(asserted + 50_000_000_000),
      );
      return Date.parse(analysisOf(result, 'c1').decay_origin!) - asserted;
    });
    expect(moves).toEqual([31_922_717_064, 31_922_717_064]);
  });

  it('corroboration by the author, before the assertion or after now is ignored with a warning', () => {
    covers('INV-R12.3', 'INV-R12.4', 'RM-5.7', 'RM-10.2');
    for (const [event, text] of [
      [by('x', 90), 'author'],
      [by('b', 361), 'before'],
      [by('b', -1), 'after'],
    ] as const) {
      const analysis = after(event);
      expect(analysis).toMatchObject({ corroboration_count: 0, decay_origin: daysAgo(360) });
      expect(analysis).not.toHaveProperty('last_corroborated');
      expect(analysis.warnings).toEqual([expect.stringMatching(new RegExp(`\`c1\`.*${text}`))]);
    }
  });

  it('corroboration at the instant of the assertion is valid', () => {
    covers('RM-5.11');
    expect(after(by('b', 360))).toMatchObject({ corroboration_count: 1, warnings: [] });
  });

  it('corroboration by an actor below the floor or not among the actors counts as dependent', () => {
    covers('RM-5.5', 'RM-4.33');
    expect(after(by('weak', 90)).decay_origin).toBe(daysAgo(225));
    const unknown = after(by('stranger', 90));
    expect(unknown.decay_origin).toBe(daysAgo(225));
    expect(unknown.warnings).toEqual([expect.stringContaining('`stranger`')]);
    expect(after(by('stranger', 90), by('stranger', 80)).warnings).toEqual(unknown.warnings);
  });

  it('corroboration keeps the latest 100', () => {
    covers('INV-R12.5', 'RM-5.4');
    const events = Array.from({ length: 101 }, (_, i) => by('y', 300 - i));
    const analysis = after(...events);
    expect(analysis.corroboration_count).toBe(100);
    expect(analysis.warnings).toEqual([expect.stringMatching(/`c1`.*101.*100/)]);
    // Nothing is said about what is not kept.
    expect(after(by('stranger', 301), ...events).warnings).toEqual([expect.stringMatching(/`c1`.*102.*100/)]);
  });
});

describe('freshness', () => {
  it.each([
    ['law', 1],
    ['theory', 0.9],
    ['hypothesis', 0.7],
    ['conjecture', 0.4],
    ['superseded', 0.1],
  ])('freshness is 70 %% decay, 20 %% recency, 10 %% status: %s %p', (epistemic_status, factor) => {
    covers('INV-R13.12', 'RM-5.12', 'RM-5.13');
    const half = c1({ epistemic_status, decay_half_life_days: 100 }).effective_half_life_days;
    const analysis = c1({
      epistemic_status,
      decay_half_life_days: 100,
      assertion_time: daysAgo(2 * half),
      corroboration_events: [{ time: daysAgo(half), actor_id: 'y' }],
    });
    expect(analysis.temporal_decay_factor).toBeCloseTo(0.5 ** 1.5, 12);
    expect(analysis.freshness_score).toBeCloseTo(0.7 * 0.5 ** 1.5 + 0.2 * 0.5 + 0.1 * factor, 12);
  });
});

describe('suggested epistemic status', () => {
  const suggestion = (
    more: Partial<ClaimInput>,
    rest: Partial<InvestigationInput> = {},
    others: ClaimInput[] = [],
  ) => c1(more, rest, others).suggested_epistemic_status;
  const confirmed = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ time: daysAgo(i), actor_id: 'b' }));
  const backed = {
    evidence: [{ id: 'e', claim_id: 'c1', content: '', valence: 'Supports', weight: 100 }],
    actors: actorsWith('Expert'),
  };

  it('the suggested epistemic status lifts a conjecture at one independent corroboration or P ≥ 0.6', () => {
    covers('RM-5.15');
    const weak = { epistemic_status: 'conjecture', assertion_time: daysAgo(400) };
    expect(suggestion(weak)).toBeUndefined();
    expect(suggestion({ ...weak, corroboration_events: confirmed(1) })).toBe('hypothesis');
    expect(
      suggestion({ ...weak, corroboration_events: [{ time: daysAgo(399), actor_id: 'y' }] }),
    ).toBeUndefined();
    expect(suggestion({ epistemic_status: 'conjecture' }, backed)).toBe('hypothesis');
  });

  it('the suggested epistemic status lifts a hypothesis at three independent corroborations and P ≥ 0.8', () => {
    covers('RM-5.16');
    expect(suggestion({ corroboration_events: confirmed(3) }, backed)).toBe('theory');
    expect(suggestion({ corroboration_events: confirmed(2) }, backed)).toBeUndefined();
    expect(suggestion({ corroboration_events: confirmed(3) })).toBeUndefined();
  });

  it('the suggested epistemic status lowers a theory at d ≥ 0.3, never suggests law, and leaves superseded and retracted', () => {
    covers('RM-5.14', 'RM-5.17', 'RM-5.18');
    const against = ['b', 'c'].map((id) => claim(`n${id}`, id, 'blue'));
    expect(suggestion({ epistemic_status: 'theory' }, {}, against)).toBe('hypothesis');
    expect(suggestion({ epistemic_status: 'theory' })).toBeUndefined();
    expect(
      suggestion({ epistemic_status: 'theory', corroboration_events: confirmed(9) }, backed),
    ).toBeUndefined();
    expect(suggestion({ epistemic_status: 'superseded' })).toBeUndefined();
    expect(suggestion({ epistemic_status: 'retracted' })).toBeUndefined();
    expect(suggestion({ epistemic_status: 'law' }, {}, against)).toBeUndefined();
  });
});

describe('temporal_analysis', () => {
  it('temporal_analysis is present when a claim has corroborations or a status, or supersession took effect', () => {
    covers('RM-8.10', 'RM-10.14');
    expect(c1({ assertion_time: daysAgo(9) }).temporal).toBeUndefined();
    expect(c1({ corroboration_events: [] }).temporal).toBeUndefined();
    expect(c1({ epistemic_status: 'hypothesis' }).temporal).toBeDefined();
    expect(c1({ corroboration_events: [{ time: daysAgo(1), actor_id: 'b' }] }).temporal).toBeDefined();
    expect(c1({ supersedes_claim_id: 'c1' }).temporal).toBeUndefined();
    expect(c1({ supersedes_claim_id: 'nothing' }).temporal).toBeUndefined();
    expect(c1({ supersedes_claim_id: 'c2' }, {}, [claim('c2', 'b', 'blue')]).temporal).toBeDefined();
  });

  it('temporal_analysis lists stale claims by decay and corroborated ones by time', () => {
    covers(
      'INV-R13.11',
      'RM-8.11',
      'RM-8.12',
      'RM-10.7',
      'INV-F.TemporalAnalysis.stale_claims',
      'INV-F.TemporalAnalysis.recently_corroborated',
    );
    const aged = (id: string, days: number) =>
      claim(id, 'x', id, { predicate: id, assertion_time: daysAgo(days), epistemic_status: 'hypothesis' });
    const seen = (id: string, days: number) =>
      claim(id, 'x', id, { predicate: id, corroboration_events: [{ time: daysAgo(days), actor_id: 'b' }] });
    const result = judge(
      investigation(
        [
          aged('c1', 360),
          aged('c2', 361),
          aged('c3', 900),
          claim('c4', 'x', 'v', { predicate: 'c4', epistemic_status: 'retracted' }),
          seen('k1', 5),
          seen('k2', 2),
          seen('k3', 2),
        ],
        { actors: actorsWith('Journalist') },
      ),
    );
    const { stale_claims: stale, recently_corroborated: corroborated } = result.temporal_analysis!;
    expect(stale.map((entry) => [entry.claim_id, entry.age_days])).toEqual([
      ['c4', 0],
      ['c3', 900],
      ['c2', 361],
    ]);
    expect(stale.every((entry) => entry.decay_factor < 0.25 && entry.recommendation.endsWith('.'))).toBe(
      true,
    );
    expect(corroborated.map((entry) => entry.claim_id)).toEqual(['k2', 'k3', 'k1']);
    expect(corroborated[0]).toMatchObject({ corroboration_count: 1, last_corroborated: daysAgo(2) });
    expect(corroborated[0]!.freshness_score).toBe(analysisOf(result, 'k2').freshness_score);
  });

  it('temporal_analysis follows supersession across predicates, oldest to newest, all maximal paths, and means freshness', () => {
    covers(
      'RM-8.13',
      'RM-2.41',
      'INV-F.TemporalAnalysis.supersession_chains',
      'INV-F.TemporalAnalysis.overall_freshness',
    );
    const result = judge(
      investigation([
        claim('c1', 'a', 'red'),
        claim('c2', 'a', 'blue', { predicate: 'size', supersedes_claim_id: 'c1' }),
        claim('c3', 'b', 'green', { supersedes_claim_id: 'c2' }),
        claim('c4', 'c', 'black', {
          relationships: [{ relationship_type: 'supersedes', target_claim_id: 'c2' }],
        }),
      ]),
    );
    expect(result.temporal_analysis!.supersession_chains).toEqual([
      { claim_ids: ['c1', 'c2', 'c3'], current_claim_id: 'c3' },
      { claim_ids: ['c1', 'c2', 'c4'], current_claim_id: 'c4' },
    ]);
    const mean = result.claim_analyses.reduce((sum, analysis) => sum + analysis.freshness_score, 0) / 4;
    expect(result.temporal_analysis!.overall_freshness).toBeCloseTo(mean, 12);
  });
});

describe('supersession', () => {
  const status = (claims: ClaimInput[], id: string) =>
    analysisOf(judge(investigation(claims)), id).epistemic_status;

  it.each<[string, Partial<ClaimInput>]>([
    ['supersedes_claim_id', { supersedes_claim_id: 'c1' }],
    ['a relationship', { relationships: [{ relationship_type: 'supersedes', target_claim_id: 'c1' }] }],
  ])('supersession by %s replaces the status of the target and quarters its half-life', (_, by) => {
    covers('INV-R8.4', 'INV-S.1', 'INV-S.2', 'INV-F.ClaimInput.supersedes_claim_id');
    const result = judge(
      investigation([claim('c1', 'a', 'red', { epistemic_status: 'law' }), claim('c2', 'b', 'blue', by)]),
    );
    expect(result.temporal_analysis!.supersession_chains).toEqual([
      { claim_ids: ['c1', 'c2'], current_claim_id: 'c2' },
    ]);
    expect(analysisOf(result, 'c1')).toMatchObject({
      epistemic_status: 'superseded',
      effective_half_life_days: 180 * 2 * 0.25,
    });
  });

  it('supersession of an absent claim changes nothing and is warned about', () => {
    covers('INV-S.3');
    const plain = judge(investigation([claim('c1', 'a', 'red')]));
    const result = judge(investigation([claim('c1', 'a', 'red', { supersedes_claim_id: 'gone' })]));
    expect(result).toEqual({ ...plain, warnings: [expect.stringContaining('`gone`')] });
  });

  it('supersession leaves a retracted claim retracted', () => {
    covers('RM-2.37');
    const claims = [
      claim('c1', 'a', 'red', { epistemic_status: 'retracted' }),
      claim('c2', 'b', 'blue', { supersedes_claim_id: 'c1' }),
    ];
    expect(status(claims, 'c1')).toBe('retracted');
    expect(judge(investigation(claims)).temporal_analysis!.supersession_chains).toEqual([]);
  });

  it('supersession ignores edges inside a cycle, a claim that names itself included, and no other', () => {
    covers('RM-2.40');
    const claims = [
      claim('c1', 'a', 'red', { supersedes_claim_id: 'c2' }),
      claim('c2', 'b', 'blue', { supersedes_claim_id: 'c1' }),
      claim('c3', 'c', 'green', { supersedes_claim_id: 'c1' }),
      claim('c4', 'd', 'black', { supersedes_claim_id: 'c4' }),
    ];
    const result = judge(investigation(claims));
    expect(result.claim_analyses.map((analysis) => analysis.epistemic_status)).toEqual([
      'superseded',
      'hypothesis',
      'hypothesis',
      'hypothesis',
    ]);
    expect(result.warnings.filter((warning) => warning.includes('circle'))).toHaveLength(3);
  });

  it('a claim that arrives as superseded makes no chain', () => {
    covers('RM-2.39');
    const result = judge(
      investigation([claim('c1', 'a', 'red', { epistemic_status: 'superseded' }), claim('c2', 'b', 'blue')]),
    );
    expect(result.temporal_analysis!.supersession_chains).toEqual([]);
    expect(analysisOf(result, 'c1').effective_half_life_days).toBe(90);
  });
});
