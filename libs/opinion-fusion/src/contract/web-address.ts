/** Characters of a web address. Source: what browsers and proxies agree on. */
export const URL_LENGTH_MAX = 2048;

/**
 * Scheme, a host that is not a user name in disguise, and whatever follows without white space, quotes and
 * brackets.
 */
const WEB_ADDRESS =
  /^https?:\/\/[\p{L}\p{N}[][^\s<>"`\\@/?#\p{Cc}\p{Bidi_Control}]*(?:[/?#][^\s<>"`\\\p{Cc}\p{Bidi_Control}]*)?$/iu;

/**
 * Whether a text is an address that a page may link to: http or https alone, without user name
 * (`https://bank@evil`), white space and characters that change what a reader sees. Pure.
 */
export function isWebAddress(text: string): boolean {
  return text.length <= URL_LENGTH_MAX && WEB_ADDRESS.test(text);
}
