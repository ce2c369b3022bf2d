import { Writable } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { createLogger } from '@platform/service-kit';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, type Tenancy } from './service.fixture.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly method?: string;
  readonly request?: { readonly path: string };
  readonly [field: string]: unknown;
}

/** A logger whose lines are kept. */
function keptLog() {
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n')) if (line !== '') lines.push(JSON.parse(line) as Line);
      done();
    },
  });
  return { lines, logger: createLogger({ service: 'test', level: 'info' }, stream) };
}

describe.each(['all', 'changes', 'errors'] as const)(
  'the log of calls with AUTHZ_ACCESS_LOG=%s',
  (setting) => {
    const { lines, logger } = keptLog();
    const fleet = useFleet('postgres', { env: { AUTHZ_ACCESS_LOG: setting }, logger });
    let tenancy: Tenancy;
    beforeAll(async () => {
      tenancy = await createTenancy(fleet.clients);
    });

    /** The lines that the work leaves. */
    async function linesOf(work: () => Promise<unknown>): Promise<Line[]> {
      const before = lines.length;
      await work();
      return lines.slice(before);
    }
    const contextOf = (domainId: string) => ({ subject: 'a', action: 'b', object: `svc://${domainId}/x` });
    const post = (domainId: string) =>
      fetch(`${fleet.httpUrl}/v1/authz/check`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenancy.token}` },
        body: JSON.stringify({ context: contextOf(domainId) }),
      });

    it('a check leaves one line when it is asked for, over gRPC and REST', async () => {
      covers('AUTHZ-U.9');
      const { clients } = fleet;
      const context = requestContext(contextOf(tenancy.rootDomainId));
      const grpc = await linesOf(() =>
        clients.authorization.checkAuthorization({ context }, { token: tenancy.token }),
      );
      const rest = await linesOf(() => post(tenancy.rootDomainId));
      const count = setting === 'all' ? 1 : 0;
      expect([grpc.length, rest.length]).toEqual([count, count]);
    });

    it('a change leaves one line with code, duration, caller, tenant and address', async () => {
      covers('AUTHZ-U.9');
      const { token, tenantId, userId } = tenancy;
      const left = await linesOf(() =>
        fleet.clients.domains.createDomain({ tenantId, name: 'made', superiorDomainIds: [] }, { token }),
      );
      const line = {
        level: 'info',
        msg: 'call',
        method: 'CreateDomain',
        code: 0,
        duration_ms: expect.any(Number),
        caller: userId,
        tenant: tenantId,
        address: '127.0.0.1',
        request_id: expect.any(String),
      };
      expect(left).toEqual(setting === 'errors' ? [] : [expect.objectContaining(line)]);
    });

    it('a refused call leaves one line with its reason, over gRPC and REST', async () => {
      covers('AUTHZ-U.9');
      const { token, userId } = tenancy;
      const grpc = await linesOf(() => refusalOf(fleet.clients.tenants.refreshTenants({}, { token })));
      const line = {
        level: 'info',
        method: 'RefreshTenants',
        code: 7,
        reason: 'ACCESS_DENIED',
        caller: userId,
      };
      expect(grpc).toEqual([expect.objectContaining(line)]);
      const rest = await linesOf(() => post('00000000-0000-4000-8000-000000000000'));
      const more = { level: 'info', response: { status: 403 }, caller: userId, address: '127.0.0.1' };
      expect(rest).toEqual([expect.objectContaining(more)]);
    });

    it('a refused login is a warning', async () => {
      covers('AUTHZ-U.9');
      const { username } = tenancy;
      const grpc = await linesOf(() =>
        refusalOf(fleet.clients.sessions.login({ username, password: 'not the password of the user' })),
      );
      expect(grpc).toEqual([
        expect.objectContaining({ level: 'warn', method: 'Login', reason: 'LOGIN_FAILED' }),
      ]);
      const rest = await linesOf(() =>
        fetch(`${fleet.httpUrl}/v1/auth/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ credential: 'x' }),
        }),
      );
      // The line with the cause, which only operators see, is one of its own.
      expect(rest.filter(({ msg }) => msg === 'request')).toEqual([
        expect.objectContaining({ level: 'warn', response: { status: 401 } }),
      ]);
      expect(JSON.stringify(lines)).not.toContain('not the password of the user');
    });
  },
);
