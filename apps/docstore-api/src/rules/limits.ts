/**
 * Limits of the contract (document-storage.md, Limits) and of the decisions page; sizes in bytes of UTF-8.
 */
export const KiB = 1024;
export const MiB = 1024 * KiB;

export const BODY_BYTES_MAX = 8 * MiB;
export const CONTENTS_BYTES_MAX = 4 * MiB;
/** Contents over this are large: read alone, and in turns by tenant. */
export const SMALL_CONTENTS_BYTES_MAX = 64 * KiB;
export const FILENAME_BYTES_MAX = 1024;
export const METADATA_BYTES_MAX = 16 * KiB;
/**
 * Keys of a JSON body: metadata of 16 KiB has at most 2,730, and more than 64 unknown ones are refused
 * unread.
 */
export const VALUES_MAX = 2_800;
/** Documents on one page or in the results of one batch, together. */
export const RESPONSE_BYTES_MAX = 8 * MiB;
export const SEARCH_TEXT_BYTES_MAX = 1 * KiB;

/**
 * How long a deleted document can be restored, and its deletion is told to those who follow changes.
 * Milliseconds.
 */
export const DELETED_KEPT_MS = 30 * 24 * 3_600_000;

/** Longest a scan may take, so also how long a replaced version is kept whatever the number. Seconds. */
export const SCAN_SECONDS_MAX = 3600;
