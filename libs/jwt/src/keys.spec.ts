import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  exportSigningKey,
  generateSigningKey,
  loadSigningKey,
  loadVerificationKeys,
  publicJwks,
  verificationKeyOf,
} from './index.ts';

describe('keys', () => {
  it("a key's id follows RFC 7638, on the example of RFC 8037 appendix A.3", async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
    const [key] = await loadVerificationKeys(JSON.stringify(jwk));
    expect(key?.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  it('keys written as PEM and JWKS are read back unchanged', async () => {
    const signing = await generateSigningKey();
    const publicKey = verificationKeyOf(signing);
    const pem = createPublicKey(signing.privateKey).export({ format: 'pem', type: 'spki' }) as string;
    const kids = async (text: string) => (await loadVerificationKeys(text)).map(({ kid }) => kid);
    expect((await loadSigningKey(exportSigningKey(signing))).kid).toBe(signing.kid);
    expect((await loadSigningKey(JSON.stringify(signing.privateKey.export({ format: 'jwk' })))).kid).toBe(
      signing.kid,
    );
    expect(await kids(pem)).toEqual([signing.kid]);
    expect(await kids(pem + pem)).toEqual([signing.kid, signing.kid]);
    expect(await kids(JSON.stringify(publicJwks([publicKey])))).toEqual([signing.kid]);
    expect(JSON.stringify(publicJwks([publicKey]))).not.toContain('"d"');
  });

  it('private keys, keys of another kind, and unreadable or misnamed ones are refused', async () => {
    const signing = await generateSigningKey();
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = publicJwks([verificationKeyOf(signing)]);
    await expect(loadVerificationKeys(exportSigningKey(signing))).rejects.toThrow(
      'a private key where a public one',
    );
    await expect(
      loadVerificationKeys(JSON.stringify(signing.privateKey.export({ format: 'jwk' }))),
    ).rejects.toThrow('private');
    await expect(
      loadVerificationKeys(JSON.stringify(p256.publicKey.export({ format: 'jwk' }))),
    ).rejects.toThrow('not an Ed25519');
    await expect(
      loadVerificationKeys(JSON.stringify({ keys: [{ ...jwks.keys[0], kid: 'mine' }] })),
    ).rejects.toThrow('thumbprint');
    await expect(loadVerificationKeys('{"keys":[]}')).rejects.toThrow('no public key');
    await expect(loadVerificationKeys('{"keys":7}')).rejects.toThrow('not a list');
    await expect(loadVerificationKeys('null')).rejects.toThrow('not a readable public key');
    await expect(loadVerificationKeys('hello')).rejects.toThrow('neither PEM nor JSON');
    await expect(loadSigningKey('hello')).rejects.toThrow('not a readable private key');
    await expect(
      loadSigningKey(p256.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string),
    ).rejects.toThrow('Ed25519');
  });
});
