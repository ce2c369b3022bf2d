import type { IncomingMessage } from 'node:http';
import type { RequestLine } from '@platform/service-kit';
import type { Caller } from '../authorization/caller.ts';
import type { Arrival } from '../audit/call-record.ts';
import { createClientAddress } from '../client-address.ts';
import { readProxies, type Config } from '../config.ts';

/** What is known of who sends REST requests. */
export interface Access {
  /** How the request came; its address is the peer's, or the one that a trusted proxy names. */
  arrivalOf(req: IncomingMessage, startedAt: number, traceparent: string | undefined): Arrival;
  /** The address that a request came from. */
  addressOf(req: IncomingMessage): string;
  /** Remembers who sent the request, for its line in the log. */
  met(req: IncomingMessage, caller: Pick<Caller, 'subjectId' | 'tenantId'>): void;
  /** The line that AUTHZ_ACCESS_LOG has for a request; null for none. */
  lineOf(req: IncomingMessage, status: number, isLogin: boolean): RequestLine | null;
}

export function createAccess(config: Pick<Config, 'trustedProxies' | 'accessLog'>): Access {
  const readAddress = createClientAddress(readProxies(config.trustedProxies));
  const callers = new WeakMap<IncomingMessage, Pick<Caller, 'subjectId' | 'tenantId'>>();
  const addressOf = (req: IncomingMessage) =>
    readAddress(req.socket.remoteAddress ?? '', req.headersDistinct['x-forwarded-for'] ?? []);
  return {
    addressOf,
    arrivalOf: (req, startedAt, traceparent) => ({
      startedAt,
      traceparent,
      // Most checks never ask for it.
      get address() {
        return addressOf(req);
      },
      // A request that was read to its end counts as destroyed.
      isGone: () => req.socket.destroyed,
    }),
    met: (req, caller) => void callers.set(req, caller),
    lineOf(req, status, isLogin) {
      const isRefused = status >= 400;
      const isShown = config.accessLog === 'all' || (config.accessLog === 'changes' && isLogin);
      if (!isRefused && !isShown) return null;
      const caller = callers.get(req);
      return {
        level: isRefused && isLogin ? 'warn' : 'info',
        more: {
          caller: caller?.subjectId,
          tenant: caller?.tenantId ?? undefined,
          address: addressOf(req),
        },
      };
    },
  };
}
