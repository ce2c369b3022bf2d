/**
 * What one replica holds with 1,000 domains of 100 policies of every engine, all in use. Needs the built
 * service: `nx build authz-grpc`.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openAuthzClients, requestContext } from '@platform/authz-client';
import { openDatabase } from '@platform/database';
import { startPostgres, startRedis, type BenchRow } from '@platform/testing';
import type { Policy } from '../src/policy/types.ts';
import { allowing } from './evaluator-fixtures.ts';

const DOMAINS = 1_000;
const POLICIES = 100;
const MEGABYTES_MAX = 400;
const PASSWORD = 'a password of the benchmark 5519';

/** Resident memory after every domain has decided. */
export async function run(): Promise<BenchRow[]> {
  const postgres = await startPostgres();
  const redis = await startRedis();
  const url = await postgres.createDatabase();
  const main = fileURLToPath(new URL('../../../dist/apps/authz-grpc/main.js', import.meta.url));
  const service = spawn(process.execPath, [main, 'serve'], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      AUTHZ_MIGRATE_ON_START: 'true',
      AUTHZ_ROOT_PASSWORD: PASSWORD,
      AUTHZ_GRPC_PORT: '0',
      AUTHZ_HTTP_PORT: '0',
      AUTHZ_PROBE_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let ports = { grpc_port: 0, probe_port: 0 };
    for await (const text of createInterface({ input: service.stdout })) {
      const line = JSON.parse(text) as typeof ports & { msg: string };
      if (line.msg !== 'listening') continue;
      ports = line;
      break;
    }
    service.stdout.resume();
    const clients = openAuthzClients(`127.0.0.1:${ports.grpc_port}`);
    const username = `user-${randomUUID()}`;
    await clients.users.createUser({ username, email: `${username}@example.org`, password: PASSWORD });
    const plain = (await clients.sessions.login({ username, password: PASSWORD })).token;
    const tenant = await clients.tenants.createTenant({ name: username, description: '' }, { token: plain });
    const { token } = await clients.sessions.refreshLoginWithTenant(
      { tenantId: tenant.id },
      { token: plain },
    );

    const database = await openDatabase(url, { embeddedFolder: '' });
    const ids = Array.from({ length: DOMAINS }, () => randomUUID());
    for (const id of ids) {
      const policies = Array.from({ length: POLICIES }, (_, index) => policyOf(id, index));
      await database.query(
        'INSERT INTO domains (id, tenant_id, name, policies, created_at) VALUES ($1, $2, $3, $4, now())',
        [id, tenant.id, id, JSON.stringify(policies)],
      );
    }
    await database.close();
    for (let at = 0; at < DOMAINS; at += 20) {
      const checks = ids.slice(at, at + 20).map((id) => ({
        context: requestContext({ subject: 'user-1', action: 'read', object: `svc://${id}/reports/95/a` }),
      }));
      const { results } = await clients.authorization.batchCheckAuthorization(
        { checks },
        { token, timeoutMs: 120_000 },
      );
      if (!results.every(({ authorized }) => authorized)) throw new Error('not authorized');
    }
    clients.close();
    const metrics = await (await fetch(`http://127.0.0.1:${ports.probe_port}/metrics`)).text();
    const figure = (name: string) =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(metrics)?.[1]) / 1e6;
    const resident = figure('process_resident_memory_bytes');
    return [
      {
        name: `memory of a replica with ${DOMAINS} domains of ${POLICIES} policies`,
        value: Math.round(resident),
        unit: 'MB',
        target: `≤ ${MEGABYTES_MAX}`,
        pass: resident <= MEGABYTES_MAX,
        detail: `resident; ${Math.round(figure('nodejs_heap_size_used_bytes'))} MB of JavaScript heap in use`,
      },
    ];
  } finally {
    service.kill('SIGTERM');
    await new Promise((resolve) => service.once('exit', resolve));
    await redis.stop();
    await postgres.stop();
  }
}

/** 70 FIXED and PREFIX, 20 GLOB and 10 REGEX a domain; the last kind is what the checks ask for. */
function policyOf(domainId: string, index: number): Policy {
  if (index >= 90)
    return allowing('regex', `p${index}`, { object: `^svc://${domainId}/reports/${index}/[^/]+$` });
  if (index >= 70) return allowing('glob', `p${index}`, { object: `svc://${domainId}/*/${index}/**` });
  const rules = { subject: `user-${index}`, action: 'read', object: `svc://${domainId}/docs/${index}/` };
  return allowing(index % 2 === 0 ? 'fixed' : 'prefix', `p${index}`, rules);
}
