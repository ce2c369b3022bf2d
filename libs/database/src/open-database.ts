import { resolve } from 'node:path';
import type { Database, DatabaseOptions } from './database.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

/** Where a database is, as its URL says. `folder` null is PGlite in memory, gone with the process. */
export type DatabaseTarget =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'pglite'; readonly folder: string | null };

/**
 * Reads `postgres://…` or `postgresql://…`, `pglite:<folder>`, or `pglite:memory://`; undefined or empty is
 * PGlite in `embeddedFolder`. Errors: a plain Error naming the forms allowed, never repeating the URL (it may
 * hold a password).
 */
export function parseDatabaseUrl(url: string | undefined, embeddedFolder: string): DatabaseTarget {
  if (!url) return { kind: 'pglite', folder: resolve(embeddedFolder) };
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: 'postgres', url };
  if (url === 'pglite:memory://') return { kind: 'pglite', folder: null };
  if (/^pglite:./.test(url)) return { kind: 'pglite', folder: resolve(url.slice('pglite:'.length)) };
  throw new Error('must be `postgres://…`, `pglite:<folder>`, or unset for the embedded database');
}

/**
 * Opens the database that `url` names (see `parseDatabaseUrl`), connecting once to prove it is there.
 * Errors: FolderInUse for an embedded folder open in another process; the driver's error when Postgres is not
 * reached.
 */
export function openDatabase(url: string | undefined, options: DatabaseOptions): Promise<Database> {
  const target = parseDatabaseUrl(url, options.embeddedFolder);
  return target.kind === 'postgres' ? openPostgres(target.url, options) : openPglite(target.folder, options);
}
