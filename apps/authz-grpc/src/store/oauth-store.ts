export interface OAuthUser {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
}

/** What a login front end keeps between sending a person to a provider and having them back. */
export interface OAuthState {
  readonly tenantId: string | null;
  readonly redirectUri: string;
  readonly nonce: string;
}

/**
 * Identities at providers, and states of logins under way, by their SHA-256. Errors: those of the database.
 */
export interface OAuthStore {
  /** The user a provider's subject belongs to, or null. */
  findUser(provider: string, subject: string): Promise<OAuthUser | null>;
  /** Throws NAME_TAKEN for an identity that belongs to a user. */
  insertIdentity(provider: string, subject: string, userId: string): Promise<void>;
  /** Throws NAME_TAKEN for a state that is stored already. */
  insertState(stateHash: Uint8Array, state: OAuthState, expiresAt: Date): Promise<void>;
  /** Uses a state up: of any number of concurrent calls one gets it. Null when unknown, used or expired. */
  takeState(stateHash: Uint8Array, now: Date): Promise<OAuthState | null>;
  /** Removes states that expired before. */
  removeExpired(before: Date): Promise<void>;
}
