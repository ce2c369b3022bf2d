import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '@platform/error-contracts';

/** A message of JSON-RPC up to this size is parsed on the request thread. Bytes. */
export const SMALL_MESSAGE_BYTES = 64 * 1024;

/** How far one turn of the event loop scans. Bytes; a millisecond, or some before the scan is compiled. */
const SCAN_BYTES = 128 * 1024;

/** A message whose large arguments were extracted. */
export interface LiftedMessage {
  /** The message with `{}` in the place of the arguments. */
  readonly message: unknown;
  /** The JSON of the arguments, in a buffer of its own. */
  readonly rawArguments: Uint8Array<ArrayBuffer>;
}

/**
 * Takes `params.arguments` out of a tool call without parsing them, so that what they hold is parsed in a
 * thread of its own. Throws DomainError `payload_too_large` when the rest of the message is large as well,
 * `invalid_argument` when it is not JSON.
 */
export async function liftArguments(body: Uint8Array<ArrayBuffer>): Promise<LiftedMessage> {
  const span = await findArguments(Buffer.from(body.buffer, body.byteOffset, body.length));
  if (span === null || body.length - (span.end - span.start) > SMALL_MESSAGE_BYTES) {
    throw new DomainError(
      'payload_too_large',
      `only the arguments of a tool call may be larger than ${SMALL_MESSAGE_BYTES} bytes`,
    );
  }
  const text = new TextDecoder('utf-8', { fatal: true });
  try {
    const head = text.decode(body.subarray(0, span.start));
    const tail = text.decode(body.subarray(span.end));
    return { message: JSON.parse(`${head}{}${tail}`), rawArguments: body.slice(span.start, span.end) };
  } catch (error) {
    throw new DomainError('invalid_argument', 'the message is not JSON in UTF-8', { cause: error });
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Position of the value of `params.arguments`; null where there is none, or where the text is not an object.
 */
async function findArguments(body: Buffer): Promise<Span | null> {
  const params = await findMember(body, skipSpace(body, 0), 'params');
  return params === null ? null : findMember(body, params.start, 'arguments');
}

/**
 * The value of a member of the object that begins at `at`; null where there is none, or where more stands
 * before it than may stand beside the arguments.
 */
async function findMember(body: Buffer, at: number, name: string): Promise<Span | null> {
  if (body[at] !== OPEN_BRACE) return null;
  let next = skipSpace(body, at + 1);
  while (body[next] === QUOTE && next - at <= SMALL_MESSAGE_BYTES) {
    const keyEnd = await skipValue(body, next);
    const colon = skipSpace(body, keyEnd);
    if (body[colon] !== COLON) return null;
    const start = skipSpace(body, colon + 1);
    const end = await skipValue(body, start);
    if (body.toString('latin1', next + 1, keyEnd - 1) === name) return { start, end };
    next = skipSpace(body, end);
    if (body[next] !== COMMA) return null;
    next = skipSpace(body, next + 1);
  }
  return null;
}

/** The end of the value that begins at `at`; the end of the body where it has none. */
async function skipValue(body: Buffer, at: number): Promise<number> {
  let depth = 0;
  let isInString = false;
  let turnEnd = at + SCAN_BYTES;
  for (let i = at; i < body.length; i += 1) {
    if (i >= turnEnd) {
      turnEnd = i + SCAN_BYTES;
      await nextTurn();
    }
    const byte = body[i];
    if (isInString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) {
        isInString = false;
        if (depth === 0) return i + 1;
      }
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      // At depth 0 this closes the object or array around the value.
      if (depth === 0) return i;
      depth -= 1;
      if (depth === 0) return i + 1;
    } else if (byte === COMMA && depth === 0) return i;
  }
  return body.length;
}

/** The place behind the spaces at `at`, of which no message has more than are read here. */
function skipSpace(body: Buffer, at: number): number {
  let i = at;
  const end = at + SMALL_MESSAGE_BYTES;
  while (i < end && (body[i] === 0x20 || body[i] === 0x0a || body[i] === 0x0d || body[i] === 0x09)) i += 1;
  return i;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
