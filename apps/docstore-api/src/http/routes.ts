import { createHash } from 'node:crypto';
import { Router, type IRouter, type RequestHandler } from 'express';
import { DomainError, DOCSTORE_CODES } from '@platform/error-contracts';
import { mayTouch, requireFilename } from '../auth/caller.ts';
import { quoteEtag } from '../domain/etag.ts';
import {
  PatchFile,
  patchFile,
  replaceContents,
  replaceFile,
  ReplaceFile,
} from '../operations/change-file.ts';
import { CreateFile, createFile } from '../operations/create-file.ts';
import { deleteFile } from '../operations/delete-file.ts';
import type { HttpDeps } from './http-deps.ts';
import { fileBody, versionBody } from '../operations/document-body.ts';
import { EditFile, editFile } from '../operations/edit-file.ts';
import { getVersion, ListVersions, listVersions } from '../operations/file-history.ts';
import { getUsage } from '../operations/get-usage.ts';
import { ListFiles, listFiles } from '../operations/list-files.ts';
import { getKey, listKeys, MintKey, mintKey, revokeKey, rotateKey } from '../operations/manage-keys.ts';
import { MergeFile, mergeFile } from '../operations/merge-file.ts';
import { requireMatch } from '../operations/precondition.ts';
import type { Document } from '../store/document-store.ts';
import { isKnown, readConditions } from './conditions.ts';
import { createPipeline, type BodyReading, type Context } from './pipeline.ts';
import { searchParamsOf } from './query.ts';
import { JSON_TYPE, type Answer } from './respond.ts';

/** The 15 codes as GET /v1/errors answers them. */
export const ERRORS_BODY = {
  errors: Object.entries(DOCSTORE_CODES).map(([code, { status, retryable, action }]) => ({
    code,
    status,
    retryable,
    action,
  })),
};

/** Every URL of /v1 that needs a credential. */
export function createRoutes(deps: HttpDeps, bodies: BodyReading): Router {
  const { route, findHead, findDocument } = createPipeline(deps, bodies);
  const router = Router({ caseSensitive: true, strict: true });

  url(router, '/v1/file', {
    post: route({
      action: 'file:write',
      body: CreateFile,
      isRepeatable: true,
      async run({ deps, caller, input }) {
        const document = await createFile(deps, caller, input);
        const headers = { ...etagHeader(document), Location: `/v1/file/${document.id}` };
        return { status: 201, headers, json: fileBody(document, document.contents) };
      },
    }),
    get: [
      refuseUnavailableMode,
      route({
        action: 'file:read',
        query: ListFiles,
        run: async ({ deps, caller, query }) => ({
          status: 200,
          json: await listFiles(deps, caller, query),
        }),
      }),
    ],
  });

  url(router, '/v1/file/:id', {
    get: route({
      action: 'file:read',
      run: (context) => readDocument(context, asJson),
    }),
    put: route({
      action: 'file:write',
      onDocument: true,
      ifMatch: 'required',
      body: ReplaceFile,
      isRepeatable: true,
      async run(context) {
        const document = await replaceFile(context.deps, context.caller, context, context.input);
        return { status: 200, headers: etagHeader(document), json: fileBody(document, document.contents) };
      },
    }),
    patch: route({
      action: 'file:write',
      onDocument: true,
      ifMatch: 'required',
      body: PatchFile,
      jsonTypes: ['application/merge-patch+json'],
      isRepeatable: true,
      async run(context) {
        const head = await patchFile(context.deps, context.caller, context, context.input);
        return { status: 200, headers: etagHeader(head), json: fileBody(head) };
      },
    }),
    delete: route({
      action: 'file:delete',
      onDocument: true,
      ifMatch: 'honoured',
      async run(context) {
        await deleteFile(context.deps, context.caller, context);
        return { status: 204 };
      },
    }),
  });

  url(router, '/v1/file/:id/contents', {
    get: route({ action: 'file:read', run: (context) => readDocument(context, asText) }),
    put: route<string>({
      action: 'file:write',
      onDocument: true,
      ifMatch: 'required',
      body: 'text',
      isRepeatable: true,
      async run(context) {
        const head = await replaceContents(context.deps, context.caller, context, context.input);
        return { status: 204, headers: etagHeader(head) };
      },
    }),
  });

  url(router, '/v1/file/:id/edit', {
    post: route({
      action: 'file:write',
      onDocument: true,
      ifMatch: 'required',
      body: EditFile,
      isRepeatable: true,
      async run(context) {
        const document = await editFile(context.deps, context.caller, context, context.input);
        return { status: 200, headers: etagHeader(document), json: changedBody(context, document) };
      },
    }),
  });

  url(router, '/v1/file/:id/merge', {
    post: route({
      action: 'file:write',
      onDocument: true,
      ifMatch: 'honoured',
      body: MergeFile,
      isRepeatable: true,
      async run(context) {
        requireFilename(context.caller, 'file:read', context.head.filename);
        const outcome = await mergeFile(context.deps, context.caller, context, context.input);
        if (!outcome.merged) return { status: 200, json: { merged: false, conflicts: outcome.conflicts } };
        const { document } = outcome;
        return {
          status: 200,
          headers: etagHeader(document),
          json: { merged: true, file: changedBody(context, document) },
        };
      },
    }),
  });

  url(router, '/v1/file/:id/versions', {
    get: route({
      action: 'file:read',
      onDocument: true,
      query: ListVersions,
      run: async ({ deps, caller, head, query }) => ({
        status: 200,
        json: await listVersions(deps, caller, head, query),
      }),
    }),
  });

  url(router, '/v1/file/:id/versions/:version', {
    get: route({
      action: 'file:read',
      onDocument: true,
      async run({ deps, caller, head, req }) {
        const version = await getVersion(deps, caller, head, String(req.params['version']));
        const headers = etagHeader(version);
        if (isKnown(readConditions(req), version.etag)) return { status: 304, headers };
        return { status: 200, headers, json: versionBody(version, version.contents) };
      },
    }),
  });

  url(router, '/v1/key', {
    post: route({
      action: 'key:manage',
      body: MintKey,
      run: async ({ deps, caller, input }) => {
        const key = await mintKey(deps, caller, input);
        return { status: 201, headers: { Location: `/v1/key/${key.id}` }, json: key };
      },
    }),
    get: route({
      action: 'key:manage',
      run: async ({ deps, caller }) => ({ status: 200, json: await listKeys(deps, caller) }),
    }),
  });

  url(router, '/v1/key/:id', {
    get: route({
      action: 'key:manage',
      run: async ({ deps, caller, req }) => ({
        status: 200,
        json: await getKey(deps, caller, keyId(req.params)),
      }),
    }),
    delete: route({
      action: 'key:manage',
      async run({ deps, caller, req }) {
        await revokeKey(deps, caller, keyId(req.params));
        return { status: 204 };
      },
    }),
  });

  url(router, '/v1/key/:id/rotate', {
    post: route({
      action: 'key:manage',
      run: async ({ deps, caller, req }) => ({
        status: 200,
        json: await rotateKey(deps, caller, keyId(req.params)),
      }),
    }),
  });

  url(router, '/v1/usage', {
    get: route({
      action: 'usage:read',
      run: async ({ deps, caller }) => ({ status: 200, json: await getUsage(deps, caller) }),
    }),
  });

  return router;

  /** GET of a document or its contents: 412, then 304 without reading the contents, then the document. */
  async function readDocument(
    { caller, req }: Context<undefined>,
    represent: (document: Document) => Representation,
  ): Promise<Answer> {
    const id = String(req.params['id']);
    const conditions = readConditions(req);
    if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined) {
      const head = await findHead(caller, 'file:read', id);
      if (isKnown(conditions, head.etag)) return { status: 304, headers: etagHeader(head) };
    }
    const document = await findDocument(caller, 'file:read', id);
    // It may have been written since its head was read.
    requireMatch(conditions.ifMatch, document.etag);
    const { headers, text, sha256 } = represent(document);
    // RFC 9530 §3: the digest of the representation as it is sent.
    const digest = `sha-256=:${Buffer.from(sha256).toString('base64')}:`;
    return { status: 200, headers: { ...etagHeader(document), 'Repr-Digest': digest, ...headers }, text };
  }
}

/**
 * Puts the methods of one URL in place; any other is 404 and told which there are (decisions page: 405 has no code). Stands
 * before the credential is looked at, as every question of routing does.
 */
export function url(
  router: IRouter,
  path: string,
  methods: Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', RequestHandler | RequestHandler[]>>,
): void {
  const names = Object.keys(methods) as (keyof typeof methods)[];
  const allowed = names
    .flatMap((name) => (name === 'get' ? ['GET', 'HEAD'] : [name.toUpperCase()]))
    .join(', ');
  const target = router.route(path);
  for (const name of names) target[name](methods[name]!);
  target.all((req, res) => {
    res.setHeader('Allow', allowed);
    throw new DomainError('not_found', `no \`${req.method}\` here, but ${allowed}`);
  });
}

const refuseUnavailableMode: RequestHandler = (req, _res, next) => {
  if (searchParamsOf(req).get('mode') === 'semantic') {
    throw new DomainError('unimplemented', 'mode `semantic` is not available');
  }
  next();
};

function keyId(params: Readonly<Record<string, unknown>>): string {
  return String(params['id']);
}

function etagHeader({ etag }: { etag: string }): Record<string, string> {
  return { ETag: quoteEtag(etag) };
}

/** A document as it is sent. */
interface Representation {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly sha256: Uint8Array;
}

function asJson(document: Document): Representation {
  const text = JSON.stringify(fileBody(document, document.contents));
  return { headers: { 'Content-Type': JSON_TYPE }, text, sha256: createHash('sha256').update(text).digest() };
}

/** Contents as they are: never shown by a browser as anything but text, never guessed to be something else. */
function asText(document: Document): Representation {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeFilename(document.filename)}`,
    'X-Content-Type-Options': 'nosniff',
  };
  return { headers, text: document.contents, sha256: document.sha256 };
}

/** RFC 8187 §3.2.1 ext-value, of the last segment: a slash in a download's name would be a folder. */
function encodeFilename(filename: string): string {
  return encodeURIComponent(
    filename.slice(filename.lastIndexOf('/') + 1) || filename.replaceAll('/', '_'),
  ).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A document changed in place, with its contents when the caller may read them. */
function changedBody({ caller }: Context<unknown>, document: Document) {
  return fileBody(document, mayTouch(caller, 'file:read', document.filename) ? document.contents : undefined);
}
