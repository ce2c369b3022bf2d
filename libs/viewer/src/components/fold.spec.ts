import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { createModel } from '../model.ts';
import { ShownPane } from '../page/shown-pane.tsx';
import { withComparisons } from '../page/with-comparisons.ts';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import type { PaneId } from '../snapshot.ts';
import type { FoldDrawing } from './fold.tsx';

const model = createModel(withComparisons(snapshotOf(exampleInput('chernobyl-deaths'))));
const drawn = (id: PaneId, folds: FoldDrawing) => render(h(ShownPane, { id, model, part: null, folds }));
const elements = (html: string) => html.split('<').length;

describe('a closed fold', () => {
  it.each<PaneId>(['overview', 'mesh', 'audit', 'timeline'])(
    'closed folds of %s are empty in the desk, and whole in the page that the server draws',
    (id) => {
      covers('INV-V.43');
      const whole = drawn(id, 'whole');
      const opened = drawn(id, 'opened');
      expect(elements(opened)).toBeLessThan(elements(whole));
    },
  );

  it('the audit of every claim is in the document of the server and in none of the folds of the desk', () => {
    covers('INV-V.43');
    const records = (html: string) => html.split('class="claim-record"').length - 1;
    expect(records(drawn('audit', 'whole'))).toBe(model.claims.length);
    expect(records(drawn('audit', 'opened'))).toBe(0);
  });
});
