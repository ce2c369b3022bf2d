import type { Http2Server, ServerHttp2Session } from 'node:http2';
import type { Server } from '@grpc/grpc-js';

/** The part of grpc-js that listens; it has no public place where connections could be met. */
interface Listening {
  readonly http2Servers?: ReadonlyMap<Pick<Http2Server, 'on'>, unknown>;
}

/** How long a connection may stand before its first call begins. Milliseconds. */
const SILENT_MS = 30_000;

/**
 * Closes connections on which no call begins within `silentMs`: one that sends nothing, or only how HTTP/2
 * begins, costs its sender next to nothing and would be held for good. A client that meant to call connects
 * again. For a server that listens. Errors: a grpc-js that keeps what listens elsewhere.
 */
export function endSilentConnections(server: Server, silentMs = SILENT_MS): void {
  const { http2Servers } = server as unknown as Listening;
  if (!(http2Servers instanceof Map)) throw new Error('this grpc-js has no `http2Servers`');
  for (const listening of http2Servers.keys()) {
    listening.on('session', (session: ServerHttp2Session) => {
      const limit = setTimeout(() => session.destroy(), silentMs).unref();
      const end = () => clearTimeout(limit);
      session.once('stream', end).once('close', end);
    });
  }
}
