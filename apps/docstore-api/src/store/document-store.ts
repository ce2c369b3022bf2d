import type { PreparedContents } from '../rules/contents.ts';
import type { WriteCondition } from '../rules/precondition.ts';
import type { Filenames } from '../rules/scopes.ts';
import type { FilenameFilter, ListPosition, SearchFilter, SortKey } from '../search/query.ts';

/** A version of a document without its contents. Times are UTC, to the millisecond. */
export interface DocumentHead {
  readonly id: string;
  readonly filename: string;
  /** Opaque, without quotes. */
  readonly etag: string;
  /** 1 for the first version; every write adds one. */
  readonly version: number;
  /** UTF-8 bytes of the contents. */
  readonly size: number;
  readonly sha256: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Document extends DocumentHead {
  readonly contents: string;
}

/** A deleted document as its last version was; `deletedAt` is when. */
export interface DeletedHead extends DocumentHead {
  readonly deletedAt: Date;
}

/** A deleted document that is to be there again, as a new version. */
export interface Restoration extends WriteTarget {
  readonly newEtag: string;
  /** The filename it gets, the one it had unless that is taken. */
  readonly filename: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly contents: PreparedContents;
  readonly now: Date;
}

/** Names a document as its owner does. */
export interface DocumentRef {
  readonly owner: string;
  readonly id: string;
}

/** A document, possibly without its contents. */
export type FoundDocument = DocumentHead & DocumentRef & { readonly contents: string | null };

export interface QuotaLimits {
  readonly documentsMax: number;
  readonly bytesMax: number;
}

export interface NewDocument {
  readonly id: string;
  readonly etag: string;
  readonly filename: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly contents: PreparedContents;
  readonly now: Date;
}

/** An existing document that is to be written, and what must hold of its current version. */
export interface WriteTarget {
  readonly id: string;
  readonly condition: WriteCondition;
  /** The current filename must be one of these; null or absent = any. */
  readonly names?: Filenames | null;
}

/** A write to an existing document; undefined fields stay as they are. */
export interface DocumentChange extends WriteTarget {
  readonly newEtag: string;
  readonly filename?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly contents?: PreparedContents;
  readonly now: Date;
}

/** What became of a write. Of `mismatch`, `etag` is the current one. */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly head: DocumentHead }
  | { readonly kind: 'absent' }
  | { readonly kind: 'mismatch'; readonly etag: string }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'filename_taken' }
  | { readonly kind: 'quota_exceeded'; readonly quota: keyof Usage };

export interface ListQuery {
  /** Filenames must start with one of these; null = no such limit. */
  readonly prefixes: readonly string[] | null;
  /** Filenames must be one of `exact` or start with one of `prefixes`; absent = no such limit. */
  readonly names?: Filenames | null;
  readonly filename: FilenameFilter | null;
  readonly search: SearchFilter | null;
  readonly updatedAfter: Date | null;
  readonly updatedBefore: Date | null;
  readonly sizeMin: number | null;
  readonly sizeMax: number | null;
  readonly sort: SortKey;
  readonly isDescending: boolean;
  readonly limit: number;
  /**
   * Contents come with the first documents, as many as have at most this many bytes together, one at the
   * least; those of the documents behind them are null. null = no contents at all.
   */
  readonly contentsBytesMax: number | null;
  /** Where the page before ended; null = from the start. */
  readonly after: ListPosition | null;
}

/** A head on a page, whose up to 300,000 metadata keys are never parsed: that would hold the event loop. */
type Listed<Head extends VersionHead> = Omit<Head, 'metadata'> & {
  /** JSON, as the database writes it. */
  readonly metadataJson: string;
};

export type ListedVersion = Listed<VersionHead>;

export interface ListedDocument extends Listed<DocumentHead> {
  readonly contents: string | null;
  /** The position after this document, where a scan continues. */
  readonly position: ListPosition;
}

export interface VersionHead extends Omit<DocumentHead, 'createdAt'> {}
export interface Version extends VersionHead {
  readonly contents: string;
}

/** A change of a document, as those who follow an owner's changes see it. */
export interface DocumentChangeEvent {
  /** The owner's revision that made the change: changes become visible in this order. */
  readonly sequence: number;
  readonly type: 'created' | 'written' | 'renamed' | 'deleted' | 'restored';
  readonly id: string;
  readonly filename: string;
  readonly version: number;
  /** Opaque; null for a deletion. */
  readonly etag: string | null;
  readonly at: Date;
}

/** A change that the reader may see by names that are still to be asked about. */
export interface UncheckedChange extends DocumentChangeEvent {
  /** Filenames at which the document arrived afterwards: who may read one of them did not lose it. */
  readonly laterFilenames: readonly string[];
}

export interface Usage {
  readonly documents: number;
  /** Of every version kept: contents in UTF-8, and metadata as JSON; `{}` counts as zero bytes. */
  readonly bytes: number;
}

export type RemoveOutcome =
  | Exclude<WriteOutcome, { kind: 'written' | 'filename_taken' | 'quota_exceeded' }>
  | { readonly kind: 'removed' };

/**
 * Writes of documents. Each is one statement, so it happens whole or not at all; of writes that name the same
 * ETag exactly one is `written`. Quotas are exact: the counters change in the same statement.
 */
export interface DocumentWriter {
  /** `filename_taken`, `quota_exceeded` or `written`. When both hold, the filename is reported. */
  create(owner: string, document: NewDocument, limits: QuotaLimits): Promise<WriteOutcome>;
  /**
   * Checks the condition first, then the current filename, then the new one, then the quota. The document's
   * oldest versions go while it has more than are kept, or the quota has no room for the new one: what the
   * owner keeps ends at most at the quota, or where it was when that was more. `quota_exceeded` when even all
   * of them are too few.
   */
  update(owner: string, change: DocumentChange, limits: QuotaLimits): Promise<WriteOutcome>;
  /**
   * Removes a document; `now` is when. It is kept for `restore` with its versions, which do not count against
   * the quota; of the documents deleted, those deleted first are forgotten when they are more than `limits`
   * together.
   */
  remove(
    owner: string,
    target: WriteTarget & { readonly now: Date },
    limits: QuotaLimits,
  ): Promise<RemoveOutcome>;
  /**
   * Makes a deleted document current again under the next version, its oldest versions going as in `update`.
   * The condition is that of its last version.
   * Outcomes: as `update`, and `mismatch` for a document that is there.
   */
  restore(owner: string, restoration: Restoration, limits: QuotaLimits): Promise<WriteOutcome>;
}

/** Documents by owner. An owner never sees another owner's: to every method they do not exist. */
export interface DocumentStore extends DocumentWriter {
  /** Heads of those of `refs` that exist. */
  findHeads(refs: readonly DocumentRef[]): Promise<(DocumentHead & DocumentRef)[]>;
  /** Those of `refs` that exist; `contents` is null of one that has more than `sizeMax` bytes. */
  findMany(refs: readonly DocumentRef[], sizeMax: number): Promise<FoundDocument[]>;
  /** null = absent. */
  find(owner: string, id: string): Promise<Document | null>;
  /** The head of the document with this filename. null = absent. */
  findHeadByFilename(owner: string, filename: string): Promise<DocumentHead | null>;
  /** The owner's latest sequence number, and the one up to which deletions may be forgotten. */
  sequence(owner: string): Promise<{ readonly sequence: number; readonly forgotten: number }>;
  /**
   * The latest change of each document that changed after `since`, in order, at most `limit`. `prefixes` as
   * those of a list: a document that was renamed out of them is deleted, under its last filename within them.
   */
  listChanges(
    owner: string,
    since: number,
    limit: number,
    prefixes: readonly string[] | null,
  ): Promise<DocumentChangeEvent[]>;
  /**
   * As `listChanges`, for a reader of whom each filename is asked about: besides, every filename that a
   * document left since, as a deletion of that name. A page that would end between two of one sequence number
   * has both.
   */
  listUncheckedChanges(owner: string, since: number, limit: number): Promise<UncheckedChange[]>;
  /**
   * Deletes all that an owner has: documents, deleted ones too, with their versions, tombstones and counters.
   */
  erase(owner: string): Promise<void>;
  /** Deletes tombstones, and documents that were deleted, before `before`. */
  forgetDeleted(before: Date): Promise<void>;
  /** Deletes what is remembered for scans of versions that were replaced before `before`. */
  forgetMarks(before: Date): Promise<void>;
  /** The document with this id that was deleted after `after`. null = there is none. */
  findDeleted(owner: string, id: string, after: Date): Promise<DeletedHead | null>;
  /** The filename of a document that was deleted, kept or not, as long as deletions are told. null = none. */
  findDeletedFilename(owner: string, id: string): Promise<string | null>;
  /** A version of a deleted document. */
  findDeletedVersion(owner: string, id: string, version: number): Promise<Version | null>;
  /**
   * One page in the order asked for. A document present during the whole scan is on exactly one of its pages.
   */
  list(owner: string, query: ListQuery): Promise<ListedDocument[]>;
  /** Newest first, at most `limit`, below version `before` when given. */
  listVersions(owner: string, id: string, limit: number, before: number | null): Promise<ListedVersion[]>;
  findVersion(owner: string, id: string, version: number): Promise<Version | null>;
  /** The kept version with this ETag. */
  findVersionByEtag(owner: string, id: string, etag: string): Promise<Version | null>;
  usage(owner: string): Promise<Usage>;
  /** Owners whose counters differ from their documents: [] unless another program wrote to the tables. */
  findQuotaDrift(): Promise<readonly { owner: string; counted: Usage; actual: Usage }[]>;
}
