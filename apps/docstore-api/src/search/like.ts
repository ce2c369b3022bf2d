/** `text` with LIKE's own characters escaped by a backslash, LIKE's default escape character. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
