import { writtenNames, type Caller } from '../auth/caller.ts';
import type { Deps } from '../ports.ts';
import { refuseWrite } from './shared/outcome.ts';
import type { ChangeTarget } from './shared/rewrite.ts';

/**
 * Removes a document, over quota too; `restoreVersion` brings it back for 30 days. Errors: `not_found` when
 * it is absent by now, EtagMismatch when its version does not meet the condition, `permission_denied` when it
 * was renamed outside the caller's scope.
 */
export async function deleteFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  target: ChangeTarget,
): Promise<void> {
  const names = writtenNames(caller, 'file:delete');
  const removal = { ...target, names, now: deps.now() };
  const outcome = await deps.documents.remove(caller.owner, removal, deps.quota);
  if (outcome.kind !== 'removed') refuseWrite(outcome, target.condition);
}
