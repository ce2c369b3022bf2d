import pg from 'pg';

/**
 * Words that contents are made of, words of a paragraph, paragraphs there are, and paragraphs of a document:
 * 4 KiB.
 */
const VOCABULARY = 200;
const PARAGRAPH_WORDS = 64;
const PARAGRAPHS = 64;
const DOCUMENT_PARAGRAPHS = 8;

/** Stands in the contents of every `NEEDLE_EVERY`th document, and nowhere else. */
export const NEEDLE = 'needle in haystack';
export const NEEDLE_EVERY = 5_000;
/** A word of the vocabulary: some nine of ten documents hold it. */
export const COMMON = 'cfcdigo';

/**
 * Writes `count` documents of 4 KiB for `owner`, changed a second after one another, as the service itself
 * would have stored them, by a few statements. Indexes are built once all is there.
 */
export async function seedDocuments(databaseUrl: string, owner: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`SET maintenance_work_mem = '1GB'`);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE tablename IN ('documents', 'document_search') AND indexname LIKE '%_idx'`,
    );
    for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`);
    await client.query(`
      CREATE TEMP TABLE paragraphs AS
      SELECT n AS number, string_agg(translate(left(md5(word::text), 7), '0123456789', 'ghijklmnop'), ' ') || ' ' AS text
      FROM generate_series(0, ${PARAGRAPHS - 1}) n,
        LATERAL (SELECT (hashint4(n * 1000 + w) & 2147483647) % ${VOCABULARY} AS word
          FROM generate_series(1, ${PARAGRAPH_WORDS}) w) words
      GROUP BY n`);
    await client.query('ANALYZE paragraphs');
    await client.query(
      `WITH made AS MATERIALIZED (
        SELECT n, 'file_' || lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000' AS id,
          'notes/' || lpad(n::text, 8, '0') AS filename, timestamptz '2026-01-01' + n * interval '1 second' AS at,
          string_agg(text, '') || CASE WHEN n % ${NEEDLE_EVERY} = 0 THEN '${NEEDLE}' ELSE '' END AS contents
        FROM generate_series(1, $2::int) n CROSS JOIN generate_series(1, ${DOCUMENT_PARAGRAPHS}) k
        JOIN paragraphs p ON p.number = (hashint4(n * 16 + k) & 2147483647) % ${PARAGRAPHS}
        GROUP BY n
      ), head AS (
        INSERT INTO documents (id, owner, filename, filename_folded, etag, version, revision, size, sha256, metadata,
          bytes_kept, created_at, updated_at)
        SELECT id, $1, filename, filename, 'e' || n, 1, n, octet_length(contents), sha256(contents::bytea), '{}',
          octet_length(contents), at, at
        FROM made
      ), version AS (
        INSERT INTO document_versions (document_id, version, revision, etag, filename, size, sha256, metadata, contents,
          updated_at)
        SELECT id, 1, n, 'e' || n, filename, octet_length(contents), sha256(contents::bytea), '{}', contents, at FROM made
      ), search AS (
        INSERT INTO document_search (document_id, owner, folded, words)
        SELECT id, $1, contents, string_to_array(contents, ' ') FROM made
      )
      INSERT INTO owner_usage (owner, documents, bytes, revision)
      SELECT $1, count(*), sum(octet_length(contents)), max(n) FROM made`,
      [owner, count],
    );
    for (const { definition } of indexes) await client.query(definition);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
