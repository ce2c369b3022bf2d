import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@platform/database';
import { AUTHZ_SETTINGS, migratedDatabase, startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { createTenant, openAuthzClients, startService, type ServiceProcess } from './platform/index.ts';
import { send } from './platform-suite.fixture.ts';
import { routesOf, statusOf } from './routes.fixture.ts';

const payload = JSON.parse(
  readFileSync(new URL('../../examples/first-flight.json', import.meta.url), 'utf8'),
) as unknown;

/** Statuses of a service that could not do what it was asked. */
const FAILED = [500, 502, 503, 504];

let postgres: Postgres;
let authz: ServiceProcess;
let token: string;

beforeAll(async () => {
  postgres = await startPostgres();
  authz = await startService('authz-grpc', {
    DATABASE_URL: await migratedDatabase(postgres, 'authz-grpc'),
    ...AUTHZ_SETTINGS,
  });
  const clients = openAuthzClients(authz.grpcAddress);
  ({ token } = await createTenant(clients));
  clients.close();
});
afterAll(async () => {
  await authz?.kill();
  await postgres?.stop();
});

/**
 * The routes that read, on a service that starts while its database takes no writes; `fill` makes what they
 * read before that, and returns the parameters of its paths.
 */
async function readsOnReadOnly(
  name: 'docstore-api' | 'investigation-api',
  env: Readonly<Record<string, string>>,
  fill: (service: ServiceProcess) => Promise<Record<string, string>>,
): Promise<Record<string, number>> {
  const DATABASE_URL = await migratedDatabase(postgres, name);
  const first = await startService(name, { DATABASE_URL, ...env });
  const params = await fill(first);
  await first.stop();
  const database = await openDatabase(DATABASE_URL, { embeddedFolder: 'unused' });
  const of = new URL(DATABASE_URL).pathname.slice(1);
  await database.query(`ALTER DATABASE "${of}" SET default_transaction_read_only = on`);
  await database.close();
  const service = await startService(name, { DATABASE_URL, ...env });
  try {
    const routes = await routesOf(`${service.url}${name === 'docstore-api' ? '/v1' : ''}/openapi.json`);
    const reads = routes.filter(({ method }) => method === 'GET' || method === 'HEAD');
    const headers = { authorization: `Bearer ${token}` };
    const statuses: Record<string, number> = {};
    for (const route of reads)
      statuses[`${route.method} ${route.path}`] = await statusOf(service.url, route, { headers, params });
    return statuses;
  } finally {
    await service.kill();
  }
}
const failedOf = (statuses: Record<string, number>) =>
  Object.entries(statuses).filter(([, status]) => FAILED.includes(status));

describe('a service that starts on a read-only database', () => {
  it('docstore-api serves every read', async () => {
    covers('PLAT-W.9');
    const env = { DOCSTORE_AUTHZ_URL: authz.grpcAddress, DOCSTORE_REQUESTS_PER_MINUTE: '1000000' };
    const statuses = await readsOnReadOnly('docstore-api', env, async ({ url }) => {
      const filename = `${randomUUID()}.txt`;
      const { json } = await send(url, token, 'POST', '/v1/file', { filename, contents: 'kept' });
      return { id: json.id, path: filename, version: '1' };
    });
    expect(failedOf(statuses)).toEqual([]);
    expect(statuses['GET /v1/file/{id}']).toBe(200);
  });

  it('investigation-api serves every read', async () => {
    covers('PLAT-W.9');
    const env = { INVESTIGATION_AUTHZ_URL: authz.grpcAddress };
    const statuses = await readsOnReadOnly('investigation-api', env, async ({ url }) => {
      const sessions = '/api/v1/sessions';
      const made = await send(url, token, 'POST', sessions, { name: 'kept', payload });
      const { session_id } = made.json;
      await send(url, token, 'POST', `${sessions}/${session_id}/judge`, {});
      const { json } = await send(url, token, 'PUT', `${sessions}/${session_id}/share`, { public: true });
      return { session_id, share_id: json.share_id };
    });
    expect(failedOf(statuses)).toEqual([]);
    expect(statuses['GET /api/v1/sessions/{session_id}']).toBe(200);
  });
});
