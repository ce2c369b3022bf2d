import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the release before may still use: its pods run on the new schema until they are replaced. */
const TAKES = [
  /\bDROP\s+(?:TABLE|COLUMN|INDEX|CONSTRAINT|DEFAULT|TYPE|VIEW|EXTENSION)\b/i,
  /\bALTER\s+COLUMN\s+\S+\s+(?:DROP\s+DEFAULT|SET\s+NOT\s+NULL|(?:SET\s+DATA\s+)?TYPE)\b/i,
  /\bRENAME\b/i,
];
const ADDED_COLUMN = /\bADD\s+COLUMN\s+[^,;]*\bNOT\s+NULL\b[^,;]*/gi;
const INDEX = /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)[^;]*?\bON\s+"?(\w+)"?[^;]*/gi;
const TABLE = /\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/gi;
/** In a script that takes something away on purpose: since which release nothing uses it. */
const CONTRACT = /^-- Contract: unused since \d+\.\d+\.\d+\b/m;

/**
 * The statements of a migration that would break the previous release while its pods still run: a removal, a
 * required column that it does not fill, an index whose build blocks its writers. Tables that the script
 * itself creates are exempt, and so are removals that the script marks with `-- Contract: unused since
 * <release>`.
 */
export function harmsOf(script: string): string[] {
  const sql = script.replaceAll(/--.*$/gm, '');
  const own = new Set([...sql.matchAll(TABLE)].map(([, table]) => table));
  const ofOthers = (statement: string) => {
    const [, table] = /\b(?:ALTER\s+TABLE\s+(?:ONLY\s+)?|\bON\s+)"?(\w+)"?/i.exec(statement) ?? [];
    return !own.has(table);
  };
  const statements = sql
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter(ofOthers);
  const taken = CONTRACT.test(script)
    ? []
    : statements.filter((statement) => TAKES.some((pattern) => pattern.test(statement)));
  const unfilled = statements.flatMap((statement) =>
    (statement.match(ADDED_COLUMN) ?? []).filter((column) => !/\bDEFAULT\b/i.test(column)),
  );
  const held = statements.filter((statement) => new RegExp(INDEX.source, 'i').test(statement));
  return [...taken, ...unfilled, ...held];
}

/** The migrations of a folder whose names sort after `after`, name to script. */
export function migrationsAfter(folder: string, after: string): Map<string, string> {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name > after)
    .map(({ name }) => name);
  return new Map(names.map((name) => [name, readFileSync(join(folder, name, 'migration.sql'), 'utf8')]));
}
