import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { renderChangesPage, shareData, type ShareSnapshot } from '@platform/viewer';
import type { AnalysisPool } from '../engine/analysis-pool.ts';
import { createAnalysisPool } from '../engine/analysis-pool.ts';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import type { SessionStore } from '../store/session-store.ts';
import { SharePreview } from '../wire/share-schema.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';

/** A gate that the first freeze waits at, when it is done and before what it froze is stored. */
function gated(analysis: AnalysisPool) {
  let open = () => {};
  let reached = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const isWaiting = new Promise<void>((resolve) => (reached = resolve));
  let freezes = 0;
  const pool: AnalysisPool = {
    ...analysis,
    async freeze(...args) {
      freezes += 1;
      const isFirst = freezes === 1;
      const frozen = await analysis.freeze(...args);
      if (isFirst) {
        reached();
        await opened;
      }
      return frozen;
    },
  };
  return { pool, open: () => open(), isWaiting };
}

const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const pool = createAnalysisPool({ threads: 1, queueMax: 8, memoryMiBMax: 256, file: worker.file });
const gate = gated(pool);
let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService(worker.file, {}, { analysis: gate.pool });
  token = await service.sign({ tenant_id: 'tenant', sub: 'owner' }, 'at+jwt');
});
afterAll(async () => {
  await service.close();
  await pool.close();
  worker.remove();
});

interface Share {
  readonly share_uuid: string;
  readonly url_path: string;
}

function call(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function send<T>(method: string, path: string, body: unknown): Promise<T> {
  const response = await call(method, `/api/v1/sessions${path}`, body);
  expect(response.ok).toBe(true);
  return (await response.json()) as T;
}

async function judgementsOf(session: string): Promise<{ id: string; judged_at: string }[]> {
  const response = await call('GET', `/api/v1/sessions/${session}/judgements`);
  return (await response.json()) as { id: string; judged_at: string }[];
}

describe('a published snapshot', () => {
  it('a published snapshot never reverts to a judgement before one that was published meanwhile', async () => {
    covers('INV-S.19');
    await send('POST', '', { name: 'race', session_id: 'race' });
    await send('POST', '/race/judge', {});
    const slow = send('PUT', '/race/share', { public: true });
    await gate.isWaiting;
    await send('POST', '/race/judge', {});
    const { url_path } = await send<{ url_path: string }>('PUT', '/race/share', { public: true });
    gate.open();
    await slow;
    const shown = await fetch(`${service.url}${url_path}.json`);
    const { judgement } = (await shown.json()) as { judgement: { id: string } };
    const [latest] = await judgementsOf('race');
    expect(judgement.id).toBe(latest!.id);
  });

  it('a published snapshot holds nothing of earlier judgements, removed items or the session id', async () => {
    covers('INV-S.26');
    const session_id = 'secret-session';
    await send('POST', '', { name: 'Public', session_id, payload: investigationSaying('secret') });
    await send('POST', `/${session_id}/judge`, {});
    await send('PUT', `/${session_id}/interpretation`, { interpretation: 'secret' });
    await send('PATCH', `/${session_id}`, {
      ...investigationSaying('public'),
      remove_actor_ids: ['secret-actor'],
      remove_subject_ids: ['secret-subject'],
      remove_claim_ids: ['secret-claim', 'secret-other'],
      remove_evidence_ids: ['secret-evidence'],
      remove_inference_ids: ['secret-inference'],
      remove_distinction_ids: ['secret-distinction'],
    });
    await send('POST', `/${session_id}/judge`, {});
    await send('PUT', `/${session_id}/interpretation`, { interpretation: 'public' });
    const { url_path } = await send<{ url_path: string }>('PUT', `/${session_id}/share`, { public: true });

    const text = await (await fetch(`${service.url}${url_path}.json`)).text();
    const [latest, earlier] = await judgementsOf(session_id);
    expect(text).toContain(latest!.id);
    expect(text).toContain('public-claim');
    for (const hidden of ['secret', 'owner', 'tenant', earlier!.id, earlier!.judged_at])
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);
  });
});

describe('what changed since the publication before', () => {
  const claim = (id: string, value: string, actor_id = 'a') => ({
    id,
    value,
    content: value,
    actor_id,
    subject_id: 's',
    predicate: 'p',
  });
  const actor = (id: string) => ({ id, name: `Source ${id}`, source_type: 'Expert' });
  /** A session with one claim, judged, and published. */
  async function begun(session: string) {
    const payload = {
      research_question: 'q',
      actors: [actor('a'), actor('b')],
      subjects: [{ id: 's', name: 'Bridge', subject_type: 't' }],
      claims: [claim('first', 'open')],
    };
    await send('POST', '', { name: session, session_id: session, payload });
    await judge(session);
    return publish(session, {});
  }
  const judge = (session: string, items?: object) =>
    (items === undefined ? Promise.resolve() : send('PATCH', `/${session}`, items)).then(() =>
      send('POST', `/${session}/judge`, {}),
    );
  const publish = (session: string, more: object) =>
    send<Share>('PUT', `/${session}/share`, { public: true, ...more });
  const shown = async ({ url_path }: Share) => {
    const json = (await (await fetch(`${service.url}${url_path}.json`)).json()) as ShareSnapshot;
    return { changes: json.changes, page: renderChangesPage(json, { styles: '' }), data: shareData(json) };
  };

  it('a share shows what changed since the publication that readers saw, and no other judgement in between', async () => {
    covers('INV-V.85', 'INV-S.26');
    const first = await begun('since');
    expect(await shown(first)).toMatchObject({ page: null, changes: null });
    await judge('since', { claims: [claim('never-published', 'SECRET', 'b')] });
    await judge('since', {
      claims: [claim('second', 'closed', 'b'), claim('third', 'closed', 'b')],
      remove_claim_ids: ['never-published'],
    });
    const share = await publish('since', { show_changes: true });
    const { page, data, changes } = await shown(share);
    const judgements = await judgementsOf('since');
    expect(changes!.since).toBe(judgements[2]!.judged_at);
    expect(changes!.changes.map(({ id }) => id)).toEqual(['second', 'third']);
    for (const { move, parts, before, after } of changes!.verdicts) {
      expect(move).toBeCloseTo((after?.chance ?? 0) - (before?.chance ?? 0), 12);
      expect(parts.reduce((sum, part) => sum + part.move, 0)).toBeCloseTo(move, 12);
    }
    expect(changes!.verdicts.length).toBeGreaterThan(0);
    expect(page).toContain('What changed since');
    expect(page).not.toContain('<script');
    const json = JSON.stringify(changes);
    for (const hidden of ['SECRET', 'never-published', ...judgements.slice(1).map(({ id }) => id)])
      expect([hidden, json.includes(hidden), page!.includes(hidden)]).toEqual([hidden, false, false]);
    expect(data).not.toContain('"changes":');
  });

  it('a share shows no earlier judgement unless its author asks, keeps it for the same judgement, and drops it with the next', async () => {
    covers('INV-V.86');
    const first = await begun('asked');
    await judge('asked', { claims: [claim('second', 'closed', 'b')], remove_claim_ids: ['first'] });
    const plain = await publish('asked', {});
    expect(await shown(plain)).toMatchObject({ page: null, changes: null });
    await judge('asked', { claims: [claim('third', 'closed', 'b')] });
    await publish('asked', { show_changes: true });
    expect((await shown(first)).changes!.changes).toMatchObject([{ change: 'added', id: 'third' }]);
    await publish('asked', { byline: 'Somebody' });
    expect((await shown(first)).changes).not.toBeNull();
    await publish('asked', { show_changes: false });
    expect((await shown(first)).changes).toBeNull();
    await judge('asked');
    await publish('asked', {});
    expect((await shown(first)).changes).toBeNull();
  });

  it('what was hidden, or frozen while hidden, is never compared', async () => {
    covers('INV-V.86');
    const first = await begun('hidden');
    await send('PUT', '/hidden/share', { public: false });
    await judge('hidden', { claims: [claim('second', 'closed', 'b')] });
    await publish('hidden', { show_changes: true });
    expect(await shown(first)).toMatchObject({ page: null, changes: null });
    await send('PUT', '/hidden/share', { public: false });
    await judge('hidden', { claims: [claim('third', 'SECRET', 'b')] });
    await send('PATCH', '/hidden/share', { snapshot: true });
    await judge('hidden', { remove_claim_ids: ['third'] });
    await publish('hidden', { show_changes: true });
    expect(await shown(first)).toMatchObject({ page: null, changes: null });
  });

  it('a publication that readers have nothing to compare with says so, by PUT and PATCH', async () => {
    covers('INV-EXPORT.38');
    await begun('nothing-seen');
    await publish('nothing-seen', { public: false });
    const warns = { warnings: [expect.stringMatching(/^show_changes: readers see no earlier publication/)] };
    const patch = { public: true, snapshot: true, show_changes: true };
    expect(await send('PATCH', '/nothing-seen/share', patch)).toMatchObject(warns);
    await publish('nothing-seen', { public: false });
    expect(await publish('nothing-seen', { show_changes: true })).toMatchObject(warns);
  });

  it('a publication of the judgement that readers see already says that there is nothing new to compare', async () => {
    covers('INV-EXPORT.47');
    await begun('published-again');
    const { warnings } = (await publish('published-again', { show_changes: true })) as { warnings?: unknown };
    expect(warnings).toEqual([expect.stringMatching(/^show_changes: readers see this judgement already/)]);
    expect(await publish('published-again', { byline: 'Somebody' })).not.toHaveProperty('warnings');
    await judge('published-again', { claims: [claim('second', 'closed', 'b')] });
    expect(await publish('published-again', { show_changes: true })).not.toHaveProperty('warnings');
  });

  it('changes that no new snapshot would hold are refused by name', async () => {
    covers('INV-V.86');
    await begun('refused');
    for (const [method, body] of [
      ['PUT', { public: false, show_changes: true }],
      ['PATCH', { slug: 'x', show_changes: true }],
    ] as const) {
      const response = await call(method, '/api/v1/sessions/refused/share', body);
      expect([response.status, await response.text()]).toEqual([
        422,
        expect.stringContaining('show_changes'),
      ]);
    }
  });
});

describe('a 304', () => {
  it('a 304 is returned without reading the snapshot', async () => {
    covers('INV-V.30');
    await send('POST', '', { name: 'Name', session_id: 'fresh' });
    await send('POST', '/fresh/judge', {});
    const { url_path } = await send<Share>('PUT', '/fresh/share', { public: true });
    const url = `${service.url}${url_path}.json`;
    const etag = (await fetch(url)).headers.get('etag')!;
    const store = service.deps.sessions as { readPublicSnapshot: SessionStore['readPublicSnapshot'] };
    const read = store.readPublicSnapshot;
    let reads = 0;
    store.readPublicSnapshot = (...args) => {
      reads += 1;
      return read(...args);
    };
    // fetch asks for a fresh copy unless told otherwise.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect([(await fetch(url, { headers })).status, reads]).toEqual([304, 0]);
    expect([(await fetch(url)).status, reads]).toEqual([200, 1]);
    store.readPublicSnapshot = read;
  });
});

describe('PATCH of a share', () => {
  const read = (path: string) => call('GET', `/api/v1/sessions${path}`);
  async function publish(session: string): Promise<Share> {
    await send('POST', '', { name: 'Name', session_id: session, payload: investigationSaying('first') });
    await send('POST', `/${session}/judge`, {});
    return send('PUT', `/${session}/share`, { public: true, slug: 'first', preferred_pane: 'mesh' });
  }

  it.each([
    [{ slug: 'Other words' }, { slug: 'other-words' }],
    [{ preferred_pane: 'audit' }, { preferred_pane: 'audit' }],
    [{ public: false }, { is_public: false }],
    [{ public: true }, {}],
    [{}, {}],
    [
      { byline: 'A. Uthor', publisher: 'Paper' },
      { byline: 'A. Uthor', publisher: 'Paper' },
    ],
    [
      { answer_finding: { subject_id: 'first-subject', predicate: 'first-predicate' } },
      { answer_finding: { subject_id: 'first-subject', predicate: 'first-predicate' } },
    ],
    [{ patterns: { p: '{subject} is {value}' } }, { patterns: { p: '{subject} is {value}' } }],
  ])('PATCH of a share changes only what %j names, and takes no snapshot', async (request, changed) => {
    covers('INV-S.27');
    const session = `patch ${JSON.stringify(request)}`;
    const path = `/${encodeURIComponent(session)}`;
    await send('POST', '', { name: 'Name', session_id: session, payload: investigationSaying('first') });
    await send('POST', `${path}/judge`, {});
    const share = await send<Share>('PUT', `${path}/share`, {
      public: true,
      slug: 'first',
      preferred_pane: 'mesh',
    });
    await send('POST', `${path}/judge`, {});
    const patched = await send<Share>('PATCH', `${path}/share`, request);
    const slug = 'slug' in changed ? changed.slug : 'first';
    const url_path = `/share/${share.share_uuid}/${slug}`;
    expect(patched).toEqual({
      ...share,
      ...changed,
      url_path,
      url: `${service.url}${url_path}`,
      updated_at: expect.any(String),
      judged_at: null,
    });
    expect(await (await read(`${path}/share`)).json()).toEqual(patched);
  });

  it('how a share is presented stays until null clears it, and shows with its snapshot', async () => {
    covers('INV-V.35', 'INV-F.SetShareRequest.byline');
    await publish('presented');
    const set = { byline: 'A. Uthor', contact: 'desk@paper.example' };
    expect(await send('PUT', '/presented/share', { public: true, ...set })).toMatchObject(set);
    const { url_path } = await send<Share>('PATCH', '/presented/share', { contact: null });
    const shown = async () =>
      ((await (await fetch(`${service.url}${url_path}.json`)).json()) as { share: object }).share;
    expect(await shown()).toMatchObject({ byline: 'A. Uthor' });
    expect(await shown()).not.toHaveProperty('contact');
    expect(await shown()).not.toHaveProperty('judged_since');
    const etag = (await fetch(`${service.url}${url_path}.json`)).headers.get('etag');
    await send('POST', '/presented/judge', {});
    expect(await shown()).toHaveProperty('judged_since', true);
    expect((await fetch(`${service.url}${url_path}.json`)).headers.get('etag')).not.toBe(etag);
  });

  it.each(['PUT', 'PATCH'])(
    '%s of a share refuses an answer that is not among the findings, which its error lists',
    async (method) => {
      covers('INV-V.35');
      const session = `answer by ${method}`;
      await publish(session);
      const path = `/api/v1/sessions/${encodeURIComponent(session)}/share`;
      const before = await (await read(`/${encodeURIComponent(session)}/share`)).json();
      const wrong = { answer_finding: { subject_id: 'first-subject', predicate: 'first-predicat' } };
      const refused = await call(method, path, wrong);
      expect(refused.status).toBe(422);
      const { error } = (await refused.json()) as { error: string };
      expect(error).toMatch(/^answer_finding: .*no verdict/);
      expect(error).toContain('{"subject_id":"first-subject","predicate":"first-predicate"}');
      expect(await (await read(`/${encodeURIComponent(session)}/share`)).json()).toEqual(before);
    },
  );

  it('PATCH of a share takes a new snapshot for snapshot: true, whether the share is public or hidden', async () => {
    covers('INV-S.27');
    const { url_path } = await publish('anew');
    await send('PATCH', '/anew', { research_question: 'Asked anew?' });
    await send('POST', '/anew/judge', {});
    await send('PATCH', '/anew/share', { public: false, snapshot: true });
    expect((await fetch(`${service.url}${url_path}.json`)).status).toBe(404);
    await send('PATCH', '/anew/share', { public: true });
    const shown = (await (await fetch(`${service.url}${url_path}.json`)).json()) as {
      input: { research_question: string };
    };
    expect(shown.input.research_question).toBe('Asked anew?');
  });

  it('PATCH of a share does not show a share that never had a snapshot, and creates no share', async () => {
    covers('INV-S.27');
    await send('POST', '', { name: 'Name', session_id: 'never' });
    await send('POST', '/never/judge', {});
    const none = await call('PATCH', '/api/v1/sessions/never/share', { public: true });
    expect([none.status, await none.json()]).toEqual([404, { error: 'the session has no share' }]);
    await send('PUT', '/never/share', { public: false });
    const refused = await call('PATCH', '/api/v1/sessions/never/share', { public: true });
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { error: 'the share has no snapshot to show yet: send snapshot: true as well' },
    ]);
  });
});

describe('the preview of a share', () => {
  it('the preview of a share names the sources, statements, evidence and interpretation that would become public', async () => {
    covers('INV-S.28');
    await send('POST', '', { name: 'Name', session_id: 'preview', payload: investigationSaying('first') });
    await send('POST', '/preview/judge', {});
    await send('PUT', '/preview/interpretation', { interpretation: 'Mine.' });
    await send('PATCH', '/preview', investigationSaying('second'));
    await send('POST', '/preview/judge', {});
    await send('PATCH', '/preview', { research_question: 'Edited.' });
    const preview = await (await call('GET', '/api/v1/sessions/preview/share/preview')).json();
    expect(SharePreview.parse(preview)).toEqual(preview);
    expect(preview).toMatchObject({
      session_name: 'Name',
      research_question: 'second question',
      sources: [
        { actor_id: 'first-actor', name: 'first name' },
        { actor_id: 'second-actor', name: 'second name' },
      ],
      evidence: [{ content: 'first evidence' }, { content: 'second evidence' }],
      interpretation: 'Mine.',
      interpretation_predates_judgement: true,
      warnings: [expect.stringContaining('edited'), expect.stringContaining('interpretation')],
    });
    expect((preview as { statements: unknown[] }).statements).toHaveLength(4);
    expect((await call('GET', '/api/v1/sessions/preview/share')).status).toBe(404);
  });
});

describe('a share that is published', () => {
  it('publishing a judgement that edits came after warns of them, and tells when it was judged', async () => {
    covers('INV-Q.97');
    await send('POST', '', { name: 'Name', session_id: 'edited', payload: investigationSaying('first') });
    await send('POST', '/edited/judge', {});
    const judged_at = (await judgementsOf('edited'))[0]!.judged_at;
    const publish = (body: object, method = 'PUT') => send<object>(method, '/edited/share', body);
    const first = await publish({ public: true });
    expect(first).toMatchObject({ judged_at });
    expect(first).not.toHaveProperty('warnings');
    await send('PUT', '/edited/interpretation', { interpretation: 'Mine.' });
    expect(await publish({ public: true })).not.toHaveProperty('warnings');
    await send('PATCH', '/edited', { research_question: 'Edited.' });
    const warns = { judged_at, warnings: [expect.stringMatching(/^The session was edited after/)] };
    expect(await publish({ public: true })).toMatchObject(warns);
    expect(await publish({ snapshot: true }, 'PATCH')).toMatchObject(warns);
    expect(await publish({ slug: 'other' }, 'PATCH')).not.toHaveProperty('warnings');
    await send('POST', '/edited/judge', {});
    const shown = (await call('GET', '/api/v1/sessions/edited/share')).json();
    expect(await shown).toMatchObject({ judged_at: null });
  });
});

describe('the preview of a presented share', () => {
  it('the preview of a share warns of an answer and of patterns that the judgement has no finding for', async () => {
    covers('INV-V.35');
    await send('POST', '', { name: 'Name', session_id: 'gone', payload: investigationSaying('first') });
    await send('POST', '/gone/judge', {});
    const patterns = { 'first-predicate': '{subject} is open', 'first-predicat': '{subject} is open' };
    const answer_finding = { subject_id: 'first-subject', predicate: 'first-predicate' };
    await send('PUT', '/gone/share', { answer_finding, patterns });
    const warnings = async () =>
      (
        (await (await call('GET', '/api/v1/sessions/gone/share/preview')).json()) as {
          warnings: string[];
        }
      ).warnings;
    expect(await warnings()).toEqual([expect.stringMatching(/^patterns: .* `first-predicat`/)]);
    await send('PATCH', '/gone', {
      remove_claim_ids: ['first-claim', 'first-other'],
      remove_evidence_ids: ['first-evidence'],
      remove_inference_ids: ['first-inference'],
      remove_distinction_ids: ['first-distinction'],
    });
    await send('POST', '/gone/judge', {});
    expect(await warnings()).toContainEqual(expect.stringMatching(/^answer_finding: /));
  });
});

describe('a compact judgement', () => {
  it('a compact judgement is a form of the response: the full result is kept and published', async () => {
    covers('INV-S.29');
    await send('POST', '', { name: 'Name', session_id: 'compact', payload: investigationSaying('first') });
    const { result } = await send<{ result: object }>('POST', '/compact/judge', { summary_mode: true });
    expect(result).toHaveProperty('top_findings');
    const { last_result } = (await (await call('GET', '/api/v1/sessions/compact')).json()) as {
      last_result: object;
    };
    expect(last_result).toHaveProperty('claim_analyses');
    const { url_path } = await send<Share>('PUT', '/compact/share', { public: true });
    const shown = (await (await fetch(`${service.url}${url_path}.json`)).json()) as { result: object };
    expect(shown.result).toEqual(last_result);
  });
});

/** An investigation with `word` in every text that a caller may choose. */
function investigationSaying(word: string): object {
  const claim = {
    actor_id: `${word}-actor`,
    subject_id: `${word}-subject`,
    predicate: `${word}-predicate`,
    content: `${word} content`,
    scope: `${word} scope`,
  };
  return {
    research_question: `${word} question`,
    actors: [
      {
        id: `${word}-actor`,
        name: `${word} name`,
        source_type: 'Expert',
        competence: { [`${word}-predicate`]: 0.9 },
      },
    ],
    subjects: [{ id: `${word}-subject`, name: `${word} subject`, subject_type: `${word} type` }],
    claims: [
      { ...claim, id: `${word}-claim`, value: `${word} value` },
      { ...claim, id: `${word}-other`, value: `${word} other value` },
    ],
    evidence: [
      {
        id: `${word}-evidence`,
        claim_id: `${word}-claim`,
        content: `${word} evidence`,
        valence: 'Supports',
      },
    ],
    inferences: [
      {
        id: `${word}-inference`,
        subject_id: `${word}-subject`,
        predicate: `${word}-predicate`,
        premise_claim_ids: [`${word}-claim`],
        rule_type: 'custom',
        rule_param: `${word} rule`,
      },
    ],
    distinctions: [
      {
        id: `${word}-distinction`,
        argument_a: `${word}-claim`,
        argument_b: `${word}-other`,
        feature: `${word} feature`,
        condition_a: `${word} condition`,
        condition_b: `${word} other condition`,
      },
    ],
  };
}
