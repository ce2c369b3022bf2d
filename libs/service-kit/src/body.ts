import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import type { Request } from 'express';
import { DomainError } from '@platform/error-contracts';

/** How long an upload may continue after its response before the connection is cut. Milliseconds. */
const LINGER_MS = 2_000;

/**
 * Refuses any other body than one in UTF-8 of one of these media types, sent as it is: throws DomainError
 * `unsupported_media` for another Content-Type, a charset besides utf-8, or a Content-Encoding. Parameters
 * besides charset change nothing (RFC 9110 §8.3.1).
 */
export function requireMediaType(req: Request, [expected, ...others]: readonly [string, ...string[]]): void {
  const sent = req.headers['content-type'];
  // Nearly every request sends the plain name, which needs no parser.
  const type = sent === expected ? null : mediaType(sent);
  const isExpected = sent === expected || [expected, ...others].includes(type?.essence ?? '');
  if (!isExpected || !/^utf-?8$/i.test(type?.params.get('charset') ?? 'utf-8')) {
    throw new DomainError('unsupported_media', `send Content-Type: ${expected} (UTF-8)`);
  }
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError(
      'unsupported_media',
      `Content-Encoding \`${encoding}\` is not supported, send the body as it is`,
    );
  }
}

/** `requireMediaType` of application/json, or of one of `otherTypes`. */
export function requireJson(req: Request, otherTypes: readonly string[] = []): void {
  requireMediaType(req, ['application/json', ...otherTypes]);
}

/** null for text that is not a media type. */
function mediaType(text = ''): MIMEType | null {
  try {
    return new MIMEType(text);
  } catch {
    return null;
  }
}

export interface BodyOptions {
  readonly bytesMax: number;
  /** Called with the length of every chunk; an error that it throws refuses the body. */
  readonly onBytes?: (length: number) => void;
  /** Aborting it refuses the body with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * The request's body, at most `bytesMax` bytes, in a buffer of its own (not a slice of a shared one, so it
 * can be transferred to a worker). A longer one is refused with DomainError `payload_too_large` before
 * reading when its length is declared, else at the first byte too many. What still arrives of a refused body
 * is discarded, so that the client can read the response, and after two seconds the connection is cut. Throws
 * `invalid_argument` when the client stops half-way.
 */
export function readBody(req: IncomingMessage, options: BodyOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { bytesMax, onBytes, signal } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;

    const refuse = (error: unknown) => {
      stopListening();
      req.resume();
      reject(error);
      if (req.destroyed) return;
      const cut = setTimeout(() => req.socket.destroy(), LINGER_MS);
      req.once('close', () => clearTimeout(cut));
    };
    const tooLarge = () => new DomainError('payload_too_large', `the body is larger than ${bytesMax} bytes`);
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytesMax) return refuse(tooLarge());
      try {
        onBytes?.(chunk.length);
      } catch (error) {
        return refuse(error);
      }
      chunks.push(chunk);
    };
    const onAbort = () => refuse(signal?.reason);
    const onEnd = () => {
      stopListening();
      const body = new Uint8Array(length);
      let offset = 0;
      for (const chunk of chunks) {
        body.set(chunk, offset);
        offset += chunk.length;
      }
      resolve(body);
    };
    const onBroken = () => {
      stopListening();
      reject(new DomainError('invalid_argument', 'the body ended early'));
    };
    function stopListening() {
      req.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      signal?.removeEventListener('abort', onAbort);
      req.on('error', () => {});
    }

    if (Number(req.headers['content-length']) > bytesMax) return refuse(tooLarge());
    // An already-destroyed request emits no further events.
    if (req.destroyed) return onBroken();
    req.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
