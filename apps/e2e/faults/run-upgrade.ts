import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAuthzClients, requestContext } from '@platform/authz-client';
import { AUTHZ_SETTINGS, freePort } from '@platform/testing';
import {
  checkWorker,
  createLedger,
  createTenant,
  documentWorker,
  isSuccess,
  mintDocstoreKey,
  runService,
  sendJson,
  sessionWorker,
  startBalancer,
  startService,
  type Outcome,
  type ServiceName,
  type ServiceProcess,
} from '../platform/index.ts';
import { buildAt } from './build-at.ts';
import { createDatabases, keepBusy, SERVICES } from './faults.ts';
import type { Invariant } from './invariant.ts';
import { checkInvariants } from './invariants.ts';
import { ownPostgres, ownRedis } from './servers.ts';

/** As long as a balancer takes to notice, and more. Milliseconds. */
const DRAIN_DELAY_MS = '3000';
const WORKERS = 3;
/** Far beyond the calls of a run. */
const CALLS_MAX = '1000000000';
/** Requests of every client of a service that a step waits for at least. */
const SETTLED = 3;
/** How requests may end. */
const PROMISED_RESULTS = ['ok', '503'];

/** One step of the roll-out: how many requests of each service ended how, from its begin to the next one. */
export interface UpgradeStep {
  readonly name: string;
  readonly ms: number;
  readonly results: Readonly<Record<ServiceName, Readonly<Record<string, number>>>>;
}

export interface UpgradeReport {
  readonly from: string;
  readonly seconds: number;
  readonly requests: number;
  readonly steps: readonly UpgradeStep[];
  readonly invariants: readonly Invariant[];
}

/** A replica, and whose version it is. */
interface Replica {
  readonly service: ServiceProcess;
  readonly isNew: boolean;
}

/** An invariant as it is being compared. */
interface Reads {
  readonly promise: string;
  compared: number;
  readonly broken: string[];
}

/** What one version made and every replica must be able to read. */
interface Artifacts {
  readonly of: string;
  readonly token: string;
  readonly documentId: string;
  readonly contents: string;
  readonly docstoreKey: string;
  readonly sessionId: string;
  readonly sharePath: string;
  readonly shareJson: string;
  readonly apiKey: string;
  readonly userId: string;
  readonly rootDomainId: string;
}

/**
 * Builds the services as `from` has them (N-1), runs two replicas of each over one Postgres and one Redis
 * under load, migrates with this working copy (N), replaces replica after replica by N, and rolls all of them
 * back. What each version made is read at every replica of the other; at the end what was
 * acknowledged is compared with what is held. Errors: those of `buildAt`, a replica that does not start.
 */
export async function runUpgrade(options: {
  readonly from: string;
  readonly tell: (line: string) => void;
}): Promise<UpgradeReport> {
  const { tell } = options;
  const stops: (() => unknown)[] = [];
  try {
    tell(`building ${options.from}`);
    const before = await buildAt(options.from);
    const postgres = await ownPostgres();
    await postgres.start();
    stops.push(() => postgres.destroy());
    const redis = await ownRedis();
    await redis.start();
    stops.push(() => redis.destroy());
    const databases = await createDatabases(postgres.url);
    for (const name of SERVICES) await migrateBy(name, databases[name], before.built);

    const grpcPorts = [await freePort(), await freePort()];
    const authzTarget = `ipv4:${grpcPorts.map((port) => `127.0.0.1:${port}`).join(',')}`;
    const settings: Record<ServiceName, Record<string, string>> = {
      'authz-grpc': {
        AUTHZ_REPLICAS: '2',
        ...AUTHZ_SETTINGS,
        AUTHZ_QUOTA_DATA_PLANE: CALLS_MAX,
        AUTHZ_QUOTA_USER_PLANE: CALLS_MAX,
        AUTHZ_DRAIN_DELAY_MS: '1000',
      },
      'docstore-api': {
        DOCSTORE_REPLICAS: '2',
        DOCSTORE_AUTHZ_URL: authzTarget,
        DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
        // Every acknowledged version is looked for at the end.
        DOCSTORE_VERSIONS_KEPT: '1000000',
        DOCSTORE_DRAIN_DELAY_MS: DRAIN_DELAY_MS,
      },
      'investigation-api': {
        INVESTIGATION_REPLICAS: '2',
        // A share tells its address, which is that of no replica.
        INVESTIGATION_PUBLIC_URL: 'http://localhost',
        INVESTIGATION_AUTHZ_URL: authzTarget,
        INVESTIGATION_DRAIN_DELAY_MS: DRAIN_DELAY_MS,
      },
    };
    const replicas = {} as Record<ServiceName, Replica[]>;
    stops.unshift(() =>
      Promise.all(Object.values(replicas).flatMap((all) => all.map(({ service }) => service.kill()))),
    );
    const balancers = {
      'docstore-api': await startBalancer(),
      'investigation-api': await startBalancer(),
    };
    stops.unshift(() => Promise.all(Object.values(balancers).map((balancer) => balancer.close())));
    /** Starts a replica of one of the two versions; of authz-grpc, that of the place in its clients' list. */
    const start = async (name: ServiceName, place: number, isNew: boolean): Promise<Replica> => {
      const env = {
        DATABASE_URL: databases[name],
        REDIS_URL: redis.url,
        ...settings[name],
        ...(name === 'authz-grpc' ? { AUTHZ_GRPC_PORT: String(grpcPorts[place]) } : {}),
      };
      const service = await startService(name, env, undefined, isNew ? undefined : before.built);
      if (name !== 'authz-grpc') balancers[name].add(service);
      return { service, isNew };
    };
    for (const name of SERVICES) replicas[name] = [await start(name, 0, false), await start(name, 1, false)];

    const channel = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 };
    const clients = openAuthzClients(authzTarget, { channel });
    stops.unshift(() => clients.close());
    const tenant = await createTenant(clients);
    const docstoreUrl = balancers['docstore-api'].url;
    const investigationUrl = balancers['investigation-api'].url;
    const docstoreKey = await mintDocstoreKey(docstoreUrl, tenant.token);

    const seen: (Outcome & { readonly step: number })[] = [];
    const steps: { name: string; beganAt: number }[] = [];
    const ledger = createLedger();
    let isOver = false;
    const observe = (outcome: Outcome) => void seen.push({ ...outcome, step: steps.length - 1 });
    const load = keepBusy(
      Array.from({ length: WORKERS }, (_, index) => [
        documentWorker({
          ledger,
          observe,
          baseUrl: docstoreUrl,
          token: index === 0 ? tenant.token : docstoreKey,
        }),
        sessionWorker({ ledger, observe, baseUrl: investigationUrl, token: tenant.token }),
        checkWorker({ ledger, observe, clients, nextTenant: async () => tenant }),
      ]).flat(),
      () => isOver,
    );
    const step = async (name: string, act: () => Promise<unknown>) => {
      steps.push({ name, beganAt: performance.now() });
      tell(name);
      await act();
      await settle();
    };
    /** Waits until every client has had several responses more. */
    const settle = async () => {
      const from = seen.length;
      const isSettled = (service: ServiceName) =>
        seen.slice(from).filter((one) => one.service === service).length >= SETTLED * WORKERS;
      while (!SERVICES.every(isSettled)) await sleep(50);
    };

    const artifacts: Artifacts[] = [];
    const read: Reads = { promise: READ, compared: 0, broken: [] };
    /** Has each version that runs make one of everything, and every replica read all that was made. */
    const readEverywhere = async () => {
      for (const isNew of [false, true]) {
        const of = SERVICES.map((name) => replicas[name].find((replica) => replica.isNew === isNew));
        if (of.some((replica) => replica === undefined)) continue;
        const [authz, docstore, investigation] = of.map((replica) => replica!.service);
        artifacts.push(await makeArtifacts(isNew ? 'N' : 'N-1', authz!, docstore!, investigation!, channel));
      }
      for (const made of artifacts)
        for (const name of SERVICES)
          for (const replica of replicas[name]) await readAt(replica, made, channel, read);
    };
    /** Replaces the replica of one place of every service, one service after another. */
    const replace = async (place: number, isNew: boolean) => {
      for (const name of SERVICES) {
        const old = replicas[name][place]!;
        // A replica of authz-grpc takes over its address; the others are there before the old one goes.
        if (name === 'authz-grpc') await endOf(old);
        replicas[name][place] = await start(name, place, isNew);
        if (name !== 'authz-grpc') await endOf(old);
        await settle();
      }
    };

    const startedAt = performance.now();
    await step('two replicas of N-1', readEverywhere);
    await step('migrated by N', async () => {
      for (const name of SERVICES) await migrateBy(name, databases[name]);
    });
    await step('N-1 and N', () => replace(0, true));
    await step('read at N-1 and N', readEverywhere);
    await step('N', () => replace(1, true));
    await step('read at N', readEverywhere);
    await step('N and N-1: rolled back', () => replace(0, false));
    await step('read at N and N-1', readEverywhere);
    await step('N-1: rolled back', () => replace(1, false));
    await step('read at N-1', readEverywhere);
    isOver = true;
    await load;
    const endedAt = performance.now();

    tell('comparing what was acknowledged with what is held');
    const invariants = await checkInvariants(ledger, {
      docstoreUrl,
      docstoreKey,
      investigationUrl,
      databases,
      redisUrl: redis.url,
      grantsMax: Number(CALLS_MAX),
      redisLosses: [],
    });
    const others = seen.filter((one) => !PROMISED_RESULTS.includes(one.result));
    invariants.push(read, {
      promise: 'no request fails but by 503 with `Retry-After`',
      compared: seen.length,
      broken: others.map(({ service, operation, result }) => `${service} ${operation}: ${result}`),
    });
    const ends = [...steps.slice(1).map(({ beganAt }) => beganAt), endedAt];
    return {
      from: before.commit,
      seconds: (endedAt - startedAt) / 1_000,
      requests: seen.length,
      steps: steps.map(({ name, beganAt }, index) => ({
        name,
        ms: ends[index]! - beganAt,
        results: countsOf(seen.filter((one) => one.step === index)),
      })),
      invariants,
    };
  } finally {
    for (const stop of stops) await stop();
  }
}

const READ = 'what one version made is read at every replica of both: sessions, keys, documents, shares';

async function migrateBy(name: ServiceName, DATABASE_URL: string, built?: URL): Promise<void> {
  const { code, stderr } = await runService(name, ['migrate'], { DATABASE_URL }, built);
  if (code !== 0) throw new Error(`migrate of ${name} ended with ${code}: ${stderr}`);
}

async function endOf({ service }: Replica): Promise<void> {
  const code = await service.stop();
  if (code !== 0) throw new Error(`${service.name} ended with ${code}: ${service.lastWords()}`);
}

function countsOf(outcomes: readonly Outcome[]): UpgradeStep['results'] {
  const counts: Record<string, Record<string, number>> = Object.fromEntries(
    SERVICES.map((name) => [name, {}]),
  );
  for (const one of outcomes) {
    const ofService = counts[one.service]!;
    const result = isSuccess(one) ? 'ok' : `${one.operation}: ${one.result}`;
    ofService[result] = (ofService[result] ?? 0) + 1;
  }
  return counts as UpgradeStep['results'];
}

type Channel = Readonly<Record<string, number>>;

/** One of everything, made at replicas of one version. */
async function makeArtifacts(
  of: string,
  authz: ServiceProcess,
  docstore: ServiceProcess,
  investigation: ServiceProcess,
  channel: Channel,
): Promise<Artifacts> {
  const clients = openAuthzClients(authz.grpcAddress, { channel });
  try {
    const { token, userId, rootDomainId } = await createTenant(clients);
    const { apiKey } = await clients.apiKeys.createApiKey({ userId }, { token });
    const contents = `made by ${of}`;
    const document = await sendJson<{ id: string }>('POST', `${docstore.url}/v1/file`, token, {
      filename: randomUUID(),
      contents,
    });
    const docstoreKey = await mintDocstoreKey(docstore.url, token);
    const sessions = `${investigation.url}/api/v1/sessions`;
    const payload = {
      research_question: 'Who flew first?',
      actors: [{ id: 'a', name: 'A newspaper', source_type: 'Journalist' }],
      subjects: [{ id: 's', name: 'First flight', subject_type: 'event' }],
      claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'achieved_by', value: of, content: of }],
    };
    const created = await sendJson<{ session_id: string }>('POST', sessions, token, {
      name: `made by ${of}`,
      payload,
    });
    const session = `${sessions}/${created.session_id}`;
    await sendJson('POST', `${session}/judge`, token, {});
    const share = await sendJson<{ url: string }>('PUT', `${session}/share`, token, {
      public: true,
      slug: 'upgrade',
    });
    const sharePath = `${new URL(share.url).pathname}.json`;
    const shareJson = await (await fetch(investigation.url + sharePath)).text();
    return {
      of,
      token,
      documentId: document.id,
      contents,
      docstoreKey,
      sessionId: created.session_id,
      sharePath,
      shareJson,
      apiKey,
      userId,
      rootDomainId,
    };
  } finally {
    clients.close();
  }
}

/** Reads at one replica what a version made, and notes what could not be read in `into`. */
async function readAt(replica: Replica, made: Artifacts, channel: Channel, into: Reads): Promise<void> {
  const { service, isNew } = replica;
  const where = `${service.name} of ${isNew ? 'N' : 'N-1'}, made by ${made.of}`;
  const expectSame = async (what: string, read: () => Promise<unknown>, expected: unknown) => {
    into.compared += 1;
    const found = await read().catch((error: unknown) => String(error));
    if (JSON.stringify(found) !== JSON.stringify(expected))
      into.broken.push(`${what} at ${where}: ${JSON.stringify(found).slice(0, 200)}`);
  };
  if (service.name === 'docstore-api') {
    const file = `${service.url}/v1/file/${made.documentId}`;
    const contentsBy = async (credential: string) =>
      (await sendJson<{ contents: string }>('GET', file, credential)).contents;
    await expectSame('document by token', () => contentsBy(made.token), made.contents);
    await expectSame('document by key', () => contentsBy(made.docstoreKey), made.contents);
  } else if (service.name === 'investigation-api') {
    const session = `${service.url}/api/v1/sessions/${made.sessionId}`;
    const valueOf = async () => {
      const { payload } = await sendJson<{ payload: { claims: { value: string }[] } }>(
        'GET',
        session,
        made.token,
      );
      return payload.claims.map(({ value }) => value);
    };
    await expectSame('session', valueOf, [made.of]);
    const judgement = () =>
      sendJson<{ id: string }>('GET', `${session}/judgements/latest`, made.token).then(() => 'read');
    await expectSame('judgement', judgement, 'read');
    const share = async () => (await fetch(service.url + made.sharePath)).text();
    await expectSame('share', share, made.shareJson);
  } else {
    const clients = openAuthzClients(service.grpcAddress, { channel });
    const object = `svc://${made.rootDomainId}/documents/1`;
    const context = requestContext({ subject: made.userId, action: 'read', object });
    for (const [what, token] of [
      ['check by session', made.token],
      ['check by key', made.apiKey],
    ] as const)
      await expectSame(
        what,
        () => clients.authorization.checkAuthorization({ context }, { token }).then(() => 'decided'),
        'decided',
      );
    clients.close();
  }
}
