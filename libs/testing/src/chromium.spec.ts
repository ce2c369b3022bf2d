import { describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { findChromium } from './chromium.ts';
import { freePort, startProgram, temporaryFolder } from './program.ts';

interface Page {
  readonly id: string;
  readonly title: string;
}

describe('findChromium', () => {
  it('findChromium finds a browser that runs a page', async () => {
    const command = await findChromium();
    const folder = await temporaryFolder('chromium-');
    const port = await freePort();
    const ask = async <T>(path: string, method = 'GET') =>
      (await (await fetch(`http://127.0.0.1:${port}/json/${path}`, { method })).json()) as T;
    const browser = await startProgram({
      command,
      args: [
        '--headless',
        '--no-sandbox',
        '--no-zygote',
        '--disable-gpu',
        '--disable-background-networking',
        `--user-data-dir=${folder}`,
        `--remote-debugging-port=${port}`,
      ],
      folder,
      stopSignal: 'SIGTERM',
      probe: () => ask('version'),
    });
    try {
      const opened = await ask<Page>('new?data:text/html,<script>document.title=6*7</script>', 'PUT');
      let title = '';
      while (title !== '42') {
        await setTimeout(20);
        title = (await ask<Page[]>('list')).find(({ id }) => id === opened.id)?.title ?? '';
      }
      expect(title).toBe('42');
    } finally {
      await browser.stop();
    }
  });

  it('findChromium takes what CHROMIUM_PATH names', async () => {
    expect(await findChromium({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  });
});
