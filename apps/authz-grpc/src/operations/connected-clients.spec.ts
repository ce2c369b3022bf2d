import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { redeemCode, refreshClientTokens } from './connected-clients.ts';

type IssueDeps = Parameters<typeof redeemCode>[0];
type Stores = Parameters<Parameters<IssueDeps['write']>[0]>[0];

const request = { clientId: 'x', resource: null };
const CALLS = [
  [
    'code',
    (deps: IssueDeps) => redeemCode(deps, { ...request, code: 'x', codeVerifier: 'x', redirectUri: 'x' }),
  ],
  ['refresh_token', (deps: IssueDeps) => refreshClientTokens(deps, { ...request, refreshToken: 'x' })],
] as const;
const spent = { grant: { id: 'x', userId: 'x', tenantId: 'x' }, isSpent: true };

/** Dependencies with a store in which every code and refresh token is this. */
function depsWith(taken: typeof spent | null): IssueDeps {
  const take = () => Promise.resolve(taken);
  const stores = {
    clientGrants: { takeCode: take, takeRefreshToken: take },
    credentials: { revoke: () => Promise.resolve([]) },
  } as unknown as Stores;
  const deps: Pick<IssueDeps, 'now' | 'write'> = {
    now: () => new Date(0),
    write: (work) => work(stores, () => undefined),
  };
  return deps as IssueDeps;
}

describe('the error of a refused code or refresh token', () => {
  it.each(CALLS)('an unknown %s is named, with what to do', async (field, call) => {
    covers('AUTHZ-OA.6', 'AUTHZ-OA.7');
    await expect(call(depsWith(null))).rejects.toMatchObject({
      reason: 'INVALID_ARGUMENT',
      field,
      message: `\`${field}\` is unknown or has ended: start the sign-in again`,
    });
  });

  it.each(CALLS)('a %s that was used before is named, with what to do', async (field, call) => {
    covers('AUTHZ-OA.6', 'AUTHZ-OA.7');
    await expect(call(depsWith(spent))).rejects.toMatchObject({
      reason: 'LOGIN_FAILED',
      field,
      message: `\`${field}\` was used before, too late or by others: start the sign-in again`,
    });
  });
});
