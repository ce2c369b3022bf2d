import { DomainError } from '@platform/error-contracts';
import { baseUrlOf, requireMediaType, type UploadLimiter } from '@platform/service-kit';
import type { Request, Response } from 'express';
import type { Arrival } from '../audit/call-record.ts';
import type { Config } from '../config.ts';
import type { TransportDeps } from '../ports.ts';
import type { Access } from './access.ts';

/** Largest body of a form or of a registration. */
export const OAUTH_BYTES_MAX = 16 * 1024;

/** What every endpoint of OAuth is given. */
export interface OAuthServer {
  readonly deps: TransportDeps;
  readonly access: Access;
  readonly uploads: UploadLimiter;
}

/** The issuer of this server (RFC 8414 §2): the address that people reach it under. */
export function issuerOf(
  { publicUrl, httpHost: host, httpPort: port, tlsCert }: Config,
  req: Request,
): string {
  return baseUrlOf(req, { publicUrl, host, port, scheme: tlsCert === undefined ? 'http' : 'https' });
}

/** How a request came, for its row in the audit; it begins now. */
export function arrivalOf({ access }: OAuthServer, req: Request): Arrival {
  return access.arrivalOf(req, performance.now(), req.traceparent);
}

/** The query as it was sent, parameters that were sent twice among it. */
export function queryOf(req: Request): URLSearchParams {
  return new URL(req.originalUrl, 'http://localhost').searchParams;
}

/** Fields of a form by their names. */
export type Form = ReadonlyMap<string, string>;

/** A form body, each field at most once. Throws DomainError. */
export async function readForm({ access, uploads }: OAuthServer, req: Request): Promise<Form> {
  requireMediaType(req, ['application/x-www-form-urlencoded']);
  const upload = await uploads.receive(req, access.addressOf(req), OAUTH_BYTES_MAX);
  try {
    const form = new Map<string, string>();
    for (const [name, value] of new URLSearchParams(Buffer.from(upload.bytes).toString('utf8'))) {
      if (form.has(name)) throw new DomainError('invalid_argument', `\`${name}\` was sent twice`);
      form.set(name, value);
    }
    return form;
  } finally {
    upload.release();
  }
}

/** A refusal in the words of OAuth (OAuth 2.1 §3.2.4, RFC 7591 §3.2.2). */
export interface OAuthRefusal {
  readonly status: 400 | 401;
  readonly error: string;
  readonly description: string;
}

/** Sends an error as RFC 6749 §5.2 writes it. */
export function refuse(res: Response, { status, error, description }: OAuthRefusal): void {
  if (status === 401) res.set('WWW-Authenticate', 'Bearer realm="authz-grpc"');
  res.status(status).json({ error, error_description: description });
}
