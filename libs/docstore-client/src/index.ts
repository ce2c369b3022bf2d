export { DocstoreClient } from './client.ts';
export type { CallOptions, ClientOptions } from './client.ts';
export { DocstoreError } from './docstore-error.ts';
export type {
  BatchItem,
  BatchResult,
  Change,
  ChangePage,
  FileEdit,
  FilePatch,
  KeyWithText,
  ListedFile,
  ListOptions,
  MergeConflict,
  Merged,
  NewFile,
  NewKey,
  ReadFile,
  StoredFile,
  StoredKey,
  StoredVersion,
  Usage,
} from './types.ts';
