import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { ASSETS, snapshotOf } from '../snapshot.fixture.ts';
import { answerText } from './answer-text.ts';
import { renderSharePage } from './render-share-page.tsx';

type Said = readonly [name: string, value: string, day: string | null, dependsOn?: string];
const MINISTRY: Said = ['Ministry', '120', '2026-03-10'];

/** The digest, and what “Why” shows of each source: with a weight of its own, or inside a fold. */
function shownOf(said: readonly Said[], type = 'Journalist') {
  const snapshot = snapshotOf({
    research_question: 'How many died?',
    actors: said.map(([name, , , dependsOn]) => ({
      id: name,
      name,
      source_type: name === 'Ministry' ? 'Regulator' : type,
      ...(dependsOn !== undefined && { depends_on: [dependsOn] }),
    })),
    subjects: [{ id: 'quake', name: 'The quake', subject_type: 'event' }],
    claims: said.map(([name, value, day]) => ({
      id: `c-${name}`,
      actor_id: name,
      subject_id: 'quake',
      predicate: 'deaths',
      value,
      content: `${name} reports ${value}`,
      ...(day !== null && { assertion_time: `${day}T00:00:00Z` }),
    })),
  });
  const page = renderSharePage(snapshot, { assets: ASSETS, pane: 'overview', page: 1 });
  const reasons = /<div class="reasons">.*?<h5>How firmly/s.exec(page)![0];
  const folded = [...reasons.matchAll(/<details class="copies">.*?<\/details>/gs)].join(' ');
  const open = reasons.replaceAll(/<details class="copies">.*?<\/details>/gs, '');
  const namesIn = (html: string) =>
    said.flatMap(([name]) => (html.includes(`${name} reports`) ? [name] : [])).toSorted();
  return { text: answerText(snapshot).answer.join(' '), open: namesIn(open), folded: namesIn(folded) };
}

describe('sources that count as one', () => {
  it('the source that others repeat is named in the digest and in “Why”, and the later copies fold under it', () => {
    covers('INV-V.201');
    const wire: Said[] = [
      MINISTRY,
      ['AP', '300', '2026-03-08'],
      ['Daily Gazette', '300', '2026-03-09', 'AP'],
      ['Evening Sun', '300', '2026-03-11', 'AP'],
      ['Aachen Blog', '300', '2026-03-13', 'Daily Gazette'],
    ];
    for (const said of [wire, wire.toReversed()]) {
      const { text, open, folded } = shownOf(said);
      expect(text).toMatch(/AP says 300, and so do three more that are not independent of it/);
      expect([open, folded]).toEqual([
        ['AP', 'Ministry'],
        ['Aachen Blog', 'Daily Gazette', 'Evening Sun'],
      ]);
    }
  });

  it('the first to speak is named of sources that repeat one that says something else', () => {
    covers('INV-V.201');
    const said: Said[] = [
      MINISTRY,
      ['Late', '300', '2026-03-13', 'Wire'],
      ['Early', '300', '2026-03-07', 'Wire'],
      ['Wire', '120', '2026-03-06'],
    ];
    expect(shownOf(said).text).toMatch(/Early says 300, and so does one more/);
  });

  it('the source that counts is named where sources without times depend on one another', () => {
    covers('INV-V.201');
    const said: Said[] = [MINISTRY, ['Beta', '300', null, 'Alpha'], ['Alpha', '300', null, 'Beta']];
    expect(shownOf(said).text).toMatch(/Alpha says 300, and so does one more/);
  });
});
