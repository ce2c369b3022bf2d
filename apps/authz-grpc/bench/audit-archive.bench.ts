/** How long a million audit rows take into Parquet, and to be verified there. */
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type BenchRow } from '@platform/testing';
import { chainHash, GENESIS, type AuditEvent } from '../src/model/audit-event.ts';
import { openParquetArchive } from '../src/store/parquet-audit-archive.ts';

const ROWS = 1_000_000;
const TENANTS = 10;
/** Ten million rows in a minute. */
const MICROS_MAX = 6;

/** Times are in microseconds a row. */
export async function run(): Promise<BenchRow[]> {
  const folder = await temporaryFolder('audit-archive-bench-');
  const archive = await openParquetArchive(folder);
  try {
    let from = performance.now();
    for (let tenant = 0; tenant < TENANTS; tenant++) await addTenant(archive, ROWS / TENANTS);
    await archive.flush();
    const added = performance.now() - from;
    from = performance.now();
    const cpu = process.cpuUsage();
    const chains = await archive.verify();
    const verified = performance.now() - from;
    const { user, system } = process.cpuUsage(cpu);
    if (chains.some(({ rows, broken }) => rows !== ROWS / TENANTS || broken !== null))
      throw new Error(JSON.stringify(chains));
    let bytes = 0;
    for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
    const each = (ms: number) => (ms / ROWS) * 1_000;
    const detail = `${ROWS.toLocaleString('en')} rows of ${TENANTS} tenants`;
    return [
      {
        name: 'audit rows made, hashed and written to Parquet',
        value: each(added),
        unit: 'µs a row',
        target: '',
        pass: true,
        detail: `${detail}, ${(bytes / ROWS).toFixed(0)} bytes a row`,
      },
      {
        name: 'audit rows in Parquet verified',
        value: each(verified),
        unit: 'µs a row',
        target: `≤ ${MICROS_MAX}`,
        pass: each(verified) <= MICROS_MAX,
        detail: `${detail}, ${((user + system) / ROWS).toFixed(1)} µs of processor time a row`,
      },
    ];
  } finally {
    archive.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function addTenant(
  archive: Awaited<ReturnType<typeof openParquetArchive>>,
  rows: number,
): Promise<void> {
  const [tenantId, domainId, callerId] = [randomUUID(), randomUUID(), randomUUID()];
  let before = GENESIS;
  for (let sequence = 1; sequence <= rows; sequence++) {
    const event: AuditEvent = {
      id: randomUUID(),
      time: 1_773_144_000_000 + sequence,
      tenantId,
      domainId,
      subject: `user-${sequence % 1_000}`,
      action: 'read',
      object: `svc://${domainId}/reports/${sequence}`,
      decision: sequence % 3 > 0,
      matchedPolicy: `policy ${sequence % 50}`,
      callerId,
      latencyMicros: sequence % 5_000,
      policyVersion: 3,
      outcome: '',
      operation: '',
      detail: `{"context":{"department":["engineering"],"request":["${sequence}"]}}`,
    };
    const hash = chainHash(before, sequence, event);
    await archive.add({ ...event, sequence, hash }, before);
    before = hash;
  }
}
