import { createHash } from 'node:crypto';
import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { FeedChanges, FeedEntry } from '@platform/viewer';
import type { TextPieces } from '../model/text-pieces.ts';
import type { OperationOptions } from '../ports.ts';
import type { SessionDeps } from '../ports.ts';
import type { PublicShare } from '../store/session-store.ts';
import { unpackJson } from '../wire/packed-json.ts';
import { sharePath } from '../wire/share-path.ts';

/** A share as anyone with its link sees it. */
export interface ReadShare {
  readonly slug: string;
  /** Path of its page. */
  readonly path: string;
  /** Strong entity tag of `snapshot`, quoted. */
  readonly etag: string;
  /**
   * Reads the JSON in UTF-8 of the ShareSnapshot. Throws `unavailable` where the share was published anew or
   * hidden after it was looked up.
   */
  readonly snapshot: () => Promise<TextPieces>;
  /** Its feed, the latest entry first. */
  readonly feed: () => Promise<readonly FeedEntry[]>;
}

/**
 * The public share with this UUID; needs no caller. Throws `not_found` in the same words for an unknown, a
 * hidden and a deleted one, and for one whose publisher or tenant has ended or is inactive.
 */
export async function readPublicShare(
  deps: Pick<SessionDeps, 'sessions' | 'leases'>,
  shareUuid: string,
  { baseUrl }: Pick<OperationOptions, 'baseUrl'>,
): Promise<ReadShare> {
  const found = await deps.sessions.readPublicShare(shareUuid);
  if (found === null || !(await isServed(deps, found))) throw new DomainError('not_found', 'no such share');
  const { slug, preferredPane, presentation, isJudgedSince, snapshotTakenAt, updatedAt } = found;
  const path = sharePath(shareUuid.toLowerCase(), slug);
  const share = JSON.stringify({
    share_uuid: shareUuid.toLowerCase(),
    slug,
    preferred_pane: preferredPane,
    url: `${baseUrl}${path}`,
    snapshot_taken_at: snapshotTakenAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ...(presentation === null ? {} : (JSON.parse(presentation) as object)),
    // Told only where it is so, like all that the author may leave out.
    ...(isJudgedSince ? { judged_since: true } : {}),
  });
  return {
    slug,
    path,
    // A snapshot changes only when it is taken anew; its format changed once, when earlier judgements were
    // removed from it.
    etag: `"${createHash('sha256').update(`${SNAPSHOT_FORMAT} ${share}`).digest('base64url')}"`,
    async feed() {
      const entries = await deps.sessions.listShareEntries(shareUuid);
      return entries.map(({ id, at, changes }) => ({
        id,
        at: at.toISOString(),
        changes: JSON.parse(changes) as FeedChanges,
      }));
    },
    async snapshot() {
      const snapshot = await deps.sessions.readPublicSnapshot(shareUuid, snapshotTakenAt);
      if (snapshot !== null) return joinObjects(`{"share":${share}}`, await unpackJson(snapshot));
      throw new DomainError('unavailable', 'the share has just changed, try again', {
        retryAfterSeconds: RETRY_AFTER_SECONDS.conflict,
      });
    },
  };
}

/** Whether a share is shown still: neither its publisher nor its tenant has ended or is inactive. */
export async function isServed(
  { leases }: Pick<SessionDeps, 'leases'>,
  { tenantId, servedBy, wasActive }: Pick<PublicShare, 'tenantId' | 'servedBy' | 'wasActive'>,
): Promise<boolean> {
  if (leases === null || servedBy === null) return true;
  return leases.isActive({ owner: tenantId, lease: servedBy, wasActive });
}

/**
 * Counts the changes that migrations made to stored snapshots, so that no cache keeps what was removed from
 * them.
 */
const SNAPSHOT_FORMAT = 2;

/** One object of the members of two, neither of which is empty. */
function joinObjects(first: string, [head, ...rest]: TextPieces): TextPieces {
  return [new TextEncoder().encode(`${first.slice(0, -1)},`), head!.subarray(1), ...rest];
}
