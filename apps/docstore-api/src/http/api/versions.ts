import {
  getVersion,
  ListVersions,
  listVersions,
  RestoreVersion,
  restoreVersion,
  VersionList,
} from '../../operations/versions.ts';
import { writtenBody } from '../../operations/shared/written-body.ts';
import { fileBody, FileBody, VersionBody, versionBody } from '../../wire/document-body.ts';
import { etagHeader, pageResponse } from '../representation.ts';
import { operation, type ApiOperation } from './operation.ts';

/** Operations on the history of a document. */
export const VERSIONS: readonly ApiOperation[] = [
  operation({
    method: 'get',
    path: '/v1/file/:id/versions',
    id: 'listVersions',
    summary: 'History, newest first',
    action: 'file:read',
    ofDocument: true,
    query: ListVersions,
    success: [200, VersionList],
    async run({ deps, caller, head, query }) {
      const { versions, next_before } = await listVersions(deps, caller, head, query);
      return pageResponse('versions', versions, { next_before });
    },
  }),
  operation({
    method: 'get',
    path: '/v1/file/:id/versions/:version',
    id: 'getVersion',
    summary: 'Read a version',
    action: 'file:read',
    ofDocument: true,
    conditional: 'honored',
    success: [200, VersionBody],
    isLarge: () => true,
    async run({ deps, caller, head, params, precondition }) {
      const read = await getVersion(deps, caller, head, params['version']!, precondition);
      if (!read.isModified) return { status: 304, headers: etagHeader(read) };
      const { found } = read;
      return { status: 200, headers: etagHeader(found), json: versionBody(found, found.contents) };
    },
  }),
  operation({
    method: 'post',
    path: '/v1/file/:id/restore',
    id: 'restoreVersion',
    summary: 'Make a kept version current again, of a document deleted in the last 30 days too',
    action: 'file:write',
    ofDocument: 'deleted too',
    conditional: 'either',
    body: RestoreVersion,
    isLarge: () => true,
    isRepeatable: true,
    success: [200, FileBody],
    errors: ['quota_exceeded'],
    async run({ deps, caller, head, target, precondition, input }) {
      const document = await restoreVersion(deps, caller, { ...target, head, precondition }, input);
      const json = await writtenBody(caller, fileBody(document, document.contents), {});
      return { status: 200, headers: etagHeader(document), json };
    },
  }),
];
