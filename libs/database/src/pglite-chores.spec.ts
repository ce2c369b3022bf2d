import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { startChores } from './pglite-chores.ts';
import { openPglite } from './pglite.ts';
import { isUnreachable } from './sql.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pglite-chores-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const MiB = 2 ** 20;

describe('the chores of an embedded database', () => {
  it('an embedded database refuses writes while the disk is almost full, and takes them again when there is room', async () => {
    covers('PLAT-D.3');
    const database = await openPglite(null);
    await database.script('CREATE TABLE t AS SELECT 1 AS n');
    let free = 40 * MiB;
    const warnings: string[] = [];
    const warn = (_fields: object, message: string) => void warnings.push(message);
    const options = { folder: root, log: { logBytes: 0 }, warn, freeBytes: () => free };
    const stop = await startChores(database, options);
    const refusal = await database.query('INSERT INTO t VALUES (2)').catch((error: unknown) => error);
    expect(isUnreachable(refusal)).toBe(true);
    expect((await database.query('SELECT n FROM t')).rows).toEqual([{ n: 1 }]);
    free = 70 * MiB;
    await pauseFor(3);
    await expect(database.query('INSERT INTO t VALUES (2)')).rejects.toThrow('read-only');
    free = 100 * MiB;
    while (warnings.length < 2) await pauseFor(1);
    await database.query('INSERT INTO t VALUES (2)');
    expect(warnings[0]).toContain('the disk is almost full');
    expect(warnings[1]).toContain('there is room on the disk again');
    await stop();
    await database.close();
  });

  it('an embedded database bounds its write-ahead log, however long the process lives', async () => {
    covers('PLAT-D.3');
    const database = await openPglite(join(root, 'database'));
    await database.query('CREATE TABLE t (text text)');
    await database.query('ALTER TABLE t ALTER text SET STORAGE EXTERNAL');
    for (let write = 0; write < 48; write++) {
      await database.query('INSERT INTO t VALUES ($1)', ['x'.repeat(4 * MiB)]);
      await pauseFor(0.05);
    }
    const segments = (await readdir(join(root, 'database', 'pg_wal'))).filter((name) => name.length === 24);
    // 192 MiB were written, in segments of 16.
    expect(segments.length).toBeLessThan(10);
    await database.close();
  });

  it('an embedded database fails every statement after a PANIC, which it reports once', async () => {
    covers('PLAT-D.3');
    const panics: Error[] = [];
    const database = await openPglite(join(root, 'database'), {
      onPanic: (error) => void panics.push(error),
    });
    await database.query('CREATE TABLE t (n int)');
    // Without its folder the log cannot get another segment, as on a full disk.
    await rm(join(root, 'database', 'pg_wal'), { recursive: true });
    await database.query('SELECT pg_switch_wal()');
    const write = () => database.query('INSERT INTO t VALUES (1)');
    await expect(write()).rejects.toThrow();
    await expect(write()).rejects.toThrow();
    expect(panics).toHaveLength(1);
    await database.close();
  });
});

/** As long as so many rounds of chores take. */
async function pauseFor(rounds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, rounds * 260));
}
