import { chainHash } from '../model/audit-event.ts';
import type { AuditReader, Chain, ChainPlace } from '../store/audit-store.ts';
import type { ArchivedChain } from '../store/audit-archive.ts';

/** The outcome of a walk along one tenant's chain. */
export interface ChainReport {
  readonly tenantId: string;
  /** Rows whose place and hash hold. */
  readonly rows: number;
  /** The first thing that does not hold; null when everything does. */
  readonly broken: {
    readonly sequence: number;
    readonly why:
      'row missing' | 'row altered' | 'head differs' | 'head gone' | 'head replaced' | 'archive differs';
  } | null;
  /** The place of the chain's newest row. */
  readonly head: ChainPlace;
}

const PAGE_ROWS = 5_000;

/**
 * Walks a tenant's chain from its anchor to its head, recomputing every hash. A row altered, removed or
 * inserted, and rows cut off at the end, all break it. Rows that arrive during the walk are not looked at.
 * An intruder who writes to the database can cut the end off and move the head back: `known`, a head noted
 * earlier outside of the database, must still be a row of the chain, unless retention took it.
 */
export async function verifyChain(
  rows: AuditReader,
  tenantId: string,
  known?: ChainPlace,
): Promise<ChainReport> {
  let chain = await rows.chain(tenantId);
  for (;;) {
    const walked = await walkChain(rows, tenantId, chain);
    const broken =
      walked.broken ?? (known === undefined ? null : await missing(rows, tenantId, chain, known));
    const report = { ...walked, broken };
    if (broken === null) return report;
    const { sequence } = chain.anchor;
    chain = await rows.chain(tenantId);
    // Rows that retention took during the walk are missed by nobody: it moved the anchor behind them.
    if (chain.anchor.sequence === sequence) return report;
  }
}

/** What is wrong with the place of a head that was noted earlier; null when it holds. */
async function missing(
  reader: Pick<AuditReader, 'rows'>,
  tenantId: string,
  { head, anchor }: Chain,
  { sequence, hash }: ChainPlace,
): Promise<ChainReport['broken']> {
  if (sequence > head.sequence) return { sequence, why: 'head gone' };
  if (sequence < anchor.sequence) return null;
  const place =
    sequence === anchor.sequence
      ? anchor
      : (await reader.rows(tenantId, { after: sequence - 1, upTo: sequence, limit: 1 }))[0];
  return place?.hash === hash ? null : { sequence, why: 'head replaced' };
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
    head,
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

/**
 * Walks every tenant's chain, those of deleted tenants too, and each that `known` has a head of or that was
 * archived, by the id of its tenant.
 */
export async function* verifyAllChains(
  rows: AuditReader,
  known: ReadonlyMap<string, ChainPlace> = new Map(),
  archived: readonly ArchivedChain[] = [],
): AsyncGenerator<ChainReport> {
  const chains = new Map(archived.map((chain) => [chain.tenantId, chain]));
  const tenants = new Set([...(await rows.tenantIds()), ...known.keys(), ...chains.keys()]);
  for (const tenantId of tenants) {
    const chain = chains.get(tenantId);
    const head = known.get(tenantId);
    yield chain === undefined ? verifyChain(rows, tenantId, head) : verifyArchivedChain(rows, chain, head);
  }
}

/**
 * Holds what is stored against what was archived: one chain from the archive's first row to the head. The
 * archive's last row must be in the stored chain or the one that it begins behind, and no row may be missing
 * between them.
 */
async function verifyArchivedChain(
  rows: AuditReader,
  archived: ArchivedChain,
  known?: ChainPlace,
): Promise<ChainReport> {
  const { tenantId, head: end, anchor: beginning } = archived;
  const stored = await verifyChain(rows, tenantId, known);
  const { anchor } = await rows.chain(tenantId);
  const isGap = end.sequence < anchor.sequence;
  const differs = isGap ? null : await missing(rows, tenantId, { head: stored.head, anchor }, end);
  const total = Math.max(archived.rows, stored.head.sequence - beginning.sequence);
  const broken =
    archived.broken ??
    (isGap ? { sequence: end.sequence + 1, why: 'row missing' as const } : null) ??
    (differs === null ? null : { sequence: end.sequence, why: 'archive differs' as const }) ??
    stored.broken;
  return {
    ...stored,
    broken,
    rows: broken === null ? total : Math.max(0, broken.sequence - beginning.sequence - 1),
  };
}
