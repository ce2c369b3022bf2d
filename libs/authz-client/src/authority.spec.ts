import { generateKeyPairSync } from 'node:crypto';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { PolicySetServiceService } from '@platform/proto/authz/v1/policy_set';
import { PublicKeyServiceService } from '@platform/proto/authz/v1/public_key';
import { SessionServiceService } from '@platform/proto/authz/v1/session';
import { openTcpProxy, type Severable } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { connectAuthority } from './authority.ts';

describe('authz-grpc as other services reach it', () => {
  let server: Server;
  let way: Severable;
  let loads = 0;
  beforeAll(async () => {
    server = new Server();
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const key = { publicKeyBytes: Buffer.from(x!, 'base64url'), algorithm: 'EdDSA', keyId: 'current' };
    server.addService(PublicKeyServiceService, {
      getPublicKey: (_call: unknown, respond: (error: null, value: object) => void) => {
        loads++;
        respond(null, { ...key, keys: [key] });
      },
    });
    server.addService(SessionServiceService, {
      getLeaseStates: (_call: unknown, respond: (error: null, value: object) => void) =>
        respond(null, { states: [] }),
    });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    way = await openTcpProxy({ host: '127.0.0.1', port });
  });
  afterAll(async () => {
    await way.cut();
    server.forceShutdown();
  });

  /** Asks until a response comes; each try is refused as unavailable when there is no response in time. */
  async function askUntilReached(authority: ReturnType<typeof connectAuthority>): Promise<void> {
    for (;;) {
      const outcome = await authority.leaseStates([]).catch((error: unknown) => error);
      if (Array.isArray(outcome)) return;
      expect(outcome).toMatchObject({ kind: 'unavailable' });
    }
  }

  it.each([undefined, 'requests', 'responses'] as const)(
    'authz-grpc is found again after a silence in which connections were made that stay silent: %s',
    async (direction) => {
      covers('PLAT-W.5');
      way.silence(direction);
      const authority = connectAuthority(`127.0.0.1:${way.port}`);
      await expect(authority.leaseStates([])).rejects.toMatchObject({ kind: 'unavailable' });
      way.speak();
      await askUntilReached(authority);
      // The same for a connection that worked before.
      way.silence(direction);
      await expect(authority.leaseStates([])).rejects.toMatchObject({ kind: 'unavailable' });
      way.speak();
      await askUntilReached(authority);
      authority.close();
    },
  );

  it('a service that waited for the first load has the keys when its first request comes', async () => {
    covers('PLAT-W.5');
    const before = loads;
    const authority = connectAuthority(`127.0.0.1:${way.port}`);
    await authority.triedKeys;
    await authority.keys.findKey('');
    expect(loads).toBe(before + 1);
    authority.close();
  });

  it('a service that waits for the first load starts without authz-grpc', async () => {
    covers('PLAT-W.5');
    way.silence();
    const authority = connectAuthority(`127.0.0.1:${way.port}`);
    await authority.triedKeys;
    await expect(authority.keys.findKey('')).rejects.toMatchObject({ kind: 'unavailable' });
    authority.close();
    way.speak();
  });
});

describe('what authz-grpc says about rights and sets of policies', () => {
  type Respond = (error: { code: number; details: string } | null, value?: object) => void;
  let server: Server;
  let authority: ReturnType<typeof connectAuthority>;
  let asked: unknown[];
  /** What every call returns; a number is the status it is refused with. */
  let reply: object | number;
  beforeAll(async () => {
    server = new Server();
    const respond = (call: { request: unknown }, done: Respond) => {
      asked.push(call.request);
      if (typeof reply === 'number') done({ code: reply, details: 'refused' });
      else done(null, reply);
    };
    server.addService(AuthorizationServiceService, { batchCheckAuthorization: respond });
    server.addService(PolicySetServiceService, { listPolicyVersions: respond });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    authority = connectAuthority(`127.0.0.1:${port}`);
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => {
    authority.close();
    server.forceShutdown();
  });

  const DOMAIN = { tenantId: 'tenant', domainId: 'domain' };
  const CHECKS = [
    { subject: 's', action: 'read', object: 'svc://d/a' },
    { subject: 's', action: 'read', object: 'svc://d/b' },
  ];

  it('policyVersions gives the newest sets of policies first, at most as many as asked for', async () => {
    covers('INV-WATCH.19');
    const set = { authorId: 'u', message: 'm', digest: 'd', writtenAt: new Date(5_000) };
    const unsaid = { authorId: '', message: '', digest: '', writtenAt: undefined };
    reply = {
      versions: [
        { ...set, version: 7n },
        { ...unsaid, version: 3n },
      ],
      nextPageToken: '',
    };
    expect(await authority.policyVersions('key', DOMAIN, 20)).toEqual([
      { ...set, version: 7 },
      { version: 3, authorId: '', message: '', digest: '', writtenAt: null },
    ]);
    expect(asked).toEqual([expect.objectContaining({ ...DOMAIN, pageSize: 20 })]);
  });

  it.each(['PERMISSION_DENIED', 'NOT_FOUND', 'INVALID_ARGUMENT'] as const)(
    'a domain of which no sets are shown is none to its reader: %s',
    async (code) => {
      covers('INV-WATCH.21');
      reply = status[code];
      expect(await authority.policyVersions('key', DOMAIN, 1)).toBeNull();
    },
  );

  it.each([
    ['UNAUTHENTICATED', 'unauthenticated'],
    ['RESOURCE_EXHAUSTED', 'rate_limited'],
    ['INTERNAL', 'unavailable'],
  ] as const)('policyVersions throws where sets of policies cannot be read now: %s', async (code, kind) => {
    covers('INV-WATCH.19');
    reply = status[code];
    await expect(authority.policyVersions('key', DOMAIN, 1)).rejects.toMatchObject({ kind });
  });

  it('a caller whose credential may not ask is allowed nothing', async () => {
    covers('INV-WATCH.17');
    reply = status.PERMISSION_DENIED;
    expect(await authority.areAllowed('key', CHECKS)).toEqual([false, false]);
  });

  it('a credential that may not ask gets an error about others and no result', async () => {
    covers('INV-WATCH.22');
    reply = status.PERMISSION_DENIED;
    await expect(authority.areOthersAllowed('key', CHECKS)).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    reply = {
      results: [
        { authorized: true, checkId: '1' },
        { authorized: false, checkId: '2' },
      ],
    };
    expect(await authority.areOthersAllowed('key', CHECKS)).toEqual([true, false]);
  });
});
