import { describe, expect, it } from '@jest/globals';
import { analyze, type InvestigationInput, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import {
  apartFromClaims,
  itemsToMerge,
  replacedItems,
  replacedWords,
  versionWords,
  withSuperseded,
  type ItemLists,
} from '@platform/workbench/claims';
import fc from 'fast-check';
import { readFile } from './files.ts';
import { jsonBytes } from './judged.fixture.ts';

fc.configureGlobal({ seed: SEED });

type Format = 'stix' | 'misp';
const EMPTY: ItemLists = { actors: [], subjects: [], claims: [], evidence: [] };
const NOW = { now: new Date('2026-06-01T00:00:00Z') };

const listsOf = (payload: object) =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => Array.isArray(value))) as ItemLists;

/** Merges a file as an import into a session does. */
function imported(there: ItemLists, format: Format, file: unknown) {
  const { payload } = readFile(format, jsonBytes(file));
  const merge = itemsToMerge(listsOf(payload), there);
  const items = withSuperseded(merge.items, merge.superseded);
  const lists = Object.keys(EMPTY).map((kind) => {
    const byId = new Map([...(there[kind] ?? []), ...(items[kind] ?? [])].map((item) => [item.id, item]));
    for (const id of kind === 'evidence' ? merge.removed : []) byId.delete(id);
    return [kind, [...byId.values()]] as const;
  });
  const staying = apartFromClaims(there, new Set(merge.removed));
  const replaced = replacedWords(replacedItems(merge.read, merge.items, staying));
  const named = [
    ...versionWords(merge),
    ...replaced,
    ...merge.kept.map(({ id, reason }) => `${id} ${reason}`),
  ];
  return { ...merge, named, session: Object.fromEntries(lists) as ItemLists };
}

const sessionOf = (format: Format, files: readonly unknown[]) =>
  files.reduce<ItemLists>((there, file) => imported(there, format, file).session, EMPTY);

/** The verdicts of the questions on which anyone speaks, in their order. */
function verdictsOf(lists: ItemLists) {
  const input = { research_question: 'Q', ...lists } as unknown as InvestigationInput;
  const standing = new Set(
    input.claims
      .filter(({ epistemic_status: status }) => status !== 'retracted')
      .map(({ subject_id: subject, predicate }) => `${subject} ${predicate}`),
  );
  return (analyze(input, NOW) as InvestigationResult).subject_results
    .filter(({ subject_id: subject, predicate }) => standing.has(`${subject} ${predicate}`))
    .map(({ subject_id, predicate, leading_value, confidence, calibrated_probability }) => ({
      subject_id,
      predicate,
      leading_value,
      confidence,
      calibrated_probability,
    }))
    .sort((one, other) =>
      JSON.stringify([one.subject_id, one.predicate]) < JSON.stringify([other.subject_id, other.predicate])
        ? -1
        : 1,
    );
}

const dayOf = (day: number) => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const words = fc.constantFrom('alpha', 'beta', 'gamma');
const credibility = fc.constantFrom(undefined, 1, 2, 5);
const gradeTag = (digit: number) => `admiralty-scale:information-credibility="${digit}"`;

const stixBody = fc.oneof(
  fc.record({
    type: fc.constant('indicator'),
    name: fc.option(words, { nil: undefined }),
    pattern: words.map((word) => `[file:name = '${word}']`),
    indicator_types: fc.uniqueArray(fc.constantFrom('malicious-activity', 'benign', 'anomalous-activity'), {
      maxLength: 3,
    }),
    confidence: fc.constantFrom(undefined, 20, 60, 90),
    valid_until: fc.constantFrom(undefined, dayOf(28)),
  }),
  fc.record({
    type: fc.constant('note'),
    content: words.map((word) => `The ${word} is used.`),
    labels: credibility.map((digit) => (digit === undefined ? undefined : [gradeTag(digit)])),
  }),
  fc.record({
    type: fc.constant('sighting'),
    sighting_of_ref: fc.constantFrom('tool--1', 'tool--2'),
    count: fc.constantFrom(0, 1),
  }),
  fc.record({
    type: fc.constant('relationship'),
    source_ref: fc.constant('tool--1'),
    target_ref: fc.constantFrom('tool--2', 'tool--3'),
    relationship_type: fc.constantFrom('uses', 'related-to'),
    confidence: fc.constantFrom(undefined, 20, 90),
  }),
  fc.record({ type: fc.constant('report'), name: words, published: fc.constant(dayOf(1)) }),
);
// A name has one type: an import takes a subject by the name that one of the session has.
const mispBody = fc
  .record({
    type: fc.constantFrom('ip-dst', 'domain', 'text'),
    value: words,
    category: fc.constantFrom('Network activity', 'Payload delivery'),
    comment: fc.constantFrom('', 'seen'),
    Tag: credibility.map((digit) => (digit === undefined ? [] : [{ name: gradeTag(digit) }])),
  })
  .map((body) => ({ ...body, value: `${body.value}.${body.type}` }));

/** Who creates an object: by the number of its id, and a name. */
const CERT = [1, 'CERT'] as const;
type Creator = readonly [number, string];

const stixFile = (
  body: object,
  day: number,
  more: readonly object[] = [],
  [number, name]: Creator = CERT,
) => [
  { type: 'identity', id: `identity--${number}`, name },
  { id: 'object--1', created_by_ref: `identity--${number}`, modified: dayOf(day), ...body },
  ...more,
];
const mispFile = (
  body: object,
  day: number,
  more: readonly object[] = [],
  [number, name]: Creator = CERT,
) => ({
  Event: {
    info: 'An event',
    Orgc: { name, uuid: `org-${number}` },
    Attribute: [{ uuid: 'aa-1', timestamp: String(Date.parse(dayOf(day)) / 1000), ...body }, ...more],
  },
});

/** Tags by which an attribute is of a reliable source. */
const RATED = { Tag: [{ name: 'admiralty-scale:source-reliability="a"' }] };

const creatorIn = ({ id }: { readonly id: string }) => /\.(by-\w+)$/.exec(id)![1]!;

/** The source of a claim; the one that it repeats, where it has a grade of its own. */
function sourceOf({ actors = [] }: ItemLists, claim: { readonly [field: string]: unknown }): unknown {
  const actor = actors.find(({ id }) => id === claim['actor_id'])!;
  return Array.isArray(actor['depends_on']) ? actor['depends_on'].join() : actor.id;
}

/** The sources of each creator in a session. */
function sourcesOf(lists: ItemLists): ReadonlyMap<string, ReadonlySet<unknown>> {
  const sources = new Map<string, Set<unknown>>();
  for (const claim of lists['claims']!)
    sources.set(creatorIn(claim), (sources.get(creatorIn(claim)) ?? new Set()).add(sourceOf(lists, claim)));
  return sources;
}

/** What another object of the same producer states, which stays as it is. */
const OTHERS = {
  stix: [
    {
      type: 'indicator',
      id: 'indicator--9',
      created_by_ref: 'identity--1',
      modified: dayOf(1),
      pattern: "[file:name = 'alpha']",
      indicator_types: ['malicious-activity'],
    },
  ],
  misp: [
    {
      uuid: 'aa-9',
      timestamp: String(Date.parse(dayOf(1)) / 1000),
      type: 'ip-dst',
      value: 'alpha.ip-dst',
      category: 'Network activity',
    },
  ],
};

const versions = (count: number) =>
  fc.oneof(
    fc.record({
      format: fc.constant('stix' as const),
      bodies: fc.array(stixBody, { minLength: count, maxLength: count }),
    }),
    fc.record({
      format: fc.constant('misp' as const),
      bodies: fc.array(mispBody, { minLength: count, maxLength: count }),
    }),
  );
/** The files of an object's versions, the earliest first. */
const filesOf = ({ format, bodies }: { readonly format: Format; readonly bodies: readonly object[] }) => {
  const type = (bodies[0] as { type: string }).type;
  return bodies.map((body, index) =>
    format === 'stix'
      ? stixFile(
          { ...body, ...(type === 'report' && 'name' in body && { published: dayOf(1) }) },
          2 + index,
          OTHERS.stix,
        )
      : mispFile(body, 2 + index, OTHERS.misp),
  );
};

describe('versions of objects of STIX and MISP', () => {
  it('importing all versions in their order judges as the last one alone', () => {
    covers('INV-IMPORT.120');
    fc.assert(
      fc.property(versions(3), (given) => {
        const files = filesOf(given);
        const alone = sessionOf(given.format, files.slice(-1));
        expect(verdictsOf(sessionOf(given.format, files))).toEqual(verdictsOf(alone));
      }),
      { numRuns: 100 },
    );
  });

  it('an earlier version that is imported later changes no verdict, and is named', () => {
    covers('INV-IMPORT.121');
    fc.assert(
      fc.property(versions(2), (given) => {
        const [earlier, later] = filesOf(given);
        const there = sessionOf(given.format, [later]);
        const after = imported(there, given.format, earlier);
        expect(after.session).toEqual(there);
        const isOfEarlier = ({ reason }: { reason: string }) =>
          reason.includes('is of an earlier version of');
        // A report that says the same says so at the same time, of its publication.
        const isSame = JSON.stringify(earlier).includes('published');
        expect([after.kept.every(isOfEarlier), isSame || after.kept.length > 0]).toEqual([true, true]);
      }),
      { numRuns: 100 },
    );
  });

  it('the same version imported again changes nothing', () => {
    covers('INV-IMPORT.120');
    fc.assert(
      fc.property(versions(2), (given) => {
        const there = sessionOf(given.format, filesOf(given));
        const { session, superseded, kept } = imported(there, given.format, filesOf(given)[1]);
        expect([session, superseded, kept]).toEqual([there, [], []]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('two versions of an object in one file', () => {
  it('the later one alone is taken, in whatever order, and the other one is named', () => {
    covers('INV-IMPORT.128');
    fc.assert(
      fc.property(versions(2), fc.boolean(), (given, isTurned) => {
        const files = filesOf(given);
        const both = isTurned ? files.toReversed() : files;
        const file = given.format === 'stix' ? both.flat() : { response: both };
        const { payload, leftOut } = readFile(given.format, jsonBytes(file));
        expect(verdictsOf(listsOf(payload))).toEqual(verdictsOf(sessionOf(given.format, files.slice(-1))));
        const ofVersions = leftOut.filter(({ reason }) => /^is an(other| earlier) version of/.test(reason));
        expect(ofVersions.length).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe('versions of one object by two creators', () => {
  const OTHER = [2, 'Other CERT'] as const;
  const steps = fc.array(
    fc.record({
      creator: fc.constantFrom<Creator>(CERT, OTHER),
      version: fc.nat(2),
      /** Which of the claims that are there somebody retracts by hand before. */
      retracted: fc.option(fc.nat(9), { nil: undefined, freq: 3 }),
    }),
    { minLength: 2, maxLength: 7 },
  );
  const fileBy = (format: Format, body: object, day: number, creator: Creator) =>
    format === 'stix' ? stixFile(body, day, [], creator) : mispFile(body, day, [], creator);
  // A report is dated by its publication, by which three versions have no order.
  const bodies = versions(6).filter(({ bodies: all }) => all.every((body) => !('published' in body)));
  /** The file of a version of a creator; the days of the two creators alternate. */
  const filesBy =
    ({ format, bodies: all }: { format: Format; bodies: readonly object[] }) =>
    (creator: Creator, version: number) => {
      const at = 2 * version + creator[0];
      return fileBy(format, all[at - 1]!, at, creator);
    };

  it('importing the versions of two creators in any order judges as the newest of each alone', () => {
    covers('INV-IMPORT.129');
    fc.assert(
      fc.property(bodies, steps, (given, order) => {
        const fileOf = filesBy(given);
        const newest = [CERT, OTHER].flatMap((creator) => {
          const own = order.filter((step) => step.creator === creator).map(({ version }) => version);
          return own.length === 0 ? [] : [fileOf(creator, Math.max(...own))];
        });
        const files = order.map(({ creator, version }) => fileOf(creator, version));
        const alone = sessionOf(given.format, newest);
        expect(verdictsOf(sessionOf(given.format, files))).toEqual(verdictsOf(alone));
      }),
      { numRuns: 150 },
    );
  });

  it('a claim that someone retracts by hand stays retracted, whatever versions come and go', () => {
    covers('INV-IMPORT.131');
    fc.assert(
      fc.property(bodies, steps, (given, order) => {
        const fileOf = filesBy(given);
        const byHand = new Set<string>();
        let session = EMPTY;
        for (const { creator, version, retracted } of order) {
          const counting = session['claims']!.filter((claim) => claim['epistemic_status'] !== 'retracted');
          const chosen = retracted === undefined ? undefined : counting[retracted % counting.length];
          if (chosen) {
            byHand.add(chosen.id);
            const claims = session['claims']!.map((claim) =>
              claim === chosen ? { ...claim, epistemic_status: 'retracted' } : claim,
            );
            session = { ...session, claims };
          }
          session = imported(session, given.format, fileOf(creator, version)).session;
        }
        const now = new Map(session['claims']!.map((claim) => [claim.id, claim['epistemic_status']]));
        for (const id of byHand) expect([id, now.get(id)]).toEqual([id, 'retracted']);
      }),
      { numRuns: 150 },
    );
  });

  const indicator = (day: number, pattern: string, creator?: Creator) =>
    stixFile({ type: 'indicator', id: 'indicator--1', pattern, confidence: 80 }, day, [], creator);

  it.each(['P1', 'P2'])(
    'a later version by somebody else, of pattern %s, counts beside the one that is there',
    (pattern) => {
      covers('INV-IMPORT.129', 'INV-IMPORT.130');
      const there = sessionOf('stix', [indicator(1, 'P1')]);
      const { session, named } = imported(there, 'stix', indicator(2, pattern, OTHER));
      expect(session['claims']).toHaveLength(2);
      expect(session['evidence']).toHaveLength(2);
      expect(session['claims']![0]).toEqual(there['claims']![0]);
      expect(named).toEqual([
        'What others state under the id of an object counts besides what its creator states: "Other CERT" states indicator--1 of "CERT".',
      ]);
      expect(imported(session, 'stix', indicator(2, pattern, OTHER)).named).toEqual([]);
    },
  );

  it('what two organizations state of one attribute counts, the earlier one, too', () => {
    covers('INV-IMPORT.129', 'INV-IMPORT.130');
    const file = (value: string, day: number, creator?: Creator) =>
      mispFile({ type: 'domain', value }, day, [], creator);
    const there = sessionOf('misp', [file('a.example', 2)]);
    const { session, named } = imported(there, 'misp', file('b.example', 1, OTHER));
    expect(session['claims']!.map((claim) => claim['epistemic_status'])).toEqual([undefined, undefined]);
    expect(named.join()).toContain('"Other CERT" states aa-1 of "CERT"');
  });

  it('an object of two creators in one file is two claims, and the file is named for it', () => {
    covers('INV-IMPORT.129', 'INV-IMPORT.130');
    const { payload, leftOut } = readFile(
      'stix',
      jsonBytes([...indicator(1, 'P1'), ...indicator(2, 'P1', OTHER)]),
    );
    expect(payload.claims).toHaveLength(2);
    expect(payload.evidence).toHaveLength(2);
    expect(leftOut.map(({ reason }) => reason)).toContain(
      'has the id of objects[1], which somebody else created: what both state counts',
    );
  });

  it.each<[string, Creator]>([
    ['another name', [1, 'CERT of Example']],
    ['another id', [7, 'cert']],
  ])('a creator who has %s since supersedes the earlier version', (_, creator) => {
    covers('INV-IMPORT.129');
    const session = sessionOf('stix', [indicator(1, 'P1'), indicator(2, 'P2', creator)]);
    expect(session['claims']!.map((claim) => claim['epistemic_status'])).toEqual(['retracted', undefined]);
  });

  it('opinions of two creators in any order count as the newest of each alone', () => {
    covers('INV-IMPORT.132');
    const opinions = fc.array(
      fc.record({
        opinion: fc.constantFrom('strongly-agree', 'agree', 'neutral', 'disagree', 'strongly-disagree'),
        revoked: fc.boolean(),
        explanation: fc.option(words, { nil: undefined }),
        on: fc.constantFrom('object--1', 'object--2'),
      }),
      { minLength: 6, maxLength: 6 },
    );
    const note = (id: string, content: string) => ({
      type: 'note',
      id,
      created_by_ref: 'identity--1',
      modified: dayOf(1),
      content,
    });
    fc.assert(
      fc.property(opinions, steps, (given, order) => {
        const fileOf = (steps_: readonly { creator: Creator; version: number }[]) => [
          note('object--1', 'It rains.'),
          note('object--2', 'It snows.'),
          ...steps_.map(({ creator: [number], version }) => {
            const { on, ...body } = given[2 * version + number - 1]!;
            const by = { id: 'opinion--1', created_by_ref: `identity--${number}`, object_refs: [on] };
            return { type: 'opinion', ...by, modified: dayOf(2 + version), ...body };
          }),
        ];
        const newest = [CERT, OTHER].flatMap((creator) => {
          const own = order.filter((step) => step.creator === creator).map(({ version }) => version);
          return own.length === 0 ? [] : [{ creator, version: Math.max(...own) }];
        });
        const session = sessionOf(
          'stix',
          order.map((step) => fileOf([step])),
        );
        const alone = sessionOf('stix', [fileOf(newest)]);
        const said = (lists: ItemLists) => lists['evidence']!.map((item) => JSON.stringify(item)).sort();
        expect(said(session)).toEqual(said(alone));
        expect(verdictsOf(session)).toEqual(verdictsOf(alone));
      }),
      { numRuns: 150 },
    );
  });

  it('a relationship whose other end has another name since is superseded, and counts again by its old name', () => {
    covers('INV-IMPORT.133');
    const file = (name: string, day: number) => [
      { type: 'malware', id: 'malware--1', modified: dayOf(day), name },
      ...stixFile(
        { type: 'relationship', source_ref: 'tool--1', target_ref: 'malware--1', relationship_type: 'uses' },
        1,
      ),
    ];
    const counting = (files: readonly unknown[]) => {
      const { claims = [] } = sessionOf('stix', files);
      return claims
        .filter((claim) => claim['epistemic_status'] !== 'retracted')
        .map(({ content }) => content);
    };
    const [fox, wolf, again] = [file('Fox', 1), file('Wolf', 2), file('Fox', 3)];
    expect(counting([fox, wolf])).toEqual(['tool--1 uses Wolf.']);
    expect(counting([wolf, fox])).toEqual(['tool--1 uses Wolf.']);
    expect(counting([fox, wolf, again])).toEqual(['tool--1 uses Fox.']);
    const there = sessionOf('stix', [fox]);
    const edited = { ...there, claims: there['claims']!.map((claim) => ({ ...claim, content: 'By hand.' })) };
    expect(imported(edited, 'stix', again).session['claims']).toEqual(edited.claims);
  });

  it('an opinion that a later version changes is named with both sides, and keeps what was added to it', () => {
    covers('INV-IMPORT.132');
    const file = (day: number, opinion: object) => [
      { type: 'note', id: 'note--1', modified: dayOf(1), content: 'It rains.' },
      { type: 'opinion', id: 'opinion--1', modified: dayOf(day), object_refs: ['note--1'], ...opinion },
    ];
    const [agree, disagree] = [file(1, { opinion: 'agree' }), file(2, { opinion: 'strongly-disagree' })];
    const there = sessionOf('stix', [agree]);
    const quoted = { ...there, evidence: there['evidence']!.map((item) => ({ ...item, quote: 'By hand.' })) };
    const { session, named } = imported(quoted, 'stix', disagree);
    expect(session['evidence']).toMatchObject([{ valence: 'Refutes', weight: 0.8, quote: 'By hand.' }]);
    expect(named).toEqual([
      '1 opinion of an earlier version is superseded by the file: "Opinion: agree.": content from "Opinion: agree." to "Opinion: strongly-disagree.", valence from "Supports" to "Refutes", weight from 0.4 to 0.8.',
    ]);
    expect(imported(session, 'stix', agree).kept).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('earlier version of opinion--1') }),
    ]);
    const revoked = imported(session, 'stix', file(3, { opinion: 'strongly-disagree', revoked: true }));
    expect(revoked.session['evidence']).toMatchObject([
      { content: 'Revoked: Opinion: strongly-disagree.', valence: 'Neutral' },
    ]);
  });

  it('a retraction by an import says which version superseded the claim, until one states it again', () => {
    covers('INV-IMPORT.131');
    const superseded = sessionOf('stix', [indicator(1, 'P1'), indicator(2, 'P2')]);
    const contents = superseded['evidence']!.map(({ content }) => content);
    expect(contents).toContain('Superseded by the version of indicator--1 of 2026-01-02T00:00:00.000Z.');
    const { session, named } = imported(superseded, 'stix', indicator(3, 'P1'));
    // The mark goes with the retraction.
    expect(named.join()).not.toContain('What refers to it stays');
    const marked = session['evidence']!.filter(({ content }) => String(content).startsWith('Superseded'));
    const counting = session['claims']!.filter((claim) => claim['epistemic_status'] !== 'retracted');
    expect(counting.map(({ content }) => content)).toEqual(['P1 indicates malicious-activity.']);
    expect(marked).toHaveLength(1);
  });
});

describe('creators under several names', () => {
  const relation = (number: number) => ({
    id: `relationship--${number}`,
    type: 'relationship',
    source_ref: 'tool--1',
    target_ref: 'tool--2',
    relationship_type: 'uses',
  });
  const [first, second] = [1, 2].map(
    (number) => (creator?: Creator) => stixFile(relation(number), 1, [], creator),
  );
  const bare = stixFile(relation(2), 1).slice(1);
  const reported = (uuid: string, creator?: Creator, more = {}) =>
    mispFile({ uuid, type: 'domain', value: 'a.example', ...more }, 1, [], creator);
  const CALLED = [1, 'CERT of Example'] as const;

  it.each<[string, Format, readonly object[]]>([
    ['a later file of STIX names otherwise', 'stix', [first!(), second!(CALLED)]],
    ['a later file of STIX does not name', 'stix', [first!(), bare]],
    ['a later file of STIX names first', 'stix', [bare, first!()]],
    ['a later event of MISP names otherwise', 'misp', [reported('aa-1'), reported('aa-2', CALLED)]],
    [
      'an event of the same file names otherwise',
      'misp',
      [{ response: [reported('aa-1'), reported('aa-2', CALLED)] }],
    ],
    ['grades otherwise under another name', 'misp', [reported('aa-1'), reported('aa-2', CALLED, RATED)]],
  ])('a creator whom %s is one source, and does not confirm itself', (_, format, files) => {
    covers('INV-IMPORT.140');
    const control = format === 'stix' ? [first!(), second!()] : [reported('aa-1'), reported('aa-2')];
    const session = sessionOf(format, files);
    expect(session['claims']).toHaveLength(2);
    expect(verdictsOf(session)[0]!.calibrated_probability).toBeCloseTo(
      verdictsOf(sessionOf(format, control))[0]!.calibrated_probability,
    );
  });

  it('a source that a file calls otherwise keeps its name, which the import tells', () => {
    covers('INV-IMPORT.141');
    const there = sessionOf('stix', [first!()]);
    const { session, named } = imported(there, 'stix', second!(CALLED));
    expect(session['actors']).toEqual(there['actors']);
    expect(named).toEqual([
      'Sources whose creator has one id are one, whatever a file calls them: "CERT of Example" is "CERT". It keeps its name in the session.',
    ]);
    expect(imported(there, 'stix', bare).named).toEqual([]);
  });

  it('the same attribute of an organization that has another name since is the same claim, with one grade', () => {
    covers('INV-IMPORT.140');
    const Tag = [{ name: gradeTag(1) }];
    const there = sessionOf('misp', [reported('aa-1', CERT, { Tag })]);
    const again = imported(there, 'misp', reported('aa-1', CALLED, { Tag }));
    expect(again.session).toEqual(there);
    const later = mispFile({ type: 'domain', value: 'a.example', comment: 'anew' }, 2, [], CALLED);
    const { session } = imported(there, 'misp', later);
    expect(session['claims']).toMatchObject([{ id: there['claims']![0]!.id, content: 'anew: a.example' }]);
  });

  it('however creators are named, each is one source, and a file changes nothing that another creator said', () => {
    covers('INV-IMPORT.140', 'INV-IMPORT.142');
    const names = ['CERT', 'CERT of Example', 'Other CERT'];
    const files = fc.array(
      fc.record({
        number: fc.constantFrom(1, 2, 3),
        name: fc.option(fc.constantFrom(...names), { nil: undefined }),
        object: fc.constantFrom(1, 2, 3),
        day: fc.constantFrom(1, 2, 3),
        value: fc.constantFrom('alpha', 'beta'),
        letter: fc.constantFrom(undefined, undefined, 'a', 'd'),
      }),
      { minLength: 2, maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.constantFrom<Format>('stix', 'misp'), files, (format, order) => {
        let session = EMPTY;
        for (const { number, name, object, day, value, letter } of order) {
          const grade = letter && `admiralty-scale:source-reliability="${letter}"`;
          const creator = [number, name ?? ''] as const;
          const file =
            format === 'stix'
              ? stixFile(
                  {
                    id: `indicator--${object}`,
                    type: 'indicator',
                    pattern: value,
                    ...(grade && { labels: [grade] }),
                  },
                  day,
                  [],
                  creator,
                ).slice(name === undefined ? 1 : 0)
              : mispFile(
                  { uuid: `aa-${object}`, type: 'text', value, ...(grade && { Tag: [{ name: grade }] }) },
                  day,
                  [],
                  [number, name ?? names[number - 1]!],
                );
          const before = session;
          session = imported(before, format, file).session;
          const alone = sessionOf(format, [file]);
          const [known] = sourcesOf(session).get(creatorIn(alone['claims']![0]!)) ?? [];
          // Of creators who share a name, one whose version is left out leaves nothing in the session.
          const called = session['actors']!.find((actor) => actor['name'] === alone['actors']![0]!['name']);
          const speaker = known ?? called!.id;
          const ofOthers = before['claims']!.filter((claim) => sourceOf(session, claim) !== speaker);
          expect(session['claims']).toEqual(expect.arrayContaining(ofOthers));
        }
        for (const [creator, sources] of sourcesOf(session))
          expect([creator, sources.size]).toEqual([creator, 1]);
      }),
      { numRuns: 300 },
    );
  });

  const B = [2, 'Other CERT'] as const;
  const ofTool = (type: 'relationship' | 'sighting', day = 1, more = {}) =>
    stixFile(
      {
        id: `${type}--1`,
        type,
        ...(type === 'sighting'
          ? { sighting_of_ref: 'tool--1' }
          : { source_ref: 'group--1', target_ref: 'tool--1', relationship_type: 'uses' }),
        ...more,
      },
      day,
      [{ type: 'intrusion-set', id: 'group--1', name: 'Bear' }],
    );
  const tool = (name: string, day: number, [number]: Creator = CERT) => ({
    type: 'tool',
    id: 'tool--1',
    created_by_ref: `identity--${number}`,
    modified: dayOf(day),
    name,
  });
  const contentsOf = ({ claims = [] }: ItemLists) =>
    claims.filter((claim) => claim['epistemic_status'] !== 'retracted').map(({ content }) => content);

  it.each(['relationship', 'sighting'] as const)(
    'a name that another creator gives what a %s is of changes nothing, and is named',
    (type) => {
      covers('INV-IMPORT.142');
      const there = sessionOf('stix', [[...ofTool(type), tool('Fox', 1)]]);
      const byOther = [...ofTool(type), tool('Harmless', 2, B)];
      const { session, named } = imported(there, 'stix', byOther);
      expect(session['claims']).toEqual(there['claims']);
      expect(named.join()).toContain('with a name that somebody else gave what it names');
      const both = [...ofTool(type), tool('Fox', 1), tool('Harmless', 2, B)];
      expect(contentsOf(imported(session, 'stix', both).session)).toEqual(contentsOf(there));
      const own = [...ofTool(type), tool('Wolf', 3)];
      expect(contentsOf(imported(session, 'stix', own).session).join()).toMatch(/^(?:Bear uses )?Wolf/);
    },
  );

  it.each(['relationship', 'sighting'] as const)(
    'a file without what a %s is of changes nothing, takes its name over once it comes, and withdraws',
    (type) => {
      covers('INV-IMPORT.143');
      const whole = [...ofTool(type), tool('Fox', 1)];
      const there = sessionOf('stix', [whole]);
      for (const day of [1, 2]) {
        const { session, named } = imported(there, 'stix', ofTool(type, day));
        expect(session).toEqual(there);
        expect(named.join()).toContain('without what it names');
      }
      expect(contentsOf(sessionOf('stix', [ofTool(type), whole]))).toEqual(contentsOf(there));
      expect(contentsOf(imported(there, 'stix', ofTool(type, 2, { revoked: true })).session)).toEqual([]);
    },
  );

  it('whatever versions creators give of what a source names, it is called as its first creator last did', () => {
    covers('INV-IMPORT.133', 'INV-IMPORT.142');
    const named = fc.record({ number: fc.constantFrom(1, 2, 3), day: fc.nat(4).map((day) => day + 1) });
    fc.assert(
      fc.property(fc.array(named, { minLength: 1, maxLength: 6 }), (order) => {
        const files = order.map(({ number, day }) => [
          ...ofTool('sighting'),
          tool(`Tool ${number} of ${day}`, day, [number, '']),
        ]);
        const [{ number }] = order as [(typeof order)[0]];
        const days = order.filter((one) => one.number === number).map(({ day }) => day);
        const name = `Tool ${number} of ${Math.max(...days)}`;
        expect(contentsOf(sessionOf('stix', files))).toEqual([`${name} was sighted.`]);
      }),
      { numRuns: 200 },
    );
  });
});

/** Edits by hand of the items of a session: which one of a list, and what of it. */
const edits = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('claims'),
      fields: fc.oneof(
        fc.constantFrom('Europe', 'Asia').map((scope) => ({ scope })),
        fc.constantFrom('retracted', 'established').map((status) => ({ epistemic_status: status })),
        fc.constant({ content: 'Rewritten by hand.' }),
        fc.constant({ value: 'false' }),
        fc.constant({ valence: 'Refutes' }),
        fc.constant({ quote: 'Quoted by hand.' }),
        fc.constant({ url: 'https://example.org/by-hand' }),
      ),
      at: fc.nat(9),
    }),
    fc.record({
      kind: fc.constant('evidence'),
      fields: fc.oneof(
        fc.constant({ content: 'Evidence by hand.' }),
        fc.constantFrom(0, 0.9, 3).map((weight) => ({ weight })),
        fc.constantFrom('Supports', 'Refutes', 'Neutral').map((valence) => ({ valence })),
      ),
      at: fc.nat(9),
    }),
    fc.record({
      kind: fc.constantFrom('actors', 'subjects'),
      fields: fc.constant({ name: 'Named by hand' }),
      at: fc.nat(9),
    }),
  ),
  { maxLength: 4 },
);

const edited = (lists: ItemLists, changes: readonly { kind: string; fields: object; at: number }[]) =>
  changes.reduce<ItemLists>((all, { kind, fields, at }) => {
    const list = all[kind] ?? [];
    const changed = list.map((item, index) => (index === at % list.length ? { ...item, ...fields } : item));
    return { ...all, [kind]: changed };
  }, lists);

describe('edits by hand between two versions of an object', () => {
  it('whatever a later version removes or changes of a session it states itself or is named, and evidence by hand stays', () => {
    covers('INV-IMPORT.126', 'INV-IMPORT.127');
    fc.assert(
      fc.property(versions(2), edits, (given, changes) => {
        const [first, second] = filesOf(given);
        const before = sessionOf(given.format, [first]);
        const there = edited(before, changes);
        const { session, read, named } = imported(there, given.format, second);
        const words = named.join('\n');
        for (const [kind, list] of Object.entries(there))
          for (const item of list) {
            const after = session[kind]!.find(({ id }) => id === item.id);
            const stated = read[kind]?.find(({ id }) => id === item.id);
            const asImported = before[kind]!.find(({ id }) => id === item.id);
            const fields = Object.keys({ ...item, ...after }).filter(
              (field) => item[field] !== after?.[field],
            );
            const isNamed = (text: unknown) => words.includes(JSON.stringify(text));
            if (kind === 'evidence' && JSON.stringify(item) !== JSON.stringify(asImported))
              expect(after).toEqual(item);
            if (after === undefined) expect([item, isNamed(item['content'])]).toEqual([item, true]);
            else
              for (const field of fields)
                expect([
                  item,
                  field,
                  field === 'epistemic_status' && stated === undefined
                    ? isNamed(item['content'])
                    : words.includes(field) && after[field] === stated?.[field],
                ]).toEqual([item, field, true]);
          }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a later version of one object', () => {
  const indicator = (more: object, day: number) =>
    stixFile(
      {
        type: 'indicator',
        id: 'indicator--1',
        pattern: 'P1',
        indicator_types: ['benign', 'anomalous-activity'],
        ...more,
      },
      day,
    );

  it('a later version names the object whose claims it supersedes, with how many and which', () => {
    covers('INV-IMPORT.122');
    const there = sessionOf('stix', [indicator({}, 1)]);
    const merge = imported(there, 'stix', indicator({ pattern: 'P2' }, 2));
    expect(versionWords(merge)).toEqual([
      '2 claims of an earlier version of indicator--1 are superseded by the file and retracted: "P1 indicates benign.", "P1 indicates anomalous-activity.".',
    ]);
  });

  it('a credibility that the tags of a MISP event state anew is taken over, in whatever order, unless edited', () => {
    covers('INV-IMPORT.134');
    const event = (day: number, digit: number, on: 'event' | 'attribute') => {
      const Tag = [{ name: gradeTag(digit) }];
      const Attribute = [
        {
          uuid: 'aa-1',
          timestamp: '1767225600',
          type: 'domain',
          value: 'a.example',
          ...(on === 'attribute' && { Tag }),
        },
      ];
      const timestamp = String(Date.parse(dayOf(day)) / 1000);
      return {
        Event: { info: 'E', Orgc: { name: 'CERT' }, timestamp, Attribute, ...(on === 'event' && { Tag }) },
      };
    };
    for (const on of ['event', 'attribute'] as const) {
      const [first, same, last] = [event(2, 1, on), event(3, 1, on), event(4, 5, on)];
      const there = sessionOf('misp', [first]);
      expect(imported(there, 'misp', same)).toMatchObject({ session: there, named: [] });
      const { session, named } = imported(there, 'misp', last);
      expect(session['evidence']).toMatchObject([{ valence: 'Refutes', weight: 0.8 }]);
      expect(named.join()).toMatch(/content from "Credibility 1, .* to "Credibility 5, /);
      expect(imported(session, 'misp', first).session).toEqual(session);
      const evidence = there['evidence']!.map((item) => ({ ...item, weight: 0.9 }));
      expect(imported({ ...there, evidence }, 'misp', last).session['evidence']).toEqual(evidence);
    }
  });

  it('a later version that was revoked retracts what the object stated, with whatever words', () => {
    covers('INV-IMPORT.123');
    for (const pattern of ['P1', 'P2']) {
      const session = sessionOf('stix', [indicator({}, 1), indicator({ pattern, revoked: true }, 2)]);
      expect(new Set(session['claims']!.map((claim) => claim['epistemic_status']))).toEqual(
        new Set(['retracted']),
      );
    }
  });

  it('a later version keeps what was added to a claim that it states again, and a retraction by hand', () => {
    covers('INV-IMPORT.124');
    const there = sessionOf('stix', [indicator({}, 1)]);
    const edited = {
      ...there,
      claims: there['claims']!.map((claim) => ({ ...claim, scope: 'Europe', epistemic_status: 'retracted' })),
    };
    const { session, kept } = imported(edited, 'stix', indicator({ description: 'Anew.' }, 2));
    expect(session['claims']).toMatchObject(
      [1, 2].map(() => ({
        content: 'Anew.',
        scope: 'Europe',
        epistemic_status: 'retracted',
        assertion_time: dayOf(2),
      })),
    );
    expect(kept[0]!.reason).toContain('epistemic_status is unset in the file and "retracted" in the session');
  });

  it.each<Format>(['stix', 'misp'])(
    'a link that someone added to a claim of %s stays where a later version has none, and gives way to its own',
    (format) => {
      covers('INV-IMPORT.144');
      const file = (day: number, url?: string) =>
        format === 'stix'
          ? indicator({ external_references: url === undefined ? [] : [{ url }] }, day)
          : mispFile({ type: 'domain', value: 'a.example' }, day);
      const there = sessionOf(format, [file(1)]);
      const url = 'https://example.org/by-hand';
      const linked = { ...there, claims: there['claims']!.map((claim) => ({ ...claim, url })) };
      const { session, named } = imported(linked, format, file(2));
      expect(session['claims']!.map((claim) => claim['url'])).toEqual(session['claims']!.map(() => url));
      expect(named.join()).not.toContain('url');
      const own = 'https://example.org/own';
      const after = imported(session, format, file(3, own)).session['claims']![0];
      expect(after!['url']).toBe(format === 'stix' ? own : url);
    },
  );

  it.each<[string, number | undefined]>([
    ['states no grade', undefined],
    ['states another one', 20],
  ])('evidence that someone wrote in place of a grade stays where a later version %s', (_, confidence) => {
    covers('INV-IMPORT.126');
    const one = { indicator_types: ['benign'] };
    const there = sessionOf('stix', [indicator({ ...one, confidence: 80 }, 1)]);
    for (const edit of [
      { content: 'Our own analysis.' },
      { weight: 0.9 },
      { valence: 'Refutes' },
      { quote: 'x' },
    ]) {
      const evidence = there['evidence']!.map((item) => ({ ...item, ...edit }));
      const { session, named } = imported(
        { ...there, evidence },
        'stix',
        indicator({ ...one, confidence }, 2),
      );
      expect(session['evidence']).toEqual(evidence);
      expect(named.join('\n')).toMatch(new RegExp(`${evidence[0]!.id} stays as it`));
    }
  });

  it('a later version without a grade removes that of the earlier one and names it', () => {
    covers('INV-IMPORT.127');
    const there = sessionOf('stix', [indicator({ indicator_types: ['benign'], confidence: 80 }, 1)]);
    const { session, named } = imported(there, 'stix', indicator({ indicator_types: ['benign'] }, 2));
    expect(session['evidence']).toEqual([]);
    expect(named).toContain(
      '1 grade that the later version does not state is removed: "Credibility 1, confirmed by other sources (confidence 80 of 100)." on "P1 indicates benign.".',
    );
  });

  it('a later version takes the place of the same claim of an import whose ids did not name their object', () => {
    covers('INV-IMPORT.120');
    const there = sessionOf('stix', [indicator({ confidence: 90 }, 1)]);
    const bare = (id: unknown) => String(id).split('.', 1)[0]!;
    const old = {
      ...there,
      claims: there['claims']!.map((claim) => ({ ...claim, id: bare(claim.id) })),
      evidence: there['evidence']!.map((item) => ({ ...item, claim_id: bare(item['claim_id']) })),
    };
    const file = indicator({ confidence: 20 }, 2);
    const { session } = imported(old, 'stix', file);
    expect(session['claims']!.map(({ id }) => id)).toEqual(old.claims.map(({ id }) => id));
    expect(verdictsOf(session)).toEqual(verdictsOf(sessionOf('stix', [file])));
  });
});
