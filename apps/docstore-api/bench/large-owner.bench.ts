import { openDatabase } from '@platform/database';
import { median, type BenchRow } from '@platform/testing';
import pg from 'pg';
import type { DocumentStore, ListQuery } from '../src/store/document-store.ts';
import { createPrisma } from '../src/store/prisma.ts';
import { createSqlDocumentStore, SESSION_SETTINGS } from '../src/store/sql-document-store.ts';
import { send, startBenchService } from './bench-service.ts';
import { LIST_ALL } from '../src/store/list-all.fixture.ts';
import { COMMON, NEEDLE, NEEDLE_EVERY, seedDocuments } from './seed.ts';

const DOCUMENTS = 100_000;
const PAGE = 50;
const WALK_PAGE = 200;
const PAGE_RUNS = 100;
const SEARCH_RUNS = 7;
const LAST_PAGE_RATIO_MAX = 1.5;
const SEARCH_RATIO_MAX = 0.1;

const holding = (text: string): ListQuery => ({
  ...LIST_ALL,
  search: { mode: 'substring', text, isCaseSensitive: true },
});

/**
 * Medians in milliseconds of works that take turns, so that whatever else the machine does meets all alike.
 */
async function medians(runs: number, works: readonly (() => Promise<void>)[]): Promise<number[]> {
  const times: number[][] = works.map(() => []);
  for (let run = 0; run <= runs; run++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      // The first run is for caches and compilers.
      if (run > 0) times[index]!.push(performance.now() - start);
    }
  }
  return times.map(median);
}

/** Listing and searching what an owner of 100,000 documents of 4 KiB has. */
export async function run(): Promise<BenchRow[]> {
  const service = await startBenchService();
  const database = await openDatabase(service.databaseUrl, {
    embeddedFolder: 'unused',
    sessionSettings: SESSION_SETTINGS,
  });
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const start = performance.now();
    await seedDocuments(service.databaseUrl, 'bench', DOCUMENTS);
    console.error(`seeded in ${Math.round((performance.now() - start) / 1000)} s`);
    const store = createSqlDocumentStore(database, createPrisma(database), { versionsKept: 1 });
    return [
      await measureStorePages(store),
      await measureHttpPages(service.url, service.key),
      ...(await measureSearch(store, client, service)),
    ];
  } finally {
    await client.end();
    await database.close();
    await service.stop();
  }
}

async function measureStorePages(store: DocumentStore): Promise<BenchRow> {
  const page = async (query: ListQuery) => {
    const found = await store.list('bench', query);
    if (found.length !== PAGE) throw new Error(`a page of ${found.length}`);
  };
  const oldest = await store.list('bench', { ...LIST_ALL, isDescending: false, limit: PAGE + 1 });
  const last = { ...LIST_ALL, after: oldest[PAGE]!.position };
  const [firstMs, lastMs] = await medians(PAGE_RUNS, [() => page(LIST_ALL), () => page(last)]);
  return pagesRow('at the database', firstMs!, lastMs!);
}

async function measureHttpPages(url: string, key: string): Promise<BenchRow> {
  interface Page {
    files: { id: string }[];
    next_cursor: string | null;
  }
  const get = async (limit: number, cursor: string | null): Promise<Page> => {
    const query = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const response = await send(`${url}/v1/file?${query}`, 'GET', { Authorization: `Bearer ${key}` });
    if (response.status !== 200) throw new Error(response.body);
    return JSON.parse(response.body) as Page;
  };
  const seen = new Set<string>();
  let cursor: string | null = null;
  while (seen.size < DOCUMENTS - PAGE) {
    const page = await get(Math.min(WALK_PAGE, DOCUMENTS - PAGE - seen.size), cursor);
    for (const { id } of page.files) seen.add(id);
    cursor = page.next_cursor;
  }
  const end = await get(PAGE, cursor);
  for (const { id } of end.files) seen.add(id);
  if (end.next_cursor !== null || seen.size !== DOCUMENTS)
    throw new Error(`${seen.size} documents in the scan`);
  const [firstMs, lastMs] = await medians(PAGE_RUNS, [
    async () => void (await get(PAGE, null)),
    async () => void (await get(PAGE, cursor)),
  ]);
  return pagesRow('over HTTP', firstMs!, lastMs!);
}

function pagesRow(where: string, firstMs: number, lastMs: number): BenchRow {
  const ratio = lastMs / firstMs;
  return {
    name: `last page of ${PAGE} of ${DOCUMENTS.toLocaleString('en-US')} documents ÷ first, ${where}`,
    value: ratio,
    unit: '×',
    target: `≤ ${LAST_PAGE_RATIO_MAX}`,
    pass: ratio <= LAST_PAGE_RATIO_MAX,
    detail: `${lastMs.toFixed(2)} ms ÷ ${firstMs.toFixed(2)} ms, medians of ${PAGE_RUNS}`,
  };
}

/**
 * Documents that hold `text`, by reading them all: the trigram index is the only one on contents, and is left
 * out. The plan is checked, lest an index be compared with itself.
 */
async function countByScan(client: pg.Client, text: string): Promise<number> {
  const statement = `SELECT count(*)::int AS count FROM document_search WHERE owner = 'bench' AND folded LIKE '%${text}%'`;
  const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`);
  if (!plan.some((line) => line['QUERY PLAN'].includes('Seq Scan'))) throw new Error(JSON.stringify(plan));
  const { rows } = await client.query<{ count: number }>(statement);
  return rows[0]!.count;
}

async function measureSearch(
  store: DocumentStore,
  client: pg.Client,
  service: { url: string; key: string },
): Promise<BenchRow[]> {
  const expected = Math.floor(DOCUMENTS / NEEDLE_EVERY);
  await client.query('SET enable_bitmapscan = off');
  const scan = async (text: string, least: number) => {
    const count = await countByScan(client, text);
    if (count < least) throw new Error(`${count} documents in a scan for \`${text}\``);
  };
  const search = async (text: string, count: number) => {
    const found = await store.list('bench', holding(text));
    if (found.length !== count) throw new Error(`${found.length} documents hold \`${text}\``);
  };
  const searchHttp = async () => {
    const url = `${service.url}/v1/file?mode=substring&query=${encodeURIComponent(NEEDLE)}`;
    const { body } = await send(url, 'GET', { Authorization: `Bearer ${service.key}` });
    const { files } = JSON.parse(body) as { files: unknown[] };
    if (files.length !== expected) throw new Error(`${files.length} documents over HTTP`);
  };
  const [storeMs, httpMs, scanMs, commonMs, commonScanMs] = (await medians(SEARCH_RUNS, [
    () => search(NEEDLE, expected),
    searchHttp,
    () => scan(NEEDLE, expected),
    () => search(COMMON, PAGE),
    () => scan(COMMON, PAGE),
  ])) as [number, number, number, number, number];
  const row = (name: string, ms: number, scanned: number, hasTarget: boolean): BenchRow => ({
    name,
    value: ms / scanned,
    unit: '×',
    target: hasTarget ? `≤ ${SEARCH_RATIO_MAX}` : '',
    pass: !hasTarget || ms / scanned <= SEARCH_RATIO_MAX,
    detail: `${ms.toFixed(1)} ms ÷ ${scanned.toFixed(0)} ms, medians of ${SEARCH_RUNS}`,
  });
  const what = `substring in ${expected} of ${DOCUMENTS.toLocaleString('en-US')} documents of 4 KiB ÷ sequential scan`;
  return [
    row(`${what}, at the database`, storeMs, scanMs, true),
    row(`${what}, over HTTP`, httpMs, scanMs, true),
    row('substring that most documents hold, first page ÷ sequential scan', commonMs, commonScanMs, false),
  ];
}
