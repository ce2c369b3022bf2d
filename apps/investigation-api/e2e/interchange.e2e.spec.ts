import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GOOD } from '@platform/interchange/fixtures';
import { IMPORT_FORMATS } from '@platform/interchange/formats';
import { temporaryFolder } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { workbook } from '@platform/testing/workbook';
import { unzipSync } from 'fflate';
import { startBuilt, type BuiltService } from './built-service.fixture.ts';

const README = join(import.meta.dirname, '../README.md');
let service: BuiltService;
beforeAll(async () => {
  service = await startBuilt();
});
afterAll(() => service?.stop());

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.token}`, ...init.headers },
  });
const importing = (path: string, body: string, headers: Record<string, string> = {}) =>
  call(`/imports/${path}`, { method: 'POST', body, headers });

describe('files of other tools', () => {
  it('the part of the README on files works as it stands', async () => {
    covers('INV-IMPORT.6', 'INV-EXPORT.1', 'INV-EXPORT.5', 'INV-EXPORT.8');
    const part = [...readFileSync(README, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].find(([, body]) =>
      body!.includes('/imports/claimreview'),
    )![1]!;
    const folder = await temporaryFolder('files-');
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-ec', part.replace('http://127.0.0.1:8080', service.url)],
      { cwd: folder, env: { PATH: process.env.PATH, TOKEN: service.token } },
    );
    expect(stdout).toMatch(/^(\S+: OK\n)+$/);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(JSON.parse(read('preview.json'))).toMatchObject({
      counts: { claims: 2 },
      left_out: [{ reason: 'Insider was guessed for "Mayor Adams": change it if it is another' }],
      left_out_total: 1,
    });
    expect(JSON.parse(read('preview.json'))).not.toHaveProperty('session');
    expect(JSON.parse(read('merged.json'))).toMatchObject({ session: { added: 5, replaced: 0 } });
    expect(JSON.parse(read('graded.json'))).toMatchObject({
      counts: { claims: 1, evidence: 1 },
      payload: {
        actors: [{ name: 'Harbor CERT', base_reliability: 0.7 }],
        evidence: [{ valence: 'Refutes' }],
      },
    });
    expect(read('closed.stix.json')).toContain('admiralty-scale:source-reliability=\\"b\\"');
    expect(read('closed.argdown')).toContain('The bridge is closed');
    for (const name of ['closed.pdf', 'closed.brief.pdf']) expect(read(name)).toMatch(/^%PDF-1\.7/);
    const again = await importing('claimreview?session=closed', read('check.html'));
    expect(await again.json()).toMatchObject({ session: { added: 0, replaced: 0 } });
  });

  it('a workbook that is merged into a session changes nothing that is there', async () => {
    covers('INV-IMPORT.13');
    const reuters = { id: 'reuters', name: 'Reuters', source_type: 'Regulator', base_reliability: 0.9 };
    const bridge = { id: 'bridge', name: 'The bridge', subject_type: 'bridge' };
    const own = {
      id: 'c1',
      actor_id: 'reuters',
      subject_id: 'bridge',
      predicate: 'open',
      value: 'no',
      content: 'mine',
    };
    const session = {
      session_id: 'rows',
      name: 'rows',
      payload: { research_question: 'q', actors: [reuters], subjects: [bridge], claims: [own] },
    };
    const json = { 'content-type': 'application/json' };
    await call('/sessions', { method: 'POST', headers: json, body: JSON.stringify(session) });
    const merge = async (...rows: string[][]) => {
      const body = workbook({ Claims: [['source', 'subject', 'predicate', 'value'], ...rows] });
      expect((await call('/imports/xlsx?session=rows', { method: 'POST', body })).status).toBe(200);
    };
    const first = ['Reuters', 'The bridge', 'open', 'yes'];
    await merge(first);
    await merge(['Town archive', 'The bridge', 'open', 'yes'], first);
    const { payload } = (await (await call('/sessions/rows')).json()) as {
      payload: Record<string, unknown[]>;
    };
    expect(payload['claims']).toHaveLength(3);
    expect(payload['claims']).toContainEqual(own);
    expect(payload['actors']).toEqual([reuters, expect.objectContaining({ name: 'Town archive' })]);
    expect(payload['subjects']).toEqual([bridge]);
  });

  it('a workbook whose dates could be read either way is merged in the order that is sent, and keeps nothing without one', async () => {
    covers('INV-IMPORT.23');
    const rows = [
      ['source', 'subject', 'predicate', 'value', 'date'],
      ['The Daily Herald', 'The fire', 'cause', 'arson', '05/06/2024'],
    ];
    const body = workbook({ Claims: rows });
    await call('/sessions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: 'either-way', name: 'n' }),
    });
    const merge = async (query: string) => {
      const response = await call(`/imports/xlsx?session=either-way${query}`, { method: 'POST', body });
      return [response.status, JSON.stringify(await response.json())];
    };
    const claims = async () => (await call('/sessions/either-way/claims')).json();
    expect(await merge('')).toEqual([422, expect.stringMatching(/^\{"error":"dates: .*dates=month_first/)]);
    expect((await merge('&dates=us'))[0]).toBe(422);
    expect(await claims()).toEqual([]);
    expect((await merge('&dates=month_first'))[0]).toBe(200);
    expect(await claims()).toMatchObject([{ assertion_time: '2024-05-06T00:00:00Z' }]);
  });

  it('a workbook whose numbers could be read either way is read as is sent, by REST and by MCP, and refused without', async () => {
    covers('INV-B.101');
    const rows = [
      ['source', 'subject', 'predicate', 'value'],
      ['The Daily Herald', 'The dam', 'length', '1.250 m'],
    ];
    const body = workbook({ Claims: rows });
    const read = async (query: string) => {
      const response = await call(`/imports/xlsx${query}`, { method: 'POST', body });
      return [response.status, JSON.stringify(await response.json())];
    };
    const asked = /numbers: .*1\.250 m.*numbers=decimal_comma/;
    expect(await read('')).toEqual([422, expect.stringMatching(asked)]);
    expect(await read('?numbers=decimal_comma')).toEqual([200, expect.stringContaining('"value":"1250 m"')]);
    const file = { format: 'xlsx', base64: Buffer.from(body).toString('base64') };
    const tool = async (more: object) => {
      const params = { name: 'import_file', arguments: { ...file, ...more } };
      const response = await fetch(`${service.url}/mcp?toolsets=files`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return response.text();
    };
    expect(await tool({})).toMatch(asked);
    expect(await tool({ numbers: 'decimal_comma' })).toContain('"value":"1250 m"');
  });

  it.each(IMPORT_FORMATS.filter((format) => format !== 'json' && format !== 'aif'))(
    'a %s file that is merged twice into an edited session loses no edit',
    async (format) => {
      covers('INV-IMPORT.15');
      const json = { 'content-type': 'application/json' };
      const send = async (method: string, path: string, body: object) => {
        const response = await call(path, { method, headers: json, body: JSON.stringify(body) });
        expect([path, response.status]).toEqual([path, method === 'POST' ? 201 : 200]);
      };
      const path = `/sessions/twice-${format}`;
      const merge = async () => {
        const to = `/imports/${format}?session=twice-${format}`;
        const response = await call(to, { method: 'POST', body: Buffer.from(GOOD[format]) });
        expect(response.status).toBe(200);
        return (await response.json()) as {
          session: { added: number; replaced: number };
          left_out: { path: string }[];
        };
      };
      const payload = async () =>
        ((await (await call(path)).json()) as { payload: Record<string, Record<string, unknown>[]> }).payload;
      await send('POST', '/sessions', { session_id: `twice-${format}`, name: 'n' });
      await merge();
      const keptItems = ({ left_out }: Awaited<ReturnType<typeof merge>>) =>
        left_out.map(({ path: place }) => place).filter((place) => /^(?:claims|evidence) /.test(place));
      expect(keptItems(await merge())).toEqual([]);
      const { actors, subjects, claims, evidence } = await payload();
      const edit = (items: Record<string, unknown>[] = [], field: string) =>
        items.map((item) => ({ ...item, [field]: 'edited' }));
      await send('PATCH', path, {
        actors: edit(actors, 'name').map((actor) => ({ ...actor, base_reliability: 0.42 })),
        subjects: edit(subjects, 'subject_type'),
        claims: edit(claims, 'scope'),
        evidence: edit(evidence, 'content'),
      });
      const edited = await payload();
      const again = await merge();
      expect(again.session.added).toBe(0);
      const named = ['claims', 'evidence'].flatMap((kind) =>
        (edited[kind] ?? []).map(({ id }) => `${kind} ${String(id)}`),
      );
      expect(keptItems(again).sort()).toEqual(named.sort());
      expect(await payload()).toEqual(edited);
    },
  );

  it('an export that is imported into an empty session takes its settings along and judges alike', async () => {
    covers('INV-IMPORT.24');
    const json = { 'content-type': 'application/json' };
    const sent = async (method: string, path: string, body: object = {}) =>
      (await call(path, { method, headers: json, body: JSON.stringify(body) })).json() as Promise<never>;
    const claim = { actor_id: 'a', subject_id: 's', predicate: 'open', content: 'It is open.' };
    const settings = { research_question: 'Is it open?', domain: 'News', decay_half_life_days: 30 };
    const payload = {
      ...settings,
      actors: [{ id: 'a', name: 'Council', source_type: 'Institutional' }],
      subjects: [{ id: 's', name: 'Bridge', subject_type: 'structure' }],
      claims: [{ ...claim, id: 'c', value: 'true', assertion_time: '2026-10-01' }],
    };
    const chances = (judgement: { result: { subject_results: { calibrated_probability: number }[] } }) =>
      judgement.result.subject_results.map((verdict) => verdict.calibrated_probability.toFixed(3));
    await sent('POST', '/sessions', { session_id: 'aged', name: 'n', payload });
    const judged = chances(await sent('POST', '/sessions/aged/judge'));
    for (const format of ['json', 'aif', 'stix', 'misp']) {
      const file = await (await call(`/sessions/aged/export/${format}`)).text();
      const id = `aged-${format}`;
      await sent('POST', '/sessions', { session_id: id, name: 'n' });
      const preview = await (await importing(`${format}?session=${id}&preview=true`, file)).json();
      expect(preview).toMatchObject({ settings, left_out: [] });
      const merge = async () => (await importing(`${format}?session=${id}`, file)).json();
      expect(await merge()).toMatchObject({ settings, left_out: [] });
      expect(await (await call(`/sessions/${id}`)).json()).toMatchObject({ payload: settings });
      expect(chances(await sent('POST', `/sessions/${id}/judge`))).toEqual(judged);
      await sent('PATCH', `/sessions/${id}`, { domain: 'Legal', decay_half_life_days: null });
      expect(await merge()).toMatchObject({
        settings: {},
        left_out: [
          { path: 'domain', reason: 'is "News" in the file and stays "Legal" in the session' },
          {
            path: 'decay_half_life_days',
            reason: expect.stringContaining('is 30 in the file and stays unset'),
          },
        ],
      });
    }
  });

  it.each(['json', 'aif', 'stix', 'misp', 'xlsx'])(
    'a %s file that comes back as it was replaces nothing, and an item that changed is one replaced',
    async (format) => {
      covers('INV-IMPORT.52');
      const headers = { 'content-type': 'application/json' };
      const send = (method: string, path: string, body: object) =>
        call(path, { method, headers, body: JSON.stringify(body) });
      const session = `same-${format}`;
      const claim = {
        id: 'record',
        actor_id: 'archive',
        subject_id: 'bridge',
        predicate: 'built_in',
        value: '1731',
        content: 'Council record.',
      };
      const payload = {
        research_question: 'When was it built?',
        actors: [{ id: 'archive', name: 'City archive', source_type: 'Institutional' }],
        subjects: [{ id: 'bridge', name: 'Old bridge', subject_type: 'structure' }],
        claims: [claim],
      };
      await send('POST', '/sessions', { session_id: session, name: 'n', payload });
      await send('POST', `/sessions/${session}/judge`, {});
      const body =
        format === 'xlsx'
          ? workbook({ Claims: [Object.keys(claim), Object.values(claim)] })
          : await (await call(`/sessions/${session}/export/${format}`)).arrayBuffer();
      const merge = async () =>
        (await (
          await call(`/imports/${format}?session=${session}`, { method: 'POST', body })
        ).json()) as object;
      expect(await merge()).toMatchObject({ session: { added: 0, replaced: 0 } });
      await send('PUT', `/sessions/${session}/claims/record`, { ...claim, value: '1850' });
      expect(await merge()).toMatchObject({ session: { added: 0, replaced: 1 } });
    },
  );

  it('two sources of one name are warned of, and taken as one when asked', async () => {
    covers('INV-IMPORT.16');
    const file = JSON.stringify({
      research_question: 'q',
      actors: [{ id: 'daily-2', name: 'the daily', source_type: 'Journalist' }],
      subjects: [],
      claims: [],
    });
    const payload = {
      ...(JSON.parse(file) as object),
      actors: [{ id: 'd', name: 'The Daily', source_type: 'Journalist' }],
    };
    const body = JSON.stringify({ session_id: 'namesakes', name: 'n', payload });
    await call('/sessions', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const merge = async (query: string) => (await importing(`json?session=namesakes${query}`, file)).json();
    const actors = async () => (await (await call('/sessions/namesakes/actors')).json()) as { id: string }[];
    const apart = {
      warnings: [
        'The sources "d" and "daily-2" are called "The Daily" or "the daily" and count as independent sources; same_names=one takes them as one.',
      ],
    };
    expect(await merge('&preview=true')).toMatchObject(apart);
    expect((await actors()).map(({ id }) => id)).toEqual(['d']);
    expect(await merge('&same_names=one')).toMatchObject({
      warnings: [
        'The source "daily-2" of the file, "the daily", was taken as "d", which is called "The Daily".',
      ],
    });
    expect((await actors()).map(({ id }) => id)).toEqual(['d']);
    expect(await merge('')).toMatchObject(apart);
    expect((await actors()).map(({ id }) => id)).toEqual(['d', 'daily-2']);
    for (const query of ['', '&same_names=one'])
      expect(await merge(query)).toMatchObject({
        warnings: [
          'The sources "d" and "daily-2" are called "The Daily" or "the daily" and count as independent sources, all of them in the session; if they are one, give their claims one actor_id and delete the others.',
        ],
      });
    expect((await importing('json?session=namesakes&same_names=two', file)).status).toBe(422);
  });

  it('an import and its preview warn of spellings of one property or scope, in the file and with the session', async () => {
    covers('INV-IMPORT.99');
    const file = (spellings: readonly [predicate: string, scope: string][]) => ({
      research_question: 'q',
      actors: [{ id: 'a', name: 'The Daily', source_type: 'Journalist' }],
      subjects: [{ id: 's', name: 'The fire', subject_type: 'event' }],
      claims: spellings.map(([predicate, scope]) => ({
        id: `${predicate}-${scope}`,
        actor_id: 'a',
        subject_id: 's',
        predicate,
        value: '14',
        scope,
        content: predicate,
      })),
    });
    const body = JSON.stringify({ session_id: 'spelled', name: 'n', payload: file([['injured', 'adults']]) });
    await call('/sessions', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const other = JSON.stringify(
      file([
        ['Injured', 'children'],
        ['INJURED', 'Adults'],
      ]),
    );
    const warnings = async (query: string) =>
      ((await (await importing(`json${query}`, other)).json()) as { warnings: string[] }).warnings;
    const withSession = [
      '3 spellings of one property, "injured", "Injured", "INJURED" (Injured, INJURED), are judged apart; use one of them if they mean the same.',
      '2 spellings of one scope, "adults", "Adults" (INJURED), are judged apart; use one of them if they mean the same.',
    ];
    expect(await warnings('')).toEqual([
      '2 spellings of one property, "Injured", "INJURED" (INJURED), are judged apart; use one of them if they mean the same.',
    ]);
    expect(await warnings('?session=spelled&preview=true')).toEqual(withSession);
    expect(await warnings('?session=spelled')).toEqual(withSession);
    expect(await warnings('?session=spelled&preview=true')).toEqual([]);
  });

  it('an import names what it may put back after it was deleted', async () => {
    covers('INV-IMPORT.17');
    const body = JSON.stringify({ session_id: 'back', name: 'n' });
    await call('/sessions', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const merge = async () => {
      const sent = { method: 'POST', body: Buffer.from(GOOD.claimreview) };
      return (await (await call('/imports/claimreview?session=back', sent)).json()) as { warnings: string[] };
    };
    expect((await merge()).warnings).toEqual([]);
    const claims = (await (await call('/sessions/back/claims')).json()) as { id: string }[];
    await call(`/sessions/back/claims/${claims[0]!.id}`, { method: 'DELETE' });
    expect((await merge()).warnings).toEqual([
      expect.stringMatching(/and these were not: ".*puts them back/),
    ]);
    expect((await merge()).warnings).toEqual([]);
  });

  it('a file whose inferences and distinctions are there already puts nothing back', async () => {
    covers('INV-IMPORT.17');
    const body = JSON.stringify({ session_id: 'same', name: 'n' });
    await call('/sessions', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const file = readFileSync(new URL('../../../examples/first-flight.json', import.meta.url), 'utf8');
    const { inferences, distinctions } = JSON.parse(file) as Record<string, unknown[]>;
    expect([inferences!.length, distinctions!.length]).not.toContain(0);
    for (const _ of ['first', 'again'])
      expect(await (await importing('json?session=same', file)).json()).toMatchObject({ warnings: [] });
  });

  it('a file that is merged into a session names its sources as the session does', async () => {
    covers('INV-IMPORT.15');
    const reuters = { id: 'r', name: 'the  HERALD', source_type: 'Regulator', base_reliability: 0.9 };
    const session = {
      session_id: 'named',
      name: 'n',
      payload: { research_question: 'q', actors: [reuters], subjects: [], claims: [] },
    };
    const json = { 'content-type': 'application/json' };
    await call('/sessions', { method: 'POST', headers: json, body: JSON.stringify(session) });
    const review = {
      '@type': 'ClaimReview',
      claimReviewed: 'It is open.',
      author: { name: 'The Herald' },
      reviewRating: { alternateName: 'False' },
    };
    expect((await importing('claimreview?session=named', JSON.stringify(review))).status).toBe(200);
    const { payload } = (await (await call('/sessions/named')).json()) as {
      payload: Record<string, unknown[]>;
    };
    expect(payload['actors']).toEqual([reuters]);
    expect(payload['claims']).toEqual([expect.objectContaining({ actor_id: 'r' })]);
  });

  it.each([
    ['claimreview', 'hello', 422, 'neither JSON nor a page'],
    ['xlsx', 'hello', 422, 'no XLSX workbook'],
    ['stix', '{"objects":[]}', 422, 'no STIX object'],
    ['misp', '{"Event":{"Attribute":[{"type":"domain"}]}}', 422, 'Event.Attribute[0].value'],
    ['json', '{"payload":{}}', 422, 'research_question'],
    ['docx', '{}', 422, 'format'],
    ['json?sesion=x', '{}', 422, 'sesion'],
    ['json?session=absent', '{}', 404, 'no such session'],
  ])('an import to %s of %s is refused by name', async (path, body, status, message) => {
    covers('INV-IMPORT.1');
    const response = await importing(path, body);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  it('a compressed body is 415, and a caller without credential 401', async () => {
    covers('INV-IMPORT.5');
    expect((await importing('json', '{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    const stranger = await fetch(`${service.url}/api/v1/imports/json`, { method: 'POST', body: '{}' });
    expect(stranger.status).toBe(401);
    expect((await fetch(`${service.url}/api/v1/sessions/closed/export/zip`)).status).toBe(401);
  });

  it('a share is downloaded by anyone with its link, with nothing but its public part, until it is hidden', async () => {
    covers('INV-EXPORT.6');
    const headers = { 'content-type': 'application/json' };
    const sent = async (method: string, path: string, body: object) =>
      (await call(path, { method, headers, body: JSON.stringify(body) })).json() as Promise<{
        url_path: string;
      }>;
    const payload = {
      research_question: 'Is it open?',
      actors: [{ id: 'a', name: 'Council', source_type: 'Institutional', note_to_self: 'call them' }],
      subjects: [{ id: 's', name: 'Bridge', subject_type: 'structure' }],
      claims: [
        { id: 'c', actor_id: 'a', subject_id: 's', predicate: 'open', value: 'true', content: 'It is open.' },
      ],
    };
    await sent('POST', '/sessions', { session_id: 'shared', name: 'Open?', payload });
    await sent('POST', '/sessions/shared/judge', {});
    const { url_path } = await sent('PUT', '/sessions/shared/share', { public: true });
    const open = (format: string) => fetch(`${service.url}${url_path}/export/${format}`);
    const files = unzipSync(new Uint8Array(await (await open('zip')).arrayBuffer()));
    const text = (name: string) => new TextDecoder().decode(files[name]);
    for (const line of text('SHA256SUMS').trim().split('\n')) {
      const [digest, name] = line.split('  ');
      expect([name, createHash('sha256').update(files[name!]!).digest('hex')]).toEqual([name, digest]);
    }
    const about = JSON.parse(text('about.json')) as { input_sha256: string; result_sha256: string };
    const digestOf = (name: string) => createHash('sha256').update(files[name]!).digest('hex');
    expect([digestOf('investigation.json'), digestOf('result.json')]).toEqual([
      about.input_sha256,
      about.result_sha256,
    ]);
    for (const format of ['json', 'aif', 'argdown', 'claimreview', 'prov', 'stix', 'misp']) {
      const response = await open(format);
      expect([format, response.status, response.headers.get('content-disposition')]).toEqual([
        format,
        200,
        expect.stringContaining('attachment; filename="open.'),
      ]);
      expect(await response.text()).not.toContain('note_to_self');
    }
    for (const format of ['pdf', 'pdf-brief']) {
      const response = await open(format);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(await response.text()).toMatch(/^%PDF-1\.7/);
    }
    expect(JSON.stringify(Object.keys(files).map(text))).not.toContain('note_to_self');
    expect((await open('docx')).status).toBe(404);
    await sent('PUT', '/sessions/shared/share', { public: false });
    expect((await open('zip')).status).toBe(404);
  });

  it('a ClaimReview of a session, in a zip and of a share counts no source that corrected itself', async () => {
    covers('INV-EXPORT.24');
    const sent = (method: string, path: string, body: object) =>
      call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const claim = (id: string, actor_id: string, value: string, more: object = {}) => ({
      id,
      actor_id,
      value,
      subject_id: 's',
      predicate: 'limit',
      content: id,
      ...more,
    });
    const payload = {
      research_question: 'What is the limit?',
      actors: ['a', 'b', 'c'].map((id) => ({ id, name: id, source_type: 'Expert' })),
      subjects: [{ id: 's', name: 'Bridge', subject_type: 'structure' }],
      claims: [
        claim('first', 'a', '50'),
        claim('other', 'b', '50'),
        claim('third', 'c', '50'),
        claim('now', 'b', '70', { supersedes_claim_id: 'other' }),
      ],
    };
    await sent('POST', '/sessions', { session_id: 'limit', name: 'Limit?', payload });
    await sent('POST', '/sessions/limit/judge', {});
    const share = await sent('PUT', '/sessions/limit/share', { public: true });
    const { url_path } = (await share.json()) as { url_path: string };
    const shared = (format: string) => fetch(`${service.url}${url_path}/export/${format}`);
    const unzipped = async (response: Promise<Response>) =>
      new TextDecoder().decode(
        unzipSync(new Uint8Array(await (await response).arrayBuffer()))['claimreview.json'],
      );
    const reviews = await Promise.all([
      call('/sessions/limit/export/claimreview').then((response) => response.text()),
      unzipped(call('/sessions/limit/export/zip')),
      shared('claimreview').then((response) => response.text()),
      unzipped(shared('zip')),
    ]);
    for (const review of reviews)
      expect(review).toContain('2 sources, 2 of them independent. 1 of 3 does not say so.');
  });

  it('a report of a thousand claims is written within the bounds of a thread', async () => {
    covers('INV-EXPORT.13');
    const headers = { 'content-type': 'application/json' };
    const ids = Array.from({ length: 1_000 }, (_, index) => index);
    const payload = {
      research_question: 'How long are the bridges?',
      actors: ids
        .slice(0, 100)
        .map((n) => ({ id: `a${n}`, name: `Survey ${n}`, source_type: 'Institutional' })),
      subjects: ids
        .slice(0, 100)
        .map((n) => ({ id: `s${n}`, name: `Bridge ${n}`, subject_type: 'structure' })),
      claims: ids.map((n) => ({
        id: `c${n}`,
        actor_id: `a${n % 97}`,
        subject_id: `s${n % 100}`,
        predicate: 'length',
        value: `${100 + (n % 3)} m`,
        content: `Survey ${n} of the bridge gives its length in the words of the engineer who measured it.`,
        assertion_time: '2025-01-02T00:00:00Z',
        url: `https://example.org/surveys/${n}`,
      })),
    };
    const sent = (path: string, body: object) =>
      call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    await sent('/sessions', { session_id: 'thousand', name: 'thousand', payload });
    await sent('/sessions/thousand/judge', {});
    const response = await call('/sessions/thousand/export/pdf');
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(500_000);
  });

  it('a session never judged is 409, an absent one 404, another format 422', async () => {
    covers('INV-EXPORT.1');
    const headers = { 'content-type': 'application/json' };
    await call('/sessions', { method: 'POST', headers, body: '{"session_id":"new","name":"new"}' });
    const statuses = ['new/export/zip', 'absent/export/zip', 'new/export/docx'].map(
      async (path) => (await call(`/sessions/${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([409, 404, 422]);
  });
});
