/** A signing key as it is stored. */
export interface SigningKeyRow {
  readonly kid: string;
  /** PKCS #8 PEM, sealed when a key secret is set. */
  readonly privateKey: string;
  /** Raw Ed25519 public key, 32 bytes (RFC 8032 §5.1.5). */
  readonly publicKey: Uint8Array;
  readonly signsFrom: Date;
  /** Null for keys whose last token has not been signed yet. */
  readonly expiresAt?: Date | null;
}

/** Signing keys of the service. Errors: those of the database. */
export interface SigningKeyStore {
  /** Keys that have neither expired nor been retired, the one that signs last first. */
  list(now: Date): Promise<SigningKeyRow[]>;
  insert(key: SigningKeyRow): Promise<void>;
  /** Replaces the stored form of a private key, when it was sealed with another secret. */
  reseal(kid: string, privateKey: string): Promise<void>;
  /** Makes a key sign from a moment on. */
  begin(kid: string, signsFrom: Date): Promise<void>;
  /** Ends a key at a moment. */
  expire(kid: string, expiresAt: Date): Promise<void>;
  /** Removes a key that has signed nothing. */
  remove(kid: string): Promise<void>;
  /** Whether the key may sign; if so, it is not retired until the transaction ends. */
  lockAccepted(kid: string): Promise<boolean>;
  /** Takes a key out at once; false when there is no such key. */
  retire(kid: string, now: Date): Promise<boolean>;
  /** Removes keys that expired before. */
  removeExpired(before: Date): Promise<void>;
}
