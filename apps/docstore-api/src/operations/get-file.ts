import type { Caller } from '../auth/caller.ts';
import { isNotModified, requireMet, writeCondition, type Precondition } from '../rules/precondition.ts';
import type { Document, DocumentHead } from '../store/document-store.ts';
import type { Deps } from '../ports.ts';
import { findDocument, findHead } from './shared/find-document.ts';

/** What a conditional read finds: a document, or that the client has this version already. */
export type Read<Found extends Pick<DocumentHead, 'etag'>> =
  | { readonly isModified: true; readonly found: Found }
  | { readonly isModified: false; readonly etag: string };

/**
 * Reads a document. Errors: `not_found`, `permission_denied` for a filename outside the scope, EtagMismatch
 * when If-Match is not met. Contents are not read when the client has the version already.
 */
export async function getFile(
  deps: Pick<Deps, 'lookUps'>,
  caller: Caller,
  id: string,
  precondition: Precondition,
): Promise<Read<Document>> {
  if (precondition.ifMatch !== undefined || precondition.ifNoneMatch !== undefined) {
    const { etag } = await findHead(deps, caller, 'file:read', id);
    if (isNotModified(precondition, etag)) return { isModified: false, etag };
  }
  const found = await findDocument(deps, caller, 'file:read', id);
  // The document may have been written since its head was read.
  requireMet(writeCondition({ ifMatch: precondition.ifMatch }), found.etag);
  return { isModified: true, found };
}

/** Reads a document to send its raw contents. Errors: as `getFile`. */
export function getContents(...args: Parameters<typeof getFile>): Promise<Read<Document>> {
  return getFile(...args);
}
