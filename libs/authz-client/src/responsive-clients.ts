import { status } from '@grpc/grpc-js';
import type { AuthzClients } from './clients.ts';
import { GrpcCallError } from './grpc-call-error.ts';

/** Time without any response after which a call that gets none has the connection made anew. Milliseconds. */
const SILENT_MAX_MS = 2_000;

/** Clients of authz-grpc whose connection is made anew when nothing comes back over it. */
export interface ResponsiveClients {
  /** Makes a call by the clients of the moment. Errors: those of `call`. */
  ask<T>(call: (clients: AuthzClients) => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * grpc-js has no time limit for a connection that is accepted and then silent, as behind a network that drops
 * packets: such an attempt lasts for good, and every call ends at its deadline, also once the server responds
 * again. So a call that ends so, after a time in which no other had a response, replaces the clients by those
 * that `open` makes; these must share no connection with others (`grpc.use_local_subchannel_pool`). `now` is
 * a monotonic time in milliseconds.
 */
export function keepResponsive(
  open: () => AuthzClients,
  now: () => number = () => performance.now(),
): ResponsiveClients {
  let clients = open();
  let heardAt = now();
  let isClosed = false;
  return {
    async ask(call) {
      const asked = clients;
      try {
        const response = await call(asked);
        heardAt = now();
        return response;
      } catch (error) {
        const isSilent = error instanceof GrpcCallError && error.code === status.DEADLINE_EXCEEDED;
        if (!isSilent) heardAt = now();
        else if (asked === clients && !isClosed && now() - heardAt >= SILENT_MAX_MS) {
          clients = open();
          heardAt = now();
          asked.close();
        }
        throw error;
      }
    },
    close() {
      isClosed = true;
      clients.close();
    },
  };
}
