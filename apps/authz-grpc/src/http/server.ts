import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  respondToParserErrors,
  createUploadLimiter,
  HEAD_TIMES,
  keepCertificates,
  tlsServerOptions,
  type TlsIdentity,
} from '@platform/service-kit';
import type { TransportDeps } from '../ports.ts';
import { createAccess } from './access.ts';
import { BATCH_BYTES_MAX, createCheckRoutes } from './check.ts';
import { createRoutes } from './routes.ts';

/** Memory for bodies that are arriving or worked on. */
const BODIES_BYTES = 128 * 1024 * 1024;

/**
 * The REST server, not yet listening: the checks first, everything else through Express. With `tls` it speaks
 * TLS alone.
 */
export function createHttpServer(deps: TransportDeps, tls: TlsIdentity | null): Server {
  const access = createAccess(deps.config);
  const uploads = createUploadLimiter({ roomBytes: BODIES_BYTES, bodyBytesMax: BATCH_BYTES_MAX });
  const routeCheck = createCheckRoutes(deps, access, uploads);
  const app = createRoutes(deps, access, uploads);
  const answer: RequestListener = (req, res) => {
    if (!routeCheck(req, res)) app(req, res);
  };
  const server = tls === null ? createServer(HEAD_TIMES, answer) : secured(answer, tls);
  respondToParserErrors(server, (message) => ({ error: 'invalid_request', message }));
  return server;
}

function secured(answer: RequestListener, tls: TlsIdentity): Server {
  const times = { ...HEAD_TIMES, handshakeTimeout: HEAD_TIMES.headersTimeout };
  const server = createTlsServer({ ...times, ...tlsServerOptions(tls.current()) }, answer);
  keepCertificates(server, tls);
  return server;
}
