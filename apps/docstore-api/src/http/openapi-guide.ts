import type { DocstoreErrorCode } from '@platform/error-contracts';
import type { OperationGroup } from '@platform/service-kit';

/** What one wants to do, in the order in which most do it. An operation is of the first group that fits. */
export const GROUPS: readonly OperationGroup[] = [
  {
    name: 'Store and read documents',
    description: 'Create, read, replace, search and delete documents by their id.',
    paths: /^\/v1\/file(\/\{id\}(\/contents)?)?$/,
  },
  {
    name: 'Work by filename',
    description: 'The same where you know a document by its name.',
    paths: /^\/v1\/path/,
  },
  {
    name: 'Change a document safely',
    description: 'Edit in place or merge three ways; a writer who has not seen the last version is refused.',
    paths: /\/(edit|merge)$/,
  },
  {
    name: 'Go back in time',
    description: 'List versions, read one, and make it current again.',
    paths: /\/(versions|restore)/,
  },
  {
    name: 'Many at once, and what changed',
    description: 'Send up to 100 reads and writes in one request, and follow what others change.',
    paths: /^\/v1\/(batch|changes)$/,
  },
  {
    name: 'Keys and usage',
    description: 'Make, rotate and revoke keys, and see what is used of the limits.',
    paths: /^\/v1\/(key|usage)/,
  },
  {
    name: 'About this API',
    description: 'Documents that need no key.',
    paths: /^\/v1\/(errors|openapi\.json)$/,
  },
];

/** What each code means and what to do, for people. */
export const ERROR_WORDS: Readonly<Record<DocstoreErrorCode, string>> = {
  bad_request: 'The request is malformed: its message says where.',
  unauthorized: 'No valid key or token was sent.',
  forbidden: 'The key does not reach this document or operation.',
  quota_exceeded: 'The owner stores as many documents or bytes as they may.',
  not_found: 'There is no such document, version, key or URL, or none that you may know of.',
  conflict: 'The filename is taken, or the same request is still running: read the document, then PUT it.',
  precondition_failed: 'Somebody changed the document since you read it: read it again, then retry.',
  payload_too_large: 'The body is larger than a document may be.',
  unsupported_media_type: 'Send `Content-Type: application/json`, or the type that the operation names.',
  validation_failed: 'A field is missing or not what it must be: `details` names each.',
  unprocessable_entity: 'The request is well formed, but cannot be done as it says.',
  precondition_required: 'Send `If-Match` with the ETag that you have read.',
  rate_limited: 'Too many requests: wait as many seconds as `Retry-After` says.',
  internal: 'The service failed or is unavailable: retry with growing pauses.',
  not_implemented: 'The request asks for a part of HTTP that this service does not have.',
};

/** Values that work as they stand, besides those that earlier responses tell: ids, versions and ETags. */
export const EXAMPLES: Readonly<
  Record<string, { readonly body?: unknown; readonly parameters?: Readonly<Record<string, unknown>> }>
> = {
  createFile: { body: { filename: 'notes/plan.md', contents: 'one\ntwo\nthree\n' } },
  listFiles: { parameters: { mode: 'substring', query: 'two' } },
  replaceFile: { body: { filename: 'notes/plan.md', contents: 'ONE\ntwo\nthree\n' } },
  patchFile: { body: { metadata: { status: 'draft' } } },
  replaceContents: { body: 'ONE\nTWO\nthree\n' },
  editFile: { body: { old_str: 'two', new_str: '2' } },
  mergeFile: { body: { base_etag: '"the ETag that you have read"', contents: 'one\ntwo\nTHREE\n' } },
  getVersion: { parameters: { version: 1 } },
  restoreVersion: { body: { version: 1 } },
  getPath: { parameters: { filename: 'notes/todo.md' } },
  putPath: {
    parameters: { filename: 'notes/todo.md', 'If-None-Match': '*' },
    body: { contents: 'milk\n' },
  },
  deletePath: { parameters: { filename: 'notes/todo.md' } },
  listChanges: { parameters: { since: 0 } },
  runBatch: { body: { items: [{ method: 'create', file: { filename: 'notes/a.md', contents: 'a' } }] } },
  mintKey: { body: { name: 'reader', scopes: 'file:read', expires_in_days: 30 } },
  rotateKey: { body: { overlap_seconds: 300 } },
};
