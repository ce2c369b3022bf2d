import { CLIENT_SCOPES, type ClientScope } from '../authorization/scopes.ts';
import { hasRedirectUri, readClientId, type OAuthClient } from './oauth-client.ts';

/** A valid request of a program to work for a user (OAuth 2.1 §4.1.1). */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | null;
  /** SHA-256 of the code verifier, as base64url. */
  readonly codeChallenge: string;
  readonly resource: string;
  readonly scopes: readonly ClientScope[];
}

/** A refused request. The error goes to `redirectUri`; where that is null, only the user sees it. */
export interface RefusedRequest {
  readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target';
  readonly description: string;
  readonly redirectUri: string | null;
  readonly state: string | null;
}

/** Characters of `state`; longer ones would make addresses that servers refuse. */
const STATE_CHARACTERS_MAX = 1_024;
/** S256 is SHA-256 as base64url (RFC 7636 §4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the query of the authorization endpoint. Until client and redirect address are known to belong
 * together, nothing is sent to that address. `resources` are those that tokens are made for.
 */
export function readAuthorizationRequest(
  query: URLSearchParams,
  resources: readonly string[],
): AuthorizationRequest | RefusedRequest {
  const one = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null);
  const client = readClientId(one('client_id') ?? '');
  const redirectUri = one('redirect_uri');
  const unknown = (description: string): RefusedRequest => ({
    error: 'invalid_request',
    description,
    redirectUri: null,
    state: null,
  });
  if (client === null)
    return unknown('The program is not registered here: it sent no client_id of this server.');
  if (redirectUri === null || !hasRedirectUri(client, redirectUri))
    return unknown('The program asks to send you to an address that it did not register.');
  const sentState = one('state');
  const state = sentState !== null && sentState.length <= STATE_CHARACTERS_MAX ? sentState : null;
  const refuse = (error: RefusedRequest['error'], description: string): RefusedRequest => ({
    error,
    description,
    redirectUri,
    state,
  });
  const doubled = [...new Set(query.keys())].find((name) => query.getAll(name).length > 1);
  if (doubled !== undefined) return refuse('invalid_request', 'a parameter was sent twice');
  if (sentState !== state)
    return refuse('invalid_request', `state has more than ${STATE_CHARACTERS_MAX} characters`);
  if (one('response_type') !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code');
  const codeChallenge = one('code_challenge') ?? '';
  if (one('code_challenge_method') !== 'S256' || !CHALLENGE.test(codeChallenge))
    return refuse('invalid_request', 'send code_challenge with code_challenge_method S256');
  const resource = one('resource');
  if (resource === null || !resources.includes(resource))
    return refuse('invalid_target', `resource must be one of ${resources.join(', ')}`);
  const scopes = readClientScopes(one('scope'));
  if (scopes === null) return refuse('invalid_scope', `scope must be of ${CLIENT_SCOPES.join(', ')}`);
  return { client, redirectUri, state, codeChallenge, resource, scopes };
}

/** The scopes asked for, or the default ones when the program names none. Null when one is unknown. */
function readClientScopes(text: string | null): readonly ClientScope[] | null {
  const names = (text ?? '').split(' ').filter((name) => name !== '');
  if (names.length === 0) return ['investigations'];
  const scopes = CLIENT_SCOPES.filter((scope) => names.includes(scope));
  return scopes.length === new Set(names).size ? scopes : null;
}
