import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Postgres } from '@platform/testing';
import { migratedDatabase, startPostgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import type { Authz, Member, Tenant } from './authz.fixture.ts';
import { addMember, allow, createTenant, startAuthz } from './authz.fixture.ts';
import type { BuiltService } from './built-service.fixture.ts';
import { startBuilt } from './built-service.fixture.ts';
import { connectOverHttp, data, DEMO, largeInvestigation, textOf } from './mcp-clients.ts';

let postgres: Postgres;
let authz: Authz;
let service: BuiltService;
let tenant: Tenant;
beforeAll(async () => {
  postgres = await startPostgres();
  authz = await startAuthz(await postgres.createDatabase());
  const DATABASE_URL = await migratedDatabase(postgres, 'investigation-api');
  service = await startBuilt({
    DATABASE_URL,
    INVESTIGATION_AUTHZ_URL: `dns:///${authz.target}`,
    INVESTIGATION_JWT_PUBLIC_KEY: '',
  });
  tenant = await createTenant(authz);
});
afterAll(async () => {
  await service?.stop();
  await authz?.kill();
  await postgres?.stop();
});

const connect = ({ token }: Member, path = '/mcp?toolsets=all') =>
  connectOverHttp(service, { era: { pin: '2026-07-28' }, path, token });

interface Verdicts {
  readonly subject_results: readonly { subject_id: string; predicate: string; truth_status: string }[];
}
/** What does not change with the minute. */
const headlines = ({ subject_results }: Verdicts) =>
  subject_results.map(({ subject_id, predicate, truth_status }) => [subject_id, predicate, truth_status]);

describe('the tools with the authorization service', () => {
  it('MCP tools take an investigation from its claims to its share under the authorization service', async () => {
    covers('INV-T.4');
    const client = await connect(tenant.owner);
    await client.listTools();
    const { claims, ...rest } = DEMO as { claims: { id: string }[] };
    const { session_id } = await data<{ session_id: string }>(client, 'create_investigation_session', {
      name: 'First flight',
      payload: { ...rest, claims: [] },
    });
    const session = { session_id };
    for (const claim of claims) await data(client, 'upsert_investigation_claim', { ...session, claim });
    const { result } = await data<{ result: Verdicts }>(client, 'judge_investigation_session', {
      ...session,
      detail: 'full',
    });
    const alone = await data<Verdicts>(client, 'submit_investigation', { ...DEMO, detail: 'full' });
    expect(headlines(result)).toEqual(headlines(alone));
    const pair = { ...session, subject_id: 'first-flight', predicate: 'achieved_by' };
    expect(await data(client, 'explain_verdict', pair)).toMatchObject({
      explanation: { leading_value: 'Wilbur and Orville Wright', truth_status: 'True' },
    });
    await data(client, 'set_session_interpretation', { ...session, interpretation: 'They flew.' });
    const { url } = await data<{ url: string }>(client, 'share_investigation_session', {
      ...session,
      public: true,
    });
    expect(await (await fetch(`${url}.json`)).json()).toMatchObject({ interpretation: 'They flew.' });
    const { sessions } = await data(client, 'list_investigation_sessions', { has_result: true });
    expect(sessions).toEqual([expect.objectContaining({ id: session.session_id, name: 'First flight' })]);
    await client.close();
  });

  it('MCP tools show a session to colleagues only as policies allow, and to other tenants never', async () => {
    const owner = await connect(tenant.owner);
    const session = { session_id: 'Akte 7 ä' };
    await data(owner, 'create_investigation_session', session);
    const colleague = await addMember(authz, tenant);
    const visitor = await connect(colleague);
    const foreign = await connect((await createTenant(authz)).owner);
    const read = async (client: typeof owner, args: object = session) => {
      const result = await client.callTool({ name: 'get_investigation_session', arguments: { ...args } });
      return result.isError ? textOf(result) : 'read';
    };
    const absent = await read(visitor, { session_id: 'nope' });
    expect(absent).toMatch(/^not_found \(404\): no such session/);
    expect([await read(visitor), await read(foreign)]).toEqual([absent, absent]);

    const object = `svc://${tenant.rootDomainId}/investigations/${session.session_id.replaceAll(' ', '%20')}`;
    await allow(authz, tenant, colleague, 'read', object);
    expect([await read(visitor), await read(foreign)]).toEqual(['read', absent]);
    for (const name of [
      'delete_investigation_session',
      'judge_investigation_session',
      'share_investigation_session',
    ]) {
      const input = name === 'share_investigation_session' ? { ...session, public: true } : session;
      const result = await visitor.callTool({ name, arguments: input });
      expect([name, textOf(result)]).toEqual([name, absent]);
    }
    await Promise.all([owner, visitor, foreign].map((client) => client.close()));
  });

  it('MCP tools that write are hidden and refused in read_only', async () => {
    covers('INV-T.16');
    const reader = await connect(tenant.owner, '/mcp?toolsets=all&read_only=true');
    const names = (await reader.listTools()).tools.map(({ name }) => name);
    const reading = /^(get|list|find|explain|export|compare|preview|submit|validate)_/;
    expect(names.filter((name) => !reading.test(name))).toEqual([]);
    await expect(reader.callTool({ name: 'create_investigation_session', arguments: {} })).rejects.toThrow();
    await reader.close();
  });

  it('MCP tools accept arguments of very many unknown keys, and name few of them', async () => {
    covers('INV-T.22');
    const unknown = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, 1]));
    const client = await connect(tenant.owner);
    const { warnings } = await data<{ warnings: string[] }>(client, 'create_investigation_session', unknown);
    expect(warnings).toEqual([
      expect.stringMatching(/^Unknown fields `k0`, .* and 199995 more were ignored/),
    ]);
    const list = await client.callTool({ name: 'list_investigation_sessions', arguments: unknown });
    expect([list.isError, textOf(list)]).toEqual([true, expect.stringMatching(/^payload_too_large \(413\)/)]);
    await client.close();
  });

  it('MCP tools accept large investigations and refuse results that are too large, saying what to ask for instead', async () => {
    covers('INV-T.21');
    const client = await connect(tenant.owner);
    const call = async (name: string, args: object) => {
      const result = await client.callTool({ name, arguments: { ...args } });
      return [result.isError ?? false, textOf(result)];
    };
    const { session_id } = await data<{ session_id: string }>(client, 'create_investigation_session', {
      payload: largeInvestigation(8000, 'x'.repeat(600)),
    });
    const session = { session_id };
    const tooLarge =
      /^payload_too_large \(413\): the response has \d+ bytes, more than the 4194304 that a tool sends\nRemedy: /;
    const read = await call('get_investigation_session', { ...session, detail: 'full' });
    expect(read).toEqual([true, expect.stringMatching(tooLarge)]);
    expect(read[1]).toContain('leave out detail');
    const brief = await call('get_investigation_session', session);
    expect(brief).toEqual([false, expect.stringContaining('8000 claims')]);
    expect(await call('get_investigation_claim', { ...session, claim_id: 'c7999' })).toEqual([
      false,
      'c7999, as it is stored.',
    ]);
    const judged = await call('judge_investigation_session', { ...session, detail: 'full' });
    expect(judged).toEqual([true, expect.stringMatching(tooLarge)]);
    expect(judged[1]).toContain('the judgement is kept');
    const { judgements } = await data<{ judgements: unknown[] }>(client, 'list_session_judgements', session);
    expect(judgements).toHaveLength(1);
    await data(client, 'explain_verdict', { ...session, subject_id: 's1', predicate: 'p' });
    await data(client, 'judge_investigation_session', session);
    await client.close();
  });
});
