import { createHmac, createPublicKey, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SigningKey, TokenClaims } from './index.ts';
import {
  createVerifiedTokenCache,
  generateSigningKey,
  publicJwks,
  signToken,
  staticKeys,
  TOKEN_TYPES,
  TokenError,
  verificationKeyOf,
  verifyToken,
} from './index.ts';
import { verifySignature } from './verify.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const seconds = NOW.getTime() / 1000;
const CLAIMS: TokenClaims = {
  iss: 'https://issuer.example',
  aud: 'platform',
  sub: 'user-1',
  iat: seconds - 10,
  nbf: seconds - 10,
  exp: seconds + 3600,
  jti: 'jti-1',
};

let key: SigningKey;
let other: SigningKey;
let token: string;
beforeAll(async () => {
  [key, other] = await Promise.all([generateSigningKey(), generateSigningKey()]);
  token = await signToken(CLAIMS, { type: 'at+jwt', key });
});

const options = () => ({
  keys: staticKeys([verificationKeyOf(key)]),
  now: NOW,
  issuer: CLAIMS.iss,
  audience: 'platform',
  types: TOKEN_TYPES,
});
const base64Url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token of any header and payload, rightly signed. */
function forge(header: unknown, payload: unknown, signer = key): string {
  const signed = `${base64Url(header)}.${base64Url(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), signer.privateKey).toString('base64url')}`;
}
const header = (extra: object = {}) => ({ alg: 'EdDSA', kid: key.kid, typ: 'at+jwt', ...extra });

async function refusal(text: string, extra: object = {}): Promise<string> {
  try {
    await verifyToken(text, { ...options(), ...extra });
  } catch (error) {
    if (error instanceof TokenError) return error.code;
    throw error;
  }
  return 'accepted';
}

/** The same signature spelt with unused bits set: other text, same decoded bytes. */
function twinOf(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1) as string) + 1];
}

describe('verifyToken', () => {
  it.each(TOKEN_TYPES)('verifyToken returns the claims of a good %s token', async (type) => {
    const good = await signToken({ ...CLAIMS, tenant_id: 't', sid: 's', scope: 'a b' }, { type, key });
    const verified = await verifyToken(good, options());
    expect(verified).toEqual({
      type,
      kid: key.kid,
      claims: { ...CLAIMS, tenant_id: 't', sid: 's', scope: 'a b' },
    });
  });

  it('verifyToken accepts an audience among several', async () => {
    const good = await signToken({ ...CLAIMS, aud: ['x', 'platform'] }, { type: 'at+jwt', key });
    expect(await refusal(good)).toBe('accepted');
  });

  it('verifyToken allows clocks to differ by five seconds and no more', async () => {
    const at = (offset: number) => ({ now: new Date(NOW.getTime() + offset * 1000) });
    expect(await refusal(token, at(3604))).toBe('accepted');
    expect(await refusal(token, at(3605))).toBe('token_expired');
    expect(await refusal(token, at(-15))).toBe('accepted');
    expect(await refusal(token, at(-16))).toBe('token_not_yet_valid');
  });
});

describe('hostile tokens', () => {
  const cases: [string, () => string, string][] = [
    ['empty text', () => '', 'token_malformed'],
    ['two parts', () => token.slice(0, token.lastIndexOf('.')), 'token_malformed'],
    ['four parts', () => `${token}.e30`, 'token_malformed'],
    ['empty signature', () => token.slice(0, token.lastIndexOf('.') + 1), 'token_malformed'],
    ['truncated', () => token.slice(0, -10), 'bad_signature'],
    ['white space around', () => ` ${token} `, 'token_malformed'],
    ['padding', () => `${token}==`, 'token_malformed'],
    ['base64 twin of the signature', () => twinOf(token), 'token_malformed'],
    ['plain base64 alphabet', () => token.replace(/[A-Za-z]$/, '+'), 'token_malformed'],
    ['huge', () => `${token}${'A'.repeat(8192)}`, 'token_too_large'],
    [
      'alg none, unsigned',
      () => `${base64Url(header({ alg: 'none' }))}.${base64Url(CLAIMS)}.`,
      'token_malformed',
    ],
    ['alg none, signed', () => forge(header({ alg: 'none' }), CLAIMS), 'algorithm_not_allowed'],
    ['alg NONE', () => forge(header({ alg: 'NONE' }), CLAIMS), 'algorithm_not_allowed'],
    ['alg eddsa', () => forge(header({ alg: 'eddsa' }), CLAIMS), 'algorithm_not_allowed'],
    ['alg Ed25519', () => forge(header({ alg: 'Ed25519' }), CLAIMS), 'algorithm_not_allowed'],
    ['alg a list', () => forge(header({ alg: ['EdDSA'] }), CLAIMS), 'algorithm_not_allowed'],
    ['alg absent', () => forge({ kid: key.kid, typ: 'at+jwt' }, CLAIMS), 'algorithm_not_allowed'],
    ['HS256 with the public key', hs256, 'algorithm_not_allowed'],
    ['crit', () => forge(header({ crit: ['b64'], b64: false }), CLAIMS), 'critical_header'],
    ['empty crit', () => forge(header({ crit: [] }), CLAIMS), 'critical_header'],
    ['typ absent', () => forge({ alg: 'EdDSA', kid: key.kid }, CLAIMS), 'type_not_allowed'],
    ['typ JWT', () => forge(header({ typ: 'JWT' }), CLAIMS), 'type_not_allowed'],
    ['kid absent', () => forge({ alg: 'EdDSA', typ: 'at+jwt' }, CLAIMS), 'unknown_key'],
    ['kid unknown', () => forge(header({ kid: other.kid }), CLAIMS, other), 'unknown_key'],
    ['kid a path', () => forge(header({ kid: '../../../../dev/null' }), CLAIMS), 'unknown_key'],
    ['kid __proto__', () => forge(header({ kid: '__proto__' }), CLAIMS), 'unknown_key'],
    ['kid a number', () => forge(header({ kid: 0 }), CLAIMS), 'unknown_key'],
    ['kid in SQL', () => forge(header({ kid: "x' OR '1'='1" }), CLAIMS), 'unknown_key'],
    [
      'own jwk',
      () => forge(header({ jwk: publicJwks([verificationKeyOf(other)]).keys[0] }), CLAIMS, other),
      'bad_signature',
    ],
    ['own jku', () => forge(header({ jku: 'https://evil.example/jwks' }), CLAIMS, other), 'bad_signature'],
    ['own x5u', () => forge(header({ x5u: 'https://evil.example/x5u' }), CLAIMS, other), 'bad_signature'],
    ['own x5c', () => forge(header({ x5c: ['MIIB'] }), CLAIMS, other), 'bad_signature'],
    ['another key under our kid', () => forge(header(), CLAIMS, other), 'bad_signature'],
    ['payload changed', () => swapPayload({ ...CLAIMS, sub: 'root' }), 'bad_signature'],
    ['header no object', () => forge('[]', CLAIMS), 'token_malformed'],
    [
      'header with a member twice',
      () => forge(`{"alg":"none","alg":"EdDSA","kid":"${key.kid}","typ":"at+jwt"}`, CLAIMS),
      'token_malformed',
    ],
    ['claims no object', () => forge(header(), '"x"'), 'claims_malformed'],
    [
      'claim written twice',
      () => forge(header(), JSON.stringify(CLAIMS).replace('{', '{"sub":"root",')),
      'claims_malformed',
    ],
    [
      'exp 1e999',
      () => forge(header(), JSON.stringify(CLAIMS).replace(/"exp":\d+/, '"exp":1e999')),
      'claims_malformed',
    ],
    ['exp as text', () => forge(header(), { ...CLAIMS, exp: '9999999999' }), 'claims_malformed'],
    ['exp absent', () => forge(header(), { ...CLAIMS, exp: undefined }), 'claims_malformed'],
    ['exp negative', () => forge(header(), { ...CLAIMS, exp: -1 }), 'claims_malformed'],
    ['sub a number', () => forge(header(), { ...CLAIMS, sub: 1 }), 'claims_malformed'],
    ['sub an object', () => forge(header(), { ...CLAIMS, sub: { id: 'root' } }), 'claims_malformed'],
    ['sub empty', () => forge(header(), { ...CLAIMS, sub: '' }), 'claims_malformed'],
    ['jti absent', () => forge(header(), { ...CLAIMS, jti: undefined }), 'claims_malformed'],
    ['aud a number', () => forge(header(), { ...CLAIMS, aud: 1 }), 'claims_malformed'],
    ['tenant a list', () => forge(header(), { ...CLAIMS, tenant_id: ['t'] }), 'claims_malformed'],
    ['expired', () => forge(header(), { ...CLAIMS, exp: seconds - 60 }), 'token_expired'],
    ['not yet valid', () => forge(header(), { ...CLAIMS, nbf: seconds + 60 }), 'token_not_yet_valid'],
    ['issued tomorrow', () => forge(header(), { ...CLAIMS, iat: seconds + 86_400 }), 'token_not_yet_valid'],
    ['wrong issuer', () => forge(header(), { ...CLAIMS, iss: 'https://issuer.example/' }), 'wrong_issuer'],
    ['wrong audience', () => forge(header(), { ...CLAIMS, aud: 'platform2' }), 'wrong_audience'],
    ['wrong audiences', () => forge(header(), { ...CLAIMS, aud: ['a', 'b'] }), 'wrong_audience'],
  ];

  function hs256(): string {
    const publicPem = createPublicKey(key.privateKey).export({ format: 'pem', type: 'spki' });
    const signed = `${base64Url(header({ alg: 'HS256' }))}.${base64Url(CLAIMS)}`;
    return `${signed}.${createHmac('sha256', publicPem).update(signed).digest('base64url')}`;
  }
  function swapPayload(claims: object): string {
    const [head, , signature] = token.split('.');
    return `${head}.${base64Url(claims)}.${signature}`;
  }

  it.each(cases)('%s is refused', async (_name, make, code) => {
    expect(await refusal(make())).toBe(code);
  });

  it.each(cases)('%s is refused beside a cached good token too', async (_name, make, code) => {
    const cache = createVerifiedTokenCache();
    await verifyToken(token, { ...options(), cache });
    expect(await refusal(make(), { cache })).toBe(code);
    expect(await refusal(make(), { cache })).toBe(code);
  });

  it('a kind of token that is not accepted here is refused', async () => {
    expect(await refusal(token, { types: ['key+jwt'] })).toBe('type_not_allowed');
  });
});

describe('the cache of verified tokens', () => {
  it('the cache of verified tokens refuses a token that has expired since', async () => {
    const cache = createVerifiedTokenCache();
    expect(await refusal(token, { cache })).toBe('accepted');
    expect(await refusal(token, { cache, now: new Date(NOW.getTime() + 7_200_000) })).toBe('token_expired');
    expect(await refusal(token, { cache, audience: 'elsewhere' })).toBe('wrong_audience');
    expect(await refusal(token, { cache, types: ['key+jwt'] })).toBe('type_not_allowed');
  });

  it('the cache of verified tokens drops the tokens of a removed key', async () => {
    const cache = createVerifiedTokenCache();
    expect(await refusal(token, { cache })).toBe('accepted');
    expect(await refusal(token, { cache, keys: staticKeys([]) })).toBe('unknown_key');
    const replaced = { findKey: () => ({ kid: key.kid, key: verificationKeyOf(other).key }) };
    expect(await refusal(token, { cache, keys: replaced })).toBe('bad_signature');
  });

  it('the cache of verified tokens holds at most as many as configured', async () => {
    const cache = createVerifiedTokenCache(2);
    const known = { type: 'at+jwt' as const, kid: key.kid, key: verificationKeyOf(key).key };
    const tokenOf = (jti: string) => `${jti}.AA`;
    for (const jti of ['a', 'b', 'c']) cache.add(tokenOf(jti), { ...known, claims: { ...CLAIMS, jti } });
    expect(cache.find(tokenOf('a'))).toBeUndefined();
    expect(cache.find(tokenOf('c'))?.claims.jti).toBe('c');
  });
});

describe('verifySignature', () => {
  const hex = (text: string) => Buffer.from(text, 'hex');
  /** RFC 8032 section 7.1, tests 1 and 2. */
  const VECTORS = [
    {
      publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      message: '',
      signature:
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    },
    {
      publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      message: '72',
      signature:
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    },
  ];
  /** Order of the group (RFC 8032 section 5.1). A scalar that is larger by it signs the same in the group. */
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

  it.each(VECTORS)(
    'verifySignature accepts a signature of RFC 8032 and none of its forgeries',
    async (vector) => {
      const x = hex(vector.publicKey).toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const verify = (signature: Buffer) => verifySignature(key, hex(vector.message), signature);
      const genuine = hex(vector.signature);
      const scalar = BigInt(`0x${Buffer.from(genuine.subarray(32)).reverse().toString('hex')}`);
      const larger = Buffer.from((scalar + ORDER).toString(16).padStart(64, '0'), 'hex').reverse();
      const flipped = Buffer.from(genuine);
      flipped[0]! ^= 1;
      expect(await verify(genuine)).toBe(true);
      for (const forged of [
        Buffer.concat([genuine.subarray(0, 32), larger]),
        flipped,
        genuine.subarray(0, 63),
        Buffer.concat([genuine, Buffer.alloc(1)]),
        Buffer.alloc(64),
        Buffer.alloc(0),
      ]) {
        expect(await verify(forged)).toBe(false);
      }
    },
  );
});
