import { z } from '@platform/error-contracts/zod-openapi';
import { DomainError } from '@platform/error-contracts';
import { requireDocument, type Caller } from '../auth/caller.ts';
import { checkContents } from '../rules/validation.ts';
import type { Document, DocumentHead } from '../store/document-store.ts';
import type { Deps } from '../ports.ts';
import { documentAbsent } from './shared/outcome.ts';
import { rewrite, type ChangeTarget } from './shared/rewrite.ts';

const text = z
  .string()
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode: it holds half of a surrogate pair');

export const EditFile = z.union(
  [
    z.strictObject({ old_str: text.min(1), new_str: text }).describe('Replace the one place of `old_str`'),
    z
      .strictObject({ insert_line: z.int().min(0), insert_text: text })
      .describe('Insert after this many lines; 0 is the top'),
    z.strictObject({ append: text }).describe('Add at the end'),
  ],
  'must be {old_str, new_str}, {insert_line, insert_text} or {append}',
);
export type EditFile = z.infer<typeof EditFile>;

/**
 * Changes contents in place; filename and metadata stay. Errors: `unprocessable` when the place does
 * not exist, `permission_denied` without `file:read`.
 */
export async function editFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  target: ChangeTarget & { readonly head: DocumentHead },
  edit: EditFile,
): Promise<Document> {
  // The error for an absent place would reveal what the contents are.
  await requireDocument(caller, 'file:read', target.head.filename, documentAbsent);
  // Text that breaks a rule by itself is refused whichever version it would have changed.
  checkContents('append' in edit ? edit.append : 'old_str' in edit ? edit.new_str : edit.insert_text);
  return rewrite(deps, caller, target, async ({ filename, contents }) => {
    await requireDocument(caller, 'file:read', filename, documentAbsent);
    return { contents: applyEdit(contents, edit) };
  });
}

/**
 * `contents` after the edit. Throws `unprocessable` for an absent or ambiguous `old_str` or a line beyond the
 * end.
 */
function applyEdit(contents: string, edit: EditFile): string {
  if ('append' in edit) return contents + edit.append;
  if ('old_str' in edit) return replaceOnce(contents, edit.old_str, edit.new_str);
  return insertAfterLine(contents, edit.insert_line, edit.insert_text);
}

function replaceOnce(contents: string, oldText: string, newText: string): string {
  const at = contents.indexOf(oldText);
  if (at === -1) throw new DomainError('unprocessable', '`old_str` is not in the contents');
  if (contents.includes(oldText, at + 1)) {
    throw new DomainError('unprocessable', '`old_str` is in the contents more than once: make it longer');
  }
  return contents.slice(0, at) + newText + contents.slice(at + oldText.length);
}

/**
 * A line ends with LF; text after the last LF is a line too. Text inserted after a line without LF gets an LF
 * first.
 */
function insertAfterLine(contents: string, line: number, text: string): string {
  let at = 0;
  for (let passed = 0; passed < line; passed++) {
    if (at >= contents.length) {
      throw new DomainError('unprocessable', `the contents have ${passed} lines, not ${line}`);
    }
    const end = contents.indexOf('\n', at);
    at = end === -1 ? contents.length : end + 1;
  }
  const isBehindOpenLine = at > 0 && contents[at - 1] !== '\n';
  const isBeforeText = at < contents.length && !text.endsWith('\n');
  return (
    contents.slice(0, at) +
    (isBehindOpenLine ? '\n' : '') +
    text +
    (isBeforeText ? '\n' : '') +
    contents.slice(at)
  );
}
