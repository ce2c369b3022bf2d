import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import jsonld from 'jsonld';
import { BRIDGE, judge } from '../judged.fixture.ts';
import { readAif } from './read-aif.ts';
import { writeAif } from './write-aif.ts';

const SPEAKERS = ['Ann', 'Bob', 'Cy'];

/** The map of two propositions of the author, with what each speaker does, `illocution`, to node `about`. */
function mapOf(
  said: readonly (readonly [speaker: string, illocution: string, about: string])[],
  nodes: readonly object[] = [],
  edges: readonly (readonly [from: string, to: string])[] = [],
): Uint8Array {
  const spoken = said.flatMap(([speaker, illocution], index) => [
    { nodeID: `l${index}`, type: 'L', text: `${speaker} : so to speak` },
    { nodeID: `y${index}`, type: 'YA', text: illocution },
  ]);
  const anchors = said.flatMap(([, , about], index) => [
    [`l${index}`, `y${index}`],
    [`y${index}`, about],
  ]);
  const map = {
    nodes: [
      { nodeID: 'safe', type: 'I', text: 'The dam is safe.' },
      { nodeID: 'old', type: 'I', text: 'The dam is old.' },
      ...nodes,
      ...spoken,
    ],
    edges: [...edges, ...anchors].map(([fromID, toID]) => ({ fromID, toID })),
    locutions: said.map(([speaker], index) => ({ nodeID: `l${index}`, personID: speaker })),
    participants: SPEAKERS.map((firstname) => ({ participantID: firstname, firstname, surname: 'Lee' })),
  };
  return new TextEncoder().encode(JSON.stringify(map));
}

const AUTHOR = ['Author of the argument map', 'The dam is old.', 'true'];

/** Each claim as speaker, proposition and value, and what is left out with a speaker. */
function read(...map: Parameters<typeof mapOf>) {
  const { payload, leftOut } = readAif(mapOf(...map));
  const nameOf = (list: readonly { id: string; name: string }[], id: string | null | undefined) =>
    list.find((one) => one.id === id)!.name;
  return {
    evidence: payload.evidence ?? [],
    claims: payload.claims.map(({ actor_id, subject_id, value }) => [
      nameOf(payload.actors, actor_id),
      nameOf(payload.subjects, subject_id),
      value,
    ]),
    named: leftOut.filter(({ reason }) => / Lee /.test(reason)),
    leftOut,
  };
}

describe('who says what in an argument map of AIFdb', () => {
  it.each(
    [
      ['Pure Questioning', 'Assertive Questioning', 'Rhetorical Questioning', 'Questioning'],
      ['Pure Challenging', 'Assertive Challenging', 'Rhetorical Challenging', 'Challenging'],
      ['Disagreeing', 'Ironic Asserting', 'Default Illocuting', 'Restating', ''],
    ].flat(),
  )('the illocution %j on a proposition makes no claim and is named with its speaker', (illocution) => {
    covers('INV-IMPORT.61');
    const { claims, named } = read([['Bob', illocution, 'safe']]);
    expect(claims).toEqual([AUTHOR]);
    expect(named).toEqual([
      {
        path: 'nodes[3]',
        reason: `${JSON.stringify(illocution)} of Bob Lee does not assert "The dam is safe."`,
      },
    ]);
  });

  it.each(['Asserting', 'agreeing', 'Conceding', 'Popular Conceding'])(
    'each speaker with the illocution %j has a claim of their own',
    (illocution) => {
      covers('INV-IMPORT.61');
      const { claims, named } = read([
        ['Ann', 'Asserting', 'safe'],
        ['Bob', 'Pure Questioning', 'safe'],
        ['Cy', illocution, 'safe'],
        ['Ann', 'Agreeing', 'safe'],
      ]);
      expect(claims).toEqual([
        ['Ann Lee', 'The dam is safe.', 'true'],
        ['Cy Lee', 'The dam is safe.', 'true'],
        AUTHOR,
      ]);
      expect(named).toHaveLength(1);
    },
  );

  it('a speaker who disagrees denies what their conflict is with, by their locution or its transition', () => {
    covers('INV-IMPORT.61');
    const conflict = { nodeID: 'ca', type: 'CA', text: 'Default Conflict' };
    const denial = ['Bob Lee', 'The dam is safe.', 'false'];
    const ann = ['Ann Lee', 'The dam is safe.', 'true'];
    const plain = read(
      [
        ['Ann', 'Asserting', 'safe'],
        ['Bob', 'Disagreeing', 'ca'],
      ],
      [conflict],
      [['ca', 'safe']],
    );
    expect([plain.claims, plain.evidence, plain.named]).toEqual([[ann, AUTHOR, denial], [], []]);
    expect(plain.leftOut.map(({ path }) => path)).not.toContain('nodes[2]');
    const reasoned = read(
      [
        ['Ann', 'Asserting', 'safe'],
        ['Bob', 'Asserting', 'old'],
      ],
      [
        conflict,
        { nodeID: 'ta', type: 'TA', text: 'Default Transition' },
        { nodeID: 'ya', type: 'YA', text: 'Disagreeing' },
      ],
      [
        ['old', 'ca'],
        ['ca', 'safe'],
        ['l0', 'ta'],
        ['ta', 'l1'],
        ['ta', 'ya'],
        ['ya', 'ca'],
      ],
    );
    expect(reasoned.claims).toEqual([ann, ['Bob Lee', 'The dam is old.', 'true'], denial]);
    expect(reasoned.evidence).toMatchObject([{ valence: 'Refutes', content: 'The dam is old.' }]);
  });

  it('evidence on what several assert counts once, and is named with whom it stands', () => {
    covers('INV-IMPORT.80');
    const links = (type: string, said: readonly (readonly [string, string, string])[]) =>
      read(
        said,
        [{ nodeID: 'link', type, text: '' }],
        [
          ['old', 'link'],
          ['link', 'safe'],
        ],
      );
    const ann = ['Ann', 'Asserting', 'safe'] as const;
    const isOfLink = ({ path }: { readonly path: string }) => path === 'nodes[2]';
    for (const type of ['RA', 'CA']) {
      const { evidence, leftOut } = links(type, [ann, ['Bob', 'Asserting', 'safe']]);
      expect(evidence).toHaveLength(1);
      expect(leftOut.filter(isOfLink)).toEqual([
        {
          path: 'nodes[2]',
          reason:
            'is evidence on what "Ann Lee" asserts alone, so that it counts once, though "Bob Lee" asserts it, too',
        },
      ]);
      expect(links(type, [ann]).leftOut.filter(isOfLink)).toEqual([]);
    }
  });

  it('a conflict that somebody only asks about denies nothing', () => {
    covers('INV-IMPORT.61');
    const { claims, leftOut } = read(
      [['Bob', 'Pure Questioning', 'ca']],
      [{ nodeID: 'ca', type: 'CA', text: '' }],
      [['ca', 'safe']],
    );
    expect(claims.map(([, , value]) => value)).toEqual(['true', 'true']);
    expect(leftOut.map(({ path }) => path)).toContain('nodes[4].text');
  });
});

describe('a graph that was written by the export', () => {
  const exported = () => JSON.parse(new TextDecoder().decode(writeAif(judge(BRIDGE)))) as object;

  it.each([
    ['expanded', (graph: object) => jsonld.expand(graph)],
    ['compacted without its context', (graph: object) => jsonld.compact(graph, {})],
    ['compacted with a prefix', (graph: object) => jsonld.compact(graph, { own: 'urn:investigation:' })],
  ] as const)('a graph that was %s is refused with what to send instead', async (_, changed) => {
    covers('INV-IMPORT.59');
    const file = new TextEncoder().encode(JSON.stringify(await changed(exported())));
    expect(() => readAif(file)).toThrow(
      'the file is an export of this service whose names were changed by expanding or compacting its JSON-LD; send the file as it was exported',
    );
  });

  it('a graph with its own context is read', () => {
    covers('INV-IMPORT.59');
    const { payload } = readAif(new TextEncoder().encode(JSON.stringify(exported())));
    expect(payload.claims).toHaveLength(BRIDGE.claims.length);
  });
});
