import type { Slice } from '../pages.ts';
import type { TokenUse } from '../model/entities.ts';

/** The record of one issued token; a token without a record is not live. */
export interface CredentialRow {
  readonly jti: string;
  readonly subjectId: string;
  readonly tenantId: string | null;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** What it may be used for, separated by spaces; empty is all scopes of a tenant. */
  readonly scopes: string;
}

/** Records of issued tokens. Errors: those of the database. */
export interface CredentialStore {
  insert(
    credential: CredentialRow & { readonly use: TokenUse; readonly parentId?: string | null },
  ): Promise<void>;
  /**
   * The subject's live credentials of one use, oldest first; the key of a slice is that of its issue and
   * id.
   */
  list(subjectId: string, use: TokenUse, now: Date, slice?: Slice): Promise<CredentialRow[]>;
  /** Whether the credential is there and not revoked; if so, it stays so until the transaction ends. */
  lockLive(jti: string): Promise<boolean>;
  /**
   * Whether a credential may come to be: its subject is active, so is its tenant, to which the subject
   * belongs, and the credential it derives from is live. All of them stay so until the transaction ends.
   */
  lockGrounds(grounds: {
    readonly subjectId: string;
    readonly tenantId: string | null;
    readonly parentId: string | null;
  }): Promise<boolean>;
  /**
   * Revokes one live credential of the subject and what derives from it; returns the ids, none when there is
   * no such.
   */
  revoke(subjectId: string, jti: string, now: Date): Promise<string[]>;
  /** Revokes what the subject has, or has of one use or for one tenant, except one; returns the ids. */
  revokeAll(
    subjectId: string,
    now: Date,
    options?: { readonly use?: TokenUse; readonly tenantId?: string; readonly except?: string },
  ): Promise<string[]>;
  /** Revokes every credential for the tenant; returns the ids. */
  revokeOfTenant(tenantId: string, now: Date): Promise<string[]>;
  /** When the last credential expires that was issued between two moments; null when there is none. */
  lastExpiry(from: Date, to: Date): Promise<Date | null>;
  /** Removes records that expired before. */
  removeExpired(before: Date): Promise<void>;
}
