import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Postgres } from './postgres.ts';

/**
 * A database of its own with the migrations of a folder, and its URL: a copy of a template, which takes
 * milliseconds. Each server fills the template once by `migrate`, which is given its URL. The digest of the
 * migrations ends the template's name, and `name` begins it.
 */
export async function migratedCopy(
  postgres: Postgres,
  name: string,
  folder: URL,
  migrate: (url: string) => Promise<void>,
): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((file) => file.endsWith('.sql')).sort();
  const digest = createHash('sha256');
  for (const file of files) digest.update(file).update(await readFile(new URL(file, folder)));
  return postgres.copyDatabase(`${name}_${digest.digest('hex').slice(0, 16)}`, migrate);
}
