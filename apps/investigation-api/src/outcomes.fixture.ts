import { afterAll, beforeAll, expect } from '@jest/globals';
import type { z } from 'zod';
import { bundleWorker } from './engine/bundle-worker.fixture.ts';
import type { TestService } from './test-service.fixture.ts';
import { startTestService } from './test-service.fixture.ts';
import type { OutcomeResponse } from './wire/outcome-schema.ts';

/** Sessions whose outcomes are known, at a service whose clock tests set. */

export type Outcome = z.output<typeof OutcomeResponse>;

const worker = bundleWorker(new URL('./engine/analysis-worker.ts', import.meta.url));
/** Of the service. Milliseconds since 1970. */
export const clock = { now: 0 };
export let service: TestService;
beforeAll(async () => {
  service = await startTestService(worker.file, {}, { now: () => new Date(clock.now) });
});
afterAll(async () => {
  await service?.close();
  worker.remove();
});

/** Calls of one analyst, of a tenant of their own unless another one is of it, too. */
export async function analyst(tenant_id: string, sub = `${tenant_id}-analyst`) {
  // The token is of the time of the test, the service judges on its own clock.
  clock.now = Date.now();
  const token = await service.sign({ tenant_id, sub }, 'at+jwt');
  return async (method: string, path: string, body?: object | string) => {
    const response = await fetch(`${service.url}${path.startsWith('/mcp') ? '' : '/api/v1'}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(path.startsWith('/mcp') ? { accept: 'application/json, text/event-stream' } : {}),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      json: (text === '' ? null : JSON.parse(text.replace(/^event: .*\ndata: /, ''))) as unknown,
      link: response.headers.get('link'),
    };
  };
}
export type Call = Awaited<ReturnType<typeof analyst>>;

/** A judged session in which each named source says its value of each question. */
export async function judged(call: Call, id: string, said: Record<string, string[]>, more: object = {}) {
  const names = Object.keys(said);
  const questions = Object.values(said)[0]!.map((_, index) => `q${index}`);
  const payload = {
    research_question: 'What is it?',
    actors: names.map((name, index) => ({ id: `a${index}`, name, source_type: 'Journalist' })),
    subjects: [{ id: 's', name: 'S', subject_type: 't' }],
    claims: names.flatMap((name, source) =>
      questions.map((predicate, index) => ({
        id: `c${source}-${index}`,
        actor_id: `a${source}`,
        subject_id: 's',
        predicate,
        value: said[name]![index]!,
        content: '',
      })),
    ),
    ...more,
  };
  expect((await call('POST', '/sessions', { name: id, session_id: id, payload })).status).toBe(201);
  expect((await call('POST', `/sessions/${id}/judge`)).status).toBe(200);
  return `/sessions/${id}`;
}

/** Records an outcome, later than everything before. */
export async function record(
  call: Call,
  session: string,
  predicate: string,
  value: string,
  more: object = {},
) {
  clock.now += 1;
  return (await call('POST', `${session}/outcomes`, { subject_id: 's', predicate, value, ...more }))
    .json as Outcome;
}
