import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import { OBJECTS } from './fields.ts';
import type { FieldKind } from './fields.ts';
import { InvalidInvestigation } from './invalid-investigation.ts';
import type { Problem } from './invalid-investigation.ts';
import { investigation, NOW } from '../fixtures/investigation.fixture.ts';
import type { InvestigationInput } from './types.ts';

type Row = readonly [id: string, kind: FieldKind, presence: 'required' | 'optional' | 'nullable'];

/** The contract's tables of input fields, row by row. */
const ROWS: readonly Row[] = [
  ['INV-F.InvestigationInput.research_question', 'text', 'required'],
  ['INV-F.InvestigationInput.actors', 'list', 'required'],
  ['INV-F.InvestigationInput.subjects', 'list', 'required'],
  ['INV-F.InvestigationInput.claims', 'list', 'required'],
  ['INV-F.InvestigationInput.evidence', 'list', 'nullable'],
  ['INV-F.InvestigationInput.inferences', 'list', 'optional'],
  ['INV-F.InvestigationInput.distinctions', 'list', 'optional'],
  ['INV-F.InvestigationInput.domain', 'word', 'nullable'],
  ['INV-F.InvestigationInput.decay_half_life_days', 'number', 'nullable'],
  ['INV-F.InvestigationInput.dependent_refresh_factor', 'number', 'nullable'],
  ['INV-F.InvestigationInput.summary_mode', 'flag', 'optional'],
  ['INV-F.ActorInput.id', 'id', 'required'],
  ['INV-F.ActorInput.name', 'text', 'required'],
  ['INV-F.ActorInput.source_type', 'word', 'required'],
  ['INV-F.ActorInput.base_reliability', 'number', 'nullable'],
  ['INV-F.ActorInput.competence', 'numbers', 'nullable'],
  ['INV-F.ActorInput.default_competence', 'number', 'nullable'],
  ['INV-F.SubjectInput.id', 'id', 'required'],
  ['INV-F.SubjectInput.name', 'text', 'required'],
  ['INV-F.SubjectInput.subject_type', 'id', 'required'],
  ['INV-F.ClaimInput.id', 'id', 'required'],
  ['INV-F.ClaimInput.actor_id', 'text', 'required'],
  ['INV-F.ClaimInput.predicate', 'text', 'required'],
  ['INV-F.ClaimInput.value', 'text', 'required'],
  ['INV-F.ClaimInput.content', 'text', 'required'],
  ['INV-F.ClaimInput.subject_id', 'text', 'nullable'],
  ['INV-F.ClaimInput.target_claim_id', 'text', 'nullable'],
  ['INV-F.ClaimInput.valence', 'word', 'nullable'],
  ['INV-F.ClaimInput.claim_type', 'word', 'nullable'],
  ['INV-F.ClaimInput.assertion_time', 'timestamp', 'nullable'],
  ['INV-F.ClaimInput.event_start_time', 'moment', 'nullable'],
  ['INV-F.ClaimInput.event_end_time', 'moment', 'nullable'],
  ['INV-F.ClaimInput.scope', 'text', 'nullable'],
  ['INV-F.ClaimInput.epistemic_status', 'word', 'nullable'],
  ['INV-F.ClaimInput.decay_half_life_days', 'number', 'nullable'],
  ['INV-F.ClaimInput.supersedes_claim_id', 'text', 'nullable'],
  ['INV-F.ClaimInput.relationships', 'list', 'nullable'],
  ['INV-F.ClaimInput.corroboration_events', 'list', 'optional'],
  ['INV-F.ClaimInput.url', 'url', 'nullable'],
  ['INV-F.ClaimInput.archived_url', 'url', 'nullable'],
  ['INV-F.ClaimInput.quote', 'text', 'nullable'],
  ['INV-F.ClaimInput.published_by', 'text', 'nullable'],
  ['INV-F.ClaimInput.source', 'object', 'nullable'],
  ['INV-F.ClaimRelationshipInput.relationship_type', 'word', 'required'],
  ['INV-F.ClaimRelationshipInput.target_claim_id', 'text', 'required'],
  ['INV-F.CorroborationEventInput.time', 'timestamp', 'required'],
  ['INV-F.CorroborationEventInput.actor_id', 'id', 'required'],
  ['INV-F.CorroborationEventInput.description', 'text', 'nullable'],
  ['INV-F.EvidenceInput.id', 'id', 'required'],
  ['INV-F.EvidenceInput.claim_id', 'text', 'required'],
  ['INV-F.EvidenceInput.content', 'text', 'required'],
  ['INV-F.EvidenceInput.valence', 'word', 'required'],
  ['INV-F.EvidenceInput.weight', 'number', 'nullable'],
  ['INV-F.EvidenceInput.url', 'url', 'nullable'],
  ['INV-F.EvidenceInput.archived_url', 'url', 'nullable'],
  ['INV-F.EvidenceInput.quote', 'text', 'nullable'],
  ['INV-F.EvidenceInput.published_by', 'text', 'nullable'],
  ['INV-F.EvidenceInput.source', 'object', 'nullable'],
  ['INV-F.PinnedSource.document', 'id', 'required'],
  ['INV-F.PinnedSource.version', 'count', 'nullable'],
  ['INV-F.PinnedSource.sha256', 'digest', 'nullable'],
  ['INV-F.PinnedSource.selector', 'object', 'nullable'],
  ['INV-F.ActorInput.reliability_record', 'object', 'nullable'],
  ['INV-F.ReliabilityRecord.right', 'count', 'required'],
  ['INV-F.ReliabilityRecord.statements', 'count', 'required'],
  ['INV-F.ReliabilityRecord.base_reliability', 'number', 'required'],
  ['INV-F.TextSelector.exact', 'text', 'required'],
  ['INV-F.TextSelector.start', 'count', 'nullable'],
  ['INV-F.TextSelector.end', 'count', 'nullable'],
  ['INV-F.TextSelector.prefix', 'text', 'nullable'],
  ['INV-F.TextSelector.suffix', 'text', 'nullable'],
  ['INV-F.InferenceInput.id', 'id', 'required'],
  ['INV-F.InferenceInput.subject_id', 'text', 'required'],
  ['INV-F.InferenceInput.predicate', 'text', 'required'],
  ['INV-F.InferenceInput.premise_claim_ids', 'texts', 'required'],
  ['INV-F.InferenceInput.rule_type', 'word', 'required'],
  ['INV-F.InferenceInput.rule_param', 'text', 'nullable'],
  ['INV-F.InferenceInput.rule_param2', 'text', 'nullable'],
  ['INV-F.InferenceInput.description', 'text', 'nullable'],
  ['INV-F.DistinctionInput.id', 'id', 'required'],
  ['INV-F.DistinctionInput.argument_a', 'text', 'required'],
  ['INV-F.DistinctionInput.argument_b', 'text', 'required'],
  ['INV-F.DistinctionInput.feature', 'text', 'required'],
  ['INV-F.DistinctionInput.condition_a', 'text', 'required'],
  ['INV-F.DistinctionInput.condition_b', 'text', 'required'],
  ['INV-F.DistinctionInput.description', 'text', 'nullable'],
];

/** A value of the wrong type for every kind of field. */
const WRONG: Record<FieldKind, unknown> = {
  text: 7,
  id: '',
  word: 'no such word',
  timestamp: '2024-13-01T00:00:00Z',
  moment: 'yesterday',
  url: 'javascript:alert(1)',
  number: 'much',
  count: 1.5,
  digest: 'A'.repeat(64),
  flag: 'true',
  numbers: [1],
  texts: [7],
  object: [],
  list: {},
};

/** One investigation that holds one of each object, and where. */
const PATHS: Record<string, string> = {
  InvestigationInput: '',
  ActorInput: 'actors[0]',
  ReliabilityRecord: 'actors[0].reliability_record',
  SubjectInput: 'subjects[0]',
  ClaimInput: 'claims[0]',
  ClaimRelationshipInput: 'claims[0].relationships[0]',
  CorroborationEventInput: 'claims[0].corroboration_events[0]',
  EvidenceInput: 'evidence[0]',
  PinnedSource: 'evidence[1].source',
  TextSelector: 'evidence[1].source.selector',
  InferenceInput: 'inferences[0]',
  DistinctionInput: 'distinctions[0]',
};

function complete(): InvestigationInput {
  const { claims, actors, ...rest } = investigation([]);
  const reliability_record = { right: 2, statements: 3, base_reliability: 0.6 };
  return {
    ...rest,
    actors: actors.map((actor) => ({ ...actor, reliability_record })),
    claims: [
      {
        id: 'c1',
        actor_id: 'a',
        subject_id: 's1',
        predicate: 'colour',
        value: 'red',
        content: '',
        relationships: [{ relationship_type: 'complements', target_claim_id: 'c2' }],
        corroboration_events: [{ time: '2024-05-01T00:00:00Z', actor_id: 'b' }],
      },
      { id: 'c2', actor_id: 'b', subject_id: 's1', predicate: 'colour', value: 'red', content: '' },
      ...claims,
    ],
    evidence: [
      { id: 'e1', claim_id: 'c1', content: '', valence: 'Supports' },
      {
        id: 'e2',
        claim_id: 'c1',
        content: '',
        valence: 'Supports',
        source: { document: 'file_1', selector: { exact: 'as it was' } },
      },
    ],
    inferences: [
      {
        id: 'i1',
        subject_id: 's1',
        predicate: 'size',
        premise_claim_ids: ['c1'],
        rule_type: 'default',
        rule_param: 'd',
      },
    ],
    distinctions: [
      { id: 'd1', argument_a: 'c1', argument_b: 'c2', feature: 'f', condition_a: 'x', condition_b: 'y' },
    ],
  };
}

function locate(input: unknown, path: string): Record<string, unknown> {
  return path
    .split(/[.[\]]+/)
    .reduce<unknown>((at, key) => (key === '' ? at : (at as Record<string, unknown>)[key]), input) as Record<
    string,
    unknown
  >;
}

function problemsOf(input: unknown): readonly Problem[] {
  try {
    analyze(input, { now: NOW });
  } catch (err) {
    if (err instanceof InvalidInvestigation) return err.problems;
    throw err;
  }
  return [];
}
const problemPaths = (input: unknown) => problemsOf(input).map(({ path }) => path);

describe('the fields of the input', () => {
  covers('RM-2.1', 'RM-2.2');
  it('the input has one row for every field of the contract and no others except the additions of the model', () => {
    const rows = ROWS.map(([id]) => id.replace(/^INV-.\./, '')).sort();
    const table = Object.entries(OBJECTS).flatMap(([name, fields]) =>
      Object.keys(fields).map((field) => `${name}.${field}`),
    );
    const added = [
      'InvestigationInput.as_of',
      'InvestigationInput.dependence',
      'InvestigationInput.reliability',
      'InvestigationInput.numeric',
      'ActorInput.depends_on',
    ];
    expect(table.filter((field) => !added.includes(field)).sort()).toEqual(rows);
  });

  it('the input accepts an investigation that uses every object', () => {
    expect(problemPaths(complete())).toEqual([]);
  });

  it.each([
    ['claims', 'quote', 10_000],
    ['claims', 'published_by', 500],
    ['evidence', 'quote', 10_000],
    ['evidence', 'published_by', 500],
  ] as const)(
    'the input takes %s with %s of up to %i characters, and names field and limit beyond',
    (list, field, limit) => {
      covers('INV-F.ClaimInput.quote', 'INV-F.EvidenceInput.published_by');
      const withLength = (length: number) => {
        const input = complete();
        Object.assign(input[list]![0]!, { [field]: 'x'.repeat(length) });
        return problemsOf(input);
      };
      expect(withLength(limit)).toEqual([]);
      expect(withLength(limit + 1)).toEqual([
        {
          path: `${list}[0].${field}`,
          message: `must have at most ${limit} characters, not ${limit + 1}: shorten it`,
        },
      ]);
    },
  );

  it.each(ROWS.map(([id, ...row]) => [id.replace(/^INV-.\./, ''), ...row] as const))(
    'the field %s is accepted in its range, and refused by its path outside it',
    (id, kind, presence) => {
      const [name, field] = id.split('.') as [string, string];
      const object = PATHS[name]!;
      const path = object === '' ? field : `${object}.${field}`;
      const withValue = (value: unknown) => {
        const input = complete();
        const owner = locate(input, object);
        if (value === undefined) delete owner[field];
        else owner[field] = value;
        return problemPaths(input);
      };
      expect(withValue(WRONG[kind])).toContain(kind === 'texts' ? `${path}[0]` : path);
      if (presence === 'required') expect(withValue(undefined)).toContain(path);
      // A claim without a subject is refused for another reason than its type.
      else if (field !== 'subject_id') expect(withValue(undefined)).not.toContain(path);
      if (presence === 'nullable') {
        if (field !== 'subject_id') expect(withValue(null)).not.toContain(path);
      } else expect(withValue(null)).toContain(path);
    },
  );
});
