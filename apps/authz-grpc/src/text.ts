/** Postgres text columns reject NUL, so a value that contains one can never match a stored row. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}

/**
 * Whether the text has more than `max` characters. Callers need no credential to send very long ones: taking
 * those apart would hold everybody up and take ten times their size.
 */
export function isLonger(text: string, max: number): boolean {
  return text.length > 2 * max || [...text].length > max;
}

export const NAME_CHARACTERS_MAX = 128;
/** UTF-8 bytes of a free text, as a description. */
export const TEXT_BYTES_MAX = 4_096;

/** Whether the text can be a name: 1 to 128 characters, no control characters, no space at either end. */
export function isName(text: string): boolean {
  return (
    text !== '' &&
    !isLonger(text, NAME_CHARACTERS_MAX) &&
    text.trim() === text &&
    text.isWellFormed() &&
    !/\p{Cc}/u.test(text)
  );
}
