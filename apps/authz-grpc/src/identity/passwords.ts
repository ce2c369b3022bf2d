import { hash, verify } from '@node-rs/argon2';
import { AuthzError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { createFairLimit, QueueFull } from '@platform/worker-pool';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { isLonger } from '../text.ts';

const PASSWORD_CHARACTERS_MIN = 12;
const PASSWORD_CHARACTERS_MAX = 128;
/** A character takes two of a string's code units at most. */
const CODE_UNITS_MAX = 2 * PASSWORD_CHARACTERS_MAX;
/** What a hash costs: memory in KiB, passes over it, threads. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}
/** argon2id with m = 19 MiB, t = 2, p = 1: the library's defaults and the decisions page's figures. */
const ARGON2: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashes computed at a time: 19 MiB and one thread of libuv's pool each. */
const HASHES_MAX = 2;
/** Hashes waiting; a call beyond them would wait for minutes. */
const WAITING_MAX = 200;
/**
 * zxcvbn's scale: 0 and 1 are what a list of common passwords and their variations finds within 10^6 guesses.
 */
const SCORE_MIN = 2;
/**
 * The estimate costs more than linear time; what follows this many characters does not make a password
 * common.
 */
const ESTIMATED_CHARACTERS_MAX = 48;

export interface Passwords {
  /** PHC string. Throws INVALID_ARGUMENT for a password that is too short, too long or common. */
  hash(password: string): Promise<string>;
  /** Takes the same time for an unknown user (`null`) as for a known one. */
  matches(phc: string | null, password: string): Promise<boolean>;
}

/** Hashes cost `cost`; passwords are known by hashes of any cost. */
export async function createPasswords(cost: PasswordCost = ARGON2): Promise<Passwords> {
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const limit = createFairLimit({ concurrency: HASHES_MAX, waitingMax: WAITING_MAX });
  // Whose password it is shows only afterwards, so all callers are one owner.
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await limit.enter('').catch((error: unknown) => {
      if (!(error instanceof QueueFull)) throw error;
      throw new AuthzError('RATE_LIMITED', 'too many logins at once', {
        retryAfterSeconds: RETRY_AFTER_SECONDS.queue,
      });
    });
    return work().finally(leave);
  };
  const nobodys = await hash('a password that nobody has', cost);
  return {
    async hash(password) {
      assertAllowed(password, estimator);
      return limited(() => hash(password.normalize('NFC'), cost));
    },
    async matches(phc, password) {
      const composed = password.length > CODE_UNITS_MAX ? password : password.normalize('NFC');
      // Hashes from before passwords were normalized are of the password as it was typed.
      return (await isKnownAs(phc, composed)) || (composed !== password && isKnownAs(phc, password));
    },
  };

  async function isKnownAs(phc: string | null, password: string): Promise<boolean> {
    // A password no account can have is hashed cut short, so that it costs no more than any other.
    const characters = Array.from(password.slice(0, CODE_UNITS_MAX)).slice(0, PASSWORD_CHARACTERS_MAX);
    const tried = characters.join('');
    const isMatch = await limited(() => verify(phc ?? nobodys, tried));
    return isMatch && phc !== null && tried === password;
  }
}

function assertAllowed(password: string, estimator: ZxcvbnFactory): void {
  if (isLonger(password, PASSWORD_CHARACTERS_MAX) || [...password].length < PASSWORD_CHARACTERS_MIN) {
    throw passwordRefused(
      `a password has ${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX} characters`,
    );
  }
  if (estimator.check(password.slice(0, ESTIMATED_CHARACTERS_MAX)).score < SCORE_MIN) {
    throw passwordRefused('this password is too common');
  }
}

function passwordRefused(message: string): AuthzError {
  return new AuthzError('INVALID_ARGUMENT', message, { field: 'password' });
}
