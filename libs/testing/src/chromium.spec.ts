import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { findChromium } from './chromium.ts';

describe('findChromium', () => {
  it('finds a browser that renders a page', async () => {
    const browser = await findChromium();
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    const page = 'data:text/html,<p id=p>0</p><script>p.textContent=6*7</script>';
    const dom = execFileSync(browser, [...flags, '--dump-dom', page], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(dom.toString()).toContain('<p id="p">42</p>');
  }, 60_000);

  it('takes what CHROMIUM_PATH names', async () => {
    expect(await findChromium({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  });
});
