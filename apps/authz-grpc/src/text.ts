/** Whether a text column of Postgres can hold the text, which holds no NUL; what cannot is not there to be found. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}

/**
 * Whether the text has more than `max` characters. Callers need no credential to send very long ones: taking those apart
 * would hold everybody up and take ten times their size.
 */
export function isLonger(text: string, max: number): boolean {
  return text.length > 2 * max || [...text].length > max;
}
