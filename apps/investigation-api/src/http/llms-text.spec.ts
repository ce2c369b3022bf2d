import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { suiteService } from '../suite-service.fixture.ts';

const service = suiteService('scripted');

describe('llms.txt', () => {
  it('llms.txt is short, and each of its links leads to something', async () => {
    covers('INV-OA.6');
    const response = await fetch(`${service.url}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^# Investigations\n\n> /);
    expect(text.length).toBeLessThan(1_500);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url!);
    const statuses = await Promise.all(links.map(async (url) => [url, (await fetch(url)).status]));
    expect(statuses).toEqual(links.map((url) => [url, url.endsWith('/mcp') ? 401 : 200]));
    expect(links.length).toBe(4);
  });
});
