import { X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';

/** Files of a server that speaks TLS, in PEM; `clientCa` makes it ask every client for a certificate. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly clientCa?: string | undefined;
}

/** What the files held when they last were a usable set. */
export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly clientCa: Buffer | undefined;
}

/** Certificates that follow their files. */
export interface TlsIdentity {
  current(): TlsMaterial;
  /** Calls `listener` with every usable set that replaces another, until the returned function is called. */
  follow(listener: (material: TlsMaterial) => void): () => void;
  close(): void;
}

/** How often the files are looked at. Milliseconds. */
const LOOK_EVERY_MS = 2_000;

/** The settings `<PREFIX>_TLS_CERT`, `_TLS_KEY` and `_TLS_CLIENT_CA` as they are loaded. */
interface TlsConfig {
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly tlsClientCa?: string | undefined;
}

/** The files that the settings name; null for a server without TLS. */
function filesOf({ tlsCert: cert, tlsKey: key, tlsClientCa: clientCa }: TlsConfig): TlsFiles | null {
  return cert === undefined || key === undefined ? null : { cert, key, clientCa };
}

/** What is wrong with the TLS settings of a server taken together, a line each. */
export function tlsContradictions(prefix: string, config: TlsConfig): string[] {
  const { tlsCert, tlsKey, tlsClientCa } = config;
  if (tlsCert === undefined && tlsKey !== undefined)
    return [`${prefix}_TLS_CERT: must be set with ${prefix}_TLS_KEY`];
  if (tlsKey === undefined && tlsCert !== undefined)
    return [`${prefix}_TLS_KEY: must be set with ${prefix}_TLS_CERT`];
  if (tlsClientCa !== undefined && tlsCert === undefined)
    return [`${prefix}_TLS_CLIENT_CA: needs ${prefix}_TLS_CERT and ${prefix}_TLS_KEY`];
  const files = filesOf(config);
  if (files === null) return [];
  try {
    readMaterial(files);
    return [];
  } catch (error) {
    const { message } = error as Error;
    return error instanceof NoClientCa
      ? [`${prefix}_TLS_CLIENT_CA: must hold a certificate in PEM: ${message}`]
      : [`${prefix}_TLS_CERT: must be a certificate with its key in ${prefix}_TLS_KEY: ${message}`];
  }
}

/**
 * The certificates of a server, read again when their files change; null for a server without TLS. A set that
 * is not usable, as in the moment between the writing of a certificate and of its key, is logged and leaves
 * the one before in place. Errors: files that are not usable at the start.
 */
export function openTlsIdentity(config: TlsConfig, logger: Logger): TlsIdentity | null {
  const files = filesOf(config);
  if (files === null) return null;
  let material = readMaterial(files);
  const listeners = new Set<(material: TlsMaterial) => void>();
  const readAgain = () => {
    try {
      material = readMaterial(files);
    } catch (err) {
      logger.error({ err, files }, 'TLS files are not usable; the certificate before stays in use');
      return;
    }
    logger.info({ validTo: certificateOf(material).validTo }, 'TLS files read again');
    for (const listener of listeners) listener(material);
  };
  const watched = Object.values(files).filter((file) => file !== undefined);
  for (const file of watched) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, readAgain);
  return {
    current: () => material,
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      for (const file of watched) unwatchFile(file, readAgain);
    },
  };
}

/** The end of the server's certificate, in seconds since 1970. */
export function certificateEnd(material: TlsMaterial): number {
  return Date.parse(certificateOf(material).validTo) / 1000;
}

const certificateOf = ({ cert }: TlsMaterial) => new X509Certificate(cert);

/** The file of the clients' CA holds no certificate. */
class NoClientCa extends Error {
  override readonly name = 'NoClientCa';
}

/** Errors: a file that cannot be read or holds no PEM, and a key of another certificate. */
function readMaterial(files: TlsFiles): TlsMaterial {
  const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)];
  const clientCa = files.clientCa === undefined ? undefined : readFileSync(files.clientCa);
  // A context takes a CA that is none, and then refuses every client.
  try {
    if (clientCa !== undefined) new X509Certificate(clientCa);
  } catch (cause) {
    throw new NoClientCa((cause as Error).message, { cause });
  }
  createSecureContext({ cert, key });
  return { cert, key, clientCa };
}

/** Options of `https.createServer`. With a CA of clients, those without a certificate of it are refused. */
export function tlsServerOptions({ cert, key, clientCa }: TlsMaterial) {
  return {
    cert,
    key,
    ...(clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
  };
}

/** Gives every later connection of `server` the certificates of the moment. */
export function keepCertificates(server: TlsServer, identity: TlsIdentity): void {
  const end = identity.follow((material) => server.setSecureContext(tlsServerOptions(material)));
  server.once('close', end);
}
