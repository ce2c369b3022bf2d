/** Whether a text column of Postgres can hold the text, which holds no NUL; what cannot is not there to be found. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}
