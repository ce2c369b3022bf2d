import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Puts the contents of a file, or the names in a folder, on disk. */
export function syncPath(path: string): void {
  // Windows has no sync of folders: opening one is an error there.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
