import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, startRedis, type Postgres, type Redis } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import {
  DocstoreClient,
  DocstoreError,
  type Change,
  type ReadFile,
  type StoredFile,
} from '@platform/docstore-client';
import { outputOf, runCommand, startReplica, type Replica } from './replica.fixture.ts';

const WRITERS = 16;
const ROUNDS = soak(200);
const FOLLOWED_WRITES = soak(900, 90);

/** A document that was deleted after the change that reported it. */
const orGone = (error: unknown) => {
  if (error instanceof DocstoreError && error.code === 'not_found') return null;
  throw error;
};

let postgres: Postgres;
let redis: Redis;
let env: Record<string, string>;
let key: string;
let replicas: Replica[] = [];

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  env = {
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.url,
    DOCSTORE_REPLICAS: '2',
    DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
    DOCSTORE_VERSIONS_KEPT: '100000',
  };
  // Two that migrate at once wait for one another.
  const migrations = readdirSync(new URL('../../../prisma/docstore/migrations/', import.meta.url))
    .filter((name) => /^\d/.test(name))
    .sort();
  const migrated = await Promise.all([runCommand(['migrate'], env), runCommand(['migrate'], env)]);
  expect(migrated.map(({ code }) => code)).toEqual([0, 0]);
  expect(migrated.map(({ stdout }) => stdout).sort()).toEqual([
    `applied ${migrations.join(', ')}\n`,
    'up to date\n',
  ]);
  key = await outputOf(['key', '--owner', 'race'], env);
  replicas = await Promise.all([startReplica(env), startReplica(env)]);
});
afterAll(async () => {
  for (const replica of replicas) await replica.kill();
  await Promise.all([postgres?.stop(), redis?.stop()]);
});

interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly body: { id: string; version: number; etag: string; contents?: string };
}

async function send(
  base: string,
  method: string,
  path: string,
  json?: unknown,
  ifMatch?: string,
): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.get('ETag'),
    body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
  };
}

/** Every kept version of a document, oldest first. */
async function history(base: string, id: string): Promise<{ version: number; etag: string }[]> {
  const versions: { version: number; etag: string }[] = [];
  for (let query = '?limit=200'; ;) {
    const { body } = await send(base, 'GET', `/v1/file/${id}/versions${query}`);
    const page = body as unknown as {
      versions: { version: number; etag: string }[];
      next_before: number | null;
    };
    versions.push(...page.versions);
    if (page.next_before === null) return versions.reverse();
    query = `?limit=200&before=${page.next_before}`;
  }
}

describe('two replicas over one Postgres', () => {
  it(`exactly one of ${WRITERS} writers on two replicas wins in each of ${ROUNDS} rounds`, async () => {
    covers('DOC-P.5');
    const { body, etag: first } = await send(replicas[0]!.url, 'POST', '/v1/file', {
      filename: 'race',
      contents: '',
    });
    let etag = first!;
    const winners: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const responses = await Promise.all(
        Array.from({ length: WRITERS }, (_, writer) =>
          send(
            replicas[writer % 2]!.url,
            'PUT',
            `/v1/file/${body.id}`,
            { filename: 'race', contents: `${round}.${writer}` },
            etag,
          ),
        ),
      );
      const won = responses.filter(({ status }) => status === 200);
      expect([round, won.length, responses.filter(({ status }) => status === 412).length]).toEqual([
        round,
        1,
        WRITERS - 1,
      ]);
      etag = won[0]!.etag!;
      winners.push(etag);
    }
    const versions = await history(replicas[1]!.url, body.id);
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: ROUNDS + 1 }, (_, index) => index + 1),
    );
    expect(versions.map((version) => version.etag)).toEqual([first, ...winners]);
  });

  it('a key revoked on one replica is refused on every replica at once', async () => {
    const [one, other] = replicas as [Replica, Replica];
    for (let round = 0; round < soak(20, 5); round++) {
      const { body } = await send(one.url, 'POST', '/v1/key', { name: 'short', scopes: 'usage:read' });
      const minted = body as unknown as { id: string; key: string };
      const use = async (base: string) =>
        (await fetch(`${base}/v1/usage`, { headers: { Authorization: `Bearer ${minted.key}` } })).status;
      expect([await use(one.url), await use(other.url)]).toEqual([200, 200]);
      expect((await send(one.url, 'DELETE', `/v1/key/${minted.id}`)).status).toBe(204);
      expect([await use(other.url), await use(one.url)]).toEqual([401, 401]);
    }
  });

  it('two replicas count one rate, with a correct Retry-After', async () => {
    covers('DOC-E.rate_limited', 'DOC-E.retry_after');
    const limited = await Promise.all(
      [0, 1].map(() => startReplica({ ...env, DOCSTORE_REQUESTS_PER_MINUTE: '60' })),
    );
    try {
      const { body } = await send(replicas[0]!.url, 'POST', '/v1/key', {
        name: 'limited',
        scopes: 'usage:read',
      });
      const { key: text } = body as unknown as { key: string };
      const use = (n: number) =>
        fetch(`${limited[n % 2]!.url}/v1/usage`, { headers: { Authorization: `Bearer ${text}` } });
      const start = Date.now();
      const responses = await Promise.all(Array.from({ length: 90 }, (_, n) => use(n)));
      const seconds = (Date.now() - start) / 1000;
      const passed = responses.filter(({ status }) => status === 200).length;
      expect(passed).toBeGreaterThanOrEqual(60);
      expect(passed).toBeLessThanOrEqual(61 + Math.ceil(seconds));
      const refused = responses.find(({ status }) => status === 429)!;
      const wait = refused.headers.get('Retry-After')!;
      expect(wait).toMatch(/^[1-9]\d*$/);
      await new Promise((resolve) => setTimeout(resolve, Number(wait) * 1000));
      expect((await use(0)).status).toBe(200);
    } finally {
      for (const replica of limited) await replica.kill();
    }
  });

  it('no acknowledged write is lost and no version is counted twice when a replica is killed mid-write', async () => {
    const [steady] = replicas as [Replica];
    const doomed = await startReplica(env);
    const { body, etag } = await send(steady.url, 'POST', '/v1/file', { filename: 'killed', contents: '' });
    const acknowledged = new Map<number, string>([[1, etag!]]);
    const twice: number[] = [];
    let isOver = false;
    let writesAfterKill = 0;
    let isKilled = false;
    const writer = async (index: number) => {
      let tag = etag!;
      while (!isOver) {
        const base = index % 2 === 0 || isKilled ? steady.url : doomed.url;
        try {
          const json = { filename: 'killed', contents: `by ${index}` };
          const put = await send(base, 'PUT', `/v1/file/${body.id}`, json, tag);
          // The current one, whether this write made it or another was sooner.
          tag = put.etag!;
          if (put.status !== 200) continue;
          if (acknowledged.has(put.body.version)) twice.push(put.body.version);
          acknowledged.set(put.body.version, put.etag!);
          if (isKilled) writesAfterKill++;
          if (acknowledged.size > 150 && !isKilled) {
            isKilled = true;
            void doomed.kill();
          }
          if (writesAfterKill > 100) isOver = true;
        } catch {
          // The connection broke: whether the write happened is not known, and nothing was promised.
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => writer(index)));
    expect(twice).toEqual([]);
    const versions = new Map(
      (await history(steady.url, body.id)).map(({ version, etag: kept }) => [version, kept]),
    );
    for (const [version, tag] of acknowledged)
      expect([version, versions.get(version)]).toEqual([version, tag]);
    expect([...versions.keys()]).toEqual(Array.from({ length: versions.size }, (_, index) => index + 1));
    // Every write has a number, and at most one that was under way in each dead connection was not told
    // about.
    expect(versions.size - acknowledged.size).toBeLessThanOrEqual(4);
    expect((await runCommand(['check-quota'], env)).stdout).toBe('counters agree with what is stored\n');
  });

  it('a follower of the changes holds the same bytes as the store after many writers and the loss of a replica', async () => {
    covers('DOC-D.33', 'DOC-D.59');
    const owner = await outputOf(['key', '--owner', 'followed'], env);
    const doomed = await startReplica(env);
    let isKilled = false;
    let requests = 0;
    /** Spreads requests as a balancer does, which notices a dead replica by its refused connections. */
    const balanced: typeof fetch = (url, init) => {
      const to = isKilled || requests++ % 2 === 0 ? replicas[0]! : doomed;
      return fetch(String(url).replace('http://balanced', to.url), init);
    };
    const client = () => new DocstoreClient({ baseUrl: 'http://balanced', key: owner, fetch: balanced });
    const held = new Map<string, string>();
    const inBytes = ({ id, filename, contents, etag, metadata }: ReadFile) =>
      JSON.stringify({ id, filename, contents, etag, metadata });
    const reader = client();
    const apply = async ({ type, id }: Change) => {
      const file = type === 'deleted' ? null : await reader.get(id).catch(orGone);
      if (file === null) held.delete(id);
      else held.set(id, inBytes(file));
    };
    const following = new AbortController();
    let position = 0;
    const followed = (async () => {
      for await (const { changes, last_sequence } of reader.follow(0, { signal: following.signal })) {
        for (const change of changes) await apply(change);
        position = last_sequence;
      }
    })().catch((error: unknown) => {
      if (!following.signal.aborted) throw error;
    });

    const writing = new AbortController();
    const call = { signal: writing.signal };
    let writes = 0;
    const write = async (own: DocstoreClient, n: number) => {
      let file: StoredFile = await own.create({ filename: `${n}`, contents: '' }, call);
      for (let round = 0; ; round++) {
        const contents = `${n} ${round} ${'é'.repeat(round)}`;
        if (round % 7 === 6) {
          await own.remove(file.id, undefined, call);
          file =
            round % 2 === 0
              ? await own.create({ filename: `${n}`, contents }, call)
              : await own.undelete(file.id, file.version, call);
        } else if (round % 5 === 4) {
          const patch = { filename: `${n} ${round}`, metadata: { round: `${round}` } };
          file = await own.patch(file.id, patch, '*', call);
        } else file = await own.update(file.id, () => ({ filename: `${n}`, contents }), call);
        writes++;
        if (writes === FOLLOWED_WRITES / 2) {
          isKilled = true;
          await doomed.kill();
        }
        // A request that the dead replica had begun keeps its key for a minute: its writer ends here.
        if (writes === FOLLOWED_WRITES) writing.abort();
      }
    };
    const ends = Array.from({ length: WRITERS }, (_, n) =>
      write(client(), n).catch((error: unknown) => {
        if (!writing.signal.aborted) throw error;
      }),
    );
    await Promise.all(ends);
    const listed = new Map<string, string>();
    const isBehind = async () => (await reader.changes(position)).last_sequence > position;
    // Again when a write that was given up has come through meanwhile.
    do {
      while (await isBehind())
        await Promise.race([followed, new Promise((resolve) => setTimeout(resolve, 20))]);
      listed.clear();
      for await (const file of reader.list({ fields: 'contents' }))
        listed.set(file.id, inBytes(file as ReadFile));
    } while (await isBehind());
    following.abort();
    await followed;
    expect([isKilled, listed.size > WRITERS / 2]).toEqual([true, true]);
    expect([...held].sort()).toEqual([...listed].sort());
  });

  it('`verify` finds no fault after a replica was killed', async () => {
    const { code, stdout } = await runCommand(
      ['verify', replicas[0]!.url, '--key', key, '--writers', '8', '--rounds', '20'],
      {},
    );
    expect([code, stdout]).toEqual([
      0,
      '20 of 160 writes acknowledged over 20 rounds of 8 writers, 0 faults\n',
    ]);
  });

  it('a replica that stops finishes its requests and responds to probes to the end', async () => {
    const replica = await startReplica({ ...env, DOCSTORE_DRAIN_DELAY_MS: '2000' });
    expect((await fetch(`${replica.probeUrl}/readyz`)).status).toBe(200);
    const begun = Array.from({ length: 16 }, (_, index) =>
      send(replica.url, 'POST', '/v1/file', { filename: `drain-${index}`, contents: 'x' }),
    );
    const stopped = replica.stop();
    const responses = await Promise.all(begun);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect((await fetch(`${replica.probeUrl}/livez`)).status).toBe(200);
    expect((await fetch(`${replica.probeUrl}/readyz`)).status).toBe(503);
    expect(await stopped).toBe(0);
  });
});

describe('settings', () => {
  it('settings for more than one replica on embedded parts are refused with exit code 2, naming every bad variable at once', async () => {
    const { code, stderr } = await runCommand(['serve'], {
      DATABASE_URL: '',
      REDIS_URL: '',
      DOCSTORE_REPLICAS: '2',
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/DATABASE_URL: .*\nREDIS_URL: /);
    const bad = await runCommand(['serve'], {
      DOCSTORE_PORT: 'x',
      DOCSTORE_VERSIONS_KEPT: '0',
      DATABASE_URL: 'mysql://u:secret@h',
    });
    expect(bad.code).toBe(2);
    for (const name of ['DOCSTORE_PORT', 'DOCSTORE_VERSIONS_KEPT', 'DATABASE_URL'])
      expect(bad.stderr).toContain(`${name}: `);
    expect(bad.stderr).not.toContain('secret');
  });

  it('--print-config masks secrets', async () => {
    const { stdout } = await runCommand(['--print-config'], { DATABASE_URL: 'postgres://u:hunter2@h/d' });
    expect(stdout).toContain('DATABASE_URL=[secret]');
    expect(stdout).not.toContain('hunter2');
  });

  it('a taken port is reported with the port and its setting', async () => {
    const port = new URL(replicas[0]!.url).port;
    await expect(startReplica({ ...env, DOCSTORE_PORT: port })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is taken; choose another with DOCSTORE_PORT`,
    );
  });

  it('a Postgres that was not migrated is refused', async () => {
    const unmigrated = { ...env, DATABASE_URL: await postgres.createDatabase() };
    await expect(startReplica(unmigrated)).rejects.toThrow('run `migrate` first');
  });
});
