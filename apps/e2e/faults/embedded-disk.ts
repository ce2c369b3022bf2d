import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAuthzClients, type AuthzClients } from '@platform/authz-client';
import { AUTHZ_SETTINGS, temporaryFolder } from '@platform/testing';
import {
  createTenant,
  startService,
  type ServiceName,
  type ServiceProcess,
  type Tenant,
} from '../platform/index.ts';
import { failureOf } from '../platform/outcome.ts';
import type { Invariant } from './invariant.ts';

/** Room for an embedded database, the reserve that it keeps, and some writes. */
const DISK = '256m';
const WRITES = 5;
/** Contents of a session or document. */
const CONTENTS = 'x'.repeat(64 * 1024);
const STOP_MAX_MS = 10_000;
const TRIES_MAX = 20;
const TRY_EVERY_MS = 500;
const UNAVAILABLE: readonly string[] = ['503', 'UNAVAILABLE'];

/** Something of a service that is written and read again. */
interface Subject {
  /** Null when it was acknowledged, else how it was refused. */
  write(): Promise<string | null>;
  /** How the acknowledged writes that cannot be read were refused. */
  findLost(): Promise<string[]>;
  close(): void;
}

/**
 * The embedded databases of the three services on a full file system: writes are refused as
 * unavailable or the process has ended, it ends when it is told to, and a start on the full disk reads
 * everything acknowledged, or waits for room to do so; with room writes work. Errors: mounting is refused.
 */
export async function checkEmbeddedDisks(): Promise<Invariant> {
  const broken: string[] = [];
  let compared = 0;
  const authzDisk = await mountDisk();
  const investigationDisk = await mountDisk();
  const docstoreDisk = await mountDisk();
  let authz: ServiceProcess | undefined;
  try {
    const tenants: Tenant[] = [];
    const authzEnv = { AUTHZ_DATA_DIR: authzDisk.database, ...AUTHZ_SETTINGS };
    authz = await outlast('authz-grpc', authzEnv, authzDisk, (service) => tenantsOf(service, tenants));
    const clients = openAuthzClients(authz.grpcAddress);
    const { token } = await createTenant(clients);
    clients.close();
    const sessions: string[] = [];
    const investigationEnv = {
      INVESTIGATION_DATA_DIR: investigationDisk.database,
      INVESTIGATION_AUTHZ_URL: authz.grpcAddress,
    };
    const investigation = await outlast('investigation-api', investigationEnv, investigationDisk, (service) =>
      sessionsOf(service, token, sessions),
    );
    await investigation.kill();
    const documents: string[] = [];
    const docstoreEnv = {
      DOCSTORE_DATA_DIR: docstoreDisk.database,
      DOCSTORE_AUTHZ_URL: authz.grpcAddress,
      DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
    };
    const docstore = await outlast('docstore-api', docstoreEnv, docstoreDisk, (service) =>
      documentsOf(service, token, documents),
    );
    await docstore.kill();
    compared = tenants.length + sessions.length + documents.length;
  } finally {
    await authz?.kill();
    for (const disk of [authzDisk, investigationDisk, docstoreDisk]) disk.destroy();
  }
  return { promise: 'embedded databases outlast a full disk', compared, broken };

  /** Writes once, again while that is unavailable: a service that has just started may wait for another. */
  async function acknowledged(name: ServiceName, subject: Subject): Promise<void> {
    let refusal = await subject.write();
    for (let tries = 0; tries < TRIES_MAX && UNAVAILABLE.includes(refusal ?? ''); tries++) {
      await sleep(TRY_EVERY_MS);
      refusal = await subject.write();
    }
    if (refusal !== null) broken.push(`${name} refused a write with room: ${refusal}`);
  }

  /** Fills the disk under a service, and returns the service as it was started again. */
  async function outlast(
    name: ServiceName,
    env: Readonly<Record<string, string>>,
    disk: Disk,
    open: (service: ServiceProcess) => Subject,
  ): Promise<ServiceProcess> {
    const service = await startService(name, env);
    const subject = open(service);
    if (!existsSync(join(disk.database, 'PG_VERSION'))) broken.push(`${name} has its database elsewhere`);
    for (let write = 0; write < WRITES; write++) await acknowledged(name, subject);
    disk.fill();
    const hasEnded = () => service.process.exitCode !== null;
    let refusal: string | null = null;
    for (let write = 0; write < 20 * WRITES && refusal === null && !hasEnded(); write++)
      refusal = await subject.write();
    // One refusal may have another cause; while the disk is full, all are refused.
    for (let write = 0; write < WRITES && !hasEnded(); write++) {
      refusal = await subject.write();
      if (!hasEnded() && !UNAVAILABLE.includes(refusal ?? 'a success'))
        broken.push(`${name} on a full disk responded ${refusal ?? 'a success'}`);
    }
    const stopped = await Promise.race([
      service.stop().then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, STOP_MAX_MS, false)),
    ]);
    if (!stopped) {
      broken.push(`${name} did not end within ${STOP_MAX_MS / 1000} s of SIGTERM`);
      await service.kill();
    }
    subject.close();
    // What it removed as it ended left room for the lock of the next.
    disk.fill();
    const again = await startOnFullDisk(name, env, disk);
    const after = open(again);
    const lost = await after.findLost();
    if (lost.length > 0)
      broken.push(
        `${name} lost ${lost.length} acknowledged writes (reads: ${[...new Set(lost)].join(', ')})`,
      );
    disk.clear();
    await acknowledged(name, after);
    after.close();
    return again;
  }
}

/** The service once it listens: on the full disk, or with room where the full disk kept it from opening. */
async function startOnFullDisk(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  disk: Disk,
): Promise<ServiceProcess> {
  let waits: () => void;
  const waiting = new Promise<void>((resolve) => (waits = resolve));
  const starting = startService(name, env, ({ msg }) => {
    if (String(msg).startsWith('the database is unavailable')) waits();
  });
  await Promise.race([starting, waiting.then(() => disk.clear())]);
  return starting;
}

/** Tenants with their founders, made over gRPC. */
function tenantsOf({ grpcAddress }: ServiceProcess, made: Tenant[]): Subject {
  const clients: AuthzClients = openAuthzClients(grpcAddress);
  return {
    write: () =>
      createTenant(clients).then(
        (tenant) => {
          made.push(tenant);
          return null;
        },
        (error: unknown) => failureOf(error),
      ),
    async findLost() {
      const found = made.map(({ id, token }) =>
        clients.tenants.getTenant({ id }, { token }).then(
          (tenant) => (tenant.id === id ? null : 'another tenant'),
          (error: unknown) => failureOf(error),
        ),
      );
      return (await Promise.all(found)).filter((failure) => failure !== null);
    },
    close: () => clients.close(),
  };
}

/** Sessions of one tenant, made over REST. */
function sessionsOf({ url }: ServiceProcess, token: string, made: string[]): Subject {
  const payload = { research_question: CONTENTS, actors: [], subjects: [], claims: [] };
  return resourcesOf(`${url}/api/v1/sessions`, token, made, {
    body: () => ({ name: 'kept', payload }),
    pathOf: ({ session_id: id }) => `/${id}`,
  });
}

/** Documents of one tenant, made over REST. */
function documentsOf({ url }: ServiceProcess, token: string, made: string[]): Subject {
  return resourcesOf(`${url}/v1/file`, token, made, {
    body: () => ({ filename: `${randomUUID()}.txt`, contents: CONTENTS }),
    pathOf: ({ id }) => `/${id}`,
  });
}

/** What a POST to `collection` makes, and a GET of `pathOf` its response below it reads. */
function resourcesOf(
  collection: string,
  token: string,
  made: string[],
  { body, pathOf }: { body(): object; pathOf(created: Record<string, string>): string },
): Subject {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    async write() {
      try {
        const response = await fetch(collection, { method: 'POST', headers, body: JSON.stringify(body()) });
        const created = (await response.json()) as Record<string, string>;
        if (response.status === 201) made.push(pathOf(created));
        return response.status === 201 ? null : String(response.status);
      } catch (error) {
        return failureOf(error);
      }
    },
    async findLost() {
      const found = made.map(async (path) => {
        // A service that has just started may wait for another.
        let { status } = await fetch(collection + path, { headers });
        for (let tries = 0; tries < TRIES_MAX && UNAVAILABLE.includes(String(status)); tries++) {
          await sleep(TRY_EVERY_MS);
          ({ status } = await fetch(collection + path, { headers }));
        }
        return status;
      });
      return (await Promise.all(found)).filter((status) => status !== 200).map(String);
    },
    close: () => undefined,
  };
}

interface Disk {
  /** Folder of the embedded database. */
  readonly database: string;
  fill(): void;
  clear(): void;
  destroy(): void;
}

async function mountDisk(): Promise<Disk> {
  const folder = await temporaryFolder('faults-embedded-');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder], { stdio: 'ignore' });
  const filler = join(folder, 'filler');
  return {
    database: join(folder, 'database'),
    fill() {
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'], { stdio: 'ignore' });
      } catch {
        // It ends when the disk is full, which is what it is for.
      }
    },
    clear: () => rmSync(filler, { force: true }),
    destroy() {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
