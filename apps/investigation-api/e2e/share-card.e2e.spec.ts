import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { EXAMPLE, overflowOf, useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();
let share: { url: string; share_uuid: string };

const revalidated = (etag: string) => ({
  headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
});

beforeAll(async () => {
  await api('POST', '/sessions', { name: 'First flight', session_id: 'flight', payload: EXAMPLE });
  await api('POST', '/sessions/flight/judge', {});
  share = await api('PUT', '/sessions/flight/share', { public: true, slug: 'first-flight' });
});

describe('what other sites show of a share', () => {
  it('the preview image that a share page names is a PNG that every site may load, and 304 for a client that has it', async () => {
    covers('INV-V.40');
    const html = await (await fetch(share.url)).text();
    const address = /<meta property="og:image" content="([^"]+)"/.exec(html)![1]!;
    expect(address.startsWith(`${share.url}/image.png?v=`)).toBe(true);
    const image = await fetch(address);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(image.headers.get('content-encoding')).toBeNull();
    expect(image.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const png = Buffer.from(await image.arrayBuffer());
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    const unchanged = await fetch(address, revalidated(image.headers.get('etag')!));
    expect(unchanged.status).toBe(304);
  });

  it('the card of a share is framed by another site, without scripts, and readable on a phone and a desk, by day and by night', async () => {
    covers('INV-V.41');
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const shared = await browser.newPage();
    await shared.goto(share.url);
    await shared.getByText('Embed', { exact: true }).click();
    const snippet = await shared.locator('#embed-text').innerText();
    await shared.close();
    const article = `<!doctype html><html lang="en"><title>Article</title><link rel="icon" href="data:,"><main>${snippet}</main></html>`;
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(article);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const otherSite = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.goto(otherSite);
        const frame = page.frameLocator('iframe');
        await frame.getByRole('heading', { name: /almost certainly.*Wilbur and Orville Wright/ }).waitFor();
        await page.goto(`${share.url}/embed`);
        expect([colorScheme, width, await axeViolations(page)]).toEqual([colorScheme, width, []]);
        await eventually(async () => [width, await overflowOf(page)]).toEqual([width, 0]);
      }
    for (const width of [320, 390, 480, 720, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(otherSite);
      const card = page.frameLocator('iframe').locator('html');
      const hidden = () => card.evaluate((html) => html.scrollHeight - html.clientHeight);
      await eventually(async () => [width, await hidden()]).toEqual([width, 0]);
    }
    expect(said).toEqual([]);
    await page.close();
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
    const { headers } = await fetch(`${share.url}/embed`);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
    const unchanged = await fetch(`${share.url}/embed`, revalidated(headers.get('etag')!));
    expect([unchanged.status, unchanged.headers.get('x-frame-options')]).toEqual([304, null]);
    // The page itself is framed by nobody.
    expect((await fetch(share.url)).headers.get('content-security-policy')).toContain(
      "frame-ancestors 'none'",
    );
  });

  it('the card and the image of a share are reached by any slug, and end with it', async () => {
    covers('INV-V.42');
    for (const path of ['/embed', '/image.png']) {
      const other = `${service.url}/share/${share.share_uuid}/other${path}`;
      const moved = await fetch(other, { redirect: 'manual' });
      expect([moved.status, moved.headers.get('location')]).toEqual([
        301,
        `${new URL(share.url).pathname}${path}`,
      ]);
    }
    const { headers } = await fetch(`${share.url}/embed`);
    await api('PUT', '/sessions/flight/share', { public: false, slug: 'first-flight' });
    for (const path of ['/embed', '/image.png'])
      expect([path, (await fetch(share.url + path, revalidated(headers.get('etag')!))).status]).toEqual([
        path,
        404,
      ]);
    const framed = await fetch(`${share.url}/embed`, { headers: { accept: 'text/html' } });
    expect(framed.status).toBe(404);
    expect(framed.headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(await framed.text()).toContain('<h1>No such page</h1>');
  });
});
