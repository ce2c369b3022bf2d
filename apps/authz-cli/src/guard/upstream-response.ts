import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { EventTooLong, readEvents, withParts, type StreamEvent } from './event-stream.ts';
import { lostWith } from './lost-responses.ts';
import { InvalidMessageError, readMessage, type Message, type RequestId } from './message.ts';
import { refusedResponse } from './refusals.ts';

/** The server behind the guard is unavailable, or says what no MCP server says. */
export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';
  /** What the client is told. */
  readonly text: string;

  constructor(message: string, text = `the response of the MCP server was not passed on: ${message}`) {
    super(message);
    this.text = text;
  }
}

interface RelayOptions {
  readonly messageBytesMax: number;
  /** The request that is responded to; null for none, undefined when others may be. */
  readonly id: RequestId | null | undefined;
  readonly bind: (use: 'session' | 'event', value: string) => string;
  readonly filter: (text: string, message: Message) => Promise<string | null>;
  readonly note: (line: string) => void;
}

/** Headers of the server's that a client needs. */
const PASSED = ['content-type', 'cache-control', 'mcp-protocol-version', 'retry-after'];
/** The server's statuses about the guard's own credential mean nothing to the caller. */
const ABOUT_THE_GUARD = new Set([401, 403, 407]);

/** Sends the server's response on, with the lists in it filtered. Errors: UpstreamFailed. */
export async function relayResponse(
  arrived: IncomingMessage,
  response: ServerResponse,
  options: RelayOptions,
): Promise<void> {
  const { statusCode: status = 502, headers } = arrived;
  if (ABOUT_THE_GUARD.has(status) || (status >= 300 && status < 400) || headers['content-encoding']) {
    arrived.resume();
    throw new UpstreamFailed(`it responded with ${status}`);
  }
  const passed: Record<string, string> = {};
  for (const name of PASSED) if (headers[name] !== undefined) passed[name] = String(headers[name]);
  const session = headers['mcp-session-id'];
  if (session !== undefined) passed['mcp-session-id'] = options.bind('session', String(session));
  const type = headers['content-type'] ?? '';
  if (/^text\/event-stream(?:;|$)/i.test(type)) {
    response.writeHead(status, passed);
    response.flushHeaders();
    return relayEvents(arrived, response, options);
  }
  const text = (await readWhole(arrived, options.messageBytesMax)).toString();
  if (text === '' || !/^application\/json(?:;|$)/i.test(type)) {
    if (text !== '' && status < 300) throw new UpstreamFailed(`it is of the type ${type.slice(0, 100)}`);
    delete passed['content-type'];
    if (status < 300) return void response.writeHead(status, passed).end();
    // A body that is not a message is not passed on.
    const why = new UpstreamFailed(`it responded with ${status}`);
    if (status >= 500) options.note(`the server: ${why.message}`);
    response.writeHead(status, { ...passed, 'content-type': 'application/json' });
    return void response.end(errorOf(options.id, why));
  }
  const kept = await passedText(text, options);
  if (kept === null) throw new UpstreamFailed('it did not respond to the request');
  response.writeHead(status, passed).end(kept);
}

function errorOf(id: RequestId | null | undefined, { text }: UpstreamFailed): string {
  return refusedResponse(id ?? null, null, { code: 'unavailable', text });
}

/** The message as it may be passed on; null for one that may not be. Errors: UpstreamFailed. */
async function passedText(text: string, { id, filter }: RelayOptions): Promise<string | null> {
  let message: Message;
  try {
    message = readMessage(text);
  } catch (error) {
    if (error instanceof InvalidMessageError) throw new UpstreamFailed(error.message);
    throw error;
  }
  const isOther = message.kind === 'response' && id !== undefined && ![id, null].includes(message.id);
  if (isOther) throw new UpstreamFailed('it responded to another request');
  return filter(text, message);
}

async function relayEvents(
  arrived: IncomingMessage,
  response: ServerResponse,
  options: RelayOptions,
): Promise<void> {
  try {
    for await (const event of readEvents(arrived as AsyncIterable<Buffer>, options.messageBytesMax)) {
      const text = await passedEvent(event, options);
      if (text !== null && !response.write(text)) await once(response, 'drain');
    }
    response.end();
  } catch (error) {
    options.note(`the server's stream: ${String(error)}`);
    if (error instanceof EventTooLong && options.id !== null && options.id !== undefined)
      response.end(`data: ${errorOf(options.id, new UpstreamFailed(error.message))}\n\n`);
    // Half of the stream is sent already: the client sees it break, and asks again.
    else response.destroy();
  }
}

async function passedEvent(event: StreamEvent, options: RelayOptions): Promise<string | null> {
  const id = event.id === null || event.id === '' ? event.id : options.bind('event', event.id);
  if (event.data === '') return event.id === null ? event.text : withParts(event, { id, data: '' });
  try {
    const data = await passedText(event.data, options);
    return data === null ? null : withParts(event, { id, data });
  } catch (error) {
    if (!(error instanceof UpstreamFailed)) throw error;
    options.note(`dropped an event of the server: ${error.message}`);
    const waiting = options.id === null || options.id === undefined ? [] : [options.id];
    const [lost] = lostWith(event.data, event.data, waiting).responses;
    if (lost !== undefined) return withParts(event, { id, data: errorOf(lost, error) });
  }
  return null;
}

async function readWhole(stream: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > bytesMax) throw new UpstreamFailed(`it is longer than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof UpstreamFailed ? error : new UpstreamFailed('it broke off');
  }
  return Buffer.concat(chunks, length);
}
