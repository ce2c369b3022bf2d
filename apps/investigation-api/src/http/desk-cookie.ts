import { isIP } from 'node:net';
import { baseUrlOf } from '@platform/service-kit';
import { DomainError } from '@platform/error-contracts';
import type { Request, Response } from 'express';
import type { AuthenticatedRequest } from '../access/authenticate.ts';
import type { Config } from '../config.ts';

/**
 * Cookie of a session of the desk: the token, out of reach of scripts. Over TLS its prefix keeps other hosts
 * of the domain from setting it (RFC 6265bis §4.1.3.2).
 */
const NAME = 'desk';
const SECURE_NAME = `__Host-${NAME}`;

type Cookies = Pick<Config, 'publicUrl' | 'host' | 'port'>;

/** The token of the desk's cookie, or null. Says nothing about who sent it: see `requireOwnPage`. */
export function readDeskCookie(req: Request, { publicUrl }: Cookies): string | null {
  const cookies = (req.headers.cookie ?? '').split(';').map((part) => part.trim());
  // Where the service is known to be served over TLS nothing but the protected name counts.
  const names = publicUrl?.startsWith('https:') ? [SECURE_NAME] : [SECURE_NAME, NAME];
  for (const name of names) {
    const found = cookies.find((cookie) => cookie.startsWith(`${name}=`));
    if (found !== undefined) return found.slice(name.length + 1);
  }
  return null;
}

/**
 * Sets the cookie for as long as the browser runs; its token ends earlier. `Secure` where the page that asks
 * was itself loaded over TLS, which only its browser knows behind a proxy.
 */
export function setDeskCookie(req: Request, res: Response, token: string): void {
  const secure = req.headers.origin?.startsWith('https:') ?? false;
  res.cookie(secure ? SECURE_NAME : NAME, token, { ...ATTRIBUTES, secure, encode: String });
}

/** Takes the cookie away, under whichever name it was set. */
export function clearDeskCookie(res: Response): void {
  res.clearCookie(NAME, ATTRIBUTES).clearCookie(SECURE_NAME, { ...ATTRIBUTES, secure: true });
}

const ATTRIBUTES = { httpOnly: true, sameSite: 'strict', path: '/' } as const;

/**
 * The request with the desk's cookie as its bearer token, unless it brings a credential of its own. Throws
 * DomainError `permission_denied` for a cookie that another page sent.
 */
export function withDeskCookie(req: Request, config: Cookies): AuthenticatedRequest {
  const { headersDistinct } = req;
  if (headersDistinct.authorization !== undefined || headersDistinct['x-api-key'] !== undefined) return req;
  const token = readDeskCookie(req, config);
  if (token === null) return req;
  requireOwnPage(req, config);
  const { id, traceparent } = req;
  return { headersDistinct: { ...headersDistinct, authorization: [`Bearer ${token}`] }, id, traceparent };
}

/**
 * Refuses what no page of this very origin sent: SameSite lets other ports and other hosts of the domain
 * pass. Browsers say where a request comes from in Sec-Fetch-Site, older ones in Origin at least of what
 * changes something. Throws DomainError `permission_denied`.
 */
export function requireOwnPage(req: Request, config: Cookies): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  // `none`: a person typed the address.
  const isOwn =
    typeof site === 'string'
      ? site === 'same-origin' || (isRead && site === 'none')
      : origin === undefined
        ? isRead
        : hostOf(origin) === req.headers.host?.toLowerCase() || origin === originOf(baseUrlOf(req, config));
  if (!isOwn || !isOwnName(req, config))
    throw new DomainError(
      'permission_denied',
      'the sign-in of the desk serves its own pages alone: send a token',
    );
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/**
 * Whether the page was loaded by a name of this service. Anyone can make a name of their own lead here (DNS
 * rebinding), and a browser takes pages of that name for the service's own. Addresses and localhost lead
 * nowhere else; other names must be the public one. A service that listens beyond loopback and has no public
 * URL cannot tell its own names. A proxy in front of one that has may rewrite Host: there `Origin` counts.
 */
function isOwnName({ headers }: Request, { publicUrl, host }: Cookies): boolean {
  const { origin = publicUrl ?? `http://${headers.host}` } = headers;
  const name = URL.parse(origin)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (isIP(name) !== 0 || name === 'localhost') return true;
  if (publicUrl !== undefined) return name === URL.parse(publicUrl)?.hostname;
  return !LOOPBACK.includes(host);
}

const originOf = (url: string): string | null => URL.parse(url)?.origin ?? null;
const hostOf = (url: string): string | null => URL.parse(url)?.host ?? null;
