import { ApiError, errorOf } from './api-error.ts';
import { credentialHeader, type Credential } from './credential.ts';
import { solveLoginProof } from './login-proof.ts';

const PATH = '/app/session';

/** How this browser stands with the service. */
export interface DeskSession {
  readonly signed_in: boolean;
  /** Whether users sign in by password here; else by token alone. */
  readonly passwords: boolean;
}

export interface PasswordLogin {
  readonly username: string;
  readonly password: string;
  readonly tenant?: string;
}

/** Reads who has signed in. Throws ApiError where the service refuses. */
export async function readDeskSession(): Promise<DeskSession> {
  return (await send('GET')).json() as Promise<DeskSession>;
}

/**
 * Signs in; gives the tenants to choose from where the user has to, else null. Works out the proof that the
 * service asks for after too many failures. Throws ApiError.
 */
export async function signIn(login: PasswordLogin): Promise<readonly string[] | null> {
  let response = await post(login);
  if (response.status === 429) {
    const { proof_bits: bits } = (await response.clone().json()) as { proof_bits?: number };
    // Only pages over TLS or of this machine may hash.
    if (bits === undefined || !isSecureContext) throw await errorOf(response);
    // The clock of the service counts, where this machine's is wrong.
    const now = new Date(response.headers.get('date') ?? Date.now());
    response = await post({ ...login, proof: await solveLoginProof(login, bits, now) });
  }
  if (response.status === 409) {
    const { tenants } = (await response.clone().json()) as { tenants?: string[] };
    if (tenants !== undefined && tenants.length > 0) return tenants;
  }
  if (!response.ok) throw await errorOf(response);
  return null;
}

/** Signs in by the code of a link. Throws ApiError. */
export async function signInByCode(code: string): Promise<void> {
  const response = await post({ code });
  if (!response.ok) throw await errorOf(response);
}

/** Ends the session of the cookie. Throws ApiError; the cookie is gone whenever the service responded. */
export async function signOut(): Promise<void> {
  await send('DELETE');
}

/** A program that the user lets work for them. */
export interface ConnectedProgram {
  readonly id: string;
  /** As the program called itself; nobody has verified it. */
  readonly name: string;
  readonly redirect_uri: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  /** When it last fetched a token, which is good for up to an hour. */
  readonly last_used_at: string | null;
  readonly expires_at: string;
}

/** The programs that the user lets work for them, and where programs connect. Throws ApiError. */
export async function readPrograms(
  credential: Credential,
): Promise<{ readonly programs: readonly ConnectedProgram[]; readonly mcp_url: string }> {
  const response = await reach({ headers: headersOf(credential) }, '/programs');
  if (!response.ok) throw await errorOf(response);
  return response.json() as Promise<{ programs: ConnectedProgram[]; mcp_url: string }>;
}

/** Ends what a program may do, at once. Throws ApiError. */
export async function endProgram(credential: Credential, id: string): Promise<void> {
  const path = `/programs/${encodeURIComponent(id)}`;
  const response = await reach({ method: 'DELETE', headers: headersOf(credential) }, path);
  if (!response.ok) throw await errorOf(response);
}

const headersOf = (credential: Credential) =>
  credential.kind === 'pasted' ? credentialHeader(credential.text) : {};

async function send(method: string): Promise<Response> {
  const response = await reach({ method });
  if (!response.ok) throw await errorOf(response);
  return response;
}

const post = (body: object): Promise<Response> =>
  reach({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

async function reach(init: RequestInit, path = ''): Promise<Response> {
  try {
    return await fetch(PATH + path, {
      ...init,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
    });
  } catch (error) {
    throw new ApiError(0, String(error));
  }
}
