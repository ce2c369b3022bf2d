import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  credentials,
  makeClientConstructor,
  status,
  type Client,
  type ClientReadableStream,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openAuthzClients, requestContext, type AuthzClients } from '@platform/authz-client';
import {
  AUTHZ_SETTINGS,
  freePort,
  startPostgres,
  startRedis,
  migratedDatabase,
  type Postgres,
  type Redis,
} from '@platform/testing';
import { service as healthService } from 'grpc-health-check';
import {
  checkWorker,
  createLedger,
  createTenant,
  documentWorker,
  isSuccess,
  mintDocstoreKey,
  sessionWorker,
  startBalancer,
  startService,
  type Balancer,
  type Outcome,
  type ServiceName,
  type ServiceProcess,
  type Tenant,
  type Worker,
} from './platform/index.ts';

/**
 * Time between failing readiness and closing the door: many periods of the balancer's probe, for a busy
 * machine. It costs nothing, for a connection nobody uses is kept a second longer still.
 */
const DRAIN_DELAY_MS = '4000';
const WORKERS = 4;

let postgres: Postgres;
let redis: Redis;
const databases = {} as Record<ServiceName, string>;
let authzPorts: [number, number];
let authzTarget: string;
let authz: ServiceProcess[];
let clients: AuthzClients;
let tenant: Tenant;
let key: string;
const running = new Set<ServiceProcess>();
const balancers: Balancer[] = [];

async function start(name: ServiceName, more: Record<string, string> = {}): Promise<ServiceProcess> {
  const settings: Record<ServiceName, Record<string, string>> = {
    'authz-grpc': {
      AUTHZ_REPLICAS: '2',
      ...AUTHZ_SETTINGS,
      // Its clients are told by their connections.
      AUTHZ_DRAIN_DELAY_MS: '1000',
    },
    'docstore-api': {
      DOCSTORE_REPLICAS: '2',
      DOCSTORE_AUTHZ_URL: authzTarget,
      DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
      DOCSTORE_DRAIN_DELAY_MS: DRAIN_DELAY_MS,
    },
    'investigation-api': {
      INVESTIGATION_REPLICAS: '2',
      INVESTIGATION_AUTHZ_URL: authzTarget,
      INVESTIGATION_DRAIN_DELAY_MS: DRAIN_DELAY_MS,
    },
  };
  const service = await startService(name, {
    DATABASE_URL: databases[name],
    REDIS_URL: redis.url,
    ...settings[name],
    ...more,
  });
  running.add(service);
  void once(service.process, 'exit').then(() => running.delete(service));
  return service;
}
const startAuthz = (port: number) => start('authz-grpc', { AUTHZ_GRPC_PORT: String(port) });

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  authzPorts = [await freePort(), await freePort()];
  authzTarget = `ipv4:${authzPorts.map((port) => `127.0.0.1:${port}`).join(',')}`;
  for (const name of ['authz-grpc', 'docstore-api', 'investigation-api'] as const)
    databases[name] = await migratedDatabase(postgres, name);
  authz = [await startAuthz(authzPorts[0]), await startAuthz(authzPorts[1])];
  // As the services that ask it: a replica that was unavailable is found again within about a second.
  clients = openAuthzClients(authzTarget, {
    channel: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
  });
  tenant = await createTenant(clients);
  const docstore = await start('docstore-api');
  key = await mintDocstoreKey(docstore.url, tenant.token);
  await docstore.kill();
});
afterAll(async () => {
  clients?.close();
  for (const balancer of balancers) await balancer.close();
  for (const service of running) await service.kill();
  await redis?.stop();
  await postgres?.stop();
});

/** Keeps the workers at it while `disturb` runs, and gives how every request ended. */
async function underLoad(
  makeWorker: (observe: (outcome: Outcome) => void) => Worker,
  disturb: (settle: () => Promise<void>) => Promise<void>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: WORKERS }, async () => {
      const step = makeWorker((outcome) => outcomes.push(outcome));
      while (!isOver) await step();
    }),
  );
  /** Waits for as many requests again as keep every worker busy for a while. */
  const settle = async () => {
    for (const target = outcomes.length + 6 * WORKERS; outcomes.length < target;) await sleep(20);
  };
  try {
    await settle();
    await disturb(settle);
  } finally {
    isOver = true;
    await load;
  }
  return outcomes;
}

/** What a service waits for a decision of authz-grpc. Milliseconds. */
const CHECK_MAX_MS = 700;

/**
 * Whether the service waited in vain for authz-grpc: a busy machine delays decisions, and no roll-out of
 * another service does. A replica that closes its connection to authz-grpc too early is refused at once.
 */
function isLateDecision({ cause, ms }: Outcome): boolean {
  return ms >= CHECK_MAX_MS && cause?.includes('credentials cannot be checked') === true;
}

/** The requests that failed, each with what it was told. */
function failures(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter((outcome) => !isSuccess(outcome) && !isLateDecision(outcome))
    .map(({ operation, result, cause, ms }) => `${operation}: ${result} after ${ms} ms ${cause ?? ''}`);
}

/** Resolves once the replica of authz-grpc has served a check. */
async function untilAsked({ probeUrl }: ServiceProcess): Promise<void> {
  const answered = /^grpc_request_duration_seconds_count\{[^}]*CheckAuthorization[^}]*\} [1-9]/m;
  while (!answered.test(await (await fetch(`${probeUrl}/metrics`)).text())) await sleep(20);
}

/** Replaces both replicas of an HTTP service, one after the other, behind a balancer under load. */
async function rollHttp(
  name: ServiceName,
  worker: (baseUrl: string, observe: (outcome: Outcome) => void) => Worker,
) {
  const balancer = await startBalancer();
  balancers.push(balancer);
  const replicas = await Promise.all([start(name), start(name)]);
  replicas.forEach(balancer.add);
  return underLoad(
    (observe) => worker(balancer.url, observe),
    async (settle) => {
      for (const replica of replicas) {
        balancer.add(await start(name));
        expect(await replica.stop()).toBe(0);
        await settle();
      }
    },
  );
}

describe('a rolling restart under load drops no request', () => {
  it('a rolling restart under load drops no request of docstore-api', async () => {
    const ledger = createLedger();
    const outcomes = await rollHttp('docstore-api', (baseUrl, observe) =>
      documentWorker({ baseUrl, token: key, ledger, observe }),
    );
    expect(failures(outcomes)).toEqual([]);
    expect(ledger.contradictions).toEqual([]);
  });

  it('a rolling restart under load drops no request of investigation-api', async () => {
    const ledger = createLedger();
    const outcomes = await rollHttp('investigation-api', (baseUrl, observe) =>
      sessionWorker({ baseUrl, token: tenant.token, ledger, observe }),
    );
    expect(failures(outcomes)).toEqual([]);
  });

  it('a rolling restart under load drops no request of authz-grpc, to clients that know both addresses', async () => {
    const ledger = createLedger();
    const outcomes = await underLoad(
      (observe) => checkWorker({ clients, ledger, observe, nextTenant: async () => tenant }),
      async (settle) => {
        for (const [index, port] of authzPorts.entries()) {
          expect(await authz[index]!.stop()).toBe(0);
          await settle();
          authz[index] = await startAuthz(port);
          // A roll-out continues when the clients have found the replica.
          await untilAsked(authz[index]);
          await settle();
        }
      },
    );
    expect(failures(outcomes)).toEqual([]);
  });
});

/** Resolves once the service works on `count` requests. */
async function untilInFlight(service: ServiceProcess, count: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${service.probeUrl}/metrics`)).text();
    const [, value] = /^http_requests_in_flight\{.*\} (\d+)$/m.exec(text) ?? [];
    if (Number(value) === count) return;
    await sleep(10);
  }
}

describe('told to stop in the middle', () => {
  it('docstore-api stopped during an upload reads the rest, responds and exits with 0', async () => {
    const service = await start('docstore-api', { DOCSTORE_DRAIN_DELAY_MS: '0' });
    const upload = request(`${service.url}/v1/file`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    upload.write('{"filename":"half","contents":"the first half');
    await untilInFlight(service, 1);
    const stopped = service.stop();
    await sleep(200);
    upload.end(' and the second"}');
    const [response] = (await once(upload, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    expect(response.statusCode).toBe(201);
    response.resume();
    expect(await stopped).toBe(0);
  });

  it('investigation-api stopped during a judgement returns the verdict and exits with 0', async () => {
    const service = await start('investigation-api', { INVESTIGATION_DRAIN_DELAY_MS: '0' });
    const send = (path: string, body: unknown) =>
      fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    // Large enough that the signal comes while it is judged.
    const claims = Array.from({ length: 5_000 }, (_, index) => ({
      id: `c${index}`,
      actor_id: `a${index % 50}`,
      subject_id: `s${index % 500}`,
      predicate: 'is',
      value: `v${index % 3}`,
      content: 'said so',
    }));
    const actors = Array.from({ length: 50 }, (_, index) => ({
      id: `a${index}`,
      name: `A${index}`,
      source_type: 'Expert',
    }));
    const subjects = Array.from({ length: 500 }, (_, index) => ({
      id: `s${index}`,
      name: `S${index}`,
      subject_type: 'thing',
    }));
    const payload = { research_question: 'Which?', actors, subjects, claims };
    const created = await send('/api/v1/sessions', { session_id: 'stopped', name: 'stopped', payload });
    expect(created.status).toBe(201);
    let isAnswered = false;
    const judged = send('/api/v1/sessions/stopped/judge', {}).finally(() => (isAnswered = true));
    await untilInFlight(service, 1);
    const stopped = service.stop();
    expect(isAnswered).toBe(false);
    const answer = await judged;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toHaveProperty('result');
    expect(await stopped).toBe(0);
  });

  it('authz-grpc stopped during a health Watch and checks reports NOT_SERVING, serves the checks, ends the stream and exits with 0', async () => {
    const service = await start('authz-grpc');
    const Health = makeClientConstructor(healthService, 'Health');
    const health = new Health(service.grpcAddress, credentials.createInsecure()) as unknown as Client & {
      watch(request: { service: string }): ClientReadableStream<{ status: string }>;
    };
    const own = openAuthzClients(service.grpcAddress);
    const watch = health.watch({ service: '' });
    const said: string[] = [];
    watch.on('data', (message: { status: string }) => said.push(message.status));
    const ended = new Promise<number>((resolve) => {
      watch.on('error', () => undefined);
      watch.on('status', ({ code }: { code: number }) => resolve(code));
    });
    while (said.length === 0) await sleep(10);
    const object = `svc://${tenant.rootDomainId}/documents/1`;
    const context = requestContext({ subject: tenant.userId, action: 'read', object });
    const check = () => own.authorization.checkAuthorization({ context }, { token: tenant.token });
    // Its connection is open from then on: what is asked on it comes before the door is closed.
    await check();
    const checks = Array.from({ length: 32 }, check);
    const stopped = service.stop();
    expect(await Promise.all(checks)).toHaveLength(32);
    // The client is to watch elsewhere, not to believe that the service is gone for good.
    expect(await ended).toBe(status.UNAVAILABLE);
    expect(said).toEqual(['SERVING', 'NOT_SERVING']);
    expect(await stopped).toBe(0);
    health.close();
    own.close();
  });
});
