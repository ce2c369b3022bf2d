import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import {
  createLoopWatch,
  startPostgres,
  type LoopWatch,
  type Postgres,
  migratedDatabase,
} from '@platform/testing';
import { startBuilt, type BuiltService } from './built-service.fixture.ts';

const MiB = 1024 * 1024;
/** Largest request body by default. */
const BODY_MAX = 16 * MiB;
/** Longest that anything may keep a quick machine's event loop to itself. Milliseconds of the processor. */
const HELD_MAX = 50;
/** The same on a slow or busy machine, as a part of what it takes to parse the largest body in one go. */
const PARSES_MAX = 0.5;

let postgres: Postgres;
let service: BuiltService;
let watch: LoopWatch;
beforeAll(async () => {
  postgres = await startPostgres();
  watch = createLoopWatch();
  const env = { DATABASE_URL: await migratedDatabase(postgres, 'investigation-api') };
  service = await startBuilt({ ...env, ...watch.env, INVESTIGATION_ANALYSIS_TIMEOUT_MS: '600000' });
});
afterAll(async () => {
  await service?.stop();
  await watch.close();
  await postgres.stop();
});

/** Longest that anything may keep the event loop to itself here and now. Milliseconds of the processor. */
function heldMax(): number {
  const parses = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    JSON.parse(LARGEST);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.max(HELD_MAX, PARSES_MAX * Math.min(...parses));
}

/** Every conversion of its content reads each character by itself: three bytes as sent, two in memory. */
const CLAIM = { actor_id: 'a', subject_id: 's', value: 'true', content: '橋は開いている。' };

/** An investigation of as many claims as a body of `bytes` holds. */
function investigation(bytes: number): string {
  const head = {
    research_question: 'Which bridges are open?',
    actors: [{ id: 'a', name: 'A', source_type: 'Regulator' }],
    subjects: [{ id: 's', name: 'S', subject_type: 'structure' }],
  };
  const claims: string[] = [];
  for (let size = JSON.stringify(head).length + 100, i = 0; ; i += 1) {
    const claim = JSON.stringify({ ...CLAIM, id: `c${i}`, predicate: `p${i}` });
    size += Buffer.byteLength(claim) + 1;
    if (size > bytes) break;
    claims.push(claim);
  }
  return `${JSON.stringify(head).slice(0, -1)},"claims":[${claims.join()}]}`;
}

async function send(method: string, path: string, body?: string, to = service): Promise<number> {
  const response = await fetch(`${to.url}/api/v1${path}`, {
    method,
    // The service closes a connection that was idle while this process was busy measuring.
    headers: {
      authorization: `Bearer ${to.token}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** As large as a body may be. */
const LARGEST = investigation(BODY_MAX - 1_000);

describe('the event loop, seen from within the service', () => {
  covers('PLAT-F.4', 'PLAT-F.24');
  const claims20000 = investigation(2.5 * MiB);
  const smallFile = investigation(MiB / 4);
  const longClaim = JSON.stringify({
    research_question: 'q',
    actors: [],
    subjects: [],
    claims: [{ ...CLAIM, id: 'c', predicate: 'p', content: '橋'.repeat((BODY_MAX - 1_000) / 3) }],
  });
  const inSession = (id: string, claims = LARGEST) =>
    `{"name":"${id}","session_id":"${id}","payload":${claims}}`;

  it.each<[string, number, () => Promise<number>]>([
    ['an investigation', 200, () => send('POST', '/investigations/analyze', investigation(2 * MiB))],
    ['the validation of one that fills a body', 200, () => send('POST', '/investigations/validate', LARGEST)],
    ['a session made of one', 201, () => send('POST', '/sessions', inSession('large'))],
    ['a session changed by one', 200, () => send('PATCH', '/sessions/large', LARGEST)],
    ['a session read whole', 200, () => send('GET', '/sessions/large?detail=full')],
    ['its claims listed', 200, () => send('GET', '/sessions/large/claims')],
    ['its validation', 200, () => send('POST', '/sessions/large/validate')],
    ['a file merged into it', 200, () => send('POST', '/imports/json?session=large', smallFile)],
    ['a claim as large as a body', 201, () => send('POST', '/sessions', inSession('long', longClaim))],
    ['a claim as large as a body, read', 200, () => send('GET', '/sessions/long/claims/c')],
    ['a claim as large as a body, read with its session', 200, () => send('GET', '/sessions/long')],
    ['a session of 20,000 claims', 201, () => send('POST', '/sessions', inSession('judged', claims20000))],
    [
      'the judgement of 20,000 claims, sent whole',
      200,
      () => send('POST', '/sessions/judged/judge', '{"summary_mode":false}'),
    ],
    ['the judgement of 20,000 claims, read', 200, () => send('GET', '/sessions/judged/judgements/latest')],
    ['a session of 20,000 judged claims, read whole', 200, () => send('GET', '/sessions/judged')],
    ['brackets that fill a body', 422, () => send('POST', '/sessions', '['.repeat(BODY_MAX - 1))],
    [
      'one claim that fills a body',
      422,
      () => send('PUT', '/sessions/large/claims/c1', `{"content":"${'a'.repeat(BODY_MAX - 100)}"}`),
    ],
  ])('the event loop keeps running under %s', async (_what, status, hurt) => {
    // Compilers and what the start left are nobody's work.
    await send('GET', '/sessions');
    await watch.longestHeld();
    expect(await hurt()).toBe(status);
    expect(await watch.longestHeld()).toBeLessThan(heldMax());
  });
});

describe('the event loop of a service on the embedded database', () => {
  it('the event loop of a service on the embedded database keeps running while 20,000 items are written, read and deleted', async () => {
    covers('PLAT-D.5');
    const folder = mkdtempSync(join(tmpdir(), 'event-loop-'));
    const ownWatch = createLoopWatch();
    const embedded = await startBuilt({
      DATABASE_URL: `pglite:${join(folder, 'database')}`,
      ...ownWatch.env,
      INVESTIGATION_ANALYSIS_TIMEOUT_MS: '600000',
    });
    const body = investigation(2.5 * MiB);
    await send('GET', '/sessions', undefined, embedded);
    await ownWatch.longestHeld();
    const made = `{"name":"large","session_id":"large","payload":${body}}`;
    expect(await send('POST', '/sessions', made, embedded)).toBe(201);
    expect(await send('PATCH', '/sessions/large', body, embedded)).toBe(200);
    expect(await send('GET', '/sessions/large?detail=full', undefined, embedded)).toBe(200);
    expect(await send('DELETE', '/sessions/large', undefined, embedded)).toBe(204);
    expect(await ownWatch.longestHeld()).toBeLessThan(heldMax());
    await embedded.stop();
    await ownWatch.close();
    rmSync(folder, { recursive: true });
  });
});
