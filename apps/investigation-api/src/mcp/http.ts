import { Readable } from 'node:stream';
import type { AuthInfo, McpRequestContext } from '@modelcontextprotocol/server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { localhostHostValidation, originValidation } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { UploadLimiter } from '@platform/service-kit';
import { baseUrlOf, parseOrigins, requireJson } from '@platform/service-kit';
import type { Request, RequestHandler } from 'express';
import { Router } from 'express';
import { DomainError } from '@platform/error-contracts';
import { mayChange } from '../access/authenticate.ts';
import { workFor, type Caller } from '../access/caller.ts';
import { challengeOf, resourceOf } from '../http/protected-resource.ts';
import { liftArguments, SMALL_MESSAGE_BYTES } from './large-arguments.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import type { Connection } from './connection.ts';
import { buildServer } from './server.ts';
import { createToolCallCounter } from './tool-calls.ts';
import { parseToolSelection } from './tool-selection.ts';
import { selectTools, TOOLS } from './tools.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const LOOPBACK_ORIGINS = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * MCP by streamable HTTP at the mount point, for both protocol eras (2025-11-25 and 2026-07-28) and without
 * sessions, so that any replica serves any request. `?toolsets=` and `?read_only=` narrow the tools.
 * Credentials are those of REST, and tokens that users let programs have for MCP. Pages of other origins are
 * refused, but for those of INVESTIGATION_CORS_ORIGINS, and on a loopback address foreign Host headers too
 * (DNS rebinding).
 */
export function mcpRouter(deps: HttpDeps, uploads: UploadLimiter): Router {
  const { bodyBytesMax: maxRequestBodySize } = deps.config;
  const isLoopback = LOOPBACK.includes(deps.config.host);
  const onerror = (error: Error) => deps.logger.warn({ err: error }, 'mcp transport');

  const toolDeps = { ...deps, countCall: createToolCallCounter(deps.metrics.registry) };

  const handler = createMcpHandler((ctx) => buildServer(toolDeps, connectionOf(ctx)), {
    maxRequestBodySize,
    // No list of ours ever changes, and an open stream would hold up a graceful stop.
    maxSubscriptions: 0,
    onerror,
  });
  const serve = toNodeHandler(handler, { maxRequestBodySize, onerror });

  const router = Router();
  if (isLoopback) router.use(localhostHostValidation());
  router.use(sameOrigin(isLoopback, deps.config.corsOrigins), authenticated(deps));
  router.all('/', async (req, res) => {
    selectionOf(new URL(req.url, 'http://localhost'));
    const { caller } = req.auth!.extra as unknown as Connection;
    const { bytes, release } = await uploads.receive(req, workFor(caller).owner);
    try {
      const { method, url, headers, auth } = req;
      const message = await withoutLargeArguments(req, bytes);
      if (!mayChange(caller)) requireReads(message ?? parsed(bytes), challengeOf(req, deps.config));
      await serve(Object.assign(Readable.from([bytes]), { method, url, headers, auth }), res, message);
    } finally {
      release();
    }
  });
  return router;
}

/** Refuses pages of other origins, but those that the settings allow. */
function sameOrigin(isLoopback: boolean, corsOrigins: string | undefined): RequestHandler {
  const allowed = new Set(corsOrigins === undefined ? [] : parseOrigins(corsOrigins));
  const refuseOthers = originValidation(isLoopback ? LOOPBACK_ORIGINS : []);
  return (req, res, next) => (allowed.has(req.headers.origin ?? '') ? next() : refuseOthers(req, res, next));
}

/**
 * The message of a large request without its arguments, which go to the tool as they came. undefined = the
 * message is small, and the SDK parses it.
 */
async function withoutLargeArguments(req: Request, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  if (bytes.length <= SMALL_MESSAGE_BYTES) return undefined;
  requireJson(req);
  const { message, rawArguments } = await liftArguments(bytes);
  req.auth!.extra!['rawArguments'] = rawArguments;
  return message;
}

/** Puts the caller where the SDK hands it on to the server instance. */
function authenticated(deps: Pick<HttpDeps, 'authenticate' | 'config'>): RequestHandler {
  return async (req: Request, _res, next) => {
    const caller = await authenticate(deps, req);
    const auth: AuthInfo = {
      token: '',
      clientId: caller.id,
      scopes: [...caller.scopes],
      extra: { caller, requestId: req.id, baseUrl: baseUrlOf(req, deps.config) },
    };
    req.auth = auth;
    next();
  };
}

/**
 * The caller. A client without a token, or with one that lacks a scope, gets an error whose challenge names
 * the authorization server.
 */
async function authenticate(
  { authenticate: read, config }: Pick<HttpDeps, 'authenticate' | 'config'>,
  req: Request,
): Promise<Caller> {
  const resource = resourceOf(req, config);
  if (resource === undefined) return read(req);
  try {
    return await read(req, { resource });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { kind, message, cause, challenge } = error;
    if (kind !== 'unauthenticated' && kind !== 'permission_denied') throw error;
    const wider: Record<string, string> = kind === 'permission_denied' ? { error: 'insufficient_scope' } : {};
    throw new DomainError(kind, message, {
      cause,
      challenge: { ...challenge, ...wider, ...challengeOf(req, config) },
    });
  }
}

/**
 * Throws `permission_denied`, naming the scope that is needed, for a message that calls a tool with effects.
 */
function requireReads(message: unknown, challenge: Readonly<Record<string, string>>): void {
  const messages = (Array.isArray(message) ? message : [message]) as readonly (CalledTool | null)[];
  for (const one of messages) {
    const tool = TOOLS.find(({ name }) => one?.method === 'tools/call' && name === one.params?.name);
    if (tool !== undefined && tool.annotations.readOnlyHint !== true)
      throw new DomainError(
        'permission_denied',
        `\`${tool.name}\` needs the scope \`${challenge['scope']}\``,
        {
          challenge: { error: 'insufficient_scope', ...challenge },
        },
      );
  }
}

interface CalledTool {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown };
}

/** The JSON of a message; null for text that is none, which the SDK refuses. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

function connectionOf({ authInfo, requestInfo }: McpRequestContext): Connection {
  const asked = authInfo!.extra as unknown as Omit<Connection, 'tools'>;
  const selection = selectionOf(new URL(requestInfo!.url));
  const readOnly = selection.readOnly || !mayChange(asked.caller);
  return { tools: selectTools({ ...selection, readOnly }), ...asked };
}

function selectionOf(url: URL) {
  return parseToolSelection(url.searchParams.get('toolsets'), url.searchParams.get('read_only'));
}
