import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase, type Database } from '@platform/database';
import { analyze } from '@platform/opinion-fusion';
import { parseStrictJson } from '@platform/strict-json';
import { median, type BenchRow, type RunBench } from '@platform/testing';
import { startPostgres } from '@platform/testing';
import { hashList } from '../src/store/hash-id.ts';
import { listQuery } from '../src/store/sql-list-sessions.ts';
import type { Entity } from '../src/model/entity.ts';
import type { SessionQuery, SessionRef, SessionStore } from '../src/store/session-store.ts';
import { createSqlSessionStore } from '../src/store/sql-session-store.ts';
import { packJson } from '../src/wire/packed-json.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/investigation/migrations/', import.meta.url));
const SESSIONS = 100_000;
const CLAIMS = 10_000;
const PAGE = 200;
const LIST_MS_MAX = 20;
const JUDGE_RATIO_MAX = 1.5;
const RUNS = 7;
const PATCHES = 51;
const PATCH_RATIO_MAX = 2;
const NOW = new Date('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

/**
 * Lists of one owner's sessions among others', and reading and changing one large session, on a real
 * Postgres.
 */
export const run: RunBench = async () => {
  const postgres = await startPostgres();
  const database = await openDatabase(await postgres.createDatabase(), { embeddedFolder: 'unused' });
  try {
    await migrate(database, MIGRATIONS);
    const store = createSqlSessionStore(database);
    return [...(await benchLists(database)), ...(await benchPatch(store)), ...(await benchJudge(store))];
  } finally {
    await database.close();
    await postgres.stop();
  }
};

/**
 * `SESSIONS` of `owner`, every second judged, and half as many of others of the tenant. Their names are four
 * words of a thousand; they changed in another order than they were made in.
 */
async function seed(database: Database): Promise<void> {
  await database.query(
    `INSERT INTO sessions (tenant_id, session_hash, session_id, owner_id, list_hash, name, name_folded, name_prefix, settings,
       payload_bytes, next_position, created_at, updated_at, judged_at)
     SELECT 'tenant', gen_random_uuid(), 'session ' || n, 'owner', CASE WHEN n <= $1::int THEN $2::uuid ELSE $3::uuid END, name,
       lower(name), lower(name), '{"research_question":"Who knew what, and when did they know it?","domain":"News"}',
       200, 0, made, made + n * 48271 % 100003 * interval '1 second',
       CASE WHEN n % 2 = 0 THEN made + interval '1 day' END
     FROM generate_series(1::bigint, $1::int * 3 / 2) AS n,
       LATERAL (SELECT timestamptz '2025-01-01' + n * interval '1 minute' AS made,
         'Review ' || to_hex(n * 7919 % 997) || 'w ' || to_hex(n * 104729 % 1009) || 'w ' || n AS name) AS given`,
    [SESSIONS, hashList('tenant', 'owner'), hashList('tenant', 'other')],
  );
  // Without it VACUUM finds commits that are not on disk yet, and index-only scans visit every row.
  await database.query('CHECKPOINT');
  await database.query('VACUUM ANALYZE sessions');
}

const FILTERS: readonly (readonly [string, Partial<Omit<SessionQuery, 'holder'>>])[] = [
  ['no filter', {}],
  ['judged', { hasResult: true }],
  ['never judged', { hasResult: false }],
  ['part of every name', { nameFilter: 'REVIEW' }],
  ['part of some names', { nameFilter: 'review 3e' }],
  ['part of one name', { nameFilter: 'w 77777' }],
  ['part of no name', { nameFilter: 'nowhere' }],
  ['updated after', { updatedAfter: new Date('2025-02-01T00:00:00Z') }],
  ['updated before', { updatedBefore: new Date('2025-02-01T00:00:00Z') }],
];

/** Median milliseconds that the database says it took to plan and run the statement. */
async function databaseMs(database: Database, query: SessionQuery): Promise<{ ms: number; rows: number }> {
  const { text, values } = listQuery(query);
  const times: number[] = [];
  for (let turn = 0; turn < RUNS; turn++) {
    const { rows } = await database.query<{ 'QUERY PLAN': [Record<string, number>] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    const [plan] = rows[0]!['QUERY PLAN'];
    times.push(plan['Planning Time']! + plan['Execution Time']!);
  }
  return { ms: median(times), rows: (await database.query(text, values)).rowCount };
}

/** The time that this machine needs for a plain statement at this moment. */
async function yardstickMs(database: Database): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < RUNS; turn++) {
    times.push(await milliseconds(() => database.query('SELECT count(*) FROM generate_series(1, 1000000)')));
  }
  return median(times);
}

async function benchLists(database: Database): Promise<BenchRow[]> {
  await seed(database);
  const yardstick = `yardstick: counting a million numbers takes it ${(await yardstickMs(database)).toFixed(0)} ms`;
  const rows: BenchRow[] = [];
  for (const sort of ['updated_at', 'created_at', 'name'] as const) {
    for (const [name, filter] of FILTERS) {
      const holder = { userId: 'owner', lease: null };
      const query = { tenantId: 'tenant', ownerId: 'owner', holder, sort, limit: PAGE, offset: 0, ...filter };
      const all = await database.query<{ n: number }>(
        `SELECT count(*) AS n FROM (${listQuery({ ...query, limit: SESSIONS }).text}) AS l`,
        listQuery({ ...query, limit: SESSIONS }).values,
      );
      const offset = Math.max(0, all.rows[0]!.n - PAGE);
      const [first, last] = [
        await databaseMs(database, query),
        await databaseMs(database, { ...query, offset }),
      ];
      const ms = Math.max(first.ms, last.ms);
      rows.push({
        name: `list of ${PAGE} by ${sort}, ${name}: slower of first and last page`,
        value: ms,
        unit: 'ms',
        target: `≤ ${LIST_MS_MAX}`,
        pass: ms <= LIST_MS_MAX,
        detail: `at the database; first ${first.ms.toFixed(1)} ms, last at offset ${offset} ${last.ms.toFixed(1)} ms (${last.rows} rows); ${yardstick}`,
      });
    }
  }
  return rows;
}

/** Claims of a hundred sources on five hundred subjects. */
function largeInvestigation(): Entity[] {
  const item = (kind: Entity['kind'], id: string, fields: object): Entity => ({
    kind,
    id,
    body: JSON.stringify({ id, ...fields }),
  });
  const dealt = (n: number, below: number) => (n * 48_271) % below;
  return [
    ...Array.from({ length: 100 }, (_, n) =>
      item('actors', `actor-${n}`, { name: `Actor ${n}`, source_type: n % 2 ? 'Expert' : 'Journalist' }),
    ),
    ...Array.from({ length: 500 }, (_, n) =>
      item('subjects', `subject-${n}`, { name: `Subject ${n}`, subject_type: 'thing' }),
    ),
    ...Array.from({ length: CLAIMS }, (_, n) =>
      item('claims', `claim-${n}`, {
        actor_id: `actor-${dealt(n, 97)}`,
        subject_id: `subject-${n % 500}`,
        predicate: 'value',
        value: ['alpha', 'beta', 'gamma'][dealt(n, 101) % 3],
        content: `Claim ${n} in the words of its source.`,
        assertion_time: new Date(NOW.getTime() - dealt(n, 300) * DAY_MS).toISOString(),
      }),
    ),
  ];
}

async function makeSession(store: SessionStore, entities: readonly Entity[]): Promise<SessionRef> {
  const ref = { tenantId: 'tenant', sessionId: randomUUID() };
  const settings = { research_question: 'Which value is right?' };
  await store.create({ ref, ownerId: 'bench', name: 'Bench', settings, entities, now: NOW });
  return ref;
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Changes one claim in a large session and adds one to an empty session, alternately. */
async function benchPatch(store: SessionStore): Promise<BenchRow[]> {
  const large = await makeSession(store, largeInvestigation());
  const claim = (n: number) => ({
    kind: 'claims' as const,
    id: 'claim-5000',
    body: `{"id":"claim-5000","n":${n}}`,
  });
  const patch = (ref: SessionRef, n: number) =>
    milliseconds(() => store.update(ref, { upserts: [claim(n)], payloadBytesMax: 1e9, now: NOW }));
  const times: { large: number[]; empty: number[] } = { large: [], empty: [] };
  for (let turn = 0; turn < PATCHES; turn++) {
    const empty = await makeSession(store, []);
    times.empty.push(await patch(empty, turn));
    times.large.push(await patch(large, turn));
  }
  const [inLarge, inEmpty] = [median(times.large), median(times.empty)];
  return [
    {
      name: `PATCH of one claim among ${CLAIMS.toLocaleString('en-US')} ÷ in an empty session`,
      value: inLarge / inEmpty,
      unit: '×',
      target: `≤ ${PATCH_RATIO_MAX}`,
      pass: inLarge / inEmpty <= PATCH_RATIO_MAX,
      detail: `medians of ${PATCHES}, ${inLarge.toFixed(1)} ms ÷ ${inEmpty.toFixed(1)} ms; fsync off`,
    },
  ];
}

/**
 * Judging a stored session, from reading it to having stored the judgement, beside the engine on the same
 * bytes.
 */
async function benchJudge(store: SessionStore): Promise<BenchRow[]> {
  const ref = await makeSession(store, largeInvestigation());
  const read = async () => Uint8Array.from(Buffer.concat((await store.readPayload(ref)) ?? []));
  const engine = (input: Uint8Array<ArrayBuffer>) =>
    new TextEncoder().encode(JSON.stringify(analyze(parseStrictJson(input), { now: NOW })));
  const inputSnapshot = await read();
  const result = engine(inputSnapshot);
  const save = () =>
    store.saveJudgement(ref, {
      id: randomUUID(),
      judgedAt: NOW,
      durationMs: 1,
      revision: 0,
      inputSnapshot: packJson(inputSnapshot),
      result: packJson(result),
    });
  const times: { read: number[]; engine: number[]; save: number[] } = { read: [], engine: [], save: [] };
  for (let turn = 0; turn < RUNS; turn++) {
    times.read.push(await milliseconds(read));
    times.engine.push(await milliseconds(async () => engine(inputSnapshot)));
    times.save.push(await milliseconds(save));
  }
  const [readMs, engineMs, saveMs] = [median(times.read), median(times.engine), median(times.save)];
  const ratio = (readMs + engineMs + saveMs) / engineMs;
  const size = (bytes: Uint8Array) => `${(bytes.length / 1e6).toFixed(1)} MB`;
  return [
    {
      name: `read payload of ${CLAIMS.toLocaleString('en-US')} claims ÷ engine on it`,
      value: readMs / engineMs,
      unit: '×',
      target: '',
      pass: true,
      detail: `medians of ${RUNS}, ${readMs.toFixed(0)} ms ÷ ${engineMs.toFixed(0)} ms; ${size(inputSnapshot)}`,
    },
    {
      name: `judge of a stored session of ${CLAIMS.toLocaleString('en-US')} claims ÷ engine alone`,
      value: ratio,
      unit: '×',
      target: `≤ ${JUDGE_RATIO_MAX}`,
      pass: ratio <= JUDGE_RATIO_MAX,
      detail: `read ${readMs.toFixed(0)} + engine ${engineMs.toFixed(0)} + save ${saveMs.toFixed(0)} ms; result ${size(result)}`,
    },
  ];
}
