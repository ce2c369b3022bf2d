import { z } from './published-zod.ts';
import { DomainError } from '@platform/error-contracts';
import { requireAction, requireFilename, type Caller } from '../auth/caller.ts';
import { prepareContents } from '../domain/contents.ts';
import { createEtag, strongTags, type EtagCondition } from '../domain/etag.ts';
import type { Document, DocumentHead } from '../store/document-store.ts';
import { checkNames, CreateFile, mapOf, type Metadata } from './create-file.ts';
import type { Deps } from '../ports.ts';
import { documentAbsent, EtagMismatch, requireMatch, requireWritten } from './precondition.ts';

type ChangeDeps = Pick<Deps, 'documents' | 'quota' | 'now'>;

/** The document a change is asked of: its head as it was when the request came, and the condition it must meet. */
export interface ChangeTarget {
  readonly head: DocumentHead;
  /** undefined = unconditional. */
  readonly ifMatch: EtagCondition | undefined;
}

export const ReplaceFile = CreateFile;

/** PUT: filename and contents as given; metadata too when given, else it stays. */
export async function replaceFile(
  deps: ChangeDeps,
  caller: Caller,
  { head, ifMatch }: ChangeTarget,
  input: z.infer<typeof ReplaceFile>,
): Promise<Document> {
  const { filename, metadata } = input;
  checkNames(filename, metadata);
  const contents = await prepareContents(input.contents);
  requireFilename(caller, 'file:write', filename);
  const change = {
    id: head.id,
    etags: ifMatch === undefined ? null : strongTags(ifMatch),
    newEtag: createEtag(),
    prefixes: requireAction(caller, 'file:write'),
    filename,
    contents,
    ...(metadata === undefined ? {} : { metadata }),
    now: deps.now(),
  };
  const written = requireWritten(await deps.documents.update(caller.owner, change, deps.quota));
  return { ...written, contents: input.contents };
}

/** PUT of the raw contents: nothing else changes. */
export async function replaceContents(
  deps: ChangeDeps,
  caller: Caller,
  { head, ifMatch }: ChangeTarget,
  text: string,
): Promise<DocumentHead> {
  const change = {
    id: head.id,
    etags: ifMatch === undefined ? null : strongTags(ifMatch),
    newEtag: createEtag(),
    prefixes: requireAction(caller, 'file:write'),
    contents: await prepareContents(text),
    now: deps.now(),
  };
  return requireWritten(await deps.documents.update(caller.owner, change, deps.quota));
}

export const PatchFile = z
  .strictObject({
    filename: z.string().optional(),
    metadata: mapOf(z.string().nullable())
      .nullable()
      .optional()
      .openapi({ type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } }),
  })
  .describe(
    'JSON merge patch (RFC 7396): null removes a metadata key, or all of them; application/merge-patch+json will do too',
  );

/** PATCH: RFC 7396 over filename and metadata. */
export async function patchFile(
  deps: ChangeDeps,
  caller: Caller,
  target: ChangeTarget,
  patch: z.infer<typeof PatchFile>,
): Promise<DocumentHead> {
  const { filename } = patch;
  // What the patch alone breaks, it breaks whichever version it would have gone into.
  checkNames(filename, mergeMetadata({}, patch.metadata ?? null));
  if (filename !== undefined) requireFilename(caller, 'file:write', filename);
  return rewrite(deps, caller, target, async (current) => {
    const metadata =
      patch.metadata === undefined ? undefined : mergeMetadata(current.metadata, patch.metadata);
    checkNames(undefined, metadata);
    return {
      ...(filename === undefined ? {} : { filename }),
      ...(metadata === undefined ? {} : { metadata }),
    };
  });
}

function mergeMetadata(
  current: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>> | null,
): z.infer<typeof Metadata> {
  if (patch === null) return {};
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** Rounds lost to other writers after which a change that may overwrite any version gives up. */
const ROUNDS_MAX = 20;

interface Rewritten {
  readonly filename?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly contents?: string;
}

/**
 * Changes a document by what it holds: reads it, lets `derive` say what it becomes, and writes only over the version that
 * was read. When another writer came between, and the condition would accept his version too, it begins again.
 */
export async function rewrite(
  deps: ChangeDeps,
  caller: Caller,
  { head, ifMatch }: ChangeTarget,
  derive: (current: Document) => Promise<Rewritten>,
): Promise<Document> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const current = await deps.documents.find(caller.owner, head.id);
    if (current === null) throw documentAbsent();
    // It may have been renamed while the body came in.
    requireFilename(caller, 'file:write', current.filename);
    requireMatch(ifMatch, current.etag);
    const { contents, ...names } = await derive(current);
    const change = {
      id: head.id,
      etags: [current.etag],
      newEtag: createEtag(),
      ...names,
      ...(contents === undefined ? {} : { contents: await prepareContents(contents) }),
      now: deps.now(),
    };
    const outcome = await deps.documents.update(caller.owner, change, deps.quota);
    if (outcome.kind !== 'mismatch')
      return { ...requireWritten(outcome), contents: contents ?? current.contents };
    if (ifMatch !== undefined && ifMatch !== '*') throw new EtagMismatch(outcome.etag);
  }
  throw new DomainError('unavailable', 'the document is being written too often to be changed in place', {
    retryAfterSeconds: 1,
  });
}
