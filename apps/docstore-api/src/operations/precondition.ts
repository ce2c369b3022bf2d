import { DomainError } from '@platform/error-contracts';
import { strongTags, type EtagCondition } from '../domain/etag.ts';
import type { DocumentHead, WriteOutcome } from '../store/document-store.ts';

/** The current version does not meet If-Match, or is one that If-None-Match names; the answer carries the current ETag, so the caller need not ask for it. */
export class EtagMismatch extends DomainError {
  /** Opaque, without quotes. */
  readonly currentEtag: string;

  constructor(currentEtag: string) {
    super(
      'etag_mismatch',
      'If-Match does not name the current ETag, or If-None-Match does: read the document again',
    );
    this.currentEtag = currentEtag;
  }
}

/** Throws EtagMismatch when there is a condition and `etag` does not meet it. */
export function requireMatch(condition: EtagCondition | undefined, etag: string): void {
  if (condition === undefined) return;
  const tags = strongTags(condition);
  if (tags !== null && !tags.includes(etag)) throw new EtagMismatch(etag);
}

/** The document, as it was when the request came; the same answer for one that is absent and one that is another's. */
export function documentAbsent(): DomainError {
  return new DomainError('not_found', 'no such document');
}

/** What was written, or the error that the outcome stands for. */
export function requireWritten(outcome: WriteOutcome): DocumentHead {
  return outcome.kind === 'written' ? outcome.head : refuseWrite(outcome);
}

/** Throws the error that a write's outcome stands for. */
export function refuseWrite(outcome: Exclude<WriteOutcome, { kind: 'written' }>): never {
  switch (outcome.kind) {
    case 'absent':
      throw documentAbsent();
    case 'mismatch':
      throw new EtagMismatch(outcome.etag);
    case 'out_of_reach':
      throw new DomainError('permission_denied', 'the key does not reach the filename that this has by now');
    case 'filename_taken':
      throw new DomainError('conflict', 'a document with this filename exists: use PUT to update it');
    case 'quota_exceeded':
      throw new DomainError('quota_exceeded', 'over the quota of documents or of bytes, see GET /v1/usage');
  }
}
