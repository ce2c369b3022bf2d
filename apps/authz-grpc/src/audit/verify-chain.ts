import { chainHash } from '../model/audit-event.ts';
import type { AuditReader, Chain } from '../store/audit-store.ts';

/** The outcome of a walk along one tenant's chain. */
export interface ChainReport {
  readonly tenantId: string;
  /** Rows whose place and hash hold. */
  readonly rows: number;
  /** The first thing that does not hold; null when everything does. */
  readonly broken: {
    readonly sequence: number;
    readonly why: 'row missing' | 'row altered' | 'head differs';
  } | null;
}

const PAGE_ROWS = 5_000;

/**
 * Walks a tenant's chain from its anchor to its head, recomputing every hash. A row altered, removed or
 * inserted, and rows cut off at the end, all break it. Rows that arrive during the walk are not looked at.
 */
export async function verifyChain(rows: AuditReader, tenantId: string): Promise<ChainReport> {
  let chain = await rows.chain(tenantId);
  for (;;) {
    const report = await walkChain(rows, tenantId, chain);
    if (report.broken === null) return report;
    const { sequence } = chain.anchor;
    chain = await rows.chain(tenantId);
    // Rows that retention took during the walk are missed by nobody: it moved the anchor behind them.
    if (chain.anchor.sequence === sequence) return report;
  }
}

async function walkChain(
  reader: Pick<AuditReader, 'rows'>,
  tenantId: string,
  { head, anchor }: Chain,
): Promise<ChainReport> {
  const last = head.sequence;
  const first = anchor.sequence;
  let sequence = first;
  let before = anchor.hash;
  const report = (broken: ChainReport['broken']): ChainReport => ({
    tenantId,
    rows: sequence - first,
    broken,
  });

  for (;;) {
    const events = await reader.rows(tenantId, { after: sequence, upTo: last, limit: PAGE_ROWS });
    for (const event of events) {
      if (event.sequence !== sequence + 1) return report({ sequence: sequence + 1, why: 'row missing' });
      if (chainHash(before, event.sequence, event) !== event.hash) {
        return report({ sequence: event.sequence, why: 'row altered' });
      }
      sequence = event.sequence;
      before = event.hash;
    }
    if (events.length < PAGE_ROWS) break;
  }
  if (sequence < last) return report({ sequence: sequence + 1, why: 'row missing' });
  return report(before === head.hash ? null : { sequence, why: 'head differs' });
}

/** Walks every tenant's chain, those of deleted tenants too. */
export async function* verifyAllChains(rows: AuditReader): AsyncGenerator<ChainReport> {
  for (const tenantId of await rows.tenantIds()) yield verifyChain(rows, tenantId);
}
