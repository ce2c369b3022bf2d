/** Crockford's base 32: nothing in it is taken for something else in it. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Five letters and digits at random. */
export const randomCode = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => SIGNS[byte % SIGNS.length]).join('');
