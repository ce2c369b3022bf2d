import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import {
  status,
  type handleUnaryCall,
  type Metadata,
  type sendUnaryData,
  type Server,
  type ServerUnaryCall,
} from '@grpc/grpc-js';

/**
 * The way of the hot call through the server. grpc-js makes a call, two interceptors, a stream and their
 * listeners of each request, which cost more than what a check costs besides. A call in the plain form that
 * clients send, one uncompressed message in one piece, gets its response here, of the same bytes; every other
 * one goes the way of grpc-js, what was read of it put back. Connections, TLS, keepalive and shutdown stay
 * with grpc-js (docs/decisions/0041-plain-checks-pass-grpc-js.md).
 */

/** A unary method as grpc-js is given it. */
interface QuickMethod<Request, Response> {
  readonly path: string;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (response: Response) => Buffer;
}

/** The part of grpc-js that takes streams in; it has no public place where one could be taken. */
interface StreamTaker {
  _streamHandler(
    interceptors: readonly unknown[],
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
  ): void;
}

const MESSAGE_PREFIX_BYTES = 5;
/** A timer's longest time, in milliseconds. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;
const TIMEOUT_UNIT_MS = { S: 1_000, m: 1, u: 0.001, n: 0.000_001 } as const;
const TIMEOUT = /^(\d{1,8})([Smun])$/;

const ERROR_HEADERS = { ':status': 200, 'content-type': 'application/grpc+proto' } as const;
const RESPONSE_HEADERS = {
  ...ERROR_HEADERS,
  'grpc-accept-encoding': 'identity,deflate,gzip',
  'grpc-encoding': 'identity',
} as const;
const WITH_TRAILERS = { waitForTrailers: true } as const;

/**
 * Serves plain calls of the method by `handle`; their deadlines are counted from `now`. For a server that
 * counts no channelz, before it listens.
 * Errors: a grpc-js that takes streams in by another name.
 */
export function handleQuickly<Request, Response>(
  server: Server,
  method: QuickMethod<Request, Response>,
  handle: handleUnaryCall<Request, Response>,
  now: () => Date,
): void {
  const taker = server as unknown as StreamTaker;
  if (typeof taker._streamHandler !== 'function') throw new Error('this grpc-js has no `_streamHandler`');
  const takeSlowly = taker._streamHandler.bind(server);
  taker._streamHandler = (interceptors, stream, headers) => {
    const timeoutMs = headers[':path'] === method.path ? timeoutOf(stream, headers) : null;
    if (timeoutMs === null || interceptors.length > 0) return takeSlowly(interceptors, stream, headers);
    new QuickCall({ stream, headers, method, handle, timeoutMs, now }, () => {
      takeSlowly(interceptors, stream, headers);
    }).read();
  };
}

/** Milliseconds that a plain call may take, Infinity where it does not say; null for any other call. */
function timeoutOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): number | null {
  const encoding = headers['grpc-encoding'];
  const isPlain =
    headers['content-type']?.startsWith('application/grpc') === true &&
    (encoding === undefined || encoding === 'identity') &&
    !stream.endAfterHeaders;
  if (!isPlain) return null;
  const sent = headers['grpc-timeout'];
  if (sent === undefined) return Infinity;
  const [, digits, unit] = TIMEOUT.exec(String(sent)) ?? [];
  if (unit === undefined) return null;
  const timeoutMs = Math.trunc(Number(digits) * TIMEOUT_UNIT_MS[unit as keyof typeof TIMEOUT_UNIT_MS]);
  return timeoutMs > TIMEOUT_MAX_MS ? null : timeoutMs;
}

interface Taken<Request, Response> {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly method: QuickMethod<Request, Response>;
  readonly handle: handleUnaryCall<Request, Response>;
  readonly timeoutMs: number;
  readonly now: () => Date;
}

/** The parts of grpc-js's call that handlers use. */
type HandlerCall<Request, Response> = Pick<
  ServerUnaryCall<Request, Response>,
  'request' | 'getPath' | 'getPeer' | 'getDeadline'
> & { readonly metadata: Pick<Metadata, 'get'> };

/** It is its own metadata as well: objects for one call are what a check costs most. */
class QuickCall<Request, Response> implements HandlerCall<Request, Response> {
  /** Read before the handler is called. */
  request!: Request;
  readonly #taken: Taken<Request, Response>;
  readonly #takeSlowly: () => void;
  readonly #deadline: number;
  #timer: NodeJS.Timeout | undefined;
  #message: Buffer | null = null;

  constructor(taken: Taken<Request, Response>, takeSlowly: () => void) {
    this.#taken = taken;
    this.#takeSlowly = takeSlowly;
    this.#deadline = taken.now().getTime() + taken.timeoutMs;
  }

  get metadata(): Pick<Metadata, 'get'> {
    return this;
  }

  /** Reads the message, and responds once the client has sent all of it. */
  read(): void {
    const { stream, timeoutMs } = this.#taken;
    stream.on('data', this.#onData);
    stream.on('end', this.#onEnd);
    // A stream that fails is closed as well; its error has no other use.
    stream.on('error', ignore);
    if (timeoutMs === Infinity) return;
    this.#timer = setTimeout(() => this.#end(status.DEADLINE_EXCEEDED, 'Deadline exceeded'), timeoutMs);
    stream.once('close', this.#forgetDeadline);
  }

  readonly #onData = (piece: Buffer): void => {
    if (this.#isOver) return;
    const isWhole =
      this.#message === null &&
      piece.length >= MESSAGE_PREFIX_BYTES &&
      piece[0] === 0 &&
      piece.readUInt32BE(1) === piece.length - MESSAGE_PREFIX_BYTES;
    if (isWhole) this.#message = piece;
    else this.#giveUp(piece);
  };

  /** Leaves the call to grpc-js, as if nothing had been read of it. */
  #giveUp(piece: Buffer): void {
    const { stream } = this.#taken;
    this.#forgetDeadline();
    stream.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#forgetDeadline);
    stream.pause();
    stream.unshift(piece);
    if (this.#message !== null) stream.unshift(this.#message);
    this.#takeSlowly();
  }

  readonly #onEnd = (): void => {
    if (this.#isOver) return;
    const { method, handle } = this.#taken;
    if (this.#message === null) {
      const details = `Received no request message for server streaming method ${method.path}`;
      return this.#end(status.UNIMPLEMENTED, details);
    }
    try {
      this.request = method.requestDeserialize(this.#message.subarray(MESSAGE_PREFIX_BYTES));
      handle(this as unknown as ServerUnaryCall<Request, Response>, this.#answer);
    } catch {
      this.#end(status.UNKNOWN, 'Unknown error');
    }
  };

  get(name: string): string[] {
    return valuesOf(this.#taken.headers[name]);
  }

  getPath(): string {
    return this.#taken.method.path;
  }

  getDeadline(): number {
    return this.#deadline;
  }

  getPeer(): string {
    const { remoteAddress, remotePort } = this.#taken.stream.session?.socket ?? {};
    if (remoteAddress === undefined) return 'unknown';
    return remotePort === undefined ? remoteAddress : `${remoteAddress}:${remotePort}`;
  }

  readonly #answer: sendUnaryData<Response> = (error, response, trailer) => {
    if (error !== null)
      return this.#end(error.code ?? status.UNKNOWN, error.details ?? 'Unknown Error', error.metadata);
    if (this.#isOver) return;
    const { stream, method } = this.#taken;
    this.#forgetDeadline();
    const message = method.responseSerialize(response as Response);
    const framed = Buffer.allocUnsafe(MESSAGE_PREFIX_BYTES + message.length);
    framed[0] = 0;
    framed.writeUInt32BE(message.length, 1);
    framed.set(message, MESSAGE_PREFIX_BYTES);
    stream.respond(RESPONSE_HEADERS, WITH_TRAILERS);
    stream.once('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': 0, 'grpc-message': 'OK', ...trailer?.toHttp2Headers() });
    });
    stream.end(framed);
  };

  /** Ends the call with a status and no message. */
  #end(code: number, details: string, metadata?: Metadata): void {
    if (this.#isOver) return;
    const { stream } = this.#taken;
    this.#forgetDeadline();
    const headers = { 'grpc-status': code, 'grpc-message': encodeURI(details), ...ERROR_HEADERS };
    stream.respond({ ...headers, ...metadata?.toHttp2Headers() }, { endStream: true });
  }

  /** It has its response, or its client is gone. */
  get #isOver(): boolean {
    const { stream } = this.#taken;
    return stream.destroyed || stream.closed || stream.headersSent;
  }

  readonly #forgetDeadline = (): void => clearTimeout(this.#timer);
}

function ignore(): void {}

function valuesOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
