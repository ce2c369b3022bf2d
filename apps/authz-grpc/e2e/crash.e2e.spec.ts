import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext, type AuthzClients } from '@platform/authz-client';
import { openDatabase, type Database } from '@platform/database';
import {
  AUTHZ_SETTINGS,
  startBuiltService,
  startPostgres,
  startRedis,
  type BuiltProcess,
  type Postgres,
  type Redis,
} from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { verifyAllChains } from '../src/audit/verify-chain.ts';
import { createAuditReader } from '../src/store/sql-audit-reader.ts';
import { openClients } from './clients.fixture.ts';
import { createTenancy, createUserAndLogin } from './service.fixture.ts';

/** Responses that each process sends before it is killed, in the midst of others. */
const ANSWERS_BEFORE_KILL = 1_000;

interface Child {
  readonly clients: AuthzClients;
  /** Ends the process on the spot, and waits until it is gone. */
  kill(): Promise<void>;
}

/** The service as a process of its own, for nothing short of SIGKILL ends one without a last word. */
describe('after kill -9', () => {
  let postgres: Postgres;
  let redis: Redis;
  let url: string;
  let database: Database;
  const running: BuiltProcess[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    redis = await startRedis();
    url = await postgres.createDatabase();
    database = await openDatabase(url, { embeddedFolder: '' });
  });
  afterEach(() => Promise.all(running.splice(0).map((service) => service.kill())));
  afterAll(async () => {
    await database.close();
    await redis.stop();
    await postgres.stop();
  });

  async function start(): Promise<Child> {
    const service = await startBuiltService('authz-grpc', {
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      ...AUTHZ_SETTINGS,
      AUTHZ_MIGRATE_ON_START: 'true',
    });
    running.push(service);
    const clients = openClients(service.ports['grpc_port']!);
    return {
      clients,
      async kill() {
        await service.kill();
        clients.close();
      },
    };
  }

  const count = async (table: string) =>
    Number((await database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n);

  /** The tables a bootstrap writes, in the order it writes them. */
  const STEPS = ['tenants', 'quotas', 'associations', 'domains'];

  it.each(STEPS)('a tenant whose bootstrap was at `%s` is not there, nor any part of it', async (step) => {
    covers('AUTHZ-B.1');
    const service = await start();
    const user = await createUserAndLogin(service.clients);
    const before = await Promise.all(STEPS.map(count));
    // The step's insert waits for a lock that this test holds, so the process dies exactly there.
    const locker = await openDatabase(url, { embeddedFolder: '' });
    await locker.transaction(async (sql) => {
      await sql.query(`LOCK TABLE ${step} IN EXCLUSIVE MODE`);
      const call = service.clients.tenants
        .createTenant({ name: `half ${step}`, description: '' }, { token: user.plainToken })
        .catch((error: unknown) => error);
      for (;;) {
        const { rows } = await database.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query ~ $1`,
          [`^INSERT INTO ("public".)?"?${step}"? `],
        );
        if (rows.length > 0) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await service.kill();
      await call;
    });
    await locker.close();
    // Once the lock is free the dead process's statement runs, and its transaction ends without a commit.
    for (;;) {
      const { rows } = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
           AND pid <> pg_backend_pid()`,
      );
      if (rows.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await Promise.all(STEPS.map(count))).toEqual(before);
  });

  it('every check that got a response has its row, and the chains hold', async () => {
    covers('AUTHZ-U.2');
    const ids: string[] = [];
    for (let run = 0; run < 3; run += 1) {
      const service = await start();
      const tenancy = await createTenancy(service.clients);
      const context = requestContext({
        subject: 'a',
        action: 'b',
        object: `svc://${tenancy.rootDomainId}/x`,
      });
      const enough = ids.length + ANSWERS_BEFORE_KILL;
      let reached = () => undefined as void;
      const isEnough = new Promise<void>((resolve) => (reached = resolve));
      const onTrailer = (trailer: { get(key: string): unknown[] }) => {
        if (ids.push(String(trailer.get('x-check-id')[0])) === enough) reached();
      };
      let isAlive = true;
      const load = Promise.all(
        Array.from({ length: 32 }, async () => {
          while (isAlive) {
            await service.clients.authorization
              .checkAuthorization({ context }, { token: tenancy.token, onTrailer })
              .catch(() => (isAlive = false));
          }
        }),
      );
      await Promise.race([isEnough, load]);
      expect(isAlive).toBe(true);
      await service.kill();
      isAlive = false;
      await load;
    }
    const { rows } = await database.query('SELECT id FROM audit_events WHERE id = ANY($1::uuid[])', [ids]);
    expect(ids.length - rows.length).toBe(0);
    let chained = 0;
    for await (const report of verifyAllChains(createAuditReader(database))) {
      expect(report.broken).toBeNull();
      chained += report.rows;
    }
    expect(chained).toBe(await count('audit_events'));
  });
});
