import { AuthzError } from '@platform/error-contracts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text is a UUID in its canonical, lower-case form (RFC 9562 §4). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The id in canonical form. Throws INVALID_ARGUMENT for anything that is no UUID. */
export function requireUuid(text: string, field: string): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) throw new AuthzError('INVALID_ARGUMENT', `\`${field}\` must be a UUID`, { field });
  return id;
}
