import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { baseUrlOf } from './base-url.ts';

const request = { socket: { localPort: 8080 }, headers: { host: 'evil.example' } };

describe('the address in links of shares', () => {
  it.each([
    [{ publicUrl: 'https://example.org', host: '0.0.0.0' }, 'https://example.org'],
    [{ publicUrl: undefined, host: '127.0.0.1' }, 'http://127.0.0.1:8080'],
    [{ publicUrl: undefined, host: '0.0.0.0' }, 'http://localhost:8080'],
    [{ publicUrl: undefined, host: '::' }, 'http://localhost:8080'],
    [{ publicUrl: undefined, host: '::1' }, 'http://[::1]:8080'],
    [{ publicUrl: undefined, host: 'api.internal' }, 'http://api.internal:8080'],
  ])('links of shares under %j begin with %s, whatever Host a request names', (settings, expected) => {
    covers('INV-S.34');
    expect(baseUrlOf(request, { ...settings, port: 0 })).toBe(expected);
  });
});
