import { GrpcCallError, requestContext, type AuthzClients, type CallExtras } from '@platform/authz-client';
import type { Ask } from './needs.ts';

/** Who calls: the credential that the check is made with, and the subject that it is about. */
export interface Caller {
  readonly token: string;
  readonly subject: string;
}

/** What a check is about besides its object, kept in its audit row. */
export type Correlation = Readonly<Record<string, string>>;

/** The response to one ask. */
export type Verdict =
  | { readonly outcome: 'allowed'; readonly checkId: string }
  | { readonly outcome: 'denied'; readonly checkId: string }
  /** The credential may not check at all, whatever policies say; `why` is the service's sentence. */
  | { readonly outcome: 'unfit'; readonly why: string }
  /** The credential is not live. */
  | { readonly outcome: 'credential' }
  /** A rate or a quota is used up. */
  | { readonly outcome: 'limited'; readonly retryAfterSeconds: number | null }
  /** The service did not decide, or not in time. */
  | { readonly outcome: 'undecided'; readonly why: string };

/** Asks the authorization service; every response is an audit row of it. */
export type Decide = (
  asks: readonly Ask[],
  caller: Caller,
  correlation: Correlation,
) => Promise<readonly Verdict[]>;

/** Checks in one call of the service. */
const BATCH_MAX = 1_000;

/** gRPC status codes. */
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNAUTHENTICATED = 16;

/**
 * Decides by the service behind `clients`, which is given up after `timeoutMs`. Never rejects: what is not
 * decided is not allowed.
 */
export function createDecide(clients: Pick<AuthzClients, 'authorization'>, timeoutMs: number): Decide {
  const { authorization } = clients;

  async function single(context: ReturnType<typeof contextOf>, extras: CallExtras): Promise<Verdict> {
    let checkId = '';
    const { authorized } = await authorization.checkAuthorization(
      { context },
      { ...extras, onTrailer: (trailer) => (checkId = String(trailer.get('x-check-id')[0] ?? '')) },
    );
    return { outcome: authorized ? 'allowed' : 'denied', checkId };
  }

  async function batch(
    contexts: readonly ReturnType<typeof contextOf>[],
    extras: CallExtras,
  ): Promise<Verdict[]> {
    const checks = contexts.map((context) => ({ context }));
    const { results } = await authorization.batchCheckAuthorization({ checks }, extras);
    return contexts.map((_, index) => {
      const result = results[index];
      if (result === undefined) return { outcome: 'undecided', why: 'a check has no result' };
      const { error, authorized, checkId } = result;
      if (error !== undefined) return verdictOf(error.code, error.reason, error.message, null);
      return { outcome: authorized ? 'allowed' : 'denied', checkId };
    });
  }

  return async (asks, caller, correlation) => {
    const extras = { token: caller.token, timeoutMs };
    const verdicts: Verdict[] = [];
    try {
      const contexts = asks.map((ask) => contextOf(ask, caller, correlation));
      const [first] = contexts;
      if (first !== undefined && contexts.length === 1) return [await single(first, extras)];
      for (let at = 0; at < contexts.length; at += BATCH_MAX)
        verdicts.push(...(await batch(contexts.slice(at, at + BATCH_MAX), extras)));
      return verdicts;
    } catch (error) {
      const failed =
        error instanceof GrpcCallError
          ? verdictOf(error.code, error.reason, error.message, error.retryAfterSeconds)
          : ({ outcome: 'undecided', why: String(error) } as const);
      return asks.map(() => failed);
    }
  };
}

function contextOf({ action, object, attributes }: Ask, { subject }: Caller, correlation: Correlation) {
  return requestContext({ ...attributes, ...correlation, subject, action, object });
}

function verdictOf(code: number, reason: string, message: string, retryAfterSeconds: number | null): Verdict {
  switch (code) {
    case PERMISSION_DENIED:
      // A scope that is missing, or a token for another resource.
      if (reason === 'ACCESS_DENIED') return { outcome: 'unfit', why: message };
      // Which domains there are is told to nobody who may not use them.
      return { outcome: 'denied', checkId: '' };
    case UNAUTHENTICATED:
      return { outcome: 'credential' };
    case RESOURCE_EXHAUSTED:
      return { outcome: 'limited', retryAfterSeconds };
    case INVALID_ARGUMENT:
    default:
      return { outcome: 'undecided', why: message };
  }
}
