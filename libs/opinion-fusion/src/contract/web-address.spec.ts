import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { isWebAddress, URL_LENGTH_MAX } from './web-address.ts';

describe('an address that a page may link to', () => {
  it.each([
    'https://www.loc.gov/item/00652085/',
    'http://[::1]:8080/a?b=c#d',
    'HTTPS://example.org',
    'https://bücher.example/straße',
    'https://web.archive.org/web/2020/https://user@example.org/',
  ])('a page may link to %p', (text) => {
    covers('INV-F.ClaimInput.url');
    expect(isWebAddress(text)).toBe(true);
  });

  it.each([
    'javascript:alert(1)',
    ' https://example.org',
    'https://bank.example@evil.example/',
    'https://user:password@example.org',
    'https://',
    'https:///path',
    'ftp://example.org',
    'data:text/html,x',
    'https://example.org/a b',
    'https://example.org/\u202ecod.exe',
    'https://example.org\\@evil.example',
    'example.org',
    '',
    `https://example.org/${'x'.repeat(URL_LENGTH_MAX)}`,
  ])('a page may not link to %p', (text) => {
    covers('INV-F.ClaimInput.url');
    expect(isWebAddress(text)).toBe(false);
  });

  it('an address of any length is judged in time in proportion to its length', () => {
    expect(isWebAddress(`https://${'a'.repeat(URL_LENGTH_MAX * 50)}`)).toBe(false);
  });
});
