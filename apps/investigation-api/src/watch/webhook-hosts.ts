import { BlockList, isIP } from 'node:net';

/** Where webhooks may go, as an administrator allowed it. */
export interface WebhookHosts {
  /** Why a webhook may not have this address, in words for its sender; null = it may. */
  refusal(url: string): string | null;
  /** Whether a connection to this address is allowed; the name that led there was allowed before. */
  mayConnect(address: string): boolean;
}

/** Special-purpose ranges of IANA that are not the public Internet. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Of IPv6 only global unicast is public, without the ranges that carry an IPv4 address or no host. */
const PUBLIC_6 = '2000::/3';
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Port of an address without one; host names are reached over https only. */
const HTTPS_PORT = '443';

const isPort = (port: number) => port >= 1 && port <= 65_535;

/** An IPv4 address, an IPv6 one in brackets or a range of either, with a port. */
const ADDRESS_WITH_PORT = /^(?:[\d.]+(?:\/\d+)?|\[[\da-f:.]+\](?:\/\d+)?|[\da-f:]+\/\d+):\d+$/i;

/** What is wrong with an entry of the setting; null = nothing. */
export function hostProblem(entry: string): string | null {
  const named = /^([^:/]+):(\d{1,5})$/.exec(entry);
  if (named !== null && isIP(named[1]!) === 0)
    return hostProblem(named[1]!) !== null || !isPort(Number(named[2]))
      ? `${entry} is no host name with a port`
      : null;
  if (ADDRESS_WITH_PORT.test(entry))
    return `${entry} is an address or a range with a port: leave the port out, they are allowed on every port`;
  const [address = '', bits] = entry.split('/');
  const version = isIP(address);
  if (version !== 0)
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
      ? null
      : `${entry} is not a range of addresses`;
  return /^(\*\.)?([a-z\d]([a-z\d-]*[a-z\d])?\.)*[a-z\d]([a-z\d-]*[a-z\d])?$/i.test(entry)
    ? null
    : `${entry} is neither a host name nor a range of addresses`;
}

/**
 * Hosts by the entries of the setting: names, `*.` with a name for all below it, either with a port where no
 * other port may be reached, and addresses or CIDR ranges.
 * A range allows addresses in it whatever it is, private ones too, and http to them; everything else must be
 * public and spoken to by https.
 */
export function createWebhookHosts(entries: readonly string[]): WebhookHosts {
  const ranges = blockListOf(entries.filter((entry) => isIP(entry.split('/')[0]!) !== 0));
  const names = entries.filter((entry) => isIP(entry.split('/')[0]!) === 0).map((name) => name.toLowerCase());
  const blocked = blockListOf([...NOT_PUBLIC, ...NOT_PUBLIC_6]);
  const global6 = blockListOf([PUBLIC_6]);
  const isPublic = (address: string) =>
    !includes(blocked, address) && (isIP(address) === 4 || includes(global6, address));
  const isNamed = (host: string, port: string) =>
    names.some((entry) => {
      const [name = '', onlyPort = port] = entry.split(':');
      if (Number(onlyPort) !== Number(port)) return false;
      return name.startsWith('*.')
        ? host.endsWith(name.slice(1)) && host.length > name.length - 1
        : host === name;
    });
  return {
    refusal(text) {
      if (!URL.canParse(text)) return 'must be an http or https address';
      const { protocol, hostname, port, username, password, hash } = new URL(text);
      if (protocol !== 'https:' && protocol !== 'http:') return 'must be an http or https address';
      if (port === '0') return 'must have a port from 1 to 65535';
      if (username !== '' || password !== '' || hash !== '')
        return 'must have no user name, password or fragment';
      const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
      const isAddress = isIP(host) !== 0;
      if (isAddress ? !includes(ranges, host) : !isNamed(host, port || HTTPS_PORT))
        return 'the administrator has not allowed webhooks to this host and port (INVESTIGATION_WEBHOOK_HOSTS)';
      if (protocol === 'http:' && !isAddress)
        return 'must be an https address; http is for addresses of a range that the administrator allowed';
      return null;
    },
    mayConnect: (address) => isIP(address) !== 0 && (includes(ranges, address) || isPublic(address)),
  };
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** IPv4 written as IPv6 counts as IPv4, which BlockList sees to. */
function includes(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
