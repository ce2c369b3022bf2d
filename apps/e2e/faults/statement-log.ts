/** Per part of a distributed table, by its number, the group of parts that hold the same tenants. */
export type ShardGroups = ReadonlyMap<string, string>;

/** A statement of a client, and the groups that were asked for it. */
export interface LoggedStatement {
  readonly text: string;
  readonly groups: ReadonlySet<string>;
}

/** `<process database> LEVEL:  words`, as the run sets `log_line_prefix`. */
const ENTRY = /^<(\d+) ([^>]*)> (LOG|NOTICE|DETAIL|WARNING|ERROR|HINT|STATEMENT|CONTEXT):\s+(.*)$/;
const STATEMENT = /^(?:statement|execute [^:]*): ([\s\S]*)$/;
const ISSUED = /^issuing ([\s\S]*)$/;
/** Parts of a table on a node are called by the table's name and a number. */
const PART = /_(\d{6,})\b/g;

/**
 * The statements in the log of a coordinator, in their order, each with the groups of parts that it asked
 * for. `groups` are those of each database by its name; statements of other databases are left out.
 */
export function groupsByStatement(log: string, groups: ReadonlyMap<string, ShardGroups>): LoggedStatement[] {
  const statements: { text: string; groups: Set<string> }[] = [];
  const current = new Map<string, (typeof statements)[number]>();
  for (const { process, database, words } of entriesOf(log)) {
    const known = groups.get(database);
    if (known === undefined) continue;
    const [, text] = STATEMENT.exec(words) ?? [];
    if (text !== undefined) {
      const statement = { text, groups: new Set<string>() };
      statements.push(statement);
      current.set(process, statement);
    }
    const [, issued] = ISSUED.exec(words) ?? [];
    for (const [, number] of issued?.matchAll(PART) ?? []) {
      const group = known.get(number!);
      if (group !== undefined) current.get(process)?.groups.add(group);
    }
  }
  return statements;
}

interface Entry {
  readonly process: string;
  readonly database: string;
  words: string;
}

/** The further lines of an entry have no prefix. */
function entriesOf(log: string): Entry[] {
  const entries: Entry[] = [];
  for (const line of log.split('\n')) {
    const [, process, database, , words] = ENTRY.exec(line) ?? [];
    if (words !== undefined) entries.push({ process: process!, database: database!, words });
    else if (entries.length > 0) entries.at(-1)!.words += `\n${line}`;
  }
  return entries;
}
