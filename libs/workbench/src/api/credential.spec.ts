import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { cleanCredential, credentialHeader } from './credential.ts';

const compact = (head: object) => `${Buffer.from(JSON.stringify(head)).toString('base64url')}.e30.c2ln`;

describe('a pasted credential', () => {
  covers('INV-B.2');
  it('a pasted credential is extracted from the text around it', () => {
    expect(cleanCredential('  Authorization: Bearer a.b.c\n')).toBe('a.b.c');
    expect(cleanCredential('X-API-Key: a.b.c')).toBe('a.b.c');
    expect(cleanCredential('bearer a.b.c')).toBe('a.b.c');
  });

  it('a pasted credential is sent in the header of its kind', () => {
    const key = compact({ alg: 'EdDSA', typ: 'key+jwt' });
    const token = compact({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(credentialHeader(key)).toEqual({ 'X-API-Key': key });
    expect(credentialHeader(token)).toEqual({ Authorization: `Bearer ${token}` });
    expect(credentialHeader('nonsense')).toEqual({ Authorization: 'Bearer nonsense' });
  });
});
