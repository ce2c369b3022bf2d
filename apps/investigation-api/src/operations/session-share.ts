import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import type { WorkOptions } from '../engine/analysis-pool.ts';
import type { SnapshotFrame } from '../engine/analysis-task.ts';
import type { SessionHead, SessionRef, Share } from '../store/session-store.ts';
import { jsonBytes } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import type { SessionDeps } from '../ports.ts';
import { readInput } from './read-input.ts';
import { neverJudged, noSession, openOwnSession, requireTenant } from './session-access.ts';
import type { PANES, ShareListItemResponse, ShareResponse } from './session-schema.ts';
import type { SessionInputs } from './session-input.ts';
import { SessionReference } from './session-schema.ts';
import { slugOf } from './slug.ts';
import { withDeadline } from './with-deadline.ts';

/** Times that a share is frozen while others change it. */
const FREEZE_TRIES_MAX = 20;
const RETRY_AFTER_SECONDS = 2;

/** The owner's share of a session. Throws `failed_precondition` for a session never judged, `not_found` when it has none. */
export const getShare: Operation<z.output<typeof ShareResponse>> = async (deps, input, caller, options) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref, head } = await openOwnSession(deps, caller, session_id);
  if (head.judgedAt === null) throw neverJudged();
  const share = await deps.sessions.readShare(ref);
  if (share === 'no_session') throw noSession();
  if (share === 'no_share') throw new DomainError('not_found', 'the session has no share');
  return jsonBytes(responseOf(share, options.baseUrl));
};

/**
 * Publishes the last judgement as a frozen snapshot, or hides it. Every call with `public` freezes anew, under the same UUID.
 * Owner only. Throws `failed_precondition` for a session never judged.
 */
export const putShare: Operation<z.output<typeof ShareResponse>> = async (deps, input, caller, options) => {
  const request = await deps.inputs.read('put_share', input);
  const { ref, head } = await openOwnSession(deps, caller, request.session_id);
  const share = await putFrozen(deps, ref, head, request, {
    signal: options.signal,
    traceparent: caller.metadata.traceparent,
  });
  return jsonBytes(responseOf(share, options.baseUrl));
};

/**
 * Freezes and stores, again where another call stored meanwhile: what it froze may be newer, and what is published never
 * goes back in time. Each try after the first means that another call has come through.
 */
async function putFrozen(
  deps: SessionDeps,
  ref: SessionRef,
  opened: SessionHead,
  request: SessionInputs['put_share'],
  options: Pick<WorkOptions, 'signal' | 'traceparent'>,
): Promise<Share> {
  for (let tries = 0; tries < FREEZE_TRIES_MAX; tries += 1) {
    // Before anything that is frozen is read.
    const version = request.public ? await deps.sessions.readShareVersion(ref) : undefined;
    const head = request.public ? await deps.sessions.readHead(ref) : opened;
    if (head === null) throw noSession();
    const snapshot = await freeze(deps, ref, head, request.public, options);
    const share = await deps.sessions.putShare(ref, {
      slug: slugOf(request.slug ?? head.name),
      keepsSlug: request.slug === undefined,
      preferredPane: request.preferred_pane ?? 'overview',
      keepsPreferredPane: request.preferred_pane === undefined,
      isPublic: request.public,
      snapshot,
      version,
      now: deps.now(),
      newShareUuid: deps.newId(),
    });
    if (share === null) throw noSession();
    if (share !== 'overtaken') return share;
  }
  throw new DomainError(
    'unavailable',
    'the share is being changed by too many calls at once, try again later',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}

/** The shares of the caller's own sessions, hidden ones too, last changed first. */
export const listShares: Operation<z.output<typeof ShareListItemResponse>[]> = async (
  deps,
  _input,
  caller,
  options,
) => {
  const shares = await deps.sessions.listShares(requireTenant(caller), caller.id);
  return jsonBytes(
    shares.map((share) => {
      const { url_path: _path, ...fields } = responseOf(share, options.baseUrl);
      return { session_id: share.sessionId, session_name: share.sessionName, ...fields };
    }),
  );
};

/** The snapshot of the last judgement; undefined when nothing is to be shown. */
async function freeze(
  deps: SessionDeps,
  ref: SessionRef,
  head: SessionHead,
  isPublic: boolean,
  options: Pick<WorkOptions, 'signal' | 'traceparent'>,
): Promise<Uint8Array | undefined> {
  if (head.judgedAt === null) throw neverJudged();
  if (!isPublic) return undefined;
  const judgement = await deps.sessions.readJudgement(ref, 'latest');
  // A judgement is deleted only together with its session.
  if (typeof judgement === 'string') throw noSession();
  const { id, judgedAt, durationMs, inputSnapshot, result } = judgement;
  const frame: SnapshotFrame = {
    session_name: head.name,
    interpretation: head.interpretation,
    interpretation_updated_at: head.interpretationUpdatedAt?.toISOString() ?? null,
    judgement: { id, judged_at: judgedAt.toISOString(), duration_ms: durationMs },
  };
  return withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.freeze({ frame, inputSnapshot, result }, { signal, traceparent: options.traceparent }),
  );
}

function responseOf(share: Share, baseUrl: string): z.output<typeof ShareResponse> {
  const url_path = sharePath(share.shareUuid, share.slug);
  return {
    share_uuid: share.shareUuid,
    slug: share.slug,
    preferred_pane: share.preferredPane as (typeof PANES)[number],
    is_public: share.isPublic,
    url_path,
    url: `${baseUrl}${url_path}`,
    updated_at: share.updatedAt.toISOString(),
    snapshot_taken_at: share.snapshotTakenAt?.toISOString() ?? null,
  };
}

/** Where people see a share. */
export function sharePath(shareUuid: string, slug: string): string {
  return `/share/${shareUuid}/${slug}`;
}
