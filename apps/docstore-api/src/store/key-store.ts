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
  /** The secret before the last rotation, accepted until `previousUntil`; both null when there is none. */
  readonly previousHash: Uint8Array | null;
  readonly previousUntil: Date | null;
  /** Lease of authz-grpc that the key ends with; null for a key that the operator made. */
  readonly lease: string | null;
  /** Leases that the present secret and the previous one end with besides: of those they were given to. */
  readonly secretLeases: readonly string[];
  readonly previousLeases: readonly string[];
  /** Subject of the credential that made it; null for one that the operator made, or older ones. */
  readonly mintedBy: string | null;
  /** Subject of the credential that rotated it last; null for the operator, or where nobody has. */
  readonly rotatedBy: string | null;
  readonly rotatedAt: Date | null;
}

/** A key as a request finds it. */
export interface FoundKey extends StoredKey {
  /**
   * The lease that decides whether the key is served, its tenant's where it has none itself; null = it needs
   * none.
   */
  readonly servedBy: string | null;
  /** Whether that lease was active when it was last recorded. */
  readonly wasActive: boolean;
  /** Those of its `secretLeases` and `previousLeases` that were not active when they were last recorded. */
  readonly endedLeases: readonly string[];
}

/** A key's next secret, and until when the present one is accepted besides; null = no longer. */
export interface NextSecret extends Pick<
  StoredKey,
  'secretHash' | 'previousUntil' | 'secretLeases' | 'rotatedBy' | 'rotatedAt'
> {}

/** Writes of keys that a POST makes. */
export interface KeyWriter {
  /**
   * false when the owner has `keysMax` keys that were neither revoked nor expired when this one is created.
   */
  create(key: StoredKey, keysMax: number): Promise<boolean>;
  /** Replaces the secret; false when the key is absent, revoked or another owner's. */
  replaceSecret(owner: string, id: string, next: NextSecret): Promise<boolean>;
}

/**
 * API keys by owner. Writes are visible to every reader once they resolve. A key is live at `now` when it is
 * neither revoked nor expired.
 */
export interface KeyStore extends KeyWriter {
  /** The keys among `ids` that exist, of any owner, revoked and expired ones included. */
  findMany(ids: readonly string[]): Promise<FoundKey[]>;
  /** null when absent, not live or another owner's. */
  find(owner: string, id: string, now: Date): Promise<FoundKey | null>;
  /** The newest `limit` live keys, newest first. */
  list(owner: string, now: Date, limit: number): Promise<FoundKey[]>;
  /** false when absent, not live or another owner's. */
  revoke(owner: string, id: string, now: Date): Promise<boolean>;
  /** Deletes every key of an owner. */
  erase(owner: string): Promise<void>;
  /** Deletes keys that are not live. */
  forgetDead(now: Date): Promise<void>;
}
