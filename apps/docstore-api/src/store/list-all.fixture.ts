import type { ListQuery } from './document-store.ts';

/** GET /v1/file without parameters, as the store is asked. */
export const LIST_ALL: ListQuery = {
  prefixes: null,
  filename: null,
  search: null,
  updatedAfter: null,
  updatedBefore: null,
  sizeMin: null,
  sizeMax: null,
  sort: 'updated_at',
  isDescending: true,
  limit: 50,
  contentsBytesMax: null,
  after: null,
};
