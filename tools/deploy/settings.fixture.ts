import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Settings of a service and their defaults ('' for none), from the table of its README, which the service's
 * tests hold.
 */
export function settingsOf(app: string): Map<string, string> {
  const readme = readFileSync(join(ROOT, 'apps', app, 'README.md'), 'utf8');
  const rows = readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` +\| +(?:`([^`]*)`)? *\|/gm);
  return new Map([...rows].map(([, name = '', preset = '']) => [name, preset]));
}
