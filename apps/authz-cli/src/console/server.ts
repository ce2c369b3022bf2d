import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { GrpcCallError } from '@platform/authz-client';
import { SHARE_PAGE_HEADERS, type AssetFile } from '@platform/viewer';
import { exitCodeOf, EXIT } from '../exit-codes.ts';
import { isForHosts } from '../loopback.ts';
import { errorText, toJson } from '../output.ts';
import type { Session } from '../shell.ts';
import { OPERATIONS } from './operations.ts';

/** The text of 100,000 policies. Bytes. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** HTTP status of an error by the exit code that a command would end with. */
const STATUS: Readonly<Record<number, number>> = {
  [EXIT.usage]: 400,
  [EXIT.unauthenticated]: 401,
  [EXIT.denied]: 403,
  [EXIT.notFound]: 404,
  [EXIT.conflict]: 409,
  [EXIT.limited]: 429,
};

export interface ConsoleOptions {
  readonly session: Session;
  readonly files: readonly AssetFile[];
  readonly page: string;
  /** `Host` headers that are ours. */
  readonly hosts: ReadonlySet<string>;
  /** Name of the cookie; browsers share cookies between the ports of a host. */
  readonly cookieName: () => string;
}

/** The console's server before `listen`, and the token that its link carries. */
export function createConsoleServer(options: ConsoleOptions): { server: Server; token: string } {
  const { session, files, page, hosts } = options;
  const token = randomBytes(32).toString('base64url');
  const cookie = randomBytes(32).toString('base64url');
  let isTokenUsed = false;

  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // The operations' own errors are sent by `call`; here is left what broke on the way.
      process.stderr.write(`platform console: ${String(error)}\n`);
      if (response.headersSent) response.destroy();
      else send(response, 500, { error: { message: 'the console failed; its terminal says why' } });
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isForHosts(request, hosts)) return send(response, 403, refusal('this is for its own address alone'));
    const url = new URL(request.url ?? '/', 'http://console');
    const file = files.find(({ path }) => path === url.pathname);
    if (request.method === 'GET' && file !== undefined) {
      response.writeHead(200, { 'Content-Type': file.contentType, 'X-Content-Type-Options': 'nosniff' });
      return void response.end(file.body);
    }
    if (request.method === 'GET' && url.pathname === '/') return open(url, request, response);
    const [, name] = /^\/api\/([a-z]+)$/.exec(url.pathname) ?? [];
    if (name === undefined || !Object.hasOwn(OPERATIONS, name))
      return send(response, 404, refusal('there is no such page'));
    if (request.method !== 'POST') return send(response, 405, refusal('this takes POST'));
    return call(name, request, response);
  }

  /** The page; with the token of the link, once, the cookie first. */
  function open(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const given = url.searchParams.get('token');
    if (given !== null && !isTokenUsed && isEqual(given, token)) {
      isTokenUsed = true;
      const kept = `${options.cookieName()}=${cookie}; Path=/; HttpOnly; SameSite=Strict`;
      return void response
        .writeHead(303, { Location: '/', 'Set-Cookie': kept, 'Referrer-Policy': 'no-referrer' })
        .end();
    }
    const isIn = hasCookie(request);
    response.writeHead(isIn ? 200 : 403, { ...SHARE_PAGE_HEADERS, 'Cache-Control': 'no-store' });
    response.end(isIn ? page : CLOSED);
  }

  function hasCookie({ headers }: IncomingMessage): boolean {
    const prefix = `${options.cookieName()}=`;
    const given = (headers.cookie ?? '').split('; ').find((one) => one.startsWith(prefix));
    return given !== undefined && isEqual(given.slice(prefix.length), cookie);
  }

  async function call(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin, 'sec-fetch-site': site = 'same-origin', 'content-type': type } = request.headers;
    // A page that the browser says is another one gets nothing, and neither does one that does not say.
    if (origin === undefined || site !== 'same-origin')
      return send(response, 403, refusal('the console takes requests of its own page alone'));
    if (!hasCookie(request)) return send(response, 401, refusal('open the link that the command printed'));
    if (type !== 'application/json') return send(response, 415, refusal('send application/json'));
    const operation = OPERATIONS[name]!;
    const body = await readBody(request);
    const parsed = operation.input.safeParse(body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return send(response, 400, refusal(`${issue?.path.join('.')}: ${issue?.message}`));
    }
    try {
      send(response, 200, toJson(await operation.run(session, parsed.data)) as object);
    } catch (error) {
      const { error: said } = JSON.parse(errorText(error, true)) as { error: object };
      const isOurs = error instanceof GrpcCallError;
      send(response, STATUS[exitCodeOf(error)] ?? (isOurs ? 502 : 500), { error: said });
    }
  }

  return { server, token };
}

const CLOSED = `<!doctype html><html lang="en"><meta charset="utf-8"><title>platform console</title>
<p>This console is open to the browser alone that opened its link. Run <code>platform console</code> for a new link.</p></html>`;

function refusal(message: string) {
  return { error: { message } };
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

/** In a time that does not tell how much is equal. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
}
