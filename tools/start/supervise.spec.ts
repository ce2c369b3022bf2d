import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
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

/** A service of the program, and the port that it is to listen on. */
async function serviceOf(name: string, program: string): Promise<{ service: Service; port: number }> {
  const main = join(folder, `${name}.mjs`);
  await writeFile(main, program);
  const port = await freePort();
  const address = ['UNSET_PORT_OF_A_TEST', port] as const;
  const host = 'UNSET_HOST_OF_A_TEST';
  const service = { name, folder: '', main, port: address, probePort: address, host, settings: () => ({}) };
  return { service, port };
}

/** Says a line on either stream at each request, and ends when it is asked for `/end`. */
const TALKING = `import { createServer } from 'node:http';
createServer((req, res) => {
  if (req.url === '/end') process.exit(3);
  console.log(req.url);
  console.error(req.url);
  res.end(String(process.pid));
}).listen(Number(process.env.PORT), '127.0.0.1');`;

describe('supervise', () => {
  it('the launcher kills a service whose event loop is blocked, and lets it take its time to start again', async () => {
    covers('PLAT-D.4');
    const { service, port } = await serviceOf('held', HELD);
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

  it('the launcher with a full disk under its logs says so once per log, and restarts what ends', async () => {
    covers('PLAT-D.6');
    const { service, port } = await serviceOf('talking', TALKING);
    const logs = join(folder, 'full');
    await mkdir(logs);
    await symlink('/dev/full', join(logs, 'talking.log'));
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const supervised = supervise(service, { PORT: String(port) }, logs);
    await supervised.ready;
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        (response) => response.text(),
        () => '',
      );
    const first = await ask('/');
    await ask('/end');
    await eventually(async () => !['', first].includes(await ask('/'))).toBe(true);
    await supervised.stop();
    const said = told.mock.calls.map(([line]) => String(line));
    told.mockRestore();
    expect(said.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
    expect(said.at(-1)).toContain('talking died');
  });
});
