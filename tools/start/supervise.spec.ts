import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import type { Service } from './services.ts';
import { supervise } from './supervise.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'supervise-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Takes its time to start, then answers until it is asked for `/hang`, and then holds its event loop, deaf to
 * SIGTERM. It waits rather than computes, which leaves the processor to other suites.
 */
const HELD = `import { createServer } from 'node:http';
const server = createServer((req, res) => {
  if (req.url === '/hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  res.end(String(process.pid));
});
setTimeout(() => server.listen(Number(process.env.PORT), '127.0.0.1'), 500);`;

describe('supervise', () => {
  it('the launcher kills a service whose event loop is blocked, and lets it take its time to start again', async () => {
    covers('PLAT-D.4');
    const main = join(folder, 'held.mjs');
    await writeFile(main, HELD);
    const port = await freePort();
    const address = ['UNSET_PORT_OF_A_TEST', port] as const;
    const service: Service = {
      name: 'held',
      folder: '',
      main,
      port: address,
      probePort: address,
      host: 'UNSET_HOST_OF_A_TEST',
      settings: () => ({}),
    };
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const watch = { everyMs: 50, responseMs: 2_000, failuresMax: 2 };
    const supervised = supervise(service, { PORT: String(port) }, join(folder, 'logs'), watch);
    await supervised.ready;
    const pid = () =>
      fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }).then(
        (response) => response.text(),
        () => '',
      );
    const first = await pid();
    void fetch(`http://127.0.0.1:${port}/hang`).catch(() => undefined);
    let second = '';
    while (second === '' || second === first) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      second = await pid();
    }
    expect(told).toHaveBeenCalledWith(expect.stringContaining('it did not answer /livez and was killed'));
    told.mockRestore();
    await supervised.stop();
    expect(await readFile(join(folder, 'logs', 'held.log'), 'utf8')).toBe('');
  });
});
