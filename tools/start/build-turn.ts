import { join } from 'node:path';
import { FolderInUse, lockFolder } from '@platform/database';

/**
 * Waits for the turn to build into `folder` and to load what was built, and returns how to give it back: a
 * build takes away for a moment what the services of another start load. `tell` is called once, with whom the
 * start waits for.
 */
export async function takeBuildTurn(
  folder: string,
  tell: (sentence: string) => void,
): Promise<() => Promise<void>> {
  for (let hasTold = false; ; hasTold = true)
    try {
      return await lockFolder(join(folder, 'start'));
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (!hasTold) tell(`Another start builds here (${error.holder}); this one waits until it is ready.`);
    }
}
