import { experimental, ServerCredentials } from '@grpc/grpc-js';
import type { TlsIdentity, TlsMaterial } from '@platform/service-kit';

/** Credentials of the gRPC server, which follow the files of `tls`; plaintext without. */
export function serverCredentials(tls: TlsIdentity | null): ServerCredentials {
  if (tls === null) return ServerCredentials.createInsecure();
  const provider = certificatesOf(tls);
  const asksClients = tls.current().clientCa !== undefined;
  // The library names its first two arguments the wrong way round: the server's own certificate comes first.
  return experimental.createCertificateProviderServerCredentials(
    provider,
    asksClients ? provider : null,
    asksClients,
  );
}

/** The files as grpc-js takes certificates: a listener hears of the present set and of every later one. */
function certificatesOf(tls: TlsIdentity): experimental.CertificateProvider {
  const ends = new Map<unknown, () => void>();
  function follow(listener: unknown, tell: (material: TlsMaterial) => void): void {
    ends.set(listener, tls.follow(tell));
    process.nextTick(() => tell(tls.current()));
  }
  function leave(listener: unknown): void {
    ends.get(listener)?.();
    ends.delete(listener);
  }
  return {
    addCaCertificateListener: (listener) =>
      follow(listener, ({ clientCa }) =>
        listener(clientCa === undefined ? null : { caCertificate: clientCa }),
      ),
    removeCaCertificateListener: leave,
    addIdentityCertificateListener: (listener) =>
      follow(listener, ({ cert, key }) => listener({ certificate: cert, privateKey: key })),
    removeIdentityCertificateListener: leave,
  };
}
