import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { strFromU8, strToU8 } from 'fflate';
import { readFile } from './files.ts';
import { GOOD, JSON_FORMATS } from './hostile-files.fixture.ts';
import { ANNOTATION, BUNDLE, EVENT } from './other-tools.fixture.ts';
import { isObject } from './read-json.ts';

const AIFDB = {
  nodes: [
    { nodeID: '1', type: 'I', text: 'The bridge is closed.' },
    { nodeID: '2', type: 'I', text: 'The gate is shut.' },
    { nodeID: '3', type: 'RA', text: '' },
    { nodeID: '4', type: 'L', text: '' },
    { nodeID: '5', type: 'YA', text: 'Asserting' },
  ],
  edges: [
    { edgeID: '1', fromID: '2', toID: '3' },
    { edgeID: '2', fromID: '3', toID: '1' },
    { edgeID: '3', fromID: '4', toID: '5' },
    { edgeID: '4', fromID: '5', toID: '2' },
  ],
  locutions: [{ nodeID: '4', personID: '1' }],
  participants: [{ participantID: '1', firstname: 'Ann', surname: 'Lee' }],
};

const FILES = [
  ...JSON_FORMATS.map((format) => [format, JSON.parse(strFromU8(GOOD[format])) as unknown] as const),
  ['aif', AIFDB],
] as const;

const read = (format: (typeof JSON_FORMATS)[number], value: unknown) =>
  readFile(format, strToU8(JSON.stringify(value)));
const leftOutOf = (...args: Parameters<typeof read>) =>
  read(...args).leftOut.map(({ path, reason }) => `${path}: ${reason}`);

/** The vocabulary of a file, and what our own judgement made of the investigation in it. */
const STATES_NOTHING = /^\$\.(?:@context|judgement|result|quotes)/;

/** The file with a field that nobody knows in one of its objects, for each of these. */
function* withUnknownField(value: unknown, path = '$'): Generator<readonly [string, unknown]> {
  if (isObject(value)) yield [path, { ...value, unheard_of: 'x' }];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    for (const [where, changed] of withUnknownField(child, at))
      yield [
        where,
        Array.isArray(value)
          ? value.map((one: unknown, index) => (String(index) === key ? changed : one))
          : { ...value, [key]: changed },
      ];
  }
}

describe('what no reader reads', () => {
  it.each(FILES)(
    'a field of a %s file that nobody knows is named, in whatever object it stands',
    (format, good) => {
      covers('INV-IMPORT.20');
      const before = read(format, good).leftOut.map(({ path }) => path);
      const silent: string[] = [];
      for (const [path, changed] of withUnknownField(good)) {
        // What is left out as a whole says so already.
        const place = path.replace(/^\$\.?(?:entities\.)?/, '');
        if (STATES_NOTHING.test(path)) continue;
        if (before.some((outer) => place.startsWith(outer.replace(/^\$\./, '')))) continue;
        if (!leftOutOf(format, changed).some((line) => line.includes('unheard_of'))) silent.push(path);
      }
      expect(silent).toEqual([]);
    },
  );

  it.each([
    [
      'claimreview',
      {
        '@type': 'ClaimReview',
        claimReviewed: 'The bridge is closed.',
        author: [{ name: 'Desk A' }, { name: 'Desk B' }],
        reviewRating: { alternateName: 'False' },
      },
      ['"Desk B"'],
    ],
    [
      'misp',
      {
        Event: {
          ...EVENT.Event,
          Galaxy: [{ name: 'Threat Actor' }],
          Attribute: [{ ...EVENT.Event.Attribute[0], ShadowAttribute: [{ value: '198.51.100.8' }] }],
        },
      },
      ['Event.Galaxy: ', 'Event.Attribute[0].ShadowAttribute: ', '"tlp:green" states no grade'],
    ],
    [
      'stix',
      {
        ...BUNDLE,
        objects: [
          ...BUNDLE.objects,
          { type: 'sighting', id: 'sighting--1', sighting_of_ref: BUNDLE.objects[3]!.id, count: 40 },
        ],
      },
      ['objects[10].count: ', 'objects[7].object_refs: '],
    ],
    [
      'wikidata',
      {
        id: 'Q1',
        claims: {
          P2043: [
            {
              mainsnak: {
                snaktype: 'value',
                datavalue: { value: { amount: '+120', unit: '1', upperBound: '+121', lowerBound: '+119' } },
              },
            },
          ],
        },
      },
      ['Q1.claims.P2043[0].mainsnak.datavalue.value.upperBound: ', '.lowerBound: '],
    ],
    [
      'hypothesis',
      { rows: [ANNOTATION] },
      ['selector[2].prefix: ', 'selector[2].suffix: ', 'selector[1]: ', 'selector[0]: '],
    ],
  ] as const)(
    'what a %s file has and no claim can hold is named with its place',
    (format, file, expected) => {
      covers('INV-IMPORT.20');
      const lines = leftOutOf(format, file).join('\n');
      for (const words of expected) expect(lines).toContain(words);
    },
  );

  it('a field that many objects have is named once, with how many more there are', () => {
    covers('INV-IMPORT.20');
    const Attribute = Array.from({ length: 300 }, (_, index) => ({
      type: 'domain',
      value: `${index}.example.org`,
      odd: 1,
    }));
    expect(leftOutOf('misp', { Event: { Orgc: { name: 'CERT' }, Attribute } })).toEqual([
      'Event.Attribute[0].odd: is not read, here and in 299 more of its kind',
    ]);
  });
});
