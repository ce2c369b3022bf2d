import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { GrpcCallError } from '@platform/authz-client';
import { SHARE_PAGE_HEADERS, type AssetFile } from '@platform/viewer';
import { exitCodeOf, EXIT, NotLoggedIn } from '../exit-codes.ts';
import { isForHosts } from '../loopback.ts';
import { errorText, toJson } from '../output.ts';
import { loginLine, withAdvice, type Session } from '../shell.ts';
import { OPERATIONS, withoutOptions } from './operations.ts';

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

/** The console's credential is that of its start. */
const endedOf = (session: Session) =>
  `your session has ended. Keep what is not saved elsewhere, log in with \`${loginLine(session)}\`, and run \`platform console\` again.`;

export interface ConsoleOptions {
  readonly session: Session;
  readonly files: readonly AssetFile[];
  readonly page: string;
  /** The `Host` of the link, once the server listens: the console has no other. */
  readonly hosts: ReadonlySet<string>;
}

const COOKIE = 'platform_console';

/** The console's server before `listen`, and the token that its link carries. */
export function createConsoleServer(options: ConsoleOptions): { server: Server; token: string } {
  const { session, files, page, hosts } = options;
  const [token, cookie, place] = Array.from({ length: 3 }, () => randomBytes(32).toString('base64url')) as [
    string,
    string,
    string,
  ];
  // Cookies reach every port of a host; the browser sends this one to no path but this secret one.
  const home = `/${place}/`;
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
    if (request.method === 'GET' && url.pathname === '/') return open(url, response);
    const isHome = isEqual(url.pathname.slice(0, home.length), home);
    if (request.method === 'GET' && isHome && url.pathname === home) return show(request, response);
    const [, name] = (isHome && /^api\/([a-z]+)$/.exec(url.pathname.slice(home.length))) || [];
    if (name === undefined || !Object.hasOwn(OPERATIONS, name))
      return send(response, 404, refusal('there is no such page'));
    if (request.method !== 'POST') return send(response, 405, refusal('this takes POST'));
    return call(name, request, response);
  }

  /** Leads from the link, once, to the page, the cookie set. */
  function open(url: URL, response: ServerResponse): void {
    const given = url.searchParams.get('token');
    if (given === null || isTokenUsed || !isEqual(given, token)) return closed(response);
    isTokenUsed = true;
    const kept = `${COOKIE}=${cookie}; Path=${home}; HttpOnly; SameSite=Strict`;
    const headers = { Location: home, 'Set-Cookie': kept, 'Cache-Control': 'no-store' };
    response.writeHead(303, { ...headers, 'Referrer-Policy': 'no-referrer' }).end();
  }

  function show(request: IncomingMessage, response: ServerResponse): void {
    if (!hasCookie(request)) return closed(response);
    response.writeHead(200, { ...SHARE_PAGE_HEADERS, 'Cache-Control': 'no-store' }).end(page);
  }

  function hasCookie({ headers }: IncomingMessage): boolean {
    const given = (headers.cookie ?? '').split('; ').find((one) => one.startsWith(`${COOKIE}=`));
    return given !== undefined && isEqual(given.slice(COOKIE.length + 1), cookie);
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
    } catch (caught) {
      const error = withAdvice(caught, session);
      const { error: said } = JSON.parse(errorText(error, true)) as { error: { message: string } };
      said.message = error instanceof NotLoggedIn ? endedOf(session) : withoutOptions(said.message);
      const isOurs = caught instanceof GrpcCallError;
      send(response, STATUS[exitCodeOf(error)] ?? (isOurs ? 502 : 500), { error: said });
    }
  }

  return { server, token };
}

const CLOSED = `<!doctype html><html lang="en"><meta charset="utf-8"><title>platform console</title>
<p>This console is open to the browser alone that opened its link. Run <code>platform console</code> for a new link.</p></html>`;

function closed(response: ServerResponse): void {
  response.writeHead(403, { ...SHARE_PAGE_HEADERS, 'Cache-Control': 'no-store' }).end(CLOSED);
}

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
