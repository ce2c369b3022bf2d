import { AuthzError } from '@platform/error-contracts';

/** Scopes of the credentials of users and of tenants' service accounts. */
const TENANT_SCOPES = ['check', 'explain', 'read', 'manage', 'documents', 'investigations'] as const;
/**
 * Scope of login front ends: verification, OAuth, resets and logins, for every user except the system root.
 */
export const IDENTITY_SCOPE = 'identity';

/** Scopes that users may grant to programs; `:read` is the part of a scope that changes nothing. */
export const CLIENT_SCOPES = ['investigations', 'investigations:read'] as const;

export type ClientScope = (typeof CLIENT_SCOPES)[number];
export type Scope = (typeof TENANT_SCOPES)[number] | typeof IDENTITY_SCOPE | ClientScope;

/** The scopes as stored: separated by spaces, empty for all scopes of a tenant. */
export function scopesOf(stored: string): readonly Scope[] {
  return stored === '' ? TENANT_SCOPES : (stored.split(' ') as Scope[]);
}

/**
 * The scopes as they are stored; undefined is all of them. Throws INVALID_ARGUMENT for an empty list and
 * unknown scopes.
 */
export function readScopes(values: readonly string[] | undefined): string {
  if (values === undefined) return '';
  const unknown = values.find((value) => !(TENANT_SCOPES as readonly string[]).includes(value));
  if (values.length === 0 || unknown !== undefined) {
    throw new AuthzError(
      'INVALID_ARGUMENT',
      `\`scopes\` must hold at least one of ${TENANT_SCOPES.join(', ')}${unknown === undefined ? '' : `, not \`${unknown}\``}`,
      { field: 'scopes' },
    );
  }
  return TENANT_SCOPES.filter((scope) => values.includes(scope)).join(' ');
}
