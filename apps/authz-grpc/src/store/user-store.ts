import type { Slice } from '../pages.ts';

/** A user as operations show them. */
export interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly active: boolean;
  readonly emailVerified: boolean;
  readonly isRoot: boolean;
  readonly createdAt: Date;
  /** The number of updates so far. */
  readonly version: number;
  /** API keys that are neither revoked nor expired, oldest first. */
  readonly apiKeyIds: readonly string[];
}

export interface NewUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** PHC string of argon2id; null for users who log in through an identity provider. */
  readonly passwordHash: string | null;
  readonly emailVerified?: boolean;
  readonly isRoot?: boolean;
  readonly createdAt: Date;
}

/** Fields of a user to change; undefined fields stay as they are. */
export interface UserChange {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly active?: boolean | undefined;
  /** Another lease for keys that other services minted for the user's sessions: those have ended. */
  readonly endsKeys?: boolean | undefined;
}

/** The columns that a login compares. */
export interface LoginRow {
  readonly id: string;
  readonly passwordHash: string | null;
  readonly active: boolean;
}

/** Users. `now` decides which API keys count as live. Errors: those of the database. */
export interface UserStore {
  /** Throws NAME_TAKEN naming `username`. */
  insert(user: NewUser): Promise<void>;
  find(id: string, now: Date): Promise<UserRow | null>;
  findId(username: string): Promise<string | null>;
  findLogin(username: string): Promise<LoginRow | null>;
  /** The id of the system root, or null before the first start. */
  findRootId(): Promise<string | null>;
  /** All users, or the members of one tenant, oldest first; the key of a slice is that of a `Place`. */
  list(tenantId: string | null, now: Date, slice: Slice): Promise<UserRow[]>;
  exists(id: string): Promise<boolean>;
  /**
   * Moves the version on. A changed address loses its verification. False when there is no such user.
   * Throws NAME_TAKEN.
   */
  update(id: string, change: UserChange): Promise<boolean>;
  /** False when there is no such user. */
  markVerified(id: string): Promise<boolean>;
  /**
   * Removes the user with their associations, attributes, identities and one-time tokens; false when absent.
   */
  remove(id: string): Promise<boolean>;
  /**
   * Locks the user's row until the transaction ends, so that a change of the user waits (`share`) or so that
   * other holders wait, too (`update`). With `passwordHash`, only a user who still has that password is
   * found. False when there is no such user.
   */
  lock(id: string, mode: 'share' | 'update', passwordHash?: string | null): Promise<boolean>;
}
