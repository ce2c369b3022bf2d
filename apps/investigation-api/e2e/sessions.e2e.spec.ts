import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyze } from '@platform/opinion-fusion';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import type { Postgres } from '@platform/testing';
import { migratedDatabase, startPostgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import * as schemas from '../src/wire/session-schema.ts';
import * as shares from '../src/wire/share-schema.ts';
import { ExplainedVerdict } from '../src/wire/explanation-schema.ts';
import type { Authz, Member, Tenant } from './authz.fixture.ts';
import { addMember, addPolicies, allow, createTenant, startAuthz } from './authz.fixture.ts';
import type { BuiltService } from './built-service.fixture.ts';
import { startBuilt } from './built-service.fixture.ts';
import type { Answer, Call } from './client.fixture.ts';
import { client, demoInvestigation, sessionPath } from './client.fixture.ts';

const UNKNOWN = [404, '{"error":"no such session"}'];
const seen = ({ status, text }: Answer) => [status, text];

let postgres: Postgres;
let databaseUrl: string;
let authz: Authz;
let service: BuiltService;
let tenant: Tenant;
let call: Call;
beforeAll(async () => {
  postgres = await startPostgres();
  authz = await startAuthz(await postgres.createDatabase());
  databaseUrl = await migratedDatabase(postgres, 'investigation-api');
  service = await startBuilt({
    DATABASE_URL: databaseUrl,
    INVESTIGATION_AUTHZ_URL: `dns:///${authz.target}`,
    INVESTIGATION_JWT_PUBLIC_KEY: '',
  });
  tenant = await createTenant(authz);
  call = client(service.url, tenant.owner.token);
});
afterAll(async () => {
  await service?.stop();
  await authz?.kill();
  await postgres?.stop();
});

async function createSession(more: Record<string, unknown> = {}): Promise<string> {
  const response = await call('POST', '/api/v1/sessions', {
    name: 'A session',
    payload: demoInvestigation(),
    ...more,
  });
  expect(response.status).toBe(201);
  return sessionPath(schemas.CreateSessionResponse.parse(response.json).session_id);
}
const claim = (id: string) => ({ ...demoInvestigation().claims[0]!, id });

describe('a session', () => {
  it('a session is created, read, listed, changed and deleted', async () => {
    covers(
      'INV-S.4',
      'INV-S.5',
      'INV-S.6',
      'INV-S.9',
      'INV-S.46',
      'INV-F.CreateSessionResponse.session_id',
      'INV-F.SessionMeta',
      'INV-F.SessionResponse.session_id',
      'INV-F.SessionResponse.created_at',
      'INV-F.SessionResponse.updated_at',
    );
    const payload = demoInvestigation();
    const session = await createSession({ name: 'First', session_id: 'größer/als 1' });
    expect(session).toBe('/api/v1/sessions/gr%C3%B6%C3%9Fer%2Fals%201');
    const read = await call('GET', session);
    expect(schemas.SessionResponse.parse(read.json)).toEqual({
      session_id: 'größer/als 1',
      name: 'First',
      owner_id: tenant.owner.userId,
      owner_name: tenant.owner.username,
      role: 'owner',
      payload: { evidence: [], inferences: [], distinctions: [], ...payload },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: expect.any(String),
      interpretation: null,
      interpretation_updated_at: null,
      interpretation_predates_judgement: false,
      judged_at: null,
      presentation: { answer_finding: null, patterns: null, byline: null, publisher: null, contact: null },
      has_share: false,
      last_result: null,
    });
    const changed = await call('PATCH', session, { name: 'Second', domain: 'Finance' });
    expect([changed.status, changed.json]).toEqual([
      200,
      {
        session_id: 'größer/als 1',
        status: 'updated',
        added: 0,
        replaced: 0,
        removed: 0,
        version: expect.any(String),
        warnings: [],
      },
    ]);
    const { name, payload: after, created_at, updated_at, version } = (await call('GET', session)).json;
    expect(version).toBe(changed.json.version);
    const stale = await call('PATCH', session, { name: 'Lost', expected_version: `${version}0` });
    expect([stale.status, stale.json.error]).toEqual([409, expect.stringContaining('expected_version')]);
    expect([name, after.domain, created_at < updated_at]).toEqual(['Second', 'Finance', true]);

    await createSession({ name: 'Another' });
    const list = await call('GET', '/api/v1/sessions?name_filter=SECO&has_result=false&limit=1');
    expect(list.json).toEqual([
      {
        id: 'größer/als 1',
        name: 'Second',
        owner_id: tenant.owner.userId,
        owner_name: tenant.owner.username,
        role: 'owner',
        created_at,
        updated_at,
        judged_at: null,
        claim_count: payload.claims.length,
        leading_answer: null,
      },
    ]);
    expect(
      (await call('GET', '/api/v1/sessions?sort=name')).json.map((one: { name: string }) => one.name),
    ).toEqual(['Another', 'Second']);
    expect(
      (await call('GET', `/api/v1/sessions?updated_after=${encodeURIComponent(updated_at)}`)).json,
    ).toHaveLength(1);
    expect((await call('GET', '/api/v1/sessions?updated_before=2020-01-01&offset=0')).json).toEqual([]);

    const gone = await call('DELETE', session);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(seen(await call('GET', session))).toEqual(UNKNOWN);
    expect(seen(await call('DELETE', session))).toEqual(UNKNOWN);
  });

  it('a session has an empty investigation and a UUID unless given', async () => {
    covers('INV-F.CreateSessionRequest.session_id');
    const { json } = await call('POST', '/api/v1/sessions', { name: 'Empty' });
    expect(json.session_id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call('GET', sessionPath(json.session_id))).json.payload).toMatchObject({
      research_question: '',
      claims: [],
    });
    expect((await call('POST', `${sessionPath(json.session_id)}/judge`)).status).toBe(200);
  });

  it('a session warns about content that keeps a large session from being judged', async () => {
    covers('INV-S.31');
    const session = await createSession({ payload: null });
    const claims = Array.from({ length: 2000 }, (_, n) => claim(`c${n}`));
    const { status, json } = await call('PATCH', session, { claims });
    expect([status, json.added, json.warnings.length]).toEqual([200, 2000, 21]);
    expect(json.warnings[0]).toContain('names no actor');
  });

  it('a session merges items, then removes some', async () => {
    covers(
      'INV-S.7',
      'INV-S.8',
      'INV-F.UpdateSessionRequest.lists',
      'INV-F.UpdateSessionRequest.name',
      'INV-F.UpdateSessionStatus',
    );
    const session = await createSession();
    const { claims } = demoInvestigation();
    const [first, second] = claims as { id: string }[];
    await call('PATCH', session, {
      claims: [{ ...first, content: 'Said again.' }, claim('added'), claim('fleeting')],
      remove_claim_ids: [second!.id, 'fleeting', 'never there'],
      remove_distinction_ids: [],
    });
    const after = (await call('GET', session)).json.payload.claims as { id: string; content: string }[];
    expect(after.map(({ id }) => id)).toEqual([
      ...claims.map(({ id }) => id).filter((id) => id !== second!.id),
      'added',
    ]);
    expect(after[0]!.content).toBe('Said again.');
  });

  it.each(['actors', 'subjects', 'claims', 'evidence', 'inferences', 'distinctions'])(
    'a session has its %s put, read, listed and deleted one by one',
    async (kind) => {
      covers('INV-S.10');
      const samples: Record<string, object> = {
        actors: { name: 'A', source_type: 'Expert' },
        subjects: { name: 'S', subject_type: 'thing' },
        claims: { actor_id: 'a', subject_id: 's', predicate: 'p', value: 'v', content: 'c', extra: [1] },
        evidence: { claim_id: 'c', content: 'e', valence: 'supports' },
        inferences: { subject_id: 's', predicate: 'p', premise_claim_ids: [], rule_type: 'default' },
        distinctions: { argument_a: 'a', argument_b: 'b', feature: 'f', condition_a: 'x', condition_b: 'y' },
      };
      const session = await createSession({ payload: null });
      const id = 'a/b ü%\u0000';
      const path = `${session}/${kind}/${encodeURIComponent(id)}`;
      const put = await call('PUT', path, samples[kind]);
      const { warnings = [], ...kept } = put.json;
      expect([put.status, kept]).toEqual([200, { id, ...samples[kind] }]);
      // The unknown field, and what refers to nothing in an empty session.
      const counts: Record<string, number> = { claims: 3, evidence: 1, inferences: 1, distinctions: 1 };
      expect(warnings).toHaveLength(counts[kind] ?? 0);
      await call('PUT', `${session}/${kind}/2`, { ...samples[kind], id: '2' });
      expect((await call('GET', path)).json).toEqual(kept);
      const listed = (await call('GET', `${session}/${kind}`)).json as { id: string }[];
      expect(listed.map((one) => one.id)).toEqual([id, '2']);
      expect((await call('DELETE', path)).status).toBe(204);
      expect((await call('GET', path)).status).toBe(404);
      expect((await call('GET', `${session}/${kind}`)).json).toHaveLength(1);
    },
  );

  it('a session keeps hostile text in every field as it is', async () => {
    covers('INV-F.SessionResponse.payload', 'INV-F.SessionResponse.name');
    const hostile = [
      `'; DROP TABLE sessions; --`,
      '<script>alert(1)</script>',
      '\u0000\u0001\u001f\u007f\u2028\u2029',
      '\ud800 lone \udfff',
      '\u202e right to left \u2066',
      '${jndi:ldap://x} {{7*7}} %s %n \\',
      '__proto__',
      '😀'.repeat(50),
    ];
    for (const text of hostile) {
      const payload = {
        research_question: text,
        actors: [{ id: text, name: text, source_type: 'Expert', competence: { [text]: 0.5 } }],
        subjects: [{ id: text, name: text, subject_type: text }],
        claims: [
          {
            id: text,
            actor_id: text,
            subject_id: text,
            predicate: text,
            value: text,
            content: text,
            scope: text,
          },
        ],
        evidence: [{ id: text, claim_id: text, content: text, valence: 'Supports' }],
        inferences: [],
        distinctions: [],
        unknown_field: text,
      };
      const storable = text.includes('\0') || !text.isWellFormed() ? 'plain' : text;
      const { json } = await call('POST', '/api/v1/sessions', {
        name: storable,
        session_id: storable,
        payload,
      });
      expect(json).toEqual({
        session_id: storable,
        warnings: [
          expect.stringContaining('`InvestigationInput.unknown_field` is not part of the interface'),
        ],
      });
      const session = sessionPath(storable);
      expect((await call('POST', `${session}/judge`)).status).toBe(200);
      expect(
        (await call('PUT', `${session}/interpretation`, { interpretation: text })).json.interpretation,
      ).toBe(text);
      const read = (await call('GET', session)).json;
      expect(read).toMatchObject({ name: storable, interpretation: text });
      expect(read.payload).toEqual(JSON.parse(JSON.stringify(payload)));
      expect(read.last_result.subject_results[0]).toMatchObject({ subject_id: text, predicate: text });
      expect((await call('GET', `${session}/judgements/latest`)).json.input_snapshot).toEqual(read.payload);
      await call('DELETE', session);
    }
  });

  it('all of 100 parallel PATCHes of a session survive', async () => {
    covers('INV-S.15');
    // Alone: a hundred concurrent calls of authz-grpc on a busy machine may get 503.
    const alone = await startBuilt({ DATABASE_URL: databaseUrl });
    const own = client(alone.url, alone.token);
    const { json } = await own('POST', '/api/v1/sessions', { name: 'Parallel' });
    const session = sessionPath(json.session_id);
    const ids = Array.from({ length: 100 }, (_, n) => `c${n}`);
    const responses = await Promise.all(ids.map((id) => own('PATCH', session, { claims: [claim(id)] })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { claims } = (await own('GET', session)).json.payload as { claims: { id: string }[] };
    expect(claims.map(({ id }) => id).sort()).toEqual([...ids].sort());
    await alone.stop();
  });
});

describe('a judgement', () => {
  it('a judgement is kept with its input, and returned again to the byte', async () => {
    covers(
      'INV-S.11',
      'INV-S.13',
      'INV-F.JudgeResponse',
      'INV-F.JudgementMeta',
      'INV-F.JudgementRecord',
      'INV-F.SessionResponse.judged_at',
      'INV-F.SessionResponse.last_result',
    );
    const session = await createSession();
    const judged = await call('POST', `${session}/judge`, {});
    expect(Object.keys(judged.json)).toEqual(['session_id', 'result']);
    await call('POST', `${session}/judge`, { summary_mode: true });
    expect((await call('GET', session)).json.payload).not.toHaveProperty('summary_mode');

    const metas = (await call('GET', `${session}/judgements`)).json as { id: string; judged_at: string }[];
    expect(metas.map((meta) => schemas.JudgementMeta.parse(meta))).toHaveLength(2);
    const latest = await call('GET', `${session}/judgements/latest`);
    expect(latest.text).toBe((await call('GET', `${session}/judgements/${metas[0]!.id}`)).text);
    for (const { id, judged_at } of metas) {
      const { text, json } = await call('GET', `${session}/judgements/${id}`);
      schemas.JudgementRecord.parse(json);
      expect(json.judged_at).toBe(judged_at);
      const again = JSON.stringify(analyze(json.input_snapshot, { now: new Date(judged_at) }));
      expect(text).toContain(`"result":${again},"duration_ms":`);
    }
    const read = (await call('GET', session)).json;
    expect([read.judged_at, read.last_result]).toEqual([metas[0]!.judged_at, latest.json.result]);
    // A compact result is a form of the response and never kept.
    expect(read.last_result).toHaveProperty('claim_analyses');
    expect((await call('GET', '/api/v1/sessions?has_result=true&limit=1')).json[0].judged_at).toBe(
      read.judged_at,
    );
  });

  it('the list of sessions tells claims and answer, also after the author marked another answer', async () => {
    covers('INV-S.39', 'INV-S.40', 'INV-F.SessionMeta');
    const session = await createSession();
    const listed = async () =>
      schemas.SessionMeta.parse((await call('GET', '/api/v1/sessions?limit=1')).json[0]);
    const { payload } = (await call('GET', session)).json;
    expect(await listed()).toMatchObject({ claim_count: payload.claims.length, leading_answer: null });
    const { result } = (await call('POST', `${session}/judge`, { summary_mode: false })).json;
    const { leading_answer: answer } = await listed();
    expect(answer!.text).toMatch(/ \(chance .*\d\u00a0%\)$/);

    const findings = result.subject_results as { subject_id: string; predicate: string }[];
    const { subject_id, predicate } = findings.find((finding) => finding.predicate !== answer!.predicate)!;
    const answer_finding = { subject_id, predicate };
    expect((await call('PUT', `${session}/share`, { public: true, answer_finding })).status).toBe(200);
    const marked = (await listed()).leading_answer;
    expect(marked).toMatchObject(answer_finding);
    expect(marked!.text).not.toBe(answer!.text);
    expect((await listed()).leading_answer).toEqual(marked);
    await call('POST', `${session}/judge`);
    expect((await listed()).leading_answer).toMatchObject({ ...answer_finding, text: marked!.text });
  });

  it('a judgement of an inconsistent session names the problems and keeps nothing', async () => {
    covers('INV-E.422');
    const session = await createSession();
    await call('PATCH', session, { claims: [{ ...claim('lost'), actor_id: 'nobody' }] });
    const refused = await call('POST', `${session}/judge`);
    expect([refused.status, refused.json.error]).toEqual([
      422,
      expect.stringMatching(/^claims\[\d+\]\.actor_id: .*`nobody`/),
    ]);
    expect((await call('GET', `${session}/judgements`)).json).toEqual([]);
  });

  it('a judgement gets an interpretation', async () => {
    covers(
      'INV-S.14',
      'INV-F.InterpretationResponse',
      'INV-F.SetInterpretationRequest.interpretation',
      'INV-F.SessionResponse.interpretation',
      'INV-F.SessionResponse.interpretation_updated_at',
    );
    const session = await createSession();
    await call('POST', `${session}/judge`);
    const set = await call('PUT', `${session}/interpretation`, { interpretation: 'As I see it.' });
    expect((await call('GET', `${session}/interpretation`)).json).toEqual(set.json);
    const { interpretation, interpretation_updated_at, interpretation_predates_judgement } = (
      await call('GET', session)
    ).json;
    expect({
      session_id: set.json.session_id,
      interpretation,
      interpretation_updated_at,
      interpretation_predates_judgement,
    }).toEqual({ ...set.json, interpretation_predates_judgement: false });
    await call('POST', `${session}/judge`);
    expect((await call('GET', `${session}/interpretation`)).json).toEqual({
      ...set.json,
      interpretation_predates_judgement: true,
    });
    for (const cleared of [{ interpretation: null }, {}])
      expect((await call('PUT', `${session}/interpretation`, cleared)).json.interpretation).toBeNull();
    const long = (length: number) =>
      call('PUT', `${session}/interpretation`, { interpretation: 'x'.repeat(length) });
    expect((await long(100_000)).status).toBe(200);
    const refused = await long(100_001);
    expect([refused.status, refused.json.error]).toEqual([
      422,
      'interpretation: must have at most 100000 characters',
    ]);
  });

  it('a judgement explains its verdicts as they were, however the session has changed', async () => {
    const session = await createSession();
    const { result } = (await call('POST', `${session}/judge`, { summary_mode: false })).json;
    for (const { subject_id, predicate, expected_probability } of result.subject_results.slice(0, 3)) {
      const query = new URLSearchParams({ subject_id, predicate }).toString();
      const explained = await call('GET', `${session}/explain?${query}`);
      const { explanation } = ExplainedVerdict.parse(explained.json);
      expect([explanation.subject_id, explanation.predicate, explanation.expected_probability]).toEqual([
        subject_id,
        predicate,
        expected_probability,
      ]);
      await call('PATCH', session, { remove_claim_ids: demoInvestigation().claims.map(({ id }) => id) });
      expect((await call('GET', `${session}/explain?${query}`)).text).toBe(explained.text);
    }
    // Those there are, all of them: also where a compact result names only its top ones.
    await call('PATCH', session, { claims: demoInvestigation().claims });
    await call('POST', `${session}/judge`, { summary_mode: true });
    const pairs = result.subject_results.map(({ subject_id, predicate }: Record<string, string>) =>
      JSON.stringify({ subject_id, predicate }),
    );
    const none = await call('GET', `${session}/explain?subject_id=no&predicate=no`);
    expect([none.status, none.json.error.split('\n')]).toEqual([
      404,
      ['the last judgement has no verdict on this subject_id and predicate; it has verdicts on', ...pairs],
    ]);
  });
});

describe('a share', () => {
  const anyone: Call = (...args) => client(service.url, null)(...args);

  it('a share shows the last judgement to anyone with the link, frozen until it is published again', async () => {
    covers(
      'INV-S.18',
      'INV-S.19',
      'INV-S.20',
      'INV-S.21',
      'INV-S.22',
      'INV-F.ShareResponse',
      'INV-F.ShareListItemResponse',
    );
    const session = await createSession({ name: 'Who flew first?' });
    await call('POST', `${session}/judge`);
    await call('POST', `${session}/judge`);
    await call('PUT', `${session}/interpretation`, { interpretation: 'They did.' });
    expect((await call('GET', `${session}/share`)).json).toEqual({ error: 'the session has no share' });
    const put = await call('PUT', `${session}/share`, { public: true, preferred_pane: 'mesh' });
    const share = shares.ShareResponse.parse(put.json);
    expect(share).toMatchObject({
      slug: 'who-flew-first',
      preferred_pane: 'mesh',
      is_public: true,
      url_path: `/share/${share.share_uuid}/who-flew-first`,
      url: `${service.url}${share.url_path}`,
    });
    expect((await call('GET', `${session}/share`)).json).toEqual(share);
    const { url_path: _path, ...listed } = share;
    const listedShares = async () =>
      (await call('GET', '/api/v1/shares')).json.filter(
        (one: { session_id: string }) => one.session_id === decodeURIComponent(session.split('/').at(-1)!),
      );
    expect(await listedShares()).toEqual([
      { session_id: expect.any(String), session_name: 'Who flew first?', ...listed },
    ]);

    const path = `${share.url_path}.json`;
    const shown = await anyone('GET', path);
    expect(shown.status).toBe(200);
    const latest = await call('GET', `${session}/judgements/latest`);
    const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
    expect(shown.json).toMatchObject({
      share: { share_uuid: share.share_uuid, url: share.url, snapshot_taken_at: share.snapshot_taken_at },
      session_name: 'Who flew first?',
      interpretation: 'They did.',
      judgement: { id: latest.json.id, judged_at: latest.json.judged_at, engine_version: expect.any(String) },
      input: latest.json.input_snapshot,
      input_sha256: sha256(latest.json.input_snapshot),
      result: latest.json.result,
      result_sha256: sha256(latest.json.result),
    });
    expect(shown.json.explanations).toHaveLength(shown.json.result.subject_results.length);
    expect(shown.json.claim_audits).toHaveLength(shown.json.result.claim_analyses.length);

    await call('PATCH', session, {
      name: 'Renamed',
      remove_claim_ids: demoInvestigation()
        .claims.slice(1)
        .map(({ id }) => id),
    });
    await call('POST', `${session}/judge`);
    await call('PUT', `${session}/interpretation`, { interpretation: null });
    const later = await anyone('GET', path);
    expect([later.status, later.text === shown.text]).toEqual([200, true]);
    const etag = later.headers.get('etag')!;
    // Without a Cache-Control of its own fetch asks past every cache.
    const unchanged = await anyone('GET', path, undefined, {
      'if-none-match': etag,
      'cache-control': 'max-age=0',
    });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);

    const again = (await call('PUT', `${session}/share`, { public: true, slug: 'New words!' })).json;
    expect([again.share_uuid, again.slug, again.preferred_pane]).toEqual([
      share.share_uuid,
      'new-words',
      'mesh',
    ]);
    const moved = await anyone('GET', path);
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `${again.url_path}.json`]);
    const fresh = await anyone('GET', `${again.url_path}.json`);
    expect(fresh.json).toMatchObject({ session_name: 'Renamed', interpretation: null });
    expect(fresh.headers.get('etag')).not.toBe(etag);

    const hidden = (await call('PUT', `${session}/share`, { public: false })).json;
    expect([hidden.is_public, hidden.slug]).toEqual([false, 'new-words']);
    const unknown = await anyone('GET', '/share/00000000-0000-4000-8000-000000000000/new-words.json');
    expect(seen(await anyone('GET', `${again.url_path}.json`))).toEqual(seen(unknown));
    expect(seen(await anyone('GET', `/share/no-uuid/x.json`))).toEqual(seen(unknown));
    expect(unknown.status).toBe(404);

    await call('PUT', `${session}/share`, { public: true });
    expect((await anyone('GET', `${again.url_path}.json`)).status).toBe(200);
    await call('DELETE', session);
    expect(seen(await anyone('GET', `${again.url_path}.json`))).toEqual(seen(unknown));
    expect(await listedShares()).toEqual([]);
  });
});

describe('a session of others', () => {
  interface Operation {
    readonly method: string;
    readonly path: string;
    readonly body: unknown;
  }

  /** Every operation on one session that the interface document has, with input that would do. */
  async function operations(): Promise<Operation[]> {
    const { paths } = (await call('GET', '/openapi.json')).json as {
      paths: Record<string, Record<string, { requestBody?: unknown }>>;
    };
    const items = demoInvestigation() as unknown as Record<string, Record<string, unknown>[]>;
    const sample = (path: string) => {
      const kind = path.split('/')[5] ?? '';
      const { id: _id, ...item } = items[kind]?.[0] ?? {};
      if (kind === 'outcomes') return { subject_id: 's', predicate: 'p', value: 'v' };
      if (kind === 'members') return { role: 'read' };
      if (path.endsWith('{subscription_id}')) return { paused: true };
      if (kind === 'subscriptions') return path.endsWith('replay') ? {} : { rules: ['goes_stale'] };
      return kind === 'distinctions'
        ? { argument_a: 'a', argument_b: 'b', feature: 'f', condition_a: 'x', condition_b: 'y' }
        : kind === 'inferences'
          ? { subject_id: 's', predicate: 'p', premise_claim_ids: [], rule_type: 'default' }
          : kind === 'evidence'
            ? { claim_id: 'c', content: 'e', valence: 'Supports' }
            : item;
    };
    return Object.entries(paths)
      .filter(([path]) => path.includes('{session_id}'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { requestBody }]) => ({
          method: method.toUpperCase(),
          path: path
            .replace('{format}', 'json')
            .replace(/\{(?!session_id)\w+\}/g, 'x')
            .replace(/explain$/, 'explain?subject_id=a&predicate=b'),
          body: requestBody === undefined ? undefined : sample(path),
        })),
      );
  }

  let colleague: Member;
  let foreigner: Member;
  let secret: string;
  beforeAll(async () => {
    colleague = await addMember(authz, tenant);
    foreigner = (await createTenant(authz)).owner;
    secret = 'secret plan';
    await createSession({ session_id: secret });
    await call('POST', `${sessionPath(secret)}/judge`);
  });

  it('a session of another user looks absent to everybody, to the byte, on every route', async () => {
    covers('INV-S.16', 'INV-S.17');
    const all = await operations();
    expect(all.length).toBeGreaterThan(35);
    for (const { token } of [colleague, foreigner]) {
      const other = client(service.url, token);
      for (const { method, path, body } of all) {
        const [existing, unknown] = await Promise.all(
          [secret, 'no such'].map((id) =>
            other(method, path.replace('{session_id}', encodeURIComponent(id)), body),
          ),
        );
        expect([method, path, ...seen(existing!)]).toEqual([method, path, ...UNKNOWN]);
        expect(seen(unknown!)).toEqual(UNKNOWN);
      }
    }
    expect((await call('GET', sessionPath(secret))).status).toBe(200);
    // Each tenant has its own names.
    const made = await client(service.url, foreigner.token)('POST', '/api/v1/sessions', {
      name: 'Mine',
      session_id: secret,
    });
    expect(made.status).toBe(201);
    expect((await client(service.url, colleague.token)('GET', '/api/v1/sessions')).json).toEqual([]);
  });

  it.each(['everything by policies', 'what the role `publish` includes'])(
    'no operation on a session shows it to a colleague who may do %s, and whom a policy denies to read it',
    async (rights) => {
      covers('INV-S.51');
      const member = await addMember(authz, tenant);
      const id = `hidden-${rights.length}`;
      const session = await createSession({ session_id: id });
      await call('POST', `${session}/judge`);
      const object = `svc://${tenant.rootDomainId}/investigations/${id}`;
      if (rights.startsWith('everything')) {
        for (const action of ['read', 'update', 'judge', 'delete', 'share'])
          await allow(authz, tenant, member, action, object);
      } else await call('PUT', `${session}/members/${member.username}`, { role: 'publish' });
      const other = client(service.url, member.token);
      expect((await other('POST', `${session}/judge`)).status).toBe(200);
      await addPolicies(authz, tenant, [
        {
          engine: EvaluationEngine.FIXED,
          deny: true,
          rules: { subject: member.userId, action: 'read', object },
        },
      ]);
      for (const { method, path, body } of await operations()) {
        // Deletion shows nothing, and has a right of its own.
        if (method === 'DELETE' && path.endsWith('{session_id}')) continue;
        const at = path.replace('{session_id}', id);
        expect([method, path, ...seen(await other(method, at, body))]).toEqual([method, path, ...UNKNOWN]);
      }
      const tool = { name: 'judge_investigation_session', arguments: { session_id: id } };
      const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool };
      const accept = 'application/json, text/event-stream';
      const told = await other('POST', '/mcp', asked, { accept });
      expect(told.text).toContain('no such session');
      const waits = { Prefer: 'respond-async' };
      expect(seen(await other('POST', `${session}/judge`, undefined, waits))).toEqual(UNKNOWN);
    },
  );

  it('a session that a policy lets a colleague read is in their list, page by page, over REST and MCP', async () => {
    covers('INV-S.36');
    const shared = await createTenant(authz);
    const member = await addMember(authz, shared);
    const [owner, other] = [shared.owner, member].map(({ token }) => client(service.url, token)) as [
      ReturnType<typeof client>,
      ReturnType<typeof client>,
    ];
    const readable = ['r 1', 'r 8', 'r 60', 'r 61'];
    // More than one batch of questions, in order of creation.
    for (let n = 0; n < 70; n++)
      await owner('POST', '/api/v1/sessions', { name: `n ${n}`, session_id: `r ${n}` });
    await other('POST', '/api/v1/sessions', { name: 'own', session_id: 'own' });
    for (const id of readable) {
      const object = `svc://${shared.rootDomainId}/investigations/${id.replace(' ', '%20')}`;
      await allow(authz, shared, member, 'read', object);
    }
    const idsOf = (response: { json: unknown }) => (response.json as { id: string }[]).map(({ id }) => id);
    const all = ['own', ...readable.toReversed()];
    const whole = await other('GET', '/api/v1/sessions?sort=created_at');
    expect([idsOf(whole), whole.headers.get('link')]).toEqual([all, null]);
    expect(idsOf(await other('GET', '/api/v1/sessions?mine=true'))).toEqual(['own']);
    expect(idsOf(await other('GET', '/api/v1/sessions?name_filter=n%206'))).toEqual(['r 61', 'r 60']);

    const byOffset: string[] = [];
    for (let offset = 0; offset < all.length; offset += 2)
      byOffset.push(
        ...idsOf(await other('GET', `/api/v1/sessions?sort=created_at&limit=2&offset=${offset}`)),
      );
    expect(byOffset).toEqual(all);

    const byLink: string[] = [];
    for (let next: string | undefined = '/api/v1/sessions?sort=created_at&limit=2'; next !== undefined;) {
      const page = await other('GET', next);
      byLink.push(...idsOf(page));
      next = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(byLink).toEqual(all);

    const asked = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_investigation_sessions', arguments: { sort: 'created_at', limit: 2 } },
    };
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${member.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(asked),
    });
    const [message] = (await answer.text()).match(/\{.*\}/s)!;
    const { structuredContent } = (
      JSON.parse(message) as {
        result: { structuredContent: { sessions: { id: string }[]; next_cursor: number } };
      }
    ).result;
    expect(structuredContent.sessions.map(({ id }) => id)).toEqual(all.slice(0, 2));
    const rest = await other(
      'GET',
      `/api/v1/sessions?sort=created_at&cursor=${structuredContent.next_cursor}`,
    );
    expect(idsOf(rest)).toEqual(all.slice(2));
  });

  it('a page of sessions is full however many lie between those that policies name, and holds what single reads allow', async () => {
    covers('INV-S.38');
    const shared = await createTenant(authz);
    const member = await addMember(authz, shared);
    const owner = client(service.url, shared.owner.token);
    const other = client(service.url, member.token);
    // The default order lists the latest first, so what is readable by name comes last.
    const kinds = ['plan', 'open to', 'open to none', 'glob-x', 'glob-y', 'regex-1', 'regex-a'];
    const readableKinds = new Set(['plan', 'open to', 'glob-x', 'regex-1']);
    const ids = Array.from({ length: 2_000 }, (_, n) => `${n < 87 ? kinds[n % 7] : 'shut'}/${n}`);
    const make = async (id: string) =>
      expect((await owner('POST', '/api/v1/sessions', { name: id, session_id: id })).status).toBe(201);
    for (let from = 0; from < ids.length; from += 20) await Promise.all(ids.slice(from, from + 20).map(make));
    expect((await other('POST', '/api/v1/sessions', { name: 'own', session_id: 'own' })).status).toBe(201);
    const rule = (path: string) => ({
      subject: member.userId,
      action: 'read',
      object: `svc://${shared.rootDomainId}/investigations/${path}`,
    });
    const { FIXED, PREFIX, GLOB, REGEX } = EvaluationEngine;
    await addPolicies(authz, shared, [
      ...ids.filter((id) => id.startsWith('plan')).map((id) => ({ engine: FIXED, rules: rule(id) })),
      { engine: PREFIX, rules: rule('open%20to') },
      { engine: PREFIX, deny: true, rules: rule('open%20to%20none/') },
      { engine: GLOB, rules: rule('glob-[xz]/*') },
      {
        engine: REGEX,
        rules: { ...rule(''), object: `^svc://${shared.rootDomainId}/investigations/regex-\\d/\\d+$` },
      },
    ]);
    const readable = ['own', ...ids.filter((id) => readableKinds.has(id.split('/')[0]!))];
    expect(readable).toHaveLength(51);

    const pageOf = async (path: string) => {
      const { json, headers } = await other('GET', path);
      const next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      return { ids: (json as { id: string }[]).map(({ id }) => id), next };
    };
    const scan = async (query: string) => {
      const pages: string[][] = [];
      for (let next: string | undefined = `/api/v1/sessions?${query}`; next !== undefined;) {
        const page = await pageOf(next);
        pages.push(page.ids);
        ({ next } = page);
      }
      return pages;
    };
    const first = await pageOf('/api/v1/sessions?limit=50');
    expect(first.ids).toHaveLength(50);
    for (const sort of ['updated_at', 'created_at', 'name']) {
      const pages = await scan(`sort=${sort}&limit=20`);
      expect(pages.map((page) => page.length)).toEqual([20, 20, 11]);
      expect(pages.flat().toSorted()).toEqual(readable.toSorted());
    }
    expect((await scan('name_filter=plan&limit=5')).flat().toSorted()).toEqual(
      readable.filter((id) => id.startsWith('plan')).toSorted(),
    );
    // Row by row: what the list shows is what a read of each session finds.
    for (const id of [...ids.slice(0, 100), 'own'])
      expect([id, (await other('GET', sessionPath(id))).status]).toEqual([
        id,
        readable.includes(id) ? 200 : 404,
      ]);

    // Policies that change between two pages decide the second one, and move no position.
    const [before, ...after] = (await scan('sort=name&limit=20')) as [string[], ...string[][]];
    const begun = await pageOf('/api/v1/sessions?sort=name&limit=20');
    await addPolicies(authz, shared, [
      { engine: PREFIX, deny: true, rules: rule('regex-') },
      { engine: FIXED, rules: rule('shut/1999') },
    ]);
    const rest = await scan(begun.next!.split('?')[1]!);
    expect(begun.ids).toEqual(before);
    expect(rest.flat()).toEqual([...after.flat().filter((id) => !id.startsWith('regex-')), 'shut/1999']);
  });

  it.each([
    [['read'], ['read']],
    [
      ['read', 'update'],
      ['read', 'update'],
    ],
    [
      ['read', 'judge'],
      ['read', 'judge'],
    ],
    [['delete'], ['delete']],
    [['read', 'share'], ['read']],
    // What is done to a session shows it, except its deletion.
    [['update', 'judge', 'share'], []],
  ])(
    'a session of another user on which a policy allows a colleague %j is open to them for %j alone',
    async (actions, open) => {
      covers('INV-S.16', 'INV-S.51');
      const member = await addMember(authz, tenant);
      const id = `Plan für ${actions.join('-')}/1`;
      const session = await createSession({ session_id: id });
      await call('POST', `${session}/judge`);
      const object = `svc://${tenant.rootDomainId}/investigations/${id.replaceAll(' ', '%20')}`;
      for (const action of actions) await allow(authz, tenant, member, action, object);
      const other = client(service.url, member.token);
      const asked: [string, number][] = [
        ['read', (await other('GET', session)).status],
        ['update', (await other('PATCH', session, { name: 'By a colleague' })).status],
        ['judge', (await other('POST', `${session}/judge`)).status],
        // Sharing is the owner's alone.
        ['nothing', (await other('PUT', `${session}/share`, { public: true })).status],
        ['nothing', (await other('PATCH', `${session}/share`, { public: true })).status],
        ['nothing', (await other('GET', `${session}/share/preview`)).status],
        ['delete', (await other('DELETE', session)).status],
      ];
      for (const [needed, status] of asked)
        expect([needed, status]).toEqual([
          needed,
          !open.includes(needed) ? 404 : needed === 'delete' ? 204 : 200,
        ]);
    },
  );

  it.each([
    ['read', ['read']],
    ['edit', ['read', 'update', 'judge']],
    ['publish', ['read', 'update', 'judge', 'share']],
  ])('a session of another user is open to a colleague invited to %s for %j alone', async (role, allowed) => {
    covers('INV-MEMBER.2', 'INV-S.17', 'INV-B.78');
    const member = await addMember(authz, tenant);
    const id = `Plan für ${role}/2`;
    const session = await createSession({ session_id: id });
    await call('POST', `${session}/judge`);
    const invitation = `${session}/members/${member.username}`;
    expect((await call('PUT', invitation, { role })).status).toBe(200);
    const other = client(service.url, member.token);
    const publish = { public: true };
    const remedies: Readonly<Record<string, string>> = {
      update: 'invite you to `edit`',
      judge: 'invite you to `edit`',
      share: 'invite you to `publish`',
      delete: 'do it',
      invite: 'do it',
    };
    const done: Readonly<Record<string, string>> = {
      update: 'change it',
      judge: 'judge it',
      share: 'publish it',
      delete: 'delete it',
      invite: 'invite others to it',
    };
    const asked: [string, Answer][] = [
      ['read', await other('GET', session)],
      ['read', await other('GET', `${session}/judgements`)],
      ['update', await other('PATCH', session, { name: 'By a colleague' })],
      ['update', await other('PUT', `${session}/claims/added`, claim('added'))],
      ['judge', await other('POST', `${session}/judge`)],
      ['share', await other('GET', `${session}/share/preview`)],
      ['share', await other('PUT', `${session}/share`, publish)],
      ['share', await other('PATCH', `${session}/share`, publish)],
      ['delete', await other('DELETE', session)],
      ['invite', await other('GET', `${session}/members`)],
      ['invite', await other('PUT', `${session}/members/${tenant.owner.username}`, { role })],
      ['invite', await other('DELETE', `${session}/members/${tenant.owner.username}`)],
    ];
    for (const [needed, { status, json }] of asked)
      expect([needed, status, status === 403 ? json.error : null]).toEqual(
        allowed.includes(needed)
          ? [needed, 200, null]
          : [
              needed,
              403,
              `you are invited to \`${role}\` this session, and may not ${done[needed]}: ask its owner to ${remedies[needed]}`,
            ],
      );
    // Who is not invited sees nothing of it.
    const outsider = client(service.url, (await addMember(authz, tenant)).token);
    expect(seen(await outsider('GET', session))).toEqual(UNKNOWN);
    expect(seen(await outsider('GET', `${session}/members`))).toEqual(UNKNOWN);
  });
});

describe('over an embedded database', () => {
  it('the same operations work, and all is there after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sessions-'));
    const settings = {
      DATABASE_URL: `pglite:${folder}`,
      INVESTIGATION_AUTHZ_URL: `dns:///${authz.target}`,
      INVESTIGATION_JWT_PUBLIC_KEY: '',
      INVESTIGATION_PUBLIC_URL: 'https://example.org/',
    };
    const first = await startBuilt(settings);
    const own = client(first.url, tenant.owner.token);
    const session = sessionPath('s');
    const made = { name: 'n', session_id: 's', payload: demoInvestigation() };
    expect(await own('POST', '/api/v1/sessions', made)).toMatchObject({ status: 201 });
    expect(await own('PATCH', session, { claims: [claim('added')] })).toMatchObject({ status: 200 });
    expect(await own('POST', `${session}/judge`)).toMatchObject({ status: 200 });
    const share = (await own('PUT', `${session}/share`, { public: true })).json;
    expect(share.url).toBe(`https://example.org${share.url_path}`);
    const read = (await own('GET', session)).text;
    const shown = (await own('GET', `${share.url_path}.json`)).text;
    expect(await first.stop()).toBe(0);

    const second = await startBuilt(settings);
    const again = client(second.url, tenant.owner.token);
    expect((await again('GET', session)).text).toBe(read);
    expect((await again('GET', `${share.url_path}.json`)).text).toBe(shown);
    await second.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});
