import { aptInstall, findProgram } from './program.ts';
import { takeFirst } from './tier.ts';

/**
 * Path of h2load, which loads HTTP/2 servers at a small part of what they cost: `H2LOAD_PATH`, a program on
 * the machine, or Debian's package `nghttp2-client`. Errors: PartUnavailable, saying how to get one.
 */
export function findH2load(env: Record<string, string | undefined> = process.env): Promise<string> {
  const find = () => findProgram(['h2load']);
  return takeFirst<string>(
    'h2load',
    [
      { name: 'H2LOAD_PATH', get: async () => env['H2LOAD_PATH'] || null },
      { name: 'program on this machine', get: async () => find() },
      {
        name: 'apt-get install nghttp2-client',
        get: async () => ((await aptInstall('nghttp2-client')) ? find() : null),
      },
    ],
    'set H2LOAD_PATH, or install it: apt-get install nghttp2-client',
  );
}
