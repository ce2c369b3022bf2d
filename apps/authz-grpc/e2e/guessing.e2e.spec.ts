import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { requestContext, solveLoginProof } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { rootToken, USER_PASSWORD } from './service.fixture.ts';

const ATTEMPTS = 3;
/** What the service asks for at first. */
const PROOF_BITS = 18;

describe('guessing and flooding', () => {
  let now = Date.parse('2026-01-02T03:04:05Z');
  const { clients } = useFleet('postgres', {
    now: () => new Date(now),
    env: {
      AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: String(ATTEMPTS),
      AUTHZ_TENANTS_PER_FOUNDER: '2',
      AUTHZ_TRUSTED_PROXIES: '127.0.0.0/8,::1',
    },
  });

  /** The test's own proxy is trusted, so that calls come from any address. */
  const from = (address: string) => ({ metadata: { 'x-forwarded-for': address } });
  /** An address of a network of its own: those of one /64 are counted together. */
  const randomAddress = () => `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
  async function createOwner(): Promise<string> {
    const username = `owner-${randomUUID()}`;
    const user = { username, email: 'o@example.org', password: USER_PASSWORD };
    await clients.users.createUser(user, from(randomAddress()));
    return username;
  }
  const guess = (username: string, address: string, proof?: string) =>
    refusalOf(clients.sessions.login({ username, password: 'a wrong guess 123', proof }, from(address)));

  it('an owner can log in from their own address while somebody at another address guesses the password', async () => {
    covers('AUTHZ-K.11');
    const username = await createOwner();
    for (let i = 0; i < ATTEMPTS; i += 1)
      expect((await guess(username, '203.0.113.1')).reason).toBe('LOGIN_FAILED');
    expect((await guess(username, '203.0.113.1')).reason).toBe('PROOF_REQUIRED');
    const { token } = await clients.sessions.login(
      { username, password: USER_PASSWORD },
      from('203.0.113.2'),
    );
    expect(token).not.toBe('');
  });

  it('an owner who shares the address of a guesser can log in with one proof of work', async () => {
    covers('AUTHZ-K.11');
    const username = await createOwner();
    const login = { username, password: USER_PASSWORD };
    for (let i = 0; i <= ATTEMPTS; i += 1) await guess(username, '203.0.113.3');
    const refused = clients.sessions.login(login, from('203.0.113.3'));
    expect(await refusalOf(refused)).toMatchObject({
      code: 8,
      reason: 'PROOF_REQUIRED',
      fields: ['proof'],
      retryAfterSeconds: expect.any(Number),
    });
    const proof = await solveLoginProof(login, PROOF_BITS, new Date(now));
    // A proof for another guess is none for this one.
    expect((await guess(username, '203.0.113.3', proof)).reason).toBe('PROOF_REQUIRED');
    const { token } = await clients.sessions.login({ ...login, proof }, from('203.0.113.3'));
    expect(token).not.toBe('');
  });

  it('the login throttle counts failures only, and forgets them after a minute', async () => {
    covers('AUTHZ-K.11');
    const username = await createOwner();
    const login = { username, password: USER_PASSWORD };
    for (let i = 0; i < 3 * ATTEMPTS; i += 1) await clients.sessions.login(login, from('203.0.113.4'));
    for (let i = 0; i <= ATTEMPTS; i += 1) await guess(username, '203.0.113.4');
    now += 60_000;
    expect((await clients.sessions.login(login, from('203.0.113.4'))).token).not.toBe('');
  });

  it('the addresses of one IPv6 network are counted together', async () => {
    covers('AUTHZ-K.11');
    const username = await createOwner();
    const reasons: string[] = [];
    for (let i = 0; i <= ATTEMPTS; i += 1) reasons.push((await guess(username, `2001:db8:1:2::${i}`)).reason);
    expect(new Set(reasons.slice(0, ATTEMPTS))).toEqual(new Set(['LOGIN_FAILED']));
    expect(reasons.at(-1)).toBe('PROOF_REQUIRED');
    expect((await guess(username, '2001:db8:1:3::1')).reason).toBe('LOGIN_FAILED');
  });

  it('a password change that needs a proof takes it', async () => {
    covers('AUTHZ-K.11', 'AUTHZ-K.5');
    const username = await createOwner();
    const address = from('203.0.113.77');
    const login = { username, password: USER_PASSWORD };
    const { token, userId: id } = await clients.sessions.login(login, address);
    const change = (currentPassword: string, proof?: string) =>
      clients.users.updateUser(
        { id, currentPassword, password: 'another passphrase 5521', proof },
        { token, ...address },
      );
    for (let i = 0; i < ATTEMPTS; i += 1)
      expect(await refusalOf(change(`wrong guess number ${i}`))).toMatchObject({ code: 3 });
    expect(await refusalOf(change(USER_PASSWORD))).toMatchObject({ reason: 'PROOF_REQUIRED' });
    const proof = await solveLoginProof(login, PROOF_BITS, new Date(now));
    expect((await change(USER_PASSWORD, proof)).id).toBe(id);
  });

  it('an address that creates many users and tenants is refused', async () => {
    covers('AUTHZ-K.12');
    const make = () =>
      clients.users.createUser(
        { username: `flood-${randomUUID()}`, email: 'f@example.org', password: USER_PASSWORD },
        from('203.0.113.5'),
      );
    for (let i = 0; i < ATTEMPTS; i += 1) await make();
    expect(await refusalOf(make())).toMatchObject({ code: 8, reason: 'RATE_LIMITED' });
  });

  it('authz-grpc bounds the tenants of one founder, and not those of the system root', async () => {
    covers('AUTHZ-K.12');
    const username = await createOwner();
    const { token } = await clients.sessions.login(
      { username, password: USER_PASSWORD },
      from(randomAddress()),
    );
    const found = (as: string) =>
      clients.tenants.createTenant(
        { name: `t-${randomUUID()}`, description: '' },
        { token: as, ...from(randomAddress()) },
      );
    const first = await found(token);
    await found(token);
    expect(await refusalOf(found(token))).toMatchObject({ code: 9, reason: 'TENANTS_EXHAUSTED' });
    await clients.tenants.deleteTenant({ id: first.id }, { token });
    await found(token);
    const root = await rootToken(clients);
    for (let i = 0; i < 3; i += 1) await found(root);
  });

  it('the founder of a tenant may act in every domain that is not detached', async () => {
    covers('AUTHZ-K.13');
    const username = await createOwner();
    const { token: plain, userId } = await clients.sessions.login(
      { username, password: USER_PASSWORD },
      from(randomAddress()),
    );
    const { id: tenantId } = await clients.tenants.createTenant(
      { name: `t-${randomUUID()}`, description: '' },
      { token: plain, ...from(randomAddress()) },
    );
    const { token } = await clients.sessions.refreshLoginWithTenant({ tenantId }, { token: plain });
    const isAllowed = async (detached: boolean | undefined) => {
      const { id } = await clients.domains.createDomain(
        { tenantId, name: `d-${randomUUID()}`, superiorDomainIds: [], detached },
        { token },
      );
      const context = requestContext({ subject: userId, action: 'read', object: `svc://${id}/x` });
      return (await clients.authorization.checkAuthorization({ context }, { token })).authorized;
    };
    expect([await isAllowed(undefined), await isAllowed(true)]).toEqual([true, false]);
  });
});
