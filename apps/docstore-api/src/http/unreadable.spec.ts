import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createPolicies } from '../auth/policies.ts';
import { ACTIONS } from '../rules/scopes.ts';
import type { Answered, Send } from '../test-service.fixture.ts';
import { API } from './api.ts';
import { useTestService } from './service-for-suite.fixture.ts';

const { service, client } = useTestService();

/** What the documents of these tests hold: no response to who may not read them has it. */
const HIDDEN = 'HIDDEN';
const IN = 'inbox/';
const READABLE = 'mine/';
/** Credentials of a user of the client's tenant, and what policies deny them at the moment. */
const USER = 'a.platform.token';
let isDenied = (_action: string, _filename: string) => false;
const DOMAIN = randomUUID();
const noReadOfInbox: typeof isDenied = (action, filename) => action === 'read' && filename.startsWith(IN);

beforeAll(() => {
  const { credentials } = service.deps;
  Object.assign(service.deps, {
    credentials: {
      ...credentials,
      isActive: () => Promise.resolve(true),
      authenticate: async (...[credential, use]: Parameters<typeof credentials.authenticate>) =>
        credential === USER
          ? {
              owner: client.owner,
              subject: 'user',
              scopes: ACTIONS.map((action) => ({ action, prefix: null })),
              expiresAt: null,
              leases: [],
              policies: createPolicies({
                authority: {
                  areAllowed: (_, contexts) =>
                    Promise.resolve(
                      contexts.map(
                        ({ action = '', object = '' }) =>
                          !isDenied(action, object.replace(`svc://${DOMAIN}/documents/`, '')),
                      ),
                    ),
                  namesAllowed: () => Promise.resolve(null),
                },
                credential,
                subject: 'user',
                rootDomainId: DOMAIN,
                metadata: {},
              }),
            }
          : credentials.authenticate(credential, use),
    },
  });
});

interface Case {
  readonly id: string;
  readonly etag: string;
  readonly filename: string;
  /** A filename that is free, where the caller may read. */
  readonly free: string;
}
type Request = readonly [method: string, path: string, options: Send];

const json = (body: unknown, more: Send = {}): Send => ({ json: body, ...more });
const CONTENTS = 'sent';
/** Of each operation that writes, requests that may show or move the document. */
const WRITES: Readonly<Record<string, (document: Case) => readonly Request[]>> = {
  createFile: ({ filename, free }) => [
    ['POST', '/v1/file', json({ filename, contents: CONTENTS })],
    ['POST', '/v1/file', json({ filename: free, contents: CONTENTS })],
  ],
  replaceFile: ({ id, etag, filename, free }) =>
    [filename, free, `${filename}-2`].flatMap((name): Request[] => [
      ['PUT', `/v1/file/${id}`, json({ filename: name, contents: CONTENTS }, { ifMatch: '*' })],
      [
        'PUT',
        `/v1/file/${id}`,
        json({ filename: name, contents: CONTENTS, metadata: {} }, { ifMatch: etag }),
      ],
    ]),
  patchFile: ({ id, etag, filename, free }) =>
    [
      {},
      { metadata: {} },
      { metadata: { sent: 'x', other: null } },
      { metadata: null },
      { filename },
      { filename: free },
      { filename: `${filename}-2` },
      { filename: free, metadata: {} },
      { filename: free, metadata: null },
    ].map((patch, index) => [
      'PATCH',
      `/v1/file/${id}`,
      json(patch, { ifMatch: index % 2 === 0 ? '*' : etag }),
    ]),
  replaceContents: ({ id }) => [
    [
      'PUT',
      `/v1/file/${id}/contents`,
      { body: CONTENTS, headers: { 'Content-Type': 'text/plain' }, ifMatch: '*' },
    ],
  ],
  editFile: ({ id }) =>
    [
      { append: CONTENTS },
      { insert_line: 0, insert_text: CONTENTS },
      { old_str: HIDDEN, new_str: CONTENTS },
    ].map((edit) => ['POST', `/v1/file/${id}/edit`, json(edit, { ifMatch: '*' })]),
  mergeFile: ({ id, etag }) => [
    ['POST', `/v1/file/${id}/merge`, json({ base_etag: etag, contents: CONTENTS, markers: true })],
  ],
  restoreVersion: ({ id, filename, free }) =>
    [{}, { filename: free }, { filename: `${filename}-2` }].map((given) => [
      'POST',
      `/v1/file/${id}/restore`,
      json({ version: 1, ...given }, { ifMatch: '*' }),
    ]),
  putPath: ({ filename, free }) => [
    ['PUT', `/v1/path/${filename}`, json({ contents: CONTENTS }, { headers: { 'If-None-Match': '*' } })],
    ['PUT', `/v1/path/${filename}`, json({ contents: CONTENTS }, { ifMatch: '*' })],
    ['PUT', `/v1/path/${free}`, json({ contents: CONTENTS }, { ifMatch: '*' })],
  ],
  runBatch: ({ id, filename, free }) => {
    const file = { filename, contents: CONTENTS };
    return [
      { method: 'get', id },
      { method: 'create', file },
      { method: 'replace', id, if_match: '*', file },
      { method: 'replace', id, if_match: '*', file: { ...file, filename: free } },
      { method: 'replace', id, if_match: '*', file: { ...file, filename: `${filename}-2` } },
    ].map((item) => ['POST', '/v1/batch', json({ items: [item] })]);
  },
};

const MAKES_NO_DOCUMENT = ['mintKey', 'rotateKey'];
const CALLERS = {
  'a key that may write alone': () => service.keyFor(client.owner, 'file:write file:delete'),
  'a key that may write more than it may read': () =>
    service.keyFor(
      client.owner,
      `file:write#prefix=${IN} file:write#prefix=${READABLE} file:read#prefix=${READABLE}`,
    ),
  'a user whom a policy denies to read': () => {
    isDenied = noReadOfInbox;
    return Promise.resolve(USER);
  },
};

async function createHidden(): Promise<Case> {
  const name = randomUUID();
  const filename = `${IN}${name}`;
  const made = await client.create(filename, `${HIDDEN} one`, { other: HIDDEN });
  const written = await client.send('PUT', `/v1/file/${made.id}`, {
    json: { filename, contents: `${HIDDEN} two` },
    ifMatch: made.etag,
  });
  return { id: made.id, etag: written.json.etag as string, filename, free: `${READABLE}${name}` };
}

/** What the caller finds of the document, in any of its versions. */
async function seen(key: string, { id, filename, free }: Case): Promise<string> {
  const paths = [
    `/v1/file/${id}`,
    `/v1/file/${id}/contents`,
    `/v1/file/${id}/versions`,
    ...[1, 2, 3, 4].map((version) => `/v1/file/${id}/versions/${version}`),
    `/v1/path/${filename}`,
    `/v1/path/${free}`,
    `/v1/file?fields=contents&filename_match=substring&filename=${free.slice(READABLE.length)}`,
  ];
  const responses = await Promise.all(paths.map((path) => client.send('GET', path, { key })));
  return responses.map(({ text }) => text).join('\n');
}

const textOf = ({ text, headers }: Answered) => `${text}\n${[...headers].join('\n')}`;

describe('a document that may be written and not be read', () => {
  it('every operation that writes has requests in this matrix', () => {
    const writes = API.filter(({ isRepeatable, id }) => isRepeatable && !MAKES_NO_DOCUMENT.includes(id));
    expect(Object.keys(WRITES).sort()).toEqual(writes.map(({ id }) => id).sort());
  });

  describe.each(Object.entries(CALLERS))('written by %s', (_, credentialOf) => {
    it.each(Object.entries(WRITES))(
      'a document shows nothing of what it held through %s, in the response, its replay or a read after it',
      async (_operation, requestsOf) => {
        covers('DOC-D.68', 'DOC-D.69');
        const key = await credentialOf();
        const count = requestsOf({ id: '', etag: '', filename: '', free: '' }).length;
        for (let index = 0; index < count; index += 1) {
          const document = await createHidden();
          const [method, path, options] = requestsOf(document)[index]!;
          const headers = { ...options.headers, 'Idempotency-Key': randomUUID() };
          const send = () => client.send(method, path, { ...options, headers, key });
          for (const response of [await send(), await send()]) {
            expect([method, path, options, textOf(response)]).toEqual([
              method,
              path,
              options,
              expect.not.stringContaining(HIDDEN),
            ]);
          }
          expect([method, path, options, await seen(key, document)]).toEqual([
            method,
            path,
            options,
            expect.not.stringContaining(HIDDEN),
          ]);
        }
      },
    );
  });

  it('a document is not read by renaming it: 403 for a key, 404 for a user whom a policy denies to read', async () => {
    covers('DOC-D.68');
    const statuses = async (credentialOf: () => Promise<string>) => {
      const key = await credentialOf();
      const { id, filename, free } = await createHidden();
      const patch = (name: string) =>
        client.send('PATCH', `/v1/file/${id}`, { json: { filename: name }, ifMatch: '*', key });
      const put = (name: string) =>
        client.send('PUT', `/v1/file/${id}`, {
          json: { filename: name, contents: 'x' },
          ifMatch: '*',
          key,
        });
      const items = [{ method: 'replace', id, if_match: '*', file: { filename: free, contents: 'x' } }];
      const batch = await client.send('POST', '/v1/batch', { json: { items }, key });
      return {
        toReadable: [(await patch(free)).status, (await put(free)).status, batch.json.results[0].status],
        toUnreadable: [(await patch(`${filename}-2`)).status, (await put(`${filename}-3`)).status],
        read: (await client.send('GET', `/v1/file/${id}`, { key })).status,
      };
    };
    const found = await Promise.all(Object.values(CALLERS).map(statuses));
    // A key that may read nothing sees no more of it anywhere.
    expect(found).toEqual([
      { toReadable: [200, 200, 200], toUnreadable: [200, 200], read: 403 },
      { toReadable: [403, 403, 403], toUnreadable: [200, 200], read: 403 },
      { toReadable: [404, 404, 404], toUnreadable: [200, 200], read: 404 },
    ]);
  });

  it('a policy that allows to write one filename allows none that begins with it', async () => {
    covers('DOC-D.68');
    const { id, filename } = await createHidden();
    const short = filename.slice(0, -1);
    isDenied = (action, name) => action === 'read' && name === filename;
    const moved = await client.send('PUT', `/v1/file/${id}`, {
      json: { filename: short, contents: 'x' },
      ifMatch: '*',
      key: USER,
    });
    expect(moved.status).toBe(404);
  });

  it('a response of before shows nothing that policies let the caller no longer read', async () => {
    covers('DOC-D.70');
    const requests: ((document: Case) => Request)[] = [
      (document) => WRITES['mergeFile']!(document)[0]!,
      ({ id }) => ['POST', `/v1/file/${id}/edit`, json({ append: 'x' }, { ifMatch: '*' })],
      ({ id }) => ['POST', `/v1/file/${id}/restore`, json({ version: 1 }, { ifMatch: '*' })],
      ({ id }) => ['PATCH', `/v1/file/${id}`, json({ metadata: { a: 'b' } }, { ifMatch: '*' })],
      ({ id, filename }) => {
        const file = { filename, contents: 'x' };
        const items = [
          { method: 'get', id },
          { method: 'replace', id, if_match: '*', file },
        ];
        return ['POST', '/v1/batch', json({ items })];
      },
    ];
    for (const requestOf of requests) {
      const document = await createHidden();
      const [method, path, options] = requestOf(document);
      const headers = { 'Idempotency-Key': randomUUID() };
      const send = () => client.send(method, path, { ...options, headers, key: USER });
      isDenied = () => false;
      expect([method, path, (await send()).text]).toEqual([method, path, expect.stringContaining(HIDDEN)]);
      isDenied = noReadOfInbox;
      expect([method, path, (await send()).text]).toEqual([
        method,
        path,
        expect.not.stringContaining(HIDDEN),
      ]);
    }
  });

  it('conflicts of a merge are not repeated to a caller who may no longer read the document', async () => {
    covers('DOC-D.70');
    const document = await createHidden();
    await client.send('PUT', `/v1/file/${document.id}`, {
      json: { filename: document.filename, contents: `${HIDDEN} three` },
      ifMatch: '*',
    });
    const options = {
      json: { base_etag: document.etag, contents: 'mine' },
      headers: { 'Idempotency-Key': randomUUID() },
      key: USER,
    };
    const merge = () => client.send('POST', `/v1/file/${document.id}/merge`, options);
    isDenied = () => false;
    expect((await merge()).json.conflicts).toHaveLength(1);
    isDenied = noReadOfInbox;
    expect((await merge()).status).toBe(404);
  });
});
