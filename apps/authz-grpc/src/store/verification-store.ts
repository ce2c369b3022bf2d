/** The user and address that a one-time token proves. */
export interface VerifiedAddress {
  readonly userId: string;
  readonly email: string;
}

/** One-time tokens, by their SHA-256. Errors: those of the database. */
export interface VerificationStore {
  insert(
    token: VerifiedAddress & {
      readonly tokenHash: Uint8Array;
      readonly type: string;
      readonly expiresAt: Date;
    },
  ): Promise<void>;
  /**
   * Uses a token up: of any number of concurrent calls one gets it. Null when unknown, used, expired, of
   * another type.
   */
  take(tokenHash: Uint8Array, type: string, now: Date): Promise<VerifiedAddress | null>;
  /** Ends the user's unused tokens, or those of some types. */
  removeUnused(userId: string, types?: readonly string[]): Promise<void>;
  /** Removes tokens that expired before. */
  removeExpired(before: Date): Promise<void>;
}
