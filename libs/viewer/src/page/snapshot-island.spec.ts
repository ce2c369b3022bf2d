import { describe, expect, it } from '@jest/globals';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { islandJson } from './snapshot-island.ts';

describe('the snapshot inside the page', () => {
  it('text inside the embedded snapshot cannot end its script element, and reads back unchanged', () => {
    const snapshot = snapshotOf(exampleInput('lk-99'), { interpretation: '</script><!--<script>' });
    const text = islandJson(snapshot);
    expect(text).not.toContain('<');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(snapshot)));
  });
});
