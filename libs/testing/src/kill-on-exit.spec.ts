import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const LEASH = fileURLToPath(new URL('./kill-on-exit.ts', import.meta.url));

/** A process that starts another one on a killOnExit, says so, and stays. */
const OWNER = `
import { spawn } from 'node:child_process';
import { killOnExit } from ${JSON.stringify(LEASH)};
const child = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'] });
killOnExit(child);
console.log('started');
setInterval(() => undefined, 1000);
`;

describe('killOnExit', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'the killOnExit ends the child of a process that %s ends',
    async (signal) => {
      const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', OWNER], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: owner.stdout });
      await once(lines, 'line');
      owner.kill(signal);
      // The child holds the other end of this pipe too, so it closes when both are gone.
      expect(await once(owner, 'close')).toEqual([null, signal]);
    },
  );
});
