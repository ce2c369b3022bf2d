const MINUTE_MS = 60_000;
/** Hashes asked for at once. */
const BATCH = 1_024;

/**
 * The proof of work that a login needs after too many failures (`proto/authz/v1/session.proto`): about 2^bits
 * hashes, worked out by who guesses and not by the service. `now` is the time of the service.
 */
export async function solveLoginProof(
  { username, password }: { readonly username: string; readonly password: string },
  bits: number,
  now: Date,
): Promise<string> {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const encoder = new TextEncoder();
  for (let first = 0; ; first += BATCH) {
    const nonces = Array.from({ length: BATCH }, (_, index) => first + index);
    const digests = await Promise.all(
      nonces.map((nonce) => {
        const text = ['authz login', username, password, minute, nonce].join('\n');
        return crypto.subtle.digest('SHA-256', encoder.encode(text));
      }),
    );
    const found = digests.findIndex((digest) => Math.clz32(new DataView(digest).getUint32(0)) >= bits);
    if (found !== -1) return `${minute}:${first + found}`;
  }
}
