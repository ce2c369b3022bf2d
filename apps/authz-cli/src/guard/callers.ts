import type { AuthzClients } from '@platform/authz-client';
import type { Caller } from './decider.ts';

/** How long is remembered whose a credential is; each call is checked with the credential itself. */
const KNOWN_MS = 60_000;
const KNOWN_MAX = 10_000;

/** The caller of a credential, or why it has none. Errors: GrpcCallError. */
export type FindCaller = (token: string) => Promise<Caller | 'not_live' | 'no_tenant'>;

/** `now` is a monotonic time in milliseconds. */
export function createCallers(
  { sessions }: Pick<AuthzClients, 'sessions'>,
  timeoutMs: number,
  now: () => number = () => performance.now(),
): FindCaller {
  const known = new Map<string, { readonly caller: Caller; readonly until: number }>();
  return async (token) => {
    const before = known.get(token);
    if (before !== undefined && now() < before.until) return before.caller;
    const found = await sessions.introspectCredential({ credential: token }, { timeoutMs });
    if (!found.live || found.tenantId === undefined) {
      known.delete(token);
      return found.live ? 'no_tenant' : 'not_live';
    }
    const caller = { token, subject: found.subjectId };
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(token, { caller, until: now() + KNOWN_MS });
    return caller;
  };
}
