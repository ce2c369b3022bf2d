import { setTimeout as delay } from 'node:timers/promises';
import { objectUri, type Authority, type Introspection } from '@platform/authz-client';
import { DocstoreClient, DocstoreError, type ChangePage } from '@platform/docstore-client';
import { DomainError } from '@platform/error-contracts';
import type { Logger } from 'pino';
import type { WatchStore } from '../store/watch-store.ts';

/** Reads what becomes of the documents of tenants, by a key of a service account of each. */
export interface DocumentFollower {
  /**
   * The number of the last change of a tenant's documents; null = there is no key of that tenant. Throws
   * `unavailable`.
   */
  present(tenantId: string): Promise<number | null>;
  /**
   * Whether a user or account of the tenant may read documents with these filenames now, by index. Throws
   * `unavailable` and `rate_limited`, and `failed_precondition` without a key of that tenant.
   */
  mayRead(tenantId: string, subjectId: string, filenames: readonly string[]): Promise<boolean[]>;
  close(): Promise<void>;
}

export interface DocumentFollowerOptions {
  /** API keys of service accounts, with the scopes `documents` and `check`; one of each tenant. */
  readonly keys: readonly string[];
  readonly baseUrl: string;
  readonly authority: Pick<Authority, 'introspect' | 'areAllowed'>;
  readonly store: Pick<WatchStore, 'takeFollow' | 'keepChanges'>;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Called after changes were kept for subscriptions. */
  readonly onKept: () => void;
  /** How often a replica looks whether there is something to follow. Milliseconds. */
  readonly idleMs: number;
  /** How long docstore-api holds back a page without changes. Seconds. */
  readonly waitSeconds: number;
}

/** Another replica takes over after this time; longer than one request may take. Milliseconds. */
const TAKEN_MS = 45_000;
const REQUEST_MS = 40_000;
/** Between two pages that had changes: a key of docstore-api has sixty requests a minute. Milliseconds. */
const PACE_MS = 2_000;
/** A key that was refused is tried again after this time. Milliseconds. */
const REFUSED_MS = 60_000;
/** Contexts in one call. */
const BATCH_MAX = 1_000;
const NEEDED_SCOPES = ['documents', 'check'];

/** Follows the documents of every tenant of which there is a key, for as long as somebody listens. */
export function createDocumentFollower(options: DocumentFollowerOptions): DocumentFollower {
  const { keys, baseUrl, authority, store, now, logger, onKept, idleMs, waitSeconds } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  const accounts = new Map<string, Account>();

  /** The account of a key; null while it is refused. */
  async function accountOf(key: string): Promise<Account | null> {
    const known = [...accounts.values()].find((account) => account.key === key);
    if (known !== undefined) return known;
    const live = await authority.introspect(key);
    const problem = problemOf(live);
    if (live === null || problem !== null) {
      logger.error(
        { setting: 'INVESTIGATION_DOCUMENT_WATCH_KEYS' },
        `a key cannot follow documents: ${problem}`,
      );
      return null;
    }
    const client = new DocstoreClient({
      baseUrl,
      key,
      attemptsMax: 1,
      timeoutMs: REQUEST_MS,
      rateWaitMaxMs: 0,
    });
    const account = { key, client, tenantId: live.tenantId!, rootDomainId: live.rootDomainId! };
    accounts.set(account.tenantId, account);
    return account;
  }

  function forget(key: string): void {
    for (const [tenantId, account] of accounts) if (account.key === key) accounts.delete(tenantId);
  }

  async function accountOfTenant(tenantId: string): Promise<Account | null> {
    for (const key of keys) {
      if (accounts.has(tenantId)) break;
      await accountOf(key);
    }
    return accounts.get(tenantId) ?? null;
  }

  /** Reads one page; returns how long to wait before the next. Milliseconds. */
  async function readPage(account: Account): Promise<number> {
    const { client, tenantId } = account;
    const at = now();
    const since = await store.takeFollow(tenantId, at, new Date(at.getTime() + TAKEN_MS));
    if (since === null) return idleMs;
    const page = await pageAfter(client, since).catch(async (error: unknown) => {
      // Given back, so that the next reader does not wait until the time for a page has passed.
      await store.keepChanges(tenantId, { since, last: since, changes: [] }, now());
      throw error;
    });
    const changes = page.changes.map(({ id, filename, type, version, at: time }) => ({
      document: id,
      filename,
      type,
      version,
      at: time,
    }));
    await store.keepChanges(tenantId, { since, last: page.last_sequence, changes }, now());
    if (changes.length === 0) return 0;
    onKept();
    return PACE_MS;
  }

  async function pageAfter(client: DocstoreClient, since: number): Promise<ChangePage> {
    try {
      return await client.changes(since, waitSeconds, { signal });
    } catch (error) {
      if (!(error instanceof DocstoreError && error.code === 'unprocessable_entity')) throw error;
      // Deletions since then are forgotten, or the store was restored from a backup.
      logger.warn({ err: error }, 'changes of documents cannot be followed any more, and are followed anew');
      return { changes: [], last_sequence: (await client.changes('latest', 0, { signal })).last_sequence };
    }
  }

  async function run(key: string): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await accountOf(key)
        .then((account) => (account === null ? REFUSED_MS : readPage(account)))
        .catch((err: unknown) => {
          // It is looked at anew: it may have ended.
          if (isRefused(err)) forget(key);
          if (!signal.aborted) logger.warn({ err }, 'following documents failed, trying again');
          return Math.max(idleMs, retryAfterMs(err));
        });
      if (waitMs > 0) await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  const running = keys.map((key) => run(key));

  return {
    async present(tenantId) {
      const account = await accountOfTenant(tenantId);
      if (account === null) return null;
      try {
        return (await account.client.changes('latest', 0, { signal })).last_sequence;
      } catch (cause) {
        if (isRefused(cause)) {
          forget(account.key);
          return null;
        }
        throw new DomainError('unavailable', 'the document store does not respond, try again later', {
          cause,
        });
      }
    },
    async mayRead(tenantId, subject, filenames) {
      const account = await accountOfTenant(tenantId);
      if (account === null)
        throw new DomainError(
          'failed_precondition',
          'INVESTIGATION_DOCUMENT_WATCH_KEYS: has no key of the tenant',
        );
      const objects = filenames.map((filename) =>
        objectUri(account.rootDomainId, 'documents', ...filename.split('/')),
      );
      const asked = objects.flatMap((object) =>
        object === null ? [] : [{ subject, action: 'read', object }],
      );
      const answers: boolean[] = [];
      for (let from = 0; from < asked.length; from += BATCH_MAX)
        answers.push(...(await authority.areAllowed(account.key, asked.slice(from, from + BATCH_MAX))));
      let next = 0;
      return objects.map((object) => object !== null && (answers[next++] ?? false));
    },
    async close() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

/** Where no documents are followed. */
export const NO_FOLLOWER: DocumentFollower = {
  present: () => Promise.resolve(null),
  mayRead: () =>
    Promise.reject(new DomainError('failed_precondition', 'INVESTIGATION_DOCUMENT_WATCH_KEYS: is not set')),
  close: () => Promise.resolve(),
};

/** Whose key it is, and where documents of the tenant are read and decided on. */
interface Account {
  readonly key: string;
  readonly client: DocstoreClient;
  readonly tenantId: string;
  readonly rootDomainId: string;
}

function problemOf(live: Introspection | null): string | null {
  if (live === null) return 'it is not live';
  if (live.tenantId === null || live.rootDomainId === null) return 'it is of no tenant';
  const missing = NEEDED_SCOPES.filter((scope) => !live.scopes.includes(scope));
  return missing.length === 0 ? null : `it lacks the scopes ${missing.join(', ')}`;
}

/** Whether docstore-api takes the key no more. */
const isRefused = (error: unknown) => error instanceof DocstoreError && error.status === 401;

const retryAfterMs = (error: unknown) =>
  error instanceof DocstoreError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
