import { ClaimLink } from '../../components/claim-link.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { UserText } from '../../components/user-text.tsx';
import { decimal, percent } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import {
  questionSubject,
  readable,
  shownChance,
  STRENGTH_MEANING,
  verdictValue,
} from '../../format/words.ts';
import type { Claim, Model } from '../../model.ts';
import type { MeshNode } from './mesh-nodes.ts';
import type { MeshQuestion } from './mesh-graph.ts';
import { claimNode, VERDICT_NODE } from './mesh-nodes.ts';
import { valueWords } from './mesh-positions.ts';
import type { ShownEdge, Standing, View } from './mesh-view.ts';
import { shownEdges, shownNodes, standingOf } from './mesh-view.ts';

const TEXT_LENGTH = 120;

interface NodeRow {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly claim: Claim | null;
  readonly value: string;
  readonly source: string;
  readonly standing: Standing;
  readonly strength: number | null;
  readonly chance: number | null;
}

const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  weightless: 'no weight',
  aside: '–',
};

const KIND_WORDS: Readonly<Record<MeshNode['kind'], string>> = {
  verdict: 'verdict',
  claim: 'claim',
  meta: 'claim about a claim',
  premise: 'premise',
  evidence: 'evidence',
  inference: 'inference',
};

const NODE_COLUMNS: readonly Column<NodeRow>[] = [
  {
    id: 'text',
    title: 'What',
    cell: ({ claim, text }) =>
      claim ? (
        <ClaimLink claim={claim} text={shortened(text, TEXT_LENGTH)} />
      ) : (
        <UserText text={shortened(text, TEXT_LENGTH)} />
      ),
    sortBy: ({ text }) => text,
  },
  { id: 'kind', title: 'Kind', cell: ({ kind }) => kind, sortBy: ({ kind }) => kind },
  {
    id: 'value',
    title: 'Value',
    cell: ({ value }) => <UserText text={value} />,
    sortBy: ({ value }) => value,
  },
  {
    id: 'source',
    title: 'Source',
    cell: ({ source }) => <UserText text={source} />,
    sortBy: ({ source }) => source,
  },
  {
    id: 'standing',
    title: 'In this reading',
    cell: ({ standing }) => STANDING_WORDS[standing],
    sortBy: ({ standing }) => standing,
  },
  {
    id: 'strength',
    title: 'Strength',
    numeric: true,
    cell: ({ strength }) => (strength === null ? '–' : decimal(strength)),
    sortBy: ({ strength }) => strength ?? -1,
  },
  {
    id: 'chance',
    title: 'Chance',
    numeric: true,
    cell: ({ chance }) => (chance === null ? '–' : percent(chance)),
    sortBy: ({ chance }) => chance ?? -1,
  },
];

interface Props {
  readonly question: MeshQuestion;
  readonly view: View;
  readonly model: Model;
}

/** Every node of the question, those that are not drawn too, under the same filters as the drawing. */
export function NodeTable({ question, view }: Props) {
  return (
    <DataTable
      caption={`Every node of this question. ${STRENGTH_MEANING}`}
      columns={NODE_COLUMNS}
      rows={nodeRows(question, view)}
      rowKey={({ id }) => id}
    />
  );
}

function nodeRows(question: MeshQuestion, view: View): NodeRow[] {
  const drawn = question.nodes;
  const known = new Set(drawn.map(({ id }) => id));
  const none = { evidence: null, inference: null };
  const undrawn = question.verdict.claims.flatMap((claim): MeshNode[] => {
    const isMeta = Boolean(claim.input.target_claim_id);
    const node: MeshNode = {
      ...none,
      id: claimNode(claim.id),
      kind: isMeta ? 'meta' : 'claim',
      claim,
      parent: null,
    };
    const items = claim.evidence
      .map((item): MeshNode => ({
        ...none,
        id: `evidence:${item.id}`,
        kind: 'evidence',
        claim: null,
        evidence: item,
        parent: node.id,
      }))
      .filter(({ id }) => !known.has(id));
    return known.has(node.id) ? items : [node, ...items];
  });
  return shownNodes({ ...question, nodes: [...drawn, ...undrawn] }, view).map((node): NodeRow => {
    const { id, kind, claim, evidence, inference } = node;
    const { result } = question.verdict;
    return {
      id,
      kind: KIND_WORDS[kind],
      claim,
      text:
        claim?.input.content ??
        evidence?.content ??
        (inference
          ? (inference.description ?? inference.rule_param ?? inference.id)
          : `${questionSubject(result.subject_name, result.predicate)}, ${readable(result.predicate)}`),
      value: claim
        ? valueWords(claim)
        : (evidence?.valence ?? (kind === 'verdict' ? verdictValue(result) : '')),
      source: claim?.actor.name ?? (inference ? readable(inference.rule_type) : ''),
      standing: standingOf(node, question, view.reading),
      strength: claim?.analysis?.expected_probability ?? null,
      chance: kind === 'verdict' ? shownChance(result) : null,
    };
  });
}

/** Every edge of the drawing in words. */
export function EdgeTable({ question, view, model }: Props) {
  const nameOf = new Map<string, string>();
  for (const { id, claim, evidence, inference } of question.nodes)
    nameOf.set(
      id,
      claim?.input.content ?? evidence?.content ?? inference?.description ?? inference?.id ?? 'the verdict',
    );
  for (const { id, title, claims } of question.positions)
    nameOf.set(
      id,
      claims.length === 1 ? claims[0]!.input.content : `the position “${title}” (${claims.length} claims)`,
    );
  nameOf.set(VERDICT_NODE, 'the verdict');
  const name = (id: string) => {
    const claim = id.startsWith('claim:') ? model.claimById.get(id.slice('claim:'.length)) : undefined;
    const text = shortened(nameOf.get(id) ?? id, TEXT_LENGTH);
    return claim ? <ClaimLink claim={claim} text={text} /> : <UserText text={text} />;
  };
  const columns: Column<ShownEdge>[] = [
    {
      id: 'from',
      title: 'From',
      cell: ({ edge }) => name(edge.from),
      sortBy: ({ edge }) => nameOf.get(edge.from) ?? '',
    },
    { id: 'what', title: 'Does what', cell: edgeWords, sortBy: edgeWords },
    {
      id: 'to',
      title: 'To',
      cell: ({ edge }) => name(edge.to),
      sortBy: ({ edge }) => nameOf.get(edge.to) ?? '',
    },
  ];
  return (
    <DataTable
      caption="Every edge of this question"
      columns={columns}
      rows={shownEdges(question, view, shownNodes(question, view))}
      rowKey={({ edge }) => edge.id}
    />
  );
}

function edgeWords({ edge: { kind, label }, headAtEnd, headAtStart, isDormant }: ShownEdge): string {
  const words = readable(label);
  if (kind === 'suppressed') return `would attack, ${words}`;
  if (kind === 'infers') return words === 'premise' ? 'is a premise of' : `infers (${words})`;
  if (kind === 'supports' && words !== 'supports' && words !== 'for the verdict')
    return `supports (${words})`;
  if (label !== 'attack each other') return words;
  if (isDormant) return 'attack each other, neither in this reading';
  return headAtEnd && headAtStart
    ? words
    : headAtEnd
      ? 'attacks (they attack each other)'
      : 'is attacked by (they attack each other)';
}
