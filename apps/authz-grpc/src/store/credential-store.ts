import type { TokenUse } from '../state/entities.ts';

/** The record of one issued token; a token without a record is not live. */
export interface CredentialRow {
  readonly jti: string;
  readonly subjectId: string;
  readonly tenantId: string | null;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Records of issued tokens. Errors: those of the database. */
export interface CredentialStore {
  insert(credential: CredentialRow & { readonly use: TokenUse }): Promise<void>;
  /** The subject's live credentials of one use, oldest first. */
  list(subjectId: string, use: TokenUse, now: Date): Promise<CredentialRow[]>;
  /** Whether the credential is there and not revoked; if so, it stays so until the transaction ends. */
  lockLive(jti: string): Promise<boolean>;
  /** Revokes one credential of the subject; false when there is no such live one. */
  revoke(subjectId: string, jti: string, now: Date): Promise<boolean>;
  /** Revokes what the subject has, or what they have of one use, except one; returns the ids. */
  revokeAll(
    subjectId: string,
    now: Date,
    options?: { readonly use?: TokenUse; readonly except?: string },
  ): Promise<string[]>;
  /** Revokes every credential for the tenant; returns the ids. */
  revokeOfTenant(tenantId: string, now: Date): Promise<string[]>;
  /** Removes records that expired before. */
  removeExpired(before: Date): Promise<void>;
}
