import { DomainError } from '@platform/error-contracts';
import { EtagMismatch, whyNotMet, type WriteCondition } from '../../rules/precondition.ts';
import type { DocumentHead, WriteOutcome } from '../../store/document-store.ts';

/** The same error for a document that is absent and for one that belongs to another owner. */
export function documentAbsent(): DomainError {
  return new DomainError('not_found', 'no such document');
}

/** The head that was written. Throws the error that any other outcome stands for. */
export function requireWritten(outcome: WriteOutcome, condition: WriteCondition): DocumentHead {
  return outcome.kind === 'written' ? outcome.head : refuseWrite(outcome, condition);
}

/** Throws the error that the outcome of a write under `condition` stands for. */
export function refuseWrite(
  outcome: Exclude<WriteOutcome, { kind: 'written' }>,
  condition: WriteCondition,
): never {
  switch (outcome.kind) {
    case 'absent':
      throw documentAbsent();
    case 'mismatch':
      throw new EtagMismatch(outcome.etag, whyNotMet(condition, outcome.etag));
    case 'forbidden':
      throw new DomainError('permission_denied', "the document's filename is outside this key's scope");
    case 'filename_taken':
      throw new DomainError('conflict', 'a document with this filename exists: use PUT to update it');
    case 'quota_exceeded':
      throw new DomainError(
        'quota_exceeded',
        outcome.quota === 'documents'
          ? 'the quota of documents is used up: delete one that is not needed'
          : 'the quota of bytes (contents and metadata of every version kept) has no room for this: delete what is not needed',
      );
  }
}
