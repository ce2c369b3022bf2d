import { describe, expect, it } from '@jest/globals';
import { analyze } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import jsonld from 'jsonld';
import { investigations } from '@platform/opinion-fusion/fixtures';
import { readFile, writeFile } from './files.ts';
import { EXPORT_FORMATS, IMPORT_FORMATS, type ExportFormat, type ImportFormat } from './formats.ts';
import { BRIDGE, judge, NOW, partsOf } from './judged.fixture.ts';

fc.configureGlobal({ seed: SEED });

describe('round trips', () => {
  it.each(['aif', 'json', 'stix', 'misp'] as const)(
    'an investigation through %s judges to equal bytes',
    (format) => {
      covers('INV-EXPORT.2');
      fc.assert(
        fc.property(investigations(), (drawn) => {
          // What was judged came as JSON.
          const input = JSON.parse(JSON.stringify(drawn)) as typeof drawn;
          const judged = judge(input);
          const { payload } = readFile(format, writeFile(format, judged, partsOf(judged)));
          expect(JSON.stringify(analyze(payload, { now: NOW }))).toBe(JSON.stringify(judged.result));
        }),
      );
    },
  );

  it.each(IMPORT_FORMATS.filter((format) => (EXPORT_FORMATS as readonly string[]).includes(format)))(
    'an export as %s of a judgement without share and byline is read by its own importer',
    (format) => {
      covers('INV-EXPORT.17');
      const judged = judge(BRIDGE);
      const written = writeFile(format as ExportFormat & ImportFormat, judged, partsOf(judged));
      expect(readFile(format, written).payload.claims.length).toBeGreaterThan(1);
    },
  );

  it('an AIF export expands to nodes of the ontology', async () => {
    covers('INV-EXPORT.2');
    const judged = judge(BRIDGE);
    const graph = (await jsonld.expand(
      JSON.parse(new TextDecoder().decode(writeFile('aif', judged, partsOf(judged)))) as object,
    )) as Record<string, unknown>[];
    const types = graph.flatMap((node) => (node['@type'] as string[] | undefined) ?? []);
    const AIF = 'http://www.arg.dundee.ac.uk/aif#';
    expect(new Set(types)).toEqual(new Set([`${AIF}I-node`, `${AIF}RA-node`, `${AIF}CA-node`]));
    const [support] = graph.filter((node) =>
      (node['@type'] as string[] | undefined)?.includes(`${AIF}RA-node`),
    );
    expect(support).toMatchObject({
      [`${AIF}Premise`]: [{ '@id': 'urn:investigation:node:evidence:plate' }],
      [`${AIF}Conclusion`]: [{ '@id': 'urn:investigation:node:claims:record' }],
    });
  });

  it('the nodes and edges of AIFdb become claims with evidence for and against', () => {
    covers('INV-IMPORT.4');
    const map = {
      nodes: [
        { nodeID: '1', type: 'I', text: 'The road should be closed.' },
        { nodeID: '2', type: 'I', text: 'The surface is broken.' },
        { nodeID: '3', type: 'I', text: 'Traffic needs it.' },
        { nodeID: '4', type: 'RA', text: 'Default Inference' },
        { nodeID: '5', type: 'CA', text: 'Default Conflict' },
        { nodeID: '6', type: 'L', text: 'Ann: close it' },
        { nodeID: '7', type: 'YA', text: 'Asserting' },
        { nodeID: '8', type: 'I', text: ' ' },
      ],
      edges: [
        { edgeID: 1, fromID: '2', toID: '4' },
        { edgeID: 2, fromID: '4', toID: '1' },
        { edgeID: 3, fromID: '3', toID: '5' },
        { edgeID: 4, fromID: '5', toID: '1' },
        { edgeID: 5, fromID: '6', toID: '7' },
        { edgeID: 6, fromID: '7', toID: '1' },
      ],
      locutions: [{ nodeID: '6', personID: '9' }],
      participants: [{ participantID: '9', firstname: 'Ann', surname: 'Lee' }],
    };
    const { payload, leftOut } = readFile('aif', new TextEncoder().encode(JSON.stringify(map)));
    expect(payload.claims).toHaveLength(3);
    expect(payload.actors.map(({ name }) => name)).toEqual(['Ann Lee', 'Author of the argument map']);
    expect(payload.evidence?.map(({ content, valence }) => [content, valence])).toEqual([
      ['The surface is broken.', 'Supports'],
      ['Traffic needs it.', 'Refutes'],
    ]);
    expect(leftOut).toEqual([
      { path: 'nodes[7]', reason: 'has no text' },
      { path: 'nodes[3].text', reason: 'is the scheme of an inference: it is not read' },
      { path: 'nodes[4].text', reason: 'is the scheme of a conflict: it is not read' },
      { path: 'nodes[5].text', reason: 'is the wording of a locution: only who said what is read' },
    ]);
  });

  it('rephrases, preferences and transitions of an argument map are named, each with what it is', () => {
    covers('INV-IMPORT.4');
    const nodes = ['I', 'I', 'MA', 'MA', 'PA', 'TA'].map((type, index) => ({
      nodeID: String(index),
      type,
      text: type === 'MA' ? '' : `Text ${index}`,
    }));
    const edges = [
      { fromID: '0', toID: '2' },
      { fromID: '2', toID: '1' },
    ];
    const { payload, leftOut } = readFile('aif', new TextEncoder().encode(JSON.stringify({ nodes, edges })));
    expect(payload.claims).toHaveLength(2);
    const rephrase =
      'is a rephrase: it is not read, and the propositions that it links stay claims of their own';
    expect(leftOut).toEqual([
      { path: 'nodes[2]', reason: `${rephrase}, here and in 1 more of its kind` },
      { path: 'nodes[4]', reason: 'is a preference among arguments: it is not read' },
      { path: 'nodes[5]', reason: 'is a transition between locutions: it is not read' },
    ]);
  });

  it('what an argument map is said to lack is in no claim and no evidence', () => {
    covers('INV-IMPORT.4');
    const map = {
      nodes: [
        { nodeID: '1', type: 'I', text: 'A' },
        { nodeID: '2', type: 'I', text: 'B' },
        { nodeID: '1', type: 'I', text: 'Another' },
        { nodeID: '3', type: 'CA', text: '' },
        { nodeID: '4', type: 'RA', text: '' },
        { nodeID: '5', type: 'RA', text: '' },
        { nodeID: '6', type: 'Premise', text: 'C' },
      ],
      edges: [
        { fromID: '77', toID: '3' },
        { fromID: '3', toID: '1' },
        { fromID: '4', toID: '1' },
        { fromID: '2', toID: '5' },
        { fromID: '2', toID: '1' },
      ],
    };
    const { payload, leftOut } = readFile('aif', new TextEncoder().encode(JSON.stringify(map)));
    expect(payload.claims.map(({ content }) => content)).toEqual(['A', 'B']);
    expect(payload.evidence ?? []).toEqual([]);
    const aimless = 'does not lead from one proposition that is a claim to another';
    expect(leftOut).toEqual([
      { path: 'nodes[2]', reason: 'has the nodeID of an earlier node' },
      { path: 'nodes[6]', reason: 'type must be one of I, RA, CA, L, YA, MA, PA, TA' },
      { path: 'edges[0]', reason: 'leads from or to a node that is not in the file' },
      { path: 'edges[4]', reason: 'leads from I-node to I-node: put an RA-node or CA-node in between' },
      { path: 'nodes[3]', reason: aimless },
      { path: 'nodes[4]', reason: aimless },
      { path: 'nodes[5]', reason: aimless },
    ]);
  });

  it('our own JSON without a question is read with one that fits any claims', () => {
    covers('INV-IMPORT.6');
    const { research_question: _question, ...rest } = BRIDGE;
    expect(readFile('json', new TextEncoder().encode(JSON.stringify(rest))).payload).toEqual({
      ...rest,
      research_question: 'What do the claims of the file say?',
    });
  });

  it('a field of our own JSON that nobody knows is kept, and not said to be ignored', () => {
    covers('INV-IMPORT.63');
    const odd = { ...BRIDGE, claims: BRIDGE.claims.map((claim) => ({ ...claim, x_custom: 1 })) };
    const { payload, leftOut } = readFile('json', new TextEncoder().encode(JSON.stringify(odd)));
    expect(payload).toEqual(odd);
    expect(leftOut).toEqual([
      {
        path: '$',
        reason: expect.stringMatching(/`ClaimInput\.x_custom` .* counts for nothing when judging/),
      },
    ]);
  });

  it('our own JSON with a fault is refused with path and fix', () => {
    covers('INV-IMPORT.1');
    const wrong = { ...BRIDGE, claims: [{ ...BRIDGE.claims[0], actor_id: 'nobody' }] };
    expect(() => readFile('json', new TextEncoder().encode(JSON.stringify({ payload: wrong })))).toThrow(
      /claims\[0\]\.actor_id/,
    );
  });
});
