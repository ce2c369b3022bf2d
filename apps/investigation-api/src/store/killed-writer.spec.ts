import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate, openDatabase, type Database } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { textOf } from '../model/text-pieces.ts';
import { newSession } from './sessions.fixture.ts';
import type { SessionRef, SessionStore } from './session-store.ts';
import { createSqlSessionStore } from './sql-session-store.ts';
import { STAMPED, stampedChange } from './stamped.fixture.ts';

const WRITER = fileURLToPath(new URL('writer.fixture.ts', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations/', import.meta.url));

describe('a writer killed in the middle of a change', () => {
  let postgres: Postgres;
  let url: string;
  let database: Database;
  let store: SessionStore;
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    database = await openDatabase(url, { embeddedFolder: 'unused' });
    await migrate(database, MIGRATIONS);
    store = createSqlSessionStore(database);
  });
  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  const startWriter = async ({ tenantId }: SessionRef, first: number): Promise<ChildProcess> => {
    const writer = spawn(process.execPath, ['--import', 'tsx', WRITER, url, tenantId, `${first}`]);
    await once(writer.stdout, 'data');
    return writer;
  };
  const kill = async (writer: ChildProcess) => {
    writer.kill('SIGKILL');
    await once(writer, 'exit');
  };
  /** Resolves when `count` other connections do what `condition` says. */
  const connections = async (condition: string, count: number) => {
    const sql = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%session%' AND ${condition}`;
    while ((await database.query(sql)).rowCount !== count) await pause(5);
  };
  /** The one stamp that everything in the session bears. */
  const stampOf = async (ref: SessionRef) => {
    const { head, payload: pieces } = (await store.readSession(ref))!;
    const payload = textOf(pieces);
    const { stamp, claims } = JSON.parse(payload) as {
      stamp: number;
      claims: { id: string; stamp: number }[];
    };
    expect(new Set([Number(head.name), ...claims.map((claim) => claim.stamp)])).toEqual(new Set([stamp]));
    expect(claims).toHaveLength(STAMPED + 1);
    expect(claims.at(-1)!.id).toBe(`added ${stamp}`);
    const { rows } = await database.query<{ bytes: number }>(
      'SELECT payload_bytes AS bytes FROM sessions WHERE tenant_id = $1',
      [ref.tenantId],
    );
    // One comma is counted for each item; the last of a list has none.
    expect(rows[0]!.bytes).toBe(Buffer.byteLength(payload) + 1);
    return stamp;
  };
  const stampedSession = async () => {
    const { name, settings, upserts } = stampedChange(0);
    return newSession(store, {
      ref: { tenantId: randomUUID(), sessionId: 'session' },
      name: name!,
      settings: settings!,
      entities: upserts!,
    });
  };

  it('a writer killed in the middle of a change leaves none of it written, although half of its rows were', async () => {
    covers('INV-S.15');
    const ref = await stampedSession();
    // The writer waits for the last of its items, all others done, when it is killed.
    let writer: ChildProcess | undefined;
    await database.transaction(async (sql) => {
      await sql.query(
        `SELECT 1 FROM session_entities e JOIN sessions s ON s.key = e.session_key
        WHERE s.tenant_id = $1 AND e.position = $2 FOR UPDATE OF e`,
        [ref.tenantId, STAMPED - 1],
      );
      writer = await startWriter(ref, 1);
      await connections("wait_event_type = 'Lock'", 1);
      await kill(writer);
    });
    await connections("state <> 'idle'", 0);
    expect(await stampOf(ref)).toBe(0);
    // Its lock is gone with it.
    expect(await store.update(ref, stampedChange(1))).toMatchObject({ outcome: 'updated' });
    expect(await stampOf(ref)).toBe(1);
  });

  it('a writer killed at any moment leaves each change whole or not at all', async () => {
    covers('INV-S.15');
    const ref = await stampedSession();
    let stamp = 0;
    for (let round = 0; round < 3; round++) {
      const writer = await startWriter(ref, stamp + 1);
      while (Number((await store.readHead(ref))!.name) === stamp) await pause(5);
      await pause(Math.random() * 200);
      await kill(writer);
      await connections("state <> 'idle'", 0);
      const after = await stampOf(ref);
      expect(after).toBeGreaterThan(stamp);
      stamp = after;
    }
  });
});
