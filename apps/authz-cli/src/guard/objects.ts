import { objectUri } from '@platform/authz-client';
import { InvalidMessageError } from './message.ts';
import { escapeText } from './spelling.ts';

/** What a server offers, as the path of objects has it. */
export type Kind = 'tools' | 'resources' | 'templates' | 'prompts' | 'methods';

/** Longest name of a tool or prompt, and longest URI of a resource. Characters. */
const NAME_CHARACTERS_MAX = 256;
const URI_CHARACTERS_MAX = 2048;

/** Where the objects of one server stand: `svc://<domain>/mcp/<server>/…`. */
export interface Place {
  readonly domainId: string;
  /** Name of the server, chosen by who runs the guard. */
  readonly server: string;
}

/** The server itself, on which `connect` is checked. Throws for a domain that is not a UUID. */
export function serverObject({ domainId, server }: Place): string {
  return existing(objectUri(domainId, 'mcp', server));
}

/**
 * The object of one thing that the server offers: `svc://<domain>/mcp/<server>/<kind>/<name>`. The name is
 * one segment: letters, digits, `_`, `-` and `.` stand for themselves, and every other byte of its UTF-8 is
 * `~` and two hexadecimal digits, so that two names never share an object. Throws InvalidMessageError for a
 * name with a second spelling (`readName`, `readUri`).
 */
export function objectOf({ domainId, server }: Place, kind: Kind, name: unknown): string {
  const read = kind === 'resources' ? readUri(name) : readName(name, kind === 'templates');
  return existing(objectUri(domainId, 'mcp', server, kind, segmentOf(read)));
}

function existing(object: string | null): string {
  if (object === null) throw new Error('invariant: a domain and plain segments make an object');
  return object;
}

function segmentOf(name: string): string {
  const escaped = escapeText(name, /[A-Za-z0-9_.-]/);
  return /^\.{1,2}$/.test(escaped) ? escaped.replaceAll('.', '~2E') : escaped;
}

/**
 * A name that lenient readers cannot take for another: Unicode form KC, without characters that show
 * nothing, without space around it.
 */
function readName(name: unknown, isTemplate: boolean): string {
  const max = isTemplate ? URI_CHARACTERS_MAX : NAME_CHARACTERS_MAX;
  if (typeof name !== 'string' || name === '' || name.length > max)
    throw new InvalidMessageError(`a name is a text of 1 to ${max} characters`);
  const isPlain =
    name.isWellFormed() && name.normalize('NFKC') === name && name.trim() === name && !UNSEEN.test(name);
  if (!isPlain)
    throw new InvalidMessageError('the name has a second spelling, or characters that show nothing');
  return name;
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Escapes of `/`, `\`, `%` and of what needs none, and escapes in small letters: a second spelling. */
const NEEDLESS_ESCAPE = /%(?:2F|5C|25|2D|2E|5F|7E|3\d|4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A])|%(?![0-9A-F]{2})/;

/**
 * A URI in its one spelling: no dot segments and no empty ones in its path, no escape of `/` or of what needs
 * none, and as the URL standard writes it.
 */
function readUri(uri: unknown): string {
  const text = readName(uri, true);
  const [beforeQuery = ''] = text.split(/[?#]/, 1);
  const segments = beforeQuery.replace(/^[^:]*:(?:\/\/)?/, '').split('/');
  const isEmptyInside = segments.slice(1, -1).includes('');
  const isDotted = segments.some((segment) => segment === '.' || segment === '..');
  if (text.includes('\\') || NEEDLESS_ESCAPE.test(text) || isDotted || isEmptyInside || !isNormalUrl(text))
    throw new InvalidMessageError(
      '`uri` is not in its one spelling: without dot segments, empty segments and needless escapes, and with %XX for characters outside ASCII',
    );
  return text;
}

function isNormalUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).href === text;
}
