import { describe, expect, it } from '@jest/globals';
import { analyze, type InvestigationInput, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { packJson } from '../wire/packed-json.ts';
import { watchSession } from './watch-task.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

/** Each of two subjects has a claim with evidence, and all four quote a document of their own. */
const INPUT: InvestigationInput = {
  research_question: '?',
  actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
  subjects: ['bridge', 'tunnel'].map((id) => ({ id, name: id, subject_type: 'building' })),
  claims: ['bridge', 'tunnel'].map((id) => ({
    id: `${id}-claim`,
    actor_id: 'a',
    subject_id: id,
    predicate: 'open',
    value: 'true',
    content: '',
  })),
  evidence: ['bridge', 'tunnel'].map((id) => ({
    id: `${id}-evidence`,
    claim_id: `${id}-claim`,
    content: '',
    valence: 'Supports',
  })),
};

const QUOTES = {
  items: (['claim', 'evidence'] as const).flatMap((kind) =>
    ['bridge', 'tunnel'].map((subject) => ({
      kind: kind === 'claim' ? 'claims' : 'evidence',
      id: `${subject}-${kind}`,
      document: `${subject}-${kind}`,
      state: 'verified',
      version: 1,
    })),
  ),
};

const documentsOf = (subjectId: string | null) => {
  const result = analyze(INPUT, { now: NOW }) as InvestigationResult;
  const [outcome] = watchSession({
    kind: 'watch',
    judgement: {
      id: 'j',
      judgedAtMs: NOW.getTime(),
      revision: 0,
      result: packJson(JSON.stringify(result)),
      quotes: packJson(JSON.stringify(QUOTES)),
      inputSnapshot: packJson(JSON.stringify(INPUT)),
    },
    nowMs: NOW.getTime(),
    subscriptions: [
      {
        watched: { rules: ['document_changed'], chanceStep: 0.1, subjectId, predicate: null },
        state: null,
      },
    ],
  });
  return outcome!.documents!.map(({ document }) => document);
};

describe('documents that a subscription hears of', () => {
  it('a subscription on one subject hears of the documents under its claims and their evidence alone', () => {
    covers('INV-WATCH.27');
    expect(documentsOf('bridge')).toEqual(['bridge-claim', 'bridge-evidence']);
    expect(documentsOf(null)).toHaveLength(4);
  });
});
