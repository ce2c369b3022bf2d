import { DomainError, type ErrorKind, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { createWorkerPool, QueueFull } from '@platform/worker-pool';
import { pinOf, type PinnedQuote } from '../model/pinned-quote.ts';
import type { ShareDocument } from '@platform/viewer';
import type { PackedJson } from '../wire/packed-json.ts';
import { unread, type QuoteReason } from '../wire/quote-schema.ts';
import {
  clockMs,
  type AddedDocument,
  type AddTask,
  type CheckedQuotes,
  type FindTask,
  type FoundWords,
  type ListedDocument,
  type ListTask,
  type QuoteReply,
  type QuoteTask,
  type ReadDocument,
  type ReadTask,
} from './quote-task.ts';

/** For whom documents are read, and until when. */
export interface ReadingFor {
  readonly credential: string;
  /** The owner of the work, such as a tenant. The queue is fair by owner. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** docstore-api, as its caller may use it. */
export interface DocumentStore {
  /**
   * Where quotes stand, in their order. A quote that cannot be looked up is `not_checked` with the reason;
   * rejects with the signal's reason alone.
   */
  check(quotes: readonly PinnedQuote[], reading: ReadingFor): Promise<CheckedQuotes>;
  /** What a share shows of the documents that a judgement quotes; of those that cannot be read nothing. */
  excerpts(inputSnapshot: PackedJson, reading: ReadingFor): Promise<readonly ShareDocument[]>;
  /** Stores a document. Throws DomainError as the store refuses, `failed_precondition` without one. */
  add(document: Omit<AddTask, 'kind'>, reading: ReadingFor): Promise<AddedDocument>;
  /** Documents that the caller may read, by a part of their names. Throws as `add`. */
  list(task: Omit<ListTask, 'kind'>, reading: ReadingFor): Promise<readonly ListedDocument[]>;
  /** One version of a document. Throws as `add`, `not_found` also for what the caller may not read. */
  read(reference: Omit<ReadTask, 'kind'>, reading: ReadingFor): Promise<ReadDocument>;
  /** Where words stand in a document. Throws as `read`. */
  find(task: Omit<FindTask, 'kind'>, reading: ReadingFor): Promise<FoundWords>;
  close(): Promise<void>;
}

/** Tasks that may wait for a thread. */
const WAITING_MAX = 64;
const WORKER_FILE = new URL('./quote-worker.js', import.meta.url);
/** A thread is there only while documents are read. */
const IDLE_MS = 60_000;

/** Reads documents and looks for quotes in threads of their own; `baseUrl` null = there is no store. */
export function createDocumentStore(options: {
  readonly baseUrl: string | null;
  /** Longest that reading for one request may take, its wait for a thread included. Milliseconds. */
  readonly timeoutMs: number;
  readonly memoryMiBMax: number;
  readonly file?: URL;
}): DocumentStore {
  const { baseUrl, timeoutMs, memoryMiBMax, file = WORKER_FILE } = options;
  if (baseUrl === null) return NO_STORE;
  const pool = createWorkerPool<QuoteTask, QuoteReply>({
    file,
    threads: 2,
    queueMax: WAITING_MAX,
    threadsPerOwner: 1,
    memoryMiBMax,
    idleMs: IDLE_MS,
  });
  const run = (task: Parameters<typeof withStore>[0], { credential, owner, signal }: ReadingFor) =>
    pool.run(withStore(task, { baseUrl, credential, untilMs: clockMs() + timeoutMs }), { owner, signal });

  async function ask(task: Parameters<typeof withStore>[0], reading: ReadingFor): Promise<QuoteReply> {
    const reply = await run(task, reading).catch((error: unknown) => {
      if (!(error instanceof QueueFull)) throw error;
      throw new DomainError('unavailable', 'too many documents are being read, try again later', {
        retryAfterSeconds: RETRY_AFTER_SECONDS.longQueue,
      });
    });
    if ('refused' in reply) throw refusalOf(reply.refused);
    return reply;
  }

  return {
    async check(quotes, reading) {
      const reply = await run({ kind: 'check', quotes }, reading).catch(unlessAborted(reading));
      return reply !== null && 'checks' in reply ? reply : noneRead(quotes, 'unavailable');
    },
    async excerpts(inputSnapshot, reading) {
      const reply = await run({ kind: 'excerpts', inputSnapshot }, reading).catch(unlessAborted(reading));
      return reply !== null && 'documents' in reply ? reply.documents : [];
    },
    async add(task, reading) {
      const reply = await ask({ kind: 'add', ...task }, reading);
      if ('added' in reply) return reply.added;
      throw new DomainError('internal', 'no document was stored');
    },
    async list(task, reading) {
      const reply = await ask({ kind: 'list', ...task }, reading);
      if ('listed' in reply) return reply.listed;
      throw new DomainError('internal', 'no documents were listed');
    },
    async read(task, reading) {
      const reply = await ask({ kind: 'read', ...task }, reading);
      if ('read' in reply) return reply.read;
      throw new DomainError('internal', 'no document was read');
    },
    async find(task, reading) {
      const reply = await ask({ kind: 'find', ...task }, reading);
      if ('found' in reply) return reply.found;
      throw new DomainError('internal', 'no document was searched');
    },
    close: () => pool.close(),
  };
}

/** A judgement does not fail for lack of a thread that reads documents: its quotes are not checked. */
const unlessAborted =
  ({ signal }: ReadingFor) =>
  (): null => {
    signal.throwIfAborted();
    return null;
  };

type Access = Pick<QuoteTask, 'baseUrl' | 'credential' | 'untilMs'>;
type WithoutStore<Task> = Task extends QuoteTask ? Omit<Task, keyof Access> : never;

const withStore = (task: WithoutStore<QuoteTask>, store: Access): QuoteTask => ({ ...task, ...store });

function noneRead(quotes: readonly PinnedQuote[], reason: QuoteReason): CheckedQuotes {
  return { checks: quotes.map((quote) => unread(pinOf(quote), reason)), filenames: [] };
}

const noStore = () =>
  Promise.reject(
    new DomainError('failed_precondition', 'no document store is connected: INVESTIGATION_DOCSTORE_URL'),
  );

const NO_STORE: DocumentStore = {
  check: (quotes) => Promise.resolve(noneRead(quotes, 'not_configured')),
  excerpts: () => Promise.resolve([]),
  add: noStore,
  list: noStore,
  read: noStore,
  find: noStore,
  close: () => Promise.resolve(),
};

const KINDS: Readonly<Record<string, ErrorKind>> = {
  not_found: 'not_found',
  forbidden: 'permission_denied',
  unauthorized: 'permission_denied',
  conflict: 'conflict',
  payload_too_large: 'payload_too_large',
  validation_failed: 'unprocessable',
  unsupported_media_type: 'unprocessable',
  unprocessable_entity: 'unprocessable',
  quota_exceeded: 'permission_denied',
  rate_limited: 'rate_limited',
};

function refusalOf({
  code,
  message,
  details,
  retryAfterSeconds,
}: Extract<QuoteReply, { refused: unknown }>['refused']): DomainError {
  const fields = Object.entries(details).map(([field, problem]) => `${field}: ${problem}`);
  const kind = KINDS[code] ?? 'unavailable';
  if (kind === 'conflict')
    return new DomainError(
      kind,
      'a document with this filename exists: send `as_new_version` to store this as a new version of it, or choose another filename',
      { remedy: 'list_documents finds the one that is stored' },
    );
  return new DomainError(
    kind,
    kind === 'unavailable' ? 'the document store does not respond' : fields.join('\n') || message,
    {
      retryAfterSeconds:
        retryAfterSeconds ?? (kind === 'unavailable' ? RETRY_AFTER_SECONDS.documentStore : undefined),
    },
  );
}
