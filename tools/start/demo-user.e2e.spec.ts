import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openAuthzClients } from '@platform/authz-client';
import type { AuthzClients } from '@platform/authz-client';
import { ROOT_PASSWORD, startBuiltService } from '@platform/testing';
import type { BuiltProcess } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { ensureWatchKey } from './credentials.ts';
import type { DemoUser } from './demo-user.ts';
import { DemoUserLocked, ensureDemoUser } from './demo-user.ts';
import type { Demo } from './platform-file.ts';
import { openRootSession } from './root-user.ts';
import { authzTarget } from './services.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'demo-user-'));
let service: BuiltProcess;
let authz: AuthzClients;
let rootToken: string;

beforeAll(async () => {
  service = await startBuiltService('authz-grpc', {
    AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
    AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: '10000',
  });
  process.env['AUTHZ_GRPC_PORT'] = String(service.ports['grpc_port']);
  authz = openAuthzClients(authzTarget());
  rootToken = (await openRootSession(authz, { username: 'root', password: ROOT_PASSWORD }))!;
});
afterAll(async () => {
  authz.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** One start: the user, or why they cannot be logged in; what was told; what was written down last. */
async function start(known: Partial<Demo>, by: string | null = rootToken) {
  const told: string[] = [];
  let kept: Partial<Demo> | undefined;
  const user = await ensureDemoUser(authz, {
    known,
    rootToken: by,
    keep: (demo) => (kept = demo),
    tell: (sentence) => told.push(sentence),
  }).catch((error: unknown) => {
    if (error instanceof DemoUserLocked) return error;
    throw error;
  });
  return { user, told, kept };
}

let count = 0;
/** A demo user of their own, as a first start leaves them. */
async function firstStart(): Promise<DemoUser> {
  const { user } = await start({ username: `demo-${++count}` });
  return user as DemoUser;
}

/** Types the commands that a remedy names. */
async function typed(demo: DemoUser, remedy: string): Promise<DemoUser> {
  const env = {
    PATH: process.env['PATH'],
    PLATFORM_CONFIG: join(folder, 'config.json'),
    PLATFORM_PASSWORD: ROOT_PASSWORD,
  };
  for (const [, command] of remedy.matchAll(/`(node [^`]+)`/g))
    await promisify(execFile)('sh', ['-c', command!], { cwd: ROOT, env });
  return demo;
}

const asRoot = () => ({ token: rootToken });
const NEW_PASSWORD = 'a better one, 4711';

type Change = (demo: DemoUser) => Promise<unknown>;
const deleteUser: Change = ({ user_id: id }) => authz.users.deleteUser({ id, allowLockout: true }, asRoot());
const rename: Change = ({ user_id: id, username }) =>
  authz.users.updateUser({ id, username: `${username}-renamed` }, asRoot());
const takeName: Change = ({ username }) =>
  authz.users.createUser({ username, email: 'other@example.org', password: NEW_PASSWORD });

const MENDED: readonly [string, Change, { told?: RegExp; user: 'same' | 'new'; tenant: 'same' | 'new' }][] = [
  ['nothing', async () => undefined, { user: 'same', tenant: 'same' }],
  ['the user has another name', rename, { user: 'same', tenant: 'same' }],
  [
    'the user has another name, and another user theirs',
    async (demo) => [await rename(demo), await takeName(demo)],
    { user: 'same', tenant: 'same' },
  ],
  [
    'the tenant has another name',
    ({ tenant_id: id, tenant_name: name }) =>
      authz.tenants.updateTenant(
        { id, tenant: { id, name: `${name}-renamed`, domains: [] } as never },
        asRoot(),
      ),
    { user: 'same', tenant: 'same' },
  ],
  [
    'the tenant is deleted',
    ({ tenant_id: id }) => authz.tenants.deleteTenant({ id }, asRoot()),
    { told: /^The tenant `demo.*` is deleted; another one is made\.$/, user: 'same', tenant: 'new' },
  ],
  [
    'the user is deleted',
    deleteUser,
    { told: /^The user `demo-\d+` is deleted; another one is made, /, user: 'new', tenant: 'new' },
  ],
];

const LOCKED: readonly [
  string,
  Change,
  { why: RegExp; step: (demo: DemoUser, remedy: string) => Promise<Partial<Demo>> },
][] = [
  [
    'the user has another password',
    ({ user_id: id, password: currentPassword, token }) =>
      authz.users.updateUser({ id, currentPassword, password: NEW_PASSWORD }, { token }),
    {
      why: /^`demo-\d+` has another password than is there: write it there, as `demo\.password`/,
      step: async (demo) => ({ ...demo, password: NEW_PASSWORD }),
    },
  ],
  [
    'the user is deactivated',
    ({ user_id: id }) => authz.users.updateUser({ id, active: false, allowLockout: true }, asRoot()),
    {
      why: /^`demo-\d+` is deactivated: run `node dist.* login root --address .*`, then `node .* users activate /,
      step: typed,
    },
  ],
  [
    'the tenant is suspended',
    ({ tenant_id: id }) =>
      authz.tenants.updateTenant(
        { id, tenant: { id, active: false, domains: [] } as never, allowLockout: true },
        asRoot(),
      ),
    { why: /^the tenant `demo.*` is suspended: run /, step: typed },
  ],
  [
    'the user is no member of the tenant',
    ({ tenant_id: tenantId, user_id: userId }) =>
      authz.tenants.deleteTenantUserAssociation({ tenantId, userId, allowLockout: true }, asRoot()),
    { why: /^`demo-\d+` is not in the tenant `demo.*`: run /, step: typed },
  ],
  [
    'the user is deleted, and another one has their name',
    async (demo) => [await deleteUser(demo), await takeName(demo)],
    {
      why: /^there is a user `demo-\d+` whom no start made: .*: write another name there, as `demo\.username`/,
      step: async (demo) => ({ ...demo, username: `${demo.username}-again` }),
    },
  ],
];

describe('the demo user of a later start', () => {
  it.each(MENDED)('a start logs the demo user in when this has changed: %s', async (_, change, expected) => {
    covers('PLAT-D.14');
    const before = await firstStart();
    await change(before);
    const { user, told, kept } = await start(before);
    const after = user as DemoUser;
    expect(told.join()).toMatch(expected.told ?? /^$/);
    expect(kept).toEqual(after);
    expect([
      after.user_id === before.user_id,
      after.tenant_id === before.tenant_id,
      after.api_key === before.api_key,
    ]).toEqual([expected.user === 'same', expected.tenant === 'same', expected.tenant === 'same']);
    const request = { username: after.username, password: after.password, tenant: after.tenant_name };
    expect(await authz.sessions.login(request)).toMatchObject({ userId: after.user_id });
  });

  it.each(LOCKED)(
    'a start says why and what helps, which does help, when %s',
    async (_, change, expected) => {
      covers('PLAT-D.14');
      const before = await firstStart();
      await change(before);
      const { user } = await start(before);
      const { message, remedy } = user as DemoUserLocked;
      expect(`${message}: ${remedy}`).toMatch(expected.why);
      const after = await start(await expected.step(before, remedy));
      expect(after.user).toMatchObject({ token: expect.any(String) });
    },
  );

  it.each<[string, (demo: DemoUser) => Partial<Demo>]>([
    ['the demo', ({ username }) => ({ username })],
    ['the id of the user', ({ username, password }) => ({ username, password })],
    ['the tenant', ({ username, password, user_id }) => ({ username, password, user_id })],
    ['the user, and states a wrong password', ({ username }) => ({ username, password: NEW_PASSWORD })],
  ])('a start finds the user and tenant of an earlier one without %s in the file', async (_, left) => {
    covers('PLAT-D.13');
    const before = await firstStart();
    const { user } = await start(left(before));
    const { user_id, tenant_id, domain_id } = before;
    expect(user).toMatchObject({ user_id, tenant_id, domain_id });
    // A key that stands in other programs still opens what it did.
    const live = await authz.sessions.introspectCredential(
      { credential: before.api_key },
      { token: (user as DemoUser).token },
    );
    expect(live.live).toBe(true);
  });

  it('a start without the password of the root says that it needs it, and writes nothing', async () => {
    covers('PLAT-D.13');
    const { username } = await firstStart();
    const { user, kept } = await start({ username }, null);
    expect(user).toMatchObject({
      message: `there is a user \`${username}\`, whose password is not in the file`,
    });
    expect(kept).toBeUndefined();
  });

  it('a start says that the account that follows for investigation-api is deactivated', async () => {
    covers('PLAT-D.16');
    const demo = await firstStart();
    const watching = { ...demo, watch_key: await ensureWatchKey(authz, demo) };
    const account = await authz.sessions.introspectCredential({ credential: watching.watch_key }, asRoot());
    const { token } = demo;
    await authz.serviceAccounts.updateServiceAccount({ id: account.subjectId, active: false }, { token });
    await expect(ensureWatchKey(authz, watching)).rejects.toThrow('it is deactivated');
    await authz.serviceAccounts.updateServiceAccount({ id: account.subjectId, active: true }, { token });
    expect(await ensureWatchKey(authz, watching)).not.toBe(watching.watch_key);
  });
});
