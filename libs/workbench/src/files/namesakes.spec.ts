import { describe, expect, it } from '@jest/globals';
import { OBJECTS } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { asOne, differingNamesakes, namesakesOf, putBack } from './namesakes.ts';
import type { ItemLists } from './item-lists.ts';

const daily = { id: 'd', name: 'The Daily', source_type: 'Journalist' };
const read = {
  actors: [
    { id: 'x', name: 'the  daily', source_type: 'Journalist' },
    { id: 'y', name: 'Wire', depends_on: ['x', 'd'] },
  ],
  claims: [
    { id: 'c1', actor_id: 'x', subject_id: 's', corroborations: [{ actor_id: 'x' }, { actor_id: 'y' }] },
  ],
};

/** Namesakes of a file of which all is added. */
const namesakes = (file: ItemLists, there: ItemLists) => namesakesOf(file, file, there);

describe('items of a file that have a name that is there', () => {
  it('a source of a file is a namesake of the one with its name under another id, not under its own', () => {
    covers('INV-IMPORT.16');
    const there = { actors: [daily] };
    expect(namesakes(read, there)).toEqual([
      {
        kind: 'actors',
        id: 'x',
        name: 'the  daily',
        others: ['d'],
        names: ['The Daily', 'the  daily'],
        isThere: false,
      },
    ]);
    expect(namesakes({ actors: [{ ...daily, name: 'THE DAILY' }] }, there)).toEqual([]);
    expect(namesakes({ actors: [{ id: 'a', name: '' }] }, { actors: [{ id: 'b', name: '' }] })).toEqual([]);
  });

  it.each([
    ['Straßenbahn AG', 'STRASSENBAHN AG'],
    ['GROẞ & Söhne', 'gross & söhne'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'ΟΔΟς'],
    ['ﬁrst news', 'FIRST NEWS'],
  ])('%s and %s are namesakes, as they differ in case alone', (name, other) => {
    covers('INV-IMPORT.16');
    const file = { actors: [{ id: 'x', name: other }] };
    expect(namesakes(file, { actors: [{ id: 'd', name }] })).toMatchObject([
      { id: 'x', others: ['d'], names: [name, other] },
    ]);
  });

  it('two sources of one file with one name are namesakes, and so are subjects', () => {
    covers('INV-IMPORT.16');
    const subjects = [
      { id: 's', name: 'Fire' },
      { id: 't', name: 'FIRE' },
    ];
    expect(namesakes({ subjects }, {})).toEqual([
      { kind: 'subjects', id: 't', name: 'FIRE', others: ['s'], names: ['Fire', 'FIRE'], isThere: false },
    ]);
  });

  it('a name that the file replaces by another one has no namesake', () => {
    covers('INV-IMPORT.16');
    const renamed = { actors: [{ ...daily, name: 'Weekly' }, read.actors[0]!] };
    expect(namesakes(renamed, { actors: [daily] })).toEqual([]);
  });

  it('a source that is there under its own id beside one of its name is named, and is not taken as one', () => {
    covers('INV-IMPORT.16');
    const there = { actors: [daily, read.actors[0]!] };
    const found = namesakesOf(read, {}, there);
    expect(found).toMatchObject([
      { kind: 'actors', id: 'x', name: 'the  daily', others: ['d'], isThere: true },
    ]);
    expect(asOne(read, found)).toEqual(read);
    expect(namesakesOf(there, there, there)).toEqual(found);
    expect(namesakesOf({ actors: [daily] }, {}, there)).toMatchObject([
      { kind: 'actors', id: 'd', name: 'The Daily', others: ['x'], isThere: true },
    ]);
  });

  it('a source with a choice of namesakes is the one of its type, and none where there are several', () => {
    covers('INV-IMPORT.16');
    const expert = { ...daily, id: 'e', source_type: 'Expert' };
    const file = { actors: [read.actors[0]!], claims: read.claims };
    const [one] = namesakes(file, { actors: [expert, daily] });
    expect(one).toMatchObject({ id: 'x', others: ['d'] });
    const several = namesakes(file, { actors: [expert, daily, { ...daily, id: 'f' }] });
    expect(several).toMatchObject([{ id: 'x', others: ['d', 'f'] }]);
    expect(asOne(file, several)).toEqual(file);
    const otherType = namesakes(file, { actors: [expert] });
    expect(otherType).toMatchObject([{ id: 'x', others: ['e'] }]);
  });

  it('namesakes taken as one leave nothing that refers to the one that is not imported', () => {
    covers('INV-IMPORT.16');
    expect(asOne(read, namesakes(read, { actors: [daily] }))).toEqual({
      actors: [{ id: 'y', name: 'Wire', depends_on: ['d'] }],
      claims: [
        { id: 'c1', actor_id: 'd', subject_id: 's', corroborations: [{ actor_id: 'd' }, { actor_id: 'y' }] },
      ],
    });
  });
});

describe('what is lost of namesakes that are taken as one', () => {
  const differing = (present: object, inFile: object) => {
    const file = { actors: [{ id: 'x', name: 'the  daily', ...inFile }] };
    const there = { actors: [{ id: 'd', name: 'The Daily', ...present }] };
    return differingNamesakes(file, namesakes(file, there), there);
  };

  it('the reliability and competence of a source of the file are named with those that stay, and how to take them over', () => {
    covers('INV-IMPORT.44');
    const competence = { height: 0.3 };
    expect(differing({ base_reliability: 0.5 }, { base_reliability: 0.9, competence })).toEqual([
      {
        path: 'actors d',
        reason:
          'stays as it is in the session, which differs from the file: base_reliability is 0.9 in the file and 0.5 in the session, competence is {"height":0.3} in the file and unset in the session; set them there to take them over; it is called "The Daily"',
      },
    ]);
    expect(differing({ base_reliability: 0.9 }, { default_competence: 1 })).toEqual([]);
    // Sources that the one of the session is named as depending on are the same after the import.
    const file = {
      actors: [
        { id: 'x', name: 'Daily', depends_on: ['y'] },
        { id: 'y', name: 'Wire' },
      ],
    };
    const there = {
      actors: [
        { id: 'd', name: 'Daily', depends_on: ['w'] },
        { id: 'w', name: 'Wire' },
      ],
    };
    expect(differingNamesakes(file, namesakes(file, there), there)).toEqual([]);
  });

  it('two sources of one file are named where the second has other fields', () => {
    covers('INV-IMPORT.44');
    const [one, two] = [0.9, 0.2].map((base_reliability, at) => ({
      id: `d${at}`,
      name: 'Daily',
      base_reliability,
    }));
    const file = { actors: [one!, two!] };
    expect(differingNamesakes(file, namesakes(file, {}), {})).toMatchObject([
      { path: 'actors d0', reason: expect.stringContaining('base_reliability is 0.2 in the file and 0.9') },
    ]);
  });

  it.each(
    (['actors', 'subjects'] as const).flatMap((kind) =>
      Object.keys(OBJECTS[kind === 'actors' ? 'ActorInput' : 'SubjectInput'])
        .filter((field) => field !== 'id' && field !== 'name')
        .map((field) => [kind, field] as const),
    ),
  )('a namesake among %s names its %s where the session has another or none', (kind, field) => {
    covers('INV-IMPORT.44');
    const lists = (id: string, value: unknown) => ({ [kind]: [{ id, name: 'Daily', [field]: value }] });
    const [old, now] = ['old', 'new'];
    for (const present of [old, undefined]) {
      const [file, there] = [lists('x', now), lists('d', present)];
      expect(differingNamesakes(file, namesakes(file, there), there)).toMatchObject([
        { path: `${kind} d`, reason: expect.stringContaining(`: ${field} is "new" in the file and`) },
      ]);
    }
    const [file, there] = [lists('x', undefined), lists('d', old)];
    expect(differingNamesakes(file, namesakes(file, there), there)).toEqual([]);
  });
});

describe('items that a file puts back', () => {
  it('items of a file of which others are there are named, as they may have been deleted', () => {
    covers('INV-IMPORT.17');
    const [one, two] = [1, 2].map((n) => ({
      id: `said-${String(n).padStart(16, '0')}`,
      content: `Said ${n}`,
    }));
    const file = { claims: [one!, two!] };
    expect(putBack(file, { claims: [one!] }, { claims: [two!] })).toEqual([two]);
    expect(putBack(file, {}, file)).toEqual([]);
    expect(putBack({ claims: [one!, { id: 'c1' }] }, { claims: [one!] }, { claims: [{ id: 'c1' }] })).toEqual(
      [{ id: 'c1' }],
    );
  });
});
