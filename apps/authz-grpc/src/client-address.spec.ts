import { expect, it } from '@jest/globals';
import { createClientAddress, isProxyRange } from './client-address.ts';

const addressOf = createClientAddress(['10.0.0.0/8', '192.168.1.7', 'fd00::/8']);

it.each([
  ['a peer without its port', '203.0.113.5:4711', [], '203.0.113.5'],
  ['a header of an untrusted peer is ignored', '203.0.113.5:1', ['198.51.100.9'], '203.0.113.5'],
  ['the client of a trusted proxy', '10.1.2.3:1', ['198.51.100.9'], '198.51.100.9'],
  ['the client of two trusted proxies', '10.1.2.3:1', ['198.51.100.9, 192.168.1.7'], '198.51.100.9'],
  ['what a client wrote itself is ignored', '10.1.2.3:1', ['1.1.1.1, 198.51.100.9'], '198.51.100.9'],
  ['a client over IPv6', '[fd00::1]:1', ['[2001:db8::5]:99'], '2001:db8::5'],
  ['IPv4 written as IPv6', '::ffff:10.1.2.3', ['198.51.100.9'], '198.51.100.9'],
  ['IPv4 written as IPv6 in hexadecimal', '10.1.2.3:1', ['::ffff:808:808'], '8.8.8.8'],
  ['IPv4 written as IPv6 in full', '10.1.2.3:1', ['[0:0:0:0:0:FFFF:0808:0808]:9'], '8.8.8.8'],
  ['IPv4 written as IPv6 with dots', '10.1.2.3:1', ['::FFFF:8.8.8.8'], '8.8.8.8'],
  ['a proxy written as IPv6', '::ffff:a01:203', ['198.51.100.9'], '198.51.100.9'],
  ['a proxy that says nothing', '10.1.2.3:1', [], '10.1.2.3'],
  ['a header that is not an address', '10.1.2.3:1', ['unknown'], '10.1.2.3'],
])('the client address is %s', (_name, peer, forwarded, expected) => {
  expect(addressOf(peer, forwarded)).toBe(expected);
});

it('isAddressOrRange accepts addresses and ranges only', () => {
  expect(['10.0.0.0/8', '::1', 'fd00::/8', '1.2.3.4'].every(isProxyRange)).toBe(true);
  expect(['', '10.0.0.0/33', 'proxy', '1.2.3.4/8/9', '1.2.3.4/'].some(isProxyRange)).toBe(false);
});
