/** How documents are searched and ordered, in the terms of the decisions page ("Query"). */
export const FILENAME_MATCHES = ['exact', 'prefix', 'suffix', 'substring', 'glob'] as const;
export type FilenameMatch = (typeof FILENAME_MATCHES)[number];

export const MODES = ['list', 'substring', 'words', 'regex', 'semantic'] as const;

export const SORT_KEYS = ['filename', 'updated_at', 'size'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface FilenameFilter {
  readonly match: FilenameMatch;
  readonly text: string;
  readonly isCaseSensitive: boolean;
}

/**
 * `literals` of a regular expression are texts, folded, that every match is sure to hold; the store narrows
 * by them.
 */
export type SearchFilter =
  | { readonly mode: 'substring'; readonly text: string; readonly isCaseSensitive: boolean }
  | { readonly mode: 'words'; readonly words: readonly string[] }
  | { readonly mode: 'regex'; readonly literals: readonly string[] };

/**
 * A place in a scan. `revision` is the owner's revision when the scan began: the order is that of this
 * moment.
 */
export interface ListPosition {
  readonly revision: number;
  readonly key: string | number;
  readonly id: string;
}
