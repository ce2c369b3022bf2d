import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readConformanceSuite } from '@platform/testing/conformance';
import { generateSigningKey, signToken, staticKeys, verificationKeyOf, verifyToken } from './index.ts';
import { verifySignature } from './verify.ts';

const { cases } = readConformanceSuite<{
  cases: { tcId: number; pk: string; msg: string; sig: string; result: 'valid' | 'invalid' }[];
}>('wycheproof-ed25519.json');

const hex = (text: string) => Buffer.from(text, 'hex');

describe('Wycheproof Ed25519', () => {
  it('verifySignature agrees with all 151 Wycheproof Ed25519 signatures', async () => {
    expect(cases).toHaveLength(151);
    const wrong: number[] = [];
    for (const { tcId, pk, msg, sig, result } of cases) {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: hex(pk).toString('base64url') };
      const isValid = await verifySignature(createPublicKey({ key: jwk, format: 'jwk' }), hex(msg), hex(sig));
      if (isValid !== (result === 'valid')) wrong.push(tcId);
    }
    expect(wrong).toEqual([]);
  });

  it('every Wycheproof signature is refused on a token that another key signed', async () => {
    const key = await generateSigningKey();
    const now = new Date('2026-06-01T12:00:00Z');
    const iat = now.getTime() / 1000;
    const claims = { iss: 'https://issuer.example', aud: 'platform', sub: 'user-1', jti: 'jti-1' };
    const token = await signToken({ ...claims, iat, nbf: iat, exp: iat + 3600 }, { type: 'at+jwt', key });
    const signed = token.slice(0, token.lastIndexOf('.'));
    const options = {
      keys: staticKeys([verificationKeyOf(key)]),
      now,
      issuer: claims.iss,
      audience: claims.aud,
      types: ['at+jwt'] as const,
    };
    expect(await verifyToken(token, options)).toMatchObject({ claims });
    for (const { sig } of cases.filter(({ sig }) => sig !== '')) {
      const forged = `${signed}.${hex(sig).toString('base64url')}`;
      await expect(verifyToken(forged, options)).rejects.toMatchObject({ code: 'bad_signature' });
    }
  });
});
