import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createModel } from './model.ts';
import { exampleInput, snapshotOf } from './snapshot.fixture.ts';

describe('the model of a judged investigation', () => {
  it('the model puts the question of the investigation first: verdicts in the order in which the input names them', () => {
    const model = createModel(snapshotOf(exampleInput('lk-99')));
    expect(model.verdicts[0]!.predicate).toBe('superconductor_at_room_temperature');
    expect(model.verdicts.at(-1)!.subjectId).toBe(model.judged.input.subjects.at(-1)!.id);
  });

  it('the model joins each claim with its source, numbers, evidence and audit, in rank order', () => {
    const model = createModel(snapshotOf(exampleInput('first-flight')));
    expect(model.claims.map(({ ranked }) => ranked!.rank)).toEqual(
      model.claims.map((_claim, index) => index + 1),
    );
    for (const claim of model.claims) {
      expect(claim.actor.id).toBe(claim.input.actor_id);
      expect(claim.analysis!.claim_id).toBe(claim.id);
      expect(claim.audit!.claim_id).toBe(claim.id);
    }
    const evidence = model.claims.flatMap((claim) => claim.evidence);
    expect(evidence).toHaveLength(model.judged.input.evidence!.length);
  });

  it('the model counts a meta-claim, and one about that, among the claims of the verdict they finally reach', () => {
    const input = exampleInput('lk-99');
    const target = input.claims.find((claim) => claim.subject_id)!;
    const meta = { actor_id: target.actor_id, predicate: 'm', value: 'v', content: 'c', valence: 'Refutes' };
    input.claims.push(
      { ...meta, id: 'm1', target_claim_id: target.id },
      { ...meta, id: 'm2', target_claim_id: 'm1' },
    );
    const model = createModel(snapshotOf(input));
    const verdict = model.verdicts.find(
      ({ subjectId, predicate }) => subjectId === target.subject_id && predicate === target.predicate,
    )!;
    expect(verdict.claims.map(({ id }) => id)).toEqual(expect.arrayContaining([target.id, 'm1', 'm2']));
    expect(model.claimById.get(target.id)!.metaClaimIds).toContain('m1');
  });

  it('the model keeps a claim that the engine dropped as a repetition, without numbers', () => {
    const input = exampleInput('lk-99');
    input.claims.push({ ...input.claims[0]!, id: 'zz-again', relationships: [], corroboration_events: [] });
    const claim = createModel(snapshotOf(input)).claimById.get('zz-again')!;
    expect(claim.analysis).toBeNull();
    expect(claim.ranked).toBeNull();
  });

  it('the model knows stale claims also without a temporal analysis', () => {
    covers('INV-R13.11');
    const claim = { actor_id: 'a', subject_id: 's', value: 'yes', content: 'c' };
    const input = {
      research_question: 'q',
      actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
      subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
      claims: [
        { ...claim, id: 'old', predicate: 'p', assertion_time: '2001-01-01T00:00:00Z' },
        { ...claim, id: 'fresh', predicate: 'q', assertion_time: '2026-03-01T00:00:00Z' },
        { ...claim, id: 'undated', predicate: 'r' },
      ],
      domain: 'News',
    };
    const model = createModel(snapshotOf(input));
    expect(model.judged.result).not.toHaveProperty('temporal_analysis');
    expect(model.claims.filter(({ isStale }) => isStale).map(({ id }) => id)).toEqual(['old']);
    for (const { audit, isStale } of model.claims) expect(isStale).toBe(audit!.decay.is_stale);
  });
});
