import { AuthzError, invalidField } from '@platform/error-contracts';
import { isName, NAME_CHARACTERS_MAX, TEXT_BYTES_MAX } from './text.ts';

/** A name: 1 to 128 characters, no control characters, no space at either end. Throws INVALID_ARGUMENT. */
export function readName(text: string, field: string): string {
  if (!isName(text)) {
    throw new AuthzError(
      'INVALID_ARGUMENT',
      `\`${field}\` must have 1 to ${NAME_CHARACTERS_MAX} characters, without control characters or space at the ends`,
      { field },
    );
  }
  return text;
}

/**
 * A name that people tell accounts, tenants and domains apart by: as `readName`, in Unicode's form C, without
 * characters that show as nothing or turn text round. Throws INVALID_ARGUMENT.
 */
export function readDistinctName(text: string, field: string): string {
  const refuse = (why: string) => invalidField(field, why);
  readName(text, field);
  if (text.normalize('NFC') !== text) throw refuse('must be in Unicode normalization form C');
  if (UNSEEN.test(text)) throw refuse('must not hold characters that are not seen');
  return text;
}

/** Format characters (Unicode Cf) except the joiners that scripts and emoji need, and blank letters. */
const UNSEEN = /(?![\u200C\u200D])[\p{Cf}\u115F\u1160\u3164\uFFA0]/u;

/** Free text that fits a Postgres text column. Throws INVALID_ARGUMENT. */
export function readText(text: string, field: string): string {
  if (Buffer.byteLength(text) > TEXT_BYTES_MAX || text.includes('\0')) {
    throw new AuthzError(
      'INVALID_ARGUMENT',
      `\`${field}\` must have at most ${TEXT_BYTES_MAX} bytes and no NUL`,
      {
        field,
      },
    );
  }
  return text;
}

/** An address that could be one: something, `@`, something; no spaces. Throws INVALID_ARGUMENT. */
export function readEmail(text: string, field: string): string {
  if (text.length > 254 || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text)) {
    throw invalidField(field, 'must be an e-mail address');
  }
  return text;
}

/** A whole number within bounds. Throws INVALID_ARGUMENT. */
export function readWithin(value: number, min: number, max: number, field: string): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw invalidField(field, `must be ${min} to ${max}`);
  }
  return value;
}

/** Throws VERSION_CONFLICT when what is updated has changed since the caller read it. */
export function requireVersion(what: string, version: number, expected: number | undefined): void {
  if (expected === undefined || expected === version) return;
  throw new AuthzError('VERSION_CONFLICT', `the ${what} has changed since it was read`);
}
