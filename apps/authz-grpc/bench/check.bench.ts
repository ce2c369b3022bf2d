/**
 * CheckAuthorization, BatchCheckAuthorization and POST /v1/authz/check against servers that answer the same messages
 * without doing anything. Real Postgres as the tests start it, without fsync, real Redis, strict audit. Rounds of both alternate
 * within one run, so that what else the machine does weighs on both; figures are medians over the rounds.
 * Needs the built service: `nx build authz-grpc`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openAuthzClients, requestContext } from '@platform/authz-client';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { startPostgres, startRedis, type BenchRow } from '@platform/testing';
import { load, median, poster, type Round } from './load.ts';

const ROUNDS = 5;
const CALLS = 2_000;
const IN_FLIGHT = 64;
const BATCH = 100;
const POLICIES = 1_000;
const PASSWORD = 'a password of the benchmark 5519';

function start(children: ChildProcess[], args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function firstLine<T>(child: ChildProcess, isWanted: (line: T) => boolean): Promise<T> {
  for await (const text of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const line = JSON.parse(text) as T;
    if (isWanted(line)) return line;
  }
  throw new Error('the server ended');
}

/** Throughput and tail of the service's hot calls beside servers that do nothing. */
export async function run(): Promise<BenchRow[]> {
  const children: ChildProcess[] = [];
  const postgres = await startPostgres();
  const redis = await startRedis();
  try {
    const service = start(
      children,
      [fileURLToPath(new URL('../../../dist/apps/authz-grpc/main.js', import.meta.url)), 'serve'],
      {
        DATABASE_URL: await postgres.createDatabase(),
        REDIS_URL: redis.url,
        AUTHZ_MIGRATE_ON_START: 'true',
        AUTHZ_ROOT_PASSWORD: PASSWORD,
        AUTHZ_GRPC_PORT: '0',
        AUTHZ_HTTP_PORT: '0',
        AUTHZ_PROBE_PORT: '0',
        AUTHZ_QUOTA_DATA_PLANE: '1000000000000',
        AUTHZ_QUOTA_USER_PLANE: '1000000000000',
      },
    );
    const ready = await firstLine<{ msg: string; grpc_port: number; http_port: number }>(
      service,
      ({ msg }) => msg === 'ready',
    );
    service.stdout?.resume();
    const echo = start(
      children,
      ['--import', 'tsx', fileURLToPath(new URL('./echo-server.ts', import.meta.url))],
      {},
    );
    const echoPorts = await firstLine<{ grpcPort: number; httpPort: number }>(echo, () => true);

    const clients = openAuthzClients(`127.0.0.1:${ready.grpc_port}`);
    const echoClients = openAuthzClients(`127.0.0.1:${echoPorts.grpcPort}`);
    // One tenant may ask 10,000 times a second, so the load is spread over several.
    const tenants: { token: string; rootDomainId: string; userId: string }[] = [];
    for (let i = 0; i < 8; i += 1) {
      const username = `user-${randomUUID()}`;
      await clients.users.createUser({ username, email: `${username}@example.org`, password: PASSWORD });
      const plain = (await clients.sessions.login({ username, password: PASSWORD })).token;
      const tenant = await clients.tenants.createTenant(
        { name: username, description: '' },
        { token: plain },
      );
      const { token, userId } = await clients.sessions.refreshLoginWithTenant(
        { tenantId: tenant.id },
        { token: plain },
      );
      const [domain] = tenant.domains;
      const domainId = domain?.id as string;
      const policies = Array.from({ length: POLICIES }, (_, index): Policy => ({
        name: `p${index}`,
        description: '',
        invert: false,
        deny: false,
        engine: EvaluationEngine.PREFIX,
        statements: [
          {
            rules: new Map([
              ['subject', `user-${index}`],
              ['object', `svc://${domainId}/docs/${index}/`],
            ]),
          },
        ],
      }));
      await clients.domains.putDomainPolicies({ tenantId: tenant.id, domainId, policies }, { token });
      tenants.push({ token, rootDomainId: domainId, userId });
    }
    const contexts = tenants.map(({ rootDomainId }) =>
      requestContext({
        subject: 'user-7',
        action: 'read',
        object: `svc://${rootDomainId}/docs/7/report`,
        ip_address: '192.0.2.17',
      }),
    );
    let turn = 0;
    const nextTenant = () => (turn = (turn + 1) % tenants.length);
    const checkWith = (target: typeof clients) => async () => {
      const index = nextTenant();
      const { authorized } = await target.authorization.checkAuthorization(
        { context: contexts[index] as (typeof contexts)[number] },
        { token: tenants[index]?.token },
      );
      if (!authorized) throw new Error('not authorized');
    };
    const batchWith = (target: typeof clients) => async () => {
      const index = nextTenant();
      const context = contexts[index] as (typeof contexts)[number];
      const { results } = await target.authorization.batchCheckAuthorization(
        { checks: Array.from({ length: BATCH }, () => ({ context })) },
        { token: tenants[index]?.token },
      );
      if (results.length !== BATCH || !results[0]?.authorized) throw new Error('not authorized');
    };
    const posters = (port: number) => {
      const all = tenants.map(({ token, rootDomainId }) =>
        poster(
          `http://127.0.0.1:${port}/v1/authz/check`,
          JSON.stringify({
            context: {
              subject: 'user-7',
              action: 'read',
              object: `svc://${rootDomainId}/docs/7/report`,
              ip_address: '192.0.2.17',
            },
          }),
          { Authorization: `Bearer ${token}` },
        ),
      );
      return () => (all[nextTenant()] as () => Promise<void>)();
    };

    const cases = [
      {
        name: 'gRPC check',
        ours: checkWith(clients),
        bare: checkWith(echoClients),
        calls: CALLS,
        decisions: 1,
        share: 0.6,
      },
      {
        name: 'REST check',
        ours: posters(ready.http_port),
        bare: posters(echoPorts.httpPort),
        calls: CALLS,
        decisions: 1,
        share: 0.5,
      },
      {
        name: `gRPC batch of ${BATCH}`,
        ours: batchWith(clients),
        bare: batchWith(echoClients),
        calls: 500,
        decisions: BATCH,
        share: null,
      },
    ];
    const rows: BenchRow[] = [];
    for (const { name, ours, bare, calls, decisions, share } of cases) {
      await load(ours, calls / 2, IN_FLIGHT);
      await load(bare, calls / 2, IN_FLIGHT);
      const oursRounds: Round[] = [];
      const bareRounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        bareRounds.push(await load(bare, calls, IN_FLIGHT));
        oursRounds.push(await load(ours, calls, IN_FLIGHT));
      }
      const perSecond = median(oursRounds, 'perSecond');
      const bareRate = median(bareRounds, 'perSecond');
      const [p99, bareP99] = [median(oursRounds, 'p99'), median(bareRounds, 'p99')];
      rows.push({
        name: `${name}, ${IN_FLIGHT} in flight ÷ bare server`,
        value: Number((perSecond / bareRate).toFixed(2)),
        unit: '×',
        target: share === null ? '' : `≥ ${share}`,
        pass: share === null || perSecond / bareRate >= share,
        detail: `${Math.round(perSecond)} against ${Math.round(bareRate)} calls/s, p50 ${median(oursRounds, 'p50').toFixed(1)} ms`,
      });
      rows.push({
        name: `${name}, p99 ÷ p99 of the bare server`,
        value: Number((p99 / bareP99).toFixed(2)),
        unit: '×',
        target: '≤ 3',
        pass: p99 / bareP99 <= 3,
        detail: `${p99.toFixed(1)} against ${bareP99.toFixed(1)} ms`,
      });
      if (decisions > 1) {
        const perSecondDecided = Math.round(perSecond * decisions);
        rows.push({
          name: `${name}, decisions`,
          value: perSecondDecided,
          unit: 'decisions/s',
          target: '≥ 100,000',
          pass: perSecondDecided >= 100_000,
          detail: `strict audit, ${POLICIES} policies a domain`,
        });
      }
    }
    clients.close();
    echoClients.close();
    return rows;
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await redis.stop();
    await postgres.stop();
  }
}
