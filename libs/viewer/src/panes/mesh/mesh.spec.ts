import { describe, expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { DAM_INPUT } from '../../dam-failure.fixture.ts';
import { createModel } from '../../model.ts';
import { exampleInput, largeInput, snapshotOf } from '../../snapshot.fixture.ts';
import { claimNode } from './mesh-nodes.ts';
import { createQuestion, NODES_DRAWN } from './mesh-graph.ts';
import { layoutQuestion } from './mesh-layout.ts';
import type { Box } from './mesh-layout.ts';
import { wrapped } from './mesh-text.ts';
import type { View } from './mesh-view.ts';
import { changes, neighborhood, shownEdges, shownNodes, standingOf } from './mesh-view.ts';

const questionsOf = (input: InvestigationInput, most: number = NODES_DRAWN.first) => {
  const model = createModel(snapshotOf(input));
  return model.verdicts.map((verdict) => createQuestion(verdict, verdict.conflict!, model, most));
};
const dam = questionsOf(DAM_INPUT);
const questionOf = (predicate: string) => dam.find(({ verdict }) => verdict.predicate === predicate)!;
const cause = questionOf('cause');
const view = (more: Partial<View> = {}): View => ({
  reading: 0,
  compared: null,
  hiddenKinds: new Set(),
  hiddenNodes: new Set(),
  focus: null,
  ...more,
});
const edgesOf = (question: typeof cause, more: Partial<View> = {}) =>
  shownEdges(question, view(more), shownNodes(question, view(more)));
const edge = (question: typeof cause, id: string, more: Partial<View> = {}) =>
  edgesOf(question, more).find((item) => item.edge.id === id);

describe('a question', () => {
  it('the mesh gathers claims that agree and attack alike into positions, the one of the verdict first', () => {
    expect(cause.positions.map(({ claims }) => claims.map(({ id }) => id).toSorted())).toEqual([
      ['harms-erosion', 'panel-erosion'],
      expect.anything(),
      expect.anything(),
      expect.anything(),
      ['log-entry', 'minutes-repairs'],
    ]);
  });

  it('the mesh puts claims without weight apart, whatever they say', () => {
    covers('INV-R3.1', 'INV-R13.9');
    const weightless = dam.flatMap(({ positions }) =>
      positions
        .filter(({ kind }) => kind === 'weightless')
        .flatMap(({ claims }) => claims.map(({ id }) => id)),
    );
    expect(weightless.toSorted()).toEqual(['posts-toll', 'rating-2021']);
  });

  it('the mesh draws a meta-claim next to its target, as an attack only where the framework has one', () => {
    const [refuted, outweighed] = [
      edge(cause, 'on:claim:seismic-network'),
      edge(cause, 'on:claim:station-outage'),
    ];
    expect(refuted).toMatchObject({
      edge: { kind: 'attacks', to: 'claim:operator-earthquake' },
      headAtEnd: true,
      headAtStart: false,
    });
    expect(outweighed).toMatchObject({
      edge: { kind: 'weighs', to: 'claim:seismic-network' },
      headAtStart: true,
    });
    expect(edge(cause, 'on:claim:review-panel')!.edge.kind).toBe('supports');
  });

  it('the mesh joins premises of other questions to the verdict through the inference, named by its rule', () => {
    expect(edge(cause, 'premise:inf-postponed:log-entry')!.edge).toMatchObject({
      kind: 'infers',
      from: 'claim:log-entry',
    });
    expect(edge(cause, 'infers:inf-postponed')!.edge).toMatchObject({ label: 'default', to: 'verdict' });
  });

  it('the mesh crosses out the attack that a distinction suppresses', () => {
    covers('INV-R10.1');
    expect(edge(questionOf('seepage_litres_per_minute'), 'distinction:dist-season')!.edge.kind).toBe(
      'suppressed',
    );
    expect(cause.edges.some(({ kind }) => kind === 'suppressed')).toBe(false);
  });

  it('the mesh draws attacks in one direction in each reading of claims that contradict each other', () => {
    const alarm = questionOf('alarm_was_raised');
    const [first, second] = [0, 1].map((reading) =>
      edgesOf(alarm, { reading }).find(({ edge: { id } }) => id.startsWith('attack:'))!,
    );
    expect([first!.headAtEnd, first!.headAtStart]).toEqual([true, false]);
    expect([second!.headAtEnd, second!.headAtStart]).toEqual([false, true]);
  });

  it('the mesh draws no attack of or on a claim that its own source has corrected', () => {
    covers('INV-S.2');
    const touching = questionOf('deaths').edges.filter(
      ({ id, kind }) => kind === 'attacks' && id.startsWith('attack:') && id.includes('regulator-toll-11'),
    );
    expect(touching).toEqual([]);
  });

  it('the mesh draws one arrow, named supersedes, from a newer claim of another source to the claim it replaces', () => {
    covers('INV-S.2');
    const [question] = questionsOf(replacing('b')) as [typeof cause];
    const [older, newer] = ['older', 'newer'].map((id) =>
      question.positions.find(({ claims }) => claims.some((claim) => claim.id === id))!,
    );
    expect([older!.kind, newer!.kind]).toEqual(['position', 'position']);
    const arrows = question.edges.filter(({ id }) => id.startsWith('attack:'));
    expect(arrows).toHaveLength(1);
    const { from, label, forward, backward } = arrows[0]!;
    expect(label).toBe('supersedes');
    // Only the newer one attacks, whichever end the drawing begins at.
    const [byNewer, byOlder] = from === newer!.id ? [forward, backward] : [backward, forward];
    expect([byNewer!.size > 0, byOlder!.size]).toEqual([true, 0]);
  });

  it('the mesh begins with the newer statement of a source, and no arrow joins it to the one it replaced', () => {
    covers('INV-S.2');
    const [question] = questionsOf(replacing('a')) as [typeof cause];
    expect(question.positions.map(({ claims }) => claims.map(({ id }) => id))).toEqual([
      ['newer'],
      ['older'],
    ]);
    expect(question.positions[1]!.claims[0]!.analysis!.epistemic_status).toBe('superseded');
    expect(question.edges.filter(({ id }) => id.startsWith('attack:'))).toEqual([]);
    expect(question.verdict.result.leading_value).toBe('29');
  });
});

/** A claim of `a`, and one of `actor_id` that supersedes it. */
function replacing(actor_id: string): InvestigationInput {
  const claim = { subject_id: 's', predicate: 'deaths', content: '' };
  return {
    research_question: 'How many died?',
    actors: ['a', 'b'].map((id) => ({ id, name: id, source_type: 'Regulator' })),
    subjects: [{ id: 's', name: 'S', subject_type: 'event' }],
    claims: [
      { ...claim, id: 'older', actor_id: 'a', value: '14' },
      { ...claim, id: 'newer', actor_id, value: '29', supersedes_claim_id: 'older' },
    ],
  };
}

describe('readings', () => {
  it('a reading accepts what its interpretation accepts and rejects the rest', () => {
    expect(cause.accepted.length).toBe(3);
    for (const [reading, accepted] of cause.accepted.entries())
      for (const node of cause.nodes)
        if (node.kind === 'claim')
          expect(standingOf(node, cause, reading)).toBe(
            accepted.has(node.claim!.id) ? 'accepted' : 'rejected',
          );
  });

  it('two readings are compared both ways', () => {
    const here = changes(cause, view({ compared: 1 }));
    const back = changes(cause, view({ reading: 1, compared: 0 }));
    expect(here.added.length).toBeGreaterThan(0);
    expect([back.added, back.dropped]).toEqual([here.dropped, here.added]);
    expect(changes(cause, view())).toEqual({ added: [], dropped: [] });
  });
});

describe('filters', () => {
  it('a filter hides what depends on a hidden node, with its edges', () => {
    const hidden = view({ hiddenNodes: new Set([claimNode('operator-earthquake')]) });
    const ids = shownNodes(cause, hidden).map(({ id }) => id);
    for (const gone of [
      'claim:operator-earthquake',
      'claim:seismic-network',
      'claim:station-outage',
      'evidence:ev-letter',
    ])
      expect(ids).not.toContain(gone);
    expect(
      edgesOf(cause, hidden).some(({ edge: { from, to } }) => [from, to].includes('claim:seismic-network')),
    ).toBe(false);
  });

  it('a filter hides kinds of nodes and edges', () => {
    const kinds = (filter: 'evidence' | 'inferences' | 'rejected') =>
      new Set(shownNodes(cause, view({ hiddenKinds: new Set([filter]) })).map(({ kind }) => kind));
    expect(kinds('evidence').has('evidence')).toBe(false);
    expect(kinds('inferences').has('premise')).toBe(false);
    const rejected = view({ hiddenKinds: new Set(['rejected']) });
    expect(shownNodes(cause, rejected).every((node) => standingOf(node, cause, 0) !== 'rejected')).toBe(true);
    expect(
      edgesOf(cause, { hiddenKinds: new Set(['attacks']) }).some(({ edge: { kind } }) => kind === 'attacks'),
    ).toBe(false);
  });

  it('the focus on a node shows what is one step from it, and the verdict', () => {
    const near = neighborhood(cause, claimNode('operator-earthquake'))!;
    expect([...near]).toEqual(
      expect.arrayContaining(['claim:seismic-network', 'evidence:ev-letter', 'verdict']),
    );
    expect(near.has('claim:station-outage')).toBe(false);
    expect(neighborhood(cause, null)).toBeNull();
  });
});

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe.each([
  ['the dam', DAM_INPUT],
  ['first-flight', exampleInput('first-flight')],
  ['chernobyl-deaths', exampleInput('chernobyl-deaths')],
  ['lk-99', exampleInput('lk-99')],
  ['300 claims on two questions', largeInput(300, 2, 60)],
])('the layout of %s', (_, input) => {
  const questions = questionsOf(input, NODES_DRAWN.most);

  it('the layout gives every node a place of its own inside the drawing, evidence left of claims left of the verdict', () => {
    for (const question of questions) {
      const { nodes, width, height } = layoutQuestion(question);
      const boxes = question.nodes.map(({ id }) => nodes.get(id)!);
      boxes.forEach((box, index) => {
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
        expect(boxes.slice(index + 1).filter((other) => overlap(box, other))).toEqual([]);
      });
      for (const node of question.nodes)
        if (node.parent !== null) {
          const [child, parent] = [nodes.get(node.id)!, nodes.get(node.parent)!];
          expect(child.x + child.width).toBeLessThan(parent.x);
        }
      const verdict = nodes.get('verdict')!;
      expect(boxes.every((box) => box === verdict || box.x + box.width < verdict.x)).toBe(true);
    }
  });

  it('the layout draws every edge, and no more nodes than the cap', () => {
    for (const question of questions) {
      const { lines } = layoutQuestion(question);
      expect(question.edges.filter(({ id }) => !lines.has(id))).toEqual([]);
      expect(question.nodes.length).toBeLessThanOrEqual(NODES_DRAWN.most);
    }
  });

  it('the layout is the same each time', () => {
    for (const question of questions) expect(layoutQuestion(question)).toEqual(layoutQuestion(question));
  });
});

it('the mesh draws few arrows among hundreds of claims that contradict each other', () => {
  for (const question of questionsOf(largeInput(300, 2, 60))) {
    expect(question.nodes.length).toBeLessThanOrEqual(NODES_DRAWN.first);
    expect(question.positions.length).toBeLessThanOrEqual(8);
    expect(question.edges.length).toBeLessThanOrEqual(NODES_DRAWN.most);
    expect(question.undrawn).toBeGreaterThan(0);
  }
});

describe('text', () => {
  it('text breaks at spaces, cuts with an ellipsis and never cuts a character in half', () => {
    expect(wrapped('one two three', 40, 10, 2)).toEqual(['one two', 'three']);
    expect(wrapped('one two three four', 40, 10, 1)).toEqual(['one tw…']);
    expect(wrapped('🙂'.repeat(30), 60, 10, 1)[0]).toMatch(/^🙂+…$/u);
    expect(wrapped('', 60, 10, 2)).toEqual([]);
    // Twenty mean characters: eight pictures, or as many squares, whatever stands over or between them.
    expect([...wrapped('🙂'.repeat(30), 107, 10, 1)[0]!]).toHaveLength(8);
    expect([...wrapped('水'.repeat(30), 107, 10, 1)[0]!]).toHaveLength(8);
    // Capitals are a third wider: fourteen and the ellipsis.
    expect([...wrapped('N'.repeat(30), 107, 10, 1)[0]!]).toHaveLength(15);
    expect(wrapped('e\u0301'.repeat(20), 107, 10, 1)).toEqual(['e\u0301'.repeat(20)]);
  });
});
