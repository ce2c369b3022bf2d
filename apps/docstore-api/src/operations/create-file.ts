import { z } from './published-zod.ts';
import { problemWords } from '@platform/error-contracts';
import { requireFilename, type Caller } from '../auth/caller.ts';
import { prepareContents } from '../domain/contents.ts';
import { createEtag } from '../domain/etag.ts';
import { createFileId } from '../domain/file-id.ts';
import { filenameProblem, metadataProblems, refuseProblems } from '../domain/validation.ts';
import type { Document } from '../store/document-store.ts';
import type { Deps } from '../ports.ts';
import { requireWritten } from './precondition.ts';

/** An object whose values are `of`, whatever its keys. Not `z.record`, which drops a key `__proto__` without a word. */
export const mapOf = <Value>(of: z.ZodType<Value>) =>
  z
    .custom<Readonly<Record<string, Value>>>(
      (map) => typeof map === 'object' && map !== null && !Array.isArray(map),
      { error: 'must be an object', abort: true },
    )
    .superRefine((map, ctx) => {
      for (const [key, value] of Object.entries(map)) {
        const issues = of.safeParse(value, { error: problemWords }).error?.issues ?? [];
        for (const { message } of issues) ctx.addIssue({ code: 'custom', message, path: [key] });
      }
    });

export const Metadata = mapOf(z.string()).openapi({
  type: 'object',
  additionalProperties: { type: 'string' },
});

export const CreateFile = z.strictObject({
  filename: z
    .string()
    .describe('1 to 1,024 bytes of UTF-8, no control characters, unique per owner; `/` is allowed'),
  contents: z.string().describe('at most 4 MiB of UTF-8'),
  metadata: Metadata.optional().describe('at most 16 KiB as JSON'),
});

/** Refuses a filename or metadata that break a rule, naming the field. */
export function checkNames(
  filename: string | undefined,
  metadata: z.infer<typeof Metadata> | undefined,
): void {
  const problem = filename === undefined ? null : filenameProblem(filename);
  refuseProblems({
    ...(problem === null ? {} : { filename: problem }),
    ...(metadata === undefined ? {} : metadataProblems(metadata)),
  });
}

/**
 * Stores a document under an id of the server's making. Errors: `validation_failed` and those of `checkContents` for its
 * fields, `permission_denied` for a filename beyond the caller's reach, `conflict` for one in use, `quota_exceeded`.
 */
export async function createFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  input: z.infer<typeof CreateFile>,
): Promise<Document> {
  const { filename, metadata = {} } = input;
  checkNames(filename, metadata);
  const contents = await prepareContents(input.contents);
  requireFilename(caller, 'file:write', filename);
  const now = deps.now();
  const document = { id: createFileId(now), etag: createEtag(), filename, metadata, contents, now };
  const head = requireWritten(await deps.documents.create(caller.owner, document, deps.quota));
  return { ...head, contents: input.contents };
}
