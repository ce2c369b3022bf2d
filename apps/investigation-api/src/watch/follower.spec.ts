import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Authority, Introspection } from '@platform/authz-client';
import { DocstoreError } from '@platform/docstore-client';
import { DomainError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { pino } from 'pino';
import type { FollowedChanges } from '../model/followed-event.ts';
import { DOCUMENTS_FEED } from '../store/watch-store.ts';
import { createFollower, pauseAfter, type Follower } from './follower.ts';

const TENANT = 'tenant';
const DOMAIN = '11111111-2222-4333-8444-555555555555';

type PolicyVersion = NonNullable<Awaited<ReturnType<Authority['policyVersions']>>>[number];

/** A feed as the store has it, and what was kept of it. */
interface Kept {
  since: number;
  takenUntil: number;
  renewals: number;
  readonly changes: FollowedChanges[];
}

let docstore: Server;
let baseUrl: string;
/** Serves a request for changes: its key and `since` give status and body; none = it gets no response. */
let changesOf: (key: string, since: string) => { status: number; body: object } | undefined;
/** The documents that every account may read. */
let readable: { id: string }[];
let asked: { key: string; since: string }[];
let live: Map<string, Introspection>;
let versions: (key: string, limit: number) => PolicyVersion[] | null;
let decide: (key: string, objects: readonly string[]) => boolean[];
let feeds: Map<string, Kept>;
let lines: string[];
let nowMs: number;
let follower: Follower;

beforeAll(async () => {
  docstore = createServer((req, res) => {
    const key = String(req.headers.authorization).slice('Bearer '.length);
    const { pathname, searchParams } = new URL(req.url!, 'http://docstore');
    if (pathname === '/v1/file') {
      res.writeHead(200, { 'content-type': 'application/json' });
      return void res.end(JSON.stringify({ files: readable, next_cursor: null }));
    }
    const since = searchParams.get('since')!;
    asked.push({ key, since });
    const answer = changesOf(key, since);
    if (answer === undefined) return;
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => docstore.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(docstore.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
  readable = [{ id: 'a' }];
  lines = [];
  live = new Map();
  feeds = new Map();
  nowMs = 0;
  changesOf = () => undefined;
  versions = () => null;
  decide = (_key, objects) => objects.map(() => true);
});
afterEach(() => follower.close());
afterAll(() => {
  docstore.closeAllConnections();
  docstore.close();
});

const account = (scopes: readonly string[], tenantId = TENANT): Introspection => ({
  subjectId: 'account',
  username: 'svc:account',
  tenantId,
  rootDomainId: DOMAIN,
  scopes: [...scopes],
  leases: null,
  keyExpiresAt: null,
});
const listenFor = (feed: string, since: number): Kept => {
  const kept = { since, takenUntil: 0, renewals: 0, changes: [] };
  feeds.set(feed, kept);
  return kept;
};

function start(keys: readonly string[], takenMs = 60_000): Follower {
  follower = createFollower({
    keys,
    baseUrl,
    takenMs,
    idleMs: 5,
    waitSeconds: 0,
    now: () => new Date(nowMs),
    logger: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
    onKept: () => undefined,
    authority: {
      introspect: (key) => Promise.resolve(live.get(key) ?? null),
      policyVersions: async (key, _domain, limit) => versions(key, limit),
      areOthersAllowed: async (key, contexts) =>
        decide(
          key,
          contexts.map(({ object }) => object!),
        ),
    },
    store: {
      listPolicyFeeds: async () => [...feeds.keys()].filter((feed) => feed !== DOCUMENTS_FEED),
      async takeFollow(_tenantId, feed, now, takenUntil) {
        const kept = feeds.get(feed);
        if (kept === undefined || kept.takenUntil > now.getTime()) return null;
        kept.takenUntil = takenUntil.getTime();
        return kept.since;
      },
      async renewFollow(_tenantId, feed, takenUntil, until) {
        const kept = feeds.get(feed)!;
        if (kept.takenUntil !== takenUntil.getTime()) return false;
        kept.takenUntil = until.getTime();
        kept.renewals += 1;
        return true;
      },
      async keepChanges(_tenantId, feed, { since, last, changes }) {
        const kept = feeds.get(feed)!;
        if (kept.since !== since) return false;
        Object.assign(kept, { since: last, takenUntil: 0 });
        if (changes !== null && changes.items.length > 0) kept.changes.push(changes);
        return true;
      },
    },
  });
  return follower;
}

const page = (last_sequence: number, ...ids: string[]) => ({
  status: 200,
  body: {
    last_sequence,
    changes: ids.map((id, index) => ({
      id,
      filename: `f/${id}`,
      type: 'written',
      version: 2,
      at: '2026-01-01T00:00:00.000Z',
      sequence: last_sequence - ids.length + 1 + index,
    })),
  },
});
const refused = (status: number, code: string) => ({ status, body: { error: { code, message: code } } });
const toldOf = ({ changes }: Kept) =>
  changes.flatMap(({ items }) => items.map((item) => ('document' in item ? item.document : item.version)));
const set = (version: number): PolicyVersion => ({
  version,
  authorId: 'author',
  writtenAt: new Date(0),
  message: '',
  digest: '',
});

describe('the reader of changes of documents', () => {
  it('changes are kept with how far they were read, and the next ones are asked for behind them', async () => {
    covers('INV-WATCH.16');
    live.set('key', account(['documents', 'check']));
    changesOf = (_key, since) => (since === '4' ? page(6, 'a', 'b') : undefined);
    const kept = listenFor(DOCUMENTS_FEED, 4);
    start(['key']);
    await eventually(() => toldOf(kept)).toEqual(['a', 'b']);
    expect(kept).toMatchObject({ since: 6 });
    expect(asked[0]).toEqual({ key: 'key', since: '4' });
  });

  it('an account that may read no document is named to the owner of a subscription until it reads one', async () => {
    covers('INV-WATCH.33');
    live.set('key', account(['documents', 'check']));
    changesOf = () => page(4);
    readable = [];
    listenFor(DOCUMENTS_FEED, 4);
    start(['key']);
    await eventually(() => follower.problemOf(TENANT, DOCUMENTS_FEED)).toContain(
      'finds no document that it may read',
    );
    readable = [{ id: 'a' }];
    await eventually(() => follower.problemOf(TENANT, DOCUMENTS_FEED)).toBeNull();
  });

  it('a page that cannot be read is given back and read again', async () => {
    covers('INV-WATCH.16');
    live.set('key', account(['documents', 'check']));
    changesOf = () => (asked.length < 3 ? refused(500, 'internal') : page(5, 'a'));
    const kept = listenFor(DOCUMENTS_FEED, 4);
    start(['key']);
    await eventually(() => toldOf(kept).slice(0, 1)).toEqual(['a']);
    expect(asked.slice(0, 3).map(({ since }) => since)).toEqual(['4', '4', '4']);
  });

  it('a feed whose past is forgotten is followed anew from where it stands', async () => {
    covers('INV-WATCH.16');
    live.set('key', account(['documents', 'check']));
    changesOf = (_key, since) =>
      since === '4' ? refused(422, 'unprocessable_entity') : since === 'latest' ? page(90) : undefined;
    const kept = listenFor(DOCUMENTS_FEED, 4);
    start(['key']);
    await eventually(() => kept.since).toBe(90);
    expect(toldOf(kept)).toEqual([]);
  });

  it('a reader that waits for a page gives signs of life, so that only a dead one loses its feed', async () => {
    covers('INV-WATCH.22');
    live.set('key', account(['documents', 'check']));
    const kept = listenFor(DOCUMENTS_FEED, 4);
    start(['key'], 30);
    await eventually(() => kept.takenUntil).toBe(30);
    nowMs = 20;
    await eventually(() => kept.takenUntil).toBe(50);
    nowMs = 40;
    await eventually(() => kept.takenUntil).toBe(70);
    // Another replica took it meanwhile: this one leaves it alone.
    kept.takenUntil = 1_000;
    const { renewals } = kept;
    nowMs = 60;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(kept).toMatchObject({ takenUntil: 1_000, renewals });
  });

  it('the first of two keys of a tenant follows, and the second one once the first has ended', async () => {
    covers('INV-WATCH.23');
    live.set('first', account(['documents', 'check']));
    live.set('second', account(['documents', 'check']));
    changesOf = (key) => (live.has(key) ? undefined : refused(401, 'unauthorized'));
    const kept = listenFor(DOCUMENTS_FEED, 4);
    start(['first', 'second']);
    await eventually(() => asked).toEqual([{ key: 'first', since: '4' }]);
    live.delete('first');
    // The waiting request of the first key ends, as docstore-api ends those of a key that was revoked.
    changesOf = (key, since) =>
      key === 'first' ? refused(401, 'unauthorized') : since === '4' ? page(5, 'a') : undefined;
    docstore.closeAllConnections();
    await eventually(() => toldOf(kept)).toEqual(['a']);
    expect(asked.at(-1)!.key).toBe('second');
  });

  it('a key of another tenant follows nothing of this one', async () => {
    covers('INV-WATCH.18');
    live.set('key', account(['documents', 'check'], 'another'));
    start(['key']);
    expect(await follower.presentDocuments(TENANT)).toBeNull();
    await expect(follower.mayRead(TENANT, 'subscriber', ['documents/a'])).rejects.toMatchObject({
      kind: 'failed_precondition',
    });
  });
});

describe('the reader of sets of policies', () => {
  it('all new sets are told, the oldest first, also where they are more than the first look gives', async () => {
    covers('INV-WATCH.19');
    live.set('key', account(['read', 'check']));
    const all = Array.from({ length: 60 }, (_, index) => set(100 - index));
    versions = (_key, limit) => all.slice(0, limit);
    const kept = listenFor(DOMAIN, 50);
    start(['key']);
    await eventually(() => toldOf(kept)).toEqual(Array.from({ length: 50 }, (_, index) => 51 + index));
    expect(kept.since).toBe(100);
  });

  it('a domain whose policies may not be read for a while is followed from where it stood, and its owner sees why', async () => {
    covers('INV-WATCH.22');
    live.set('key', account(['read', 'check']));
    const kept = listenFor(DOMAIN, 5);
    start(['key']);
    await eventually(() => follower.problemOf(TENANT, DOMAIN)).toBe(
      'the account of the key may not read the policies of the domain',
    );
    expect(kept.since).toBe(5);
  });

  it('a key for documents and another one for policies follow both for their tenant', async () => {
    covers('INV-WATCH.23');
    live.set('documents', account(['documents', 'check']));
    live.set('policies', account(['read', 'check']));
    changesOf = (_key, since) => (since === 'latest' ? page(9) : undefined);
    versions = () => [set(3)];
    start(['documents', 'policies']);
    expect(await follower.presentDocuments(TENANT)).toBe(9);
    expect(await follower.presentPolicies(TENANT, DOMAIN)).toBe(3);
  });
});

describe('what subscribers may read', () => {
  beforeEach(() => void live.set('key', account(['documents', 'check'])));

  it('each path has its result at its index, and one that no object can have is not allowed', async () => {
    covers('INV-WATCH.17');
    decide = (_key, objects) => objects.map((object) => object.endsWith('/b'));
    start(['key']);
    expect(await follower.mayRead(TENANT, 's', ['documents/a', 'documents//', 'documents/b'])).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('a refusal to say it is an error and no result, and the owner sees it until it ends', async () => {
    covers('INV-WATCH.22');
    decide = () => {
      throw new DomainError('permission_denied', 'the credential may not ask for decisions');
    };
    start(['key']);
    await expect(follower.mayRead(TENANT, 's', ['documents/a'])).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    expect(await follower.problemOf(TENANT, DOCUMENTS_FEED)).toBe(
      'the key of the tenant may not ask what subscribers may read',
    );
    decide = (_key, objects) => objects.map(() => true);
    expect(await follower.mayRead(TENANT, 's', ['documents/a'])).toEqual([true]);
    expect(await follower.problemOf(TENANT, DOCUMENTS_FEED)).toBeNull();
  });

  it('a key that has ended is named to the owner and in the log', async () => {
    covers('INV-WATCH.22');
    live.clear();
    start(['key']);
    expect(await follower.problemOf(TENANT, DOCUMENTS_FEED)).toBe(
      'INVESTIGATION_WATCH_KEYS holds no live key of your tenant with the scope `documents`',
    );
    expect(lines.join('')).toContain('a key cannot follow anything: it is not live');
  });
});

const told = (seconds?: string) =>
  new DocstoreError(429, new Headers(seconds === undefined ? {} : { 'Retry-After': seconds }), {
    error: { code: 'rate_limited', message: 'the call quota is used up' },
  });

describe('the pause of a follower after an error', () => {
  it.each([
    ['as long as docstore-api says', told('7'), 7_000],
    ['an hour where a used-up quota names thirty days', told('2592000'), 3_600_000],
    ['as long as without changes where docstore-api says nothing', told(), 1_000],
    ['as long as without changes after a lost connection', new Error('socket hang up'), 1_000],
  ])('a follower pauses %s', (_name, error, ms) => {
    covers('AUTHZ-K.9');
    expect(pauseAfter(error, 1_000)).toBe(ms);
  });
});
