import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, rootToken, type Tenancy } from './service.fixture.ts';

/** More reads of the clock than the calls of a test make before they begin to decide. */
const READS_OF_BEGUN_BATCHES = 200;

/** Called whenever the service reads its clock, which it does for every decision. */
let onClockRead = () => {};
const fleet = useFleet('postgres', {
  now: () => {
    onClockRead();
    return new Date();
  },
});
let busy: Tenancy;
let calm: Tenancy;
beforeAll(async () => {
  busy = await createTenancy(fleet.clients);
  calm = await createTenancy(fleet.clients);
  const policies = Array.from({ length: 1_500 }, (_, n) =>
    policy(`p${n}`, { subject: `^(a|b)${n}[a-z]{1,40}$` }, { engine: EvaluationEngine.REGEX }),
  );
  await fleet.clients.domains.putDomainPolicies(
    { tenantId: busy.tenantId, domainId: busy.rootDomainId, policies, allowLockout: true },
    { token: busy.token },
  );
});

/** Resolves when the service has read its clock so many times from now. */
const afterClockReads = (count: number) =>
  new Promise<void>((resolve) => {
    let reads = 0;
    onClockRead = () => {
      reads += 1;
      if (reads === count) resolve();
    };
  });

const contextOf = ({ rootDomainId }: Tenancy, subject: string) => ({
  context: requestContext({ subject, action: 'read', object: `svc://${rootDomainId}/reports/1` }),
});

describe('batches of a tenant with many patterns', () => {
  it.each<[string, number]>([
    ['one batch', 1],
    ['many batches', 5],
  ])('a check of another tenant sent during %s is decided before the last item', async (_name, count) => {
    covers('AUTHZ-G.12');
    const { authorization } = fleet.clients;
    let checkId = '';
    const onTrailer = (trailer: { get(key: string): unknown[] }) =>
      (checkId = String(trailer.get('x-check-id')[0]));
    const check = () =>
      authorization.checkAuthorization(contextOf(calm, calm.userId), { token: calm.token, onTrailer });
    // What both tenants' decisions read is in memory after these, so that no decision waits for Postgres.
    await check();
    await authorization.checkAuthorization(contextOf(busy, 'a1x'), { token: busy.token });
    const begun = afterClockReads(READS_OF_BEGUN_BATCHES);
    const checks = Array.from({ length: 1_000 }, (_, n) => contextOf(busy, `a${n}x`));
    const batches = Promise.all(
      Array.from({ length: count }, () =>
        authorization.batchCheckAuthorization({ checks }, { token: busy.token }),
      ),
    );
    await begun;
    await check();
    const items = (await batches).flatMap(({ results }) => results);
    expect(items.map(({ authorized }) => authorized)).toEqual(items.map(() => true));
    // Ids ascend in the order of the decisions. The order of the responses depends on Postgres, too.
    const decided = [...items.map((item) => item.checkId), checkId].sort();
    expect(decided.indexOf(checkId)).toBeGreaterThan(0);
    expect(decided.indexOf(checkId)).toBeLessThan(decided.length - 1);
  });
});

describe('batches whose callers give up', () => {
  let raw: Client;
  beforeAll(() => {
    raw = new Client(`127.0.0.1:${fleet.replicas[0]!.service.grpcPort}`, credentials.createInsecure());
  });
  afterAll(() => raw.close());

  const subjects = Array.from({ length: 1_000 }, (_, n) => `a${n}x`);
  const checksOf = () => subjects.map((subject) => contextOf(busy, subject));
  const overGrpc = (signal: AbortSignal) =>
    new Promise((resolve, reject) => {
      const metadata = new Metadata();
      metadata.set('authorization', `Bearer ${busy.token}`);
      const { batchCheckAuthorization } = AuthorizationServiceService;
      const call = raw.makeUnaryRequest(
        batchCheckAuthorization.path,
        batchCheckAuthorization.requestSerialize,
        batchCheckAuthorization.responseDeserialize,
        { checks: checksOf() },
        metadata,
        (error, response) => (error === null ? resolve(response) : reject(error)),
      );
      signal.addEventListener('abort', () => call.cancel());
    });
  const overRest = async (signal: AbortSignal) => {
    const object = `svc://${busy.rootDomainId}/reports/1`;
    const checks = subjects.map((subject) => ({ context: { subject, action: 'read', object } }));
    const response = await fetch(`${fleet.httpUrl}/v1/authz/check:batch`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${busy.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ checks }),
      signal,
    });
    return response.json();
  };

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['gRPC', overGrpc],
    ['REST', overRest],
  ])(
    'a batch over %s whose caller is gone is not decided to its end, and leaves no row',
    async (_name, send) => {
      covers('AUTHZ-K.18');
      const { token } = busy;
      const { authorization } = fleet.clients;
      const root = await rootToken(fleet.clients);
      const countRows = async () => {
        const { events } = await authorization.listAuditEvents(
          { tenantId: busy.tenantId, limit: 1, cursor: '' },
          { token: root },
        );
        return events[0]!.sequence;
      };
      /** Decides a whole batch, and returns how often the service read its clock for it and meanwhile. */
      const readsOfWhole = async () => {
        let reads = 0;
        onClockRead = () => (reads += 1);
        const { results } = await authorization.batchCheckAuthorization({ checks: checksOf() }, { token });
        expect(results).toHaveLength(1_000);
        return reads;
      };
      const whole = await readsOfWhole();
      const before = await countRows();
      const caller = new AbortController();
      const begun = afterClockReads(READS_OF_BEGUN_BATCHES);
      const batch = send(caller.signal);
      await Promise.race([begun, batch]);
      caller.abort();
      await expect(batch).rejects.toThrow();
      // Slices take turns: the rest of the batch would be decided before this one is.
      expect(await readsOfWhole()).toBeLessThan(1.5 * whole);
      expect((await countRows()) - before).toBe(1_000n);
    },
  );
});
