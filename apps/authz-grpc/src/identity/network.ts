import { isIP } from 'node:net';

/**
 * Where an address belongs to, for counting: a host with IPv6 has the 2^64 addresses of its network at its
 * disposal, one with IPv4 its own.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groupsOf = (part: string | undefined) => (part ? part.split(':') : []);
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  // A dotted end stands for two groups.
  const present = left.length + right.length + (address.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: Math.max(0, 8 - present) }, () => '0');
  const groups = [...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
