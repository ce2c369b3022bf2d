/**
 * Objects of checks: `svc://<domain uuid>/<path>`. One object has one spelling, so that a policy that names
 * it cannot be passed by spelling it another way (docs/decisions/0019-one-spelling-of-an-object.md).
 */

/**
 * The characters of a path: RFC 3986 `pchar` and RFC 3987 `ucschar`. Other ASCII characters, except `%`, are
 * percent-encoded in upper case; all others are not allowed in an object.
 */
const LITERAL = [
  "A-Za-z0-9\\-._~!$&'()*+,;=:@\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}",
  ...Array.from('123456789abcd', (plane) => `\\u{${plane}0000}-\\u{${plane}fffd}`),
  '\\u{E1000}-\\u{EFFFD}',
].join('');
const ESCAPE = '%(?:[01][0-9A-F]|2[023]|3[CEF]|5[B-E]|60|7[BCDF])';
const SEGMENT = `(?!\\.{1,2}(?:/|$))(?:[${LITERAL}]|${ESCAPE})+`;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const OBJECT = new RegExp(`^svc://(${UUID})/${SEGMENT}(?:/${SEGMENT})*$`, 'u');
const OBJECT_IN_ANY_SPELLING = new RegExp(`^svc://(${UUID})/(.*)$`, 'isu');
const LITERAL_CHARACTER = new RegExp(`[${LITERAL}]`, 'u');
const ASCII = /^[ -~]*$/;

/**
 * The domain that an object names, in lower case; null when the text is not an object in its one spelling.
 */
export function domainOfObject(text: string): string | null {
  if (isPlain(text)) return text.slice(PATH_START - 37, PATH_START - 1);
  const domainId = OBJECT.exec(text)?.[1];
  return domainId !== undefined && isNormal(text) ? domainId : null;
}

/** Where the path of an object begins, behind `svc://`, 36 characters of a UUID and `/`. */
const PATH_START = 43;
const PLAIN_START = new RegExp(`^svc://${UUID}/`);
/** By character code: the ASCII characters that stand for themselves in a segment, but for the dot. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9\-_~!$&'()*+,;=:@]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const SLASH = 47;
const DOT = 46;

/**
 * Whether the text is an object of plain characters, no segment of which begins with a dot, as nearly all
 * are: in a third of the time of the expression.
 */
function isPlain(text: string): boolean {
  if (text.length <= PATH_START || !PLAIN_START.test(text)) return false;
  let before = SLASH;
  for (let at = PATH_START; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (PLAIN[code] !== 1 && (before === SLASH || (code !== SLASH && code !== DOT))) return false;
    before = code;
  }
  return before !== SLASH;
}

/** Whether the text is in Unicode's normalization form C. */
function isNormal(text: string): boolean {
  return ASCII.test(text) || text.normalize('NFC') === text;
}

/**
 * The one spelling of an object that is spelled in another way: dot segments resolved (RFC 3986 §5.2.4),
 * empty segments left out, percent-encoding undone where it is not needed, in NFC. Null when there is none:
 * without a domain or a path, or with characters that no object can hold, of which an encoded `/` or `%` is
 * one.
 */
export function canonicalObject(text: string): string | null {
  const [, domainId, path] = OBJECT_IN_ANY_SPELLING.exec(text) ?? [];
  if (domainId === undefined || path === undefined) return null;
  const segments: string[] = [];
  for (const sent of path.split('/')) {
    const segment = decode(sent);
    if (segment === null || segment.includes('/')) return null;
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return objectUri(domainId.toLowerCase(), ...segments.map((segment) => segment.normalize('NFC')));
}

/**
 * What stands in the text that no object can hold in any spelling, as the end of a sentence about it; null
 * when there is nothing of the kind.
 */
export function whatNoObjectHolds(text: string): string | null {
  if (/%(?![0-9a-f]{2})/i.test(text))
    return 'holds a `%` that does not begin an escape such as `%20`, and no object can hold the character `%`';
  if (/%2f/i.test(text)) return 'holds `%2F`, and no segment of an object can hold the character `/`';
  if (/%25/.test(text)) return 'holds `%25`, and no object can hold the character `%`';
  const decoded = decode(text);
  if (decoded === null) return 'holds an escape that is not UTF-8';
  const unfit = Array.from(decoded.normalize('NFC')).find(
    (character) => character > '\x7f' && !LITERAL_CHARACTER.test(character),
  );
  if (unfit === undefined) return null;
  const code = (unfit.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return `holds the character U+${code}, which no object can hold`;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * The object of this path within a domain; `segments` are plain texts, and other segments make another
 * object. Null for what no object can say: segments that are empty, `.` or `..`, hold `/`, `%` or control
 * characters beyond ASCII, or are not in NFC.
 */
export function objectUri(domainId: string, ...segments: readonly string[]): string | null {
  const path = segments.map((segment) =>
    Array.from(segment, (character) =>
      LITERAL_CHARACTER.test(character) ? character : escapeOf(character),
    ).join(''),
  );
  const text = `svc://${domainId}/${path.join('/')}`;
  return domainOfObject(text) === null ? null : text;
}

/** The escape of a character, or what no object holds when the character is `/`, `%` or beyond ASCII. */
function escapeOf(character: string): string {
  // In hexadecimal, U+10FFFF would read as the escape of U+0010 and a text.
  if (character > '\x7f') return '%%';
  return `%${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * What a text can be to objects that begin with it (`start`), end with it (`end`), are it (both) or hold it
 * (neither): `part` of some; of `other_spelling`, so that every object that it seems to name is spelled in
 * another way; or of `no_object`, as a text without the scheme or with a domain that is not a UUID.
 */
export function judgeObjectText(
  text: string,
  { start, end }: { readonly start: boolean; readonly end: boolean },
): 'part' | 'other_spelling' | 'no_object' {
  // A part of a text in form C is in form C itself (UAX #15, "Concatenation of Normalized Strings").
  if (!start) return isNormal(text) && isPathPart(text, { start, end }) ? 'part' : 'other_spelling';
  if (end && domainOfObject(text) !== null) return 'part';
  const [, authority = '', path] = /^svc:\/\/([^/]*)(?:\/(.*))?$/is.exec(text) ?? [];
  if (path === undefined) {
    const rest = OBJECT_START.slice(text.length);
    const isPart = (start: string) => !end && domainOfObject(start + rest) !== null;
    if (isPart(text)) return 'part';
    return isPart(text.toLowerCase()) ? 'other_spelling' : 'no_object';
  }
  if (!ANY_UUID.test(authority)) return 'no_object';
  const isSpelledSo = text.startsWith(`svc://${authority.toLowerCase()}/`) && isNormal(text);
  return isSpelledSo && isPathPart(path, { start: true, end }) ? 'part' : 'other_spelling';
}

const ANY_UUID = new RegExp(`^${UUID}$`, 'i');
const OBJECT_START = 'svc://00000000-0000-0000-0000-000000000000/x';
const SEGMENT_PART = new RegExp(`^(?:[${LITERAL}]|${ESCAPE})*$`, 'u');

/** Whether the text can be part of a path: its start, its end, or any part. */
function isPathPart(
  text: string,
  { start, end }: { readonly start: boolean; readonly end: boolean },
): boolean {
  // Where the start of the text is not that of a path it may be the end of the scheme, with the domain.
  const path = start ? text : text.replace(/^(?:(?:s?v)?c)?:\/\//, '');
  const segments = path.split('/');
  return segments.every((segment, index) => {
    const isOpened = start || index > 0;
    const isClosed = end || index < segments.length - 1;
    if (isOpened && isClosed && /^\.{0,2}$/.test(segment)) return false;
    // An escape may be cut where the text is cut; none begins with `%4`.
    return SEGMENT_PART.test(isClosed ? segment : segment.replace(/%[0-35-7]?$/, ''));
  });
}
