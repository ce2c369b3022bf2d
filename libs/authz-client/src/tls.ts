import { credentials, experimental, type ChannelCredentials } from '@grpc/grpc-js';

/** PEM files of a connection over TLS. */
export interface TlsFiles {
  /** The CAs that the server's certificate must come from. */
  readonly ca: string;
  /** The client's own certificate and its key, for a server that asks for one. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** How often the files are read again. Milliseconds. */
const REFRESH_MS = 5_000;

/**
 * Credentials of a channel: TLS with the files as they are at each connection, plaintext without. While a
 * file cannot be read no connection is made. Errors: a certificate without its key.
 */
export function channelCredentials(tls: TlsFiles | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const files = new experimental.FileWatcherCertificateProvider({
    caCertificateFile: tls.ca,
    certificateFile: tls.cert,
    privateKeyFile: tls.key,
    refreshIntervalMs: REFRESH_MS,
  });
  return experimental.createCertificateProviderChannelCredentials(
    files,
    tls.cert === undefined ? null : files,
  );
}
