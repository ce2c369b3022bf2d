import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { strFromU8, strToU8 } from 'fflate';
import { gradeEvidence } from './admiralty/grades.ts';
import { readFile, writeFile } from './files.ts';
import { UnreadableFile } from './imported.ts';
import { BRIDGE, judge, partsOf } from './judged.fixture.ts';
import { isObject } from './read-json.ts';

const FORMATS = ['stix', 'misp', 'aif'] as const;
type Format = (typeof FORMATS)[number];

/** Evidence for and against, grades, an inference and a claim that was taken back. */
const judged = judge({
  ...BRIDGE,
  actors: BRIDGE.actors.map((actor, index) => ({ ...actor, base_reliability: [0.9, 0.3][index]! })),
  claims: BRIDGE.claims.map((claim) =>
    claim.id === 'doubt' ? { ...claim, epistemic_status: 'retracted' } : claim,
  ),
  evidence: [
    ...BRIDGE.evidence!,
    {
      id: 'map',
      claim_id: 'post',
      content: 'A map of 1840 has it.',
      valence: 'Refutes',
      url: 'https://map.example.org/',
    },
    gradeEvidence('record', 70),
  ],
  inferences: [
    {
      id: 'so',
      premise_claim_ids: ['record'],
      subject_id: 'bridge',
      predicate: 'built_in',
      rule_type: 'expert_testimony',
      description: 'As recorded.',
    },
  ],
});
const exported = (format: Format) =>
  JSON.parse(strFromU8(writeFile(format, judged, partsOf(judged)))) as unknown;

/** What an import makes of a file, or why it refuses it. */
function outcome(format: Format, file: unknown) {
  try {
    const { payload, leftOut } = readFile(format, strToU8(JSON.stringify(file)));
    return { payload, leftOut };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { payload: error.message, leftOut: [] };
  }
}

/** Fields that another tool gives the objects of each format. */
const ADDED: Readonly<Record<Format, readonly (readonly [string, unknown])[]>> = {
  stix: [
    ['revoked', true],
    ['abstract', 'Else'],
    ['confidence', 5],
    ['lang', 'en'],
    ['labels', ['tlp:red']],
    ['authors', ['Eve']],
  ],
  misp: [
    ['deleted', true],
    ['comment', 'Else'],
    ['Sighting', [{ type: '1' }]],
    ['first_seen', '2025-01-01'],
    ['Tag', [{ name: 'tlp:red' }]],
  ],
  aif: [
    ['claimText', 'Else'],
    ['Premise', ['urn:x']],
    ['scheme', 'Analogy'],
  ],
};

/** Ids, versions and rights, the vocabulary, and the attachment itself, which is what is taken. */
const SAYS_NOTHING: Readonly<Record<Format, RegExp>> = {
  stix: /^\$\.(?:id|type|spec_version)$|\.(?:spec_version|modified|payload_bin)$|^\$\.objects\[0\]\.object_refs\[9\]$/,
  misp: /\.(?:to_ids|disable_correlation|distribution|data)$|^\$\.Event\.(?:uuid|timestamp)$|Orgc\.uuid$|\.published$/,
  aif: /^\$\.@context|\.record\.(?:empty|written)/,
};

type Altered = readonly [place: string, file: unknown];

/** The file with one field removed, changed or added, or one item of a list removed, for each of these. */
function* altered(
  value: unknown,
  added: readonly (readonly [string, unknown])[],
  path = '$',
): Generator<Altered> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) {
      const at = `${path}[${index}]`;
      yield [`${at} removed`, value.toSpliced(index, 1)];
      for (const [place, changed] of altered(item, added, at)) yield [place, value.with(index, changed)];
    }
  if (!isObject(value)) return;
  for (const [key, item] of added)
    if (value[key] === undefined) yield [`${path}.${key} added`, { ...value, [key]: item }];
  for (const [key, item] of Object.entries(value)) {
    const at = `${path}.${key}`;
    const { [key]: _, ...rest } = value;
    yield [`${at} removed`, rest];
    if (typeof item !== 'object' || item === null)
      yield [
        `${at} changed`,
        {
          ...value,
          [key]: typeof item === 'boolean' ? !item : typeof item === 'number' ? item + 1 : `${String(item)}9`,
        },
      ];
    for (const [place, changed] of altered(item, added, at)) yield [place, { ...value, [key]: changed }];
  }
}

describe('what another tool did to an export of ours', () => {
  it.each(FORMATS)('every field of a %s export that comes back altered is taken over or named', (format) => {
    covers('INV-IMPORT.36');
    const file = exported(format);
    const before = outcome(format, file);
    expect(before).toEqual({ payload: judged.input, leftOut: [] });
    const silent: string[] = [];
    for (const [place, changed] of altered(file, ADDED[format])) {
      const [at, what] = place.split(' ') as [string, string];
      // What says nothing may go without a word: an empty comment, a flag that is not set.
      if (SAYS_NOTHING[format].test(at) || (what === 'removed' && saysNothing(file, at))) continue;
      if (JSON.stringify(outcome(format, changed)) === JSON.stringify(before)) silent.push(place);
    }
    expect(silent).toEqual([]);
  });

  it.each([
    ['stix', 'note', 'revoked'],
    ['misp', 'text', 'deleted'],
  ] as const)(
    'a claim of a %s export that another tool withdrew comes back as retracted',
    (format, type, flag) => {
      covers('INV-IMPORT.39');
      const file = JSON.stringify(exported(format)).replaceAll(
        `"type":"${type}"`,
        `"type":"${type}","${flag}":true`,
      );
      const { payload } = outcome(format, JSON.parse(file));
      expect((payload as typeof judged.input).claims.map(({ epistemic_status }) => epistemic_status)).toEqual(
        judged.input.claims.map(() => 'retracted'),
      );
    },
  );

  it('what others withdrew counts no more: attributes of a deleted object are retracted, a revoked opinion weighs nothing', () => {
    covers('INV-IMPORT.39');
    const Attribute = [{ type: 'domain', value: 'x.example.org' }];
    const event = { Event: { Orgc: { name: 'CERT' }, Object: [{ name: 'file', deleted: true, Attribute }] } };
    const ofEvent = outcome('misp', event);
    expect(ofEvent.payload).toMatchObject({ claims: [{ epistemic_status: 'retracted' }] });
    expect(ofEvent.leftOut).toEqual([]);
    const objects = [
      { type: 'note', id: 'note--1', content: 'It rained.' },
      { type: 'opinion', id: 'opinion--1', opinion: 'agree', object_refs: ['note--1'], revoked: true },
    ];
    const ofBundle = outcome('stix', { objects });
    expect(ofBundle.payload).toMatchObject({
      evidence: [{ content: 'Revoked: Opinion: agree.', valence: 'Neutral' }],
    });
    expect(ofBundle.leftOut).toContainEqual({
      path: 'objects[1]',
      reason: expect.stringMatching(/^is an opinion that was revoked/),
    });
  });

  it('a text of an AIF export that another tool changed is taken over, plain or as a value of JSON-LD', () => {
    covers('INV-IMPORT.36');
    const text = JSON.stringify(exported('aif')).replaceAll(
      /"claimText":"((?:[^"\\]|\\.)*)"/g,
      '"claimText":{"@value":"$1!"}',
    );
    const { payload, leftOut } = outcome('aif', JSON.parse(text));
    const { claims, evidence, inferences } = judged.input;
    const content = (items: readonly { content: string }[]) =>
      items.map((item) => ({ ...item, content: `${item.content}!` }));
    expect(payload).toEqual({
      ...judged.input,
      claims: content(claims),
      evidence: content(evidence!),
      inferences: inferences!.map((item) => ({ ...item, description: `${item.description}!` })),
    });
    expect(leftOut).toEqual([]);
  });

  it.each(FORMATS)(
    'a %s export that does not note what it said is read, and left_out says that changes are not seen',
    (format) => {
      covers('INV-IMPORT.36');
      const file = JSON.parse(JSON.stringify(exported(format)), (key, value: unknown) => {
        if (key === 'written') return undefined;
        if (key !== 'payload_bin' && key !== 'data') return value;
        const { input } = JSON.parse(Buffer.from(String(value), 'base64').toString()) as { input: object };
        return Buffer.from(JSON.stringify(input)).toString('base64');
      }) as unknown;
      const { payload, leftOut } = outcome(format, file);
      expect(payload).toEqual(judged.input);
      expect(leftOut.map(({ reason }) => reason)).toContainEqual(
        expect.stringContaining('what other tools changed is not named'),
      );
    },
  );
});

function saysNothing(file: unknown, path: string): boolean {
  const value = path
    .slice(1)
    .split(/\.(?=[\w@])|(?=\[\d+\])/)
    .filter(Boolean)
    .reduce<unknown>((of, key) => (of as Record<string, unknown>)[key.replace(/^\[|\]$/g, '')], file);
  return value === '' || value === false || (Array.isArray(value) && value.length === 0);
}
