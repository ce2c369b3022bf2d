import { CreateFile, createFile } from '../../operations/create-file.ts';
import { deleteFile } from '../../operations/delete-file.ts';
import { getFile } from '../../operations/get-file.ts';
import { FileList, ListFiles, listFiles, needsContents } from '../../operations/list-files.ts';
import { PatchFile, patchFile } from '../../operations/patch-file.ts';
import { replaceFile, ReplaceFile } from '../../operations/replace-file.ts';
import { writtenBody } from '../../operations/shared/written-body.ts';
import { fileBody, FileBody } from '../../wire/document-body.ts';
import { documentResponse, etagHeader, pageResponse } from '../representation.ts';
import { isOfLarge, operation, type ApiOperation } from './operation.ts';

const MERGE_PATCH = 'application/merge-patch+json';

/** Operations on documents by their id. */
export const DOCUMENTS: readonly ApiOperation[] = [
  operation({
    method: 'post',
    path: '/v1/file',
    id: 'createFile',
    summary: 'Store a document',
    action: 'file:write',
    body: CreateFile,
    isRepeatable: true,
    success: [201, FileBody],
    responseHeaders: ['ETag'],
    errors: ['quota_exceeded'],
    async run({ deps, caller, input }) {
      const document = await createFile(deps, caller, input);
      const headers = { ...etagHeader(document), Location: `/v1/file/${document.id}` };
      return {
        status: 201,
        headers,
        json: await writtenBody(caller, fileBody(document, document.contents), input),
      };
    },
  }),
  operation({
    method: 'get',
    path: '/v1/file',
    id: 'listFiles',
    summary: 'List and search documents',
    action: 'file:read',
    query: ListFiles,
    success: [200, FileList],
    isLarge: (query) => needsContents(query) && query.mode !== 'regex',
    errors: ['unprocessable_entity'],
    async run({ deps, caller, query }) {
      const { files, next_cursor } = await listFiles(deps, caller, query);
      return pageResponse('files', files, { next_cursor });
    },
  }),
  operation({
    method: 'get',
    path: '/v1/file/:id',
    id: 'getFile',
    summary: 'Read a document',
    action: 'file:read',
    conditional: 'honored',
    success: [200, FileBody],
    responseHeaders: ['Repr-Digest'],
    errors: ['not_found'],
    run: async ({ deps, caller, params, precondition }) =>
      documentResponse(await getFile(deps, caller, params['id']!, precondition)),
  }),
  operation({
    method: 'put',
    path: '/v1/file/:id',
    id: 'replaceFile',
    summary: 'Replace filename and contents',
    action: 'file:write',
    ofDocument: true,
    conditional: 'required',
    body: ReplaceFile,
    isRepeatable: true,
    success: [200, FileBody],
    errors: ['quota_exceeded'],
    async run({ deps, caller, head, target, input }) {
      const document = await replaceFile(deps, caller, { ...target, head }, input);
      return {
        status: 200,
        headers: etagHeader(document),
        json: await writtenBody(caller, fileBody(document, document.contents), input),
      };
    },
  }),
  operation({
    method: 'patch',
    path: '/v1/file/:id',
    id: 'patchFile',
    summary: 'Change filename and metadata',
    action: 'file:write',
    ofDocument: true,
    conditional: 'required',
    body: PatchFile,
    jsonTypes: [MERGE_PATCH],
    isLarge: isOfLarge,
    isRepeatable: true,
    success: [200, FileBody],
    errors: ['quota_exceeded'],
    async run({ deps, caller, target, input }) {
      const head = await patchFile(deps, caller, target, input);
      return {
        status: 200,
        headers: etagHeader(head),
        json: await writtenBody(caller, fileBody(head), input),
      };
    },
  }),
  operation({
    method: 'delete',
    path: '/v1/file/:id',
    id: 'deleteFile',
    summary: 'Delete a document',
    action: 'file:delete',
    ofDocument: true,
    conditional: 'honored',
    success: [204, null],
    async run({ deps, caller, target }) {
      await deleteFile(deps, caller, target);
      return { status: 204 };
    },
  }),
];
