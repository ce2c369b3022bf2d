import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metadata, Server, ServerCredentials, status, type handleUnaryCall } from '@grpc/grpc-js';
import { handleQuickly } from './quick-calls.ts';

const asIs = (bytes: Buffer) => bytes;
const METHOD = {
  path: '/test.Echo/Echo',
  requestStream: false,
  responseStream: false,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
} as const;

interface Side {
  readonly server: Server;
  readonly session: ClientHttp2Session;
  /** Which way each call came to the handler. */
  readonly ways: string[];
}

/** An echo with the metadata it got; `fail` ends with an error, `wait` after a while, `throw` throws. */
async function open(isQuick: boolean): Promise<Side> {
  const server = new Server({ 'grpc.enable_channelz': 0, 'grpc.max_receive_message_length': 100_000 });
  const ways: string[] = [];
  const echo: handleUnaryCall<Buffer, Buffer> = (call, callback) => {
    ways.push('emit' in call ? 'slow' : 'quick');
    const text = call.request.toString();
    const trailer = new Metadata();
    trailer.set('x-path', call.getPath());
    trailer.set('x-peer', call.getPeer().replace(/\d+$/, 'port'));
    trailer.set('x-deadline', String(Number.isFinite(Number(call.getDeadline()))));
    trailer.set('x-sent', JSON.stringify([call.metadata.get('x-sent'), call.metadata.get('authorization')]));
    trailer.set('x-bytes-bin', Buffer.from([0, 1, 255]));
    if (text === 'throw') throw new Error('of the handler');
    if (text === 'fail')
      return callback({ code: status.NOT_FOUND, details: 'no such thing: é %', metadata: trailer });
    if (text === 'wait') return void setTimeout(callback, 200, null, call.request, trailer);
    callback(null, call.request, trailer);
  };
  server.addService({ echo: METHOD }, { echo });
  if (isQuick) handleQuickly(server, METHOD, echo, () => new Date());
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { server, session: connect(`http://127.0.0.1:${port}`), ways };
}

function framed(message: string | Buffer, isCompressed = false): Buffer {
  const bytes = Buffer.from(message as string);
  const prefix = Buffer.from([isCompressed ? 1 : 0, 0, 0, 0, 0]);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Each piece is a frame of its own. */
  readonly pieces: readonly Buffer[];
  readonly ends?: boolean;
}

/** Everything that came back, but the date. */
async function answerOf(session: ClientHttp2Session, { headers, pieces, ends = true }: Sent) {
  const stream = session.request({
    ':method': 'POST',
    ':path': METHOD.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  const got: { headers?: IncomingHttpHeaders; trailers?: IncomingHttpHeaders; data: string } = { data: '' };
  const plain = ({ date: _date, ...others }: IncomingHttpHeaders) => ({ ...others });
  stream.on('response', (values) => (got.headers = plain(values)));
  stream.on('trailers', (values) => (got.trailers = plain(values)));
  stream.on('data', (piece: Buffer) => (got.data += piece.toString('hex')));
  const isOver = new Promise<void>((resolve) => {
    stream.once('close', resolve).once('error', () => resolve());
    // A call that is refused before its message is whole stays open on the client's side.
    stream.once('end', () => resolve());
  });
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await delay(20);
    stream.write(piece);
  }
  if (ends) stream.end();
  await isOver;
  stream.close();
  return got;
}

const CASES: Readonly<Record<string, { readonly sent: Sent; readonly ways: readonly string[] }>> = {
  'a plain call': { sent: { pieces: [framed('hello')] }, ways: ['quick'] },
  'an empty message': { sent: { pieces: [framed('')] }, ways: ['quick'] },
  'a call with metadata': {
    sent: { headers: { 'x-sent': 'a, b', authorization: 'Bearer x' }, pieces: [framed('x')] },
    ways: ['quick'],
  },
  'a call that fails': { sent: { pieces: [framed('fail')] }, ways: ['quick'] },
  'a handler that throws': { sent: { pieces: [framed('throw')] }, ways: ['quick'] },
  'a call within its deadline': {
    sent: { headers: { 'grpc-timeout': '10S' }, pieces: [framed('wait')] },
    ways: ['quick'],
  },
  'a call beyond its deadline': {
    sent: { headers: { 'grpc-timeout': '50m' }, pieces: [framed('wait')] },
    ways: ['quick'],
  },
  'a deadline that passes before the message is sent': {
    sent: { headers: { 'grpc-timeout': '50m' }, pieces: [framed('x')], ends: false },
    ways: [],
  },
  'a deadline of weeks': {
    sent: { headers: { 'grpc-timeout': '99999999S' }, pieces: [framed('x')] },
    ways: ['slow'],
  },
  'a deadline that is none': {
    sent: { headers: { 'grpc-timeout': 'soon' }, pieces: [framed('x')] },
    ways: [],
  },
  'no message': { sent: { pieces: [] }, ways: [] },
  'a message in pieces': {
    sent: {
      pieces: [framed('hello').subarray(0, 3), framed('hello').subarray(3, 8), framed('hello').subarray(8)],
    },
    ways: ['slow'],
  },
  'a message that ends too soon': { sent: { pieces: [framed('hello').subarray(0, 7)] }, ways: [] },
  'two messages in two pieces': { sent: { pieces: [framed('one'), framed('two')] }, ways: [] },
  'two messages in one piece': {
    sent: { pieces: [Buffer.concat([framed('one'), framed('two')])] },
    ways: [],
  },
  'a compressed message': {
    sent: { headers: { 'grpc-encoding': 'gzip' }, pieces: [framed(gzipSync('hello'), true)] },
    ways: ['slow'],
  },
  'a message that says it is compressed and names no encoding': {
    sent: { pieces: [framed('hello', true)] },
    ways: ['slow'],
  },
  'a message over the limit': { sent: { pieces: [framed('x'.repeat(100_001))] }, ways: [] },
  'another content type': {
    sent: { headers: { 'content-type': 'text/plain' }, pieces: [framed('x')] },
    ways: [],
  },
  'another method': { sent: { headers: { ':path': '/test.Echo/Other' }, pieces: [framed('x')] }, ways: [] },
};

describe('quick calls', () => {
  let quick: Side;
  let slow: Side;
  beforeAll(async () => {
    [quick, slow] = await Promise.all([open(true), open(false)]);
  });
  afterAll(() => {
    for (const { server, session } of [quick, slow]) {
      session.destroy();
      server.forceShutdown();
    }
  });

  it.each(Object.entries(CASES))('%s gets the response that grpc-js gives', async (_name, { sent, ways }) => {
    quick.ways.length = 0;
    const expected = await answerOf(slow.session, sent);
    expect(expected.headers).toBeDefined();
    expect(await answerOf(quick.session, sent)).toEqual(expected);
    // The message that the client did not end reaches no handler later, either.
    await delay(20);
    expect(quick.ways).toEqual(ways);
  });

  it('a call whose client ends it is dropped, and the next one on its connection gets its response', async () => {
    quick.ways.length = 0;
    const stream = quick.session.request({
      ':method': 'POST',
      ':path': METHOD.path,
      'content-type': 'application/grpc',
      'grpc-timeout': '10S',
    });
    stream.end(framed('wait'));
    await delay(50);
    stream.close(8);
    await delay(250);
    const { data } = await answerOf(quick.session, { pieces: [framed('next')] });
    expect(data).toBe(framed('next').toString('hex'));
    expect(quick.ways).toEqual(['quick', 'quick']);
  });

  it('a server of grpc-js that takes streams in otherwise is refused', () => {
    const handle: handleUnaryCall<Buffer, Buffer> = (_call, callback) => callback(null);
    expect(() => handleQuickly({} as Server, METHOD, handle, () => new Date())).toThrow(
      'this grpc-js has no `_streamHandler`',
    );
  });
});
