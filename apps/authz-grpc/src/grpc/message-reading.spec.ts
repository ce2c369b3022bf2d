import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { AuthzError } from '@platform/error-contracts';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { SessionServiceService } from '@platform/proto/authz/v1/session';
import { bounded, LONG_BYTES_MAX, MESSAGE_BYTES_MAX, UnreadMessage } from './bounded-messages.ts';
import { readingWithin } from './message-reading.ts';

const KIB = 1024;
const BUDGETS = { long: 4_096 * KIB, short: 3_072 * KIB };
/** A long and a short method of ours, and one that is not ours. */
const LONG = '/authz.v1.AuthorizationService/BatchCheckAuthorization';
const SHORT = '/authz.v1.SessionService/Login';
const OTHER = '/other.Service/Call';
const MEMBER = { authorization: 'Bearer member' };

/**
 * A message of gRPC over HTTP/2: whether it is compressed, its length, and as many of its bytes as are given.
 */
function frame(length: number, sent: Buffer, isCompressed = false): Buffer {
  const head = Buffer.alloc(5, isCompressed ? 1 : 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, sent]);
}

/** The first `sent` bytes of a message whose `length` bytes are one long field, which no method knows. */
function oneField(length: number, sent = length): Buffer {
  const bytes = Buffer.alloc(sent);
  // Field 15 of wire type 2, and its length as a varint of four bytes.
  const value = length - 5;
  bytes.set([
    0x7a,
    (value & 0x7f) | 0x80,
    ((value >> 7) & 0x7f) | 0x80,
    ((value >> 14) & 0x7f) | 0x80,
    value >> 21,
  ]);
  return bytes;
}

describe('a message that is being sent', () => {
  let server: Server;
  let session: ClientHttp2Session;
  let port: number;
  beforeAll(async () => {
    server = new Server({
      'grpc.max_receive_message_length': LONG_BYTES_MAX,
      interceptors: [
        readingWithin(BUDGETS, (token) =>
          token === 'member'
            ? Promise.resolve()
            : Promise.reject(new AuthzError('TOKEN_INVALID', 'who are you?')),
        ),
      ],
    });
    const answer = (call: { request: unknown }, callback: (error: object | null, value?: unknown) => void) =>
      call.request instanceof UnreadMessage
        ? callback({ code: status.ABORTED, details: call.request.error.message })
        : callback(null, {});
    const plain = { requestDeserialize: () => 'read', responseSerialize: () => Buffer.alloc(0) };
    const { batchCheckAuthorization } = AuthorizationServiceService;
    const { login } = SessionServiceService;
    server.addService(
      bounded({ batchCheckAuthorization: { ...batchCheckAuthorization, ...plain } }) as never,
      { batchCheckAuthorization: answer },
    );
    server.addService(bounded({ login: { ...login, ...plain } }) as never, { login: answer });
    server.addService({ call: { ...login, ...plain, path: OTHER } }, { call: answer });
    port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    session = connect(`http://127.0.0.1:${port}`);
  });
  afterAll(() => {
    session.destroy();
    server.forceShutdown();
  });

  interface Sending {
    readonly stream: ClientHttp2Stream;
    /** The status that ends the call. */
    readonly ended: Promise<string>;
    /** Resolves once the server has taken the bytes up to the last few that the window of HTTP/2 holds. */
    send(bytes: Buffer): Promise<void>;
  }

  function begin(path: string, headers: Record<string, string> = {}): Sending {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    const ended = new Promise<string>((resolve, reject) => {
      const read = (fields: Record<string, unknown>) => {
        const code = fields['grpc-status'];
        if (code === undefined) return;
        const details = decodeURIComponent(String(fields['grpc-message'] ?? ''));
        resolve(`${status[Number(code)]}: ${details}`);
      };
      stream.on('response', read);
      stream.on('trailers', read);
      stream.on('error', reject);
      stream.resume();
    });
    return {
      stream,
      ended,
      send: (bytes) =>
        new Promise((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve()))),
    };
  }

  const tooMany = 'ABORTED: too many large messages are being sent at once';

  it('a message that arrives in any pieces is read to its end', async () => {
    for (const [path, length] of [
      [LONG, 3_072 * KIB],
      [SHORT, MESSAGE_BYTES_MAX],
      [OTHER, MESSAGE_BYTES_MAX],
    ] as const) {
      const call = begin(path, MEMBER);
      await call.send(frame(length, oneField(length, length - 1)));
      call.stream.end(Buffer.alloc(1));
      expect([path, await call.ended]).toEqual([path, 'OK: OK']);
    }
  });

  it('a message that may be long is not read before its credential is verified', async () => {
    for (const headers of [{}, { authorization: 'Bearer nobody' }]) {
      const call = begin(LONG, headers as Record<string, string>);
      void call.send(frame(50 * MESSAGE_BYTES_MAX, Buffer.alloc(3 * KIB)));
      expect(await call.ended).toBe('ABORTED: who are you?');
    }
  });

  it('a message that may not be long is refused at the first byte too many', async () => {
    const short = begin(SHORT);
    void short.send(frame(50 * MESSAGE_BYTES_MAX, Buffer.alloc(3_000 * KIB))).catch(() => undefined);
    expect(await short.ended).toBe(`ABORTED: the message is larger than ${MESSAGE_BYTES_MAX} bytes`);
    const other = begin(OTHER);
    void other.send(frame(50 * MESSAGE_BYTES_MAX, Buffer.alloc(3_000 * KIB))).catch(() => undefined);
    expect(await other.ended).toBe(
      `RESOURCE_EXHAUSTED: the message is larger than ${MESSAGE_BYTES_MAX} bytes`,
    );
  });

  it('a message in many pieces counts more than its bytes', async () => {
    const call = begin(SHORT);
    await call.send(frame(MESSAGE_BYTES_MAX, Buffer.alloc(0)));
    let refused: string | undefined;
    void call.ended.then((answer) => (refused = answer));
    for (let sent = 0; sent < MESSAGE_BYTES_MAX - 1 && refused === undefined; sent += 1) {
      void call.send(Buffer.alloc(1)).catch(() => undefined);
      if (sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(refused).toBe(`ABORTED: the message is larger than ${MESSAGE_BYTES_MAX} bytes`);
  });

  it.each([
    ['long', LONG, 1_600],
    ['other', SHORT, 1_000],
  ])(
    'a message takes from the budget of %s methods, and an overrun ends the longest',
    async (_name, path, kib) => {
      const half = frame((kib + 24) * KIB, oneField((kib + 24) * KIB, kib * KIB));
      const calls: Sending[] = [];
      for (let i = 0; i < 5; i += 1) {
        const call = begin(path, MEMBER);
        calls.push(call);
        await call.send(half);
      }
      for (const call of calls.slice(3)) call.stream.end(Buffer.alloc(24 * KIB));
      const answers = await Promise.all(calls.map(({ ended }) => ended));
      expect(answers).toEqual([tooMany, tooMany, tooMany, 'OK: OK', 'OK: OK']);
    },
  );

  it('a compressed message takes the size it may grow to from the budget', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MESSAGE_BYTES_MAX));
    const call = begin(SHORT, { 'grpc-encoding': 'gzip' });
    call.stream.end(frame(bomb.length, bomb, true));
    expect(await call.ended).toMatch(/^RESOURCE_EXHAUSTED: .* larger than 2097152$/);
    const fine = gzipSync(oneField(KIB));
    const next = begin(SHORT, { 'grpc-encoding': 'gzip' });
    next.stream.end(frame(fine.length, fine, true));
    expect(await next.ended).toBe('OK: OK');
  });
});
