/**
 * Control characters that HTML text cannot hold or show, NUL among them; tab and line ends are none of them.
 */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu;
/** Halves of a UTF-16 pair without the other half. */
const LONE_SURROGATES = /\p{Cs}/gu;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const REPLACEMENT = '\ufffd';

/**
 * Text of a user as an HTML text node can hold it: control characters, NUL included, and half characters show
 * as �.
 */
export function visible(text: string): string {
  return text.replace(CONTROLS, REPLACEMENT).replace(LONE_SURROGATES, REPLACEMENT);
}

/**
 * The same for places that cannot isolate direction (title, attributes, SVG): direction controls are left
 * out.
 */
export function plain(text: string): string {
  return visible(text).replace(BIDI_CONTROLS, '').replace(/\s+/g, ' ').trim();
}

/**
 * At most `length` characters, the last an ellipsis when something was cut. Never cuts a character in half.
 */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}
