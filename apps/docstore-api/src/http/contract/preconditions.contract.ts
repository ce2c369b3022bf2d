import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf } from '../../test-service.fixture.ts';
import type { Api } from './api.ts';

const FILENAME = 'conditional.txt';
const STATES = ['live', 'deleted', 'absent'] as const;
type State = (typeof STATES)[number];

/** What is sent: `current` stands for the ETag of the last version, current or not. */
interface Form {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}
const FORMS: readonly Form[] = [
  {},
  ...['current', '"other"', '*', 'W/current', '"other", ,current', 'bare', ''].map((ifMatch) => ({
    ifMatch,
  })),
  ...['current', '"other"', '*', 'W/current', '"other", current', 'bare', ''].map((ifNoneMatch) => ({
    ifNoneMatch,
  })),
  ...['current', '"other"', '*'].flatMap((ifMatch) =>
    ['current', '"other"', '*'].map((ifNoneMatch) => ({ ifMatch, ifNoneMatch })),
  ),
];

/** A route that writes to one document: what it needs, and what it returns when it is carried out. */
interface Route {
  readonly method: string;
  readonly path: (id: string) => string;
  readonly needs: 'nothing' | 'If-Match' | 'either';
  readonly success: number;
  readonly json?: (etag: string) => unknown;
  readonly text?: string;
}
const REPLACED = { filename: FILENAME, contents: 'new' };
const ROUTES: Readonly<Record<string, Route>> = {
  replaceFile: {
    method: 'PUT',
    path: (id) => `/v1/file/${id}`,
    needs: 'If-Match',
    success: 200,
    json: () => REPLACED,
  },
  patchFile: {
    method: 'PATCH',
    path: (id) => `/v1/file/${id}`,
    needs: 'If-Match',
    success: 200,
    json: () => ({ metadata: { a: 'b' } }),
  },
  deleteFile: { method: 'DELETE', path: (id) => `/v1/file/${id}`, needs: 'nothing', success: 204 },
  replaceContents: {
    method: 'PUT',
    path: (id) => `/v1/file/${id}/contents`,
    needs: 'If-Match',
    success: 204,
    text: 'new',
  },
  editFile: {
    method: 'POST',
    path: (id) => `/v1/file/${id}/edit`,
    needs: 'If-Match',
    success: 200,
    json: () => ({ append: 'x' }),
  },
  mergeFile: {
    method: 'POST',
    path: (id) => `/v1/file/${id}/merge`,
    needs: 'nothing',
    success: 200,
    json: (etag) => ({ base_etag: etag, contents: 'new' }),
  },
  restoreVersion: {
    method: 'POST',
    path: (id) => `/v1/file/${id}/restore`,
    needs: 'either',
    success: 200,
    json: () => ({ version: 1 }),
  },
  putPath: {
    method: 'PUT',
    path: () => `/v1/path/${FILENAME}`,
    needs: 'either',
    success: 200,
    json: () => ({ contents: 'new' }),
  },
  deletePath: { method: 'DELETE', path: () => `/v1/path/${FILENAME}`, needs: 'nothing', success: 204 },
};

/** Whether `tags` name the current version; weak ones count only where the comparison is weak. */
const names = (tags: string, isWeakComparison: boolean) =>
  tags.split(',').some((tag) => tag.trim() === 'current' || (isWeakComparison && tag.trim() === 'W/current'));
const isMalformed = (field: string | undefined) => field === 'bare' || field === '';

/** The status that the contract gives (order of checks; RFC 9110 §13.1, §13.2.2). */
function expectedStatus(name: string, { ifMatch, ifNoneMatch }: Form, state: State): number {
  const { needs, success } = ROUTES[name]!;
  const isByName = name.endsWith('Path');
  const isFound = state === 'live' || (state === 'deleted' && name === 'restoreVersion');
  if (!isByName && !isFound) return 404;
  if (isMalformed(ifMatch) || isMalformed(ifNoneMatch)) return 400;
  if (needs === 'If-Match' && ifMatch === undefined) return 428;
  if (needs === 'either' && ifMatch === undefined && ifNoneMatch !== '*') return 428;
  if (!isFound) return name === 'putPath' && ifMatch === undefined ? 201 : 404;
  // A deleted document has no current version, so `*` names none and If-None-Match excludes none; its last
  // ETag proves what the caller knew (decisions page, "By name").
  const isMatched = ifMatch === undefined || (ifMatch === '*' ? state === 'live' : names(ifMatch, false));
  const isExcluded =
    state === 'live' && ifNoneMatch !== undefined && (ifNoneMatch === '*' || names(ifNoneMatch, true));
  return isMatched && !isExcluded ? success : 412;
}

/** Every route that writes to a document, under every form of a precondition, in every state of it. */
export function preconditionsContract(api: Api): void {
  const prepare = async (state: State) => {
    const owner = await clientOf(api.service);
    const { id, etag } = await owner.create(FILENAME);
    if (state !== 'live') await owner.send('DELETE', `/v1/file/${id}`);
    if (state === 'absent') await api.service.deps.documents.forgetDeleted(new Date(Date.now() + 60_000));
    return { owner, id, etag };
  };

  describe('a write under a precondition', () => {
    it.each(Object.keys(ROUTES).flatMap((name) => STATES.map((state) => [name, state] as const)))(
      '%s of a document that is %s keeps to every form of If-Match and If-None-Match',
      async (name, state) => {
        covers('DOC-P.1', 'DOC-P.2', 'DOC-P.3', 'DOC-P.4', 'DOC-D.4', 'DOC-D.32', 'DOC-D.52');
        const { method, path, json, text } = ROUTES[name]!;
        const statuses: Record<string, number> = {};
        const expected: Record<string, number> = {};
        let prepared: Awaited<ReturnType<typeof prepare>> | undefined;
        for (const form of FORMS) {
          const { owner, id, etag } = (prepared ??= await prepare(state));
          const field = (value: string | undefined, header: string) =>
            value === undefined ? {} : { [header]: value.replace('current', etag) };
          const response = await owner.send(method, path(id), {
            ...(json === undefined ? {} : { json: json(etag) }),
            ...(text === undefined ? {} : { body: text }),
            headers: {
              ...(text === undefined ? {} : { 'Content-Type': 'text/plain' }),
              ...field(form.ifMatch, 'If-Match'),
              ...field(form.ifNoneMatch, 'If-None-Match'),
            },
          });
          // What was refused left the document as it was.
          if (response.status < 300) prepared = undefined;
          const key = JSON.stringify(form);
          statuses[key] = response.status;
          expected[key] = expectedStatus(name, form, state);
          if (response.status === 412) expect([key, response.headers.get('ETag')]).toEqual([key, etag]);
        }
        expect(statuses).toEqual(expected);
      },
    );
  });
}
