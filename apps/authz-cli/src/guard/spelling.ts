/**
 * The text with every character that `plain` does not match as the bytes of its UTF-8, each `~` and two
 * hexadecimal digits. As `plain` does not match `~`, two texts never become one.
 */
export function escapeText(text: string, plain: RegExp): string {
  return Array.from(text, (character) => (plain.test(character) ? character : escapesOf(character))).join('');
}

function escapesOf(character: string): string {
  return Array.from(
    Buffer.from(character),
    (byte) => `~${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
