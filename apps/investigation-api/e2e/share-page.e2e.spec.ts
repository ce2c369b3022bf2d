import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations, startChromium } from '@platform/testing';
import type { Browser } from 'playwright-core';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { BuiltService } from './built-service.fixture.ts';
import { callApi, startBuilt } from './built-service.fixture.ts';

const examples = new URL('../../../examples/', import.meta.url);
const EXAMPLE = JSON.parse(readFileSync(new URL('first-flight.json', examples), 'utf8')) as object;

let service: BuiltService;
let browser: Browser;
let share: { url: string; url_path: string; share_uuid: string };

const api = <Answer>(method: string, path: string, body?: object) =>
  callApi<Answer>(service, method, path, body);

beforeAll(async () => {
  [service, browser] = await Promise.all([startBuilt({ INVESTIGATION_LOG_LEVEL: 'info' }), startChromium()]);
  await api('POST', '/sessions', { name: 'First flight', session_id: 'flight', payload: EXAMPLE });
  await api('POST', '/sessions/flight/judge', {});
  share = await api('PUT', '/sessions/flight/share', { public: true, slug: 'First flight?' });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe('the page of a share', () => {
  it('a share page opens for anyone with the link, and violates no rule of its policy', async () => {
    covers('INV-S.21');
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) foreign.push(request.url());
    });
    // A returning reader gets the headers of a 304 over the page they have.
    await page.goto(share.url);
    await page.goto('about:blank');
    const response = await page.goto(share.url);
    expect(response?.status()).toBe(200);
    await eventually(() => page.title()).toContain('first powered, controlled and sustained');
    for (const pane of ['Timeline', 'Arguments', 'It depends', 'Check our work', 'Overview']) {
      await page.getByRole('tab', { name: pane }).click();
      await page.getByRole('tabpanel', { name: pane }).waitFor({ state: 'visible' });
    }
    expect(said).toEqual([]);
    expect(foreign).toEqual([]);
    await page.close();
  });

  it('a share page is 304 for a client that has it, and drawn again when it is published again', async () => {
    covers('INV-S.19');
    const first = await fetch(share.url);
    const etag = first.headers.get('etag')!;
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'");
    // fetch asks for a fresh copy unless told otherwise.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const unchanged = await fetch(share.url, { headers });
    expect(unchanged.status).toBe(304);
    for (const name of ['content-security-policy', 'cache-control', 'vary', 'etag'])
      expect([name, unchanged.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    await api('PUT', '/sessions/flight/share', {
      public: true,
      slug: 'first-flight',
      preferred_pane: 'audit',
    });
    const again = await fetch(share.url, { headers });
    expect(again.status).toBe(200);
    expect(again.headers.get('etag')).not.toBe(etag);
  });

  it('a share page shows nothing of a judgement before the published one, in any form', async () => {
    covers('INV-S.26');
    const { claims, ...rest } = EXAMPLE as { claims: object[] };
    const secret = { ...claims[0]!, id: 'secret-claim', value: 'SECRET', content: 'SECRET' };
    const payload = { ...rest, claims: [secret, ...claims.slice(1)] };
    await api('POST', '/sessions', { name: 'Revised', session_id: 'secret-session', payload });
    await api('POST', '/sessions/secret-session/judge', {});
    await api('PATCH', '/sessions/secret-session', {
      claims: [claims[0]!],
      remove_claim_ids: ['secret-claim'],
    });
    await api('POST', '/sessions/secret-session/judge', {});
    const revised = await api<{ url: string }>('PUT', '/sessions/secret-session/share', { public: true });
    for (const suffix of ['', '.json', '.csv']) {
      const text = await (await fetch(`${revised.url}${suffix}`)).text();
      expect([suffix, /SECRET|secret-/.test(text), text.includes('Wright')]).toEqual([suffix, false, true]);
    }
  });

  it('what a share does not have is 404 also to a client that says it has it', async () => {
    covers('INV-S.49');
    await api('POST', '/sessions', { name: 'Alone', session_id: 'alone', payload: EXAMPLE });
    await api('POST', '/sessions/alone/judge', {});
    const { url } = await api<{ url: string }>('PUT', '/sessions/alone/share', { public: true });
    const etag = (await fetch(url)).headers.get('etag')!;
    const unknown = url.replace(/[0-9a-f-]{36}/, '018f0000-0000-7000-8000-000000000001');
    const absent = [`${url}/changes`, `${url}/documents/unknown/1`, unknown, `${unknown}.json`];
    const there = [url, `${url}.json`, `${url}.csv`, `${url}/data.json`, `${url}/embed`];
    const statuses = (urls: string[], tag: string) =>
      Promise.all(
        urls.map(async (one) => {
          const headers = { 'if-none-match': tag, 'cache-control': 'max-age=0' };
          return (await fetch(one, { headers })).status;
        }),
      );
    for (const tag of ['*', etag])
      expect([tag, await statuses(absent, tag)]).toEqual([tag, Array(4).fill(404)]);
    expect(await statuses(there, '*')).toEqual(Array(5).fill(304));
  });

  it('a share page links to what changed since the publication before, which reads without scripts, and parts sum to each move', async () => {
    covers('INV-V.85', 'INV-V.86');
    const { claims } = EXAMPLE as { claims: { id: string }[] };
    await api('POST', '/sessions', { name: 'Compared', session_id: 'compared', payload: EXAMPLE });
    await api('POST', '/sessions/compared/judge', {});
    const { url } = await api<{ url: string }>('PUT', '/sessions/compared/share', { public: true });
    expect((await fetch(`${url}/changes`)).status).toBe(404);
    expect(await (await fetch(url)).text()).not.toContain('What changed since');
    await api('PATCH', '/sessions/compared', {
      claims: [{ ...claims[0]!, value: 'something else', content: 'Something else.' }],
      remove_claim_ids: [claims[1]!.id],
    });
    await api('POST', '/sessions/compared/judge', {});
    await api('PUT', '/sessions/compared/share', { public: true, show_changes: true });
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 375, height: 800 } });
      const page = await context.newPage();
      await page.goto(url);
      await page.getByRole('link', { name: /^What changed since \d+ \w+ \d{4}$/ }).click();
      await page.waitForURL(`${url}/changes`);
      await page.getByRole('heading', { name: /^What changed since/ }).waitFor();
      const rows = await page.locator('.move-table tbody tr').evaluateAll((found) =>
        found.map((row) => {
          const tenths = (text: string) =>
            Math.round(Number(/[+\u2212]?[\d.]+/.exec(text)![0].replace('\u2212', '-')) * 10);
          return {
            move: tenths(row.querySelector('[data-title="Move"]')!.textContent),
            parts: [...row.querySelectorAll('[data-title="Because of"] li')].map((part) =>
              tenths(part.textContent),
            ),
          };
        }),
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const { move, parts } of rows) expect(parts.reduce((sum, part) => sum + part, 0)).toBe(move);
      if (javaScriptEnabled) expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('link').first().click();
      await page.waitForURL(url);
      await context.close();
    }
  });

  it('the feed of a share has one entry for each publication that changed something, and nothing of what was shown before', async () => {
    covers('INV-WATCH.9', 'INV-S.26');
    const claim = (value: string) => ({
      claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value, content: value }],
    });
    const payload = {
      research_question: 'Which <one> & why?',
      actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
      subjects: [{ id: 's', name: 'S', subject_type: 't' }],
      ...claim('SECRET'),
    };
    await api('POST', '/sessions', { name: 'Fed', session_id: 'fed', payload });
    const publish = async () => {
      await api('POST', '/sessions/fed/judge', {});
      return api<{ url: string }>('PUT', '/sessions/fed/share', { public: true });
    };
    const { url } = await publish();
    const page = await browser.newPage();
    const href = /<link rel="alternate" type="application\/atom\+xml" href="([^"]+)"/.exec(
      await (await fetch(url)).text(),
    )![1]!;
    const feed = new URL(href, url).href;
    expect(feed).toBe(`${url}/feed.atom`);
    for (const path of ['another/feed.atom', 'feed.atom'])
      expect((await fetch(new URL(path, url))).url).toBe(feed);
    const read = async (headers: Record<string, string> = {}) => {
      const response = await fetch(feed, { headers, redirect: 'manual' });
      const xml = await response.text();
      // The browser's own parser: what is not well-formed has a `parsererror`.
      const parsed = await page.evaluate((text) => {
        const root = new DOMParser().parseFromString(text, 'application/xml');
        const textsOf = (selector: string) =>
          [...root.querySelectorAll(selector)].map((one) => one.textContent);
        return {
          namespace: root.documentElement.namespaceURI,
          errors: textsOf('parsererror'),
          title: textsOf('feed > title'),
          updated: textsOf('feed > updated'),
          ids: textsOf('entry > id'),
          titles: textsOf('entry > title'),
        };
      }, xml);
      return { response, xml, parsed };
    };
    const first = await read();
    expect(first.response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(first.parsed).toMatchObject({
      namespace: 'http://www.w3.org/2005/Atom',
      errors: [],
      title: ['Which <one> & why?'],
      titles: ['Published'],
    });
    const headers = { 'if-none-match': first.response.headers.get('etag')!, 'cache-control': 'max-age=0' };
    expect((await read(headers)).response.status).toBe(304);

    // Published again without a change that matters, then with another leading value.
    await publish();
    expect((await read(headers)).parsed.ids).toEqual(first.parsed.ids);
    await api('PATCH', '/sessions/fed', claim('public'));
    await publish();
    const second = await read(headers);
    expect(second.parsed.titles).toEqual([
      'The leading value changed on one question; the chance moved by more than 10 points on one question',
      'Published',
    ]);
    expect(second.parsed.ids.slice(1)).toEqual(first.parsed.ids);
    expect(second.xml).not.toMatch(/SECRET|session/);

    // The claim is removed, and published without it; then another one answers the question.
    await api('PATCH', '/sessions/fed', { remove_claim_ids: ['c'] });
    await publish();
    await api('PATCH', '/sessions/fed', claim('public again'));
    await publish();
    expect((await read(headers)).parsed.titles.slice(0, 2)).toEqual([
      'One question came up',
      'Nothing is said on one question any more',
    ]);

    const other = feed.replace('/fed/', '/other/');
    expect((await fetch(other, { redirect: 'manual' })).headers.get('location')).toBe(new URL(feed).pathname);
    await api('PATCH', '/sessions/fed/share', { public: false });
    const hidden = await read(headers);
    expect([hidden.response.status, hidden.xml]).toEqual([404, await (await fetch(url)).text()]);
    await page.close();
  });

  it('each pane of a share page has an address of its own, and what is asked wrongly is the chosen one', async () => {
    covers('INV-V.1');
    const drawnAt = async (query: string) =>
      /data-drawn="(\w+)" data-page="(\d+)"/.exec(await (await fetch(share.url + query)).text())!.slice(1);
    expect(await drawnAt('?pane=mesh')).toEqual(['mesh', '1']);
    expect(await drawnAt('?pane=audit&page=99')).toEqual(['audit', '1']);
    const chosen = await drawnAt('');
    for (const wrong of ['?pane=none', '?pane=mesh&pane=audit', '?page=-1', '?page=9999', '?pane[]=mesh'])
      expect([wrong, await drawnAt(wrong)]).toEqual([wrong, chosen]);
    const other = await fetch(`${service.url}/share/${share.share_uuid}/other?pane=mesh`, {
      redirect: 'manual',
    });
    expect(other.headers.get('location')).toMatch(/\?pane=mesh$/);
  });

  it('the data that scripts draw a share from is that of its download and the sentences of the page, and 304 for a client that has it', async () => {
    covers('INV-V.34');
    const data = await fetch(`${share.url}/data.json`);
    interface Explanation {
      where?: string;
      contributions: { claim_id?: string; route: string }[];
      without_source: { otherwise?: object; actor_id: string }[];
      smallest_change: { otherwise?: object } | null;
    }
    type Explained = { explanations: Explanation[] };
    const { changes: _changes, ...download } = (await (
      await fetch(`${share.url}.json`)
    ).json()) as Explained & {
      changes: null;
      input: { claims: object[] };
    };
    const { words, ...rest } = (await data.json()) as Explained & {
      words: { answer: object; claims: unknown[] };
    };
    // The page tells sources that count as one by their origin, has the words of places and of what would be
    // without some claims, and leaves out those without which a reader is told the same; all else is there.
    const contributing = (explained: Explained) => ({
      ...explained,
      explanations: explained.explanations.map(
        ({ contributions, where: _where, without_source, smallest_change, ...one }, n) => {
          const page = rest.explanations[n]!;
          const shown = new Set(page.without_source.map(({ actor_id }) => actor_id));
          const { otherwise: _words, ...change } = (page.smallest_change && smallest_change) ?? {};
          return {
            ...one,
            contributions: contributions.map(({ claim_id, route }) => `${route} ${claim_id ?? ''}`).sort(),
            without_source: without_source
              .filter(({ actor_id }) => shown.has(actor_id))
              .map(({ otherwise: _otherwise, ...row }) => row),
            change,
          };
        },
      ),
    });
    expect(rest.explanations.flatMap(({ without_source }) => without_source).length).toBeGreaterThan(0);
    expect(contributing(rest)).toEqual(contributing(download));
    expect(words.claims).toHaveLength(download.input.claims.length);
    const headers = { 'if-none-match': data.headers.get('etag')!, 'cache-control': 'max-age=0' };
    expect((await fetch(data.url, { headers })).status).toBe(304);
    const plain = await fetch(data.url, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.json()).toEqual({ ...rest, words });
  });

  it('a share page is sent compressed', async () => {
    const page = await fetch(share.url, { headers: { 'accept-encoding': 'gzip' } });
    expect(page.headers.get('content-encoding')).toBe('gzip');
    expect(page.headers.get('vary')).toContain('Accept-Encoding');
    expect(await page.text()).toContain('</html>');
  });

  it('a share page links to the snapshot and to the ranked claims, which respond', async () => {
    covers('INV-S.22');
    const html = await (await fetch(share.url)).text();
    expect(html).toContain('href="first-flight.json"');
    expect(html).toContain('href="first-flight.csv"');
    expect(html).toContain('href="/how-it-judges"');
    const csv = await fetch(`${share.url}.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await csv.text()).split('\n')[0]).toContain('claim_id');
    expect(await (await fetch(`${share.url}.json`)).json()).toMatchObject({ session_name: 'First flight' });
  });

  it('a share page is reached by any slug, and by no other identifier', async () => {
    covers('INV-S.22');
    const other = await fetch(`${service.url}/share/${share.share_uuid}/other`, { redirect: 'manual' });
    expect(other.status).toBe(301);
    expect(other.headers.get('location')).toBe(share.url_path);
    const unknown = await fetch(`${service.url}/share/018f0000-0000-7000-8000-000000000009/first-flight`);
    await api('PUT', '/sessions/flight/share', { public: false, slug: 'first-flight' });
    const hidden = await fetch(share.url);
    expect([unknown.status, hidden.status]).toEqual([404, 404]);
    expect(await hidden.text()).toBe(await unknown.text());

    // In a browser, a page that says so: one and the same for both.
    const inBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
    const [unknownPage, hiddenPage] = await Promise.all([
      fetch(unknown.url, inBrowser),
      fetch(share.url, inBrowser),
    ]);
    expect([unknownPage.status, hiddenPage.status]).toEqual([404, 404]);
    expect(hiddenPage.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(hiddenPage.headers.get('vary')).toContain('Accept');
    const text = await hiddenPage.text();
    expect(text).toBe(await unknownPage.text());
    expect(text).toContain('<h1>No such page</h1>');
    const tab = await browser.newPage();
    await tab.goto(unknown.url);
    expect(await axeViolations(tab)).toEqual([]);
    await tab.close();
  });
});
