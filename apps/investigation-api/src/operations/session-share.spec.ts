import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnalysisPool } from '../engine/analysis-pool.ts';
import { createAnalysisPool } from '../engine/analysis-pool.ts';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';

/** A gate that the first freeze waits at, when it is done and before what it froze is stored. */
function gated(analysis: AnalysisPool) {
  let open = () => {};
  let reached = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const isWaiting = new Promise<void>((resolve) => (reached = resolve));
  let freezes = 0;
  const pool: AnalysisPool = {
    ...analysis,
    async freeze(...args) {
      freezes += 1;
      const isFirst = freezes === 1;
      const frozen = await analysis.freeze(...args);
      if (isFirst) {
        reached();
        await opened;
      }
      return frozen;
    },
  };
  return { pool, open: () => open(), isWaiting };
}

const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const pool = createAnalysisPool({ threads: 1, queueMax: 8, memoryMiBMax: 256, file: worker.file });
const gate = gated(pool);
let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService(worker.file, {}, { analysis: gate.pool });
  token = await service.sign({ tenant_id: 'tenant', sub: 'owner' }, 'at+jwt');
});
afterAll(async () => {
  await service.close();
  await pool.close();
  worker.remove();
});

async function send<T>(method: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${service.url}/api/v1/sessions${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as T;
}

async function judgementsOf(session: string): Promise<{ id: string; judged_at: string }[]> {
  const response = await fetch(`${service.url}/api/v1/sessions/${session}/judgements`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as { id: string; judged_at: string }[];
}

describe('a published snapshot', () => {
  it('does not go back to a judgement before the one that was published meanwhile (INV-S.19)', async () => {
    await send('POST', '', { name: 'race', session_id: 'race' });
    await send('POST', '/race/judge', {});
    const slow = send('PUT', '/race/share', { public: true });
    await gate.isWaiting;
    await send('POST', '/race/judge', {});
    const { url_path } = await send<{ url_path: string }>('PUT', '/race/share', { public: true });
    gate.open();
    await slow;
    const shown = await fetch(`${service.url}${url_path}.json`);
    const { judgement } = (await shown.json()) as { judgement: { id: string } };
    const [latest] = await judgementsOf('race');
    expect(judgement.id).toBe(latest!.id);
  });

  it('holds nothing of earlier judgements, removed items or the session id (INV-S.26)', async () => {
    const session_id = 'secret-session';
    await send('POST', '', { name: 'Public', session_id, payload: investigationSaying('secret') });
    await send('POST', `/${session_id}/judge`, {});
    await send('PUT', `/${session_id}/interpretation`, { interpretation: 'secret' });
    await send('PATCH', `/${session_id}`, {
      ...investigationSaying('public'),
      remove_actor_ids: ['secret-actor'],
      remove_subject_ids: ['secret-subject'],
      remove_claim_ids: ['secret-claim', 'secret-other'],
      remove_evidence_ids: ['secret-evidence'],
      remove_inference_ids: ['secret-inference'],
      remove_distinction_ids: ['secret-distinction'],
    });
    await send('POST', `/${session_id}/judge`, {});
    await send('PUT', `/${session_id}/interpretation`, { interpretation: 'public' });
    const { url_path } = await send<{ url_path: string }>('PUT', `/${session_id}/share`, { public: true });

    const text = await (await fetch(`${service.url}${url_path}.json`)).text();
    const [latest, earlier] = await judgementsOf(session_id);
    expect(text).toContain(latest!.id);
    expect(text).toContain('public-claim');
    for (const hidden of ['secret', 'owner', 'tenant', earlier!.id, earlier!.judged_at])
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);
  });
});

/** An investigation with `word` in every text that a caller may choose. */
function investigationSaying(word: string): object {
  const claim = {
    actor_id: `${word}-actor`,
    subject_id: `${word}-subject`,
    predicate: `${word}-predicate`,
    content: `${word} content`,
    scope: `${word} scope`,
  };
  return {
    research_question: `${word} question`,
    actors: [
      {
        id: `${word}-actor`,
        name: `${word} name`,
        source_type: 'Expert',
        competence: { [`${word}-predicate`]: 0.9 },
      },
    ],
    subjects: [{ id: `${word}-subject`, name: `${word} subject`, subject_type: `${word} type` }],
    claims: [
      { ...claim, id: `${word}-claim`, value: `${word} value` },
      { ...claim, id: `${word}-other`, value: `${word} other value` },
    ],
    evidence: [
      {
        id: `${word}-evidence`,
        claim_id: `${word}-claim`,
        content: `${word} evidence`,
        valence: 'Supports',
      },
    ],
    inferences: [
      {
        id: `${word}-inference`,
        subject_id: `${word}-subject`,
        predicate: `${word}-predicate`,
        premise_claim_ids: [`${word}-claim`],
        rule_type: 'custom',
        rule_param: `${word} rule`,
      },
    ],
    distinctions: [
      {
        id: `${word}-distinction`,
        argument_a: `${word}-claim`,
        argument_b: `${word}-other`,
        feature: `${word} feature`,
        condition_a: `${word} condition`,
        condition_b: `${word} other condition`,
      },
    ],
  };
}
