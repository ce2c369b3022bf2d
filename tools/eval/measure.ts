import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { CheckedChance } from '@platform/opinion-fusion';

/** One contestant on all the sets it can answer. */
export interface Measurement {
  /** By set name: the outcome of each item whose right value is known, in the order of the items. */
  readonly outcomes: Readonly<Record<string, readonly CheckedChance[]>>;
  /** By set name: processor time of one run over all threads. Milliseconds. */
  readonly times: Readonly<Record<string, number>>;
  /** Peak resident memory of the process, data included. MiB. */
  readonly memory: number;
}

/** Measures one contestant in a process of its own, so that its peak memory is its own. */
export function measure(name: string, folder: string | null): Promise<Measurement> {
  return new Promise((resolve, reject) => {
    const child = fork(
      join(import.meta.dirname, 'measure-one.ts'),
      [name, ...(folder === null ? [] : [folder])],
      {
        execArgv: ['--import', 'tsx'],
        serialization: 'advanced',
      },
    );
    let received: Measurement | null = null;
    child.on('message', (message) => (received = message as Measurement));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0 && received) resolve(received);
      else reject(new Error(`${name} ended with code ${code}`));
    });
  });
}
