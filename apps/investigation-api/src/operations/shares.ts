import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { z } from 'zod';
import { workFor, type Caller } from '../access/caller.ts';
import type { FreezeTask, SnapshotFrame } from '../engine/analysis-task.ts';
import type {
  Judgement,
  OwnShare,
  SessionHead,
  SessionRef,
  Share,
  ShareChange,
} from '../store/session-store.ts';
import { interpretationFieldsOf } from '../wire/interpretation-fields.ts';
import type { Operation, OperationOptions, SessionDeps } from '../ports.ts';
import { readInput } from '../wire/read-input.ts';
import {
  sessionNeverJudged,
  sessionNotFound,
  loadAuthorizedSession,
  requireTenant,
} from '../access/session-access.ts';
import {
  EDITED_SINCE,
  type PANES,
  type SharePresentation,
  type SharePreview,
  type ShareListItemResponse,
  type ShareResponse,
} from '../wire/share-schema.ts';
import { SessionReference } from '../wire/session-schema.ts';
import { readableQuotes } from './shared/readable-quotes.ts';
import { packJson } from '../wire/packed-json.ts';
import { PRESENTATION_FIELDS, presentationFields, presentationOf } from '../wire/presentation.ts';
import { sharePath } from '../wire/share-path.ts';
import { slugOf } from '@platform/viewer';
import { withDeadline } from '../engine/with-deadline.ts';
import { isServed } from './read-public-share.ts';

/** How often one call tries to change a share that other calls change at the same time. */
const TRIES_MAX = 20;
const NOTHING_SEEN =
  'show_changes: readers see no earlier publication, so there is nothing to compare; the next publication with show_changes tells what changed since this one';
const NOTHING_NEW =
  'show_changes: readers see this judgement already, so there is nothing new to compare and what changed before it stays shown; judge again before publishing';

/**
 * The share of a session, for its owner and for those invited to publish. Throws `failed_precondition` for a
 * session never judged, `not_found` when it has none.
 */
export const getInvestigationSessionShare: Operation<z.output<typeof ShareResponse>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref, head } = await loadAuthorizedSession(deps, caller, session_id, 'share');
  if (head.judgedAt === null) throw sessionNeverJudged();
  const share = await deps.sessions.readShare(ref);
  if (share === 'no_session') throw sessionNotFound();
  if (share === 'no_share') throw noShare();
  return responseOf(await asShown(deps, ref.tenantId, share), options.baseUrl);
};

/**
 * Publishes the last judgement as a frozen snapshot, or hides it. Every call with `public` takes a new
 * snapshot, under the same UUID. For the owner, and for those invited to publish. Throws
 * `failed_precondition` for a session never judged, `unprocessable` for an answer that is not among its
 * findings.
 */
export const shareInvestigationSession: Operation<z.output<typeof ShareResponse>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const request = await deps.inputs.read('put_share', input);
  const { ref } = await loadAuthorizedSession(deps, caller, request.session_id, 'share');
  await requireFinding(deps, ref, request.answer_finding, { caller, signal: options.signal });
  const { share, warnings } = await changeShare(
    deps,
    ref,
    { caller, signal: options.signal },
    (current, head) => ({
      slug: slugOf(request.slug ?? current?.slug ?? head.name),
      preferredPane: request.preferred_pane ?? current?.preferredPane ?? 'overview',
      presentation: changedPresentation(request, current),
      isPublic: request.public,
      takesSnapshot: request.public,
      showsChanges: showsChanges(request, request.public),
    }),
  );
  return { ...responseOf(share, options.baseUrl), ...(warnings.length > 0 && { warnings: [...warnings] }) };
};

/**
 * Changes of a share only what the request names; a new snapshot is taken only for `snapshot: true`. For the
 * owner, and for those invited to publish. Throws `not_found` when the session has no share,
 * `failed_precondition` for a session never judged and for a share made public without ever having had a
 * snapshot, `unprocessable` for an answer that is not among the findings of the last judgement.
 */
export const updateInvestigationSessionShare: Operation<z.output<typeof ShareResponse>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id, slug, preferred_pane, snapshot, ...request } = await deps.inputs.read(
    'update_share',
    input,
  );
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'share');
  await requireFinding(deps, ref, request.answer_finding, { caller, signal: options.signal });
  const { share, warnings } = await changeShare(deps, ref, { caller, signal: options.signal }, (current) => {
    if (current === null) throw noShare();
    const isPublic = request.public ?? current.isPublic;
    if (isPublic && !snapshot && current.snapshotTakenAt === null) {
      throw new DomainError(
        'failed_precondition',
        'the share has no snapshot to show yet: send snapshot: true as well',
      );
    }
    return {
      slug: slug === undefined ? current.slug : slugOf(slug),
      preferredPane: preferred_pane ?? current.preferredPane,
      presentation: changedPresentation(request, current),
      isPublic,
      takesSnapshot: snapshot,
      showsChanges: showsChanges(request, snapshot),
    };
  });
  return { ...responseOf(share, options.baseUrl), ...(warnings.length > 0 && { warnings: [...warnings] }) };
};

/**
 * Returns what a snapshot taken now would make public: sources, statements, evidence, and the interpretation
 * with its age. Changes nothing. For the owner, and for those invited to publish. Throws
 * `failed_precondition` for a session never judged.
 */
export const previewInvestigationSessionShare: Operation<z.output<typeof SharePreview>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref, head } = await loadAuthorizedSession(deps, caller, session_id, 'share');
  const { inputSnapshot, result, quotes: _quotes, ...judgement } = await readLatestJudgement(deps, ref);
  const share = await deps.sessions.readShare(ref);
  return withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.previewShare(
      {
        frame: frameOf(head, judgement),
        inputSnapshot,
        result,
        isEditedSince: head.updatedAt > judgement.judgedAt,
        interpretationPredatesJudgement: interpretationFieldsOf(head).interpretation_predates_judgement,
        presentation: presentationOf(share),
      },
      { asValue: options.asValue, signal, ...workFor(caller) },
    ),
  );
};

/** The shares of the caller's own sessions, hidden ones too, last changed first. */
export const listInvestigationSessionShares: Operation<z.output<typeof ShareListItemResponse>[]> = async (
  deps,
  _input,
  caller,
  options,
) => {
  const tenantId = requireTenant(caller);
  const shares = await deps.sessions.listShares(tenantId, caller.id);
  const shown = await Promise.all(shares.map((share) => asShown(deps, tenantId, share)));
  return shown.map((share) => {
    const { url_path: _path, ...fields } = responseOf(share, options.baseUrl);
    return { session_id: share.sessionId, session_name: share.sessionName, ...fields };
  });
};

/** Throws `unprocessable` where changes are to be shown without a new snapshot, which alone holds them. */
function showsChanges(
  { show_changes: isShown }: { readonly show_changes?: boolean | undefined },
  takesSnapshot: boolean,
): boolean | undefined {
  if (isShown === true && !takesSnapshot)
    throw new DomainError('unprocessable', 'show_changes: only a new snapshot can show changes');
  return isShown;
}

/** What a share is to be; with a new snapshot of the last judgement, or with the snapshot it has. */
interface ShareDecision {
  readonly slug: string;
  readonly preferredPane: string;
  readonly presentation: string | null;
  readonly isPublic: boolean;
  readonly takesSnapshot: boolean;
  /**
   * Whether the new snapshot shows what changed since the one that readers see; undefined = one of the same
   * judgement shows what that one showed.
   */
  readonly showsChanges: boolean | undefined;
}

/**
 * Reads the share, decides what it becomes, and stores that; again where another call has stored meanwhile,
 * because its snapshot may be newer and what is published never goes back in time. `current` is null where
 * the session has no share.
 */
async function changeShare(
  deps: SessionDeps,
  ref: SessionRef,
  call: { readonly caller: Caller; readonly signal: AbortSignal },
  decide: (current: Share | null, head: SessionHead) => ShareDecision,
): Promise<{ readonly share: Share; readonly warnings: readonly string[] }> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    // The share's version is read before anything that a snapshot holds.
    const current = await deps.sessions.readShare(ref);
    const head = await deps.sessions.readHead(ref);
    if (head === null || current === 'no_session') throw sessionNotFound();
    if (head.judgedAt === null) throw sessionNeverJudged();
    // What is not shown any more is not shown again by a change of something else.
    const known = current === 'no_share' ? null : await asShown(deps, ref.tenantId, current);
    const { takesSnapshot, showsChanges: isCompared, ...decided } = decide(known, head);
    // Compared is what readers see now: what is hidden, or was never shown, stays so.
    const seen = known?.isPublic === true ? known : null;
    const isSame = seen?.snapshotTakenAt != null && !seen.isJudgedSince;
    const published =
      seen?.snapshotTakenAt && takesSnapshot && (isCompared === true || (isCompared === undefined && isSame))
        ? await deps.sessions.readPublicSnapshot(seen.shareUuid, seen.snapshotTakenAt)
        : null;
    // Who shows a share, or takes its snapshot, publishes it; any other change leaves it with its publisher.
    const isPublishing = takesSnapshot || (decided.isPublic && known?.isPublic !== true);
    const stored = await deps.sessions.putShare(ref, {
      ...decided,
      ...(takesSnapshot ? await takeSnapshot(deps, ref, { head, published }, call) : {}),
      version: known?.version ?? null,
      lease: isPublishing ? (call.caller.leases?.subject ?? null) : undefined,
      now: deps.now(),
      newShareUuid: deps.newId(),
    });
    if (stored === 'no_session') throw sessionNotFound();
    if (stored === 'conflict') continue;
    const saysOther = (stored.presentation ?? null) !== (known?.presentation ?? null);
    // What lists show of the judgement is said anew when one asks for it.
    if (saysOther) await deps.sessions.setAnswer(ref, head.lastJudgementId!, null);
    const isEditedSince = takesSnapshot && stored.judgedAt !== null && head.updatedAt > stored.judgedAt;
    const warnings = isEditedSince ? [EDITED_SINCE] : [];
    if (isCompared === true && published === null) warnings.push(NOTHING_SEEN);
    else if (isCompared === true && isSame) warnings.push(NOTHING_NEW);
    return { share: stored, warnings };
  }
  throw new DomainError('unavailable', 'too many calls change the share at once, try again later', {
    retryAfterSeconds: RETRY_AFTER_SECONDS.contention,
  });
}

/**
 * Throws `unprocessable`, naming the findings there are, for an answer that is not among those of the last
 * judgement: a misspelt one would pass for one that shows.
 */
async function requireFinding(
  deps: SessionDeps,
  ref: SessionRef,
  answer: SharePresentation['answer_finding'],
  { caller, signal: outer }: { readonly caller: Caller; readonly signal: OperationOptions['signal'] },
): Promise<void> {
  if (!answer) return;
  const { inputSnapshot, result, judgedAt } = await readLatestJudgement(deps, ref);
  const { subject_id: subjectId, predicate } = answer;
  try {
    await withDeadline(deps.config.analysisTimeoutMs, outer, (signal) =>
      deps.analysis.explain(
        { inputSnapshot, result, judgedAtMs: judgedAt.getTime(), subjectId, predicate },
        { signal, ...workFor(caller) },
      ),
    );
  } catch (error) {
    if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
    throw new DomainError('unprocessable', `answer_finding: ${error.message}`);
  }
}

/** The snapshot of the last judgement, and what the feed tells about it. */
async function takeSnapshot(
  deps: SessionDeps,
  ref: SessionRef,
  { head, published }: { readonly head: SessionHead; readonly published: FreezeTask['published'] },
  { caller, signal: outer }: { readonly caller: Caller; readonly signal: OperationOptions['signal'] },
): Promise<Required<Pick<ShareChange, 'snapshot' | 'judgedRevision' | 'feed'>>> {
  const feedBefore = await deps.sessions.readFeedState(ref);
  const { inputSnapshot, result, quotes, ...judgement } = await readLatestJudgement(deps, ref);
  const { owner } = workFor(caller);
  const reading = { credential: caller.credential, owner, signal: outer };
  // What is shown is what its author may read now, no matter who judged.
  const shown = quotes === null ? null : packJson(JSON.stringify(await readableQuotes(deps, caller, quotes)));
  const documents = quotes === null ? [] : await deps.documents.excerpts(inputSnapshot, reading);
  const frame = frameOf(head, judgement);
  const { snapshot, feedState, changes } = await withDeadline(
    deps.config.analysisTimeoutMs,
    outer,
    (signal) =>
      deps.analysis.freeze(
        { frame, inputSnapshot, result, quotes: shown, documents, published, feedState: feedBefore },
        { signal, ...workFor(caller) },
      ),
  );
  const entry = changes === null ? null : { id: deps.newId(), changes: JSON.stringify(changes) };
  return { snapshot, judgedRevision: head.judgedRevision, feed: { state: feedState, entry } };
}

async function readLatestJudgement(deps: SessionDeps, ref: SessionRef): Promise<Judgement> {
  const judgement = await deps.sessions.readJudgement(ref, 'latest');
  if (judgement === 'no_session') throw sessionNotFound();
  if (judgement === 'no_judgement') throw sessionNeverJudged();
  return judgement;
}

function frameOf(
  head: SessionHead,
  { id, judgedAt, durationMs }: Omit<Judgement, 'inputSnapshot' | 'result' | 'quotes'>,
): SnapshotFrame {
  return {
    session_name: head.name,
    interpretation: head.interpretation,
    interpretation_updated_at: head.interpretationUpdatedAt?.toISOString() ?? null,
    judgement: { id, judged_at: judgedAt.toISOString(), duration_ms: durationMs },
  };
}

/** A share that is public only as long as its link shows it: not after its publisher has ended. */
async function asShown<Own extends OwnShare>(
  deps: Pick<SessionDeps, 'leases'>,
  tenantId: string,
  share: Own,
): Promise<Own> {
  const isPublic = share.isPublic && (await isServed(deps, { ...share, tenantId }));
  return { ...share, isPublic };
}

function responseOf(share: Share, baseUrl: string): z.output<typeof ShareResponse> {
  const url_path = sharePath(share.shareUuid, share.slug);
  return {
    share_uuid: share.shareUuid,
    slug: share.slug,
    preferred_pane: share.preferredPane as (typeof PANES)[number],
    ...presentationFields(share.presentation),
    is_public: share.isPublic,
    url_path,
    url: `${baseUrl}${url_path}`,
    updated_at: share.updatedAt.toISOString(),
    snapshot_taken_at: share.snapshotTakenAt?.toISOString() ?? null,
    judged_at: share.judgedAt?.toISOString() ?? null,
  };
}

/** What a request makes of how a share is presented, as it is kept. */
function changedPresentation(request: SharePresentation, current: Share | null): string | null {
  const before = presentationFields(current?.presentation ?? null);
  const after = PRESENTATION_FIELDS.flatMap((name) => {
    const value = request[name] === undefined ? before[name] : request[name];
    return value === null ? [] : [[name, value]];
  });
  return after.length === 0 ? null : JSON.stringify(Object.fromEntries(after));
}

function noShare(): DomainError {
  const remedy = 'list_investigation_session_shares lists yours';
  return new DomainError('not_found', 'the session has no share', { remedy });
}
