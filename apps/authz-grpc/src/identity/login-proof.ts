import { createHash } from 'node:crypto';

/** What a login proof is bound to: a proof serves one guess of one account. */
interface ProvenLogin {
  readonly username: string;
  readonly password: string;
}

const MINUTE_MS = 60_000;
/** A proof that was begun in the minute before is still good. */
const MINUTES_KEPT = 1;

/**
 * A check, by the clock of the service, of the proofs that `proto/authz/v1/session.proto` describes: true for
 * `<minute>:<nonce>` of this minute or the one before whose hash with the login begins with `bits` zero bits.
 */
export function createLoginProofCheck(now: () => Date) {
  return ({ username, password }: ProvenLogin, proof: string, bits: number): boolean => {
    const [, minute, nonce] = /^(\d{1,12}):(\d{1,15})$/.exec(proof) ?? [];
    const age = Math.floor(now().getTime() / MINUTE_MS) - Number(minute ?? NaN);
    if (!(age >= 0 && age <= MINUTES_KEPT)) return false;
    const text = ['authz login', username, password, minute, nonce].join('\n');
    return Math.clz32(createHash('sha256').update(text).digest().readUInt32BE(0)) >= bits;
  };
}
