import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { z } from 'zod';
import { suiteService } from '../suite-service.fixture.ts';
import type { JudgementComparison } from '../wire/session-schema.ts';

const DAY_MS = 24 * 3_600_000;
let now = 0;
const service = suiteService('analysis', {}, { now: () => new Date(now) });
let token: string;
/** The days of three judgements. */
let days: string[];

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${service.url}/api/v1/sessions${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as { error?: string };
  if (method !== 'GET')
    expect([path, response.status, json.error]).toEqual([path, expect.any(Number), undefined]);
  return { status: response.status, json };
};
const compare = async (query: string) => {
  const { status, json } = await call('GET', `/s/judgements/compare?${query}`);
  return { status, error: json.error, ...(json as Partial<z.output<typeof JudgementComparison>>) };
};

beforeAll(async () => {
  const week = Math.floor(Date.now() / 1000) - (7 * DAY_MS) / 1000;
  const claims = { tenant_id: 't', sub: 'analyst', iat: week, nbf: week, exp: week + (8 * DAY_MS) / 1000 };
  token = await service.sign(claims, 'at+jwt');
  const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2;
  const claim = (id: string) => ({
    id,
    actor_id: id,
    subject_id: 's',
    predicate: 'p',
    value: id,
    content: '',
  });
  const actor = (id: string) => ({ id, name: id, source_type: 'Journalist' });
  days = [];
  for (const [index, id] of ['a', 'b', 'c'].entries()) {
    now = noon + (index - 3) * DAY_MS;
    days.push(new Date(now).toISOString().slice(0, 10));
    if (index === 0)
      await call('POST', '', {
        name: 's',
        session_id: 's',
        payload: {
          research_question: '?',
          actors: [actor(id)],
          subjects: [{ id: 's', name: 'S', subject_type: 't' }],
          claims: [claim(id)],
        },
      });
    else await call('PATCH', '/s', { actors: [actor(id)], claims: [claim(id)] });
    await call('POST', '/s/judge', {});
  }
});

describe('judgements named by a time', () => {
  it('what changed since a day is what changed since the last judgement before it', async () => {
    covers('INV-X.8', 'INV-X.6');
    const changes = async (query: string) =>
      (await compare(query)).changes?.filter(({ kind }) => kind === 'claims').map(({ id }) => id);
    // Both days belong to what lies between them, and each judgement was made at noon.
    expect(await changes(`before=${days[1]}`)).toEqual(['b', 'c']);
    expect(await changes(`before=${days[1]}T23:00:00Z`)).toEqual(['c']);
    expect(await changes(`before=${days[1]}t23:00:00z`)).toEqual(['c']);
    expect(await changes(`before=${days[1]}t23:00:00`)).toEqual(['c']);
    expect(await changes(`before=${days[1]}&after=${days[2]}`)).toEqual(['b', 'c']);
    expect(await changes(`before=${days[1]}&after=${days[1]}`)).toEqual(['b']);
    expect(await changes(`before=${days[1]}&after=${days[2]}T00:00:00Z`)).toEqual(['b']);
    const { verdicts, before } = await compare(`before=${days[1]}`);
    expect(before!.judged_at).toContain(days[0]);
    for (const { move, parts } of verdicts!)
      expect(parts.reduce((sum, part) => sum + part.move, 0)).toBeCloseTo(move, 9);
  });

  it('what changed since the day of the first judgement is what changed since that', async () => {
    covers('INV-X.8');
    const { status, before, changes } = await compare(`before=${days[0]}`);
    expect([status, before?.judged_at.slice(0, 10)]).toEqual([200, days[0]]);
    expect(changes!.filter(({ kind }) => kind === 'claims').map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('nothing changed since a time after the last judgement', async () => {
    covers('INV-X.8');
    expect(await compare(`before=${days[2]}T23:00:00Z`)).toMatchObject({ status: 200, change_count: 0 });
  });

  it('a time before the first judgement is 409 with the time of that, and one that there is not is refused by name', async () => {
    covers('INV-X.8');
    expect(await compare('before=2001-01-01')).toMatchObject({
      status: 409,
      error: expect.stringContaining(`\`before\`: the session was judged for the first time at ${days[0]}`),
    });
    for (const [field, time] of [
      ['before', '2001-13-01'],
      ['before', '2026-02-30'],
      ['after', '2026-02-28T25:00:00Z'],
      ['before', 'yesterday'],
      ['after', '20261301'],
    ])
      expect(await compare(`${field}=${time}`)).toMatchObject({
        status: 422,
        error: expect.stringContaining(`${field}: must be the UUID of a judgement, or an ISO 8601 date`),
      });
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await compare(`before=${unknown}`)).toMatchObject({ status: 404 });
    expect(await compare('before=0000-01-01')).toMatchObject({ status: 422 });
  });
});
