import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { renderSharePage } from '../../page/render-share-page.tsx';
import { ASSETS, exampleInput, snapshotOf } from '../../snapshot.fixture.ts';

it('the pane sources marks a claim that was taken back as retracted', () => {
  covers('INV-EXPORT.23');
  const page = (status: string | null) => {
    const input = exampleInput('chernobyl-deaths');
    input.claims[0]!.epistemic_status = status;
    return renderSharePage(snapshotOf(input), { assets: ASSETS, pane: 'sources' });
  };
  const flag = '<span class="flag">retracted</span>';
  expect(page(null)).not.toContain(flag);
  expect(page('retracted')).toContain(flag);
});
