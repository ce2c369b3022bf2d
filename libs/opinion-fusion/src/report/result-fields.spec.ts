import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { analyze } from '../analyze.ts';
import { claim, investigation, judge, NOW } from '../fixtures/investigation.fixture.ts';
import type { InvestigationResult } from '../contract/types.ts';

type Holds = (value: unknown) => boolean;
type Row = readonly [id: string, holds: Holds, presence?: 'optional'];

const text: Holds = (value) => typeof value === 'string';
const word =
  (...words: string[]): Holds =>
  (value) =>
    words.includes(value as string);
const number: Holds = (value) => Number.isFinite(value);
const share: Holds = (value) => number(value) && (value as number) >= 0 && (value as number) <= 1;
const count: Holds = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const flag: Holds = (value) => typeof value === 'boolean';
const instant: Holds = (value) =>
  /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(String(value)) && number(Date.parse(String(value)));
const object: Holds = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.every(holds);
const texts = listOf(text);
const withKeys =
  (...keys: string[]): Holds =>
  (value) =>
    object(value) &&
    Object.keys(value as object)
      .sort()
      .join() === keys.toSorted().join();

const TRUTH = word('True', 'False', 'Both', 'Neither');
const STATUS = word('conjecture', 'hypothesis', 'theory', 'law', 'superseded', 'retracted');

/** The contract's tables of result fields, row by row. */
const ROWS: readonly Row[] = [
  ['INV-F.InvestigationResult.research_question', text],
  ['INV-F.InvestigationResult.decay_half_life_days', number],
  ['INV-F.InvestigationResult.subject_results', listOf(object)],
  ['INV-F.InvestigationResult.conflict_analysis', listOf(object)],
  ['INV-F.InvestigationResult.claim_analyses', listOf(object)],
  ['INV-F.InvestigationResult.ranked_claims', listOf(object)],
  ['INV-F.InvestigationResult.sensitivity_analysis', object],
  ['INV-F.InvestigationResult.temporal_analysis', object, 'optional'],
  ['INV-F.InvestigationResult.accumulative_analysis', object, 'optional'],
  ['INV-F.InvestigationResult.warnings', texts],
  ['INV-F.SubjectResult.subject_id', text],
  ['INV-F.SubjectResult.subject_name', text],
  ['INV-F.SubjectResult.predicate', text],
  ['INV-F.SubjectResult.truth_status', TRUTH],
  ['INV-F.SubjectResult.confidence', object],
  ['INV-F.SubjectResult.expected_probability', share],
  ['INV-F.OpinionSummary.support', share],
  ['INV-F.OpinionSummary.opposition', share],
  ['INV-F.OpinionSummary.uncertainty', share],
  ['INV-F.OpinionSummary.base_rate', share],
  ['INV-F.RankedClaim.rank', count],
  ['INV-F.RankedClaim.claim_id', text],
  ['INV-F.RankedClaim.actor_id', text],
  ['INV-F.RankedClaim.predicate', text],
  ['INV-F.RankedClaim.value', text],
  ['INV-F.RankedClaim.category', word('strong', 'moderate', 'contested', 'weak', 'refuted')],
  ['INV-F.RankedClaim.expected_probability', share],
  ['INV-F.RankedClaim.belief', share],
  ['INV-F.RankedClaim.disbelief', share],
  ['INV-F.RankedClaim.uncertainty', share],
  ['INV-F.ClaimAnalysisSummary.claim_id', text],
  ['INV-F.ClaimAnalysisSummary.predicate', text],
  ['INV-F.ClaimAnalysisSummary.value', text],
  ['INV-F.ClaimAnalysisSummary.actor_id', text],
  ['INV-F.ClaimAnalysisSummary.truth_status', TRUTH],
  ['INV-F.ClaimAnalysisSummary.expected_probability', share],
  ['INV-F.ClaimAnalysisSummary.support', share],
  ['INV-F.ClaimAnalysisSummary.opposition', share],
  ['INV-F.ClaimAnalysisSummary.uncertainty', share],
  ['INV-F.ClaimAnalysisSummary.temporal_decay_factor', share],
  ['INV-F.ClaimAnalysisSummary.effective_half_life_days', number],
  ['INV-F.ClaimAnalysisSummary.freshness_score', share],
  ['INV-F.ClaimAnalysisSummary.supporting_count', count],
  ['INV-F.ClaimAnalysisSummary.refuting_count', count],
  ['INV-F.ClaimAnalysisSummary.neutral_count', count],
  ['INV-F.ClaimAnalysisSummary.epistemic_status', STATUS],
  ['INV-F.ClaimAnalysisSummary.assertion_time', instant, 'optional'],
  ['INV-F.ClaimAnalysisSummary.last_corroborated', instant, 'optional'],
  ['INV-F.ClaimAnalysisSummary.decay_origin', (value) => value === null || instant(value)],
  ['INV-F.ClaimAnalysisSummary.corroboration_count', count],
  ['INV-F.ClaimAnalysisSummary.below_credibility_floor', flag, 'optional'],
  ['INV-F.ClaimAnalysisSummary.suggested_epistemic_status', STATUS, 'optional'],
  ['INV-F.SubjectArgumentation.subject_id', text],
  ['INV-F.SubjectArgumentation.predicate', text],
  ['INV-F.SubjectArgumentation.accepted_claims', texts],
  ['INV-F.SubjectArgumentation.alternative_interpretations', listOf(texts)],
  ['INV-F.SubjectArgumentation.dispute_level', share],
  ['INV-F.SubjectArgumentation.causal_chains', listOf(withKeys('argument_ids'))],
  ['INV-F.SubjectArgumentation.is_exact', flag],
  ['INV-F.SubjectArgumentation.interpretations', listOf(object)],
  ['INV-F.InterpretationTree.label', (value) => /^Interpretation [1-9]\d*$/.test(String(value))],
  ['INV-F.InterpretationTree.coherence_score', share],
  ['INV-F.InterpretationTree.accepted_claims', listOf(object)],
  [
    'INV-F.InterpretationTree.attacks',
    listOf(withKeys('attacker_claim_id', 'target_claim_id', 'description')),
  ],
  ['INV-F.InterpretationTree.supports', listOf(withKeys('supporter_claim_id', 'supported_claim_id'))],
  ['INV-F.InterpretationClaim.claim_id', text],
  ['INV-F.InterpretationClaim.actor_id', text],
  ['INV-F.InterpretationClaim.actor_name', text],
  ['INV-F.InterpretationClaim.predicate', text],
  ['INV-F.InterpretationClaim.value', text],
  ['INV-F.InterpretationClaim.content', text],
  ['INV-F.InterpretationClaim.truth_status', TRUTH],
  ['INV-F.InterpretationClaim.belief', share],
  ['INV-F.InterpretationClaim.disbelief', share],
  ['INV-F.InterpretationClaim.uncertainty', share],
  ['INV-F.InterpretationClaim.expected_probability', share],
  ['INV-F.SensitivityAnalysis.evidence_gaps', listOf(object)],
  ['INV-F.EvidenceGap.subject_id', text],
  ['INV-F.EvidenceGap.predicate', text],
  ['INV-F.EvidenceGap.uncertainty', share],
  ['INV-F.EvidenceGap.expected_probability', share],
  ['INV-F.EvidenceGap.potential_shift', share],
  ['INV-F.EvidenceGap.is_contested', flag],
  ['INV-F.EvidenceGap.suggestion', text],
  ['INV-F.EvidenceGap.discriminating_claims', texts, 'optional'],
  [
    'INV-F.TemporalAnalysis.stale_claims',
    listOf(withKeys('claim_id', 'age_days', 'decay_factor', 'recommendation')),
  ],
  [
    'INV-F.TemporalAnalysis.recently_corroborated',
    listOf(withKeys('claim_id', 'corroboration_count', 'last_corroborated', 'freshness_score')),
  ],
  ['INV-F.TemporalAnalysis.supersession_chains', listOf(withKeys('claim_ids', 'current_claim_id'))],
  ['INV-F.TemporalAnalysis.overall_freshness', share],
  ['INV-F.AccumulativeAnalysis.conditional_conclusions', listOf(object)],
  ['INV-F.ConditionalConclusion.distinction_id', text],
  ['INV-F.ConditionalConclusion.condition', text],
  ['INV-F.ConditionalConclusion.favored_claim_id', text],
  ['INV-F.ConditionalConclusion.expected_probability', share],
  ['INV-F.ConditionalConclusion.opinion', object],
];

/** What the reasoning model adds to the contract's shapes. */
const ADDITIONS = [
  'InvestigationResult.evaluated_at',
  'InvestigationResult.engine_version',
  'InvestigationResult.source_dependence',
  'RankedClaim.subject_id',
  'ConditionalConclusion.calibrated_probability',
  'SubjectResult.calibrated_probability',
  'SubjectResult.rival_values',
  'SubjectResult.all_values',
  'SubjectResult.disputed_apart',
  'SubjectResult.tied',
  'SubjectResult.superseded',
  'SubjectResult.age_decides',
  'SubjectResult.numeric_estimate',
  'SubjectResult.leading_value',
  'SubjectResult.source_count',
  'SubjectResult.independent_source_count',
  'SubjectResult.supporting_source_count',
  'SubjectResult.opposing_source_count',
];

const examples = new URL('../../../../examples/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, examples), 'utf8'));

/** The published examples, an empty investigation, and one small case with a claim nobody believes. */
const RESULTS: readonly InvestigationResult[] = [
  ...(read('index.json') as { file: string }[]).map(
    ({ file }) => analyze(read(file), { now: NOW }) as InvestigationResult,
  ),
  judge(investigation([])),
  judge(
    investigation(
      [
        claim('c1', 'a', 'red', { assertion_time: '2020-01-01T00:00:00Z', epistemic_status: 'theory' }),
        claim('c2', 'b', 'blue', {
          assertion_time: '2025-12-01T00:00:00Z',
          corroboration_events: [{ time: '2025-12-30T00:00:00Z', actor_id: 'c' }],
        }),
        claim('c3', 'troll', 'green', { assertion_time: '2025-12-01T00:00:00Z' }),
        claim('c4', 'c', 'red', { supersedes_claim_id: 'c1', assertion_time: '2025-12-02T00:00:00Z' }),
      ],
      {
        actors: [
          ...['a', 'b', 'c'].map((id) => ({ id, name: id, source_type: 'Expert' })),
          { id: 'troll', name: 'T', source_type: 'Troll' },
        ],
        distinctions: [
          {
            id: 'd',
            argument_a: 'c2',
            argument_b: 'c4',
            feature: 'light',
            condition_a: 'by day',
            condition_b: 'by night',
          },
        ],
      },
    ),
  ),
];

/** Every object of the results, by its name in the contract. */
const OBJECTS: Readonly<Record<string, readonly object[]>> = {
  InvestigationResult: RESULTS,
  SubjectResult: RESULTS.flatMap((result) => result.subject_results),
  OpinionSummary: RESULTS.flatMap((result) => [
    ...result.subject_results.map(({ confidence }) => confidence),
    ...(result.accumulative_analysis?.conditional_conclusions ?? []).map(({ opinion }) => opinion),
  ]),
  RankedClaim: RESULTS.flatMap((result) => result.ranked_claims),
  ClaimAnalysisSummary: RESULTS.flatMap((result) => result.claim_analyses),
  SubjectArgumentation: RESULTS.flatMap((result) => result.conflict_analysis),
  InterpretationTree: RESULTS.flatMap((result) => result.conflict_analysis).flatMap(
    ({ interpretations }) => interpretations,
  ),
  InterpretationClaim: RESULTS.flatMap((result) => result.conflict_analysis)
    .flatMap(({ interpretations }) => interpretations)
    .flatMap(({ accepted_claims }) => accepted_claims),
  SensitivityAnalysis: RESULTS.map((result) => result.sensitivity_analysis),
  EvidenceGap: RESULTS.flatMap((result) => result.sensitivity_analysis.evidence_gaps),
  TemporalAnalysis: RESULTS.flatMap((result) => result.temporal_analysis ?? []),
  AccumulativeAnalysis: RESULTS.flatMap((result) => result.accumulative_analysis ?? []),
  ConditionalConclusion: RESULTS.flatMap(
    (result) => result.accumulative_analysis?.conditional_conclusions ?? [],
  ),
};

const split = (id: string) => id.split('.').slice(1) as [object: string, field: string];

describe('fields of the result', () => {
  it.each(ROWS.map(([id, holds, presence]) => ({ field: split(id).join('.'), holds, presence })))(
    'the field $field has the shape of the contract wherever the result has its object',
    ({ field: path, holds, presence }) => {
      const [name, field] = path.split('.') as [string, string];
      const objects = OBJECTS[name] as readonly Record<string, unknown>[];
      const present = objects.filter((each) => each[field] !== undefined);
      expect(present.length).toBeGreaterThan(0);
      if (presence !== 'optional') expect(present).toHaveLength(objects.length);
      expect(present.map((each) => each[field]).filter((value) => !holds(value))).toEqual([]);
    },
  );

  it('the result has the fields of the contract and the reasoning model, and no others', () => {
    const listed = new Set([...ROWS.map(([id]) => split(id).join('.')), ...ADDITIONS]);
    const seen = Object.entries(OBJECTS).flatMap(([name, objects]) =>
      objects.flatMap((each) => Object.keys(each).map((field) => `${name}.${field}`)),
    );
    expect([...new Set(seen)].filter((field) => !listed.has(field))).toEqual([]);
  });
});
