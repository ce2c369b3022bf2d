import { generateKeyPairSync } from 'node:crypto';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

  /** Asks until it is answered; each try is refused as unavailable when there is no response in time. */
  async function askUntilAnswered(authority: ReturnType<typeof connectAuthority>): Promise<void> {
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
      await askUntilAnswered(authority);
      // The same for a connection that worked before.
      way.silence(direction);
      await expect(authority.leaseStates([])).rejects.toMatchObject({ kind: 'unavailable' });
      way.speak();
      await askUntilAnswered(authority);
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
