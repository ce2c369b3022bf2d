import { openDatabase } from '@platform/database';
import type { Ledger } from '../platform/ledger.ts';
import { runService, type ServiceName } from '../platform/service-process.ts';
import type { Invariant } from './invariant.ts';
import { quotasHeld, type Loss } from './quotas-held.ts';

export interface Held {
  readonly docstoreUrl: string;
  readonly docstoreKey: string;
  readonly investigationUrl: string;
  readonly databases: Readonly<Record<ServiceName, string>>;
  readonly redisUrl: string;
  /** The most a tenant may be granted: its quota with overage. */
  readonly grantsMax: number;
  /** When Redis lost its counts or was last heard of. Milliseconds of `performance.now()`. */
  readonly redisLosses: readonly Loss[];
}

/** Compares all that was acknowledged with what the services hold now. */
export async function checkInvariants(ledger: Ledger, held: Held): Promise<Invariant[]> {
  return [
    await documentsHeld(ledger, held),
    await checksHeld(ledger, held),
    await chainsHold(held),
    quotasHeld(ledger.granted, held),
    await sessionsWhole(ledger, held),
    await sharesUnchanged(ledger, held),
    {
      promise: 'what was read back is what was written',
      compared: ledger.documents.size,
      broken: ledger.contradictions,
    },
  ];
}

async function getJson<T>(url: string, token: string): Promise<T> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`${url} got ${response.status}`);
  return (await response.json()) as T;
}

async function documentsHeld({ documents }: Ledger, held: Held): Promise<Invariant> {
  const broken: string[] = [];
  let compared = 0;
  const database = await openDatabase(held.databases['docstore-api'], { embeddedFolder: '' });
  try {
    for (const [id, acknowledged] of documents) {
      const { rows } = await database.query<{ version: number; contents: string }>(
        'SELECT version, contents FROM document_versions WHERE document_id = $1 ORDER BY version',
        [id],
      );
      const listed = await getJson<{ versions: { version: number; etag: string }[] }>(
        `${held.docstoreUrl}/v1/file/${id}/versions?limit=200`,
        held.docstoreKey,
      );
      const numbers = rows.map(({ version }) => version);
      if (numbers.some((version, index) => version !== index + 1))
        broken.push(`${id}: versions ${numbers.join()}`);
      const contents = new Map(rows.map((row) => [row.version, row.contents]));
      const etags = new Map(listed.versions.map(({ version, etag }) => [version, etag]));
      for (const [version, sent] of acknowledged) {
        compared++;
        if (contents.get(version) !== sent.contents) broken.push(`${id}: contents of version ${version}`);
        if (etags.get(version) !== sent.etag) broken.push(`${id}: ETag of version ${version}`);
      }
    }
  } finally {
    await database.close();
  }
  return { promise: 'acknowledged versions of documents are kept, each number once', compared, broken };
}

async function checksHeld({ checks }: Ledger, { databases }: Held): Promise<Invariant> {
  const database = await openDatabase(databases['authz-grpc'], { embeddedFolder: '' });
  try {
    const { rows } = await database.query<{ id: string }>(
      'SELECT DISTINCT id FROM audit_events WHERE id = ANY($1::uuid[])',
      [checks],
    );
    const found = new Set(rows.map(({ id }) => id));
    const broken = checks.filter((id) => !found.has(id)).map((id) => `check ${id} has no row`);
    return { promise: 'acknowledged checks have their audit row', compared: checks.length, broken };
  } finally {
    await database.close();
  }
}

async function chainsHold({ databases, redisUrl }: Held): Promise<Invariant> {
  const env = { DATABASE_URL: databases['authz-grpc'], REDIS_URL: redisUrl };
  const { code, stdout, stderr } = await runService('authz-grpc', ['audit-verify'], env);
  const lines = stdout.trim().split('\n');
  const broken = code === 0 ? [] : [...lines.filter((line) => line.includes('then')), stderr.trim()];
  return { promise: 'every tenant’s audit chain holds (`audit-verify`)', compared: lines.length, broken };
}

async function sessionsWhole({ sessions }: Ledger, { investigationUrl }: Held): Promise<Invariant> {
  const broken: string[] = [];
  let compared = 0;
  for (const [path, { token, patches }] of sessions) {
    const { payload } = await getJson<{ payload: { claims: { id: string }[] } }>(
      investigationUrl + path,
      token,
    );
    const ids = new Set(payload.claims.map(({ id }) => id));
    for (const { claimIds, isAcknowledged } of patches) {
      compared++;
      const present = claimIds.filter((id) => ids.has(id)).length;
      if (isAcknowledged && present < claimIds.length)
        broken.push(`${path}: ${present} of ${claimIds.length} claims`);
      if (present > 0 && present < claimIds.length) broken.push(`${path}: half a PATCH`);
    }
  }
  return { promise: 'acknowledged PATCHes are there, and every PATCH whole or not at all', compared, broken };
}

async function sharesUnchanged({ shares }: Ledger, { investigationUrl }: Held): Promise<Invariant> {
  const broken: string[] = [];
  for (const [path, text] of shares) {
    const answer = await fetch(investigationUrl + path);
    if ((await answer.text()) !== text) broken.push(`${path}: ${answer.status}, other bytes`);
  }
  return { promise: 'published shares are the same byte by byte', compared: shares.size, broken };
}
