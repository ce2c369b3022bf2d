import { hash } from 'node:crypto';
import { checkContents } from './validation.ts';
import { fold, wordsOf } from './text.ts';

/** Contents made ready to be stored: what searches need is worked out before the transaction begins. */
export interface PreparedContents {
  readonly contents: string;
  readonly size: number;
  readonly sha256: Uint8Array;
  readonly folded: string;
  readonly words: readonly string[];
}

/** Checks contents (errors: `checkContents`) and works out what is stored beside them. */
export async function prepareContents(contents: string): Promise<PreparedContents> {
  const size = checkContents(contents);
  const folded = fold(contents);
  return {
    contents,
    size,
    sha256: hash('sha256', contents, 'buffer'),
    folded,
    words: await wordsOf(folded, digestOfWord),
  };
}

/** Words asked for, in the form `wordsOf` gives: each must be in a document that is to be found. */
export function wordsAskedFor(text: string): Promise<string[]> {
  return wordsOf(fold(text), digestOfWord, { isAsked: true });
}

function digestOfWord(word: string): string {
  return `#${hash('sha256', word, 'base64url')}`;
}
