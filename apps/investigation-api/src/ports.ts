import type { Leases } from '@platform/authz-client';
import type { Caller } from './access/caller.ts';
import type { Permissions } from './access/permissions.ts';
import type { AnalysisPool } from './engine/analysis-pool.ts';
import type { AnalysisProgress } from './engine/analysis-task.ts';
import type { ResultPart } from './engine/result-part.ts';
import type { InputReader } from './engine/input-reader.ts';
import type { Interchange } from './interchange/interchange.ts';
import type { Job, JobStore } from './store/job-store.ts';
import type { OutcomeStore } from './store/outcome-store.ts';
import type { DocumentStore } from './quotes/document-store.ts';
import type { SessionRef, SessionStore } from './store/session-store.ts';
import type { WatchStore } from './store/watch-store.ts';
import type { ValueOrJson } from './wire/json-bytes.ts';

/** Who is told about a session's events. */
export interface StreamListener {
  /** Called when events may have been fired, and once at first. */
  wake(): void;
  /** Called when the service stops. */
  end(): void;
}

export interface EventStreams {
  /** Null = the tenant has as many streams as it may have, or the service stops. */
  open(ref: SessionRef, listener: StreamListener): { close(): void } | null;
}

/** `createJobWatch` of the jobs. */
export interface JobWatch {
  next(tenantId: string, id: string): Promise<Job | null>;
}

/** The dependencies of operations; `deps.ts` builds them once. */
export interface SessionDeps {
  readonly sessions: SessionStore;
  readonly outcomes: OutcomeStore;
  readonly watch: WatchStore;
  readonly jobs: JobStore;
  /** Called when a job of the tenant was added or cancelled. */
  readonly onJob: (tenantId: string) => void;
  readonly webhooks: {
    /** Why a webhook may not have this address, in words for its sender; null = it may. */
    refusal(url: string): string | null;
    /** A fresh secret, as subscribers are shown it. */
    newSecret(): string;
  };
  /** Whether changes of documents and policies can be told, and from where on. */
  readonly follower: {
    /** As of `Follower`. */
    presentDocuments(tenantId: string): Promise<number | null>;
    presentPolicies(tenantId: string, domainId: string): Promise<number | 'no_key' | 'no_domain'>;
    problemOf(tenantId: string, feed: string): Promise<string | null>;
  };
  readonly permissions: Permissions;
  /** Whether shares may still be shown; null = nobody is asked. */
  readonly leases: Leases | null;
  readonly inputs: InputReader;
  /** docstore-api, for documents that quotes are pinned to. */
  readonly documents: DocumentStore;
  /** Reads and writes files of other tools. */
  readonly interchange: Interchange;
  readonly analysis: AnalysisPool;
  readonly now: () => Date;
  /** A fresh UUID, for sessions, judgements and shares. */
  readonly newId: () => string;
  readonly config: {
    /** Longest an analysis may take, waiting included. Milliseconds. */
    readonly analysisTimeoutMs: number;
    /** Largest request body, and largest session. */
    readonly bodyBytesMax: number;
    /** Most subscriptions of one tenant. */
    readonly subscriptionsMax: number;
    /** Most jobs of one tenant that have not ended. */
    readonly jobsMax: number;
  };
}

/** How an operation is called, apart from its input and caller. */
export interface OperationOptions {
  /** Aborted when the client disconnects; work then stops and the call rejects with its reason. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: AnalysisProgress) => void;
  /** Makes work of the engine return small results as values; the caller has no use for their JSON. */
  readonly asValue?: boolean;
  /**
   * Makes a judgement come with this part of its result and without its input, and a session without its
   * items.
   */
  readonly part?: ResultPart;
  /** Told by a list where its next page begins, if there may be one: the `cursor` to ask it with. */
  readonly onNextPage?: (cursor: number) => void;
  /** Where people reach the service, without a slash at the end: `https://example.org`. */
  readonly baseUrl: string;
}

/**
 * One operation on sessions. `input` is what the caller sent, unchecked, a value or a RequestBody. The
 * response is a value, or, where a judgement or a payload makes it large, its JSON in UTF-8. All throw
 * DomainError: `unprocessable` naming every problem of the input with its path, `permission_denied` to a
 * caller without tenant, `not_found` for what does not exist and for what the caller may not know of.
 */
export type Operation<Response> = (
  deps: SessionDeps,
  input: unknown,
  caller: Caller,
  options: OperationOptions,
) => Promise<ValueOrJson<Response>>;
