import { randomBytes } from 'node:crypto';
import { DomainError } from '@platform/error-contracts';

/** Random bytes of an ETag: enough that no two documents or versions ever share one. */
const ETAG_BYTES = 16;

/** Opaque part of an ETag, `[A-Za-z0-9_-]{22}`, without quotes. */
export function createEtag(): string {
  return randomBytes(ETAG_BYTES).toString('base64url');
}

/** The field value a strong ETag is sent as (RFC 9110 §8.8.3): its opaque part in quotes. */
export function quoteEtag(opaque: string): string {
  return `"${opaque}"`;
}

/** A parsed If-Match or If-None-Match: `*`, or opaque tags, weak ones marked. */
export type EtagCondition = '*' | readonly { readonly opaque: string; readonly isWeak: boolean }[];

/**
 * Reads an If-Match or If-None-Match field (RFC 9110 §13.1.1, §8.8.3): `*`, or a comma-separated list of
 * entity tags in which empty elements are allowed (§5.6.1.2) and commas inside a tag's quotes belong to the
 * tag. undefined stays undefined. Throws DomainError `invalid_argument` for anything else, a list without any
 * tag included.
 */
export function parseEtagCondition(header: string, value: string | undefined): EtagCondition | undefined {
  if (value === undefined) return undefined;
  if (value.trim() === '*') return '*';
  // One tag, with what may stand before and after it; \x21 and \x23-\x7E and obs-text are the tag's own
  // characters.
  const element = /[ \t,]*(?:(W\/)?"([\x21\x23-\x7E\x80-\xFF]*)"[ \t]*(?=,|$))?/y;
  const tags: { opaque: string; isWeak: boolean }[] = [];
  while (element.lastIndex < value.length) {
    const start = element.lastIndex;
    const match = element.exec(value);
    if (match === null || match[0] === '') {
      throw new DomainError(
        'invalid_argument',
        `${header} is malformed at character ${start + 1}: give \`*\`, or ETags in their double quotes as they were answered`,
      );
    }
    if (match[2] !== undefined) tags.push({ opaque: match[2], isWeak: match[1] !== undefined });
  }
  if (tags.length === 0) throw new DomainError('invalid_argument', `${header} names no entity tag`);
  return tags;
}

/**
 * Opaque parts that strong comparison can match (RFC 9110 §8.8.3.2); null = any (`*`). Weak tags never match.
 */
export function strongTags(condition: EtagCondition): string[] | null {
  return condition === '*' ? null : condition.filter((tag) => !tag.isWeak).map((tag) => tag.opaque);
}

/**
 * If-None-Match: true when `opaque` is named, by weak comparison (RFC 9110 §13.1.2), or the condition is `*`.
 */
export function namesEtag(condition: EtagCondition, opaque: string): boolean {
  return condition === '*' || condition.some((tag) => tag.opaque === opaque);
}
