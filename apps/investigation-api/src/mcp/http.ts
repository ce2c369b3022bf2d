import { Readable } from 'node:stream';
import type { AuthInfo, McpRequestContext } from '@modelcontextprotocol/server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { localhostHostValidation, originValidation } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { UploadLimiter } from '@platform/service-kit';
import type { Request, RequestHandler } from 'express';
import { Router } from 'express';
import { workFor } from '../access/caller.ts';
import { baseUrlOf } from '../http/base-url.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import type { Connection } from './connection.ts';
import { buildServer } from './server.ts';
import { createToolCallCounter } from './tool-calls.ts';
import { parseToolSelection } from './tool-selection.ts';
import { selectTools } from './tools.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const LOOPBACK_ORIGINS = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * MCP by streamable HTTP at the mount point, for both protocol eras (2025-11-25 and 2026-07-28) and without sessions, so
 * that any replica answers any request. `?toolsets=` and `?read_only=` narrow the tools. Credentials are those of REST.
 * Pages of other origins are refused, and on a loopback address foreign Host headers too (DNS rebinding).
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
  router.use(originValidation(isLoopback ? LOOPBACK_ORIGINS : []), authenticated(deps));
  router.all('/', async (req, res) => {
    selectionOf(new URL(req.url, 'http://localhost'));
    const { caller } = req.auth!.extra as unknown as Connection;
    const { bytes, release } = await uploads.receive(req, workFor(caller).owner);
    try {
      const { method, url, headers, auth } = req;
      await serve(Object.assign(Readable.from([bytes]), { method, url, headers, auth }), res);
    } finally {
      release();
    }
  });
  return router;
}

/** Puts the caller where the SDK hands it on to the server instance. */
function authenticated(deps: Pick<HttpDeps, 'authenticate' | 'config'>): RequestHandler {
  return async (req: Request, _res, next) => {
    const caller = await deps.authenticate(req);
    const auth: AuthInfo = {
      token: '',
      clientId: caller.id,
      scopes: [...caller.scopes],
      extra: { caller, requestId: String(req.id), baseUrl: baseUrlOf(req, deps.config) },
    };
    req.auth = auth;
    next();
  };
}

function connectionOf({ authInfo, requestInfo }: McpRequestContext): Connection {
  const asked = authInfo!.extra as unknown as Omit<Connection, 'tools'>;
  return { tools: selectTools(selectionOf(new URL(requestInfo!.url))), ...asked };
}

function selectionOf(url: URL) {
  return parseToolSelection(url.searchParams.get('toolsets'), url.searchParams.get('read_only'));
}
