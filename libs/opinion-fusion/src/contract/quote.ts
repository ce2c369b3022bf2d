/** UTF-16 code units of a user's text shown in a message at most. */
export const QUOTED_MAX = 60;

/**
 * A user's text inside a message: in backticks, shortened between characters, and what cannot be seen made
 * visible: control and formatting characters and halves of characters, but for joiners where they shape what
 * is seen.
 */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const short = text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX).replace(CUT, '')}…` : text;
  if (PLAIN.test(short)) return `\`${short}\``;
  return `\`${short.replace(JOINER_OR_UNSEEN, (whole, unseen?: string) => (unseen === undefined ? whole : escaped(unseen)))}\``;
}

function escaped(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  return character.length > 1 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** Nothing in it needs to be made visible. */
const PLAIN = /^[\x20-\x7e\u2026]*$/;
/** Half of a character that the end was cut off. */
const CUT = /[\ud800-\udbff]$/;
/**
 * Joiners after an emoji, a vowel sign or virama, or an Arabic letter (as RFC 5892 A.1 and A.2 allow in
 * names); else, captured, what cannot be seen.
 */
const JOINER_OR_UNSEEN =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}])[\u200c\u200d]|([\p{Cc}\p{Cf}\p{Cs}])/gu;
