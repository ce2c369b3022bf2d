import { randomUUID } from 'node:crypto';
import { DocstoreError } from './docstore-error.ts';

export interface ClientOptions {
  /** Where the store answers, without `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Tries of one request, the first included. Default 5. */
  readonly attemptsMax?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Waits; tests pass their own. Milliseconds. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** From 0 to 1, for the jitter of the back-off. */
  readonly random?: () => number;
}

export interface NewFile {
  readonly filename: string;
  readonly contents: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  /** Absent in lists, unless asked for. */
  readonly contents?: string;
  /** With its quotes, as If-Match takes it. */
  readonly etag: string;
  readonly size: number;
  readonly sha256: string;
  readonly version: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The query of GET /v1/file, by the contract's own names. */
export type ListOptions = Readonly<Record<string, string | number>>;

export type Merged =
  | { readonly merged: true; readonly file: StoredFile }
  | {
      readonly merged: false;
      readonly conflicts: readonly { base: string; mine: string; current: string; base_line: number }[];
    };

export interface Usage {
  readonly documents: { readonly used: number; readonly limit: number };
  readonly bytes: { readonly used: number; readonly limit: number };
  readonly requests_per_minute: number;
}

const ATTEMPTS = 5;
const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 10_000;

/**
 * A client of the document store. What the contract's retry table calls retryable it sends again: rate_limited after
 * Retry-After, internal with exponential back-off; so too, after Retry-After, what is refused because an earlier try of it is
 * still at work. Creations carry an Idempotency-Key, so that sending them again makes nothing twice. Everything else that is
 * no success is thrown as DocstoreError; a network that fails, as fetch throws it.
 */
export class DocstoreClient {
  readonly #options: Required<ClientOptions>;

  constructor(options: ClientOptions) {
    this.#options = {
      attemptsMax: ATTEMPTS,
      fetch: globalThis.fetch,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      random: Math.random,
      ...options,
      baseUrl: options.baseUrl.replace(/\/$/, ''),
    };
  }

  /** Stores a document. Throws DocstoreError conflict when its filename is in use. */
  create(file: NewFile): Promise<StoredFile> {
    return this.#json('POST', '/v1/file', { body: file, headers: { 'Idempotency-Key': randomUUID() } });
  }

  /** Reads a document. Throws DocstoreError not_found. */
  get(id: string): Promise<StoredFile & { readonly contents: string }> {
    return this.#json('GET', pathOf(id));
  }

  /** Replaces a document if `etag` is still its current one. Throws DocstoreError precondition_failed otherwise. */
  replace(id: string, file: NewFile, etag: string): Promise<StoredFile> {
    const headers = { 'If-Match': etag, 'Idempotency-Key': randomUUID() };
    return this.#json('PUT', pathOf(id), { body: file, headers });
  }

  /**
   * Reads a document, lets `change` say what it becomes, and writes that over the version read; when another writer came
   * between, reads again and calls `change` anew. `change` may return null to leave things as they are.
   */
  async update(
    id: string,
    change: (
      current: StoredFile & { readonly contents: string },
    ) => Partial<NewFile> | null | Promise<Partial<NewFile> | null>,
  ): Promise<StoredFile> {
    for (let attempt = 1; ; attempt++) {
      const current = await this.get(id);
      const changed = await change(current);
      if (changed === null) return current;
      const { filename, contents } = current;
      try {
        return await this.replace(id, { filename, contents, ...changed }, current.etag);
      } catch (error) {
        const isOvertaken = error instanceof DocstoreError && error.code === 'precondition_failed';
        if (!isOvertaken || attempt === this.#options.attemptsMax) throw error;
      }
    }
  }

  /** Deletes a document; with `etag`, only that version of it. */
  async remove(id: string, etag?: string): Promise<void> {
    const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag };
    await this.#request('DELETE', pathOf(id), { headers, isDoneWhenGone: true });
  }

  /** Merges `contents`, made from the version with `baseEtag`, with what the document has become. */
  merge(id: string, baseEtag: string, contents: string): Promise<Merged> {
    const body = { base_etag: baseEtag, contents };
    return this.#json('POST', `${pathOf(id)}/merge`, { body, headers: { 'Idempotency-Key': randomUUID() } });
  }

  /** Every document that the query finds, page after page. */
  async *list(options: ListOptions = {}): AsyncGenerator<StoredFile> {
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(options)) query.set(name, String(value));
      if (cursor !== null) query.set('cursor', cursor);
      const page: { files: StoredFile[]; next_cursor: string | null } = await this.#json(
        'GET',
        `/v1/file?${query}`,
      );
      yield* page.files;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** What the key's owner uses, and may use. */
  usage(): Promise<Usage> {
    return this.#json('GET', '/v1/usage');
  }

  async #json<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return (await (await this.#request(method, path, options)).json()) as T;
  }

  /** Sends until it succeeds, may not be sent again, or was sent often enough. */
  async #request(
    method: string,
    path: string,
    { body, headers = {}, isDoneWhenGone = false }: RequestOptions,
  ): Promise<Response> {
    const { baseUrl, key, fetch: send, sleep, attemptsMax } = this.#options;
    let mayBeDone = false;
    for (let attempt = 1; ; attempt++) {
      const response = await send(baseUrl + path, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.ok) return response;
      const error = new DocstoreError(
        response.status,
        response.headers,
        await response.json().catch(() => null),
      );
      if (mayBeDone && isDoneWhenGone && error.code === 'not_found') return response;
      mayBeDone ||= error.code === 'internal';
      // A conflict that passes is with a try of this very request, still at work under its Idempotency-Key.
      const isOwnConflict = error.code === 'conflict' && error.retryAfterSeconds !== null;
      if ((error.retryable !== 'yes' && !isOwnConflict) || attempt === attemptsMax) throw error;
      await sleep(this.#waitMs(error, attempt));
    }
  }

  /** As long as the store says; else exponential back-off with full jitter. */
  #waitMs(error: DocstoreError, attempt: number): number {
    if (error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000;
    return this.#options.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1));
  }
}

interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** not_found after a try whose outcome is unknown means that this try was carried out. */
  readonly isDoneWhenGone?: boolean;
}

function pathOf(id: string): string {
  return `/v1/file/${encodeURIComponent(id)}`;
}
