import { requireFilename, type Caller } from '../../auth/caller.ts';
import { isFileId } from '../../rules/file-id.ts';
import type { Action } from '../../rules/scopes.ts';
import type { Document, DocumentHead } from '../../store/document-store.ts';
import type { Deps } from '../../ports.ts';
import { documentAbsent } from './outcome.ts';

type FindPorts = Pick<Deps, 'lookUps'>;

/**
 * The head of a document that the caller may act on. Errors: `not_found` when it is absent or another owner's,
 * `permission_denied` when its filename is outside the scope.
 */
export function findHead(
  { lookUps }: FindPorts,
  caller: Caller,
  action: Action,
  id: string,
): Promise<DocumentHead> {
  return allowed(caller, action, isFileId(id) ? lookUps.findHead(caller.owner, id) : null);
}

/** The same with its contents. */
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
  requireFilename(caller, action, found.filename);
  return found;
}
