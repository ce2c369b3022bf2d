import { DomainError } from '@platform/error-contracts';
import { mayTouch, requireDocument, type Caller } from '../../auth/caller.ts';
import { isFileId } from '../../rules/file-id.ts';
import { DELETED_KEPT_MS } from '../../rules/limits.ts';
import type { Action } from '../../rules/scopes.ts';
import type { DeletedHead, Document, DocumentHead } from '../../store/document-store.ts';
import type { Deps } from '../../ports.ts';
import { documentAbsent } from './outcome.ts';

type FindPorts = Pick<Deps, 'lookUps'>;

/**
 * The head of a document that the caller may act on. Errors: `not_found` when it is absent or another
 * owner's, `permission_denied` when its filename is outside the scope; a document that policies hide is
 * absent.
 */
export function findHead(
  { lookUps }: FindPorts,
  caller: Caller,
  action: Action,
  id: string,
): Promise<DocumentHead> {
  return allowed(caller, action, isFileId(id) ? lookUps.findHead(caller.owner, id) : null);
}

/** The same of a document that may have been deleted in the last 30 days. */
export async function findHeadOrDeleted(
  deps: Pick<Deps, 'lookUps' | 'documents' | 'now'>,
  caller: Caller,
  action: Action,
  id: string,
): Promise<DocumentHead | DeletedHead> {
  const after = new Date(deps.now().getTime() - DELETED_KEPT_MS);
  const findLive = () => deps.lookUps.findHead(caller.owner, id);
  // The last look-up finds a document that another client restored in between.
  const find = async () =>
    (await findLive()) ?? (await deps.documents.findDeleted(caller.owner, id, after)) ?? findLive();
  const found = isFileId(id) ? await find() : null;
  const forgotten =
    found === null && isFileId(id) ? await deps.documents.findDeletedFilename(caller.owner, id) : null;
  if (forgotten !== null && (await mayTouch(caller, action, forgotten))) {
    throw new DomainError(
      'not_found',
      'the document was deleted, and what it held is no longer kept: deleted documents take up the quota at most',
    );
  }
  return allowed(caller, action, Promise.resolve(found));
}

/** A document with its contents. Errors: as `findHead`. */
export function findDocument(
  { lookUps }: FindPorts,
  caller: Caller,
  action: Action,
  id: string,
): Promise<Document> {
  return allowed(caller, action, isFileId(id) ? lookUps.find(caller.owner, id) : null);
}

async function allowed<Found extends DocumentHead>(
  caller: Caller,
  action: Action,
  finding: Promise<Found | null> | null,
): Promise<Found> {
  const found = await finding;
  if (found === null) throw documentAbsent();
  await requireDocument(caller, action, found.filename, documentAbsent);
  return found;
}
