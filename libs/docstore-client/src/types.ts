import type { DocstoreErrorCode } from '@platform/error-contracts';

/** A document to be stored. */
export interface NewFile {
  readonly filename: string;
  readonly contents: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A document as the store shows it. */
export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  /** Absent in lists unless asked for, and for a key without `file:read`. */
  readonly contents?: string;
  /** The ETag with its quotes, as If-Match takes it. */
  readonly etag: string;
  /** UTF-8 bytes of the contents; absent for a key without `file:read`. */
  readonly size?: number;
  /** Absent for a key without `file:read`. */
  readonly sha256?: string;
  readonly version: number;
  /** To who may write the document and not read it, only what the request sent. */
  readonly metadata: Readonly<Record<string, string>>;
  /** RFC 3339 in UTC. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** A document that was read with its contents. */
export type ReadFile = StoredFile & { readonly contents: string };

export type StoredVersion = Omit<StoredFile, 'created_at'>;

type SortKey = 'filename' | 'updated_at' | 'size';

/** The query of GET /v1/file, under the contract's own names. */
export interface ListOptions {
  readonly mode?: 'list' | 'substring' | 'words' | 'regex';
  readonly query?: string;
  readonly filename?: string;
  readonly filename_match?: 'exact' | 'prefix' | 'suffix' | 'substring' | 'glob';
  readonly case?: 'sensitive' | 'insensitive';
  readonly sort?: SortKey | `-${SortKey}`;
  /** Documents on one page, 1 to 200. */
  readonly limit?: number;
  /** RFC 3339. */
  readonly updated_after?: string;
  readonly updated_before?: string;
  /** The least size of the contents, in bytes. */
  readonly min_size?: number;
  readonly max_size?: number;
  readonly fields?: 'contents';
  /** Of a search: how many lines with matches of each document to list, 1 to 20. */
  readonly matches?: number;
}

/** A document of a list; `matches` when they were asked for. */
export interface ListedFile extends StoredFile {
  /** Lines on which matches begin, from 1, and the text around the first match of each. */
  readonly matches?: readonly { readonly line: number; readonly snippet: string }[];
}

/** A change of filename and metadata; null removes a metadata key, or all of them (RFC 7396). */
export interface FilePatch {
  readonly filename?: string;
  readonly metadata?: Readonly<Record<string, string | null>> | null;
}

/** A change of contents in place. */
export type FileEdit =
  | { readonly old_str: string; readonly new_str: string }
  | { readonly insert_line: number; readonly insert_text: string }
  | { readonly append: string };

export interface MergeConflict {
  readonly base: string;
  readonly mine: string;
  readonly current: string;
  /** Line of the base version, from 1. */
  readonly base_line: number;
}

export type Merged =
  | { readonly merged: true; readonly file: StoredFile }
  | {
      readonly merged: false;
      readonly conflicts: readonly MergeConflict[];
      /** Conflicts beyond the 8 MiB of them that are listed. */
      readonly more_conflicts?: number;
      /** Of the current version. */
      readonly etag: string;
      /** The text with conflict markers, when it was asked for and is at most 4 MiB. */
      readonly marked?: string;
    };

export interface NewKey {
  readonly name: string;
  /** For example `file:read file:write#prefix=notes/`. */
  readonly scopes: string;
  readonly expires_in_days?: number;
}

export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  /** False once what it was made for has ended: it is refused from then on. */
  readonly active: boolean;
  /** Id of the key, user or account that made it; null for a key that the operator made. */
  readonly minted_by: string | null;
  /** Id of the key, user or account that rotated it last; null for the operator, or where nobody has. */
  readonly rotated_by: string | null;
  /** Null for a key that has the secret it was made with. */
  readonly rotated_at: string | null;
}

/** A key with its text, which the store shows once. */
export type KeyWithText = StoredKey & { readonly key: string };

export interface Usage {
  readonly documents: { readonly used: number; readonly limit: number };
  readonly bytes: { readonly used: number; readonly limit: number };
  readonly requests_per_minute: number;
}

/** The state of a document after a change, as followers of an owner's changes see it. */
export interface Change {
  /** Position in the owner's changes, which come in this order. */
  readonly sequence: number;
  /** `deleted` also stands for a rename to a filename that the key may not read. */
  readonly type: 'created' | 'written' | 'renamed' | 'deleted' | 'restored';
  readonly id: string;
  readonly filename: string;
  readonly version: number;
  /** Absent for a deletion. */
  readonly etag?: string;
  readonly at: string;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  /** `since` of the next request. */
  readonly last_sequence: number;
}

/** One read or write of a batch. */
export type BatchItem =
  | { readonly method: 'get'; readonly id: string }
  | { readonly method: 'create'; readonly file: NewFile }
  | { readonly method: 'replace'; readonly id: string; readonly if_match: string; readonly file: NewFile }
  | { readonly method: 'delete'; readonly id: string; readonly if_match?: string };

/** What became of one item: its status, and the document or the error. */
export interface BatchResult {
  readonly status: number;
  readonly file?: StoredFile;
  readonly error?: {
    readonly code: DocstoreErrorCode;
    readonly message: string;
    readonly request_id: string;
    readonly details?: Readonly<Record<string, string>>;
    /** When to send the item again; absent = not as it is. */
    readonly retry_after_seconds?: number;
  };
}
