import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';
import { connectClient } from './connected-client.fixture.ts';
import { EXAMPLE_INVESTIGATION } from './examples.ts';
import { errorText } from './tool-error.ts';

const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const SESSION = { session_id: 'harbour-bridge' };
let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService(worker.file);
  client = await connectClient(service.deps);
  await call('create_investigation_session', { ...SESSION, name: 'Bridge', payload: EXAMPLE_INVESTIGATION });
  await call('judge_investigation_session', SESSION);
});
afterAll(async () => {
  await client?.close();
  await service?.close();
  worker.remove();
});

async function call(name: string, args: object): Promise<string> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const [first] = result.content as { text?: string }[];
  return `${result.isError ? 'error: ' : ''}${first?.text ?? ''}`;
}

describe('a call of a tool that cannot be carried out names the next step', () => {
  it('share_investigation_session without public changes nothing and names the tool that reads the link', async () => {
    covers('INV-T.32');
    expect(await call('share_investigation_session', { ...SESSION, public: true })).toContain(
      'open to anyone',
    );
    const again = await call('share_investigation_session', SESSION);
    expect(again).toMatch(/^error: .*public: is required: give true to publish/);
    expect(again).toContain('get_investigation_session_share');
    expect(await call('get_investigation_session_share', SESSION)).toContain('open to anyone');
    expect(await call('share_investigation_session', { ...SESSION, public: false })).toContain('hidden');
  });

  it('get_docs refuses an argument that it does not have and names those it takes', async () => {
    covers('INV-T.31');
    expect(await call('get_docs', { topic: 'shares' })).toContain(
      '`topic` is not an argument of this tool, which takes tool, part',
    );
  });

  it('a mistyped session id is told with the nearest of the sessions that the caller owns', async () => {
    covers('INV-T.31');
    expect(await call('get_investigation_session', { session_id: 'harbor-brigde' })).toContain(
      'the nearest of yours is harbour-bridge',
    );
    expect(await call('get_investigation_session', { session_id: 'vaccines' })).not.toContain('nearest');
  });

  it('an investigation that was sent next to the payload of a new session is sent on to that session', async () => {
    covers('INV-T.48');
    const session = { session_id: 'empty-bridge' };
    const next = 'update_investigation_session';
    expect(await call('create_investigation_session', { ...session, ...EXAMPLE_INVESTIGATION })).toContain(
      `ignored: add them to the session, which is created, with ${next}`,
    );
    const again = { ...session, payload: EXAMPLE_INVESTIGATION };
    expect(await call('create_investigation_session', again)).toMatch(
      new RegExp(`^error: conflict .*${next} changes`, 's'),
    );
    const { actors, subjects, claims, evidence } = EXAMPLE_INVESTIGATION;
    await call(next, { ...session, actors, subjects, claims, evidence });
    expect(await call('judge_investigation_session', session)).not.toContain('error');
  });

  it('a call of a tool that there is not is told the tool whose name has its words, or nearly', async () => {
    covers('INV-T.49');
    for (const [called, meant] of [
      ['judge_session', 'judge_investigation_session'],
      ['create_session', 'create_investigation_session'],
      ['list_sessions', 'list_investigation_sessions'],
      ['explain_verdicts', 'explain_verdict'],
    ])
      await expect(call(called!, SESSION)).rejects.toThrow(`there is no tool ${called}: call ${meant}`);
    await expect(call('bake_bread', SESSION)).rejects.toThrow('Tool bake_bread not found');
  });

  it('the sides of a distinction and the sources of a session are named in the words that are known here', async () => {
    covers('INV-T.42');
    const distinctions = [{ id: 'd', claim_a: 'c1', claim_b: 'c2', feature: 'what counts' }];
    const payload = { ...EXAMPLE_INVESTIGATION, distinctions };
    expect(await call('create_investigation_session', { payload })).toMatch(
      /argument_a: is required: name `claim_a` `argument_a`\n.*name `claim_b` `argument_b`/,
    );
    expect(await call('update_investigation_session', { ...SESSION, sources: [] })).toContain(
      'Unknown field `sources` was ignored: name it `actors`',
    );
  });

  it('a setting that is sent with the call to judge is sent to the session, after which judging works', async () => {
    covers('INV-T.33');
    const setting = { ...SESSION, as_of: '2024-05-03' };
    for (const sent of [setting, { ...SESSION, payload: { as_of: '2024-05-03' } }])
      expect(await call('judge_investigation_session', sent)).toMatch(
        /call update_investigation_session with .* first/,
      );
    expect(await call('update_investigation_session', setting)).toContain('is updated');
    expect(await call('judge_investigation_session', SESSION)).toContain('Harbour bridge: closed');
  });

  it('an error that says what to do gets no remedy of its kind behind it', () => {
    covers('INV-T.34');
    const held = new DomainError(
      'unavailable',
      'folder is open in process 7; set INVESTIGATION_DATA_DIR to another folder',
    );
    expect(errorText(held, 'r')).not.toContain('Remedy');
    const file = new DomainError(
      'payload_too_large',
      'the file is too long: send it to POST /api/v1/imports',
    );
    expect(errorText(file, 'r')).not.toContain('Remedy');
    expect(errorText(new DomainError('unavailable', 'no response'), 'r')).toContain(
      'Remedy: call again later',
    );
  });

  it('an interpretation that is sent as text is told to be named interpretation', async () => {
    covers('INV-T.31');
    expect(await call('set_session_interpretation', { ...SESSION, text: 'Closed.' })).toContain(
      '`text` is not an argument of this tool: name it `interpretation`',
    );
  });

  it.each([
    [
      'share_investigation_session',
      { ...SESSION, title: 'The bridge' },
      '`title` is not an argument of this tool: call update_investigation_session with `research_question` first',
    ],
    [
      'update_investigation_session',
      { ...SESSION, remove_claims: ['c9'] },
      '`remove_claims` was ignored: name it `remove_claim_ids`',
    ],
    ['list_investigation_sessions', { query: 'bridge' }, '`query` was ignored: name it `name_filter`'],
    [
      'upsert_investigation_claim',
      {
        ...SESSION,
        claim: { id: 'x', actor: 'a', subject: 's', predicate: 'open', value: 'yes', text: 't' },
      },
      'claim.actor_id: is required: name `actor` `actor_id`',
    ],
    [
      'upsert_investigation_claim',
      { ...SESSION, claim: { id: 'x', actor_id: 'a', predicate: 'open', value: 14, content: 't' } },
      'claim.value: must be a string, not `14`: send it as text, in double quotes',
    ],
  ])('%s with a usual mistake is answered with the one next step, case %#', async (tool, args, said) => {
    covers('INV-T.42');
    expect(await call(tool, args)).toContain(said);
  });

  it('a field of an item that has another name is named in the warning of the change', async () => {
    covers('INV-T.42');
    const claim = { ...EXAMPLE_INVESTIGATION.claims[0]!, id: 'dated', date: '2024-05-01' };
    expect(await call('update_investigation_session', { ...SESSION, claims: [claim] })).toContain(
      'name it `assertion_time`',
    );
  });
});
