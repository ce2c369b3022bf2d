import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';

/**
 * Every refusal of the operations on sessions, to the byte, with a worker that does what the research
 * question says.
 */
const worker = bundleWorker(new URL('../engine/scripted-worker.fixture.ts', import.meta.url));
const BODY_BYTES_MAX = 4096;
let service: TestService;
let owner: string;
beforeAll(async () => {
  service = await startTestService(worker.file, {
    INVESTIGATION_BODY_BYTES_MAX: String(BODY_BYTES_MAX),
    INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: '8192',
    INVESTIGATION_WORKERS: '1',
    INVESTIGATION_WORKER_MEMORY_MIB: '64',
  });
  owner = await service.sign({ tenant_id: 'tenant', sub: 'owner' }, 'at+jwt');
});
afterAll(async () => {
  await service.close();
  worker.remove();
});

interface Answer {
  readonly status: number;
  readonly error: string;
  readonly headers: Headers;
}
async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  url = service.url,
): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${owner}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = (text === '' ? {} : JSON.parse(text)) as { error: string };
  if (response.status >= 400) expect(Object.keys(answer)).toEqual(['error']);
  return { status: response.status, error: answer.error, headers: response.headers };
}
const outcome = ({ status, error }: Answer) => [status, error];

/** A session whose judgement does what `script` says. */
async function sessionThat(script: string): Promise<string> {
  const payload = { research_question: script, actors: [], subjects: [], claims: [] };
  const session_id = `session-${script}`;
  await send('POST', '/sessions', { name: script, session_id, payload });
  return `/sessions/${encodeURIComponent(session_id)}`;
}

describe('refusals of the operations on sessions', () => {
  covers('INV-E.1');
  it('401 without a credential', async () => {
    expect(outcome(await send('GET', '/sessions', undefined, { authorization: 'Bearer x' }))).toEqual([
      401,
      'send a valid `Authorization: Bearer <token>` or `X-API-Key: <key>`',
    ]);
  });

  it('403 without a tenant', async () => {
    const headers = { authorization: `Bearer ${await service.sign({}, 'at+jwt')}` };
    for (const [method, path, body] of [
      ['GET', '/sessions'],
      ['GET', '/shares'],
      ['POST', '/sessions', { name: 'n' }],
      ['GET', '/sessions/x'],
    ] as const) {
      expect(outcome(await send(method, path, body, headers))).toEqual([
        403,
        'sessions belong to a tenant: send a credential that carries one',
      ]);
    }
  });

  it('404 for what is not there, whatever the id', async () => {
    const session = await sessionThat('a');
    for (const id of ['nobody', '%00', 'a%2Fb', '%F0%9F%98%80', 'x'.repeat(3000)])
      expect(outcome(await send('GET', `/sessions/${id}`))).toEqual([404, 'no such session']);
    expect(outcome(await send('GET', `${session}/claims/none`))).toEqual([
      404,
      'no such claim in the session',
    ]);
    expect(outcome(await send('DELETE', `${session}/evidence/none`))).toEqual([
      404,
      'no such evidence in the session',
    ]);
    expect(outcome(await send('GET', `${session}/judgements/latest`))).toEqual([
      404,
      'the session has not been judged yet',
    ]);
    expect(outcome(await send('GET', `${session}/judgements/none`))).toEqual([
      404,
      'no such judgement of the session',
    ]);
    expect(outcome(await send('GET', `${session}/wishes`))).toEqual([
      404,
      `no \`GET ${session}/wishes\` here`.replace('/sessions', '/api/v1/sessions'),
    ]);
    expect(outcome(await send('GET', '/sessions/%ff'))).toEqual([404, 'no such URL']);
  });

  it.each([
    ['an ASCII id', 'a'.repeat(513)],
    ['a Cyrillic id', 'ж'.repeat(257)],
  ])('422 for %s of more than 512 bytes, whether of a session or of an item', async (_what, id) => {
    covers('INV-S.30');
    const tooLong = 'must have at most 512 bytes of UTF-8, so that a URL can carry it';
    const actor = { id, name: 'n', source_type: 'Expert' };
    const payload = { research_question: '', actors: [actor], subjects: [], claims: [] };
    expect(outcome(await send('POST', '/sessions', { name: 'n', session_id: id }))).toEqual([
      422,
      `session_id: ${tooLong}`,
    ]);
    expect(outcome(await send('POST', '/sessions', { name: 'n', payload }))).toEqual([
      422,
      `payload.actors[0].id: ${tooLong}`,
    ]);
    const session = await sessionThat(`long ${id.slice(0, 1)}`);
    expect(outcome(await send('PATCH', session, { actors: [actor] }))).toEqual([
      422,
      `actors[0].id: ${tooLong}`,
    ]);
    const path = `${session}/actors/${encodeURIComponent(id)}`;
    expect(outcome(await send('PUT', path, { ...actor, id: undefined }))).toEqual([422, `id: ${tooLong}`]);
  });

  it('an id of 512 bytes is accepted, and its URLs work', async () => {
    covers('INV-S.30');
    const id = 'ж'.repeat(256);
    expect((await send('POST', '/sessions', { name: 'n', session_id: id })).status).toBe(201);
    expect((await send('GET', `/sessions/${encodeURIComponent(id)}`)).status).toBe(200);
    expect((await send('DELETE', `/sessions/${encodeURIComponent(id)}`)).status).toBe(204);
  });

  it('422 for a name of white space alone', async () => {
    covers('INV-S.25');
    expect(outcome(await send('POST', '/sessions', { name: ' \t ' }))).toEqual([
      422,
      'name: must not be empty or white space alone',
    ]);
  });

  it('409 for an id that is taken and for what needs a judgement', async () => {
    covers('INV-S.4', 'INV-S.14', 'INV-S.17');
    const session = await sessionThat('b');
    expect(outcome(await send('POST', '/sessions', { name: 'n', session_id: 'session-b' }))).toEqual([
      409,
      'a session with this session_id exists already',
    ]);
    const unjudged = [409, 'the session has not been judged yet'];
    expect(outcome(await send('GET', `${session}/interpretation`))).toEqual(unjudged);
    expect(outcome(await send('PUT', `${session}/interpretation`, {}))).toEqual(unjudged);
    expect(outcome(await send('GET', `${session}/share`))).toEqual(unjudged);
    expect(outcome(await send('PUT', `${session}/share`, { public: true }))).toEqual(unjudged);
    expect(outcome(await send('PUT', `${session}/share`, { public: false }))).toEqual(unjudged);
    expect(outcome(await send('GET', `${session}/explain?subject_id=a&predicate=b`))).toEqual(unjudged);
  });

  it('413 for a body too large, and for a session that would become so', async () => {
    const session = await sessionThat('c');
    const large = { research_question: 'x'.repeat(BODY_BYTES_MAX) };
    expect(outcome(await send('PATCH', session, large))).toEqual([413, 'the body is larger than 4096 bytes']);
    const half = (id: string) => ({ id, name: 'x'.repeat(BODY_BYTES_MAX / 2), subject_type: 'thing' });
    expect((await send('PUT', `${session}/subjects/1`, half('1'))).status).toBe(200);
    const grown = [413, "the session's investigation would be larger than 4096 bytes"];
    expect(outcome(await send('PUT', `${session}/subjects/2`, half('2')))).toEqual(grown);
    expect(outcome(await send('PATCH', session, { subjects: [half('2')] }))).toEqual(grown);
    expect((await send('GET', `${session}/subjects/2`)).status).toBe(404);
  });

  it('413 when the judgement needs more memory than a worker has', async () => {
    const session = await sessionThat('exhaust memory');
    expect(outcome(await send('POST', `${session}/judge`))).toEqual([
      413,
      'claims: the investigation needs more memory than one analysis may use; send fewer claims at a time',
    ]);
  });

  it('415 for anything but JSON in UTF-8', async () => {
    const session = await sessionThat('d');
    for (const [method, path] of [
      ['POST', '/sessions'],
      ['PATCH', session],
      ['PUT', `${session}/claims/c`],
      ['POST', `${session}/judge`],
      ['PUT', `${session}/interpretation`],
      ['PUT', `${session}/share`],
    ] as const) {
      expect(outcome(await send(method, path, '{}', { 'content-type': 'text/plain' }))).toEqual([
        415,
        'send Content-Type: application/json (UTF-8)',
      ]);
    }
  });

  it('422 naming every problem, or why the body cannot be read', async () => {
    covers('INV-E.422');
    const session = await sessionThat('e');
    expect(outcome(await send('POST', '/sessions', { name: '', payload: {} }))).toEqual([
      422,
      'name: must not be empty or white space alone',
    ]);
    expect(outcome(await send('PATCH', session, { claims: [{ id: 'c' }], domain: 'Cooking' }))).toEqual([
      422,
      expect.stringMatching(
        /^claims\[0\]\.actor_id: is required: give a string\nclaims\[0\]\.predicate: .*\nclaims\[0\]\.value: .*\nclaims\[0\]\.content: .*\ndomain: `Cooking` is not known; .*$/,
      ),
    ]);
    expect(outcome(await send('POST', `${session}/judge`, { summary_mode: 1, x: 2 }))).toEqual([
      422,
      'summary_mode: must be a boolean\nx: is not a property known here',
    ]);
    expect(outcome(await send('PUT', `${session}/claims/c`, '{"id":"c","id":"d"}'))).toEqual([
      422,
      'id: key `id` stands twice in one object',
    ]);
    const unparsable = await send('PATCH', session, '{"claims": [');
    expect(outcome(unparsable)).toEqual([422, expect.stringMatching(/^not valid JSON: /)]);
    expect(outcome(await send('GET', '/sessions?limit=201&offset=-1&sort=size&updated_after=today'))).toEqual(
      [
        422,
        'limit: must be at most 200\noffset: must be at least 0\nsort: must be one of updated_at, created_at, name\n' +
          'updated_after: must be an ISO 8601 date or date-time such as 2026-05-01 or 2026-05-01T12:00:00Z',
      ],
    );
    for (const plain of ['2026', '2026-05', '2026-05-01', '2026-05-01T12:00:00Z'])
      expect((await send('GET', `/sessions?updated_after=${plain}&updated_before=${plain}`)).status).toBe(
        200,
      );
    expect((await send('GET', '/sessions?updated_after=2026-13')).status).toBe(422);
    expect(outcome(await send('GET', `${session}/explain`))).toEqual([
      422,
      'subject_id: is required: give a string\npredicate: is required: give a string',
    ]);
    const invalid = await sessionThat('problem');
    expect(outcome(await send('POST', `${invalid}/judge`))).toEqual([422, 'claims[0].id: must not be empty']);
  });

  it('500 shows nothing of the inside and names the request id', async () => {
    covers('INV-E.500');
    const session = await sessionThat('throw');
    const response = await send('POST', `${session}/judge`, undefined, { 'x-request-id': 'request-500' });
    expect(outcome(response)).toEqual([500, 'internal error, request id request-500']);
  });

  it('503 with Retry-After when too many judgements wait, 504 when one takes too long; neither is kept', async () => {
    covers('INV-E.503', 'INV-E.504');
    const session = await sessionThat('hang');
    const hurried = await startTestService(
      worker.file,
      { INVESTIGATION_ANALYSIS_TIMEOUT_MS: '1000', INVESTIGATION_WORKERS: '1', INVESTIGATION_QUEUE_MAX: '0' },
      {
        sessions: service.deps.sessions,
        outcomes: service.deps.outcomes,
        watch: service.deps.watch,
        jobs: service.deps.jobs,
      },
    );
    const token = await hurried.sign({ tenant_id: 'tenant', sub: 'owner' }, 'at+jwt');
    const judge = () =>
      send('POST', `${session}/judge`, undefined, { authorization: `Bearer ${token}` }, hurried.url);
    const responses = await Promise.all([judge(), judge()]);
    await hurried.close();
    const [refused, late] = responses.sort((a, b) => a.status - b.status);
    expect(outcome(refused)).toEqual([503, 'too many investigations are waiting, try again later']);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(outcome(late)).toEqual([504, 'the investigation took longer than 1000 ms']);
    expect((await send('GET', `${session}/judgements/latest`)).status).toBe(404);
  });
});

describe('the list of sessions', () => {
  it('the list of sessions has 50 entries unless told otherwise, 1 to 200', async () => {
    covers('INV-S.24');
    const token = await service.sign({ tenant_id: 'tenant', sub: 'collector' }, 'at+jwt');
    const headers = { authorization: `Bearer ${token}` };
    for (let n = 0; n < 51; n += 1) await send('POST', '/sessions', { name: `n${n}` }, headers);
    const list = async (query: string) => {
      const response = await fetch(`${service.url}/api/v1/sessions${query}`, { headers });
      return [response.status, ((await response.json()) as unknown[]).length];
    };
    expect(await list('')).toEqual([200, 50]);
    expect(await list('?limit=200')).toEqual([200, 51]);
    expect(await list('?limit=1')).toEqual([200, 1]);
    expect(await list('?offset=50')).toEqual([200, 1]);
    expect(await list(`?offset=${Number.MAX_SAFE_INTEGER}`)).toEqual([200, 0]);
    expect(outcome(await send('GET', '/sessions?offset=9007199254740992'))).toEqual([
      422,
      'offset: must be at most 9007199254740991',
    ]);
    expect(outcome(await send('GET', '/sessions?limit=0'))).toEqual([422, 'limit: must be at least 1']);
    expect(outcome(await send('GET', '/sessions?limit=201'))).toEqual([422, 'limit: must be at most 200']);
  });
});
