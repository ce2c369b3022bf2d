import { Worker } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTHZ_SETTINGS, createLoopWatch, startPostgres, type LoopWatch } from '@platform/testing';
import {
  createTenant,
  mintDocstoreKey,
  openAuthzClients,
  runService,
  startService,
  type ServiceName,
  type Tenant,
} from '../platform/index.ts';
import { casesOf, type CaseOptions, type SchemaCase } from './schema-cases.ts';
import { grpcOperations, mcpOperations, restOperations, type Ended, type Operation } from './surfaces.ts';

const MiB = 1024 * 1024;
/** Each case is sent so many times at once. */
const AT_ONCE = 2;
/** What each request may do at most: see "What was tried" in docs/security.md. */
const HELD_MAX_MS = 50;
const REFUSAL_BYTES_MAX = 64 * 1024;
const RESPONSE_FACTOR_MAX = 8;
const CALM_EVERY_MS = 10;
/** A case that seems to break a promise is sent so many times more before it counts. */
const CONFIRMATIONS = 2;

/** What was measured of one case. */
interface Measured {
  readonly results: readonly string[];
  /** The longest that the event loop was held, in milliseconds of the processor. */
  readonly heldMs: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Median of the calm tenant's requests meanwhile. */
  readonly calmMs: number;
  /** How long the fastest of the hostile requests took: one task. */
  readonly taskMs: number;
}

/** A case that broke a promise, each time it was sent. */
export interface Broken extends Measured {
  readonly surface: string;
  readonly operation: string;
  readonly field: string;
  readonly what: string;
  readonly why: readonly string[];
}

/** What came of one surface. */
export interface SurfaceReport {
  readonly surface: string;
  readonly operations: number;
  readonly fields: number;
  readonly cases: number;
  /** How many requests ended how. */
  readonly results: Readonly<Record<string, number>>;
  /** Of all cases, in milliseconds of the processor: the 99th percentile and the longest. */
  readonly held: { readonly p99: number; readonly max: number };
  readonly calm: { readonly quietMs: number; readonly worstMs: number };
  readonly receivedMax: number;
  readonly broken: readonly Broken[];
}

interface Surface {
  readonly name: string;
  readonly watch: LoopWatch;
  readonly operations: readonly Operation[];
  /** The small request of a calm tenant on the same service. */
  readonly calm: { readonly url: string; readonly init: object };
  readonly known: CaseOptions['known'];
}

/**
 * Sends the largest allowed and the smallest refused value of every field of every operation, by the
 * published schemas, to the three built services over one Postgres, and measures what each does to the event
 * loop, to a calm tenant and to the size of responses. `only` names a part of surface and operation, and
 * `part`, such as `{ number: 2, of: 3 }`, every third operation of those from the second on; `bytesMax`
 * bounds what a field without a limit is filled with; `tell` is told about progress.
 */
export async function runFuzz(options: {
  readonly only: string;
  readonly part: { readonly number: number; readonly of: number };
  readonly bytesMax: number;
  readonly tell: (line: string) => void;
}): Promise<SurfaceReport[]> {
  const stops: (() => unknown)[] = [];
  try {
    const surfaces = await openSurfaces(stops);
    const reports: SurfaceReport[] = [];
    for (const surface of surfaces) {
      const { number, of } = options.part;
      const operations = surface.operations
        .filter(({ name }) => `${surface.name} ${name}`.includes(options.only))
        .filter((_, index) => index % of === number - 1);
      if (operations.length > 0) reports.push(await fuzzSurface({ ...surface, operations }, options));
    }
    return reports;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function openSurfaces(stops: (() => unknown)[]): Promise<Surface[]> {
  const postgres = await startPostgres();
  stops.push(() => postgres.stop());
  const start = async (name: ServiceName, env: Record<string, string>) => {
    const watch = createLoopWatch();
    const url = await postgres.createDatabase();
    await runService(name, ['migrate'], { DATABASE_URL: url });
    const service = await startService(name, { DATABASE_URL: url, ...env, ...watch.env });
    stops.push(
      () => watch.close(),
      () => service.kill(),
    );
    return { ...service, watch };
  };
  const many = '1000000000';
  const authz = await start('authz-grpc', {
    ...AUTHZ_SETTINGS,
    AUTHZ_QUOTA_CONTROL_PLANE: many,
    AUTHZ_QUOTA_DATA_PLANE: many,
    AUTHZ_QUOTA_USER_PLANE: many,
  });
  const docstore = await start('docstore-api', {
    DOCSTORE_AUTHZ_URL: authz.grpcAddress,
    DOCSTORE_REQUESTS_PER_MINUTE: many,
  });
  const investigation = await start('investigation-api', {
    INVESTIGATION_AUTHZ_URL: authz.grpcAddress,
    INVESTIGATION_DOCSTORE_URL: docstore.url,
  });
  const clients = openAuthzClients(authz.grpcAddress);
  stops.push(() => clients.close());
  const [hostile, calm] = [await createTenant(clients), await createTenant(clients)];
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const [hostileKey, calmKey] = [
    await mintDocstoreKey(docstore.url, hostile.token),
    await mintDocstoreKey(docstore.url, calm.token),
  ];
  const json = (token: string, body: unknown) => ({
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const document = (await (
    await fetch(`${docstore.url}/v1/file`, json(hostileKey, { filename: 'fuzzed', contents: 'x' }))
  ).json()) as { id: string };
  const session = (await (
    await fetch(
      `${investigation.url}/api/v1/sessions`,
      json(hostile.token, { name: 'fuzzed', payload: SMALL }),
    )
  ).json()) as { session_id: string };
  const inSession = async (path: string, body: unknown) => {
    const at = `${investigation.url}/api/v1/sessions/${session.session_id}/${path}`;
    return (await (await fetch(at, json(hostile.token, body))).json()) as { id: string };
  };
  await inSession('judge', {});
  const subscription = await inSession('subscriptions', { rules: ['leading_changed'] });
  const ofSession = {
    id: session.session_id,
    session_id: session.session_id,
    judgement_id: 'latest',
    subscription_id: subscription.id,
    document: document.id,
  };
  const context = { subject: calm.userId, action: 'read', object: `svc://${calm.rootDomainId}/x/1` };
  const authzCalm = { url: `${authz.url}/v1/authz/check`, init: json(calm.token, { context }) };
  const investigationCalm = {
    url: `${investigation.url}/api/v1/investigations/analyze`,
    init: json(calm.token, SMALL),
  };
  /** Values of a path's parameters; what deletes names nothing that is there. */
  const unlessDeleting = (params: Readonly<Record<string, string>>) => (operation: string) =>
    operation.startsWith('DELETE') ? {} : params;
  const grpc = grpcOperations(authz.grpcAddress, {
    token: hostile.token,
    bytesMax: (method) => (/Polic(y|ies)|Domain|BatchCheck/.test(method) ? 64 * MiB : MiB),
  });
  stops.push(() => grpc.close());
  return [
    {
      name: 'docstore-api REST',
      watch: docstore.watch,
      operations: await restOperations(`${docstore.url}/v1/openapi.json`, {
        baseUrl: docstore.url,
        headers: bearer(hostileKey),
        bytesMax: () => 8 * MiB,
        params: unlessDeleting({ id: document.id, filename: 'fuzzed' }),
      }),
      calm: { url: `${docstore.url}/v1/usage`, init: { headers: bearer(calmKey) } },
      known: () => undefined,
    },
    {
      name: 'investigation-api REST',
      watch: investigation.watch,
      operations: await restOperations(`${investigation.url}/openapi.json`, {
        baseUrl: investigation.url,
        headers: bearer(hostile.token),
        bytesMax: () => 16 * MiB,
        params: unlessDeleting(ofSession),
      }),
      calm: investigationCalm,
      known: () => undefined,
    },
    {
      name: 'investigation-api MCP',
      watch: investigation.watch,
      operations: await mcpOperations(`${investigation.url}/mcp?toolsets=all`, {
        headers: bearer(hostile.token),
        bytesMax: 16 * MiB,
      }),
      calm: investigationCalm,
      known: (name) => (ofSession as Readonly<Record<string, string>>)[name],
    },
    {
      name: 'authz-grpc gRPC',
      watch: authz.watch,
      // What ends the credential that the others need.
      operations: grpc.operations.filter(({ name }) => !/\/(Logout|Delete\w+)$/.test(name)),
      calm: authzCalm,
      known: knownOf(hostile),
    },
    {
      name: 'authz-grpc REST',
      watch: authz.watch,
      operations: await restOperations(`${authz.url}/openapi.json`, {
        baseUrl: authz.url,
        headers: bearer(hostile.token),
        bytesMax: (path) => AUTHZ_BYTES_MAX[path] ?? MiB,
        params: () => ({ id: hostile.rootDomainId }),
      }),
      calm: authzCalm,
      known: knownOf(hostile),
    },
  ];
}

const SMALL = {
  research_question: 'q',
  actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
  subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
  claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value: 'true', content: '' }],
};

/** What is in the way of a request that names nothing: its own tenant, domain and user. */
function knownOf(tenant: Tenant): CaseOptions['known'] {
  const values: Readonly<Record<string, string>> = {
    tenantId: tenant.id,
    tenant: tenant.id,
    domainId: tenant.rootDomainId,
    userId: tenant.userId,
    subject: tenant.userId,
    action: 'read',
    object: `svc://${tenant.rootDomainId}/documents/1`,
  };
  return (name, { type }) => (type === 'string' ? values[name] : undefined);
}

/** Bytes that the bodies of authz-grpc may have where that is not 1 MiB. */
const AUTHZ_BYTES_MAX: Readonly<Record<string, number>> = {
  '/v1/authz/check': 64 * 1024,
  '/v1/authz/check:batch': 16 * MiB,
  '/v1/domains/{id}/decisions': 16 * MiB,
};

async function fuzzSurface(
  surface: Surface,
  { bytesMax, tell }: { readonly bytesMax: number; readonly tell: (line: string) => void },
): Promise<SurfaceReport> {
  const calm = openCalm(surface.calm);
  try {
    // Compilers and caches are no attacker's work.
    await sleep(2_000);
    await calm.latencies();
    await surface.watch.longestHeld();
    await sleep(2_000);
    const quietMs = quantile(await calm.latencies(), 0.95);
    await surface.watch.longestHeld();
    const results: Record<string, number> = {};
    const held: number[] = [];
    const broken: Broken[] = [];
    const fields = new Set<string>();
    let [cases, receivedMax, worstMs] = [0, 0, 0];
    for (const operation of surface.operations) {
      const bytes = Math.min(bytesMax, Math.floor(operation.bytesMax * 0.9));
      const from = cases;
      for (const one of casesOf(operation.schema, {
        bytes,
        known: surface.known,
        definitions: operation.definitions,
      })) {
        cases++;
        fields.add(`${operation.name} ${one.field}`);
        let measured = await measure(surface, calm, operation, one);
        let why = reasons(measured, quietMs);
        for (let tries = 0; why.length > 0 && tries < CONFIRMATIONS; tries++) {
          const again = await measure(surface, calm, operation, one);
          const same = reasons(again, quietMs).map(([kind]) => kind);
          why = why.filter(([kind]) => same.includes(kind));
          if (again.heldMs < measured.heldMs) measured = again;
        }
        for (const result of measured.results) results[result] = (results[result] ?? 0) + 1;
        held.push(measured.heldMs);
        receivedMax = Math.max(receivedMax, measured.receivedBytes);
        worstMs = Math.max(worstMs, measured.calmMs);
        if (why.length === 0) continue;
        const found: Broken = {
          surface: surface.name,
          operation: operation.name,
          field: one.field,
          what: one.what,
          why: why.map(([, words]) => words),
          ...measured,
        };
        broken.push(found);
        tell(
          `${found.surface} ${found.operation} \`${found.field}\`, ${found.what}: ${found.why.join('; ')}`,
        );
      }
      tell(`${surface.name} ${operation.name}: ${cases - from} cases`);
    }
    return {
      surface: surface.name,
      operations: surface.operations.length,
      fields: fields.size,
      cases,
      results,
      held: { p99: quantile(held, 0.99), max: Math.max(0, ...held) },
      calm: { quietMs, worstMs },
      receivedMax,
      broken,
    };
  } finally {
    await calm.close();
  }
}

interface Calm {
  /** Milliseconds of the calm tenant's requests that ended since this was asked last. */
  latencies(): Promise<number[]>;
  close(): Promise<unknown>;
}

function openCalm({ url, init }: Surface['calm']): Calm {
  const workerData = { url, init, everyMs: CALM_EVERY_MS };
  const worker = new Worker(new URL('./calm-client.mjs', import.meta.url), { workerData });
  return {
    latencies: () =>
      new Promise((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('latencies');
      }),
    close: () => worker.terminate(),
  };
}

async function measure(
  surface: Surface,
  calm: Calm,
  operation: Operation,
  one: SchemaCase,
): Promise<Measured> {
  const value = one.make();
  await calm.latencies();
  await surface.watch.longestHeld();
  const ends: (Ended & { ms: number })[] = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const start = performance.now();
      const ended = await operation.send(value);
      return { ...ended, ms: performance.now() - start };
    }),
  );
  const [heldMs, latencies] = [await surface.watch.longestHeld(), await calm.latencies()];
  return {
    results: ends.map(({ result }) => result),
    heldMs,
    receivedBytes: Math.max(...ends.map(({ receivedBytes }) => receivedBytes)),
    sentBytes: Math.max(...ends.map(({ sentBytes }) => sentBytes)),
    calmMs: latencies.length === 0 ? 0 : quantile(latencies, 0.5),
    taskMs: Math.min(...ends.map(({ ms }) => ms)),
  };
}

/** Which promises a case broke: a name, and the figure. */
function reasons(measured: Measured, quietMs: number): (readonly [kind: string, words: string])[] {
  const { results, heldMs, receivedBytes, sentBytes, calmMs, taskMs } = measured;
  const failed = results.filter((result) =>
    /^(5\d\d|INTERNAL|UNKNOWN|timeout|DEADLINE_EXCEEDED)$/.test(result),
  );
  const isDone = results.every((result) => /^(2\d\d|ok)$/.test(result));
  const bytesMax = isDone ? RESPONSE_FACTOR_MAX * sentBytes + MiB : REFUSAL_BYTES_MAX;
  const found: (readonly [string, string] | false)[] = [
    failed.length > 0 && ['result', `ended with ${failed.join(', ')}`],
    heldMs > HELD_MAX_MS && ['loop', `held the event loop for ${heldMs.toFixed(0)} ms`],
    receivedBytes > bytesMax && ['size', `${receivedBytes} bytes for ${sentBytes}`],
    calmMs > 2 * quietMs + taskMs && [
      'calm',
      `a calm tenant waited ${calmMs.toFixed(0)} ms (quiet ${quietMs.toFixed(0)}, task ${taskMs.toFixed(0)})`,
    ],
  ];
  return found.filter((one) => one !== false);
}

/** The value below which the part `q` of the values is. */
function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}
