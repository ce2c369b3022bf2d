import { afterAll, beforeAll } from '@jest/globals';
import { startPostgres, type Postgres } from '@platform/testing';
import { startTestService } from '../test-service.fixture.ts';
import { httpContract } from './http.contract.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

httpContract('Postgres', async () => startTestService(await postgres.createDatabase()));
httpContract('PGlite', () => startTestService('pglite:memory://'));
