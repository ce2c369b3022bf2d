import type { Problem } from '../api/problems.ts';

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

/** Columns whose cells are parts of a document: every space and line break in them counts. */
export const VERBATIM_COLUMNS: readonly string[] = ['source_exact', 'source_prefix', 'source_suffix'];

/**
 * The cells of a claim with those of its source put together; words of it are the quote, too. `written` is
 * the quote with the spaces around it, which a position counts.
 */
export function withSource(
  cells: Readonly<Record<string, unknown>>,
  written: string = '',
): Record<string, unknown> {
  const parts: Record<'source' | 'selector', Record<string, unknown>> = { source: {}, selector: {} };
  const claim: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(cells)) {
    const [part, field] = Object.hasOwn(COLUMNS, name) ? COLUMNS[name]! : [];
    if (part === undefined) claim[name] = value;
    else parts[part][field!] = value;
  }
  const { source, selector } = parts;
  // White space alone before or after a passage says where it stands; by itself it is an empty cell.
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
  if (isBlank(selector['exact'])) delete selector['exact'];
  if (Object.keys(source).length === 0 && Object.values(selector).every(isBlank)) return claim;
  if (Object.keys(selector).length > 0) {
    // A row with a quote and a document has no need to say its words twice.
    selector['exact'] ??= claim['quote'] !== undefined && 'start' in selector ? written : claim['quote'];
    source['selector'] = selector;
  } else if (source['document'] !== undefined && claim['quote'] !== undefined)
    source['selector'] = { exact: claim['quote'] };
  return { ...claim, source };
}

function pathOf(column: string): string {
  const [part, field] = COLUMNS[column]!;
  return part === 'source' ? `source.${field}` : `source.selector.${field}`;
}

/** What a row lacks of its pinned quote, by the path of the part. */
const LACKS: Readonly<Record<string, string>> = {
  'source.document':
    'pins a quote to no document: give its id in source_document, or leave the source columns of the row empty',
  'source.selector.exact':
    'pins no words: give the words of the passage in source_exact or as the quote, or leave the source columns of the row empty',
  'source.selector.start': 'stands without source_start: give both, or neither',
  'source.selector.end': 'stands without source_end: give both, or neither',
};

/**
 * A problem of the source of a claim as one of a column, by name and in words about columns. What a row lacks
 * is a problem of the cell that asks for it. Other problems stay as they are.
 */
export function asColumnProblem(problem: Problem, cells: Readonly<Record<string, unknown>>): Problem {
  const { path, message } = problem;
  const column = SOURCE_COLUMNS.find((name) => pathOf(name) === path);
  if (column === undefined) return problem;
  if (!message.startsWith('is required')) return { path: column, message };
  const asking = { source_start: 'source_end', source_end: 'source_start' }[column];
  const given = asking ?? ['source_exact', ...SOURCE_COLUMNS].find((name) => (cells[name] ?? '') !== '');
  return { path: given ?? column, message: LACKS[path] ?? message };
}
