import type { Namesake } from '@platform/workbench/claims';

/** Warnings of one import, and the names that one of them lists. */
const WARNINGS_MAX = 20;
const NAMED_MAX = 5;
const NAME_LENGTH = 80;
const NOUNS = { actors: 'source', subjects: 'subject' } as const;

const quote = (text: string) =>
  JSON.stringify(text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text);

/**
 * What whoever imports a file should look at: sources and subjects with one name, which count as two unless
 * they are taken as one, and items that may have been deleted since an earlier import of the file.
 */
export function importWarnings(
  namesakes: readonly Namesake[],
  { isOneByName, putBack }: { readonly isOneByName: boolean; readonly putBack: readonly string[] },
): string[] {
  const words = namesakes.slice(0, WARNINGS_MAX - 2).map(({ kind, id, name, of }) => {
    const noun = NOUNS[kind];
    return isOneByName
      ? `The ${noun} ${quote(id)} of the file, ${quote(name)}, was taken as ${quote(of)}, which has its name.`
      : `The ${noun}s ${quote(of)} and ${quote(id)} are both called ${quote(name)}${kind === 'actors' ? ' and count as two independent sources' : ', and claims about one are not claims about the other'}; same_names=one takes them as one.`;
  });
  const left = namesakes.length - words.length;
  if (left > 0) words.push(`Names that others have, too: ${left} more.`);
  if (putBack.length > 0) {
    const named = putBack.slice(0, NAMED_MAX).map(quote).join(', ');
    const more = putBack.length > NAMED_MAX ? ` and ${putBack.length - NAMED_MAX} more` : '';
    words.push(
      `Other items of the file were in the session already, and these were not: ${named}${more}. If they had been deleted, the file puts them back.`,
    );
  }
  return words;
}
