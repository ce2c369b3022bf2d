import { BlockList, isIP } from 'node:net';

/** Finds out where a call comes from: the peer, or the client that trusted proxies say they speak for. */
export type ClientAddress = (peer: string, forwardedFor: readonly unknown[]) => string;

/**
 * `proxies` are addresses and CIDR ranges. `x-forwarded-for` is read from its right end, where the nearest
 * proxy wrote, to the first address that is not a trusted proxy; a header that an untrusted peer sends is not
 * looked at.
 */
export function createClientAddress(proxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
  return (peer, forwardedFor) => {
    const own = withoutPort(peer);
    if (!isTrusted(own)) return own;
    const hops = forwardedFor
      .flatMap((value) => String(value).split(','))
      .map((hop) => withoutPort(hop.trim()));
    return hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? own;
  };
}

/** `1.2.3.4:5` and `[::1]:5` without their port, and IPv4 written as IPv6, in whichever way, as IPv4. */
function withoutPort(text: string): string {
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1];
  const address = bracketed ?? (isIP(text) === 0 ? text.replace(/:\d+$/, '') : text);
  if (isIP(address) !== 6) return address;
  const [, high, low] = MAPPED.exec(new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 0xff, two >> 8, two & 0xff].join('.');
}

/** An IPv4-mapped address (RFC 4291 §2.5.5.2) as the URL standard writes it. */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** Whether the text is an address or a CIDR range. */
export function isProxyRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32));
}
