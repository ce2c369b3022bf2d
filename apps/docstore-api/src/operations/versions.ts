import { z } from '@platform/error-contracts/zod-openapi';
import { DomainError } from '@platform/error-contracts';
import { mayTouchAll, requireDocument, requireFilename, writtenNames, type Caller } from '../auth/caller.ts';
import { prepareContents } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import { conditionOnDeleted, EtagMismatch, isNotModified, type Precondition } from '../rules/precondition.ts';
import type { DeletedHead, Document, DocumentHead, Version } from '../store/document-store.ts';
import type { Deps } from '../ports.ts';
import { listedVersion, VersionBody, type Listed } from '../wire/document-body.ts';
import { Filename, pageLimit, wholeNumber } from '../wire/fields.ts';
import type { Read } from './get-file.ts';
import { documentAbsent, requireWritten } from './shared/outcome.ts';
import type { ChangeTarget } from './shared/rewrite.ts';

/** The query of the history of a document. */
export const ListVersions = z.strictObject({
  limit: pageLimit,
  before: wholeNumber
    .pipe(z.int().max(999_999_999))
    .optional()
    .openapi({ type: 'integer', minimum: 0, description: '`next_before` of the page before' }),
});

export const VersionList = z.object({ versions: z.array(VersionBody), next_before: z.int().nullable() });

/**
 * One page of a document's versions, newest first, without their contents. Versions whose filename is outside
 * the caller's scope are left out, so a page may be short, or empty, and still have a next one.
 */
export async function listVersions(
  deps: Pick<Deps, 'documents'>,
  caller: Caller,
  { id }: DocumentHead,
  { limit, before }: z.infer<typeof ListVersions>,
): Promise<{ versions: Listed<VersionBody>[]; next_before: number | null }> {
  const found = await deps.documents.listVersions(caller.owner, id, limit + 1, before ?? null);
  const versions = found.slice(0, limit);
  const isShown = await mayTouchAll(
    caller,
    'file:read',
    versions.map(({ filename }) => filename),
  );
  return {
    versions: versions.filter((_, index) => isShown[index]).map((version) => listedVersion(version)),
    next_before: found.length > limit ? versions.at(-1)!.version : null,
  };
}

/**
 * The version that `number` names, a whole number as it stands in a URL. Errors: `not_found` when it is not
 * kept, `permission_denied` when the filename it had is outside the scope, EtagMismatch when If-Match is not
 * met.
 */
export async function getVersion(
  deps: Pick<Deps, 'documents'>,
  caller: Caller,
  { id }: DocumentHead,
  number: string,
  precondition: Precondition,
): Promise<Read<Version>> {
  const isNumber = /^[1-9]\d{0,8}$/.test(number);
  const found = await requireReadable(
    caller,
    isNumber ? await deps.documents.findVersion(caller.owner, id, Number(number)) : null,
    number,
  );
  return isNotModified(precondition, found.etag)
    ? { isModified: false, etag: found.etag }
    : { isModified: true, found };
}

async function requireReadable(caller: Caller, found: Version | null, number: string): Promise<Version> {
  if (found === null)
    throw new DomainError('not_found', `no version ${number.slice(0, 20)} of the document is kept`);
  await requireFilename(caller, 'file:read', found.filename);
  return found;
}

export const RestoreVersion = z.strictObject({
  version: z.int().min(1).max(999_999_999),
  filename: Filename.optional().openapi({
    description: 'The one that it has then; unless given, the one that it has, or had when it was deleted',
  }),
});

/**
 * Makes the contents and metadata of a kept version current again, as a new version; the filename stays,
 * unless another is given. A
 * deleted document is there again: If-Match is judged by its last version, `*` is not met, and
 * `If-None-Match: *` is.
 * Errors: those of `getVersion` and `createFile`.
 */
export async function restoreVersion(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  {
    id,
    condition,
    head,
    precondition,
  }: ChangeTarget & { readonly head: DocumentHead | DeletedHead; readonly precondition: Precondition },
  { version, filename }: z.infer<typeof RestoreVersion>,
): Promise<Document> {
  await requireDocument(caller, 'file:read', head.filename, documentAbsent);
  if (filename !== undefined) await requireFilename(caller, 'file:write', filename);
  const isDeleted = 'deletedAt' in head;
  const { documents } = deps;
  const deleted = isDeleted ? await documents.findDeletedVersion(caller.owner, id, version) : null;
  // Another client may have restored the document since it was found; the write then reports the mismatch.
  const found = await requireReadable(
    caller,
    deleted ?? (await documents.findVersion(caller.owner, id, version)),
    String(version),
  );
  const { contents, metadata } = found;
  const change = {
    id,
    newEtag: createEtag(),
    names: writtenNames(caller, 'file:write'),
    contents: await prepareContents(contents),
    metadata,
    now: deps.now(),
  };
  const outcome = isDeleted
    ? await deps.documents.restore(
        caller.owner,
        { ...change, filename: filename ?? head.filename, condition: conditionOnDeleted(precondition) },
        deps.quota,
      )
    : await deps.documents.update(
        caller.owner,
        { ...change, ...(filename === undefined ? {} : { filename }), condition },
        deps.quota,
      );
  if (outcome.kind === 'filename_taken')
    throw new DomainError(
      'conflict',
      'a document with this filename exists: send another `filename`, under which this one is restored',
    );
  if (outcome.kind === 'mismatch' && 'deletedAt' in head && outcome.etag === head.etag) {
    throw new EtagMismatch(
      outcome.etag,
      'the document is deleted, and If-Match does not name the ETag of its last version: restore it under `If-None-Match: *`',
    );
  }
  return { ...requireWritten(outcome, condition), contents };
}
