import { describe, expect, it } from '@jest/globals';
import { checkStored } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import type { Entity } from '../edit/kinds.ts';
import type { ItemLists } from './item-lists.ts';
import { nearSpelled, respelled } from './near-spelled.ts';

fc.configureGlobal({ seed: SEED });

const NAMES = [
  'injured',
  'Injured',
  'IN-JURED',
  'in jured',
  'іnjured',
  'dead',
  'Dead',
  'Straße',
  'STRASSE',
  'x',
];
const names = fc.constantFrom(...NAMES);
const claims = (letter: string) =>
  fc
    .array(fc.record({ predicate: names, scope: fc.option(names, { nil: undefined }) }), {
      minLength: 1,
      maxLength: 8,
    })
    .map((list) =>
      list.map((claim, at) => ({
        id: `${letter}${at}`,
        actor_id: `actor-${letter}`,
        subject_id: 's',
        value: '14',
        content: 'Fourteen.',
        ...claim,
      })),
    );
const inferences = (letter: string) =>
  fc.array(names, { maxLength: 2 }).map((list) =>
    list.map((predicate, at) => ({
      id: `i${letter}${at}`,
      subject_id: 's',
      predicate,
      rule_type: 'default',
      rule_param: 'd',
      premise_claim_ids: [`${letter}0`],
    })),
  );
const lists = (letter: string, competence: fc.Arbitrary<Record<string, number>>): fc.Arbitrary<ItemLists> =>
  fc.record({
    actors: competence.map((given) => [
      { id: `actor-${letter}`, name: letter, source_type: 'Journalist', competence: given },
    ]),
    claims: claims(letter),
    inferences: inferences(letter),
  });
const anyCompetence = fc.dictionary(names, fc.constant(0.5), { maxKeys: 3 });

const nearMisses = (...all: ItemLists[]) => {
  const of = (kind: string) => all.flatMap((one) => one[kind] ?? []);
  const input = {
    research_question: 'q',
    subjects: [{ id: 's', name: 'The fire', subject_type: 'event' }],
    ...Object.fromEntries(['actors', 'claims', 'inferences'].map((kind) => [kind, of(kind)])),
  };
  return checkStored(input, new Date(0)).cautions.filter((sentence) =>
    /^The (predicates|scopes) /.test(sentence),
  );
};

/** An item without what may be spelled otherwise. */
const rest = ({ predicate: _predicate, scope, competence, ...others }: Entity) => ({
  ...others,
  scope: typeof scope,
  shares: Object.values(competence ?? {}),
});

describe('spellings of one property or scope', () => {
  it('no spelling nearly meets another one once each is chosen, and nothing else of any item changes', () => {
    covers('INV-IMPORT.98');
    fc.assert(
      fc.property(lists('f', anyCompetence), (file) => {
        const groups = nearSpelled(file);
        expect(groups.length > 0).toBe(nearMisses(file).length > 0);
        const after = respelled(file, groups);
        expect(nearMisses(after)).toEqual([]);
        expect(nearSpelled(after)).toEqual([]);
        for (const [kind, items] of Object.entries(file)) {
          expect(after[kind]!.map(rest)).toEqual(items.map(rest));
          const touched = new Set(groups.flatMap((group) => group.items));
          if (kind !== 'actors')
            for (const [at, item] of items.entries())
              expect(after[kind]![at] === item).toBe(!touched.has(item));
        }
      }),
    );
  });

  it('a file takes the spellings of the investigation, which adds no near miss to those that are there', () => {
    covers('INV-IMPORT.98');
    fc.assert(
      fc.property(lists('f', anyCompetence), lists('t', anyCompetence), (file, there) => {
        const after = respelled(file, nearSpelled(file, there));
        expect(nearMisses(after, there)).toEqual(nearMisses(there));
      }),
    );
  });
});
