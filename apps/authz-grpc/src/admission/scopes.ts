import { AuthzError } from '@platform/error-contracts';

/** What a credential of a user or of a tenant's service account may be used for. */
export const TENANT_SCOPES = ['check', 'explain', 'read', 'manage', 'documents', 'investigations'] as const;
/** What a login front end may do: verification, OAuth, resets and logins, for every user. */
export const IDENTITY_SCOPE = 'identity';

export type Scope = (typeof TENANT_SCOPES)[number] | typeof IDENTITY_SCOPE;

/** The scopes as stored: separated by spaces, empty for all scopes of a tenant. */
export function scopesOf(stored: string): readonly Scope[] {
  return stored === '' ? TENANT_SCOPES : (stored.split(' ') as Scope[]);
}

/** The scopes as they are stored; undefined is all of them. Throws INVALID_ARGUMENT for an empty list and unknown scopes. */
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
