import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DocstoreError } from './docstore-error.ts';
import { RateQueue, type Sleep } from './rate-queue.ts';
import type {
  BatchItem,
  BatchResult,
  ChangePage,
  FileEdit,
  FilePatch,
  KeyWithText,
  ListedFile,
  ListOptions,
  Merged,
  NewFile,
  NewKey,
  ReadFile,
  StoredFile,
  StoredKey,
  StoredVersion,
  Usage,
} from './types.ts';

export interface ClientOptions {
  /** URL of the store, without `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Tries of one request, the first included; waits for the rate are not counted. Default 5. */
  readonly attemptsMax?: number;
  /**
   * The same for each page of `follow`. Default 12: about half a minute, longer than a restart of the store.
   */
  readonly followAttemptsMax?: number;
  /** Rounds that `update` loses to other writers before it throws. Default 50. */
  readonly updateRoundsMax?: number;
  /** Longest one try may take. Milliseconds, default 60,000. */
  readonly timeoutMs?: number;
  /**
   * Longest that one request waits for the rate, all its waits together; 0 = not at all. Milliseconds,
   * default 300,000.
   */
  readonly rateWaitMaxMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  readonly sleep?: Sleep;
  /** From 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
}

/** What every method takes last. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How long the store holds back a page of changes that is still empty. */
const FOLLOW_WAIT_SECONDS = 30;
/** A replica that died with a request keeps its Idempotency-Key for a minute; waits for that count apart. */
const CONFLICT_WAIT_MAX_MS = 90_000;
const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 10_000;
const UPDATE_BACKOFF_FIRST_MS = 20;
const UPDATE_BACKOFF_MAX_MS = 1_000;

/**
 * A client of the document store with every operation of its contract. It sends again what the contract's
 * retry table calls retryable: rate_limited in turn, as the store's Retry-After says; internal, and a try
 * that the network lost or that took too long, with exponential back-off; and a request that is refused
 * because an earlier try of it is still in flight. Every write carries an Idempotency-Key, so sending it
 * again writes nothing twice. All other errors are thrown as DocstoreError, a network that keeps failing with
 * status 0.
 */
export class DocstoreClient {
  readonly #options: Required<ClientOptions>;
  readonly #rateQueue: RateQueue;

  constructor(options: ClientOptions) {
    this.#options = {
      attemptsMax: 5,
      followAttemptsMax: 12,
      updateRoundsMax: 50,
      timeoutMs: 60_000,
      rateWaitMaxMs: 300_000,
      fetch: globalThis.fetch,
      sleep: (ms, signal) => delay(ms, undefined, signal && { signal }),
      random: Math.random,
      ...options,
      baseUrl: options.baseUrl.replace(/\/$/, ''),
    };
    this.#rateQueue = new RateQueue(this.#options.sleep, this.#options.random);
  }

  /** Stores a document. Throws DocstoreError conflict when its filename is in use. */
  create(file: NewFile, call?: CallOptions): Promise<StoredFile> {
    return this.#json('POST', '/v1/file', { body: file, isWrite: true, ...call });
  }

  /** Reads a document. Throws DocstoreError not_found. */
  get(id: string, call?: CallOptions): Promise<ReadFile> {
    return this.#json('GET', pathOf(id), { ...call });
  }

  /** Reads a document unless `etag` is still its current one; null when it is. */
  async getIfChanged(id: string, etag: string, call?: CallOptions): Promise<ReadFile | null> {
    const response = await this.#request('GET', pathOf(id), {
      headers: { 'If-None-Match': etag },
      ...call,
    });
    return response.status === 304 ? null : ((await response.json()) as ReadFile);
  }

  /** The current ETag of a document, without reading it. */
  async head(id: string, call?: CallOptions): Promise<string> {
    return (await this.#request('HEAD', pathOf(id), { ...call })).headers.get('ETag')!;
  }

  /**
   * Replaces a document if `etag` is still its current one. Throws DocstoreError precondition_failed
   * otherwise.
   */
  replace(id: string, file: NewFile, etag: string, call?: CallOptions): Promise<StoredFile> {
    return this.#json('PUT', pathOf(id), {
      body: file,
      headers: { 'If-Match': etag },
      isWrite: true,
      ...call,
    });
  }

  /** Changes filename and metadata if `etag` is still the current one. */
  patch(id: string, patch: FilePatch, etag: string, call?: CallOptions): Promise<StoredFile> {
    return this.#json('PATCH', pathOf(id), {
      body: patch,
      headers: { 'If-Match': etag },
      isWrite: true,
      ...call,
    });
  }

  /** Changes contents in place if `etag` is still the current one; `*` accepts any version. */
  edit(id: string, edit: FileEdit, etag: string, call?: CallOptions): Promise<StoredFile> {
    return this.#json('POST', `${pathOf(id)}/edit`, {
      body: edit,
      headers: { 'If-Match': etag },
      isWrite: true,
      ...call,
    });
  }

  /** The contents of a document, to the byte. */
  async getContents(id: string, call?: CallOptions): Promise<string> {
    const response = await this.#request('GET', `${pathOf(id)}/contents`, { ...call });
    // `text` would drop a leading U+FEFF.
    return Buffer.from(await response.arrayBuffer()).toString('utf8');
  }

  /** Replaces the contents alone if `etag` is still the current one; gives the new ETag. */
  async replaceContents(id: string, contents: string, etag: string, call?: CallOptions): Promise<string> {
    const response = await this.#request('PUT', `${pathOf(id)}/contents`, {
      text: contents,
      headers: { 'If-Match': etag },
      isWrite: true,
      ...call,
    });
    return response.headers.get('ETag')!;
  }

  /**
   * Reads a document, lets `change` say what it becomes, and writes that over the version read. When another
   * writer came first, waits a little, reads again and calls `change` anew. `change` may return null to leave
   * things as they are.
   */
  async update(
    id: string,
    change: (current: ReadFile) => Partial<NewFile> | null | Promise<Partial<NewFile> | null>,
    call?: CallOptions,
  ): Promise<StoredFile> {
    const { updateRoundsMax, sleep } = this.#options;
    for (let round = 1; ; round++) {
      const current = await this.get(id, call);
      const changed = await change(current);
      if (changed === null) return current;
      const { filename, contents } = current;
      try {
        return await this.replace(id, { filename, contents, ...changed }, current.etag, call);
      } catch (error) {
        const isOvertaken = error instanceof DocstoreError && error.code === 'precondition_failed';
        if (!isOvertaken || round === updateRoundsMax) throw error;
        await sleep(this.#backOff(round, UPDATE_BACKOFF_FIRST_MS, UPDATE_BACKOFF_MAX_MS), call?.signal);
      }
    }
  }

  /** Deletes a document; with `etag`, only that version of it. */
  async remove(id: string, etag?: string, call?: CallOptions): Promise<void> {
    const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag };
    await this.#request('DELETE', pathOf(id), { headers, isDoneWhenGone: true, ...call });
  }

  /**
   * Merges `contents`, made from the version with `baseEtag`, with what the document has become. With
   * `markers`, conflicts come with the text and conflict markers in it.
   */
  merge(
    id: string,
    baseEtag: string,
    contents: string,
    { markers, ...call }: CallOptions & { readonly markers?: boolean } = {},
  ): Promise<Merged> {
    const body = { base_etag: baseEtag, contents, ...(markers === undefined ? {} : { markers }) };
    return this.#json('POST', `${pathOf(id)}/merge`, { body, isWrite: true, ...call });
  }

  /** The versions of a document that are kept, newest first, without contents. */
  async *versions(id: string, call?: CallOptions): AsyncGenerator<StoredVersion> {
    for (let before: number | null | undefined; before !== null;) {
      const query = before === undefined ? '?limit=200' : `?limit=200&before=${before}`;
      const page: { versions: StoredVersion[]; next_before: number | null } = await this.#json(
        'GET',
        `${pathOf(id)}/versions${query}`,
        { ...call },
      );
      yield* page.versions;
      before = page.next_before;
    }
  }

  /** One version of a document. */
  version(
    id: string,
    version: number,
    call?: CallOptions,
  ): Promise<StoredVersion & { readonly contents: string }> {
    return this.#json('GET', `${pathOf(id)}/versions/${version}`, { ...call });
  }

  /**
   * Makes a kept version current again if `etag` is still the current one, or was the last of a deleted
   * document; `*` accepts any.
   */
  restore(id: string, version: number, etag: string, call?: CallOptions): Promise<StoredFile> {
    return this.#json('POST', `${pathOf(id)}/restore`, {
      body: { version },
      headers: { 'If-Match': etag },
      isWrite: true,
      ...call,
    });
  }

  /**
   * Brings a deleted document back with the contents of one of its versions, for 30 days after its deletion;
   * the change feed names the last one. Throws DocstoreError conflict when its filename is in use, and no
   * other is given, precondition_failed when it is not deleted.
   */
  undelete(
    id: string,
    version: number,
    { filename, ...call }: CallOptions & { readonly filename?: string } = {},
  ): Promise<StoredFile> {
    return this.#json('POST', `${pathOf(id)}/restore`, {
      body: { version, ...(filename === undefined ? {} : { filename }) },
      headers: { 'If-None-Match': '*' },
      isWrite: true,
      ...call,
    });
  }

  /** Reads the document with this filename. Throws DocstoreError not_found. */
  getPath(filename: string, call?: CallOptions): Promise<ReadFile> {
    return this.#json('GET', namedPath(filename), { ...call });
  }

  /**
   * Writes the document with this filename: creates it when `etag` is null, else replaces it if `etag` is
   * still its current one. Throws DocstoreError precondition_failed otherwise.
   */
  putPath(
    filename: string,
    file: Omit<NewFile, 'filename'>,
    etag: string | null,
    call?: CallOptions,
  ): Promise<StoredFile> {
    return this.#json('PUT', namedPath(filename), {
      body: file,
      headers: etag === null ? { 'If-None-Match': '*' } : { 'If-Match': etag },
      isWrite: true,
      ...call,
    });
  }

  /** Deletes the document with this filename; with `etag`, only that version of it. */
  async removePath(filename: string, etag?: string, call?: CallOptions): Promise<void> {
    const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag };
    await this.#request('DELETE', namedPath(filename), { headers, isDoneWhenGone: true, ...call });
  }

  /**
   * One page of what changed since a sequence number, or from now on (`latest`); with `waitSeconds`, waits
   * that long for a change.
   */
  changes(since: number | 'latest', waitSeconds = 0, call?: CallOptions): Promise<ChangePage> {
    return this.#json('GET', `/v1/changes?since=${since}&wait=${waitSeconds}`, { ...call });
  }

  /**
   * Follows what changes, from a sequence number on: gives each page as it comes, and never ends by itself. A
   * caller who keeps `last_sequence` with what they made of the page can go on from there. Throws
   * DocstoreError unprocessable_entity when deletions since then are forgotten: list the documents, then
   * follow anew.
   */
  async *follow(since = 0, call?: CallOptions): AsyncGenerator<ChangePage> {
    for (let from = since; ;) {
      const attemptsMax = this.#options.followAttemptsMax;
      const path = `/v1/changes?since=${from}&wait=${FOLLOW_WAIT_SECONDS}`;
      const page = await this.#json<ChangePage>('GET', path, { attemptsMax, ...call });
      if (page.last_sequence === from) continue;
      from = page.last_sequence;
      yield page;
    }
  }

  /**
   * Carries out up to 100 reads and writes; results by index. While one of them says when to send it again,
   * the batch is sent again under its Idempotency-Key, which repeats nothing that is done.
   */
  async batch(items: readonly BatchItem[], call?: CallOptions): Promise<readonly BatchResult[]> {
    const options = { body: { items }, headers: { 'Idempotency-Key': randomUUID() }, ...call };
    for (let waitedMs = 0; ;) {
      const { results } = await this.#json<{ results: BatchResult[] }>('POST', '/v1/batch', options);
      const told = Math.max(0, ...results.map(({ error }) => error?.retry_after_seconds ?? 0));
      const waitMs = this.#toldWait(told);
      if (told === 0 || waitedMs + waitMs > CONFLICT_WAIT_MAX_MS) return results;
      await this.#options.sleep(waitMs, call?.signal);
      waitedMs += waitMs;
    }
  }

  /** Every document that the query finds, page after page. */
  async *list(options: ListOptions = {}, call?: CallOptions): AsyncGenerator<ListedFile> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(options)) query.set(name, String(value));
      if (cursor !== undefined) query.set('cursor', cursor);
      const page: { files: StoredFile[]; next_cursor: string | null } = await this.#json(
        'GET',
        `/v1/file?${query.toString()}`,
        { ...call },
      );
      yield* page.files;
      cursor = page.next_cursor;
    }
  }

  /** Makes a key with a subset of this key's scopes. */
  async mintKey(key: NewKey, call?: CallOptions): Promise<KeyWithText> {
    const made: StoredKey & { key?: string } = await this.#json('POST', '/v1/key', {
      body: key,
      isWrite: true,
      ...call,
    });
    // The response that had the text was lost, and the store keeps only its hash.
    return made.key === undefined ? this.rotateKey(made.id, 0, call) : (made as KeyWithText);
  }

  /** The owner's live keys, newest first. */
  async keys(call?: CallOptions): Promise<readonly StoredKey[]> {
    return (await this.#json<{ keys: StoredKey[] }>('GET', '/v1/key', { ...call })).keys;
  }

  getKey(id: string, call?: CallOptions): Promise<StoredKey> {
    return this.#json('GET', keyPathOf(id), { ...call });
  }

  /** Gives a key another secret; the previous one is accepted for `overlapSeconds` more. */
  async rotateKey(id: string, overlapSeconds = 0, call?: CallOptions): Promise<KeyWithText> {
    const rotated: StoredKey & { key?: string } = await this.#json('POST', `${keyPathOf(id)}/rotate`, {
      body: { overlap_seconds: overlapSeconds },
      isWrite: true,
      ...call,
    });
    return rotated.key === undefined ? this.rotateKey(id, overlapSeconds, call) : (rotated as KeyWithText);
  }

  /** Ends a key, on every replica at once. */
  async revokeKey(id: string, call?: CallOptions): Promise<void> {
    await this.#request('DELETE', keyPathOf(id), { isDoneWhenGone: true, ...call });
  }

  /** What the key's owner uses, and may use. */
  usage(call?: CallOptions): Promise<Usage> {
    return this.#json('GET', '/v1/usage', { ...call });
  }

  async #json<T>(method: string, path: string, options: RequestOptions): Promise<T> {
    return (await (await this.#request(method, path, options)).json()) as T;
  }

  /** Sends until it succeeds, may not be sent again, or was sent often enough. */
  async #request(
    method: string,
    path: string,
    { body, text, headers = {}, isWrite = false, isDoneWhenGone = false, signal, ...own }: RequestOptions,
  ): Promise<Response> {
    requireExactPath(path);
    const { baseUrl, key, fetch: send, timeoutMs, rateWaitMaxMs, sleep } = this.#options;
    const attemptsMax = own.attemptsMax ?? this.#options.attemptsMax;
    const sent = body === undefined ? text : JSON.stringify(body);
    const request = {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(sent === undefined
          ? {}
          : { 'Content-Type': body === undefined ? 'text/plain; charset=utf-8' : 'application/json' }),
        ...(isWrite ? { 'Idempotency-Key': randomUUID() } : {}),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    };
    const once = () => {
      const timeout = AbortSignal.timeout(timeoutMs);
      return send(baseUrl + path, {
        ...request,
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
    };
    let mayBeDone = false;
    let conflictWaitMs = 0;
    for (let attempt = 1; ; attempt++) {
      let response: Response;
      try {
        response = await this.#rateQueue.admit(once, rateWaitMaxMs, signal);
      } catch (error) {
        // Reads, deletions and whatever has an Idempotency-Key may be sent again, whether or not this try
        // arrived.
        signal?.throwIfAborted();
        if (attempt === attemptsMax) throw DocstoreError.unreachable(error);
        mayBeDone = true;
        await sleep(this.#backOff(attempt, BACKOFF_FIRST_MS, BACKOFF_MAX_MS), signal);
        continue;
      }
      if (response.ok || response.status === 304) return response;
      const error = new DocstoreError(
        response.status,
        response.headers,
        await response.json().catch(() => null),
      );
      if (mayBeDone && isDoneWhenGone && error.code === 'not_found') return response;
      mayBeDone ||= error.code === 'internal';
      // A conflict that passes is with a try of this very request, still in flight under its Idempotency-Key.
      const isOwnConflict = error.code === 'conflict' && error.retryAfterSeconds !== null;
      const isRetried = isOwnConflict || (error.retryable === 'yes' && error.code !== 'rate_limited');
      const isLast = isOwnConflict ? conflictWaitMs >= CONFLICT_WAIT_MAX_MS : attempt === attemptsMax;
      if (!isRetried || isLast) throw error;
      const told = error.retryAfterSeconds;
      const waitMs =
        told === null ? this.#backOff(attempt, BACKOFF_FIRST_MS, BACKOFF_MAX_MS) : this.#toldWait(told);
      if (isOwnConflict) {
        conflictWaitMs += waitMs;
        attempt--;
      }
      await sleep(waitMs, signal);
    }
  }

  /** What the store told to wait, and up to a tenth more. Milliseconds. */
  #toldWait(seconds: number): number {
    return Math.round(seconds * 1000 * (1 + 0.1 * this.#options.random()));
  }

  /** Exponential back-off with full jitter. Milliseconds. */
  #backOff(attempt: number, firstMs: number, maxMs: number): number {
    return this.#options.random() * Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  }
}

interface RequestOptions extends CallOptions {
  /** Tries of this request, in place of those of the client. */
  readonly attemptsMax?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request carries an Idempotency-Key. */
  readonly isWrite?: boolean;
  /** not_found after a try whose outcome is unknown means that this try was carried out. */
  readonly isDoneWhenGone?: boolean;
}

function pathOf(id: string): string {
  return `/v1/file/${encodeURIComponent(id)}`;
}

/** Every segment is encoded by itself, so that slashes part folders. */
function namedPath(filename: string): string {
  return `/v1/path/${filename.split('/').map(encodeURIComponent).join('/')}`;
}

function keyPathOf(id: string): string {
  return `/v1/key/${encodeURIComponent(id)}`;
}

/**
 * Throws DocstoreError validation_failed for a segment `.` or `..`, which `fetch` takes as a step to another
 * URL: that of another document, or of a key.
 */
function requireExactPath(path: string): void {
  if (!/\/\.\.?(?=[/?]|$)/.test(path)) return;
  const field = path.startsWith('/v1/path/') ? 'filename' : 'id';
  throw DocstoreError.unsendable(field, 'must not hold a segment `.` or `..`');
}
