import type { z } from 'zod';
import { ENTITY_OPERATIONS } from './operations/entities.ts';
import { getSessionInterpretation, setSessionInterpretation } from './operations/interpretation.ts';
import {
  compareJudgements,
  explainVerdict,
  getLatestSessionJudgement,
  getSessionJudgement,
  judgeInvestigationSession,
  listSessionJudgements,
} from './operations/judgements.ts';
import {
  cancelJudgementJob,
  getJudgementJob,
  listJudgementJobs,
  startJudgementJob,
} from './operations/jobs.ts';
import { getCalibration } from './operations/calibration.ts';
import { deleteOutcome, listOutcomes, recordOutcome } from './operations/outcomes.ts';
import { applySourceRecords, listSourceRecords } from './operations/source-records.ts';
import { addDocument, findQuote, getDocument, listDocuments } from './operations/documents.ts';
import { inviteToSession, listSessionMembers, removeFromSession } from './operations/members.ts';
import { listJudgementQuotes } from './operations/quotes.ts';
import {
  createInvestigationSession,
  deleteInvestigationSession,
  getInvestigationSession,
  listInvestigationSessions,
  updateInvestigationSession,
  validateInvestigationSession,
} from './operations/sessions.ts';
import {
  getInvestigationSessionShare,
  listInvestigationSessionShares,
  previewInvestigationSessionShare,
  shareInvestigationSession,
  updateInvestigationSessionShare,
} from './operations/shares.ts';
import {
  createSubscription,
  deleteSubscription,
  listSubscriptionEvents,
  listSubscriptions,
  replayDeliveries,
  updateSubscription,
} from './operations/subscriptions.ts';
import type { Operation } from './ports.ts';
import { ExplainedVerdict } from './wire/explanation-schema.ts';
import { INPUT_SCHEMAS } from './wire/investigation-schema.ts';
import * as jobs from './wire/job-schema.ts';
import * as outcomes from './wire/outcome-schema.ts';
import * as quotes from './wire/quote-schema.ts';
import { InviteRequest, MemberResponse } from './wire/member-schema.ts';
import * as schemas from './wire/session-schema.ts';
import * as shares from './wire/share-schema.ts';
import * as watch from './wire/watch-schema.ts';

/**
 * One operation on sessions: its name, where REST has it, what it takes and returns, and what is published of
 * it.
 */
export interface SessionOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path below /api/v1; members of the operation's input are in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The member of the input that the body becomes; without it the body is the input itself. */
  readonly bodyField?: string;
  /** An absent body counts as an empty object. */
  readonly bodyIsOptional?: boolean;
  /** The query parameter that the next page of a list begins with; `cursor` unless given. */
  readonly pageParameter?: string;
  /** Status of success, and its body. */
  readonly success: readonly [status: number, body: z.ZodType | null];
  /** Statuses besides those that every operation on sessions may return. */
  readonly errors: readonly number[];
  readonly operation: Operation<unknown>;
  /**
   * What a caller gets who sends `Prefer: respond-async` (RFC 7240 §4.1): the body of a 202, and where the
   * rest will be.
   */
  readonly respondAsync?: {
    readonly body: z.ZodType;
    readonly operation: Operation<{ readonly id: string }>;
    /** Path below /api/v1, with `{id}` of the body. */
    readonly location: string;
  };
  /** No tool is it: a call of a tool waits for its result, and one tool has all that is about members. */
  readonly isRestOnly?: boolean;
  /** Takes access back, or names what to take back: takes no quota of authz-grpc. */
  readonly isRevocation?: boolean;
}

const SESSION = '/sessions/{session_id}';
/** Error statuses of operations that run in the worker pool. */
const WORK_ERRORS = [500, 504] as const;

const ENTITY_FAMILIES = ENTITY_OPERATIONS.flatMap((family): SessionOperation[] => {
  const { kind, entity, idField, object, names } = family;
  const schema = INPUT_SCHEMAS[object];
  const path = `${SESSION}/${kind}`;
  const one = `${path}/{${idField}}`;
  return [
    {
      method: 'get',
      path,
      operationId: names.list,
      summary: `List the ${kind} of a session`,
      success: [200, schema.array()],
      errors: [404],
      operation: family.list,
    },
    {
      method: 'get',
      path: one,
      operationId: names.get,
      summary: `Read one of the ${kind}`,
      success: [200, schema],
      errors: [404],
      operation: family.get,
    },
    {
      method: 'put',
      path: one,
      operationId: names.upsert,
      summary: `Add or replace one of the ${kind}`,
      body: schema.partial({ id: true }),
      bodyField: entity,
      success: [200, schema],
      errors: [404],
      operation: family.upsert,
    },
    {
      method: 'delete',
      path: one,
      operationId: names.remove,
      summary: `Delete one of the ${kind}`,
      success: [204, null],
      errors: [404],
      operation: family.remove,
    },
  ];
});

/** Every operation on sessions, for REST and MCP alike. Of two paths that fit a URL the first is taken. */
export const SESSION_OPERATIONS: readonly SessionOperation[] = [
  {
    method: 'post',
    path: '/sessions',
    operationId: 'create_investigation_session',
    summary: 'Create a session',
    body: schemas.CreateSessionRequest,
    success: [201, schemas.CreateSessionResponse],
    errors: [409],
    operation: createInvestigationSession,
  },
  {
    method: 'get',
    path: '/sessions',
    operationId: 'list_investigation_sessions',
    summary: 'List sessions',
    query: schemas.ListSessions,
    success: [200, schemas.SessionMeta.array()],
    errors: [422],
    operation: listInvestigationSessions,
  },
  {
    method: 'get',
    path: SESSION,
    operationId: 'get_investigation_session',
    summary: 'Read a session',
    success: [200, schemas.SessionResponse],
    errors: [404],
    operation: getInvestigationSession,
  },
  {
    method: 'patch',
    path: SESSION,
    operationId: 'update_investigation_session',
    summary: 'Merge items and settings into a session',
    body: schemas.UpdateSessionRequest,
    success: [200, schemas.UpdateSessionStatus],
    errors: [404, 409],
    operation: updateInvestigationSession,
  },
  {
    method: 'delete',
    path: SESSION,
    operationId: 'delete_investigation_session',
    summary: 'Delete a session, its judgements and its share',
    success: [204, null],
    errors: [404],
    operation: deleteInvestigationSession,
    isRevocation: true,
  },
  ...ENTITY_FAMILIES,
  {
    method: 'post',
    path: `${SESSION}/validate`,
    operationId: 'validate_investigation_session',
    summary: 'See what judging a session would refuse or warn of',
    body: schemas.ValidateSession,
    bodyIsOptional: true,
    success: [200, schemas.ValidationResponse],
    errors: [404, ...WORK_ERRORS],
    operation: validateInvestigationSession,
  },
  {
    method: 'post',
    path: `${SESSION}/judge`,
    operationId: 'judge_investigation_session',
    summary: 'Judge a session and keep the judgement',
    body: schemas.JudgeOverride,
    bodyIsOptional: true,
    success: [200, schemas.JudgeResponse],
    errors: [404, ...WORK_ERRORS],
    operation: judgeInvestigationSession,
    respondAsync: {
      body: jobs.JudgementJob,
      operation: startJudgementJob,
      location: `${SESSION}/jobs/{id}`,
    },
  },
  {
    method: 'get',
    path: `${SESSION}/jobs`,
    operationId: 'list_judgement_jobs',
    summary: 'List the judgements of a session that were asked for in the background, latest first',
    query: jobs.ListJobs.omit({ session_id: true }),
    success: [200, jobs.JudgementJob.array()],
    errors: [404, 422],
    operation: listJudgementJobs,
    isRestOnly: true,
  },
  {
    method: 'get',
    path: `${SESSION}/jobs/{job_id}`,
    operationId: 'get_judgement_job',
    summary: 'See what has become of a judgement that was asked for in the background',
    success: [200, jobs.JudgementJob],
    errors: [404],
    operation: getJudgementJob,
    isRestOnly: true,
  },
  {
    method: 'delete',
    path: `${SESSION}/jobs/{job_id}`,
    operationId: 'cancel_judgement_job',
    summary: 'Cancel a judgement that was asked for in the background',
    success: [200, jobs.JudgementJob],
    errors: [404],
    operation: cancelJudgementJob,
    isRestOnly: true,
  },
  {
    method: 'get',
    path: `${SESSION}/judgements`,
    operationId: 'list_session_judgements',
    summary: 'List the judgements of a session, latest first',
    success: [200, schemas.JudgementMeta.array()],
    errors: [404],
    operation: listSessionJudgements,
  },
  {
    method: 'get',
    path: `${SESSION}/judgements/latest`,
    operationId: 'get_latest_session_judgement',
    summary: 'Read the latest judgement',
    success: [200, schemas.JudgementRecord],
    errors: [404],
    operation: getLatestSessionJudgement,
  },
  {
    method: 'get',
    path: `${SESSION}/judgements/compare`,
    operationId: 'compare_judgements',
    summary: 'Compare two judgements',
    query: schemas.CompareJudgements.omit({ session_id: true }),
    success: [200, schemas.JudgementComparison],
    errors: [404, 409, 422, ...WORK_ERRORS],
    operation: compareJudgements,
  },
  {
    method: 'get',
    path: `${SESSION}/judgements/{judgement_id}`,
    operationId: 'get_session_judgement',
    summary: 'Read one judgement',
    success: [200, schemas.JudgementRecord],
    errors: [404],
    operation: getSessionJudgement,
  },
  {
    method: 'get',
    path: `${SESSION}/quotes`,
    operationId: 'list_judgement_quotes',
    summary: 'List the pinned quotes of a judgement by what became of them',
    query: quotes.ListQuotes.omit({ session_id: true }),
    success: [200, quotes.QuoteList],
    errors: [404, 422],
    operation: listJudgementQuotes,
  },
  {
    method: 'post',
    path: '/documents',
    operationId: 'add_document',
    summary: 'Store a text that quotes can be pinned to',
    body: quotes.AddDocumentRequest,
    success: [201, quotes.AddDocumentResponse],
    errors: [404, 409],
    operation: addDocument,
  },
  {
    method: 'get',
    path: '/documents',
    operationId: 'list_documents',
    summary: 'List stored documents by name',
    query: quotes.ListDocuments,
    success: [200, quotes.ListedDocument.array()],
    errors: [404, 409, 422],
    operation: listDocuments,
  },
  {
    method: 'get',
    path: '/documents/{document}',
    operationId: 'get_document',
    summary: 'Read a stored document',
    query: quotes.DocumentReference.omit({ document: true }),
    success: [200, quotes.DocumentResponse],
    errors: [404, 409, 422],
    operation: getDocument,
  },
  {
    method: 'get',
    path: '/documents/{document}/quote',
    operationId: 'find_quote',
    summary: 'Find words in a stored document and pin them',
    query: quotes.FindQuote.omit({ document: true }),
    success: [200, quotes.FoundQuote],
    errors: [404, 409, 422],
    operation: findQuote,
  },
  {
    method: 'get',
    path: `${SESSION}/explain`,
    operationId: 'explain_verdict',
    summary: 'Explain a verdict of the last judgement',
    query: schemas.ExplainVerdict.omit({ session_id: true }),
    success: [200, ExplainedVerdict],
    errors: [404, 409, 422, ...WORK_ERRORS],
    operation: explainVerdict,
  },
  {
    method: 'get',
    path: `${SESSION}/interpretation`,
    operationId: 'get_session_interpretation',
    summary: 'Read the interpretation',
    success: [200, schemas.InterpretationResponse],
    errors: [404, 409],
    operation: getSessionInterpretation,
  },
  {
    method: 'put',
    path: `${SESSION}/interpretation`,
    operationId: 'set_session_interpretation',
    summary: 'Set or clear the interpretation of a judged session',
    body: schemas.SetInterpretationRequest,
    success: [200, schemas.InterpretationResponse],
    errors: [404, 409],
    operation: setSessionInterpretation,
  },
  {
    method: 'get',
    path: `${SESSION}/members`,
    operationId: 'list_session_members',
    summary: 'List the colleagues whom you have invited to your session',
    success: [200, MemberResponse.array()],
    errors: [404],
    operation: listSessionMembers,
    isRevocation: true,
    isRestOnly: true,
  },
  {
    method: 'put',
    path: `${SESSION}/members/{username}`,
    operationId: 'invite_to_session',
    summary: 'Invite a colleague to your session, or give them another role',
    body: InviteRequest,
    success: [200, MemberResponse],
    errors: [404, 409],
    operation: inviteToSession,
    isRestOnly: true,
  },
  {
    method: 'delete',
    path: `${SESSION}/members/{username}`,
    operationId: 'remove_from_session',
    summary: 'Take an invitation back, or leave a session',
    success: [204, null],
    errors: [404],
    operation: removeFromSession,
    isRevocation: true,
    isRestOnly: true,
  },
  {
    method: 'get',
    path: `${SESSION}/share`,
    operationId: 'get_investigation_session_share',
    summary: 'Read the share of your session',
    success: [200, shares.ShareResponse],
    errors: [404, 409],
    operation: getInvestigationSessionShare,
    isRevocation: true,
  },
  {
    method: 'put',
    path: `${SESSION}/share`,
    operationId: 'share_investigation_session',
    summary: 'Publish the last judgement of your session with a new snapshot, or hide it',
    body: shares.SetShareRequest,
    success: [200, shares.ShareResponse],
    errors: [404, 409, ...WORK_ERRORS],
    operation: shareInvestigationSession,
    isRevocation: true,
  },
  {
    method: 'patch',
    path: `${SESSION}/share`,
    operationId: 'update_investigation_session_share',
    summary: 'Change only what is named of the share of your session',
    body: shares.UpdateShareRequest,
    success: [200, shares.ShareResponse],
    errors: [404, 409, ...WORK_ERRORS],
    operation: updateInvestigationSessionShare,
    isRevocation: true,
  },
  {
    method: 'get',
    path: `${SESSION}/share/preview`,
    operationId: 'preview_investigation_session_share',
    summary: 'See what publishing your session would make public',
    success: [200, shares.SharePreview],
    errors: [404, 409, ...WORK_ERRORS],
    operation: previewInvestigationSessionShare,
  },
  {
    method: 'get',
    path: `${SESSION}/outcomes`,
    operationId: 'list_outcomes',
    summary: 'List what turned out to be true of a session, last recorded first',
    query: outcomes.ListOutcomes.omit({ session_id: true }),
    success: [200, outcomes.OutcomeResponse.array()],
    errors: [404, 422],
    operation: listOutcomes,
  },
  {
    method: 'post',
    path: `${SESSION}/outcomes`,
    operationId: 'record_outcome',
    summary: 'Record what turned out to be true of a question',
    body: outcomes.RecordOutcomeRequest,
    success: [200, outcomes.OutcomeResponse],
    errors: [404, ...WORK_ERRORS],
    operation: recordOutcome,
  },
  {
    method: 'delete',
    path: `${SESSION}/outcomes/{outcome_id}`,
    operationId: 'delete_outcome',
    summary: 'Delete an outcome, and what it taught',
    success: [204, null],
    errors: [404],
    operation: deleteOutcome,
  },
  {
    method: 'post',
    path: `${SESSION}/source-records`,
    operationId: 'apply_source_records',
    summary: 'Set the reliability of the sources of a session by their record',
    body: outcomes.ApplySourceRecordsRequest,
    bodyIsOptional: true,
    success: [200, outcomes.ApplySourceRecordsResponse],
    errors: [404],
    operation: applySourceRecords,
  },
  {
    method: 'get',
    path: '/source-records',
    operationId: 'list_source_records',
    summary: 'List how often sources were right',
    query: outcomes.ListSourceRecords,
    success: [200, outcomes.SourceRecord.array()],
    errors: [422],
    operation: listSourceRecords,
  },
  {
    method: 'get',
    path: '/calibration',
    operationId: 'get_calibration',
    summary: 'See how right judgements were',
    query: outcomes.CalibrationQuery,
    success: [200, outcomes.CalibrationResponse],
    errors: [422],
    operation: getCalibration,
  },
  {
    method: 'post',
    path: `${SESSION}/subscriptions`,
    operationId: 'create_subscription',
    summary: 'Subscribe to what changes in the judgements of a session',
    body: watch.CreateSubscriptionRequest,
    success: [201, watch.CreatedSubscription],
    errors: [404, 409],
    operation: createSubscription,
  },
  {
    method: 'get',
    path: `${SESSION}/subscriptions`,
    operationId: 'list_subscriptions',
    summary: 'List your subscriptions on a session',
    success: [200, watch.SubscriptionResponse.array()],
    errors: [404],
    operation: listSubscriptions,
    isRevocation: true,
  },
  {
    method: 'patch',
    path: `${SESSION}/subscriptions/{subscription_id}`,
    operationId: 'update_subscription',
    summary: 'Pause a subscription, or resume it',
    body: watch.UpdateSubscriptionRequest,
    success: [200, watch.SubscriptionResponse],
    errors: [404],
    operation: updateSubscription,
  },
  {
    method: 'delete',
    path: `${SESSION}/subscriptions/{subscription_id}`,
    operationId: 'delete_subscription',
    summary: 'End a subscription and forget its events',
    success: [204, null],
    errors: [404],
    operation: deleteSubscription,
    isRevocation: true,
  },
  {
    method: 'get',
    path: `${SESSION}/subscriptions/{subscription_id}/events`,
    operationId: 'list_subscription_events',
    summary: 'List what a subscription fired, and what became of each delivery',
    query: watch.ListEvents.omit({ session_id: true, subscription_id: true }),
    pageParameter: 'after',
    success: [200, watch.SubscriptionEvent.array()],
    errors: [404, 422],
    operation: listSubscriptionEvents,
  },
  {
    method: 'post',
    path: `${SESSION}/subscriptions/{subscription_id}/replay`,
    operationId: 'replay_deliveries',
    summary: 'Deliver an event, or all that are parked, again',
    body: watch.ReplayRequest,
    bodyIsOptional: true,
    success: [200, watch.ReplayResponse],
    errors: [404],
    operation: replayDeliveries,
  },
  {
    method: 'get',
    path: '/shares',
    operationId: 'list_investigation_session_shares',
    summary: 'List your shares',
    success: [200, shares.ShareListItemResponse.array()],
    errors: [],
    operation: listInvestigationSessionShares,
    isRevocation: true,
  },
];
