import { requireAction, type Caller } from '../auth/caller.ts';
import { strongTags } from '../domain/etag.ts';
import type { ChangeTarget } from './change-file.ts';
import type { Deps } from '../ports.ts';
import { refuseWrite } from './precondition.ts';

/**
 * Removes a document with all its versions, over quota too. Errors: `not_found` when it has gone meanwhile, `etag_mismatch`
 * when its version does not meet the condition, `permission_denied` when it has been renamed beyond the caller's reach.
 */
export async function deleteFile(
  deps: Pick<Deps, 'documents'>,
  caller: Caller,
  { head, ifMatch }: ChangeTarget,
): Promise<void> {
  const etags = ifMatch === undefined ? null : strongTags(ifMatch);
  const prefixes = requireAction(caller, 'file:delete');
  const outcome = await deps.documents.remove(caller.owner, head.id, etags, prefixes);
  if (outcome.kind !== 'removed') refuseWrite(outcome);
}
