import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { requireFilename, type Caller } from '../../auth/caller.ts';
import { prepareContents } from '../../rules/contents.ts';
import { createEtag } from '../../rules/etag.ts';
import {
  EtagMismatch,
  exactly,
  requireMet,
  whyNotMet,
  type WriteCondition,
} from '../../rules/precondition.ts';
import type { Document } from '../../store/document-store.ts';
import type { Deps } from '../../ports.ts';
import { documentAbsent, requireWritten } from './outcome.ts';
import { runExclusively } from './run-exclusively.ts';

/** The document that a change is made to, and the condition that its current version must meet. */
export interface ChangeTarget {
  readonly id: string;
  readonly condition: WriteCondition;
}

/** Rounds lost to other writers after which a change that accepts any version gives up. */
const ROUNDS_MAX = 20;

interface Rewritten {
  readonly filename?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly contents?: string;
}

/**
 * Changes a document by what it holds: reads it, lets `derive` say what it becomes (null = it stays as it
 * is), and writes only over the version that was read. When another writer came first and the condition
 * accepts that version too, it starts again. Changes of one document that accept any version run one after
 * another in this process, so that only writers at other replicas make each other start again. Errors:
 * `unavailable` after `ROUNDS_MAX` rounds.
 */
export async function rewrite(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  target: ChangeTarget,
  derive: (current: Document) => Promise<Rewritten | null>,
): Promise<Document> {
  const change = () => rewriteNow(deps, caller, target, derive);
  return target.condition.anyOf === null ? runExclusively(target.id, change) : change();
}

async function rewriteNow(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  { id, condition }: ChangeTarget,
  derive: (current: Document) => Promise<Rewritten | null>,
): Promise<Document> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const current = await deps.documents.find(caller.owner, id);
    if (current === null) throw documentAbsent();
    // The document may have been renamed while the body arrived.
    await requireFilename(caller, 'file:write', current.filename);
    requireMet(condition, current.etag);
    const rewritten = await derive(current);
    if (rewritten === null) return current;
    const { contents, ...names } = rewritten;
    const change = {
      id,
      condition: exactly(current.etag),
      newEtag: createEtag(),
      ...names,
      ...(contents === undefined ? {} : { contents: await prepareContents(contents) }),
      now: deps.now(),
    };
    const outcome = await deps.documents.update(caller.owner, change, deps.quota);
    if (outcome.kind !== 'mismatch')
      return { ...requireWritten(outcome, condition), contents: contents ?? current.contents };
    // A condition that names versions can accept no later one: ETags never come back.
    if (condition.anyOf !== null) throw new EtagMismatch(outcome.etag, whyNotMet(condition, outcome.etag));
  }
  throw new DomainError('unavailable', 'the document is being written too often to be changed in place', {
    retryAfterSeconds: RETRY_AFTER_SECONDS.conflict,
  });
}
