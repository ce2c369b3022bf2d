import { describe, expect, it } from '@jest/globals';
import { auditClaims } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { renderSharePage } from '../../page/render-share-page.tsx';
import { ASSETS, exampleInput, snapshotOf } from '../../snapshot.fixture.ts';

const WORDS = 'by its record: right in 4 of 5\u00a0statements';

/** An example whose first source has a number that a record gave, or another one by now. */
function withRecord(base_reliability: number) {
  const input = exampleInput('chernobyl-deaths');
  const { actor_id } = input.claims[0]!;
  const actor = input.actors.find(({ id }) => id === actor_id)!;
  Object.assign(actor, {
    base_reliability,
    reliability_record: { right: 4, statements: 5, base_reliability: 0.62 },
  });
  return input;
}

describe('a reliability that the register of sources gave', () => {
  it.each(['sources', 'audit'] as const)(
    'the pane %s says how often the source was right by its record',
    (pane) => {
      covers('INV-V.75');
      expect(renderSharePage(snapshotOf(withRecord(0.62)), { assets: ASSETS, pane })).toContain(WORDS);
    },
  );

  it('a number that was given by hand after a record is the author’s own', () => {
    covers('INV-V.75');
    const page = renderSharePage(snapshotOf(withRecord(0.7)), { assets: ASSETS, pane: 'sources' });
    expect(page).not.toContain('by its record');
    expect(page).toContain('as the author of the investigation judged it');
  });

  it('the audit of a claim names the record behind the reliability that its weight begins with', () => {
    covers('INV-V.76');
    const recordsOf = (base: number) =>
      auditClaims(withRecord(base), { now: new Date('2026-01-01T00:00:00Z') }).flatMap(
        ({ reliability: { record } }) => record ?? [],
      );
    expect(recordsOf(0.62)).toContainEqual({ right: 4, statements: 5 });
    expect(recordsOf(0.7)).toEqual([]);
  });
});
