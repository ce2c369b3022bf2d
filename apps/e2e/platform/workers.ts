import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { requestContext, type AuthzClients } from '@platform/authz-client';
import type { Ledger, SessionEntry } from './ledger.ts';
import { failureOf, httpSender, type Observe } from './outcome.ts';
import type { Tenant } from './tenant.ts';

/** One step of a workload: a few requests one after another, told as they end. It never throws. */
export type Worker = () => Promise<void>;

export interface WorkerOptions {
  readonly baseUrl: string;
  /** Credential the requests carry. */
  readonly token: string;
  readonly ledger: Ledger;
  readonly observe: Observe;
}

const VERSIONS_PER_DOCUMENT = 20;
const PATCHES_PER_SESSION = 10;
const CLAIMS_PER_PATCH = 3;
const JUDGED_AFTER_PATCHES = 5;

/**
 * Writes documents version upon version and reads each back. A document whose write was not acknowledged is
 * left alone: whether it happened is not known, and nothing was promised.
 */
export function documentWorker({ baseUrl, token, ledger, observe }: WorkerOptions): Worker {
  const send = httpSender('docstore-api', baseUrl, token, observe);
  let current: { readonly id: string; readonly filename: string; etag: string; version: number } | null =
    null;
  return async () => {
    const contents = `${randomUUID()} ${'a line of text '.repeat(64)}`;
    const filename = current?.filename ?? `load-${randomUUID()}`;
    const body = { filename, contents };
    const [operation, method, path] =
      current === null
        ? ['create document', 'POST', '/v1/file']
        : ['replace document', 'PUT', `/v1/file/${current.id}`];
    const headers: Record<string, string> = current === null ? {} : { 'If-Match': current.etag };
    const expected = current === null ? 201 : 200;
    const written = await send({ operation, method, path, body, headers, expected });
    if (written === null) return void (current = null);
    const { id, version, etag } = written.json as { id: string; version: number; etag: string };
    const versions = ledger.documents.get(id) ?? new Map<number, { etag: string; contents: string }>();
    ledger.documents.set(id, versions);
    if (versions.has(version)) ledger.contradictions.push(`version ${version} of ${id} was told twice`);
    versions.set(version, { etag, contents });
    current = version < VERSIONS_PER_DOCUMENT ? { id, filename, etag, version } : null;
    const read = await send({
      operation: 'read document',
      method: 'GET',
      path: `/v1/file/${id}`,
      expected: 200,
    });
    if (read !== null && (read.json as { contents: string }).contents !== contents)
      ledger.contradictions.push(`version ${version} of ${id} reads as something else`);
  };
}

const demo = () =>
  JSON.parse(readFileSync(new URL('../../../examples/first-flight.json', import.meta.url), 'utf8')) as Record<
    string,
    unknown
  > & { claims: Record<string, unknown>[] };

/** Makes sessions, adds claims to them, has each judged and published, and reads the share. */
export function sessionWorker({ baseUrl, token, ledger, observe }: WorkerOptions): Worker {
  const send = httpSender('investigation-api', baseUrl, token, observe);
  const payload = demo();
  const template = payload.claims[0]!;
  let current: { readonly path: string; readonly entry: SessionEntry } | null = null;

  async function create(): Promise<void> {
    const body = { name: 'load', payload };
    const answer = await send({
      operation: 'create session',
      method: 'POST',
      path: '/api/v1/sessions',
      body,
      expected: 201,
    });
    if (answer === null) return;
    const path = `/api/v1/sessions/${(answer.json as { session_id: string }).session_id}`;
    const entry: SessionEntry = { token, patches: [] };
    ledger.sessions.set(path, entry);
    current = { path, entry };
  }

  async function patch(path: string, entry: SessionEntry): Promise<boolean> {
    const claims = Array.from({ length: CLAIMS_PER_PATCH }, () => ({ ...template, id: randomUUID() }));
    const change = { claimIds: claims.map(({ id }) => id), isAcknowledged: false };
    entry.patches.push(change);
    const answer = await send({
      operation: 'patch session',
      method: 'PATCH',
      path,
      body: { claims },
      expected: 200,
    });
    change.isAcknowledged = answer !== null;
    return change.isAcknowledged;
  }

  async function judgeAndPublish(path: string): Promise<void> {
    const judged = await send({
      operation: 'judge',
      method: 'POST',
      path: `${path}/judge`,
      body: {},
      expected: 200,
    });
    if (judged === null) return;
    const published = await send({
      operation: 'publish share',
      method: 'PUT',
      path: `${path}/share`,
      body: { public: true, slug: 'load' },
      expected: 200,
    });
    if (published === null) return;
    const share = `${new URL((published.json as { url: string }).url).pathname}.json`;
    const read = await send({ operation: 'read share', method: 'GET', path: share, expected: 200 });
    if (read !== null) ledger.shares.set(share, read.text);
  }

  return async () => {
    if (current === null) return create();
    const { path, entry } = current;
    if (!(await patch(path, entry))) return void (current = null);
    if (entry.patches.length === JUDGED_AFTER_PATCHES) await judgeAndPublish(path);
    await send({ operation: 'read session', method: 'GET', path, expected: 200 });
    if (entry.patches.length >= PATCHES_PER_SESSION) current = null;
  };
}

export interface CheckWorkerOptions {
  readonly clients: AuthzClients;
  readonly ledger: Ledger;
  readonly observe: Observe;
  /** Gives the next tenant once the quota of the last is used up; null when none could be had. */
  readonly nextTenant: () => Promise<Tenant | null>;
}

const PAUSE_MS = 200;

/** Asks for decisions in the name of one tenant after another, each until its quota is used up. */
export function checkWorker({ clients, ledger, observe, nextTenant }: CheckWorkerOptions): Worker {
  let tenant: Tenant | null = null;
  return async () => {
    tenant ??= await nextTenant();
    if (tenant === null) return void (await new Promise((resolve) => setTimeout(resolve, PAUSE_MS)));
    const { id: tenantId, rootDomainId, userId: subject, token } = tenant;
    const object = `svc://${rootDomainId}/documents/1`;
    const context = requestContext({ subject, action: 'read', object });
    const start = performance.now();
    const tell = (result: string) =>
      observe({ service: 'authz-grpc', operation: 'check', result, ms: performance.now() - start });
    let checkId = '';
    try {
      await clients.authorization.checkAuthorization(
        { context },
        { token, onTrailer: (trailer) => (checkId = String(trailer.get('x-check-id')[0])) },
      );
      tell('ok');
      ledger.checks.push(checkId);
      const grants = ledger.granted.get(tenantId) ?? [];
      ledger.granted.set(tenantId, grants);
      grants.push({ sentAt: start, answeredAt: performance.now() });
    } catch (error) {
      const failure = failureOf(error);
      // A quota that ends is the response that was wanted.
      tell(failure === 'RESOURCE_EXHAUSTED' ? 'ok' : failure);
      // A token made while the clock was ahead is none once it is back; a client signs in again.
      if (failure === 'RESOURCE_EXHAUSTED' || failure === 'UNAUTHENTICATED') tenant = null;
    }
  };
}
