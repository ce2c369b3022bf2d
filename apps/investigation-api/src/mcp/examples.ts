import type { EntityKind } from '@platform/opinion-fusion';

/** A small investigation that shows the shape: a claim, a contradiction, and a claim about a claim. */
export const EXAMPLE_INVESTIGATION = {
  research_question: 'Did the harbour bridge close on 3 May 2024?',
  domain: 'News',
  actors: [
    { id: 'authority', name: 'Harbour authority', source_type: 'Regulator' },
    { id: 'paper', name: 'The Morning Paper', source_type: 'Journalist', base_reliability: 0.7 },
    { id: 'forum', name: 'Drivers forum', source_type: 'SocialMedia' },
  ],
  subjects: [{ id: 'bridge', name: 'Harbour bridge', subject_type: 'place' }],
  claims: [
    {
      id: 'c1',
      actor_id: 'authority',
      subject_id: 'bridge',
      predicate: 'closed',
      value: 'true',
      content: 'Notice 12/2024: closed all day for repairs.',
    },
    {
      id: 'c2',
      actor_id: 'forum',
      subject_id: 'bridge',
      predicate: 'closed',
      value: 'false',
      content: 'I drove across at noon.',
    },
    {
      id: 'c3',
      actor_id: 'paper',
      target_claim_id: 'c2',
      predicate: 'is_from_that_day',
      value: 'true',
      content: 'The photo in the post shows snow, so it is not from that day.',
      valence: 'Refutes',
    },
  ],
  evidence: [{ id: 'e1', claim_id: 'c1', content: 'Photo of the barrier.', valence: 'Supports', weight: 1 }],
};

/** The session that examples speak of; the example of create_investigation_session makes it. */
export const EXAMPLE_SESSION = { session_id: 'harbour-bridge' };
export const EXAMPLE_JUDGEMENT_ID = '0b8f3c5e-4a57-4c7e-9a3d-2f6d8e1c7b90';

/** One item for each list, fit for the session. */
export const EXAMPLE_ITEMS: Readonly<
  Record<EntityKind, { readonly id: string; readonly [field: string]: unknown }>
> = {
  actors: { id: 'ferry', name: 'Ferry company', source_type: 'Institutional' },
  subjects: { id: 'ferry-line', name: 'Ferry line', subject_type: 'service' },
  claims: {
    id: 'c4',
    actor_id: 'paper',
    subject_id: 'bridge',
    predicate: 'closed',
    value: 'true',
    content: 'Traffic queued at the ferry all day.',
  },
  evidence: {
    id: 'e2',
    claim_id: 'c1',
    content: 'Queue in the picture of the harbour camera.',
    valence: 'Supports',
  },
  inferences: {
    id: 'i1',
    subject_id: 'bridge',
    predicate: 'passable',
    premise_claim_ids: ['c1'],
    rule_type: 'default',
    rule_param: 'true',
    description: 'A closed bridge sends its traffic to the ferry.',
  },
  distinctions: {
    id: 'd1',
    argument_a: 'c1',
    argument_b: 'c2',
    feature: 'lane',
    condition_a: 'for cars',
    condition_b: 'for bicycles',
  },
};
