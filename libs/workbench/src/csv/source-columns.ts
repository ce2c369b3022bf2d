/** Columns of a CSV that together are the `source` of a claim: heading, and where its value goes. */
const COLUMNS: Readonly<Record<string, readonly [part: 'source' | 'selector', field: string]>> = {
  source_document: ['source', 'document'],
  source_version: ['source', 'version'],
  source_sha256: ['source', 'sha256'],
  source_start: ['selector', 'start'],
  source_end: ['selector', 'end'],
  source_exact: ['selector', 'exact'],
  source_prefix: ['selector', 'prefix'],
  source_suffix: ['selector', 'suffix'],
};

export const SOURCE_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** The cells of a claim with those of its source put together; words of it are the quote, too. */
export function withSource(cells: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parts: Record<'source' | 'selector', Record<string, unknown>> = { source: {}, selector: {} };
  const claim: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(cells)) {
    const [part, field] = Object.hasOwn(COLUMNS, name) ? COLUMNS[name]! : [];
    if (part === undefined) claim[name] = value;
    else parts[part][field!] = value;
  }
  const { source, selector } = parts;
  if (Object.keys(selector).length > 0) {
    // A row with a quote and a document has no need to say its words twice.
    selector['exact'] ??= claim['quote'];
    source['selector'] = selector;
  } else if (source['document'] !== undefined && claim['quote'] !== undefined)
    source['selector'] = { exact: claim['quote'] };
  return Object.keys(source).length === 0 ? claim : { ...claim, source };
}
