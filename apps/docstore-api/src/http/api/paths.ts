import { deletePath, getPath, PutPath, putPath } from '../../operations/path.ts';
import { writtenBody } from '../../operations/shared/written-body.ts';
import { fileBody, FileBody } from '../../wire/document-body.ts';
import { documentResponse, etagHeader } from '../representation.ts';
import { operation, type ApiOperation } from './operation.ts';

/** Operations on documents by their filename. */
export const PATHS: readonly ApiOperation[] = [
  operation({
    method: 'get',
    path: '/v1/path/*filename',
    id: 'getPath',
    summary: 'Read the document with this filename',
    action: 'file:read',
    conditional: 'honored',
    success: [200, FileBody],
    responseHeaders: ['Repr-Digest'],
    errors: ['not_found', 'validation_failed'],
    run: async ({ deps, caller, params, precondition }) =>
      documentResponse(await getPath(deps, caller, params['filename']!, precondition)),
  }),
  operation({
    method: 'put',
    path: '/v1/path/*filename',
    id: 'putPath',
    summary: 'Create or replace the document with this filename',
    action: 'file:write',
    conditional: 'either',
    body: PutPath,
    isRepeatable: true,
    success: [200, FileBody],
    responseHeaders: ['Content-Location'],
    errors: ['quota_exceeded', 'not_found'],
    async run({ deps, caller, params, precondition, input }) {
      const { document, isCreated } = await putPath(deps, caller, params['filename']!, precondition, input);
      const url = `/v1/file/${document.id}`;
      const headers = {
        ...etagHeader(document),
        'Content-Location': url,
        ...(isCreated ? { Location: url } : {}),
      };
      const json = await writtenBody(caller, fileBody(document, document.contents), input);
      return { status: isCreated ? 201 : 200, headers, json };
    },
  }),
  operation({
    method: 'delete',
    path: '/v1/path/*filename',
    id: 'deletePath',
    summary: 'Delete the document with this filename',
    action: 'file:delete',
    conditional: 'honored',
    success: [204, null],
    errors: ['not_found', 'validation_failed'],
    async run({ deps, caller, params, precondition }) {
      await deletePath(deps, caller, params['filename']!, precondition);
      return { status: 204 };
    },
  }),
];
