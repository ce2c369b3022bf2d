import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import pg from 'pg';

const page = readFileSync(join(import.meta.dirname, '../../docs/runbooks.md'), 'utf8');
/** The statements of the runbooks that show who holds up the others. */
const statements = [...page.matchAll(/`(SELECT [^`]* FROM pg_stat_activity [^`]*)`/g)].map(([, text]) =>
  // Nobody waits for a minute here.
  text!.replace("interval '1 minute'", "interval '0'"),
);

let postgres: Postgres;
let database: string;
let other: pg.Client;
let otherPid: number;

async function connect(role?: string): Promise<pg.Client> {
  const url = new URL(database);
  const client = new pg.Client(url.href);
  await client.connect();
  if (role !== undefined) await client.query(`SET SESSION AUTHORIZATION ${role}`);
  return client;
}

beforeAll(async () => {
  postgres = await startPostgres();
  database = await postgres.createDatabase();
  other = await connect();
  await other.query('CREATE TABLE held_up ()');
  await other.query('BEGIN');
  await other.query('LOCK TABLE held_up');
  otherPid = (await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
});
afterAll(async () => {
  await other.end();
  await postgres.stop();
});

/** What each statement says about the transaction that another role left open; undefined = nothing. */
async function statesSeenBy(client: pg.Client): Promise<unknown[]> {
  const states = [];
  for (const text of statements) {
    const { rows } = await client.query<{ pid: number; state: unknown }>(text);
    states.push(rows.find(({ pid }) => pid === otherPid)?.state);
  }
  await client.end();
  return states;
}

describe('the statements of the runbooks', () => {
  it('the administrator whom the page names sees the transaction of another role that holds up a service', async () => {
    covers('PLAT-O.12');
    expect(page).toMatch(/Statements in SQL go .* as an administrator of Postgres/);
    expect(statements).toHaveLength(3);
    // Something waits for it: the third lists those that hold a lock alone.
    const [waiting, administrator] = [await connect(), await connect()];
    const waits = waiting.query('SELECT FROM held_up');
    const heldUp = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await eventually(async () => (await administrator.query(heldUp)).rowCount).toBe(1);
    expect(await statesSeenBy(administrator)).toEqual(Array(3).fill('idle in transaction'));
    await other.query('COMMIT');
    await waits;
    await waiting.end();
  });

  it('the role of a service does not see it, which is why the page names the administrator', async () => {
    covers('PLAT-O.12');
    await other.query('CREATE ROLE runbook_service');
    await other.query('BEGIN');
    await other.query('SELECT 1');
    const seen = await statesSeenBy(await connect('runbook_service'));
    await other.query('COMMIT');
    await other.query('DROP ROLE runbook_service');
    expect(seen.map((state) => state ?? null)).toEqual([null, null, null]);
  });
});
