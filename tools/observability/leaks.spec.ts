import { describe, expect, it } from '@jest/globals';
import { findLeaks } from './leaks.ts';

const text = 'pass "word" ü/7 + more';
const secrets = { password: text, key: 'dsk_live_abc_def' };
const line = (entry: unknown) => `{"msg":"ready"}\n${JSON.stringify(entry)}\n{"msg":"request"}\n`;

describe('findLeaks', () => {
  it.each([
    ['plain text', `fatal: wrong password ${text}\n`],
    ['a field', line({ err: { message: `no user with ${text}` } })],
    ['a body quoted in a field', line({ body: JSON.stringify({ password: text }) })],
    ['a path', line({ url: `/x/${encodeURIComponent(text)}` })],
    ['a query', line({ url: `/x?${new URLSearchParams({ password: text }).toString()}` })],
    ['a header in base64', line({ cookie: Buffer.from(text).toString('base64') })],
    ['base64 for URLs', line({ cookie: Buffer.from(text).toString('base64url') })],
    ['bytes in hex', line({ bytes: Buffer.from(text).toString('hex') })],
  ])('findLeaks finds a secret in %s, and no other', (_where, log) => {
    expect(findLeaks(log, secrets)).toEqual(['password']);
  });

  it('findLeaks finds nothing in a clean log', () => {
    expect(findLeaks(line({ note: 'pass word', key: 'dsk_live_abc' }), secrets)).toEqual([]);
  });
});
