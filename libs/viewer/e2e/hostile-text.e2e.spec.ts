import { describe, expect, it } from '@jest/globals';
import { NAUGHTY_STRINGS } from '@platform/testing/naughty-strings';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { claimFragment } from '../src/format/fragments.ts';
import { visible } from '../src/format/text.ts';
import { PANE_IDS } from '../src/index.ts';
import { snapshotOf } from '../src/snapshot.fixture.ts';
import { openPage } from './share-site.fixture.ts';
import { useShareSite } from './visit.fixture.ts';

const ATTACK =
  '"><script>window.struck=1</script><img src=x onerror="window.struck=2"></title></script></style><!-- \u202Eesrever\u2066 \u0000 ' +
  'javascript:window.struck=3 {{7*7}} ${7*7} <marquee>';
const LONG = 'W'.repeat(5000);
const NAUGHTY = NAUGHTY_STRINGS.filter((text) => text.trim() !== '');

const { site, browser } = useShareSite();

/** An investigation in which every free text is the given one. */
function inWords(text: string): InvestigationInput {
  const claim = {
    subject_id: `s${text}`,
    predicate: text,
    content: text,
    assertion_time: '2026-01-01T00:00:00Z',
  };
  return {
    research_question: text,
    actors: [
      { id: `a${text}`, name: text, source_type: 'Expert' },
      { id: `b${text}`, name: text, source_type: 'Journalist' },
    ],
    subjects: [{ id: `s${text}`, name: text, subject_type: text }],
    claims: [
      { ...claim, id: `c1${text}`, actor_id: `a${text}`, value: `1${text}`, scope: text },
      { ...claim, id: `c2${text}`, actor_id: `b${text}`, value: `2${text}`, scope: text },
      { ...claim, id: `c3${text}`, actor_id: `b${text}`, value: `3${text}`, event_start_time: '2025-01-01' },
    ],
    evidence: [{ id: `e${text}`, claim_id: `c1${text}`, content: text, valence: 'Supports' }],
    distinctions: [
      {
        id: `d${text}`,
        argument_a: `c1${text}`,
        argument_b: `c2${text}`,
        feature: text,
        condition_a: text,
        condition_b: text,
        description: text,
      },
    ],
  };
}

describe.each([
  ['markup, direction marks and NUL', ATTACK],
  ['a very long word', LONG],
])('%s in every field', (_name, text) => {
  it('hostile text in every field stays text on every pane, in the drawer and in the head, and fits 320 px', async () => {
    covers('INV-V.5');
    const snapshot = snapshotOf(inWords(text), { interpretation: text, session_name: text });
    const url = site.urlOf(snapshot);
    const page = await openPage(browser, url, { viewport: { width: 320, height: 800 } });
    for (const pane of PANE_IDS) {
      await page.click(`#tab-${pane}`);
      await page.waitForSelector(`html[data-alive~=${pane}]`, { state: 'attached' });
      await eventually(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    }
    await page.goto(`${url}#${claimFragment(`c1${text}`)}`);
    await page.waitForSelector('#claim-drawer[open]');
    await eventually(() => page.textContent('#claim-drawer .user-text')).toBe(visible(text));
    await eventually(() => page.evaluate('window.struck')).toBeUndefined();
    await eventually(() => page.locator('script').count()).toBe(2);
    await eventually(() => page.locator('img, marquee').count()).toBe(0);
    await eventually(() => page.textContent('h1')).toBe(visible(text));
    await eventually(() => page.title()).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    expect(page.log.problems).toEqual([]);
    await page.context().close();
  });
});

describe('direction marks', () => {
  it('direction marks in a name do not turn the text around it', async () => {
    covers('INV-V.5');
    const input = inWords('\u202Eabc');
    const page = await openPage(browser, site.urlOf(snapshotOf(input)));
    // The colon after a name that turns its reading direction still stands to the right of the name.
    const places = await page.evaluate(() => {
      const statement = document.querySelector('.finding-statement')!;
      const [name, value] = [...statement.querySelectorAll('bdi')].map((part) =>
        part.getBoundingClientRect(),
      );
      return { nameEnds: name!.right, valueStarts: value!.left };
    });
    expect(places.valueStarts).toBeGreaterThan(places.nameEnds);
    await page.context().close();
  });
});

describe('the big list of naughty strings', () => {
  it('the big list of naughty strings reads on the page as it was written', async () => {
    covers('INV-V.5');
    const input: InvestigationInput = {
      ...inWords('plain'),
      claims: NAUGHTY.map((content, index) => ({
        id: `n${index}`,
        actor_id: 'aplain',
        subject_id: 'splain',
        predicate: `p${index}`,
        value: content,
        content,
      })),
      evidence: [],
      distinctions: [],
    };
    const url = site.urlOf(snapshotOf(input));
    const page = await openPage(browser, url);
    const shown: Record<string, string> = {};
    for (let number = 1; Object.keys(shown).length < NAUGHTY.length; number += 1) {
      await page.goto(`${url}?pane=audit&page=${number}`);
      const claims = await page.evaluate(() =>
        [...document.querySelectorAll('.audited-claim')].map((claim) => [
          claim.querySelector('.claim-id')!.textContent,
          claim.querySelector('.claim-words .user-text')!.textContent,
        ]),
      );
      expect(claims.some(([id]) => Object.hasOwn(shown, id!))).toBe(false);
      Object.assign(shown, Object.fromEntries(claims));
    }
    expect(shown).toEqual(
      Object.fromEntries(NAUGHTY.map((content, index) => [`n${index}`, visible(content)])),
    );
    expect(page.log.problems).toEqual([]);
    await page.context().close();
  });
});
