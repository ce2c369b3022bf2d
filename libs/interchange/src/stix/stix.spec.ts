import { describe, expect, it } from '@jest/globals';
import { analyze, type InvestigationInput, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { gradeEvidence } from '../admiralty/grades.ts';
import { claimWords } from '../claim-words.ts';
import { UnreadableFile } from '../imported.ts';
import { BRIDGE, judge, jsonBytes } from '../judged.fixture.ts';
import { BUNDLE } from '../other-tools.fixture.ts';
import { readStix } from './read-stix.ts';
import { writeStix } from './write-stix.ts';

fc.configureGlobal({ seed: SEED });

type StixObject = Record<string, unknown> & { readonly type: string; readonly id: string };
const objectsOf = (file: Uint8Array) =>
  (JSON.parse(new TextDecoder().decode(file)) as { objects: StixObject[] }).objects;

/** The bridge with grades: of both sources, and of one claim. */
const GRADED = {
  ...BRIDGE,
  actors: BRIDGE.actors.map((actor, index) => ({ ...actor, base_reliability: [0.9, 0.3][index]! })),
  evidence: [...BRIDGE.evidence!, gradeEvidence('record', 70), gradeEvidence('post', 10)],
};

/** An intrusion set related by one producer to several tools. */
const relating = (type: string, others: readonly string[], more: (index: number) => object = () => ({})) => [
  { type: 'identity', id: 'identity--1', name: 'CERT' },
  { type: 'intrusion-set', id: 'intrusion-set--1', name: 'APT28' },
  ...others.flatMap((name, index) => [
    { type: 'tool', id: `tool--${index}`, name },
    {
      type: 'relationship',
      id: `relationship--${index}`,
      created_by_ref: 'identity--1',
      relationship_type: type,
      source_ref: 'intrusion-set--1',
      target_ref: `tool--${index}`,
      ...more(index),
    },
  ]),
];
const statusesOf = (payload: InvestigationInput) =>
  (analyze(payload, { now: new Date('2026-01-01T00:00:00Z') }) as InvestigationResult).subject_results.map(
    ({ truth_status: status }) => status,
  );

describe('STIX bundles of others', () => {
  it('relationships, indicators, notes and observed data become claims of who created them', () => {
    covers('INV-IMPORT.11');
    const { payload } = readStix(jsonBytes(BUNDLE));
    const subjects = new Map(payload.subjects.map(({ id, name }) => [id, name]));
    const actors = new Map(payload.actors.map(({ id, name }) => [id, name]));
    expect(
      payload.claims.map(({ actor_id, subject_id, predicate, value, epistemic_status }) => [
        actors.get(actor_id),
        subjects.get(subject_id!),
        predicate,
        value,
        epistemic_status,
      ]),
    ).toEqual([
      ['Example CERT', 'Greybox', 'attributed to Quiet Crow', 'true', undefined],
      ['Second Lab', "[ipv4-addr:value = '198.51.100.7']", 'indicates malicious-activity', 'true', undefined],
      ['Example CERT', 'The attack came over a supplier.', 'is_true', 'true', undefined],
      ['Example CERT', '198.51.100.7', 'observed', 'true', 'retracted'],
    ]);
    expect(payload.claims[0]).toMatchObject({
      url: 'https://example.org/greybox',
      assertion_time: '2025-03-02T00:00:00.000Z',
    });
  });

  it('what one thing uses besides another contradicts nothing, and what was revoked is retracted', () => {
    covers('INV-IMPORT.73');
    const { payload } = readStix(
      jsonBytes(relating('uses', ['FoxRat', 'Mimikatz'], (index) => ({ revoked: index === 1 }))),
    );
    const subjects = new Map(payload.subjects.map((one) => [one.id, one]));
    expect(payload.claims.map((claim) => [claimWords(claim, subjects), claim.epistemic_status])).toEqual([
      ['APT28 uses FoxRat', undefined],
      ['APT28 uses Mimikatz', 'retracted'],
    ]);
  });

  it('the types of an indicator do not contradict each other', () => {
    covers('INV-IMPORT.73');
    const indicator = {
      type: 'indicator',
      id: 'indicator--1',
      name: 'Beacon',
      indicator_types: ['anonymization', 'malicious-activity'],
    };
    const { payload } = readStix(jsonBytes([indicator]));
    expect(payload.claims.map(({ predicate, value }) => [predicate, value])).toEqual([
      ['indicates anonymization', 'true'],
      ['indicates malicious-activity', 'true'],
    ]);
    expect(statusesOf(payload)).not.toContain('Both');
  });

  it('indicators of one name are one statement only where they have one pattern', () => {
    covers('INV-IMPORT.116');
    const indicators = ['evil.example', 'other.example', 'evil.example'].flatMap((domain, index) => [
      { type: 'identity', id: `identity--${index}`, name: `CERT ${index}` },
      {
        type: 'indicator',
        id: `indicator--${index}`,
        created_by_ref: `identity--${index}`,
        name: 'Phishing domain',
        pattern: `[domain-name:value = '${domain}']`,
        indicator_types: ['malicious-activity'],
      },
    ]);
    const sighting = { type: 'sighting', id: 'sighting--1', sighting_of_ref: 'indicator--1' };
    const { payload, leftOut } = readStix(jsonBytes([...indicators, sighting]));
    const subjects = new Map(payload.subjects.map((one) => [one.id, one]));
    expect(payload.claims.map((claim) => claimWords(claim, subjects))).toEqual([
      "Phishing domain [domain-name:value = 'evil.example'] indicates malicious-activity",
      "Phishing domain [domain-name:value = 'other.example'] indicates malicious-activity",
      "Phishing domain [domain-name:value = 'evil.example'] indicates malicious-activity",
      "Phishing domain [domain-name:value = 'other.example'] was sighted",
    ]);
    expect(new Set(payload.claims.map(({ subject_id: id }) => id)).size).toBe(2);
    expect(JSON.stringify(leftOut)).not.toContain('pattern');
  });

  it('no number of relationships of one type contradict each other, whatever they relate', () => {
    covers('INV-IMPORT.73');
    const types = fc.constantFrom('uses', 'targets', 'indicates', 'attributed-to', 'related-to');
    const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(types, names, (type, others) => {
        const { payload } = readStix(jsonBytes(relating(type, others)));
        expect(statusesOf(payload)).not.toContain('Both');
      }),
      { numRuns: 50 },
    );
  });

  it('a report or note whose words are a question states the others that it has, or nothing', () => {
    covers('INV-IMPORT.76');
    const { payload, leftOut } = readStix(
      jsonBytes([
        { type: 'report', id: 'report--1', name: 'Who is APT-X?', description: 'APT-X is a contractor.' },
        { type: 'report', id: 'report--2', name: '“Who is APT-Y?”' },
        { type: 'note', id: 'note--1', abstract: 'Supplier?', content: 'The attack came over a supplier.' },
      ]),
    );
    expect(payload.subjects.map(({ name }) => name)).toEqual([
      'APT-X is a contractor.',
      'The attack came over a supplier.',
    ]);
    expect(leftOut).toEqual([{ path: 'objects[1].name', reason: expect.stringMatching(/^is a question/) }]);
  });

  it('labels and confidence grade sources and claims, and what cannot be judged states nothing', () => {
    covers('INV-GRADE.1', 'INV-GRADE.2');
    const { payload, leftOut } = readStix(jsonBytes(BUNDLE));
    expect(payload.actors.map(({ name, base_reliability }) => [name, base_reliability])).toEqual([
      ['Example CERT', 0.7],
      ['Second Lab', 0.3],
    ]);
    const [attributed, indicates, note] = payload.claims.map(({ id }) => id);
    const on = (id: string) =>
      payload
        .evidence!.filter((item) => item.claim_id === id)
        .map(({ valence, weight }) => [valence, weight]);
    expect(on(attributed!)).toEqual([
      ['Supports', 0.7],
      ['Neutral', undefined],
      ['Refutes', 0.8],
    ]);
    expect(on(indicates!)).toEqual([['Refutes', 0.4]]);
    expect(on(note!)).toEqual([]);
    expect(leftOut[0]).toEqual({
      path: 'objects[7]',
      reason: 'credibility 6: the truth cannot be judged, so that none is stated',
    });
  });

  it('the grade that all notes of a creator have is the grade of the creator', () => {
    covers('INV-IMPORT.60');
    const note = (id: string) => ({
      type: 'note',
      id: `note--${id}`,
      created_by_ref: 'identity--1',
      content: id,
      labels: ['admiralty-scale:source-reliability="b"'],
    });
    const identity = { type: 'identity', id: 'identity--1', name: 'CERT' };
    const { payload, leftOut } = readStix(jsonBytes({ objects: [note('one'), identity, note('two')] }));
    expect(payload.actors).toMatchObject([{ name: 'CERT', base_reliability: 0.7 }]);
    const [source] = payload.actors;
    expect(payload.claims.map(({ actor_id: id }) => id)).toEqual([source!.id, source!.id]);
    expect(leftOut).toEqual([]);
  });

  it('the grade of the source of a note is not that of its creator, in whatever order they stand', () => {
    covers('INV-IMPORT.60');
    const note = (id: string, ...labels: string[]) => ({
      type: 'note',
      id: `note--${id}`,
      created_by_ref: 'identity--1',
      content: id,
      labels,
    });
    const objects = [
      note('graded', 'admiralty-scale:source-reliability="e"'),
      { type: 'identity', id: 'identity--1', name: 'CERT' },
      note('plain'),
    ];
    for (const order of [objects, objects.toReversed()]) {
      const { payload, leftOut } = readStix(jsonBytes({ objects: order }));
      const actors = new Map(payload.actors.map((actor) => [actor.id, actor]));
      const sources = payload.claims.map(({ content, actor_id }) => {
        const { name, base_reliability: reliability } = actors.get(actor_id)!;
        return [content, name, reliability];
      });
      expect(sources.sort()).toEqual([
        ['graded', 'CERT (reliability E)', 0.1],
        ['plain', 'CERT', undefined],
      ]);
      expect(leftOut).toEqual([]);
    }
  });

  it.each([
    [
      'admiralty-scale:source-reliability="f"',
      undefined,
      /reliability F: that of Example CERT cannot be judged/,
    ],
    ['admiralty-scale:source-reliability="A"', 0.9, null],
    ['admiralty-scale:source-reliability="g"', undefined, /source-reliability must be a letter from a to f/],
    ['admiralty-scale:source-reliability="e"', 0.1, null],
  ])('a source with the label %s has the reliability %s', (label, reliability, reason) => {
    covers('INV-GRADE.1', 'INV-GRADE.2');
    const objects = BUNDLE.objects.map((object) =>
      object.id === BUNDLE.objects[1]!.id ? { ...object, labels: [label] } : object,
    );
    const { payload, leftOut } = readStix(jsonBytes({ objects }));
    expect(payload.actors.find(({ name }) => name === 'Example CERT')!.base_reliability).toBe(reliability);
    if (reason !== null)
      expect(leftOut.map((one) => one.reason)).toContainEqual(expect.stringMatching(reason));
  });

  it('what lacks what it is about, and a confidence out of its range, are left out with their field', () => {
    covers('INV-IMPORT.1');
    const objects = [
      ...BUNDLE.objects,
      { type: 'relationship', id: 'relationship--1', relationship_type: 'uses' },
      { type: 'note', id: 'note--2', content: 'It rained.', confidence: 101 },
      { type: 'opinion', id: 'opinion--2', opinion: 'maybe', object_refs: ['note--2'] },
      { type: 'opinion', id: 'opinion--3', opinion: 'agree', object_refs: ['absent'] },
      { type: 'note', id: 'note--2', content: 'It rained.' },
      { type: 'note' },
    ];
    expect(readStix(jsonBytes({ type: 'bundle', objects })).leftOut.slice(0, 6)).toEqual([
      { path: 'objects[14]', reason: 'is another version of note--2' },
      { path: 'objects[15]', reason: 'must be an object with type and id' },
      expect.objectContaining({ path: 'objects[7]' }),
      { path: 'objects[10].source_ref', reason: 'is missing: it says what the relationship is of' },
      { path: 'objects[11].confidence', reason: 'must be a whole number from 0 to 100' },
      expect.objectContaining({ path: 'objects[12].opinion' }),
    ]);
  });

  it('a confidence of 0, which is none on one scale and impossible on another, is no evidence and named', () => {
    covers('INV-IMPORT.109');
    const note = (confidence: number) => ({
      type: 'note',
      id: `note--${confidence}`,
      content: `It rained ${confidence} times.`,
      confidence,
    });
    const { payload, leftOut } = readStix(jsonBytes([note(0), note(1)]));
    expect(payload.evidence).toMatchObject([{ valence: 'Refutes', weight: 0.98 }]);
    expect(leftOut).toContainEqual({
      path: 'objects[0].confidence',
      reason: '0 is no confidence on one scale of STIX and “impossible” on another: none is stated',
    });
  });

  it('a sighting that counts 0 denies what one that counts some says, and any other count is named', () => {
    covers('INV-IMPORT.37');
    const sighting = (id: number, more: object) => ({
      type: 'sighting',
      id: `sighting--${id}`,
      sighting_of_ref: BUNDLE.objects[3]!.id,
      ...more,
    });
    const { payload, leftOut } = readStix(
      jsonBytes([BUNDLE.objects[3], sighting(1, { count: 0 }), sighting(2, {}), sighting(3, { count: 4 })]),
    );
    expect(payload.claims.map(({ predicate, value, content }) => [predicate, value, content])).toEqual([
      ['sighted', 'false', 'Greybox was not sighted.'],
      ['sighted', 'true', 'Greybox was sighted.'],
      ['sighted', 'true', 'Greybox was sighted.'],
    ]);
    expect(new Set(payload.claims.map(({ subject_id }) => subject_id)).size).toBe(1);
    expect(leftOut.map(({ path }) => path)).toContain('objects[3].count');
    expect(leftOut.map(({ path }) => path)).not.toContain('objects[1].count');
  });

  it('a file without STIX objects is refused by name', () => {
    covers('INV-IMPORT.1');
    expect(() => readStix(jsonBytes({ objects: [] }))).toThrow(UnreadableFile);
    expect(() => readStix(jsonBytes({ objects: [{ type: 'malware', id: 'malware--1' }] }))).toThrow(
      'holds no STIX object that states something',
    );
  });
});

describe('STIX bundles of ours', () => {
  const file = writeStix(judge(GRADED));

  it('each object of an export has what STIX 2.1 requires, and every reference is to an object of it', () => {
    covers('INV-EXPORT.14');
    const objects = objectsOf(file);
    const ids = new Set(objects.map(({ id }) => id));
    expect(ids.size).toBe(objects.length);
    for (const object of objects) {
      expect(object.id).toMatch(new RegExp(`^${object.type}--[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`));
      expect(object['spec_version']).toBe('2.1');
      if (object.type === 'artifact') continue;
      for (const time of ['created', 'modified'])
        expect(object[time]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      for (const ref of [object['created_by_ref'] ?? [], object['object_refs'] ?? []].flat())
        expect(ids).toContain(ref);
      if (object.type !== 'identity') expect((object['object_refs'] as unknown[]).length).toBeGreaterThan(0);
    }
  });

  it('an export states reliability as a label, credibility as confidence, and evidence as opinions', () => {
    covers('INV-GRADE.3', 'INV-EXPORT.14');
    const objects = objectsOf(file);
    const of = (type: string) => objects.filter((object) => object.type === type);
    expect(of('identity').map(({ name, labels }) => [name, labels])).toEqual([
      ['The bridge: "when"?', undefined],
      ['City archive', ['admiralty-scale:source-reliability="a"']],
      ['A blog: #1 [draft]', ['admiralty-scale:source-reliability="d"']],
    ]);
    expect(
      of('note')
        .map(({ confidence }) => confidence)
        .slice(0, 3),
    ).toEqual([70, 10, undefined]);
    expect(of('opinion')).toMatchObject([{ opinion: 'strongly-agree', explanation: 'The plate on it.' }]);
    const [verdict] = of('note').filter(({ labels }) =>
      (labels as string[] | undefined)?.includes('judgement'),
    );
    expect(verdict).toMatchObject({ labels: ['judgement', expect.stringMatching(/^estimative-language:/)] });
  });

  it('the report of an investigation without a question has the name of the session', () => {
    covers('INV-EXPORT.14');
    const judged = judge({ ...GRADED, research_question: '' });
    const { objects } = JSON.parse(new TextDecoder().decode(writeStix(judged))) as {
      objects: { type: string }[];
    };
    expect(objects.find(({ type }) => type === 'report')).toMatchObject({ name: judged.session_name });
  });

  it('an export that comes back gives the same investigation, and grades changed by another tool are taken over', () => {
    covers('INV-GRADE.3');
    const back = readStix(file);
    expect(back).toMatchObject({ payload: GRADED, leftOut: [], leftOutTotal: 0 });
    const objects = objectsOf(file).map((object) => {
      if (object['name'] === 'City archive')
        return { ...object, labels: ['admiralty-scale:source-reliability="f"'] };
      if (object['confidence'] === 70 && object.type === 'note') return { ...object, confidence: 30 };
      return object;
    });
    const changed = readStix(jsonBytes({ type: 'bundle', objects })).payload;
    expect(changed.actors.map(({ base_reliability }) => base_reliability)).toEqual([undefined, 0.3]);
    expect(
      changed.evidence!.find(({ claim_id, id }) => claim_id === 'record' && id !== 'plate'),
    ).toMatchObject({
      valence: 'Refutes',
      weight: 0.4,
    });
  });

  it('what another tool added or reworded in an export is named, and its verdicts never come back as claims', () => {
    covers('INV-IMPORT.1', 'INV-GRADE.4');
    const objects = objectsOf(file);
    const note = objects.findIndex(({ type }) => type === 'note');
    const reworded = objects.map((object, index) =>
      index === note ? { ...object, content: 'Else.' } : object,
    );
    const added = { type: 'note', id: 'note--2', content: 'It rained.' };
    expect(readStix(jsonBytes({ objects: [...reworded, added] })).leftOut).toEqual([
      { path: `objects[${note}].content`, reason: expect.stringContaining('changed by another tool') },
      { path: `objects[${objects.length}]`, reason: expect.stringContaining('added by another tool') },
    ]);
    const swapped = objects.map((object) =>
      object.type === 'opinion' ? { ...object, opinion: 'disagree' } : { ...object, name: 'Else' },
    );
    expect(
      new Set(readStix(jsonBytes({ objects: swapped })).leftOut.map(({ path }) => path.replace(/.*\./, ''))),
    ).toEqual(new Set(['name', 'opinion']));
    const fewer = objects.filter((_, index) => index !== note);
    expect(readStix(jsonBytes({ objects: fewer })).leftOut).toEqual([
      { path: objects[note]!.id, reason: expect.stringContaining('removed by another tool') },
    ]);
    const without = objects.filter(({ type }) => type !== 'artifact');
    const { payload, leftOut } = readStix(jsonBytes({ objects: without }));
    expect(payload.claims.map(({ content }) => content)).toEqual(GRADED.claims.map(({ content }) => content));
    expect(leftOut.map(({ reason }) => reason)).toContain('is a judgement of claims, and no claim');
  });

  it('an attached investigation with a fault is refused under the path of the attachment', () => {
    covers('INV-IMPORT.1');
    const payload_bin = Buffer.from(JSON.stringify({ ...GRADED, claims: [{ id: 'x' }] })).toString('base64');
    expect(() => readStix(jsonBytes([{ type: 'artifact', id: 'artifact--1', payload_bin }]))).toThrow(
      /\(objects\[0\]\.payload_bin\): claims\[0\]\.actor_id/,
    );
  });
});
