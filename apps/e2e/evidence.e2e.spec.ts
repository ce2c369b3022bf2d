import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { axeViolations, startChromium, migratedDatabase } from '@platform/testing';
import { pdfOf } from '@platform/testing/pdf';
import { strFromU8, unzipSync } from 'fflate';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { late } from '@platform/testing/for-suite';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { startService } from './platform/index.ts';
import { type Json, send, suitePlatform } from './platform-suite.fixture.ts';

const PASSWORD = 'a user password for tests 2846';
const TEXT =
  'Minutes of 3 May. 𝔄 The mayor said: “The bridge is open.” Nobody objected.\r\nLater the bridge closed.';
const QUOTE = 'The bridge is open.';

// The version before the current one is kept, and no other.
const platform = suitePlatform({ DOCSTORE_VERSIONS_KEPT: '2' });
const authz = late(() => platform.services['authz-grpc']);
const docstore = late(() => platform.services['docstore-api']);
const investigation = late(() => platform.services['investigation-api']);
const clients = late(() => platform.clients);
const tenant = late(() => platform.tenant);

const api = (method: string, path: string, body?: unknown, token = tenant.token) =>
  send(investigation.url, token, method, `/api/v1${path}`, body);
const store = (method: string, path: string, body?: unknown, headers: object = {}) =>
  send(docstore.url, tenant.token, method, `/v1${path}`, body, headers);

async function addDocument(contents = TEXT): Promise<Json> {
  const added = await api('POST', '/documents', {
    filename: `minutes/${randomUUID()}.txt`,
    contents,
    url: 'https://example.org/minutes',
  });
  expect(added.status).toBe(201);
  return added.json;
}

const claim = (more: object = {}) => ({
  id: 'c1',
  actor_id: 'mayor',
  subject_id: 'bridge',
  predicate: 'open',
  value: 'true',
  content: 'The bridge is open.',
  ...more,
});
const payloadOf = (...claims: object[]) => ({
  research_question: 'Is the bridge open?',
  actors: [{ id: 'mayor', name: 'Mayor', source_type: 'Institutional' }],
  subjects: [{ id: 'bridge', name: 'Bridge', subject_type: 'structure' }],
  claims,
});

async function newSession(...claims: object[]): Promise<string> {
  const created = await api('POST', '/sessions', { name: 'n', payload: payloadOf(...claims) });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  return `/sessions/${created.json.session_id}`;
}
const judged = async (session: string, token?: string): Promise<Json> =>
  (await api('POST', `${session}/judge`, {}, token)).json;

/** A document, and the source that pins QUOTE in it. */
async function pinned(): Promise<{ document: Json; source: Json }> {
  const document = await addDocument();
  const found = await api('GET', `/documents/${document.document}/quote?exact=${encodeURIComponent(QUOTE)}`);
  expect([found.status, found.json.state]).toEqual([200, 'verified']);
  return { document, source: found.json.source };
}

const contentsOf = async (id: string) => {
  const { json } = await store('GET', `/file/${id}`);
  return json as { etag: string; filename: string; contents: string; metadata: object };
};
async function edit(id: string, contents: string): Promise<void> {
  const { etag, filename, metadata } = await contentsOf(id);
  const written = await store('PUT', `/file/${id}`, { filename, contents, metadata }, { 'If-Match': etag });
  expect(written.status).toBe(200);
}

describe('a quote that is pinned to a stored document', () => {
  it('a document is stored byte for byte with its address, time and the digest of its bytes', async () => {
    covers('INV-Q.12');
    const document = await addDocument();
    expect(document).toMatchObject({
      version: 1,
      url: 'https://example.org/minutes',
      sha256: createHash('sha256').update(TEXT).digest('hex'),
      added_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(await contentsOf(document.document)).toMatchObject({
      contents: TEXT,
      filename: document.filename,
    });
    const again = await api('POST', '/documents', { filename: document.filename, contents: 'x' });
    expect([again.status, again.json.error]).toEqual([409, expect.stringContaining('`as_new_version`')]);
    const nul = await api('POST', '/documents', { filename: 'nul', contents: 'a\0' });
    expect(nul.status).toBe(422);
  });

  it('the commands of the README store a text, print the digest of its bytes and pin its words', async () => {
    covers('INV-Q.12');
    const readme = readFileSync(new URL('../investigation-api/README.md', import.meta.url), 'utf8');
    const commands = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, body]) => body!);
    const tour = commands
      .find((body) => body.includes('sha256sum'))!
      .replace('http://127.0.0.1:8080', investigation.url)
      .replace('http://127.0.0.1:8082', docstore.url);
    const cwd = mkdtempSync(join(tmpdir(), 'quotes-'));
    try {
      const env = { PATH: process.env.PATH, TOKEN: tenant.token };
      const { stdout } = await promisify(execFile)('bash', ['-ec', tour], { cwd, env });
      const [digest, found] = stdout.trim().split('\n');
      const { sha256 } = JSON.parse(readFileSync(join(cwd, 'document.json'), 'utf8'));
      expect(digest).toBe(`${sha256}  -`);
      expect(JSON.parse(found!)).toMatchObject({
        state: 'verified',
        source: { sha256, selector: { start: 10 } },
      });
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  it('a quote is verified, reports an edit, moves and goes with later ones, and is not checked once deleted', async () => {
    covers('INV-Q.8', 'INV-Q.9', 'INV-Q.10');
    const { document, source } = await pinned();
    expect(source).toMatchObject({ version: 1, selector: { exact: QUOTE, start: 37, end: 56 } });
    const session = await newSession(claim({ source }), claim({ id: 'c2', value: 'false' }));
    const first = await judged(session);
    expect(first.quotes).toMatchObject({ verified: 1, moved: 0, gone: 0, not_checked: 0, warnings: [] });
    expect(first.quotes.items).toEqual([
      {
        kind: 'claims',
        id: 'c1',
        document: document.document,
        state: 'verified',
        version: 1,
        sha256: document.sha256,
        start: 37,
        end: 56,
      },
    ]);

    await edit(document.document, `Corrected. ${TEXT}`);
    const edited = await judged(session);
    expect(edited.quotes.items[0]).toMatchObject({
      state: 'verified',
      version: 1,
      current: { version: 2, state: 'moved', occurrences: 1, candidates: [{ start: 48, agreement: 1 }] },
    });

    // The pinned version is no longer kept: only the current bytes are left, and they are others.
    await edit(document.document, `Corrected twice. ${TEXT}`);
    const moved = await judged(session);
    expect(moved.quotes).toMatchObject({ verified: 0, moved: 1 });
    expect(moved.quotes.items[0]).toMatchObject({ state: 'moved', version: 3, candidates: [{ start: 54 }] });
    expect(moved.quotes.warnings).toEqual([expect.stringContaining('claim `c1` is not where it was pinned')]);

    await edit(document.document, 'The mayor said nothing.');
    expect((await judged(session)).quotes.items[0]).toMatchObject({ state: 'gone', version: 4 });

    expect((await store('DELETE', `/file/${document.document}`)).status).toBe(204);
    const deleted = await judged(session);
    expect(deleted.quotes.items[0]).toMatchObject({ state: 'not_checked', reason: 'no_access' });

    const kept = await api('GET', `${session}/judgements/latest`);
    expect(kept.json.quotes).toEqual(deleted.quotes);
    const unverified = await api('GET', `${session}/quotes?state=unverified`);
    expect(unverified.json).toMatchObject({
      judgement_id: kept.json.id,
      total: 1,
      items: deleted.quotes.items,
    });
    const verified = await api('GET', `${session}/quotes?state=verified`);
    expect(verified.json).toMatchObject({ total: 0, items: [], not_checked: 1 });
  });

  it('a digest that the version does not have is told, and bytes that came back unchanged are verified again', async () => {
    covers('INV-Q.9', 'INV-Q.10');
    const { document, source } = await pinned();
    const session = await newSession(
      claim({ source: { ...source, sha256: 'f'.repeat(64) } }),
      claim({ id: 'c2', source: { ...source, version: 9 } }),
      claim({ id: 'c3', source: { document: document.document, selector: { exact: 'never said' } } }),
    );
    expect((await judged(session)).quotes.items).toMatchObject([
      { id: 'c1', state: 'not_checked', reason: 'digest_mismatch' },
      { id: 'c2', state: 'verified', version: 1 },
      { id: 'c3', state: 'gone' },
    ]);
  });

  it('verdicts have the same bytes with and without sources', async () => {
    covers('INV-Q.3');
    const { source } = await pinned();
    const asOf = '2026-01-01T00:00:00Z';
    const textOf = async (claims: object[]) => {
      const { text } = await api('POST', '/investigations/analyze', { ...payloadOf(...claims), as_of: asOf });
      return text.replace(/,"quotes":\{.*$/, '}').replace(/"evaluated_at":"[^"]*"/, '');
    };
    expect(await textOf([claim({ source })])).toBe(await textOf([claim()]));
  });

  it('a colleague without the right to read the document sees not_checked and not the text', async () => {
    covers('INV-Q.11');
    const { document, source } = await pinned();
    const session = await newSession(claim({ source }));
    const colleague = await member();
    await allow(colleague, 'judge', `svc://${tenant.rootDomainId}/investigations/${session.split('/')[2]!}`);
    await allow(colleague, 'read', `svc://${tenant.rootDomainId}/investigations/${session.split('/')[2]!}`);
    const result = await judged(session, colleague.token);
    expect(result.quotes.items).toEqual([
      {
        kind: 'claims',
        id: 'c1',
        document: document.document,
        state: 'not_checked',
        reason: 'no_access',
      },
    ]);
    expect(JSON.stringify(result)).not.toContain('Nobody objected');
    const read = await api('GET', `/documents/${document.document}`, undefined, colleague.token);
    expect(read.status).toBe(404);
    const found = await api(
      'GET',
      `/documents/${document.document}/quote?exact=open`,
      undefined,
      colleague.token,
    );
    expect(found.status).toBe(404);
    await allow(colleague, 'read', `svc://${tenant.rootDomainId}/documents/${document.filename}`);
    expect((await judged(session, colleague.token)).quotes).toMatchObject({ verified: 1 });
  });

  it('readers without the right to read the document see not_checked wherever quotes are shown, no matter who judged', async () => {
    covers('INV-Q.11', 'INV-Q.20');
    const { document } = await pinned();
    const onDocument = `svc://${tenant.rootDomainId}/documents/${document.filename}`;
    const author = await member();
    // Without digest and position, which then stand nowhere but in what was looked up.
    const source = { document: document.document, selector: { exact: QUOTE } };
    const body = { name: 'n', payload: payloadOf(claim({ source }), claim({ id: 'c2', value: 'false' })) };
    const created = await api('POST', '/sessions', body, author.token);
    const id = created.json.session_id as string;
    const onSession = `svc://${tenant.rootDomainId}/investigations/${id}`;
    const [judge, reader, former] = [await member(), await member(), await member()];
    for (const one of [judge, reader, former]) await allow(one, 'read', onSession);
    await allow(judge, 'judge', onSession);
    for (const one of [judge, former]) await allow(one, 'read', onDocument);
    expect((await judged(`/sessions/${id}`, judge.token)).quotes).toMatchObject({ verified: 1 });
    expect((await judged(`/sessions/${id}`, judge.token)).quotes).toMatchObject({ verified: 1 });
    expect(tellsOf(document, (await shownIn(id, bearer(former.token))).values())).toBe(true);
    await disallow(former, onDocument);
    const { userId } = judge;
    const key = async (...values: string[]) => ({
      'x-api-key': (
        await clients.apiKeys.createApiKey({ userId, scopes: { values } }, { token: judge.token })
      ).apiKey,
    });

    const blind = [
      ...[author, reader, former].map(({ token }) => bearer(token)),
      await key('investigations'),
    ];
    for (const [index, credential] of blind.entries())
      for (const [place, shown] of await shownIn(id, credential))
        expect([index, place, tellsOf(document, [shown])]).toEqual([index, place, false]);
    const { json } = await api('GET', `/sessions/${id}/quotes`, undefined, author.token);
    expect(json).toMatchObject({
      verified: 0,
      not_checked: 1,
      items: [
        { kind: 'claims', id: 'c1', document: document.document, state: 'not_checked', reason: 'no_access' },
      ],
    });
    expect(Object.keys(json.items[0])).toHaveLength(5);
    for (const state of ['verified', 'moved', 'gone']) {
      const of = await api('GET', `/sessions/${id}/quotes?state=${state}`, undefined, author.token);
      expect(of.json).toMatchObject({ total: 0, items: [] });
    }
    // The same places tell those who may read it.
    for (const credential of [bearer(judge.token), await key('investigations', 'documents')]) {
      const shown = await shownIn(id, credential);
      const telling = [...shown].filter(([, one]) => tellsOf(document, [one])).map(([place]) => place);
      expect(telling).toEqual(
        expect.arrayContaining([
          'GET /sessions/{session_id}/quotes',
          'GET /sessions/{session_id}/judgements/latest',
          'GET /sessions/{session_id}/judgements/{judgement_id}',
          'export json',
          'export zip',
          'tool list_judgement_quotes',
          'tool export_session',
        ]),
      );
    }
    const share = await api('PUT', `/sessions/${id}/share`, { public: true }, author.token);
    const snapshot = await (await fetch(`${share.json.url}.json`)).text();
    expect(tellsOf(document, [snapshot])).toBe(false);
  });

  it('a judgement is read by everybody who may read its session, no matter who made it, and tells why a quote was not checked and what to do', async () => {
    covers('INV-Q.45');
    const { document, source } = await pinned();
    const [owner, editor, reader, stranger] = await Promise.all([member(), member(), member(), member()]);
    await allow(owner, 'read', `svc://${tenant.rootDomainId}/documents/${document.filename}`);
    const body = { name: 'n', payload: payloadOf(claim({ source })) };
    const id = (await api('POST', '/sessions', body, owner.token)).json.session_id as string;
    const invited = await api(
      'PUT',
      `/sessions/${id}/members/${editor.username}`,
      { role: 'edit' },
      owner.token,
    );
    expect(invited.status).toBe(200);
    await allow(reader, 'read', `svc://${tenant.rootDomainId}/investigations/${id}`);
    const remedy =
      'was not checked: the document, or the version, does not exist, or you or the one who judged may not read it; with the right to read it, judge again';
    for (const judge of [editor, owner]) {
      await judged(`/sessions/${id}`, judge.token);
      const [{ id: judgement }] = (await api('GET', `/sessions/${id}/judgements`, undefined, owner.token))
        .json;
      for (const [role, { token }] of Object.entries({ owner, editor, reader })) {
        const isVerified = judge === owner && role === 'owner';
        for (const path of ['quotes', 'judgements/latest', `judgements/${judgement}`]) {
          const { status, text } = await api('GET', `/sessions/${id}/${path}`, undefined, token);
          expect([role, path, status, text.includes(remedy)]).toEqual([role, path, 200, !isVerified]);
        }
        const shown = await shownIn(id, bearer(token));
        for (const tool of ['list_judgement_quotes', 'get_latest_session_judgement', 'get_session_judgement'])
          expect([role, tool, shown.get(`tool ${tool}`)!.includes(remedy)]).toEqual([
            role,
            tool,
            !isVerified,
          ]);
      }
      for (const path of ['judgements', 'judgements/latest', `judgements/${judgement}`])
        expect((await api('GET', `/sessions/${id}/${path}`, undefined, stranger.token)).status).toBe(404);
    }
  });

  it('a share shows the passage in its document without scripts, as its author could read it when publishing', async () => {
    covers('INV-Q.13');
    const { document, source } = await pinned();
    const session = await newSession(claim({ source }));
    await judged(session);
    const preview = await api('GET', `${session}/share/preview`);
    expect(preview.json.parts.map(({ name }: Json) => name)).toEqual(
      expect.arrayContaining(['quotes', 'documents']),
    );
    const { url } = (await api('PUT', `${session}/share`, { public: true })).json;
    const read = async (path = '', base: string = url) => {
      const response = await fetch(base + path);
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const path = `/documents/${document.document}/1`;
    const audit = await read('?pane=audit');
    expect(audit.text).toContain(`${new URL(url).pathname.split('/').pop()}${path}#at-37-56`);
    const page = await read(path);
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      audit.headers.get('content-security-policy'),
    ]);
    expect(page.text).toMatch(
      /id="at-37-56"[^>]*><\/span><mark class="passage">The bridge is open\.<\/mark>/,
    );
    expect(page.text).toContain(document.sha256);
    expect(page.text).not.toContain('<script');
    for (const other of [`/documents/${document.document}/2`, '/documents/file_x/1', '/documents/x/y'])
      expect((await read(other)).status).toBe(404);

    // What was published stays as it was, whatever becomes of the document.
    await store('DELETE', `/file/${document.document}`);
    expect((await read(path)).text).toBe(page.text);
    const { documents } = JSON.parse((await read('.json')).text);
    expect(documents).toMatchObject([{ document: document.document, stretches: [{ start: 0 }] }]);
  });

  it('a PDF file is stored as its text, quoted across lines, and its pages are numbered on the share', async () => {
    covers('INV-Q.16', 'INV-Q.18', 'INV-Q.19', 'INV-Q.41', 'INV-Q.42', 'INV-EXPORT.22');
    const bytes = await pdfOf(['Agenda.', 'The bridge is closed\nall day.', '']);
    const filename = `minutes/${randomUUID()}.pdf`;
    const added = await api('POST', '/documents', { filename, pdf: Buffer.from(bytes).toString('base64') });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect([added.status, added.json.pdf]).toEqual([201, { sha256, pages: 3, pages_without_text: [3] }]);
    const path = `/documents/${added.json.document}`;
    expect((await api('GET', path)).json).toMatchObject({
      contents: 'Agenda.\fThe bridge is closed\nall day.\f',
      pdf_sha256: sha256,
    });
    const sameText = await pdfOf(['Agenda.', 'The bridge is closed\nall day.', ''], { info: { Title: 'B' } });
    const pdf = Buffer.from(sameText).toString('base64');
    const again = (await api('POST', '/documents', { filename, pdf })).json;
    expect(again).toMatchObject({ is_new: false, pdf_sha256: sha256, pdf: { sha256 } });
    const stored = await store('GET', `/file/${added.json.document}`);
    expect(stored.json.metadata).toMatchObject({ pdf_sha256: sha256, pdf_pages: '3' });
    const quote = new URLSearchParams({ exact: 'closed all day' });
    const { source } = (await api('GET', `${path}/quote?${quote}`)).json;
    expect(source.selector.exact).toBe('closed\nall day');
    const session = await newSession(claim({ source }));
    expect((await judged(session)).quotes).toMatchObject({ verified: 1 });
    const zip = await fetch(`${investigation.url}/api/v1${session}/export/zip`, {
      headers: { authorization: `Bearer ${tenant.token}` },
    });
    const about = strFromU8(unzipSync(new Uint8Array(await zip.arrayBuffer()))['about.json']!);
    expect(JSON.parse(about)).toMatchObject({ documents: [{ pdf_sha256: sha256 }] });
    const { url } = (await api('PUT', `${session}/share`, { public: true })).json;
    const page = await (await fetch(`${url}${path}/1`)).text();
    expect(page).toMatch(/Page 1<.*Page 2<.*<mark class="passage">closed\nall day<\/mark>.*Page 3</s);
  });

  it('the digest of a PDF file is told of the versions that hold its text, and of no other', async () => {
    covers('INV-Q.46');
    const pdf = Buffer.from(await pdfOf(['The bridge is open.'])).toString('base64');
    const filename = `pdf/${randomUUID()}.pdf`;
    const { json: added } = await api('POST', '/documents', { filename, pdf });
    const digest = added.pdf.sha256 as string;
    const { contents } = await contentsOf(added.document);
    await edit(added.document, `${contents} Or not.`);
    await edit(added.document, contents);
    const told = async (version: number) =>
      (await api('GET', `/documents/${added.document}?version=${version}`)).json.pdf_sha256;
    expect([await told(2), await told(3)]).toEqual([null, digest]);
    await edit(added.document, `${contents} Or not.`);
    const listed = await api('GET', `/documents?name_filter=${encodeURIComponent(filename)}`);
    expect(listed.json).toMatchObject([{ version: 4, pdf_sha256: null }]);
    const again = await api('POST', '/documents', { filename, pdf, as_new_version: true });
    expect(again.json).toMatchObject({ version: 5, pdf_sha256: digest });
  });

  it('an analyst adds a PDF file in the workbench, selects a passage and pins it', async () => {
    covers('INV-Q.15', 'INV-Q.16', 'INV-Q.21');
    const session = await newSession(claim());
    const browser = await startChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await page.goto(`${investigation.url}/app${session}#edit`);
      await page.getByText('Advanced: sign in with a token').click();
      await page.getByLabel('Token or API key').fill(tenant.token);
      await page.getByRole('button', { name: 'Sign in with the token' }).click();
      await page.getByRole('button', { name: 'Add a piece of evidence' }).click();
      await page.getByLabel('Claim required').selectOption('c1');
      await page.getByText('Choose or add a document').click();
      const name = `minutes ${randomUUID()}.pdf`;
      const buffer = Buffer.from(await pdfOf(['The bridge is closed\nall day.', 'Ferries run.']));
      await page
        .getByLabel('Or store a new one: file')
        .setInputFiles({ name, mimeType: 'application/pdf', buffer });
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Store it and select the passage' }).click();
      const text = page.getByLabel(`${name}, version 1`);
      await eventually(() => text.inputValue()).toContain('all day.\n— Page 2 —\nFerries run.');
      await text.evaluate((area: Json) => area.setSelectionRange(14, 28));
      await page.getByRole('button', { name: 'Pin the selected words' }).click();
      await page.locator('.source-pinned q').waitFor();
      const href = await page.getByRole('link', { name: 'Show in its document' }).getAttribute('href');
      expect(href).toMatch(/\/app\/documents\/file_[^/]+\/1#at-14-28$/);
      expect(await axeViolations(page)).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it.each([
    [{ contents: 'x', pdf: 'eA==' }, 'either contents or pdf'],
    [{}, 'either contents or pdf'],
    [{ pdf: '%%%' }, 'pdf'],
    [{ pdf: Buffer.from('hello').toString('base64') }, 'pdf: this is not a PDF file'],
  ])('a document of %j is refused by name', async (more, message) => {
    covers('INV-Q.17');
    const refused = await api('POST', '/documents', { filename: `x/${randomUUID()}`, ...more });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(message)]);
  });

  it('a share of an author who may not read the document shows nothing of it', async () => {
    covers('INV-Q.13', 'INV-Q.79');
    const { document, source } = await pinned();
    const author = await member();
    const created = await api(
      'POST',
      '/sessions',
      { name: 'n', payload: payloadOf(claim({ source })) },
      author.token,
    );
    const session = `/sessions/${created.json.session_id}`;
    await judged(session, author.token);
    const { url } = (await api('PUT', `${session}/share`, { public: true }, author.token)).json;
    const snapshot = await (await fetch(`${url}.json`)).text();
    expect(JSON.parse(snapshot)).toMatchObject({ documents: [], quotes: { not_checked: 1 } });
    for (const words of ['The mayor said', 'Nobody objected', 'bridge closed'])
      expect(snapshot).not.toContain(words);
    expect((await fetch(`${url}/documents/${document.document}/1`)).status).toBe(404);
  });

  it('a share of a quote whose document was deleted has no words around the quote', async () => {
    covers('INV-Q.79');
    const { document, source } = await pinned();
    const session = await newSession(claim({ source }));
    await judged(session);
    await store('DELETE', `/file/${document.document}`);
    const { url } = (await api('PUT', `${session}/share`, { public: true })).json;
    const snapshot = await (await fetch(`${url}.json`)).text();
    expect(snapshot).toContain(QUOTE);
    expect(snapshot).not.toContain('The mayor said');
  });

  it.each([
    ['is silent', true],
    ['refuses connections', false],
  ])(
    'while the document store %s, each of several requests ends within 5 s and says so',
    async (_, isThere) => {
      covers('INV-Q.10', 'INV-S.60');
      const { document, source } = await pinned();
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      if (!isThere) silent.close();
      const alone = await startService('investigation-api', {
        DATABASE_URL: await migratedDatabase(platform.postgres, 'investigation-api'),
        INVESTIGATION_AUTHZ_URL: authz.grpcAddress,
        INVESTIGATION_DOCSTORE_URL: `http://127.0.0.1:${port}`,
        INVESTIGATION_DOCSTORE_TIMEOUT_MS: '2000',
      });
      try {
        const ask = (method: string, path: string, body?: object) =>
          send(alone.url, tenant.token, method, `/api/v1${path}`, body);
        // A machine that is busy makes the first call of authz-grpc miss its deadline: 503, try again.
        await eventually(() => ask('GET', '/sessions')).toMatchObject({ status: 200 });
        const began = performance.now();
        const [analyzed, ...read] = await Promise.all([
          ask('POST', '/investigations/analyze', payloadOf(claim({ source }))),
          ask('GET', `/documents/${document.document}`),
          ask('GET', '/documents'),
        ]);
        expect(performance.now() - began).toBeLessThan(5_000);
        expect(analyzed.status).toBe(200);
        expect(analyzed.json.quotes.items).toMatchObject([{ state: 'not_checked', reason: 'unavailable' }]);
        for (const { status, text } of read)
          expect([status, text]).toEqual([503, expect.stringContaining('document store does not respond')]);

        const sources = ['d1', 'd2', 'd3'].map((one) => ({ ...source, document: one }));
        const claims = sources.map((of, index) => claim({ id: `c${index}`, source: of }));
        await ask('POST', '/sessions', { session_id: 's', name: 'n', payload: payloadOf(...claims) });
        await ask('POST', '/sessions/s/judge', {});
        const beganAgain = performance.now();
        const archive = await fetch(`${alone.url}/api/v1/sessions/s/export/zip`, {
          headers: bearer(tenant.token),
        });
        const files = textOfZip(new Uint8Array(await archive.arrayBuffer()));
        expect(performance.now() - beganAgain).toBeLessThan(5_000);
        expect(files.match(/"reason":\s*"unavailable"/g)!.length).toBeGreaterThanOrEqual(3);
      } finally {
        await alone.kill();
        silent.closeAllConnections();
        silent.close();
      }
    },
  );
});

/** Another user of the tenant. */
async function member(): Promise<{ userId: string; username: string; token: string }> {
  const username = `user-${randomUUID()}`;
  const email = `${username}@example.org`;
  const { userId } = await clients.users.createUser({ username, email, password: PASSWORD });
  await clients.tenants.createTenantUserAssociation({ tenantId: tenant.id, userId }, { token: tenant.token });
  const { name } = await clients.tenants.getTenant({ id: tenant.id }, { token: tenant.token });
  const { token } = await clients.sessions.login({ username, password: PASSWORD, tenant: name });
  return { userId, username, token };
}

async function disallow({ userId }: { userId: string }, object: string): Promise<void> {
  const domain = { tenantId: tenant.id, domainId: tenant.rootDomainId };
  const extras = { token: tenant.token };
  const { policies } = await clients.domains.getDomainPolicies(domain, extras);
  const isOther = ({ rules }: { rules: Map<string, string> }) =>
    rules.get('subject') !== userId || rules.get('object') !== object;
  const left = policies.filter(({ statements }) => statements.some(isOther));
  expect(left).toHaveLength(policies.length - 1);
  await clients.domains.putDomainPolicies({ ...domain, policies: left }, extras);
}

async function allow({ userId }: { userId: string }, action: string, object: string): Promise<void> {
  const domain = { tenantId: tenant.id, domainId: tenant.rootDomainId };
  const extras = { token: tenant.token };
  const { policies } = await clients.domains.getDomainPolicies(domain, extras);
  const rules = new Map(Object.entries({ subject: userId, action, object }));
  const added = {
    name: `allow-${randomUUID()}`,
    description: '',
    invert: false,
    deny: false,
    engine: EvaluationEngine.FIXED,
    statements: [{ rules }],
  };
  await clients.domains.putDomainPolicies({ ...domain, policies: [...policies, added] }, extras);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const textOfZip = (zip: Uint8Array) =>
  Object.values(unzipSync(zip))
    .map((bytes) => strFromU8(bytes))
    .join('\n');

/**
 * Whether texts say something about a document that only its bytes tell: digest, state or place of the quote.
 */
function tellsOf({ sha256 }: { sha256: string }, texts: Iterable<string>): boolean {
  return [...texts].some(
    (text) => text.includes(sha256) || /"?verified"?:\s*1|1 verified|"state":\s*"verified"/.test(text),
  );
}

/** The body of a response; of a stream, which does not end, what it begins with. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

/** What a caller is shown of a session: by every GET of the OpenAPI document, every export, and tools. */
async function shownIn(sessionId: string, headers: Record<string, string>): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  const { paths } = await (await fetch(`${investigation.url}/openapi.json`)).json();
  const get = async (path: string) => await fetch(`${investigation.url}/api/v1${path}`, { headers });
  const [judgement] = await (await get(`/sessions/${sessionId}/judgements`)).json();
  for (const [path, methods] of Object.entries<Json>(paths)) {
    const own = path.replace(/^\/api\/v1/, '');
    if (methods.get === undefined || !own.startsWith('/sessions') || own.includes('{format}')) continue;
    const at = own.replace('{session_id}', sessionId).replace('{judgement_id}', judgement.id);
    const query = own.includes('expla') ? '?subject_id=bridge&predicate=open' : '';
    shown.set(`GET ${own}`, await textOf(await get(at + query)));
  }
  const { parameters } = paths['/api/v1/sessions/{session_id}/export/{format}'].get;
  const formats = parameters.find(({ name }: Json) => name === 'format').schema.enum as string[];
  for (const format of formats) {
    const bytes = new Uint8Array(await (await get(`/sessions/${sessionId}/export/${format}`)).arrayBuffer());
    shown.set(`export ${format}`, format === 'zip' ? textOfZip(bytes) : Buffer.from(bytes).toString());
  }
  for (const [name, args] of [
    ['list_judgement_quotes', {}],
    ['get_latest_session_judgement', {}],
    ['get_session_judgement', { judgement_id: judgement.id }],
    ['compare_judgements', {}],
    ['export_session', { format: 'json', limit: 10_000_000 }],
  ] as const) {
    const response = await fetch(`${investigation.url}/mcp?toolsets=all`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: { session_id: sessionId, ...args } },
      }),
    });
    shown.set(`tool ${name}`, (await response.text()).replaceAll('\\"', '"'));
  }
  return shown;
}
