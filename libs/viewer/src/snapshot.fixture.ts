import {
  analyze,
  auditClaims,
  explainAll,
  type InvestigationInput,
  type InvestigationResult,
  withoutDistinctions,
} from '@platform/opinion-fusion';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ShareSnapshot } from './snapshot.ts';

/** The instant at which the fixtures judge. */
const JUDGED_AT = new Date('2026-03-14T09:12:45.000Z');
const PREVIOUS_AT = new Date('2025-11-02T16:40:00.000Z');
const TAKEN_AT = '2026-03-14T09:20:00.000Z';

/** Paths of a site's files. */
export const ASSETS = { styles: '/styles.css', early: '/early.js', main: '/main.js', embed: '/embed.css' };

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** An investigation of the examples folder: `first-flight`, `chernobyl-deaths` or `lk-99`. */
export function exampleInput(name: string): InvestigationInput {
  const file = new URL(`../../../examples/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as InvestigationInput;
}

/** What the engine makes of the input, all of it. */
function judge(input: InvestigationInput) {
  const result = analyze(input, { now: JUDGED_AT });
  return {
    result,
    previous: analyze(input, { now: PREVIOUS_AT }) as InvestigationResult,
    input_sha256: digest(input),
    result_sha256: digest(result),
    explanations: explainAll(input, { now: JUDGED_AT }),
    claim_audits: auditClaims(input, { now: JUDGED_AT }),
    without_distinctions: withoutDistinctions(input, { now: JUDGED_AT }),
  };
}

/** What was judged before in this suite, by its JSON: many tests look at the same example. */
const judged = new Map<string, ReturnType<typeof judge>>();

/** A share's snapshot of the input, judged by the real engine, with an earlier judgement before it. */
export function snapshotOf(input: InvestigationInput, more: Partial<ShareSnapshot> = {}): ShareSnapshot {
  const key = JSON.stringify(input);
  const { previous, ...outcome } = judged.get(key) ?? judge(input);
  judged.set(key, { previous, ...outcome });
  const { result } = outcome;
  return {
    share: {
      share_uuid: '0b6f7d1e-8a54-4c0f-9a3e-5d2c1f7b9e10',
      slug: 'investigation',
      preferred_pane: 'overview',
      url: 'https://investigations.example/share/0b6f7d1e-8a54-4c0f-9a3e-5d2c1f7b9e10/investigation',
      snapshot_taken_at: TAKEN_AT,
      updated_at: TAKEN_AT,
    },
    session_name: 'Desk research',
    interpretation:
      'The sources closest to the events agree on the outline; what remains open is mostly a matter of definition.\n\nA reader should look at the distinctions first.',
    interpretation_updated_at: '2026-03-14T09:18:00.000Z',
    judgement: {
      id: '6f1c2d3e-1111-4222-8333-444455556666',
      judged_at: JUDGED_AT.toISOString(),
      duration_ms: 42,
      engine_version: result.engine_version,
    },
    judgements: [
      {
        id: '6f1c2d3e-1111-4222-8333-444455556666',
        session_id: 'desk',
        judged_at: JUDGED_AT.toISOString(),
        duration_ms: 42,
      },
      {
        id: '5e0b1c2d-1111-4222-8333-444455556666',
        session_id: 'desk',
        judged_at: PREVIOUS_AT.toISOString(),
        duration_ms: 40,
      },
    ],
    previous: {
      id: '5e0b1c2d-1111-4222-8333-444455556666',
      judged_at: PREVIOUS_AT.toISOString(),
      result: previous,
    },
    input,
    ...outcome,
    ...more,
  };
}

const DAY_MS = 86_400_000;
const SOURCE_TYPES = ['Regulator', 'Expert', 'Analyst', 'Journalist', 'Insider', 'Institutional'];
const VALUES = ['alpha', 'beta', 'gamma'];

/** A large investigation, dealt over subjects and actors by a fixed sequence. */
export function largeInput(claims = 1000, subjects = 40, actors = 60): InvestigationInput {
  let state = 12_345;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    research_question: 'Which of three values is right, forty times over?',
    actors: Array.from({ length: actors }, (_, i) => ({
      id: `actor-${i}`,
      name: `Actor ${i}`,
      source_type: SOURCE_TYPES[i % SOURCE_TYPES.length]!,
    })),
    subjects: Array.from({ length: subjects }, (_, i) => ({
      id: `subject-${i}`,
      name: `Subject ${i}`,
      subject_type: 'thing',
    })),
    claims: Array.from({ length: claims }, (_, i) => {
      const asserted = Date.UTC(2025, 0, 1) + next(400) * DAY_MS;
      return {
        id: `claim-${i}`,
        actor_id: `actor-${next(actors)}`,
        subject_id: `subject-${i % subjects}`,
        predicate: 'has_value',
        value: VALUES[next(VALUES.length)]!,
        content: `Claim ${i} in the words of its source.`,
        assertion_time: new Date(asserted).toISOString(),
        event_start_time: new Date(asserted - next(90) * DAY_MS - DAY_MS).toISOString(),
      };
    }),
  };
}
