import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type Database, type Sql } from '@platform/database';
import { covers } from '@platform/testing/covers';
import { login, refreshLoginWithTenant } from '../src/operations/sessions.ts';
import { untilBlocked } from './blocked.fixture.ts';
import { refusalOf } from './clients.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  startFleet,
  USER_PASSWORD,
  type Fleet,
} from './service.fixture.ts';

const OTHER_PASSWORD = 'another password for tests 5178';

let fleet: Fleet;
/** A second writer, whose steps a test takes one by one. */
let rival: Database;
beforeAll(async () => {
  fleet = await startFleet('postgres and redis');
  rival = await openDatabase(fleet.databaseUrl as string, { embeddedFolder: '' });
});
afterAll(async () => {
  await rival.close();
  await fleet.stop();
});

const deps = () => (fleet.replicas[0] as Fleet['replicas'][number]).service.deps;

/** `make`, and once, after its first response, `then`. */
function followedBy<A extends unknown[], R>(make: (...args: A) => Promise<R>, then: () => Promise<unknown>) {
  let isFirst = true;
  return async (...args: A): Promise<R> => {
    const result = await make(...args);
    if (isFirst) {
      isFirst = false;
      await then();
    }
    return result;
  };
}

/** What a call says that arrives while the rival has taken its steps and not committed them. */
async function refusalWhile(steps: (sql: Sql) => Promise<unknown>, call: () => Promise<unknown>) {
  let refused: ReturnType<typeof refusalOf> | undefined;
  await rival.transaction(async (sql) => {
    await steps(sql);
    const called = call();
    refused = refusalOf(called);
    refused.catch(() => undefined);
    await untilBlocked(rival, called);
  });
  return refused;
}

describe('a password changed at the same time', () => {
  it('a password change leaves no session of a concurrent login with the old password', async () => {
    covers('AUTHZ-S.1');
    const { clients } = fleet;
    const { userId, username, plainToken } = await createUserAndLogin(clients);
    const change = () =>
      clients.users.updateUser(
        { id: userId, password: OTHER_PASSWORD, currentPassword: USER_PASSWORD },
        { token: plainToken },
      );
    const racing = {
      ...deps(),
      passwords: { ...deps().passwords, matches: followedBy(deps().passwords.matches, change) },
    };
    await expect(login(racing, { username, password: USER_PASSWORD }, 'here')).rejects.toMatchObject({
      reason: 'LOGIN_FAILED',
    });
    const { rows } = await rival.query(
      'SELECT jti FROM credentials WHERE subject_id = $1 AND revoked_at IS NULL',
      [userId],
    );
    expect(rows).toHaveLength(1);
  });

  it('a password change leaves no session that was exchanged for an ended one', async () => {
    covers('AUTHZ-P.RefreshLoginWithTenant');
    const { clients } = fleet;
    const { userId, username, plainToken, tenantId } = await createTenancy(clients);
    const { token: own } = await clients.sessions.login({ username, password: USER_PASSWORD });
    const change = () =>
      clients.users.updateUser(
        { id: userId, password: OTHER_PASSWORD, currentPassword: USER_PASSWORD },
        { token: own },
      );
    const caller = await deps().tokens.authenticate(plainToken);
    const decisions = { ...deps().decisions, runDecision: followedBy(deps().decisions.runDecision, change) };
    await expect(
      refreshLoginWithTenant({ ...deps(), decisions: decisions }, caller, tenantId),
    ).rejects.toMatchObject({ reason: 'TOKEN_INVALID' });
    const { rows } = await rival.query(
      'SELECT jti FROM credentials WHERE subject_id = $1 AND revoked_at IS NULL',
      [userId],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('what a write builds on, deleted at the same time', () => {
  it('deleting an association removes the attributes that were being set for it', async () => {
    covers('AUTHZ-P.SetUserAttribute');
    const { clients } = fleet;
    const { token, tenantId } = await createTenancy(clients);
    const { userId } = await createUserAndLogin(clients);
    await clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token });
    const refused = await refusalWhile(
      async (sql) => {
        await sql.query('DELETE FROM associations WHERE tenant_id = $1 AND user_id = $2', [tenantId, userId]);
        await sql.query('DELETE FROM attributes WHERE tenant_id = $1 AND user_id = $2', [tenantId, userId]);
      },
      () =>
        clients.attributes.setUserAttribute(
          { userId, attributeKey: 'role', attributeValues: ['admin'] },
          { token },
        ),
    );
    expect(refused).toMatchObject({ code: 5, reason: 'USER_NOT_FOUND' });
    await clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token });
    const { attributes } = await clients.attributes.getUserAttributes({ userId }, { token });
    expect([...attributes]).toEqual([]);
  });

  it('an association does not find a user who is being deleted', async () => {
    covers('AUTHZ-P.CreateTenantUserAssociation');
    const { clients } = fleet;
    const { token, tenantId } = await createTenancy(clients);
    const { userId } = await createUserAndLogin(clients);
    const refused = await refusalWhile(
      (sql) => sql.query('DELETE FROM users WHERE id = $1', [userId]),
      () => clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token }),
    );
    expect(refused).toMatchObject({ code: 5, reason: 'USER_NOT_FOUND' });
  });

  it('a service account does not find a tenant that is being deleted', async () => {
    covers('AUTHZ-P.CreateServiceAccount');
    const { clients } = fleet;
    const { token, tenantId } = await createTenancy(clients);
    const refused = await refusalWhile(
      (sql) => sql.query('DELETE FROM tenants WHERE id = $1', [tenantId]),
      () =>
        clients.serviceAccounts.createServiceAccount({ name: 'robot', description: '', tenantId }, { token }),
    );
    expect(refused).toMatchObject({ code: 5, reason: 'TENANT_NOT_FOUND' });
  });

  it('a user who is being deleted cannot create a tenant', async () => {
    covers('AUTHZ-P.CreateTenant');
    const { clients } = fleet;
    const { userId, plainToken: token } = await createUserAndLogin(clients);
    const refused = await refusalWhile(
      (sql) => sql.query('DELETE FROM users WHERE id = $1', [userId]),
      () => clients.tenants.createTenant({ name: `tenant-${randomUUID()}`, description: '' }, { token }),
    );
    expect(refused).toMatchObject({ code: 16, reason: 'TOKEN_INVALID' });
  });

  it('a tenant is deleted although a member is removed in the other order', async () => {
    covers('AUTHZ-P.DeleteTenant', 'AUTHZ-P.DeleteUser');
    const { clients } = fleet;
    const { token, userId, tenantId } = await createTenancy(clients);
    let deleted: Promise<unknown> | undefined;
    await rival.transaction(async (sql) => {
      await sql.query("SET LOCAL deadlock_timeout = '1h'");
      // As DeleteUser does: the associations first, the credentials then.
      await sql.query('DELETE FROM users WHERE id = $1', [userId]);
      deleted = clients.tenants.deleteTenant({ id: tenantId }, { token });
      deleted.catch(() => undefined);
      await untilBlocked(rival, deleted);
      await sql.query('UPDATE credentials SET revoked_at = now() WHERE subject_id = $1', [userId]);
    });
    await deleted;
    expect((await rival.query('SELECT 1 FROM tenants WHERE id = $1', [tenantId])).rows).toEqual([]);
  });

  it('a tenant is deleted once by concurrent calls', async () => {
    covers('AUTHZ-P.DeleteServiceAccount');
    const { clients } = fleet;
    const { token, tenantId } = await createTenancy(clients);
    const { serviceAccountId: id } = await clients.serviceAccounts.createServiceAccount(
      { name: 'robot', description: '', tenantId },
      { token },
    );
    const refused = await refusalWhile(
      (sql) => sql.query('DELETE FROM service_accounts WHERE id = $1', [id]),
      () => clients.serviceAccounts.deleteServiceAccount({ id }, { token }),
    );
    expect(refused).toMatchObject({ code: 5, reason: 'SERVICE_ACCOUNT_NOT_FOUND' });
  });
});
