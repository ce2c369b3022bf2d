import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { warnUnlessAlone } from './maintenance.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

describe('replicas without Redis', () => {
  covers('AUTHZ-G.14');
  it('a replica without Redis warns while another serves its database', async () => {
    const url = await postgres.createDatabase();
    const open = () => openDatabase(url, { embeddedFolder: 'unused', service: 'authz-grpc' });
    const [database, other] = [await open(), await open()];
    const warned: object[] = [];
    const look = (redisUrl?: string) =>
      warnUnlessAlone({
        config: { redisUrl },
        database,
        logger: { warn: (fields: object) => warned.push(fields) },
      });
    await look('redis://shared');
    expect(warned).toEqual([]);
    await look();
    expect(warned).toEqual([{ others: 1 }]);
    await other.close();
    // The server takes a moment to end the connection that was closed.
    let before: number;
    do {
      before = warned.length;
      await look();
    } while (warned.length > before);
    await database.close();
  });
});
