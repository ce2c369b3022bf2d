import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import { actor, claim, investigation, judge, NOW } from '../fixtures/investigation.fixture.ts';
import { DAY_MS } from '../contract/timestamp.ts';
import { evidenceStrength, likelihoodWord } from './likelihood-words.ts';
import { whereLeading, whereSaid } from './summary.ts';
import type { InvestigationInput, InvestigationSummary } from '../contract/types.ts';

const compact = (input: InvestigationInput) =>
  analyze({ ...input, summary_mode: true }, { now: NOW }) as InvestigationSummary;

const contested = investigation(
  [
    ...Array.from({ length: 7 }, (_, i) => claim(`p${i}`, 'a', 'red', { predicate: `p${i}` })),
    ...Array.from({ length: 7 }, (_, i) => claim(`q${i}`, 'b', 'blue', { predicate: `p${i}` })),
    claim('r1', 'c', 'red', { predicate: 'p6' }),
  ],
  {
    distinctions: [
      { id: 'd', argument_a: 'p0', argument_b: 'q0', feature: '', condition_a: '', condition_b: '' },
    ],
  },
);

describe('summary_mode', () => {
  it('summary_mode tells evidence on both sides from sources that contradict each other', () => {
    covers('RM-8.8');
    const against = { id: 'e', claim_id: 'c1', content: 'A letter.', valence: 'Refutes' };
    const oneSource = compact(investigation([claim('c1', 'a', 'red')], { evidence: [against] }));
    expect(oneSource.synthesis).toContain('On 1 of 1 questions there is evidence both for and against.');
    expect(oneSource.synthesis).not.toContain('sources contradict');
    expect(compact(investigation([claim('c1', 'a', 'red')])).synthesis).toContain(
      'On no question is there evidence both for and against.',
    );
  });

  it('sources on both sides are evidence for and against also where a distinction parts them', () => {
    covers('RM-11.311');
    const distinctions = [
      { id: 'd', argument_a: 'c1', argument_b: 'c2', feature: 'what', condition_a: 'x', condition_b: 'y' },
    ];
    const { synthesis, top_findings } = compact(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue')], { distinctions }),
    );
    expect(top_findings[0]).toMatchObject({ supporting_source_count: 1, opposing_source_count: 1 });
    expect(synthesis).toContain('On 1 of 1 questions there is evidence both for and against.');
  });

  it('summary_mode returns the compact result and nothing else', () => {
    covers('INV-R15.1', 'INV-R15.2', 'RM-8.8', 'RM-11.125', 'RM-11.152');
    const summary = compact(contested);
    expect(Object.keys(summary)).toEqual([
      'research_question',
      'decay_half_life_days',
      'summary_mode',
      'top_findings',
      'top_contested_claims',
      'top_evidence_gaps',
      'synthesis',
      'evaluated_at',
      'engine_version',
      'warnings',
    ]);
    const full = judge(contested);
    expect(summary.top_findings).toHaveLength(5);
    const distance = summary.top_findings.map((entry) => Math.abs(entry.expected_probability - 0.5));
    expect(distance).toEqual(distance.toSorted((x, y) => y - x));
    expect(summary.top_findings[0]!.predicate).toBe('p0');
    const ranks = summary.top_contested_claims.map(({ rank }) => rank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(summary.top_evidence_gaps).toEqual(full.sensitivity_analysis.evidence_gaps.slice(0, 5));
  });

  it('summary_mode lists no contested claim of which age has left no weight', () => {
    covers('RM-11.267');
    // At 1,074.4 half-lives, what age leaves would be the least number above 0, and 0 times a reliability.
    const faded = {
      decay_half_life_days: 1,
      assertion_time: new Date(NOW.getTime() - 1074.4 * DAY_MS).toISOString(),
    };
    const old = claim('old', 'c', 'red', faded);
    const { top_contested_claims: listed } = compact(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue'), old], {
        actors: [actor('a'), actor('b'), actor('c', { base_reliability: 0.4 })],
      }),
    );
    expect(listed.map(({ claim_id: id }) => id)).toEqual(['c1', 'c2']);
  });

  it('summary_mode reports that conditional conclusions are left out', () => {
    covers('INV-R15.3');
    expect(compact(contested).warnings).toEqual([expect.stringContaining('summary_mode')]);
    expect(compact({ ...contested, distinctions: [] }).warnings).toEqual([]);
  });

  it('summary_mode states likelihood and strength of evidence separately, in words and numbers', () => {
    covers('RM-8.9', 'RM-11.118');
    const { synthesis } = compact(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'red'), claim('c3', 'c', 'red')]),
    );
    expect(synthesis).toContain(
      'The colour of Subject s1 is red: very likely (93 %). Evidence: moderate, uncertainty 0.45.',
    );
    expect(synthesis).not.toContain('\n');
    expect(compact(investigation([])).synthesis).not.toBe('');
  });

  it('summary_mode uses the seven words of ICD 203', () => {
    const words = [0.01, 0.05, 0.2, 0.45, 0.549, 0.55, 0.8, 0.95, 1].map(likelihoodWord);
    expect(words).toEqual([
      'almost no chance',
      'very unlikely',
      'unlikely',
      'roughly even chance',
      'roughly even chance',
      'likely',
      'very likely',
      'almost certain',
      'almost certain',
    ]);
    expect([0.1, 1 / 3, 0.5, 0.7, 1].map(evidenceStrength)).toEqual([
      'strong',
      'strong',
      'moderate',
      'weak',
      'weak',
    ]);
  });
});

describe('the condition of a verdict', () => {
  it.each([
    ['2003-12-17', '2003-12-17', 'Flyer, 17 December 2003', ''],
    ['2003-12-17', '2003-12-19', 'Flyer, 17 December 2003', 'from 17 December 2003 to 19 December 2003'],
    ['2003-12-17', undefined, 'Flyer, 17 December 2003', ''],
    ['2003-12-17', '2003-12-17', 'Flyer', 'on 17 December 2003'],
    ['2003-01-01', '2003-12-31', 'The winter of 2003', ''],
  ])('a time from %s to %s is said unless the name of the subject, %s, says it', (from, to, name, said) => {
    covers('INV-V.83');
    const rival = { value: 'yes', event_start_time: from, event_end_time: to };
    expect(whereLeading({ subject_name: name, rival_values: [rival] })).toBe(said);
  });

  it.each([
    ['direct', 'direct'],
    ['confirmed cases', 'confirmed cases'],
    ['by 2065', 'by 2065'],
    ['during the war', 'during the war'],
    ['worldwide', 'worldwide'],
    ['city', 'in city'],
    ['Outer Harbor', 'in Outer Harbor'],
    ['hospital', 'in hospital'],
  ])('the scope %p is told as %p', (scope, told) => {
    covers('INV-V.111');
    expect(whereSaid({ scope })).toBe(told);
  });
});
