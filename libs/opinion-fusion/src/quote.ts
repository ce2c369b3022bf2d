/** Characters of a user's text shown in a message at most. */
export const QUOTED_MAX = 60;

/** A user's text inside a message: in backticks, shortened, control and formatting characters made visible. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const short = text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text;
  if (PLAIN.test(short)) return `\`${short}\``;
  return `\`${short.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\``;
}

/** Nothing in it needs to be made visible. */
const PLAIN = /^[\x20-\x7e\u2026]*$/;
