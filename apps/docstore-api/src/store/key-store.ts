/** A key as it is stored: its text cannot be made from it. */
export interface StoredKey {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  /** As `parseScopes` reads it. */
  readonly scopes: string;
  readonly secretHash: Uint8Array;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Writes of keys that a POST makes. */
export interface KeyWriter {
  /** false when the owner has `keysMax` keys that are not revoked. */
  create(key: StoredKey, keysMax: number): Promise<boolean>;
  /** Replaces the secret; false when the key is absent, revoked or another owner's. */
  replaceSecret(owner: string, id: string, secretHash: Uint8Array): Promise<boolean>;
}

/** API keys by owner. Writes are visible to every reader once they resolve. */
export interface KeyStore extends KeyWriter {
  /** The keys among `ids` that exist, of any owner, revoked and expired ones included. */
  findMany(ids: readonly string[]): Promise<StoredKey[]>;
  /** null when absent, revoked or another owner's. */
  find(owner: string, id: string): Promise<StoredKey | null>;
  /** Keys not revoked, newest first. */
  list(owner: string): Promise<StoredKey[]>;
  /** false when absent, revoked already or another owner's. */
  revoke(owner: string, id: string, now: Date): Promise<boolean>;
}
