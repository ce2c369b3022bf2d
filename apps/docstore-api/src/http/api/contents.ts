import { EditFile, editFile } from '../../operations/edit-file.ts';
import { getContents } from '../../operations/get-file.ts';
import { Merged, MergeFile, mergeFile } from '../../operations/merge-file.ts';
import { replaceContents } from '../../operations/replace-file.ts';
import { writtenBody } from '../../operations/shared/written-body.ts';
import { quoteEtag } from '../../rules/etag.ts';
import { fileBody, FileBody } from '../../wire/document-body.ts';
import { etagHeader, rawResponse } from '../representation.ts';
import { isOfLarge, operation, type ApiOperation } from './operation.ts';

/** Operations on the contents of a document. */
export const CONTENTS: readonly ApiOperation[] = [
  operation({
    method: 'get',
    path: '/v1/file/:id/contents',
    id: 'getContents',
    summary: 'Read contents as they are',
    action: 'file:read',
    conditional: 'honored',
    success: [200, 'text'],
    responseHeaders: ['Repr-Digest', 'Content-Disposition', 'Content-Range'],
    hasParts: true,
    errors: ['not_found'],
    run: async ({ deps, caller, params, precondition, range }) =>
      rawResponse(await getContents(deps, caller, params['id']!, precondition), range),
  }),
  operation<string>({
    method: 'put',
    path: '/v1/file/:id/contents',
    id: 'replaceContents',
    summary: 'Write contents as they are',
    action: 'file:write',
    ofDocument: true,
    conditional: 'required',
    body: 'text',
    isRepeatable: true,
    success: [204, null],
    errors: ['quota_exceeded'],
    async run({ deps, caller, target, input }) {
      const head = await replaceContents(deps, caller, target, input);
      return { status: 204, headers: etagHeader(head) };
    },
  }),
  operation({
    method: 'post',
    path: '/v1/file/:id/edit',
    id: 'editFile',
    summary: 'Change contents in place',
    action: 'file:write',
    ofDocument: true,
    conditional: 'required',
    body: EditFile,
    isLarge: isOfLarge,
    isRepeatable: true,
    success: [200, FileBody],
    errors: ['quota_exceeded'],
    async run({ deps, caller, head, target, input }) {
      const document = await editFile(deps, caller, { ...target, head }, input);
      return {
        status: 200,
        headers: etagHeader(document),
        json: await writtenBody(caller, fileBody(document, document.contents), {}),
      };
    },
  }),
  operation({
    method: 'post',
    path: '/v1/file/:id/merge',
    id: 'mergeFile',
    summary: 'Merge three ways',
    action: 'file:write',
    ofDocument: true,
    conditional: 'honored',
    body: MergeFile,
    isRepeatable: true,
    success: [200, Merged],
    errors: ['quota_exceeded'],
    async run({ deps, caller, head, target, input, revalidateCredential }) {
      const outcome = await mergeFile(deps, caller, { ...target, head, revalidateCredential }, input);
      if (!outcome.merged) {
        const { conflicts, more, marked } = outcome;
        const json = {
          merged: false,
          conflicts,
          ...(more === 0 ? {} : { more_conflicts: more }),
          etag: quoteEtag(outcome.etag),
          marked,
        };
        return { status: 200, headers: etagHeader(outcome), json };
      }
      const { document } = outcome;
      const json = {
        merged: true,
        file: await writtenBody(caller, fileBody(document, document.contents), {}),
      };
      return { status: 200, headers: etagHeader(document), json };
    },
  }),
];
