import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import { issuerOf, queryOf } from './oauth-endpoint.ts';

/** How long a person may look at the consent screen. Seconds. */
export const CONSENT_SECONDS = 600;

/**
 * The browser's secret of a sign-in under way. Over TLS its prefix keeps other hosts of the domain from
 * setting it (RFC 6265bis §4.1.3.2). Sign-ins in several tabs have a cookie each, by a letter of the request:
 * 64 names are few enough for the head of a request to hold.
 */
function cookieOf(config: Config, req: Request) {
  const secure = issuerOf(config, req).startsWith('https:');
  const attributes = { httpOnly: true, sameSite: 'strict', secure, path: '/', encode: String } as const;
  const letter = createHash('sha256').update(queryOf(req).toString()).digest('base64url')[0]!;
  return { name: `${secure ? '__Host-' : ''}connect${letter}`, attributes };
}

/** Gives the browser a secret, for as long as a person may look at the consent screen. */
export function setCookie(config: Config, req: Request, res: Response, value: string): void {
  const { name, attributes } = cookieOf(config, req);
  res.cookie(name, value, { ...attributes, maxAge: CONSENT_SECONDS * 1000 });
}

/** Takes the secret away from the browser. */
export function clearCookie(config: Config, req: Request, res: Response): void {
  const { name, attributes } = cookieOf(config, req);
  res.clearCookie(name, attributes);
}

/** The secret that the browser sent; null for none, and for several, as other hosts may set one. */
export function readCookie(config: Config, req: Request): string | null {
  const { name } = cookieOf(config, req);
  const sent = (req.headers.cookie ?? '').split(';').map((part) => part.trim());
  const found = sent.filter((cookie) => cookie.startsWith(`${name}=`));
  return found.length === 1 ? found[0]!.slice(name.length + 1) : null;
}

/**
 * CSRF token of a form, bound to this browser, this authorization request and this step: other sites cannot
 * read the cookie it derives from, and a form of another request has another token.
 */
export function csrfOf(step: 'sign-in' | 'consent', secret: string, req: Request): string {
  const text = ['authz connect', step, secret, queryOf(req).toString()].join('\n');
  return createHash('sha256').update(text).digest('base64url');
}

/** Whether our page for this browser, request and step sent the form with this CSRF token. */
export function isOwnForm(step: 'sign-in' | 'consent', secret: string, req: Request, csrf: string): boolean {
  return isSame(csrf, csrfOf(step, secret, req)) && !isForeign(req);
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a browser says that another site sent the form. */
function isForeign({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}
