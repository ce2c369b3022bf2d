import type { Slice } from '../pages.ts';

/** What a user lets a program do for them. */
export interface ClientGrant {
  /** The credential that the program's tokens derive from, and end with. */
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  /** Where the authorization code was sent. */
  readonly redirectUri: string;
  readonly userId: string;
  readonly tenantId: string;
  /** Audience of the program's tokens (RFC 8707). */
  readonly resource: string;
  /** Scopes, separated by spaces. */
  readonly scopes: string;
  /** S256 of the program's verifier (RFC 7636 §4.2). */
  readonly codeChallenge: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A grant with when its program last fetched a token; null = never. */
export interface UsedGrant extends ClientGrant {
  readonly lastUsedAt: Date | null;
}

/** A grant by its code or refresh token. */
export interface TakenGrant {
  readonly grant: ClientGrant;
  /** The code or token was used before, or its time was over. */
  readonly isSpent: boolean;
}

/**
 * Consents of users, and the refresh tokens of each; codes and tokens are kept as their SHA-256. Whether a
 * grant is live is said by its credential. Errors: those of the database.
 */
export interface ClientGrantStore {
  insert(grant: ClientGrant & { readonly codeHash: Uint8Array; readonly codeExpiresAt: Date }): Promise<void>;
  /**
   * Uses a code up: of any number of concurrent calls one finds it unspent. Null when there is no such code.
   */
  takeCode(codeHash: Uint8Array, now: Date): Promise<TakenGrant | null>;
  insertRefreshToken(tokenHash: Uint8Array, grantId: string): Promise<void>;
  /** Uses a refresh token up, as `takeCode` does a code. */
  takeRefreshToken(tokenHash: Uint8Array, now: Date): Promise<TakenGrant | null>;
  find(id: string): Promise<ClientGrant | null>;
  /**
   * The user's grants whose credential is live, oldest first, each with when its program last fetched a
   * token; the key of a slice is that of creation and id.
   */
  listLive(userId: string, now: Date, slice: Slice): Promise<UsedGrant[]>;
  /** The grant of a refresh token, used or not; null when there is no such token. */
  findByRefreshToken(tokenHash: Uint8Array): Promise<ClientGrant | null>;
  /** Removes grants that expired before, with their refresh tokens. */
  removeExpired(before: Date): Promise<void>;
}
