import { DomainError } from '@platform/error-contracts';
import { CONTENTS_BYTES_MAX, FILENAME_BYTES_MAX, METADATA_BYTES_MAX } from './limits.ts';
import { utf8Length } from './text.ts';

/** Every character of category Cc; none of them may stand in a filename. */
const CONTROL = /\p{Cc}/u;
/** Cc without TAB, LF, FF, CR and NEL: what contents must not hold. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN_IN_CONTENTS = /[\x00-\x08\x0B\x0E-\x1F\x7F-\x84\x86-\x9F]/;

/** What is wrong with a filename, or null. Rules: decisions page, "filename". */
export function filenameProblem(filename: string): string | null {
  if (filename === '') return 'must not be empty';
  if (!filename.isWellFormed()) return 'must be well-formed Unicode';
  if (utf8Length(filename) > FILENAME_BYTES_MAX)
    return `must be at most ${FILENAME_BYTES_MAX} bytes of UTF-8`;
  if (CONTROL.test(filename)) return 'must not hold control characters';
  if (filename.split('/').some((segment) => segment === '.' || segment === '..')) {
    return 'must not hold a segment `.` or `..`';
  }
  return null;
}

/** The problem of metadata, or null. */
export function metadataProblem(metadata: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(metadata)) {
    // The schema itself reports a value of another type.
    const texts = typeof value === 'string' ? [key, value] : [key];
    if (!texts.every(isWellFormed)) return 'must be well-formed Unicode';
    if (texts.some((text) => text.includes('\0'))) return 'must not hold NUL';
  }
  return utf8Length(JSON.stringify(metadata)) > METADATA_BYTES_MAX
    ? `must be at most ${METADATA_BYTES_MAX} bytes as JSON`
    : null;
}

export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/**
 * Lets contents pass or throws, in the contract's order: lone surrogates `validation_failed`, more than 4 MiB
 * of UTF-8 `payload_too_large`, a forbidden control character `unsupported_media`. Returns their size in
 * bytes.
 */
export function checkContents(contents: string): number {
  if (!contents.isWellFormed()) {
    const details = { contents: 'must be well-formed Unicode: it holds half of a surrogate pair' };
    throw new DomainError('validation_failed', 'contents are not well-formed', { details });
  }
  const size = utf8Length(contents);
  if (size > CONTENTS_BYTES_MAX) {
    throw new DomainError(
      'payload_too_large',
      `contents are ${size} bytes, at most ${CONTENTS_BYTES_MAX} are taken`,
    );
  }
  const at = contents.search(FORBIDDEN_IN_CONTENTS);
  if (at !== -1) {
    const code = contents.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    throw new DomainError(
      'unsupported_media',
      `contents hold the control character U+${code} at index ${at}`,
    );
  }
  return size;
}
