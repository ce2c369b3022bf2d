import { DomainError } from '@platform/error-contracts';
import { baseUrlOf, readBody, requireJson } from '@platform/service-kit';
import { InvalidJsonError, parseStrictJson } from '@platform/strict-json';
import type { Request, Response } from 'express';
import { Router } from 'express';
import { z } from 'zod';
import { readInput } from '../wire/read-input.ts';
import {
  clearDeskCookie,
  readDeskCookie,
  requireOwnPage,
  setDeskCookie,
  withDeskCookie,
} from './desk-cookie.ts';
import type { HttpDeps } from './http-deps.ts';
import { CODE_LIFE_MS, createSignInCodes } from './sign-in-codes.ts';

/** How long a session of the desk lasts: a working day. Seconds. */
const LIFE_SECONDS = 12 * 3_600;
const BODY_BYTES_MAX = 16 * 1024;

const Password = z.strictObject({
  username: z.string().min(1),
  password: z.string().min(1),
  tenant: z.string().optional(),
  proof: z.string().max(64).optional(),
});
const SignIn = z.union([Password, z.strictObject({ code: z.string().max(128) })]);

/**
 * Sessions of the desk, for its own pages: who is signed in, signing in by password or by a code, signing
 * out, codes for holders of a token, and the programs that a user lets work for them. The token goes into a
 * cookie and never into a response.
 */
export function deskSessionRoutes(deps: HttpDeps): Router {
  const { config, logins } = deps;
  const codes = createSignInCodes(() => deps.now().getTime());
  const router = Router();
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });

  router.get('/', async (req, res) => {
    requireOwnPage(req, config);
    res.json({ signed_in: await isSignedIn(req, res), passwords: logins !== null });
  });

  router.post('/', async (req, res) => {
    requireOwnPage(req, config);
    const input = readInput(SignIn, await readJson(req));
    if ('code' in input) {
      const token = codes.take(input.code);
      if (token === null)
        throw new DomainError('unauthenticated', 'the link was used already or is older than ten minutes');
      return signedIn(req, res, token);
    }
    if (logins === null)
      throw new DomainError(
        'failed_precondition',
        'no authorization service is asked here: sign in by token',
      );
    const login = { ...input, lifeSeconds: LIFE_SECONDS, forwardedFor: forwardedFor(req) };
    const outcome = await logins.logIn(login, { 'x-request-id': req.id });
    switch (outcome.kind) {
      case 'session':
        return signedIn(req, res, outcome.token);
      case 'refused':
        throw new DomainError('unauthenticated', 'user name and password do not belong together');
      case 'tenants':
        return void res.status(409).json({ error: tenantsSentence(outcome.names), tenants: outcome.names });
      case 'proof':
        return void res.status(429).set('Retry-After', String(outcome.retryAfterSeconds)).json({
          error: 'too many sign-ins failed: send a proof of work, or wait',
          proof_bits: outcome.bits,
        });
    }
  });

  router.delete('/', async (req, res) => {
    requireOwnPage(req, config);
    const token = readDeskCookie(req, config);
    // This comes first, so that the browser is signed out even when what follows fails.
    clearDeskCookie(res);
    const userId = token === null ? null : subjectOf(token);
    if (token !== null && userId !== null) await logins?.logOut(token, userId, { 'x-request-id': req.id });
    res.status(204).end();
  });

  router.post('/codes', async (req, res) => {
    // The cookie makes no codes: they would outlive the session in it.
    const { credential } = await deps.authenticate(req);
    if (req.headers['x-api-key'] !== undefined)
      throw new DomainError(
        'unprocessable',
        'codes are made for tokens: send `Authorization: Bearer <token>`',
      );
    if (config.replicas > 1)
      throw new DomainError(
        'failed_precondition',
        'codes serve where there is one replica: sign in by password',
      );
    res.status(201).json({ code: codes.issue(credential), expires_in: CODE_LIFE_MS / 1000 });
  });

  router.get('/programs', async (req, res) => {
    const { id, credential } = await deps.authenticate(withDeskCookie(req, config), { isRevocation: true });
    const programs = (await logins?.listPrograms(credential, id, { 'x-request-id': req.id })) ?? [];
    res.json({
      programs: programs.map((program) => ({
        id: program.id,
        name: program.name,
        redirect_uri: program.redirectUri,
        resource: program.resource,
        scopes: program.scopes,
        created_at: program.createdAt.toISOString(),
        last_used_at: program.lastUsedAt?.toISOString() ?? null,
        expires_at: program.expiresAt.toISOString(),
      })),
      mcp_url: `${baseUrlOf(req, config)}/mcp`,
    });
  });

  router.delete('/programs/:id', async (req, res) => {
    const { id, credential } = await deps.authenticate(withDeskCookie(req, config), { isRevocation: true });
    await logins?.endProgram(credential, id, req.params.id, { 'x-request-id': req.id });
    res.status(204).end();
  });

  async function isSignedIn(req: Request, res: Response): Promise<boolean> {
    if (readDeskCookie(req, config) === null) return false;
    try {
      await deps.authenticate(withDeskCookie(req, config));
      return true;
    } catch (error) {
      // Other errors, such as an exhausted quota, are reported by the calls that follow.
      if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') return true;
      clearDeskCookie(res);
      return false;
    }
  }

  return router;
}

function signedIn(req: Request, res: Response, token: string): void {
  setDeskCookie(req, res, token);
  res.status(201).json({ signed_in: true });
}

async function readJson(req: Request): Promise<unknown> {
  requireJson(req);
  const bytes = await readBody(req, { bytesMax: BODY_BYTES_MAX });
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    // Without the cause: its text could repeat a password.
    if (error instanceof InvalidJsonError) throw new DomainError('unprocessable', 'the body is not JSON');
    throw error;
  }
}

function tenantsSentence(names: readonly string[]): string {
  return names.length === 0
    ? 'the user belongs to no active tenant: ask the owner of one to add them'
    : 'the user belongs to several tenants: say which';
}

/** Hops of a proxy's header that are plain addresses, and the peer that we see ourselves. */
function forwardedFor(req: Request): string {
  const told = req.headers['x-forwarded-for'] ?? '';
  const hops = String(told).slice(-1_000);
  const plain = /^[\x20-\x7e]*$/.test(hops) ? hops : '';
  return [plain, req.socket.remoteAddress ?? ''].filter((part) => part !== '').join(', ');
}

/** `sub` of a token, unverified: authz-grpc compares it. */
function subjectOf(token: string): string | null {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { sub } = JSON.parse(payload) as { sub?: unknown };
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}
