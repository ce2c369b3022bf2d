import { requireAction, type Caller } from '../auth/caller.ts';
import type { Deps } from '../ports.ts';
import { refuseWrite } from './shared/outcome.ts';
import type { ChangeTarget } from './shared/rewrite.ts';

/**
 * Removes a document with all its versions, over quota too. Errors: `not_found` when it is absent by now, EtagMismatch
 * when its version does not meet the condition, `permission_denied` when it was renamed outside the caller's scope.
 */
export async function deleteFile(
  deps: Pick<Deps, 'documents' | 'now'>,
  caller: Caller,
  target: ChangeTarget,
): Promise<void> {
  const prefixes = requireAction(caller, 'file:delete');
  const outcome = await deps.documents.remove(caller.owner, { ...target, prefixes, now: deps.now() });
  if (outcome.kind !== 'removed') refuseWrite(outcome);
}
