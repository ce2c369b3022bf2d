import { DomainError } from '@platform/error-contracts';
import { namesEtag, parseEtagCondition, strongTags, type EtagCondition } from './etag.ts';

/** What a request demands of the current version of a document (RFC 9110 §13.1); undefined = nothing. */
export interface Precondition {
  readonly ifMatch?: EtagCondition | undefined;
  readonly ifNoneMatch?: EtagCondition | undefined;
}

/** The precondition in a request's header fields. Throws `invalid_argument` for a malformed field. */
export function parsePrecondition(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Precondition {
  return {
    ifMatch: parseEtagCondition('If-Match', fieldOf(headers['if-match'])),
    ifNoneMatch: parseEtagCondition('If-None-Match', fieldOf(headers['if-none-match'])),
  };
}

const fieldOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);

/**
 * The same demand in the terms of a store's write statement: the current ETag is one of `anyOf` (null = any)
 * and none of `noneOf`. ETags are opaque, without quotes.
 */
export interface WriteCondition {
  readonly anyOf: readonly string[] | null;
  readonly noneOf: readonly string[];
  /** True of `If-None-Match: *`, which no document that exists meets: `anyOf` is empty then. */
  readonly isOfNew?: boolean;
}

/** A write over whatever version is current. */
export const ANY_VERSION: WriteCondition = { anyOf: null, noneOf: [] };

/** A write over this version alone. */
export function exactly(etag: string): WriteCondition {
  return { anyOf: [etag], noneOf: [] };
}

/**
 * The write condition of a precondition: If-Match by strong comparison (§13.1.1), If-None-Match by weak
 * (§13.1.2). A document that exists meets no `If-None-Match: *`.
 */
export function writeCondition({ ifMatch, ifNoneMatch }: Precondition): WriteCondition {
  if (ifNoneMatch === '*') return { anyOf: [], noneOf: [], isOfNew: true };
  return {
    anyOf: ifMatch === undefined ? null : strongTags(ifMatch),
    noneOf: ifNoneMatch?.map(({ opaque }) => opaque) ?? [],
  };
}

/**
 * The write condition of a precondition on a deleted document, judged by its last ETag. It has no current
 * version, so it meets any If-None-Match and no `If-Match: *` (RFC 9110 §13.1.1, §13.1.2).
 */
export function conditionOnDeleted({ ifMatch }: Precondition): WriteCondition {
  if (ifMatch === '*') return { anyOf: [], noneOf: [] };
  return writeCondition({ ifMatch });
}

/** Whether the version with `etag` may be written over. Store statements state the same rule in SQL. */
export function meets({ anyOf, noneOf }: WriteCondition, etag: string): boolean {
  return (anyOf === null || anyOf.includes(etag)) && !noneOf.includes(etag);
}

/** Which part of the condition the version with `etag` does not meet, and what to do. */
export function whyNotMet({ anyOf, noneOf, isOfNew }: WriteCondition, etag: string): string {
  if (isOfNew) return '`If-None-Match: *` asks for a document that does not exist, and this one does';
  if (noneOf.includes(etag)) return 'If-None-Match names the current ETag';
  return anyOf?.length === 0
    ? 'If-Match holds weak ETags alone, which match nothing: send the ETag as it was given'
    : 'If-Match does not name the current ETag: read the document again';
}

/** Throws EtagMismatch unless the version with `etag` may be written over. */
export function requireMet(condition: WriteCondition, etag: string): void {
  if (!meets(condition, etag)) throw new EtagMismatch(etag, whyNotMet(condition, etag));
}

/**
 * True when the client has the version with `etag` already, so that the response to a read is 304. Throws
 * EtagMismatch when If-Match is not met, which is judged first (RFC 9110 §13.2.2).
 */
export function isNotModified({ ifMatch, ifNoneMatch }: Precondition, etag: string): boolean {
  requireMet(writeCondition({ ifMatch }), etag);
  return ifNoneMatch !== undefined && namesEtag(ifNoneMatch, etag);
}

/**
 * The current version does not meet the precondition. The response carries `currentEtag`, which saves the
 * client a read.
 */
export class EtagMismatch extends DomainError {
  /** Opaque, without quotes. */
  readonly currentEtag: string;

  constructor(currentEtag: string, reason: string) {
    super('etag_mismatch', reason);
    this.currentEtag = currentEtag;
  }
}
