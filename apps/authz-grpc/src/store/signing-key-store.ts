/** A signing key as it is stored. */
export interface SigningKeyRow {
  readonly kid: string;
  /** PKCS #8 PEM, sealed when a key secret is set. */
  readonly privateKey: string;
  /** Raw Ed25519 public key, 32 bytes (RFC 8032 §5.1.5). */
  readonly publicKey: Uint8Array;
  readonly signsFrom: Date;
}

/** Signing keys of the service. Errors: those of the database. */
export interface SigningKeyStore {
  /** Keys that have not expired, the one that signs last first. */
  list(now: Date): Promise<SigningKeyRow[]>;
  insert(key: SigningKeyRow): Promise<void>;
  /** Gives every other key that has no end this one. */
  expireOthers(kid: string, expiresAt: Date): Promise<void>;
  /** Removes keys that expired before. */
  removeExpired(before: Date): Promise<void>;
}
