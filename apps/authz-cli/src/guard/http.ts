import {
  Agent,
  createServer,
  request as plainRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isForHosts } from '../loopback.ts';
import type { BoundIds } from './bound-ids.ts';
import { checkHeaders, passedHeaders } from './call-headers.ts';
import type { FindCaller } from './callers.ts';
import type { Caller, Correlation } from './decider.ts';
import { CONNECTED_MS, type Guard, type Note } from './guard.ts';
import { InvalidMessageError, readMessage, type Message, type RequestId } from './message.ts';
import type { ListKind } from './needs.ts';
import { refusedResponse } from './refusals.ts';
import { relayResponse, UpstreamFailed } from './upstream-response.ts';

export interface HttpOptions {
  /** The server's one address; nothing of a caller's path or query goes there. */
  readonly upstream: URL;
  /** What the guard says to the server to be let in; null for nothing. */
  readonly upstreamToken: string | null;
  /** Whether the caller's credential goes to the server. */
  readonly passesCredential: boolean;
  readonly messageBytesMax: number;
  /** `Host` headers that are ours; those of the port that is listened on are added. */
  readonly hosts: Set<string>;
  /** How often the caller of a response that stays open is asked about. Milliseconds; default a minute. */
  readonly recheckMs?: number;
}

/** A body arrives within this time. Milliseconds. */
const REQUEST_MS_MAX = 60_000;
const HEADERS_MS_MAX = 10_000;
/** What the server is sent as JSON is read here as UTF-8, so no other charset may be claimed. */
const JSON_IN_UTF8 = /^application\/json\s*(?:;\s*charset=(?:utf-8|"utf-8")\s*)?$/i;
/** Headers that the guard goes by, or that it passes on. */
const ONCE = ['host', 'authorization', 'content-type', 'content-encoding', 'mcp-session-id', 'last-event-id'];
const CHALLENGE = 'Bearer realm="platform mcp-guard"';

/** A request that ends here, with a status and a response for its sender. */
class Ended extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`ended with ${status}`);
    this.status = status;
    this.body = body;
  }
}

function invalid(text: string, id: RequestId | null = null, status = 400): Ended {
  return new Ended(status, refusedResponse(id, null, { code: 'invalid', text }));
}

function refused(status: number, text: string): Ended {
  return new Ended(status, refusedResponse(null, null, { code: 'refused', text }));
}

const unauthenticated = () =>
  refused(401, 'send a live token of the platform as `Authorization: Bearer TOKEN`');

/** The server of the guard over streamable HTTP, before `listen`. */
export function createGuardServer(
  guard: Guard,
  findCaller: FindCaller,
  ids: BoundIds,
  options: HttpOptions,
  note: Note,
): Server {
  const { upstream, hosts, messageBytesMax, recheckMs = CONNECTED_MS } = options;
  const isTls = upstream.protocol === 'https:';
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  /** Ids of requests without a response, by session; the server keeps its own apart by nothing else. */
  const inFlight = new Set<string>();

  const server = createServer(
    { headersTimeout: HEADERS_MS_MAX, requestTimeout: REQUEST_MS_MAX },
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        const ended = error instanceof Ended ? error : failed(error);
        if (response.headersSent) return void response.destroy();
        const challenge = ended.status === 401 ? { 'www-authenticate': CHALLENGE } : {};
        // What is left of a body that was not read is not waited for.
        const headers = { 'content-type': 'application/json', ...challenge, connection: 'close' };
        response.writeHead(ended.status, headers).end(ended.body);
      });
    },
  );

  function failed(error: unknown, id: RequestId | null = null): Ended {
    const isUpstream = error instanceof UpstreamFailed;
    note(isUpstream ? `the server: ${error.message}` : String(error));
    const text = isUpstream ? error.text : 'the request could not be decided';
    return new Ended(isUpstream ? 502 : 503, refusedResponse(id, null, { code: 'unavailable', text }));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isForHosts(request, hosts))
      throw refused(403, 'the `Host` or `Origin` of the request is not that of this guard');
    if (request.url !== upstream.pathname)
      throw invalid(`the MCP server is at ${upstream.pathname}, without a query`, null, 404);
    if (!['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
      throw invalid('the method must be GET, POST or DELETE', null, 405);
    const caller = await authenticate(request);
    const session = sessionOf(request, caller);
    const correlation: Correlation = session === null ? {} : { 'mcp.session': session.slice(0, 128) };
    if (request.method === 'POST') return post(request, response, { caller, session, correlation });
    const admission = await guard.connect(caller, correlation);
    if (!admission.passed)
      throw admission.isCredential ? unauthenticated() : refused(403, admission.refusal.text);
    return pass(request, response, null, { caller, session, correlation, id: undefined, list: undefined });
  }

  async function authenticate({ headers, headersDistinct }: IncomingMessage): Promise<Caller> {
    // Node keeps the first of several, and what stands before or behind the guard may keep the last.
    for (const name of ONCE)
      if ((headersDistinct[name]?.length ?? 0) > 1) throw invalid(`the header ${name} may stand once`);
    const [, token] = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(headers.authorization ?? '') ?? [];
    const caller = token === undefined ? 'not_live' : await findCaller(token);
    if (caller === 'no_tenant') throw refused(401, 'the credential has no tenant: log in with a tenant');
    if (caller === 'not_live') throw unauthenticated();
    return caller;
  }

  function sessionOf({ headers }: IncomingMessage, { subject }: Caller): string | null {
    const bound = headers['mcp-session-id'];
    if (bound === undefined) return null;
    const session = ids.release('session', subject, String(bound));
    // By the protocol, the client begins a new session then.
    if (session === null)
      throw invalid('`Mcp-Session-Id` names no session of this caller: begin a new one', null, 404);
    return session;
  }

  interface Exchange {
    readonly caller: Caller;
    readonly session: string | null;
    readonly correlation: Correlation;
  }

  async function post(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
    const { caller, session, correlation } = exchange;
    if (!JSON_IN_UTF8.test(request.headers['content-type'] ?? ''))
      throw invalid('`Content-Type` must be application/json in UTF-8', null, 415);
    if (request.headers['content-encoding'] !== undefined)
      throw invalid('`Content-Encoding` is not taken: send the body as it is', null, 415);
    const body = await readBody(request);
    const message = read(body, request);
    const id = message.kind === 'request' ? message.id : undefined;
    const key = `${caller.subject}\0${session}\0${typeof id}\0${id}`;
    const isTracked = session !== null && id !== undefined;
    if (isTracked && inFlight.has(key))
      throw invalid('`id` is that of a request without a response yet', null);
    if (isTracked) inFlight.add(key);
    try {
      const admission = await guard.admit(message, caller, correlation);
      if (admission.passed) {
        await pass(request, response, body, { ...exchange, id: id ?? null, list: admission.list });
        return;
      }
      if (admission.isCredential) throw unauthenticated();
      if (admission.response === null || id === undefined) throw refused(403, admission.refusal.text);
      if (admission.refusal.code === 'invalid') throw new Ended(400, admission.response);
      response.writeHead(200, { 'content-type': 'application/json' }).end(admission.response);
    } catch (error) {
      throw error instanceof UpstreamFailed ? failed(error, id) : error;
    } finally {
      inFlight.delete(key);
    }
  }

  function read(body: Buffer, request: IncomingMessage): Message {
    try {
      const message = readMessage(body);
      checkHeaders(request.headers, message);
      return message;
    } catch (error) {
      if (!(error instanceof InvalidMessageError)) throw error;
      note(`refused: ${error.message}`);
      throw new Ended(400, refusedResponse(error.id, null, { code: error.code, text: error.message }));
    }
  }

  async function readBody(request: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > messageBytesMax)
        throw invalid(`a message may have ${messageBytesMax} bytes at most`, null, 413);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  /** Sends the request on and its response back. `body` is null for what has none. */
  async function pass(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer | null,
    {
      caller,
      session,
      correlation,
      id,
      list,
    }: Exchange & {
      /** The request that is responded to; null for none, undefined when others may be. */
      readonly id: RequestId | null | undefined;
      readonly list: ListKind | null | undefined;
    },
  ): Promise<void> {
    const last = request.headers['last-event-id'];
    const event = last === undefined ? null : ids.release('event', caller.subject, String(last));
    if (last !== undefined && event === null)
      throw invalid('`Last-Event-ID` names no event of this caller: begin without it');
    const token = options.passesCredential ? caller.token : options.upstreamToken;
    const headers = {
      ...passedHeaders(request.headers),
      ...(session === null ? {} : { 'mcp-session-id': session }),
      ...(event === null ? {} : { 'last-event-id': event }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === null ? {} : { 'content-length': String(body.length) }),
    };
    const send = isTls ? tlsRequest : plainRequest;
    const sent = send(upstream, { method: request.method, headers, agent });
    // A client that disconnected waits for no response.
    response.once('close', () => sent.destroy());
    const arrived = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      sent.once('error', ({ message }) => {
        reject(new UpstreamFailed(message, 'the MCP server cannot be reached'));
      });
      sent.end(body ?? undefined);
    });
    const recheck = setInterval(() => {
      void guard.connect(caller, correlation).then((admission) => {
        // A call was allowed by itself: it ends with its credential, a stream also with the right to connect.
        if (!admission.passed && (body === null || admission.isCredential)) response.destroy();
      });
    }, recheckMs);
    try {
      await relayResponse(arrived, response, {
        messageBytesMax,
        id,
        bind: (use, value) => ids.bind(use, caller.subject, value),
        filter: (text, message) => guard.filter(text, message, list, caller, correlation),
        note,
      });
    } finally {
      clearInterval(recheck);
    }
  }

  server.on('close', () => agent.destroy());
  return server;
}
