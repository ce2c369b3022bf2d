import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Request } from 'express';
import { requireOwnPage } from './desk-cookie.ts';

const LOCAL = { host: '127.0.0.1', port: 8080, publicUrl: undefined };
const PUBLIC = { host: '0.0.0.0', port: 8080, publicUrl: 'https://desk.example.org' };
const WITHOUT_NAME = { host: '0.0.0.0', port: 8080, publicUrl: undefined };

/** Whether a page of `origin` that its browser takes for the service's own, by that Host, may sign in. */
function isLetIn(
  config: Parameters<typeof requireOwnPage>[1],
  origin: string | undefined,
  { method = 'POST', host = new URL(origin ?? 'http://localhost').host, site = 'same-origin' } = {},
): boolean {
  const headers = { host, ...(site === '' ? {} : { 'sec-fetch-site': site }), ...(origin && { origin }) };
  try {
    requireOwnPage({ headers, method, socket: { localPort: 8080 } } as unknown as Request, config);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'permission_denied' });
    return false;
  }
}

describe('pages of the desk', () => {
  it.each([
    ['a service on loopback', LOCAL, 'http://rebound.example:8080', false],
    ['a service on loopback', LOCAL, 'http://localhost.rebound.example:8080', false],
    ['a service on loopback', LOCAL, 'http://127.0.0.1:8080', true],
    ['a service on loopback', LOCAL, 'http://localhost:8080', true],
    ['a service on loopback', LOCAL, 'http://[::1]:8080', true],
    ['a service with a public URL', PUBLIC, 'https://desk.example.org', true],
    ['a service with a public URL', PUBLIC, 'http://rebound.example:8080', false],
    ['a service with a public URL', PUBLIC, 'http://desk.example.org.rebound.example', false],
    ['a service with a public URL', PUBLIC, 'http://127.0.0.1:8080', true],
    ['a service with no public URL beyond loopback', WITHOUT_NAME, 'http://box.lan:8080', true],
  ])('%s signs in pages of its own names alone (%#)', (_who, config, origin, expected) => {
    covers('INV-B.14');
    for (const site of ['same-origin', '']) expect(isLetIn(config, origin, { site })).toBe(expected);
  });

  it('a read of a page that another name leads to is refused on loopback, which sends no Origin', () => {
    covers('INV-B.14');
    for (const [host, expected] of [
      ['rebound.example:8080', false],
      ['127.0.0.1:8080', true],
    ] as const)
      expect(isLetIn(LOCAL, undefined, { method: 'GET', host })).toBe(expected);
  });

  it('a proxy that rewrites Host lets pages of the public URL through', () => {
    covers('INV-B.14');
    const proxied = { host: 'investigation-api:8080' };
    expect(isLetIn(PUBLIC, 'https://desk.example.org', proxied)).toBe(true);
    expect(isLetIn(PUBLIC, undefined, { method: 'GET', ...proxied })).toBe(true);
    expect(isLetIn(PUBLIC, 'https://rebound.example', proxied)).toBe(false);
  });
});
