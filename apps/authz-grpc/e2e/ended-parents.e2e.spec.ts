import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@platform/database';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import type { Caller } from '../src/authorization/caller.ts';
import { digestOf } from '../src/identity/one-time-token.ts';
import { createApiKey } from '../src/operations/api-keys.ts';
import { deleteTenantUserAssociation } from '../src/operations/associations.ts';
import { createTenant } from '../src/operations/create-tenant.ts';
import { createOAuthUser, loginOAuth } from '../src/operations/oauth.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  exchangeServiceAccountToken,
  rotateServiceAccountKey,
  updateServiceAccount,
} from '../src/operations/service-accounts.ts';
import {
  introspectCredential,
  login,
  logout,
  openSession,
  refreshLoginWithTenant,
} from '../src/operations/sessions.ts';
import { deleteTenant, updateTenant } from '../src/operations/tenants.ts';
import { deleteUser, updateUser } from '../src/operations/users.ts';
import { createEmailVerificationToken } from '../src/operations/verification.ts';
import type { ServiceDeps } from '../src/deps.ts';
import type { Write } from '../src/state/write.ts';
import { untilBlocked } from './blocked.fixture.ts';
import { startFleet, USER_PASSWORD, type Fleet, type Stores } from './service.fixture.ts';

const OTHER_PASSWORD = 'another password for tests 5178';
const HERE = '192.0.2.1';

/** A user with two sessions, the tenant they share with another one, its account, and a login front end. */
interface Scene {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** Callers: the session that makes credentials, the one for the tenant derived from it, and another one. */
  readonly plain: Caller;
  readonly inTenant: Caller;
  readonly other: Caller;
  readonly root: Caller;
  readonly tenantId: string;
  readonly accountId: string;
  readonly accountKey: string;
  readonly frontEndId: string;
  readonly frontEnd: Caller;
  readonly resetToken: string;
}

/** What was made: the text of a credential. */
type Made = string | void;
type Step = (deps: ServiceDeps, scene: Scene) => Promise<Made>;

const MAKERS: Record<string, Step> = {
  'a login by password': async (deps, { username }) =>
    (await login(deps, { username, password: USER_PASSWORD }, HERE)).token,
  'a login by OAuth': async (deps, { frontEnd, username }) =>
    (await loginOAuth(deps, frontEnd, { provider: 'test', subject: username })).token,
  'a session for the tenant': async (deps, { plain, tenantId }) =>
    (await refreshLoginWithTenant(deps, plain, tenantId)).token,
  'a key by a session': async (deps, { plain, id }) =>
    (await createApiKey(deps, plain, { userId: id })).apiKey,
  'a key for the tenant': async (deps, { inTenant, id }) =>
    (await createApiKey(deps, inTenant, { userId: id })).apiKey,
  'a service account': async (deps, { inTenant, tenantId }) =>
    (await createServiceAccount(deps, inTenant, { name: `a-${tenantId}`, description: '', tenantId })).token,
  'a rotated key': async (deps, { inTenant, accountId }) =>
    (await rotateServiceAccountKey(deps, inTenant, accountId, undefined)).token,
  'an exchanged token': async (deps, { accountKey }) =>
    (await exchangeServiceAccountToken(deps, accountKey, undefined)).token,
  'a reset token': async (deps, { frontEnd, id: userId, email }) =>
    (await createEmailVerificationToken(deps, frontEnd, { userId, email, type: 'password_reset' })).token,
};

const OF_USER = ['a login by password', 'a login by OAuth', 'a session for the tenant', 'a key by a session'];
const OF_TENANT = ['a session for the tenant', 'a key for the tenant', 'a service account', 'a rotated key'];
const OF_ACCOUNT = ['a rotated key', 'an exchanged token'];
const OF_SESSION = [...OF_TENANT, 'a key by a session'];
const OF_FRONT_END = ['a login by OAuth', 'a reset token'];
const FORCED = { allowLockout: true };

/** What ends something that credentials rest on, and the makers that it concerns. */
const ENDERS: Record<string, readonly [Step, readonly string[]]> = {
  'a logout': [(deps, { plain, id }) => logout(deps, plain, id), OF_SESSION],
  'a logout from the tenant': [(deps, { inTenant, id }) => logout(deps, inTenant, id), OF_TENANT],
  'a new password': [
    async (deps, { other, id }) => {
      const update = { id, password: OTHER_PASSWORD, currentPassword: USER_PASSWORD };
      await updateUser(deps, other, update, HERE);
    },
    [...OF_USER, ...OF_TENANT, 'a reset token'],
  ],
  'a new password that leaves the keys': [
    async (deps, { other, id }) => {
      const password = { password: OTHER_PASSWORD, currentPassword: USER_PASSWORD, revokeApiKeys: false };
      await updateUser(deps, other, { id, ...password }, HERE);
    },
    OF_SESSION,
  ],
  'a reset password': [
    async (deps, { frontEnd, id, resetToken }) => {
      await updateUser(deps, frontEnd, { id, password: OTHER_PASSWORD, resetToken }, HERE);
    },
    [...OF_USER, ...OF_TENANT],
  ],
  'a new address': [
    async (deps, { other, id }) => {
      await updateUser(deps, other, { id, email: `${randomUUID()}@example.org` }, HERE);
    },
    ['a reset token'],
  ],
  'the end of the user': [
    async (deps, { root, id }) => {
      await updateUser(deps, root, { id, active: false, ...FORCED }, HERE);
    },
    [...OF_USER, ...OF_TENANT, 'a reset token'],
  ],
  'the removal of the user': [
    (deps, { root, id }) => deleteUser(deps, root, id, FORCED),
    [...OF_USER, ...OF_TENANT, 'a reset token'],
  ],
  'the end of the membership': [
    (deps, { root, id, tenantId }) => deleteTenantUserAssociation(deps, root, tenantId, id, FORCED),
    OF_TENANT,
  ],
  'the end of the tenant': [
    (deps, { root, tenantId }) => updateTenant(deps, root, { id: tenantId, active: false }),
    [...OF_TENANT, ...OF_ACCOUNT],
  ],
  'the removal of the tenant': [
    (deps, { root, tenantId }) => deleteTenant(deps, root, tenantId),
    [...OF_TENANT, ...OF_ACCOUNT],
  ],
  'the end of the account': [
    (deps, { root, accountId: id }) => updateServiceAccount(deps, root, { id, active: false }),
    OF_ACCOUNT,
  ],
  'the removal of the account': [
    (deps, { root, accountId }) => deleteServiceAccount(deps, root, accountId),
    OF_ACCOUNT,
  ],
  'a new key of the account': [
    async (deps, { root, accountId }) =>
      (await rotateServiceAccountKey(deps, root, accountId, undefined)).token,
    OF_ACCOUNT,
  ],
  'a new key of the front end': [
    async (deps, { root, frontEndId }) =>
      (await rotateServiceAccountKey(deps, root, frontEndId, undefined)).token,
    OF_FRONT_END,
  ],
  'the end of the front end': [
    (deps, { root, frontEndId: id }) => updateServiceAccount(deps, root, { id, active: false }),
    OF_FRONT_END,
  ],
  'the removal of the front end': [
    (deps, { root, frontEndId }) => deleteServiceAccount(deps, root, frontEndId),
    OF_FRONT_END,
  ],
};

const PAIRS = Object.entries(ENDERS).flatMap(([ender, [, makers]]) =>
  [...new Set(makers)].map((maker) => [maker, ender] as const),
);

it('every operation that makes a credential is tried next to what ends its grounds', () => {
  expect(new Set(PAIRS.map(([maker]) => maker))).toEqual(new Set(Object.keys(MAKERS)));
});

/** Transactions of the embedded database queue, so that it can show less; a whole run tries it as well. */
const STORES = (['postgres and redis', 'embedded'] satisfies Stores[]).slice(0, soak(2, 1));

describe.each<Stores>(STORES)('over the stores %s', (stores) => {
  let fleet: Fleet;
  let deps: ServiceDeps;
  let observer: Database | undefined;
  beforeAll(async () => {
    fleet = await startFleet(stores, { env: { AUTHZ_TENANTS_PER_FOUNDER: '1000000' } });
    deps = (fleet.replicas[0] as Fleet['replicas'][number]).service.deps;
    if (fleet.databaseUrl !== null) observer = await openDatabase(fleet.databaseUrl, { embeddedFolder: '' });
  });
  afterAll(async () => {
    await observer?.close();
    await fleet.stop();
  });

  /** A caller with a new session of the user. */
  async function sessionOf(userId: string): Promise<Caller> {
    return deps.tokens.authenticate((await openSession(deps, userId, { lifeSeconds: 3_600 })).token);
  }

  async function openScene(): Promise<Scene> {
    const root = await sessionOf((await deps.stores.users.findRootId()) as string);
    const username = `user-${randomUUID()}`;
    const email = `${username}@example.org`;
    const oauth = { username, email, provider: 'test', subject: username, emailVerified: true };
    const id = await createOAuthUser(deps, root, oauth);
    await deps.stores.users.update(id, { passwordHash: await passwordHash() });
    const [plain, other] = [await sessionOf(id), await sessionOf(id)];
    const tenant = { name: `tenant-${randomUUID()}`, description: '' };
    const tenantId = await createTenant(deps, plain, tenant, HERE);
    const inTenant = (await refreshLoginWithTenant(deps, plain, tenantId)).token;
    const account = await createServiceAccount(deps, root, { name: 'robot', description: '', tenantId });
    const frontEnd = await createServiceAccount(deps, root, {
      name: `front-${randomBytes(8).toString('hex')}`,
      description: '',
      tenantId: null,
      scopes: ['identity'],
    });
    const proof = { userId: id, email, type: 'password_reset' } as const;
    return {
      id,
      username,
      email,
      plain,
      other,
      root,
      tenantId,
      inTenant: await deps.tokens.authenticate(inTenant),
      accountId: account.account.id,
      accountKey: account.token,
      frontEndId: frontEnd.account.id,
      frontEnd: await deps.tokens.authenticate(frontEnd.token),
      resetToken: (await createEmailVerificationToken(deps, root, proof)).token,
    };
  }

  let hash: Promise<string> | undefined;
  const passwordHash = () => (hash ??= deps.passwords.hash(USER_PASSWORD));

  /** The service with a step between its admission of a call and the call's transaction. */
  function pausing(pause: () => Promise<unknown>): ServiceDeps {
    let isFirst = true;
    const write: Write = async (work) => {
      if (isFirst) {
        isFirst = false;
        await pause();
      }
      return deps.write(work);
    };
    return { ...deps, write };
  }

  /** The service with a step between what a call writes and its commit. */
  function holding(pause: () => Promise<unknown>): ServiceDeps {
    let isFirst = true;
    const write: Write = (work) =>
      deps.write(async (...args) => {
        const result = await work(...args);
        if (isFirst) {
          isFirst = false;
          await pause();
        }
        return result;
      });
    return { ...deps, write };
  }

  type Settled = PromiseSettledResult<Made>;

  /** The second call comes between the admission of the first one and its transaction. */
  async function inside(one: Step, two: Step, scene: Scene): Promise<[Settled, Settled]> {
    let second: Promise<Made> | undefined;
    const start = async () => void (await Promise.allSettled([(second = two(deps, scene))]));
    return settle(one(pausing(start), scene), () => second ?? two(deps, scene));
  }

  /** The second call comes while the first one has written and not committed. */
  async function meanwhile(one: Step, two: Step, scene: Scene): Promise<[Settled, Settled]> {
    let second: Promise<Made> | undefined;
    const start = async () => {
      second = two(deps, scene);
      second.catch(() => undefined);
      await untilBlocked(observer as Database, second);
    };
    return settle(one(holding(start), scene), () => second ?? two(deps, scene));
  }

  async function settle(first: Promise<Made>, second: () => Promise<Made>): Promise<[Settled, Settled]> {
    const [one] = await Promise.allSettled([first]);
    const [two] = await Promise.allSettled([second()]);
    return [one, two];
  }

  async function stateOf(outcome: Settled): Promise<string> {
    if (outcome.status === 'rejected')
      return outcome.reason.reason === undefined ? String(outcome.reason) : 'refused';
    const text = outcome.value;
    if (text === undefined) return 'done';
    const isToken = text.includes('.');
    const isLive = isToken
      ? (await introspectCredential(deps, text)) !== null
      : (await deps.stores.verifications.take(digestOf(text), 'password_reset', deps.now())) !== null;
    return isLive ? 'live' : 'dead';
  }

  it.each(PAIRS)('%s and %s at once end as if one had come first', async (maker, ender) => {
    covers('AUTHZ-K.15', 'AUTHZ-K.3');
    const make = MAKERS[maker] as Step;
    const [end] = ENDERS[ender] as (typeof ENDERS)[string];
    const inOrder = async (one: Step, two: Step, scene: Scene) =>
      settle(one(deps, scene), () => two(deps, scene));
    const stateOfBoth = async (outcomes: readonly [Settled, Settled]) =>
      `made: ${await stateOf(outcomes[0])}, ended: ${await stateOf(outcomes[1])}`;
    const swap = ([one, two]: [Settled, Settled]): [Settled, Settled] => [two, one];
    const inOrderOf = [
      await stateOfBoth(await inOrder(make, end, await openScene())),
      await stateOfBoth(swap(await inOrder(end, make, await openScene()))),
    ];
    // What is over before the other one writes has come first.
    expect(await stateOfBoth(await inside(make, end, await openScene()))).toBe(inOrderOf[1]);
    expect(await stateOfBoth(swap(await inside(end, make, await openScene())))).toBe(inOrderOf[0]);
    // Transactions of the embedded database queue.
    if (observer === undefined) return;
    const seen = [
      await stateOfBoth(await meanwhile(make, end, await openScene())),
      await stateOfBoth(swap(await meanwhile(end, make, await openScene()))),
    ];
    expect([...new Set([...inOrderOf, ...seen])]).toEqual([...new Set(inOrderOf)]);
  });
});
