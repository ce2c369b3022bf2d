import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { z } from '@platform/error-contracts/zod-openapi';
import { requireDocument, requireFilename, type Caller } from '../auth/caller.ts';
import {
  EtagMismatch,
  exactly,
  requireMet,
  whyNotMet,
  writeCondition,
  type Precondition,
} from '../rules/precondition.ts';
import type { Action } from '../rules/scopes.ts';
import { filenameProblem } from '../rules/validation.ts';
import type { Document, DocumentHead } from '../store/document-store.ts';
import { fieldRefused } from '../wire/field-errors.ts';
import { Contents, Metadata } from '../wire/fields.ts';
import type { Deps } from '../ports.ts';
import { createFile } from './create-file.ts';
import { deleteFile } from './delete-file.ts';
import { getFile, type Read } from './get-file.ts';
import { replaceFile } from './replace-file.ts';
import { documentAbsent } from './shared/outcome.ts';
import type { ChangeTarget } from './shared/rewrite.ts';
import { runExclusively } from './shared/run-exclusively.ts';

export const PutPath = z.strictObject({ contents: Contents, metadata: Metadata.optional() });

/** Rounds lost to other writers after which an operation on any version gives up. */
const ROUNDS_MAX = 20;

/**
 * Writes the document with this filename: creates it under `If-None-Match: *`, replaces its contents, and
 * metadata when given, under If-Match. Errors: EtagMismatch when it exists already or is another version,
 * `not_found` when there is nothing to replace, and those of `createFile`.
 */
export async function putPath(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  filename: string,
  precondition: Precondition,
  input: z.infer<typeof PutPath>,
): Promise<{ readonly document: Document; readonly isCreated: boolean }> {
  await requirePath(caller, 'file:write', filename);
  if (precondition.ifMatch !== undefined) {
    const document = await onNamed(deps, caller, filename, precondition, (target) =>
      replaceFile(deps, caller, target, { filename, ...input }),
    );
    return { document, isCreated: false };
  }
  try {
    return { document: await createFile(deps, caller, { filename, ...input }), isCreated: true };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'conflict') throw error;
    const existing = await deps.documents.findHeadByFilename(caller.owner, filename);
    throw existing === null
      ? error
      : new EtagMismatch(existing.etag, whyNotMet(writeCondition({ ifNoneMatch: '*' }), existing.etag));
  }
}

/** Reads the document with this filename. Errors: as `getFile`. */
export async function getPath(
  deps: Pick<Deps, 'documents' | 'lookUps'>,
  caller: Caller,
  filename: string,
  precondition: Precondition,
): Promise<Read<Document>> {
  await requirePath(caller, 'file:read', filename);
  const head = await deps.documents.findHeadByFilename(caller.owner, filename);
  if (head === null) throw documentAbsent();
  const read = await getFile(deps, caller, head.id, precondition);
  // The document may have been renamed since it was found.
  if (read.isModified && read.found.filename !== filename) throw documentAbsent();
  return read;
}

/** Removes the document with this filename. Errors: as `deleteFile`. */
export async function deletePath(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  filename: string,
  precondition: Precondition,
): Promise<void> {
  await requirePath(caller, 'file:delete', filename);
  await onNamed(deps, caller, filename, precondition, (target) => deleteFile(deps, caller, target));
}

/** Throws unless `filename` could be that of a document that the caller may act on. */
async function requirePath(caller: Caller, action: Action, filename: string): Promise<void> {
  const problem = filenameProblem(filename);
  if (problem !== null) throw fieldRefused('filename', problem);
  // What may be written tells nothing of what is there.
  if (action === 'file:write') await requireFilename(caller, action, filename);
  else await requireDocument(caller, action, filename, documentAbsent);
}

/**
 * Runs `act` on the document that has this filename now, under a condition that no rename or write can slip
 * past. A precondition that accepts any version finds the document anew when another writer came first, and
 * runs after those that this process began before under the same filename.
 */
async function onNamed<T>(
  deps: Pick<Deps, 'documents'>,
  caller: Caller,
  filename: string,
  precondition: Precondition,
  act: (target: ChangeTarget) => Promise<T>,
): Promise<T> {
  const condition = writeCondition(precondition);
  const change = async (): Promise<T> => {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const head: DocumentHead | null = await deps.documents.findHeadByFilename(caller.owner, filename);
      if (head === null) throw documentAbsent();
      requireMet(condition, head.etag);
      try {
        return await act({ id: head.id, condition: exactly(head.etag) });
      } catch (error) {
        if (!(error instanceof EtagMismatch) || condition.anyOf !== null) throw error;
      }
    }
    throw new DomainError(
      'unavailable',
      'the document is being written too often to be changed by its name',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS.conflict,
      },
    );
  };
  return condition.anyOf === null ? runExclusively(`${caller.owner}\n${filename}`, change) : change();
}
