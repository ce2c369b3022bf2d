import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import type { TlsFiles } from '@platform/authz-client';
import { DEFAULT_ADDRESS, type Context } from './contexts.ts';
import { unreadable, UsageError } from './exit-codes.ts';

/** The address of a server and how to connect to it. */
export type Connection = Pick<Context, 'address' | 'tls_ca' | 'tls_cert' | 'tls_key'>;

/** Options before every command. */
export interface ConnectionOptions {
  readonly address?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** The connection of a command: from its options, else from the environment, else as the context kept it. */
export function readConnection(
  options: ConnectionOptions,
  env: NodeJS.ProcessEnv,
  kept: Connection | undefined,
): Connection {
  const fileOf = (given: string | undefined, before: string | undefined) =>
    given === undefined ? before : resolve(given);
  const connection = {
    address: options.address ?? env['PLATFORM_ADDRESS'] ?? kept?.address ?? DEFAULT_ADDRESS,
    tls_ca: fileOf(options.tlsCa ?? env['PLATFORM_TLS_CA'], kept?.tls_ca),
    tls_cert: fileOf(options.tlsCert ?? env['PLATFORM_TLS_CERT'], kept?.tls_cert),
    tls_key: fileOf(options.tlsKey ?? env['PLATFORM_TLS_KEY'], kept?.tls_key),
  };
  const { tls_ca: ca, tls_cert: cert, tls_key: key } = connection;
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--tls-cert and --tls-key go together');
  if (cert !== undefined && ca === undefined) throw new UsageError('--tls-cert needs --tls-ca');
  for (const file of [ca, cert, key]) {
    if (file === undefined) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      unreadable(file)(error as NodeJS.ErrnoException);
    }
  }
  return connection;
}

/** The connection of a context, without its login. */
export function connectionOf({ address, tls_ca, tls_cert, tls_key }: Context): Connection {
  return { address, tls_ca, tls_cert, tls_key };
}

/** The files of a connection over TLS; undefined for one in plaintext. */
export function tlsOf({ tls_ca: ca, tls_cert: cert, tls_key: key }: Connection): TlsFiles | undefined {
  return ca === undefined ? undefined : { ca, cert, key };
}

/** The connection was made, and the other end closed it: grpc-js does not say why. */
const CUT = /Failed to connect|ECONNRESET|closed|dropped|hang up|certificate required/i;

/**
 * What to do about a server that gave no response, and in parentheses what grpc-js says about it where that
 * is more than that nobody listens there.
 */
export function adviceWithCause(details: string, connection: Connection): string {
  const cause = /Last error: (.*?)\.? Resolution note:/s.exec(details)?.[1] ?? details;
  return `${adviceFor(details, connection)}${/ECONNREFUSED/.test(cause) ? '' : ` (${cause})`}`;
}

/** What to do about a server that gave no response, by what grpc-js or Node says. */
export function adviceFor(
  details: string,
  { tls_ca: ca, tls_cert: cert }: Connection,
  other = 'choose another with --address or PLATFORM_ADDRESS',
): string {
  if (ca === undefined) {
    return CUT.test(details) || /certificate/i.test(details)
      ? `if it speaks TLS, name its CA with --tls-ca; else ${other}`
      : `start the service, or ${other}`;
  }
  if (/wrong version number|packet length too long/i.test(details))
    return 'it does not speak TLS: leave out --tls-ca';
  if (/altname/i.test(details)) return `its certificate is for another name: ${other}`;
  if (/expired/i.test(details)) return 'its certificate has expired';
  if (CUT.test(details)) {
    return cert === undefined
      ? 'it may ask for a certificate: name yours with --tls-cert and --tls-key'
      : `it may not accept the certificate in ${cert}`;
  }
  if (/certificate|issuer/i.test(details)) return `no CA in ${ca} signed its certificate: check --tls-ca`;
  if (/credentials/i.test(details)) return 'check that --tls-ca, --tls-cert and --tls-key name PEM files';
  return `start the service, or ${other}`;
}
