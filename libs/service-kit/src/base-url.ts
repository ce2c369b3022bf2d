/** Hosts that mean every address of the machine, and name none that a reader could open. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/**
 * Where people reach the service, without a slash at the end: the setting, else the address that it listens
 * on. Never what the request calls it, because a caller may send any Host, and links are kept and passed on.
 */
export function baseUrlOf(
  req: { readonly socket: { readonly localPort?: number | undefined } },
  {
    publicUrl,
    host,
    port,
    scheme = 'http',
  }: {
    readonly publicUrl?: string | undefined;
    readonly host: string;
    readonly port: number;
    readonly scheme?: 'http' | 'https';
  },
): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = WILDCARDS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  // The port of the setting may be 0, which is any free one.
  return `${scheme}://${name}:${req.socket.localPort ?? port}`;
}
