/** Calls `act` after the time, unless what it returns is called before. */
export type Timer = (act: () => void, ms: number) => () => void;

/** A request, and how long to wait for what. */
export interface Exchange {
  readonly url: string;
  readonly init: RequestInit;
  readonly token: () => string | Promise<string>;
  readonly fetch: typeof fetch;
  readonly timer: Timer;
  /** How long the service has been asked to hold back its response. */
  readonly waitSeconds?: number;
  /** Aborting it ends the exchange. */
  readonly signal?: AbortSignal | undefined;
}

/** A response that has arrived whole. */
export interface WholeResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly etag: string;
  readonly body: string;
}

/** How long a token may take, and a response beyond what the service was asked to hold it back. */
const SILENCE_SECONDS = 10;
/** How long the body of a response may take, and what runs regexes. */
const BODY_SECONDS = 30;

export const startTimer: Timer = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/**
 * Sends a request with a token and reads its response. Throws what `token` throws, and an Error that names
 * the address and what went wrong, or what did not come in time: a proxy or a service that stands still ends
 * no request by itself, and `fetch` gives up after minutes, if at all. Settles by then even when `fetch`
 * does not obey its signal.
 */
export function exchange({
  url,
  init,
  token,
  fetch,
  timer,
  waitSeconds = 0,
  signal,
}: Exchange): Promise<WholeResponse> {
  const aborted = new AbortController();
  let stop = (): void => undefined;
  return new Promise<WholeResponse>((resolve, reject) => {
    const end = (error: Error) => {
      reject(error);
      aborted.abort();
    };
    const allow = (seconds: number, missing: string) => {
      stop();
      stop = timer(() => end(new Error(`${missing} within ${seconds} s`)), seconds * 1000);
    };
    const onAbort = () => end(new Error('the request was ended'));
    signal?.addEventListener('abort', onAbort);
    const ask = async (): Promise<WholeResponse> => {
      signal?.throwIfAborted();
      allow(SILENCE_SECONDS, 'no token');
      const headers = { ...(init.headers as object), Authorization: `Bearer ${await token()}` };
      aborted.signal.throwIfAborted();
      allow(waitSeconds + SILENCE_SECONDS, `no response from ${url}`);
      const response = await fetch(url, { ...init, headers, signal: aborted.signal }).catch(
        (error: unknown) => {
          throw new Error(`no response from ${url}: ${reasonOf(error)}`, { cause: error });
        },
      );
      aborted.signal.throwIfAborted();
      allow(BODY_SECONDS, `no whole response from ${url}`);
      const body = await response.text();
      return { status: response.status, ok: response.ok, etag: response.headers.get('ETag') ?? '', body };
    };
    void ask()
      .then(resolve, reject)
      .finally(() => {
        stop();
        signal?.removeEventListener('abort', onAbort);
      });
  });
}

/**
 * What `load` resolves to, but rejects with an Error that says what is missing when it takes too long, or
 * once `signal` ends the waiting. The signal that `load` is given ends it then: a request that hangs would
 * keep its connection, and browsers let later ones for the same address wait for it.
 */
export function inTime<T>(
  load: (signal: AbortSignal) => Promise<T>,
  missing: string,
  timer: Timer,
  signal: AbortSignal,
): Promise<T> {
  const aborted = new AbortController();
  const ends: (() => void)[] = [];
  return new Promise<T>((resolve, reject) => {
    const end = (error: Error) => {
      reject(error);
      aborted.abort();
    };
    const onAbort = () => end(new Error('the waiting was ended'));
    signal.addEventListener('abort', onAbort);
    const stop = timer(() => end(new Error(`${missing} within ${BODY_SECONDS} s`)), BODY_SECONDS * 1000);
    ends.push(stop, () => signal.removeEventListener('abort', onAbort));
    load(aborted.signal).then(resolve, reject);
  }).finally(() => ends.forEach((end) => end()));
}

/** `fetch` of Node tells the reason in the cause alone, and browsers do not tell it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? `${error.message} (${code})` : error.message;
}
