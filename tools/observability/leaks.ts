/**
 * The forms in which a text gets into a log: as it is, within JSON (twice, when a body is quoted), in a URL,
 * in a header.
 */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => inJson(text),
  (text) => inJson(inJson(text)),
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => Buffer.from(text).toString('hex'),
];

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** The names of those secrets that the log holds in any of their forms. */
export function findLeaks(log: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.keys(secrets).filter((what) => FORMS.some((form) => log.includes(form(secrets[what]!))));
}
