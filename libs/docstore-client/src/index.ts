export { DocstoreClient } from './client.ts';
export type { ClientOptions, ListOptions, Merged, NewFile, StoredFile, Usage } from './client.ts';
export { DocstoreError } from './docstore-error.ts';
