import { expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { renderSharePage } from '../../page/render-share-page.tsx';
import { ASSETS, snapshotOf } from '../../snapshot.fixture.ts';
import { boxes } from '../../suspected.fixture.ts';

/** An anonymous account repeats the source that alone says odd things, ten days later. */
function mimicked(): InvestigationInput {
  const { actors, claims, ...rest } = boxes('detected');
  return {
    ...rest,
    actors: actors.map((one) => (one.id === 'h' ? { ...one, name: 'anon', source_type: 'Anonymous' } : one)),
    claims: claims.map((one) => ({
      ...one,
      assertion_time: one.actor_id === 'h' ? '2025-12-20' : '2025-12-10',
    })),
  };
}

it('the suspicion that an anonymous account repeats a newspaper stands with the account alone', () => {
  covers('RM-11.199');
  const page = renderSharePage(snapshotOf(mimicked()), { assets: ASSETS, pane: 'sources' });
  const cards = page
    .split('<li class="source-card">')
    .slice(1)
    .map((card) => card.replace(/<[^>]*>/g, '').replace(/\s+/g, ' '));
  const alike = cards.filter((card) => card.includes('Says the same unusual things'));
  expect(alike).toHaveLength(1);
  expect(alike[0]).toMatch(/^anon/);
  expect(alike[0]).toContain(
    'If one of them is the original, it is Source g. Nothing is held against Source g, which counts by itself. So does this source, as an unidentified one.',
  );
});
