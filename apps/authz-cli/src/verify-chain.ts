import { hash } from 'node:crypto';
import type { AuthzClients, CallExtras } from '@platform/authz-client';
import type { AuditEvent } from '@platform/proto/authz/v1/authorization';

const PAGE = 1_000;

/**
 * Walks a tenant's rows from the newest to the oldest the service still has, and recomputes each hash from the row
 * and the hash before it. `broken` is the sequence of the first row found that does not follow; null when all do.
 * The oldest row's own predecessor may be gone by retention, so its hash is taken as it stands.
 */
export async function verifyListedChain(
  clients: AuthzClients,
  extras: CallExtras,
  tenantId: string,
): Promise<{ readonly rows: number; readonly broken: number | null }> {
  let rows = 0;
  let cursor = '';
  let newer: AuditEvent | null = null;
  do {
    const page = await clients.authorization.listAuditEvents({ tenantId, limit: PAGE, cursor }, extras);
    for (const event of page.events) {
      rows += 1;
      if (newer !== null && !follows(newer, event)) return { rows, broken: Number(newer.sequence) };
      newer = event;
    }
    cursor = page.nextCursor;
  } while (cursor !== '');
  const isGenesis = newer?.sequence === 1n;
  if (isGenesis && newer !== null && chainHash('00'.repeat(32), newer) !== newer.hash)
    return { rows, broken: 1 };
  return { rows, broken: null };
}

function follows(event: AuditEvent, before: AuditEvent): boolean {
  return event.sequence === before.sequence + 1n && chainHash(before.hash, event) === event.hash;
}

/** As the service computes it: SHA-256 over a JSON array of the hash before, the sequence and the row's fields. */
function chainHash(before: string, event: AuditEvent): string {
  const fields = [
    before,
    Number(event.sequence),
    event.id,
    event.time?.getTime(),
    event.tenantId,
    event.domainId,
    event.subject,
    event.action,
    event.object,
    event.decision,
    event.matchedPolicy,
    event.callerId,
    Number(event.latencyMicros),
    Number(event.policyVersion),
  ];
  return hash('sha256', JSON.stringify(fields), 'hex');
}
