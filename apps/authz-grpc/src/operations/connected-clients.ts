import { createHash } from 'node:crypto';
import { AuthzError, invalidField, hasReason } from '@platform/error-contracts';
import { belongsTo, readSubject, tokenInvalid, type Caller } from '../authorization/caller.ts';
import type { DecisionPlan } from '../authorization/decision-runner.ts';
import { CALLS } from '../authorization/calls.ts';
import { accessDenied, authorizeSelf, authorizeSubject } from '../authorization/authorize.ts';
import type { AuthorizationRequest } from '../identity/authorization-request.ts';
import { digestOf, newOneTimeToken } from '../identity/one-time-token.ts';
import type { Note } from '../model/audit-event.ts';
import { entityKey, type EntityKey } from '../model/entities.ts';
import { isUuid } from '../ids.ts';
import { placeKey, readPage, type Page, type PageRequest } from '../pages.ts';
import type { Deps } from '../ports.ts';
import type { ClientGrant, TakenGrant, UsedGrant } from '../store/client-grant-store.ts';
import type { Stores } from '../store/stores.ts';
import { SESSION_SECONDS } from './sessions.ts';

/*
 * A program that a user lets work for them (OAuth 2.1). The user's consent is a grant: a session of the
 * user that nobody holds a token of. What the program holds derives from it and ends with it, so whatever
 * ends the user's sessions ends the program's as well.
 */

/** How long a code may be exchanged. Milliseconds. */
const CODE_LIFE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A tenant that a user can let a program work in. */
interface ChoosableTenant {
  readonly id: string;
  readonly name: string;
}

/**
 * The active tenants of the user who has just signed in, oldest first. The system root lets no program in:
 * it belongs to every tenant. Throws TOKEN_INVALID, ACCESS_DENIED, limits.
 */
export async function listClientTenants(
  deps: Pick<Deps, 'decisions' | 'stores'>,
  caller: Caller,
): Promise<readonly ChoosableTenant[]> {
  await authorizeSubject(deps, caller, CALLS.AuthorizeClient, ({ isRoot }) => !isRoot);
  return deps.stores.tenants.listActive(caller.subjectId);
}

/**
 * Records the user's consent and ends the session that it was given by; returns the authorization code.
 * Throws TOKEN_INVALID, ACCESS_DENIED for a tenant that is not the user's and for the system root, limits.
 */
export async function authorizeClient(
  deps: Pick<Deps, 'config' | 'decisions' | 'newId' | 'now' | 'tokens' | 'write'>,
  caller: Caller,
  request: AuthorizationRequest,
  tenantId: string,
  note: Note = () => undefined,
): Promise<string> {
  await deps.decisions.runDecision((reading): DecisionPlan<null> => {
    const subject = readSubject(reading, caller, CALLS.AuthorizeClient);
    const tenant = isUuid(tenantId) ? reading.get('tenant', tenantId) : null;
    if (subject.isRoot || tenant === null || !tenant.active || !belongsTo(subject, tenantId))
      throw accessDenied();
    return { result: null };
  });
  const { client, redirectUri, codeChallenge, resource, scopes } = request;
  const code = newOneTimeToken();
  const createdAt = deps.now();
  const id = deps.newId();
  const expiresAt = new Date(createdAt.getTime() + deps.config.oauthGrantDays * DAY_MS);
  const grant: ClientGrant = {
    id,
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    userId: caller.subjectId,
    tenantId,
    resource,
    scopes: scopes.join(' '),
    codeChallenge,
    createdAt,
    expiresAt,
  };
  await deps.write(async (stores, touch) => {
    await stores.users.lock(caller.subjectId, 'share');
    // First, since a lock that is shared first and taken alone later is a deadlock of concurrent calls.
    const ended = await endCredential(deps, stores, caller.subjectId, caller.jti);
    if (ended.length === 0) throw tokenInvalid();
    touch(...ended);
    const grounds = { subjectId: caller.subjectId, tenantId, parentId: null };
    if (!(await stores.credentials.lockGrounds(grounds))) throw tokenInvalid();
    await stores.credentials.insert({
      jti: id,
      use: 'session',
      subjectId: grant.userId,
      tenantId,
      scopes: grant.scopes,
      issuedAt: createdAt,
      expiresAt,
    });
    const codeExpiresAt = new Date(createdAt.getTime() + CODE_LIFE_MS);
    await stores.clientGrants.insert({ ...grant, codeHash: digestOf(code), codeExpiresAt });
  });
  note({ tenantId, object: `client-grants/${id}`, after: grantFacts(grant) });
  return code;
}

/** What a program sends for a code. */
interface CodeExchange {
  readonly clientId: string;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** Null = the resource that the code was made for. */
  readonly resource: string | null;
}

/** What a program sends for a refresh token. */
interface TokenRefresh {
  readonly clientId: string;
  readonly refreshToken: string;
  readonly resource: string | null;
}

/** Tokens of a program. */
export interface ClientTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: string;
  readonly grant: ClientGrant;
}

type IssueDeps = Pick<Deps, 'now' | 'tokens' | 'write'>;

/**
 * Tokens for an authorization code. Throws LOGIN_FAILED and ends the whole grant for a code that is sent a
 * second time, too late, by another program, without its verifier, or for another address or resource. Throws
 * INVALID_ARGUMENT for an unknown code and for a grant that has ended.
 */
export async function redeemCode(
  deps: IssueDeps,
  exchange: CodeExchange,
  note: Note = () => undefined,
): Promise<ClientTokens> {
  const { clientId, code, codeVerifier, redirectUri, resource } = exchange;
  return issueFor(
    deps,
    'code',
    ({ clientGrants }) => clientGrants.takeCode(digestOf(code), deps.now()),
    (grant) =>
      grant.clientId === clientId &&
      grant.redirectUri === redirectUri &&
      grant.codeChallenge === challengeOf(codeVerifier) &&
      (resource === null || resource === grant.resource),
    note,
  );
}

/**
 * New tokens for a refresh token, which is thereby used up. The whole grant ends when a refresh token is sent
 * a second time (either sender may be a thief), by another program or for another resource. Throws as
 * `redeemCode`.
 */
export async function refreshClientTokens(
  deps: IssueDeps,
  refresh: TokenRefresh,
  note: Note = () => undefined,
): Promise<ClientTokens> {
  const { clientId, refreshToken, resource } = refresh;
  return issueFor(
    deps,
    'refresh_token',
    ({ clientGrants }) => clientGrants.takeRefreshToken(digestOf(refreshToken), deps.now()),
    (grant) => grant.clientId === clientId && (resource === null || resource === grant.resource),
    note,
  );
}

async function issueFor(
  deps: IssueDeps,
  field: 'code' | 'refresh_token',
  take: (stores: Stores) => Promise<TakenGrant | null>,
  isFor: (grant: ClientGrant) => boolean,
  note: Note,
): Promise<ClientTokens> {
  let outcome: ClientTokens | 'unknown' | 'lost';
  try {
    outcome = await deps.write(async (stores, touch) => {
      const taken = await take(stores);
      if (taken === null) return 'unknown';
      const { grant } = taken;
      note({ subject: grant.userId, tenantId: grant.tenantId, object: `client-grants/${grant.id}` });
      if (taken.isSpent || !isFor(grant)) {
        // Not thrown: the transaction must keep that the code is used and the grant has ended.
        touch(...(await endCredential(deps, stores, grant.userId, grant.id)));
        return 'lost';
      }
      const leftSeconds = Math.floor((grant.expiresAt.getTime() - deps.now().getTime()) / 1000);
      if (leftSeconds < 1) return 'unknown';
      const expiresInSeconds = Math.min(SESSION_SECONDS, leftSeconds);
      const { token } = await deps.tokens.issue(stores, {
        use: 'session',
        subjectId: grant.userId,
        tenantId: grant.tenantId,
        lifeSeconds: expiresInSeconds,
        scopes: grant.scopes,
        parentId: grant.id,
        audience: grant.resource,
      });
      const refreshToken = newOneTimeToken();
      await stores.clientGrants.insertRefreshToken(digestOf(refreshToken), grant.id);
      return { accessToken: token, refreshToken, expiresInSeconds, scopes: grant.scopes, grant };
    });
  } catch (error) {
    // The grant was ended: by the user, with their membership, or with a new password.
    if (!hasReason(error, 'TOKEN_INVALID')) throw error;
    outcome = 'unknown';
  }
  if (outcome === 'lost')
    throw new AuthzError(
      'LOGIN_FAILED',
      `\`${field}\` was used before, too late or by others: start the sign-in again`,
      { field },
    );
  if (outcome === 'unknown')
    throw new AuthzError(
      'INVALID_ARGUMENT',
      `\`${field}\` is unknown or has ended: start the sign-in again`,
      { field },
    );
  return outcome;
}

/**
 * Ends the grant of an access or refresh token of the program, and all that was made of it; they are refused
 * everywhere when this returns. Throws INVALID_ARGUMENT for other tokens and unknown ones.
 */
export async function revokeClientToken(
  deps: Pick<Deps, 'decisions' | 'now' | 'stores' | 'tokens' | 'write'>,
  request: { readonly clientId: string; readonly token: string },
  note: Note = () => undefined,
): Promise<void> {
  const grant = await findGrantOf(deps, request.token);
  if (grant === null || grant.clientId !== request.clientId)
    throw invalidField('token', 'is unknown or has ended');
  await deps.write(async (stores, touch) => {
    touch(...(await endCredential(deps, stores, grant.userId, grant.id)));
  });
  note({
    subject: grant.userId,
    tenantId: grant.tenantId,
    object: `client-grants/${grant.id}`,
    before: grantFacts(grant),
  });
}

/**
 * The programs that the user lets work for them: their live grants, oldest first. Throws ACCESS_DENIED,
 * limits.
 */
export async function listClientGrants(
  deps: Pick<Deps, 'decisions' | 'now' | 'stores'>,
  caller: Caller,
  userId: string,
  request: PageRequest,
): Promise<Page<UsedGrant>> {
  await authorizeSelf(deps, caller, CALLS.ListClientGrants, userId);
  return readPage<UsedGrant>(request, ['ListClientGrants', userId], placeKey, (slice) =>
    deps.stores.clientGrants.listLive(userId, deps.now(), slice),
  );
}

/**
 * Ends a grant of the user and every token of it; they are refused on every replica when this returns. Throws
 * ACCESS_DENIED, CLIENT_GRANT_NOT_FOUND, limits.
 */
export async function deleteClientGrant(
  deps: Pick<Deps, 'decisions' | 'now' | 'stores' | 'write'>,
  caller: Caller,
  userId: string,
  grantId: string,
  note: Note = () => undefined,
): Promise<void> {
  await authorizeSelf(deps, caller, CALLS.DeleteClientGrant, userId);
  const grant = await deps.stores.clientGrants.find(grantId);
  const ended = await deps.write(async (stores, touch) => {
    if (grant?.userId !== userId) return [];
    const keys = await endCredential(deps, stores, userId, grantId);
    touch(...keys);
    return keys;
  });
  if (grant === null || ended.length === 0)
    throw new AuthzError('CLIENT_GRANT_NOT_FOUND', 'no such grant, or it has ended already');
  note({ tenantId: grant.tenantId, before: grantFacts(grant) });
}

async function findGrantOf(
  deps: Pick<Deps, 'decisions' | 'stores' | 'tokens'>,
  token: string,
): Promise<ClientGrant | null> {
  const refreshed = await deps.stores.clientGrants.findByRefreshToken(digestOf(token));
  if (refreshed !== null) return refreshed;
  try {
    const caller = await deps.tokens.authenticate(token);
    const grantId = await deps.decisions.runDecision((reading): DecisionPlan<string | null> => ({
      result: reading.get('credential', caller.jti)?.parentId ?? null,
    }));
    return grantId === null ? null : await deps.stores.clientGrants.find(grantId);
  } catch (error) {
    if (hasReason(error, 'TOKEN_INVALID')) return null;
    throw error;
  }
}

/** Ends the credential and what derives from it; returns what has to be touched. */
async function endCredential(
  deps: Pick<Deps, 'now'>,
  { credentials }: Pick<Stores, 'credentials'>,
  userId: string,
  jti: string,
): Promise<EntityKey[]> {
  const revoked = await credentials.revoke(userId, jti, deps.now());
  return revoked.map((id) => entityKey('credential', id));
}

function grantFacts({ clientName, redirectUri, resource, scopes }: ClientGrant): object {
  return { client: clientName, redirect_uri: redirectUri, resource, scope: scopes };
}

/** S256 of a verifier (RFC 7636 §4.2). */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'utf8').digest('base64url');
}
