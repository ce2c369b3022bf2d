import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { guessMapping } from './mapping.ts';
import { cellsFromAbove, problemGroups } from './problem-groups.ts';
import { importClaims } from './read-claims.ts';
import { readSheet } from './sheet.ts';

/** The claims of a CSV, each as source, subject and property, with empty cells filled from above. */
function filled(csv: string): string[] {
  const sheet = readSheet(csv);
  const mapping = guessMapping(sheet.columns);
  const present = { actors: [], subjects: [], claims: [] };
  const options = { createMissing: true, sourceTypes: {}, subjectType: 'topic', dateOrders: {} };
  const { problems } = importClaims(sheet, mapping, present, options);
  const cells = problemGroups(problems).flatMap((group) => [...cellsFromAbove(group, sheet, mapping)]);
  const { actors, subjects, claims } = importClaims(sheet, mapping, present, {
    ...options,
    mended: new Map(cells),
  });
  const name = (list: typeof actors, id: unknown) => String(list.find((one) => one.id === id)?.['name']);
  return claims.map(
    (claim) =>
      `${name(actors, claim['actor_id'])}, ${name(subjects, claim['subject_id'])}: ${String(claim['predicate'])}`,
  );
}

describe('cells that are filled from above', () => {
  it('a row without source and subject has those of the nearest row above with one, and no other cell is filled', () => {
    covers('INV-IMPORT.100');
    expect(
      filled(`source,subject,predicate,value
,,width,1 m
Council,Bridge,open,yes
,,load,30 t
,Road,length,
,Road,length,120 m
Herald,Bridge,open,no
,,load,28 t`),
    ).toEqual([
      'Council, Bridge: open',
      'Council, Bridge: load',
      'Council, Road: length',
      'Herald, Bridge: open',
      'Herald, Bridge: load',
    ]);
  });
});
