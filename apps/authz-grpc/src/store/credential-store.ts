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

/** The place of a credential in the order of `list`: milliseconds since 1970 and the id. */
export function listKeyOf({ issuedAt, jti }: Pick<CredentialRow, 'issuedAt' | 'jti'>): string {
  return `${issuedAt.getTime()} ${jti}`;
}

/** The issue and id that a key of `listKeyOf` names; null for a text that is none. */
export function readListKey(key: string): { readonly issuedAt: Date; readonly jti: string } | null {
  const [, time, jti] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(key) ?? [];
  return time === undefined || jti === undefined ? null : { issuedAt: new Date(Number(time)), jti };
}

/** Records of issued tokens. Errors: those of the database. */
export interface CredentialStore {
  insert(
    credential: CredentialRow & { readonly use: TokenUse; readonly parentId?: string | null },
  ): Promise<void>;
  /** The subject's live credentials of one use, oldest first; `listKeyOf` is the key of a slice. */
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
