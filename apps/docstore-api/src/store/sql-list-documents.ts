import type { Sql } from '@platform/database';
import { fold } from '../rules/text.ts';
import { globToPostgresRegex } from '../search/glob.ts';
import { escapeLike } from '../search/like.ts';
import type { FilenameFilter, SearchFilter, SortKey } from '../search/query.ts';
import type { ListedDocument, ListQuery } from './document-store.ts';

/** Column a sort key is read from, in `documents` and in `document_versions`, and its SQL type. */
const COLUMNS = {
  filename: { column: 'filename', type: 'text' },
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  size: { column: 'size', type: 'int' },
} as const satisfies Record<SortKey, { column: string; type: string }>;

type Row = Omit<ListedDocument, 'position'> & { key: string | number | Date; horizon: number };

/** Collects values and gives the placeholders that stand for them. */
class Parameters {
  readonly values: unknown[] = [];
  add(value: unknown, type?: string): string {
    this.values.push(value);
    return `$${this.values.length}${type === undefined ? '' : `::${type}`}`;
  }
}

/**
 * One page of a scan by keyset. The order is that of the moment the scan began (`horizon`, an owner's
 * revision): documents written since are placed where they stood then, by the version they had (or the mark
 * that it left, when it is no longer kept), and those made since are left out. So no write can carry a
 * document over the place where the scan is. Filters see documents as they are now. SQL, because Prisma has
 * no union and no patterns of names.
 */
export async function listDocuments(sql: Sql, owner: string, query: ListQuery): Promise<ListedDocument[]> {
  const parameters = new Parameters();
  const ownerParameter = parameters.add(owner);
  const { column, type } = COLUMNS[query.sort];
  const direction = query.isDescending ? 'DESC' : 'ASC';
  const comparison = query.isDescending ? '<' : '>';
  const filters = filterClauses(query, parameters);
  const horizon = query.after
    ? parameters.add(query.after.revision, 'bigint')
    : `COALESCE((SELECT revision FROM owner_usage
        WHERE owner = ${ownerParameter} /*+ AND home = $1 +*/), 0)`;
  const limit = parameters.add(query.limit, 'int');
  const keyset = (key: string) =>
    query.after
      ? `AND (${key}, d.id) ${comparison} (${parameters.add(query.after.key, type)}, ${parameters.add(query.after.id, 'text')})`
      : '';
  const from = query.search
    ? `documents d JOIN document_search s ON s.document_id = d.id AND s.owner = ${ownerParameter}
        /*+ AND s.home = $1 +*/`
    : 'documents d';
  const order = `ORDER BY key ${direction}, id ${direction} LIMIT ${limit}`;

  const unchanged = `SELECT d.id, d.${column} AS key FROM ${from}
    WHERE d.owner = ${ownerParameter} /*+ AND d.home = $1 +*/ AND d.revision <= ${horizon} ${filters} ${keyset(`d.${column}`)}
    ORDER BY d.${column} ${direction}, d.id ${direction} LIMIT ${limit}`;
  const changed = `SELECT d.id, v.${column} AS key FROM ${from}
    JOIN LATERAL (
      SELECT w.${column} FROM (
        SELECT document_id, version, revision, ${column} FROM document_versions /*+ WHERE home = $1 +*/
        UNION ALL SELECT document_id, version, revision, ${column} FROM version_marks /*+ WHERE home = $1 +*/
      ) w WHERE w.document_id = d.id AND w.revision <= ${horizon} ORDER BY w.version DESC LIMIT 1
    ) v ON true
    WHERE d.owner = ${ownerParameter} /*+ AND d.home = $1 +*/ AND d.revision > ${horizon} ${filters} ${keyset(`v.${column}`)} ${order}`;
  // On the first page nothing can have changed since the scan began, which is now.
  const page = query.after
    ? `SELECT * FROM ((${unchanged}) UNION ALL (${changed})) both_parts ${order}`
    : unchanged;
  const measured = `SELECT p.id, p.key,
      sum(m.size) OVER (ORDER BY p.key ${direction}, p.id ${direction}) - m.size AS bytes_before
    FROM (${page}) p JOIN documents m ON m.id = p.id /*+ AND m.home = $1 +*/`;
  const withContents =
    query.contentsBytesMax === null
      ? ''
      : `LEFT JOIN document_versions c ON c.document_id = d.id AND c.version = d.version
         /*+ AND c.home = $1 +*/ AND (page.bytes_before = 0 OR page.bytes_before + d.size <= ${parameters.add(query.contentsBytesMax, 'bigint')})`;

  const { rows } = await sql.query<Row>(
    `SELECT d.id, d.filename, d.etag, d.version, d.size, d.sha256, d.metadata::text AS "metadataJson",
       d.created_at AS "createdAt",
       d.updated_at AS "updatedAt", page.key, ${horizon} AS horizon,
       ${withContents ? 'c.contents' : 'NULL AS contents'}
     FROM (${withContents ? measured : page}) page
     JOIN documents d ON d.id = page.id /*+ AND d.home = $1 +*/
     ${withContents}
     ORDER BY page.key ${direction}, page.id ${direction}`,
    parameters.values,
  );
  return rows.map(({ key, horizon: revision, ...document }) => ({
    ...document,
    position: { revision, key: key instanceof Date ? key.toISOString() : key, id: document.id },
  }));
}

function filterClauses(query: ListQuery, parameters: Parameters): string {
  const clauses: string[] = [];
  if (query.prefixes !== null) {
    const patterns = query.prefixes.map((prefix) => `${escapeLike(prefix)}%`);
    clauses.push(`d.filename LIKE ANY (${parameters.add(patterns, 'text[]')})`);
  }
  if (query.names) {
    const { exact, prefixes } = query.names;
    const patterns = prefixes.map((prefix) => `${escapeLike(prefix)}%`);
    clauses.push(
      `(d.filename = ANY (${parameters.add(exact, 'text[]')}) OR d.filename LIKE ANY (${parameters.add(patterns, 'text[]')}))`,
    );
  }
  if (query.filename) clauses.push(filenameClause(query.filename, parameters));
  if (query.search) clauses.push(...searchClauses(query.search, parameters));
  if (query.updatedAfter) clauses.push(`d.updated_at > ${parameters.add(query.updatedAfter, 'timestamptz')}`);
  if (query.updatedBefore)
    clauses.push(`d.updated_at < ${parameters.add(query.updatedBefore, 'timestamptz')}`);
  if (query.sizeMin !== null) clauses.push(`d.size >= ${parameters.add(query.sizeMin, 'bigint')}`);
  if (query.sizeMax !== null) clauses.push(`d.size <= ${parameters.add(query.sizeMax, 'bigint')}`);
  return clauses.map((clause) => `AND ${clause}`).join(' ');
}

function filenameClause({ match, text, isCaseSensitive }: FilenameFilter, parameters: Parameters): string {
  const column = isCaseSensitive ? 'd.filename' : 'd.filename_folded';
  const sought = isCaseSensitive ? text : fold(text);
  switch (match) {
    case 'exact':
      return `${column} = ${parameters.add(sought, 'text')}`;
    case 'prefix':
      return `${column} LIKE ${parameters.add(`${escapeLike(sought)}%`, 'text')}`;
    case 'suffix':
      return `${column} LIKE ${parameters.add(`%${escapeLike(sought)}`, 'text')}`;
    case 'substring':
      return `${column} LIKE ${parameters.add(`%${escapeLike(sought)}%`, 'text')}`;
    case 'glob':
      return `${column} ~ ${parameters.add(globToPostgresRegex(text, isCaseSensitive), 'text')}`;
  }
}

function searchClauses(search: SearchFilter, parameters: Parameters): string[] {
  const holds = (column: string, text: string) =>
    `${column} LIKE ${parameters.add(`%${escapeLike(text)}%`, 'text')}`;
  switch (search.mode) {
    case 'substring': {
      // Folded contents hold the folded text wherever contents hold the text, and only they are indexed.
      const narrowed = holds('s.folded', fold(search.text));
      if (!search.isCaseSensitive) return [narrowed];
      return [
        narrowed,
        `EXISTS (SELECT 1 FROM document_versions c
           WHERE c.document_id = d.id AND c.version = d.version /*+ AND c.home = $1 +*/
             AND ${holds('c.contents', search.text)})`,
      ];
    }
    case 'words':
      return [`s.words @> ${parameters.add(search.words, 'text[]')}`];
    case 'regex':
      return search.literals.map((text) => holds('s.folded', text));
  }
}
