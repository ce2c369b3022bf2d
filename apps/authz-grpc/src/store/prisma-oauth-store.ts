import { orNameTaken } from './prisma-name-taken.ts';
import type { OAuthStore } from './oauth-store.ts';
import { bytes, type StoreClient } from './prisma-store-client.ts';

export function createOAuthStore({ prisma: { oAuthIdentity, oAuthState } }: StoreClient): OAuthStore {
  return {
    async findUser(provider, subject) {
      const found = await oAuthIdentity.findFirst({
        where: { provider, subject },
        select: { user: { select: { id: true, username: true, email: true } } },
      });
      if (found === null) return null;
      const { id, username, email } = found.user;
      return { userId: id, username, email };
    },
    async insertIdentity(provider, subject, userId) {
      const made = oAuthIdentity.create({ data: { provider, subject, userId } });
      await orNameTaken(made, 'the identity belongs to a user already', 'oauth_subject');
    },
    async insertState(stateHash, state, expiresAt) {
      const made = oAuthState.create({ data: { ...state, stateHash: bytes(stateHash), expiresAt } });
      await orNameTaken(made, 'the state is stored already', 'state');
    },
    async takeState(stateHash, now) {
      // One conditional statement, so that exactly one of several concurrent calls finds the state unused.
      const [taken] = await oAuthState.updateManyAndReturn({
        where: { stateHash: bytes(stateHash), usedAt: null, expiresAt: { gt: now } },
        data: { usedAt: now },
        select: { tenantId: true, redirectUri: true, nonce: true },
      });
      return taken ?? null;
    },
    async removeExpired(before) {
      await oAuthState.deleteMany({ where: { expiresAt: { lt: before } } });
    },
  };
}
