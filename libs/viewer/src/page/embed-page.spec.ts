import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { EMBED_HEADERS, SHARE_PAGE_HEADERS } from './headers.ts';
import { renderEmbedPage } from './embed-page.tsx';
import { embedSnippet } from '../card/embed-snippet.ts';

const ASSETS = { embed: '/embed.css' };
const BYTES_MAX = 20_000;
const FLIGHT = snapshotOf(exampleInput('first-flight'));

describe('the card of a share for other sites', () => {
  it('the card says question, answer with its chance, sides and sources, and leads to the page in a window of its own', () => {
    covers('INV-V.41');
    const html = renderEmbedPage(FLIGHT, ASSETS);
    expect(html).toContain('Who made the first powered');
    expect(html).toMatch(/almost certainly .*Wilbur and Orville Wright/);
    expect(html).toContain('4 for');
    expect(html).toContain('Four independent sources say so; ');
    const links = [...html.matchAll(/<a [^>]*>/g)].map(([link]) => link);
    expect(links).toHaveLength(2);
    for (const link of links)
      expect(link).toBe(`<a href="${FLIGHT.share.url}" target="_blank" rel="noopener">`);
  });

  it('the card says what the answer depends on', () => {
    covers('INV-V.156');
    const words = renderEmbedPage(FLIGHT, ASSETS).replace(/<[^>]+>/g, '');
    expect(words).toMatch(/It depends on what counts as a flight: if .*, Wilbur and Orville Wright; if /);
  });

  it('the card has no scripts and no style of its own, and escapes what users wrote', () => {
    covers('INV-V.42');
    const hostile = '"><script>window.struck=1</script><img src=x onerror=alert(1)></title>';
    const html = renderEmbedPage(
      {
        ...FLIGHT,
        share: { ...FLIGHT.share, byline: hostile, publisher: hostile },
        result: { ...FLIGHT.result, research_question: hostile },
      },
      ASSETS,
    );
    expect(html).not.toMatch(/<script|<img|<style| style=/);
  });

  it.each(['first-flight', 'chernobyl-deaths', 'lk-99'])('the card of %s is at most 20 kB', (example) => {
    const html = renderEmbedPage(snapshotOf(exampleInput(example)), ASSETS);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(BYTES_MAX);
  });

  it('the card is at most 20 kB whatever is written in it', () => {
    const long = '🦋'.repeat(5000);
    const input = exampleInput('first-flight');
    const html = renderEmbedPage(
      snapshotOf({
        ...input,
        research_question: long,
        actors: input.actors.map((actor) => ({ ...actor, name: `${actor.name} ${long}` })),
        subjects: input.subjects.map((subject) => ({ ...subject, name: `${subject.name} ${long}` })),
      }),
      ASSETS,
    );
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(BYTES_MAX);
  });

  it('the card may be framed by everyone and runs nothing, while the page may not be framed', () => {
    const policy = EMBED_HEADERS['Content-Security-Policy']!;
    expect(policy).toContain('frame-ancestors *');
    expect(policy).not.toContain('script-src');
    expect(policy).toContain("default-src 'none'");
    expect(SHARE_PAGE_HEADERS['Content-Security-Policy']).toContain("frame-ancestors 'none'");
  });

  it('the snippet frames the card, and an address cannot leave its attribute', () => {
    expect(embedSnippet('https://a.example/share/1/x')).toContain('src="https://a.example/share/1/x/embed"');
    expect(embedSnippet('https://a.example/"><script>')).not.toMatch(/<script|""/);
  });
});
