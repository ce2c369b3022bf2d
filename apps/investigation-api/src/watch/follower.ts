import { setTimeout as delay } from 'node:timers/promises';
import { objectUri, type Authority, type Introspection } from '@platform/authz-client';
import { DocstoreClient, DocstoreError, type ChangePage } from '@platform/docstore-client';
import { DomainError } from '@platform/error-contracts';
import type { Logger } from 'pino';
import type { FollowedChanges } from '../model/followed-event.ts';
import { DOCUMENT_RULE, POLICY_RULE } from '../model/watch-rules.ts';
import { DOCUMENTS_FEED, type Feed, type WatchStore } from '../store/watch-store.ts';

/**
 * Reads what becomes of the documents and policies of tenants, by a key of a service account of each tenant.
 */
export interface Follower {
  /**
   * The number of the last change of a tenant's documents; null = there is no key of that tenant with the
   * scope `documents`. Throws `unavailable`.
   */
  presentDocuments(tenantId: string): Promise<number | null>;
  /**
   * The version of the present policies of a domain; `no_key` = there is no key of the tenant with the scope
   * `read`, `no_domain` = no such domain of the tenant, or the account may not read its policies. Throws
   * `unavailable` and `rate_limited`.
   */
  presentPolicies(tenantId: string, domainId: string): Promise<number | 'no_key' | 'no_domain'>;
  /**
   * Whether a user or account of the tenant may read what lies below these paths of `svc://<root domain>/`
   * now, by index. Throws `unavailable`, `rate_limited`, `unauthenticated` and `permission_denied`, and
   * `failed_precondition` without a key of that tenant.
   */
  mayRead(tenantId: string, subjectId: string, paths: readonly string[]): Promise<boolean[]>;
  /**
   * Why nothing is told about a feed of the tenant at present, as far as this replica has seen, in words for
   * the subscriber; null = it is followed.
   */
  problemOf(tenantId: string, feed: Feed): Promise<string | null>;
  close(): Promise<void>;
}

export interface FollowerOptions {
  /**
   * API keys of service accounts with the scope `check`, and `documents` or `read` for what they follow. Of
   * two of one tenant that may follow the same, the second does once the first has ended.
   */
  readonly keys: readonly string[];
  /** Where docstore-api serves HTTP. */
  readonly baseUrl: string;
  readonly authority: Pick<Authority, 'introspect' | 'areOthersAllowed' | 'policyVersions'>;
  readonly store: Pick<WatchStore, 'takeFollow' | 'renewFollow' | 'keepChanges' | 'listPolicyFeeds'>;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Called after changes were kept for subscriptions. */
  readonly onKept: () => void;
  /** How often a replica looks whether there is something to follow. Milliseconds. */
  readonly idleMs: number;
  /** How long docstore-api holds back a page without changes. Seconds. */
  readonly waitSeconds: number;
  /** How long a reader keeps a feed without a sign of life; it gives three in that time. Milliseconds. */
  readonly takenMs: number;
}

const REQUEST_MS = 40_000;
/** Between two pages that had changes: a key of docstore-api has sixty requests a minute. Milliseconds. */
const PACE_MS = 2_000;
/** A key that was refused is tried again after this time. Milliseconds. */
const REFUSED_MS = 60_000;
const PAUSE_MAX_MS = 3_600_000;
/** A reader gives so many signs of life in the time after which it is taken for dead. */
const SIGNS_OF_LIFE = 3;
/** Where it is kept that nobody can be asked what subscribers may read. */
const ASKING: Feed = 'asking';
/** Contexts in one call. */
const BATCH_MAX = 1_000;
/** Between two looks at policies. Milliseconds. */
const POLICIES_MS = 5_000;
/** Sets of policies of a look, and of one that finds only new ones; as many as one call gives. */
const SETS_FEW = 20;
const SETS_MAX = 1_000;

/** Follows what every tenant of which there is a key has listeners for. */
export function createFollower(options: FollowerOptions): Follower {
  const { keys, baseUrl, authority, store, now, logger, onKept, idleMs, waitSeconds, takenMs } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  /** By key, and until when it is not asked about again. */
  const known = new Map<string, { readonly account: Promise<Account | null>; until: number }>();
  /** Why a feed could not be followed when it was last tried, by tenant and feed. */
  const problems = new Map<string, string>();

  /** The account of a key; null while it is refused. */
  function accountOf(key: string): Promise<Account | null> {
    const found = known.get(key);
    if (found !== undefined && now().getTime() < found.until) return found.account;
    const asked = { account: askAccountOf(key), until: Infinity };
    known.set(key, asked);
    asked.account.then(
      (account) => {
        if (account === null) asked.until = now().getTime() + REFUSED_MS;
      },
      () => forget(key),
    );
    return asked.account;
  }

  async function askAccountOf(key: string): Promise<Account | null> {
    const live = await authority.introspect(key);
    const problem = unfitness(live);
    if (live === null || problem !== null) {
      logger.error({ setting: 'INVESTIGATION_WATCH_KEYS' }, `a key cannot follow anything: ${problem}`);
      return null;
    }
    const client = new DocstoreClient({
      baseUrl,
      key,
      attemptsMax: 1,
      timeoutMs: REQUEST_MS,
      rateWaitMaxMs: 0,
    });
    const { tenantId, rootDomainId, scopes } = live;
    return { key, client, scopes, tenantId: tenantId!, rootDomainId: rootDomainId! };
  }

  /** A key that may have ended is asked about anew. */
  function forget(key: string): void {
    known.delete(key);
  }

  /** Looks at a key anew that was refused, which may have ended. Throws every other error. */
  function forgetRefused(key: string, error: unknown): undefined {
    if (!isRefused(error)) throw error;
    forget(key);
  }

  /** The account of the tenant's first key that has the scope. */
  async function accountOfTenant(tenantId: string, scope: Scope): Promise<Account | null> {
    for (const key of keys) {
      const account = await accountOf(key);
      if (account?.tenantId === tenantId && account.scopes.includes(scope)) return account;
    }
    return null;
  }

  const placeOf = (tenantId: string, feed: Feed) => `${tenantId} ${feed}`;
  function note(tenantId: string, feed: Feed, problem: string | null): void {
    if (problem === null) problems.delete(placeOf(tenantId, feed));
    else problems.set(placeOf(tenantId, feed), problem);
  }

  /**
   * Reads a part of a feed and keeps it with how far that came; null = nobody listens, or another replica
   * reads. Throws what `read` does.
   */
  async function take(
    { tenantId }: Account,
    feed: Feed,
    read: (since: number) => Promise<{ last: number; changes: FollowedChanges; problem?: string | null }>,
  ): Promise<FollowedChanges | null> {
    const at = now();
    let until = new Date(at.getTime() + takenMs);
    const since = await store.takeFollow(tenantId, feed, at, until);
    if (since === null) return null;
    const renewing = setInterval(() => {
      const next = new Date(now().getTime() + takenMs);
      store.renewFollow(tenantId, feed, until, next).then(
        (isOurs) => {
          if (isOurs) until = next;
          else clearInterval(renewing);
        },
        () => undefined,
      );
    }, takenMs / SIGNS_OF_LIFE).unref();
    try {
      const page = await read(since);
      await store.keepChanges(tenantId, feed, { since, ...page }, now());
      note(tenantId, feed, page.problem ?? null);
      if (page.changes.items.length > 0) onKept();
      return page.changes;
    } catch (error) {
      note(tenantId, feed, problemOfError(error));
      // Given back, so that the next reader does not wait until its time has passed.
      await store.keepChanges(tenantId, feed, { since, last: since, changes: null }, now());
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Reads a page of changes of documents; returns how long to wait before the next. Milliseconds. */
  async function readDocuments(account: Account): Promise<number> {
    const changes = await take(account, DOCUMENTS_FEED, (since) => pageAfter(account.client, since));
    if (changes === null) return idleMs;
    return changes.items.length === 0 ? 0 : PACE_MS;
  }

  /** Looks at every domain whose policies somebody listens for; returns how long to wait. Milliseconds. */
  async function readPolicies(account: Account): Promise<number> {
    for (const domainId of await store.listPolicyFeeds(account.tenantId))
      await take(account, domainId, (since) => setsAfter(account, domainId, since));
    return POLICIES_MS;
  }

  async function setsAfter({ key, tenantId }: Account, domain_id: string, since: number) {
    const place = { tenantId, domainId: domain_id };
    const few = await authority.policyVersions(key, place, SETS_FEW);
    const isWhole = few === null || few.length < SETS_FEW || few.at(-1)!.version <= since;
    const found = (isWhole ? few : await authority.policyVersions(key, place, SETS_MAX)) ?? [];
    const items = found
      .filter(({ version }) => version > since)
      .toReversed()
      .map(({ version, authorId, writtenAt, message, digest }) => ({
        domain_id,
        version,
        author_id: authorId,
        message,
        digest,
        at: (writtenAt ?? now()).toISOString(),
      }));
    // A domain that is gone has no sets; one that was restored from a backup may have older ones.
    return {
      last: found[0]?.version ?? since,
      changes: { rule: POLICY_RULE, items } as const,
      problem: few === null ? 'the account of the key may not read the policies of the domain' : null,
    };
  }

  async function pageAfter(client: DocstoreClient, since: number) {
    const page = await changesAfter(client, since);
    const items = page.changes.map(({ id, filename, type, version, at, sequence }) => ({
      document: id,
      filename,
      type,
      version,
      at,
      sequence,
    }));
    // A feed without changes looks the same to an account that may read nothing.
    const isBlind = items.length === 0 && (await readsNothing(client));
    return {
      last: page.last_sequence,
      changes: { rule: DOCUMENT_RULE, items } as const,
      problem: isBlind
        ? 'the account of the key finds no document that it may read: if there are any, policies must let it read them'
        : null,
    };
  }

  async function readsNothing(client: DocstoreClient): Promise<boolean> {
    const first = await client.list({ limit: 1 }, { signal }).next();
    return first.done === true;
  }

  async function changesAfter(client: DocstoreClient, since: number): Promise<ChangePage> {
    try {
      return await client.changes(since, waitSeconds, { signal });
    } catch (error) {
      if (!(error instanceof DocstoreError && error.code === 'unprocessable_entity')) throw error;
      // Deletions since then are forgotten, or the store was restored from a backup.
      logger.warn({ err: error }, 'changes of documents cannot be followed any more, and are followed anew');
      return { changes: [], last_sequence: (await client.changes('latest', 0, { signal })).last_sequence };
    }
  }

  /** Reads once with a key, unless another key does; returns how long to wait. Milliseconds. */
  async function turn(key: string, scope: Scope, read: (account: Account) => Promise<number>) {
    const account = await accountOf(key);
    if (account === null || !account.scopes.includes(scope)) return idleMs;
    return (await accountOfTenant(account.tenantId, scope)) === account ? read(account) : idleMs;
  }

  async function run(key: string, scope: Scope, read: (account: Account) => Promise<number>) {
    while (!signal.aborted) {
      const waitMs = await turn(key, scope, read).catch((err: unknown) => {
        if (isRefused(err)) forget(key);
        if (!signal.aborted) logger.warn({ err }, 'following failed, trying again');
        return pauseAfter(err, idleMs);
      });
      if (waitMs > 0) await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  const running = keys.flatMap((key) => [
    run(key, 'documents', readDocuments),
    run(key, 'read', readPolicies),
  ]);

  return {
    async presentDocuments(tenantId) {
      const account = await accountOfTenant(tenantId, 'documents');
      if (account === null) return null;
      try {
        return (await account.client.changes('latest', 0, { signal })).last_sequence;
      } catch (cause) {
        if (!isRefused(cause)) throw new DomainError('unavailable', NO_RESPONSE, { cause });
        forget(account.key);
        return null;
      }
    },
    async presentPolicies(tenantId, domainId) {
      const account = await accountOfTenant(tenantId, 'read');
      if (account === null) return 'no_key';
      const versions = await authority
        .policyVersions(account.key, { tenantId, domainId }, 1)
        .catch((error: unknown) => forgetRefused(account.key, error));
      if (versions === undefined) return 'no_key';
      return versions?.[0]?.version ?? 'no_domain';
    },
    async mayRead(tenantId, subject, paths) {
      const account = await accountOfTenant(tenantId, 'check');
      if (account === null)
        throw new DomainError('failed_precondition', 'INVESTIGATION_WATCH_KEYS: has no key of the tenant');
      const objects = paths.map((path) => objectUri(account.rootDomainId, ...path.split('/')));
      const asked = objects.flatMap((object) =>
        object === null ? [] : [{ subject, action: 'read', object }],
      );
      const answers: boolean[] = [];
      for (let from = 0; from < asked.length; from += BATCH_MAX)
        answers.push(
          ...(await authority
            .areOthersAllowed(account.key, asked.slice(from, from + BATCH_MAX))
            .catch((error: unknown) => {
              note(tenantId, ASKING, problemOfError(error));
              if (isRefused(error)) forget(account.key);
              throw error;
            })),
        );
      note(tenantId, ASKING, null);
      let next = 0;
      return objects.map((object) => object !== null && (answers[next++] ?? false));
    },
    async problemOf(tenantId, feed) {
      const scope = feed === DOCUMENTS_FEED ? 'documents' : 'read';
      const account = await accountOfTenant(tenantId, scope).catch(() => undefined);
      if (account === undefined) return 'authz-grpc does not respond';
      if (account === null)
        return `INVESTIGATION_WATCH_KEYS holds no live key of your tenant with the scope \`${scope}\``;
      return problems.get(placeOf(tenantId, feed)) ?? problems.get(placeOf(tenantId, ASKING)) ?? null;
    },
    async close() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

const NO_RESPONSE = 'the document store does not respond, try again later';

/** Where nothing is followed. */
export const NO_FOLLOWER: Follower = {
  presentDocuments: () => Promise.resolve(null),
  presentPolicies: () => Promise.resolve('no_key'),
  mayRead: () =>
    Promise.reject(new DomainError('failed_precondition', 'INVESTIGATION_WATCH_KEYS: is not set')),
  problemOf: () => Promise.resolve('INVESTIGATION_WATCH_KEYS is not set'),
  close: () => Promise.resolve(),
};

/** What a key is for: to follow documents or policies, and to ask what subscribers may read. */
type Scope = 'documents' | 'read' | 'check';

/** Whose key it is and what it may do, and where what is followed is read and decided on. */
interface Account {
  readonly key: string;
  readonly client: DocstoreClient;
  readonly scopes: readonly string[];
  readonly tenantId: string;
  readonly rootDomainId: string;
}

function unfitness(live: Introspection | null): string | null {
  if (live === null) return 'it is not live';
  if (live.tenantId === null || live.rootDomainId === null) return 'it is of no tenant';
  const has = (scope: string) => live.scopes.includes(scope);
  if (!has('check')) return 'it lacks the scope `check`';
  return has('documents') || has('read') ? null : 'it has neither the scope `documents` nor `read`';
}

/** What is said about a feed that cannot be read, without what only operators are to know. */
function problemOfError(error: unknown): string {
  if (isRefused(error)) return 'the key of the tenant was refused';
  if (error instanceof DomainError && error.kind === 'rate_limited')
    return 'the quota of calls of the key of the tenant is used up';
  if (error instanceof DomainError && error.kind === 'permission_denied')
    return 'the key of the tenant may not ask what subscribers may read';
  return 'what is followed cannot be read at present, and is tried again';
}

/** Whether a key is not taken any more. */
const isRefused = (error: unknown) =>
  (error instanceof DocstoreError && error.status === 401) ||
  (error instanceof DomainError && error.kind === 'unauthenticated');

/**
 * How long to wait after an error before the next try: as long as docstore-api says, from `idleMs` to an
 * hour. A used-up quota names up to thirty days, which is more than a timer of Node takes, and a quota that
 * was raised meanwhile is noticed within the hour. Milliseconds.
 */
export function pauseAfter(error: unknown, idleMs: number): number {
  const told = error instanceof DocstoreError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(Math.max(idleMs, told), PAUSE_MAX_MS);
}
