import { hash } from 'node:crypto';
import type { RequestContext } from '../policy/types.ts';

/** Longest value that a row keeps as it is; a longer one is kept as its digest. UTF-8 bytes. */
const VALUE_BYTES_MAX = 1024;
/** Keys and values that the row of a refused check keeps: one that is refused may have any number. */
const REFUSED_KEYS_MAX = 64;
const REFUSED_VALUES_MAX = 256;
/** Characters of a key in the row of a refused check. */
const REFUSED_KEY_MAX = 128;

/** What a row says in columns of their own. */
const COLUMNS: ReadonlySet<string> = new Set(['subject', 'action', 'object']);

/** What stands for a value above 1 KiB. */
interface Digest {
  /** Of its UTF-8 bytes, hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

type Kept = string | Digest;

/**
 * The JSON of what a decided check rests on beyond the columns of its row: its context with the subject's
 * attributes, and the versions of the domains whose policies decided, the object's first. Written by hand, in
 * a part of the time, for it is part of every check.
 */
export function checkDetail(joined: RequestContext, versions: ReadonlyMap<string, number>): string {
  let context = '';
  for (const [key, value] of joined) {
    if (COLUMNS.has(key)) continue;
    const kept = typeof value === 'string' ? keptText(value) : `[${value.map(keptText).join()}]`;
    context += `${context === '' ? '' : ','}${JSON.stringify(key)}:${kept}`;
  }
  let decided = '';
  for (const [id, version] of versions) decided += `${decided === '' ? '' : ','}"${id}":${version}`;
  return `{${context === '' ? '' : `"context":{${context}},`}"versions":{${decided}}}`;
}

/** A decision that was made elsewhere, and what the service doubts of it. */
interface Elsewhere {
  /** Rows with one id are one decision, which was handed in more than once. */
  readonly id: string;
  /** The service decides otherwise by the same versions. */
  readonly disputed?: boolean;
  /** Fields of what was sent that cannot be as they were sent. */
  readonly implausible?: readonly string[];
}

/** As `checkDetail`, for a check that a bundle decided in another process. */
export function elsewhereDetail(
  joined: RequestContext,
  versions: ReadonlyMap<string, number>,
  elsewhere: {
    /** As who decided names the decision. */
    readonly id: string;
    readonly decided_at: string;
    /** When the bundle was issued, in seconds since 1970, and the key that signed it. */
    readonly issued_at: number;
    readonly key_id: string;
  } & Elsewhere,
): string {
  return `${checkDetail(joined, versions).slice(0, -1)},"elsewhere":${JSON.stringify(elsewhere)}}`;
}

/** The context of a refused check, which may break every limit, as its row keeps it; undefined for none. */
export function refusedContext(context: RequestContext | null): object | undefined {
  if (context === null) return undefined;
  const kept: [string, Kept | Kept[]][] = [];
  let values = 0;
  for (const [key, value] of context) {
    if (kept.length === REFUSED_KEYS_MAX) break;
    if (COLUMNS.has(key) && typeof value === 'string') continue;
    const list = (typeof value === 'string' ? [value] : value).slice(0, REFUSED_VALUES_MAX - values);
    values += list.length;
    const short = list.map(keptValue);
    kept.push([key.slice(0, REFUSED_KEY_MAX), typeof value === 'string' ? (short[0] ?? '') : short]);
  }
  // A key such as `__proto__` is one like any other.
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function keptText(value: string): string {
  return JSON.stringify(keptValue(value));
}

function keptValue(value: string): Kept {
  // A character has three bytes at most for each of its units.
  if (value.length * 3 <= VALUE_BYTES_MAX) return value;
  const bytes = Buffer.byteLength(value);
  return bytes <= VALUE_BYTES_MAX ? value : { sha256: hash('sha256', value), bytes };
}

/** What a row keeps of a decided check. */
export interface KeptCheck {
  /** The context with the subject's attributes, without what is kept as a digest. */
  readonly context: RequestContext;
  /** The keys of which a value is kept as a digest. */
  readonly digested: readonly string[];
  /** Domain id → version, the object's domain first. */
  readonly versions: ReadonlyMap<string, number>;
}

/** What the row of a decided check keeps; null for a row of before rows kept contexts. */
export function readKeptCheck(row: Asked & { readonly detail: string }): KeptCheck | null {
  if (row.detail === '') return null;
  const detail = JSON.parse(row.detail) as KeptDetail;
  const kept = keptEntries(detail);
  if (kept === null) return null;
  const { digested } = kept;
  return {
    context: keptContext(row, kept),
    digested,
    versions: new Map(Object.entries(detail.versions!)),
  };
}

/** What a row says in columns of its own. */
interface Asked {
  readonly subject: string;
  readonly action: string;
  readonly object: string;
}

/** What the detail of a decided check holds. */
export interface KeptDetail {
  readonly context?: Readonly<Record<string, Kept | Kept[]>>;
  readonly versions?: Readonly<Record<string, number>>;
  readonly elsewhere?: Elsewhere;
}

/** What a detail adds to the columns of its row; null for one that keeps no context. */
interface KeptEntries {
  readonly entries: readonly (readonly [key: string, value: string | readonly string[]])[];
  /** The keys of which a value is kept as a digest. */
  readonly digested: readonly string[];
}

export function keptEntries(detail: KeptDetail): KeptEntries | null {
  if (detail.versions === undefined) return null;
  const entries: [string, string | string[]][] = [];
  const digested: string[] = [];
  for (const [key, value] of Object.entries(detail.context ?? {})) {
    if (typeof value === 'string') {
      entries.push([key, value]);
      continue;
    }
    const texts = [value].flat().filter((one) => typeof one === 'string');
    if (texts.length < [value].flat().length) digested.push(key);
    if (texts.length > 0) entries.push([key, texts]);
  }
  return { entries, digested };
}

/** The context of a recorded check: what its row says in columns of their own, and what its detail adds. */
export function keptContext({ subject, action, object }: Asked, { entries }: KeptEntries): RequestContext {
  const context = new Map<string, string | readonly string[]>([
    ['subject', subject],
    ['action', action],
    ['object', object],
  ]);
  for (const [key, value] of entries) context.set(key, value);
  return context;
}
