import { chainHash } from '../model/audit-event.ts';
import type { AuditReader, ChainPlace } from '../store/audit-store.ts';
import type { AuditArchive } from '../store/audit-archive.ts';

const PAGE_ROWS = 5_000;

/** A chain that cannot be archived, since what is stored does not follow from what is in the archive. */
export class BrokenChain extends Error {
  override readonly name = 'BrokenChain';
}

/**
 * Adds to the archive every row that it does not hold, tenant by tenant, and returns how many they are. Each
 * row must follow from the one before it. Errors: BrokenChain, also when retention took rows that the archive
 * does not have.
 */
export async function archiveChains(rows: AuditReader, archive: AuditArchive): Promise<number> {
  const heads = await archive.heads();
  let archived = 0;
  for (const tenantId of await rows.tenantIds()) {
    const { anchor, head } = await rows.chain(tenantId);
    let place: ChainPlace = heads.get(tenantId) ?? anchor;
    if (place.sequence < anchor.sequence)
      throw new BrokenChain(
        `${tenantId}: rows ${place.sequence + 1} to ${anchor.sequence} were dropped before they were archived`,
      );
    while (place.sequence < head.sequence) {
      const page = await rows.rows(tenantId, {
        after: place.sequence,
        upTo: head.sequence,
        limit: PAGE_ROWS,
      });
      for (const event of page) {
        if (
          event.sequence !== place.sequence + 1 ||
          chainHash(place.hash, event.sequence, event) !== event.hash
        )
          throw new BrokenChain(
            `${tenantId}: row ${place.sequence + 1} does not follow from the one before it`,
          );
        await archive.add(event, place.hash);
        place = event;
      }
      if (page.length === 0) throw new BrokenChain(`${tenantId}: row ${place.sequence + 1} is missing`);
      archived += page.length;
    }
  }
  await archive.flush();
  return archived;
}
