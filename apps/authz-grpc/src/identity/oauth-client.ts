import { isName } from '../text.ts';

/** A program that asks users to let it work for them, as it describes itself: nothing of it is proven. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  /** In the order of its registration. */
  readonly redirectUris: readonly string[];
}

const REDIRECT_URIS_MAX = 5;
const REDIRECT_URI_CHARACTERS_MAX = 512;
const NAME_CHARACTERS_MAX = 64;
/** More than the longest description takes as base64url. */
const ID_CHARACTERS_MAX = 4_096;

/** Hosts of the user's own machine (RFC 8252 §7.3, §8.3). */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Characters that show as nothing or turn text round: a name with them shows as another one. */
const UNSEEN = /[\p{Cf}\u115F\u1160\u3164\uFFA0]/u;

/**
 * The client with this name and these redirect addresses, or a text that says what is wrong with them. Its id
 * is the description itself (RFC 7591 appendix A.5.2): nothing is stored, and each replica knows every
 * client.
 */
export function describeClient(name: string, redirectUris: readonly string[]): OAuthClient | string {
  if (!isName(name) || [...name].length > NAME_CHARACTERS_MAX || UNSEEN.test(name))
    return `client_name must have 1 to ${NAME_CHARACTERS_MAX} visible characters`;
  if (redirectUris.length === 0 || redirectUris.length > REDIRECT_URIS_MAX)
    return `redirect_uris must have 1 to ${REDIRECT_URIS_MAX} entries`;
  for (const uri of redirectUris) {
    const problem = problemOfRedirectUri(uri);
    if (problem !== null) return `redirect_uris: ${problem}`;
  }
  const id = Buffer.from(JSON.stringify([name, redirectUris])).toString('base64url');
  return { id, name, redirectUris };
}

/** The client of an id; null for a text that `describeClient` never makes. */
export function readClientId(id: string): OAuthClient | null {
  if (id.length > ID_CHARACTERS_MAX) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(id, 'base64url').toString('utf8'));
    if (!Array.isArray(value) || value.length !== 2) return null;
    const [name, uris] = value as [unknown, unknown];
    const areTexts = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
    if (typeof name !== 'string' || !areTexts) return null;
    const client = describeClient(name, uris);
    return typeof client !== 'string' && client.id === id ? client : null;
  } catch {
    return null;
  }
}

/**
 * Whether the client registered this address. Loopback addresses may differ in their port (RFC 8252 §7.3),
 * because a program listens on whichever port is free.
 */
export function hasRedirectUri(client: OAuthClient, uri: string): boolean {
  if (problemOfRedirectUri(uri) !== null) return false;
  return client.redirectUris.some(
    (registered) =>
      registered === uri ||
      (isLoopback(registered) && isLoopback(uri) && withoutPort(registered) === withoutPort(uri)),
  );
}

/** Whether the address is one of the user's own machine. */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.has(URL.parse(uri)?.hostname ?? '');
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}

/** What is wrong with an address to send users back to; null when nothing is. */
function problemOfRedirectUri(uri: string): string | null {
  if (uri.length > REDIRECT_URI_CHARACTERS_MAX)
    return `an entry has more than ${REDIRECT_URI_CHARACTERS_MAX} characters`;
  const url = URL.parse(uri);
  // Browsers and this server must read the address alike: only its normal spelling is taken.
  if (url === null || (url.href !== uri && url.href !== `${uri}/`)) return 'send absolute, normalized URLs';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
    return 'send https URLs, or http ones of 127.0.0.1, [::1] or localhost';
  if (url.username !== '' || url.password !== '') return 'an entry names a user';
  if (uri.includes('#')) return 'an entry has a fragment';
  if (url.hostname.includes('*')) return 'an entry has a wildcard';
  return null;
}
