import { describe, expect, it } from '@jest/globals';
import { solveLoginProof } from '@platform/authz-client';
import { createLoginProofCheck } from './login-proof.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
const LOGIN = { username: 'alice', password: 'a guess' };

describe('login proof', () => {
  it('a login proof holds for the guess it was made for, and for no other guess, account or number of bits', async () => {
    const proof = await solveLoginProof(LOGIN, 10, NOW);
    const isProof = createLoginProofCheck(() => NOW);
    expect(isProof(LOGIN, proof, 10)).toBe(true);
    const others = ['b', 'c', 'd', 'e'].map((password) => isProof({ ...LOGIN, password }, proof, 10));
    expect(others).toEqual([false, false, false, false]);
    expect(isProof({ ...LOGIN, username: 'bob' }, proof, 10)).toBe(false);
    expect(isProof(LOGIN, proof, 32)).toBe(false);
  });

  it('a login proof holds for its minute and the one after, and never before', async () => {
    const proof = await solveLoginProof(LOGIN, 4, NOW);
    const at = (minutes: number) =>
      createLoginProofCheck(() => new Date(NOW.getTime() + minutes * 60_000))(LOGIN, proof, 4);
    expect([-1, 0, 1, 2].map(at)).toEqual([false, true, true, false]);
  });

  it.each(['', 'x', '1', ':', '1:', '1:2:3', `${NOW.getTime()}:-1`])(
    'a login proof of `%s` is refused',
    (proof) => {
      expect(createLoginProofCheck(() => NOW)(LOGIN, proof, 0)).toBe(false);
    },
  );
});
