import { aptInstall, findProgram } from './program.ts';
import { takeFirst } from './tier.ts';

/** Path of zsh, which is installed as root on Debian. Errors: PartUnavailable, saying how to get one. */
export function findZsh(): Promise<string> {
  return takeFirst<string>(
    'zsh',
    [
      { name: 'program on this machine', get: async () => findProgram(['zsh']) },
      {
        name: 'apt-get install zsh',
        get: async () => ((await aptInstall('zsh')) ? findProgram(['zsh']) : null),
      },
    ],
    'install it: apt-get install zsh',
  );
}
