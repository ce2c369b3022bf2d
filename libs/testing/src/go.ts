import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aptInstall, findProgram, temporaryFolder } from './program.ts';
import { takeFirst } from './tier.ts';

const run = promisify(execFile);
/** Where Debian puts the sources of Go packages. */
const GOPATH = '/usr/share/gocode';
const PACKAGES = {
  'gopkg.in/yaml.v3': 'golang-gopkg-yaml.v3-dev',
  'github.com/Masterminds/sprig': 'golang-github-masterminds-sprig-dev',
} as const;
const DEBIAN = ['golang-go', ...Object.values(PACKAGES)];

/**
 * Compiles one Go file that imports only the standard library and what Debian packages; returns the path of the program, in a
 * temporary folder of its own. Takes the machine's Go and sources, or `apt-get install` as root on Debian.
 * Errors: the compiler's; PartUnavailable, saying how to get what is missing.
 */
export async function buildGoProgram(file: string): Promise<string> {
  const go = await takeFirst<string>(
    'go',
    [
      { name: 'program on this machine', get: async () => installedGo() },
      {
        name: `apt-get install ${DEBIAN.join(' ')}`,
        get: async () => ((await aptInstall(...DEBIAN)) ? installedGo() : null),
      },
    ],
    `install it: apt-get install ${DEBIAN.join(' ')}`,
  );
  const program = join(await temporaryFolder('go-program-'), 'program');
  await run(go, ['build', '-o', program, file], { env: { ...process.env, GO111MODULE: 'off', GOPATH } });
  return program;
}

function installedGo(): string | null {
  const hasSources = Object.keys(PACKAGES).every((name) => existsSync(join(GOPATH, 'src', name)));
  return hasSources ? findProgram(['go']) : null;
}
