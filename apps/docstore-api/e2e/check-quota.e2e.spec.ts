import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { outputOf, runCommand, startReplica } from './replica.fixture.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

describe('check-quota', () => {
  it('check-quota names each owner whose counters differ from what is stored, and nobody else', async () => {
    covers('DOC-L.4');
    const env = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: '' };
    await outputOf(['migrate'], env);
    const replica = await startReplica(env);
    for (const owner of ['honest', 'drifted', 'uncounted']) {
      const key = await outputOf(['key', '--owner', owner], env);
      for (const filename of ['a', 'b']) {
        const { status } = await fetch(`${replica.url}/v1/file`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ filename, contents: 'é' }),
        });
        expect(status).toBe(201);
      }
    }
    await replica.kill();
    expect(await outputOf(['check-quota'], env)).toBe('counters agree with what is stored');

    const database = await openDatabase(env.DATABASE_URL, { embeddedFolder: 'unused' });
    await database.query(`UPDATE owner_usage SET documents = 3, bytes = 1 WHERE owner = 'drifted'`);
    await database.query(`DELETE FROM owner_usage WHERE owner = 'uncounted'`);
    await database.query(`INSERT INTO owner_usage VALUES ('gone', 0, 7, 1)`);
    await database.close();
    const { code, stdout } = await runCommand(['check-quota'], env);
    expect([code, stdout]).toEqual([
      1,
      'drifted: counted 3 documents of 1 bytes, stored 2 of 4\n' +
        'gone: counted 0 documents of 7 bytes, stored 0 of 0\n' +
        'uncounted: counted 0 documents of 0 bytes, stored 2 of 4\n',
    ]);
  });
});
