import type { Request } from 'express';
import { DomainError } from '@platform/error-contracts';
import { namesEtag, parseEtagCondition, type EtagCondition } from '../domain/etag.ts';
import { requireMatch } from '../operations/precondition.ts';
import type { DocumentHead } from '../store/document-store.ts';

/**
 * The condition that a version must meet to be written over. If-None-Match that names the current one leaves none that
 * would (RFC 9110 §13.1.2); ETags never come back, so the version here decides, whoever writes meanwhile.
 */
export function readIfMatch(
  req: Request,
  rule: 'required' | 'honoured' | undefined,
  head: DocumentHead | undefined,
): EtagCondition | undefined {
  if (rule === undefined) return undefined;
  const condition = parseEtagCondition('If-Match', req.headers['if-match']);
  if (condition === undefined && rule === 'required') {
    throw new DomainError(
      'precondition_required',
      'send If-Match with the ETag of the version you have read',
    );
  }
  const ifNoneMatch = parseEtagCondition('If-None-Match', req.headers['if-none-match']);
  const isExcluded = ifNoneMatch !== undefined && head !== undefined && namesEtag(ifNoneMatch, head.etag);
  return isExcluded ? [] : condition;
}

/** What a read is asked for under; undefined = no such condition. */
export interface ReadConditions {
  readonly ifMatch: EtagCondition | undefined;
  readonly ifNoneMatch: EtagCondition | undefined;
}

/** Throws `invalid_argument` for a malformed one. */
export function readConditions({ headers }: Request): ReadConditions {
  return {
    ifMatch: parseEtagCondition('If-Match', headers['if-match']),
    ifNoneMatch: parseEtagCondition('If-None-Match', headers['if-none-match']),
  };
}

/**
 * True when the caller has the version already, so that 304 is the answer. Throws EtagMismatch when If-Match is not met, which
 * is looked at first (RFC 9110 §13.2.2).
 */
export function isKnown({ ifMatch, ifNoneMatch }: ReadConditions, etag: string): boolean {
  requireMatch(ifMatch, etag);
  return ifNoneMatch !== undefined && namesEtag(ifNoneMatch, etag);
}
