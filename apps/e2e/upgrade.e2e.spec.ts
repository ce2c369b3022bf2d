import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openAuthzClients } from '@platform/authz-client';
import { migrate, openDatabase, type Database } from '@platform/database';
import { generateSigningKey, publicJwks, signToken, verificationKeyOf } from '@platform/jwt';
import { ROOT_PASSWORD, startPostgres, startRedis, type Postgres, type Redis } from '@platform/testing';
import {
  checkWorker,
  createLedger,
  createTenant,
  documentWorker,
  isSuccess,
  runService,
  sessionWorker,
  startService,
  type Outcome,
  type ServiceName,
  type ServiceProcess,
  type Worker,
} from './platform/index.ts';

/** What version N adds to each service's tables: a column that version N-1 knows nothing of. */
const EXPANSION = '99990101000000_expand';
const EXPANDED = {
  'authz-grpc': { folder: 'authz', table: 'tenants' },
  'docstore-api': { folder: 'docstore', table: 'documents' },
  'investigation-api': { folder: 'investigation', table: 'sessions' },
} as const satisfies Record<ServiceName, { folder: string; table: string }>;
const SERVICES = Object.keys(EXPANDED) as ServiceName[];
const STEPS = 8;

let postgres: Postgres;
let redis: Redis;
let folder: string;
const running: ServiceProcess[] = [];
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  folder = mkdtempSync(join(tmpdir(), 'expansion-'));
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.kill();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await redis.stop();
  await postgres.stop();
});

/** The migrations of version N: those of the service and the expansion. */
function nextMigrations(name: ServiceName): string {
  const { folder: schema, table } = EXPANDED[name];
  const next = join(folder, schema);
  cpSync(fileURLToPath(new URL(`../../prisma/${schema}/migrations`, import.meta.url)), next, {
    recursive: true,
  });
  mkdirSync(join(next, EXPANSION));
  writeFileSync(
    join(next, EXPANSION, 'migration.sql'),
    `ALTER TABLE "${table}" ADD COLUMN "added_by_next" TEXT;\n`,
  );
  return next;
}

/** Starts the service over the database, and gives a worker of its own for it. */
async function startWithWorker(
  name: ServiceName,
  databaseUrl: string,
  observe: (outcome: Outcome) => void,
): Promise<{ service: ServiceProcess; step: Worker }> {
  const ledger = createLedger();
  const key = await generateSigningKey();
  const PUBLIC_KEY = JSON.stringify(publicJwks([verificationKeyOf(key)]));
  const service = await startService(name, {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
    INVESTIGATION_JWT_PUBLIC_KEY: PUBLIC_KEY,
    DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
  });
  running.push(service);
  if (name === 'docstore-api') {
    const minted = await runService(name, ['key', '--owner', 'upgrade'], { DATABASE_URL: databaseUrl });
    const token = minted.stdout.trim();
    return { service, step: documentWorker({ baseUrl: service.url, token, ledger, observe }) };
  }
  if (name === 'investigation-api') {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: 'authz-grpc',
      aud: 'platform',
      sub: 'analyst',
      tenant_id: '018f0000-0000-7000-8000-000000000001',
      iat: now,
      nbf: now,
      exp: now + 3600,
      jti: 'upgrade',
    };
    const token = await signToken(claims, { type: 'at+jwt', key });
    return { service, step: sessionWorker({ baseUrl: service.url, token, ledger, observe }) };
  }
  const clients = openAuthzClients(service.grpcAddress);
  void service.process.once('exit', () => clients.close());
  const nextTenant = () => createTenant(clients);
  return { service, step: checkWorker({ clients, ledger, observe, nextTenant }) };
}

const columns = async (database: Database, table: string) =>
  (
    await database.query<{ column_name: string }>(
      `SELECT column_name FROM information_schema.columns WHERE table_name = $1`,
      [table],
    )
  ).rows.map(({ column_name }) => column_name);

describe.each(SERVICES)('version N beside N-1 of %s, on one database', (name) => {
  it('N-1 refuses a database that lacks a migration, and says what to do', async () => {
    const DATABASE_URL = await postgres.createDatabase();
    await expect(
      startService(name, {
        DATABASE_URL,
        REDIS_URL: redis.url,
        INVESTIGATION_AUTHZ_URL: 'dns:///localhost:1',
      }),
    ).rejects.toThrow(/the database lacks \d+_init(, \d+_\w+)*: run `migrate` first/);
  });

  it('N-1 keeps serving while an expansion is applied under it, starts again after it, and its migrate leaves it alone', async () => {
    const databaseUrl = await postgres.createDatabase();
    expect((await runService(name, ['migrate'], { DATABASE_URL: databaseUrl })).code).toBe(0);
    const outcomes: Outcome[] = [];
    const observe = (outcome: Outcome) => void outcomes.push(outcome);
    const before = await startWithWorker(name, databaseUrl, observe);
    for (let step = 0; step < STEPS; step++) await before.step();

    const database = await openDatabase(databaseUrl, { embeddedFolder: '' });
    try {
      let isMigrated = false;
      const expansion = migrate(database, nextMigrations(name)).finally(() => (isMigrated = true));
      while (!isMigrated) await before.step();
      expect(await expansion).toEqual([EXPANSION]);
      expect(await columns(database, EXPANDED[name].table)).toContain('added_by_next');
      for (let step = 0; step < STEPS; step++) await before.step();

      // A replica of N-1 that is restarted in the middle of the roll-out, or rolled back to.
      const after = await startWithWorker(name, databaseUrl, observe);
      for (let step = 0; step < STEPS; step++) await after.step();
      expect(outcomes.filter((outcome) => !isSuccess(outcome))).toEqual([]);
      expect(outcomes.length).toBeGreaterThanOrEqual(3 * STEPS);
      expect((await runService(name, ['migrate'], { DATABASE_URL: databaseUrl })).code).toBe(0);
      expect(await columns(database, EXPANDED[name].table)).toContain('added_by_next');
    } finally {
      await database.close();
    }
  });
});
