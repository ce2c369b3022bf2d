import { hash } from 'node:crypto';
import type { AuditEvent } from '@platform/proto/authz/v1/authorization';
import type { AuthzClients, CallExtras } from './clients.ts';

const PAGE = 1_000;

/**
 * Walks a tenant's rows from the newest to the one that the chain begins behind, and recomputes each hash
 * from the row and the hash before it. `broken` is the sequence of the first row found that does not follow;
 * null when all do. Rows at the beginning or before it are not part of the chain any more: retention takes
 * them by day, not by their place. `onPage` is told the rows that were recomputed so far.
 */
export async function verifyListedChain(
  clients: Pick<AuthzClients, 'authorization'>,
  extras: CallExtras,
  tenantId: string,
  onPage?: (rows: number) => void,
): Promise<{ readonly rows: number; readonly broken: number | null }> {
  let rows = 0;
  let cursor = '';
  let newer: AuditEvent | null = null;
  for (;;) {
    const page = await clients.authorization.listAuditEvents({ tenantId, limit: PAGE, cursor }, extras);
    for (const event of page.events) {
      if (event.sequence <= page.anchorSequence) break;
      rows += 1;
      if (newer !== null && !follows(newer, event)) return { rows, broken: Number(newer.sequence) };
      newer = event;
    }
    onPage?.(rows);
    cursor = page.nextCursor;
    const isAtEnd = newer === null || newer.sequence <= page.anchorSequence + 1n;
    if (cursor !== '' && !isAtEnd) continue;
    const anchor = { sequence: page.anchorSequence, hash: page.anchorHash };
    // The anchor may have gone beyond rows that were looked at: those hold.
    const isBroken = newer !== null && newer.sequence > anchor.sequence && !follows(newer, anchor);
    return { rows, broken: isBroken ? Number(newer?.sequence) : null };
  }
}

function follows(event: AuditEvent, before: Pick<AuditEvent, 'sequence' | 'hash'>): boolean {
  return event.sequence === before.sequence + 1n && chainHash(before.hash, event) === event.hash;
}

/**
 * As the service computes it: SHA-256 over a JSON array of the hash before, the sequence and the row's
 * fields.
 */
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
  // At the end where one is not empty, so that rows of decided checks hash as ever.
  const { outcome, operation, detail } = event;
  const others = [outcome, operation, detail];
  if (others.some((text) => text !== '')) fields.push(...others);
  return hash('sha256', JSON.stringify(fields), 'hex');
}
