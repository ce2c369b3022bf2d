import { claimFragment, verdictFragment } from '../../format/fragments.ts';
import { counted, percent } from '../../format/numbers.ts';
import { plain } from '../../format/text.ts';
import {
  capital,
  chanceOf,
  questionSubject,
  readable,
  sameWords,
  shownStatus,
  strengthText,
  TRUTH_STATUS_LABEL,
  verdictValue,
} from '../../format/words.ts';
import { claimOpinion } from '../../components/opinion.ts';
import { useHref } from '../../components/part.tsx';
import { TruthGlyph } from '../../components/truth-glyph.tsx';
import type { Claim } from '../../model.ts';
import type { MeshNode, NodeKind } from './mesh-nodes.ts';
import type { MeshQuestion } from './mesh-graph.ts';
import type { Box, MeshLayout } from './mesh-layout.ts';
import { valueWords } from './mesh-positions.ts';
import { wrapped } from './mesh-text.ts';
import type { ShownEdge, Standing, View } from './mesh-view.ts';
import { changes, neighborhood, shownEdges, shownNodes, standingOf } from './mesh-view.ts';

const LISTS: readonly { readonly label: string; readonly kinds: readonly NodeKind[] }[] = [
  { label: 'Evidence and claims about claims', kinds: ['evidence', 'meta'] },
  { label: 'Claims', kinds: ['claim'] },
  { label: 'Premises from other questions', kinds: ['premise'] },
  { label: 'Inferences', kinds: ['inference'] },
  { label: 'Verdict', kinds: ['verdict'] },
];
const PADDING = 9;
const LINE = 14;
/** Bold letters are that much wider. */
const BOLD = 1.12;

interface Props {
  readonly question: MeshQuestion;
  readonly layout: MeshLayout;
  readonly view: View;
  /** Prefix of ids inside the drawing, unique on the page. */
  readonly prefix: string;
  readonly hover: (id: string | null) => void;
}

/**
 * One question as a drawing in columns. Nodes are links to what they stand for; the tables say the same in
 * words.
 */
export function MeshFigure({ question, layout, view, prefix, hover }: Props) {
  const nodes = shownNodes(question, view);
  const edges = shownEdges(question, view, nodes);
  const near = neighborhood(question, view.focus);
  const isDim = (...ids: string[]) => near !== null && !ids.every((id) => near.has(id));
  const { added, dropped } = changes(question, view);
  const changed = new Map([
    ...added.map((id) => [id, '+'] as const),
    ...dropped.map((id) => [id, '−'] as const),
  ]);
  const shown = new Set(nodes.map(({ claim, kind }) => (kind === 'meta' ? '' : (claim?.id ?? ''))));
  const target = (event: Event) =>
    hover((event.target as Element).closest('[data-node]')?.getAttribute('data-node') ?? null);
  return (
    <svg
      class="mesh-figure"
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      width={layout.width}
      height={layout.height}
      role="group"
      aria-label={`Argument map: ${plain(questionSubject(question.verdict.result.subject_name, question.verdict.predicate))}, ${readable(plain(question.verdict.predicate))}`}
      onPointerOver={target}
      onPointerLeave={() => hover(null)}
      onFocusIn={target}
      onFocusOut={() => hover(null)}
    >
      <Heads prefix={prefix} />
      <g aria-hidden="true">
        {question.positions
          .filter(({ claims }) => claims.some(({ id }) => shown.has(id)))
          .map((position) => {
            const { x, y, width, height } = layout.positions.get(position.id)!;
            const left = position.claims.length - position.drawn;
            return (
              <g
                key={position.id}
                class={`mesh-position mesh-position-${position.kind}${isDim(position.id) ? ' is-dim' : ''}`}
              >
                <rect x={x} y={y} width={width} height={height} rx="9" />
                <text class="mesh-position-title" x={x + 11} y={y + 18}>
                  {wrapped(position.title, width - 90, 13 * BOLD, 1)[0]}
                </text>
                <text class="mesh-position-count" x={x + width - 11} y={y + 18} text-anchor="end">
                  {position.kind === 'premises' ? '' : counted(position.claims.length, 'claim')}
                </text>
                {left > 0 && (
                  <text class="mesh-position-count" x={x + 11} y={y + height - 10}>
                    and {left} more, in the table
                  </text>
                )}
              </g>
            );
          })}
      </g>
      <g>
        {edges.map((item) => (
          <Edge
            key={item.edge.id}
            item={item}
            layout={layout}
            prefix={prefix}
            isDim={isDim(item.edge.from, item.edge.to)}
            isNear={near !== null}
          />
        ))}
      </g>
      {LISTS.map(({ label, kinds }) => {
        const list = nodes.filter(({ kind }) => kinds.includes(kind));
        return list.length === 0 ? null : (
          <g key={label} role="list" aria-label={label}>
            {list.map((node) => (
              <g key={node.id} role="listitem" data-node={node.id}>
                <Node
                  node={node}
                  question={question}
                  box={layout.nodes.get(node.id)!}
                  standing={standingOf(node, question, view.reading)}
                  change={(node.claim && node.kind !== 'premise' && changed.get(node.claim.id)) || null}
                  isDim={isDim(node.id)}
                />
              </g>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

interface NodeProps {
  readonly node: MeshNode;
  readonly question: MeshQuestion;
  readonly box: Box;
  readonly standing: Standing;
  readonly change: '+' | '−' | null;
  readonly isDim: boolean;
}

function Node(props: NodeProps) {
  const { node, question, box, standing, change, isDim } = props;
  const hrefOf = useHref();
  const { claim, evidence, inference, kind } = node;
  const names = `mesh-node mesh-${kind} is-${standing}${isDim ? ' is-dim' : ''}${change ? ' is-changed' : ''}`;
  const { result } = question.verdict;
  const href =
    kind === 'verdict'
      ? verdictFragment(result.subject_id, result.predicate)
      : claim || evidence
        ? claimFragment(claim?.id ?? evidence!.claim_id)
        : undefined;
  const label = nodeWords(node, question, standing);
  const body = (
    <>
      <rect
        class="mesh-box"
        aria-hidden="true"
        x={box.x}
        y={box.y}
        width={box.width}
        height={box.height}
        rx={kind === 'inference' ? 14 : 5}
      >
        <title>{label}</title>
      </rect>
      {claim && <ClaimBody {...props} />}
      {evidence && (
        <Lines lines={wrapped(evidence.content, box.width - 2 * PADDING, 11.5, 2)} box={box} isCentred />
      )}
      {inference && (
        <>
          <text class="mesh-strong" x={box.x + PADDING} y={box.y + LINE + 3}>
            {wrapped(readable(inference.rule_type), box.width - 2 * PADDING, 12, 1)[0]}
          </text>
          <Lines
            lines={wrapped(
              inference.description ?? inference.rule_param ?? '',
              box.width - 2 * PADDING,
              11.5,
              2,
            )}
            box={box}
            from={1}
          />
        </>
      )}
      {kind === 'verdict' && <VerdictBody question={question} box={box} />}
      {change && (
        <g class="mesh-change">
          <circle cx={box.x + box.width} cy={box.y} r="8" />
          <text x={box.x + box.width} y={box.y + 4} text-anchor="middle">
            {change}
          </text>
        </g>
      )}
    </>
  );
  return href ? (
    <a class={names} href={hrefOf(href)} aria-description={STANDING_WORDS[standing] || undefined}>
      {body}
    </a>
  ) : (
    <g class={names} role="img" aria-label={label}>
      {body}
    </g>
  );
}

function Lines({
  lines,
  box,
  from = 0,
  isCentred = false,
}: {
  readonly lines: readonly string[];
  readonly box: Box;
  readonly from?: number;
  readonly isCentred?: boolean;
}) {
  const top = isCentred ? box.y + box.height / 2 - ((lines.length - 1) * LINE) / 2 + 4 : box.y + LINE + 3;
  return (
    <>
      {lines.map((line, index) => (
        <text key={index} x={box.x + PADDING} y={top + LINE * (index + from)}>
          {line}
        </text>
      ))}
    </>
  );
}

/** Room for `strength 0.46` beside the name of a source. Pixels. */
const STANDING_WIDTH = 84;

/** The claim's words, who says it, how strong it is, and its opinion as a thin bar. */
function ClaimBody({ node, question, box, standing }: NodeProps) {
  const claim = node.claim!;
  const { x, y, width, height } = box;
  const bottom = y + height - 11;
  const strength = claim.analysis ? strengthText(claim.analysis) : '';
  return (
    <>
      <Lines lines={wrapped(claim.input.content, width - 2 * PADDING, 11.5, 2)} box={box} />
      <text class="mesh-source" x={x + PADDING} y={bottom}>
        {
          wrapped(
            claim.actor.name + otherWords(claim, question),
            width - 2 * PADDING - STANDING_WIDTH,
            11,
            1,
          )[0]
        }
      </text>
      <text class="mesh-source" x={x + width - PADDING} y={bottom} text-anchor="end">
        {standing === 'weightless' ? 'no weight' : strength}
      </text>
      {claim.analysis && (
        <Bar
          opinion={claimOpinion(claim.analysis)}
          x={x + PADDING}
          y={y + height - 6}
          width={width - 2 * PADDING}
        />
      )}
    </>
  );
}

/** ` · 57 seconds` for a claim that counts as the same as its position's value but says it in other words. */
function otherWords(claim: Claim, { positions }: MeshQuestion): string {
  const position = positions.find(({ claims }) => claims.some(({ id }) => id === claim.id));
  const own = valueWords(claim);
  return position?.kind !== 'position' || sameWords(own, position.title) ? '' : ` · ${own}`;
}

interface BarProps {
  readonly opinion: { readonly support: number; readonly opposition: number };
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function Bar({ opinion: { support, opposition }, x, y, width }: BarProps) {
  const round = (value: number) => Math.round(value * 10) / 10;
  return (
    <g aria-hidden="true">
      <rect class="bar-uncertainty" x={x} y={y} width={width} height="3" />
      <rect class="bar-support" x={x} y={y} width={round(support * width)} height="3" />
      <rect
        class="bar-opposition"
        x={round(x + width * (1 - opposition))}
        y={y}
        width={round(opposition * width)}
        height="3"
      />
    </g>
  );
}

/** The value of a verdict: on one line where it fits, else smaller on two. */
function VerdictValue({ text, x, y, width }: { text: string; x: number; y: number; width: number }) {
  const [line] = wrapped(text, width, 16 * BOLD, 1);
  if (line === undefined || !line.endsWith('…'))
    return (
      <text class="mesh-verdict-value" x={x} y={y + 8}>
        {line}
      </text>
    );
  return (
    <>
      {wrapped(text, width, 11 * BOLD, 2).map((part, index) => (
        <text key={index} class="mesh-verdict-value mesh-verdict-value-small" x={x} y={y + 2 + index * 13}>
          {part}
        </text>
      ))}
    </>
  );
}

function VerdictBody({ question, box }: Pick<NodeProps, 'question' | 'box'>) {
  const { result, sides } = question.verdict;
  const { x, y, width, height } = box;
  return (
    <>
      <text class="mesh-source" x={x + PADDING} y={y + LINE + 3}>
        {wrapped(readable(result.predicate), width - 2 * PADDING, 11, 1)[0]}
      </text>
      <VerdictValue
        text={verdictValue(result)}
        x={x + PADDING}
        y={y + 2 * LINE}
        width={width - 2 * PADDING}
      />
      <g transform={`translate(${x + PADDING} ${y + 3 * LINE + 6})`}>
        <TruthGlyph status={shownStatus(result)} />
      </g>
      <text x={x + PADDING + 22} y={y + 3 * LINE + 18}>
        {TRUTH_STATUS_LABEL[shownStatus(result)]}
      </text>
      <text class="mesh-strong" x={x + width - PADDING} y={y + 3 * LINE + 18} text-anchor="end">
        {result.no_value_counts ? '' : percent(chanceOf(result))}
      </text>
      <text class="mesh-source" x={x + PADDING} y={y + height - 18}>
        {sides?.short ??
          `${counted(result.source_count, 'source')}, ${result.independent_source_count} independent`}
      </text>
      <Bar opinion={result.confidence} x={x + PADDING} y={y + height - 10} width={width - 2 * PADDING} />
    </>
  );
}

const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  accepted: 'accepted in this reading',
  rejected: 'rejected in this reading',
  weightless: 'without weight',
  aside: '',
};

/** A node as one sentence. */
export function nodeWords(
  { kind, claim, evidence, inference }: MeshNode,
  { verdict }: MeshQuestion,
  standing: Standing,
): string {
  if (evidence) return `Evidence, ${evidence.valence.toLowerCase()}: ${plain(evidence.content)}`;
  if (inference)
    return `Inference, ${readable(inference.rule_type)}: ${plain(inference.description ?? inference.rule_param ?? inference.id)}`;
  if (claim) {
    const name = { meta: 'Claim about a claim', premise: 'Premise', claim: 'Claim' }[
      kind as 'meta' | 'premise' | 'claim'
    ];
    const strength = claim.analysis ? `, ${strengthText(claim.analysis)}` : '';
    const words = STANDING_WORDS[standing] && `, ${STANDING_WORDS[standing]}`;
    return `${name}${words}: ${plain(claim.input.content)} (${plain(claim.actor.name)}${strength})`;
  }
  const { result } = verdict;
  return `Verdict: ${plain(verdictValue(result))}, ${result.no_value_counts ? '' : `chance ${percent(chanceOf(result))}, `}${TRUTH_STATUS_LABEL[shownStatus(result)]}`;
}

interface EdgeProps {
  readonly item: ShownEdge;
  readonly layout: MeshLayout;
  readonly prefix: string;
  readonly isDim: boolean;
  readonly isNear: boolean;
}

function Edge({
  item: { edge, headAtEnd, headAtStart, isDormant },
  layout,
  prefix,
  isDim,
  isNear,
}: EdgeProps) {
  const hrefOf = useHref();
  const line = layout.lines.get(edge.id);
  // Attacks that this reading does not make stay out of sight until the reader looks at one of their ends.
  if (!line || (isDormant && (isDim || !isNear))) return null;
  const { kind, label } = edge;
  const head = `url(#${prefix}-${kind})`;
  const { x, y } = line.middle;
  const isRelation = edge.id.startsWith('relation:');
  return (
    <g
      class={`mesh-edge mesh-edge-${kind}${isDormant ? ' is-dormant' : ''}${isDim ? ' is-dim' : ''}`}
      aria-hidden={kind === 'suppressed' ? undefined : 'true'}
    >
      <path
        d={line.path}
        marker-end={headAtEnd ? head : undefined}
        marker-start={headAtStart ? head : undefined}
      >
        <title>{capital(label)}</title>
      </path>
      {(isRelation || label === 'supersedes') && (
        <text class="mesh-edge-label" x={x} y={y + 3} text-anchor={isRelation ? 'middle' : 'start'}>
          {label}
        </text>
      )}
      {kind === 'suppressed' && (
        <a
          href={hrefOf('distinctions')}
          aria-label={`Attack suppressed: ${plain(label)}. Open the distinctions.`}
        >
          <title>{`Attack suppressed: ${plain(label)}`}</title>
          <circle class="mesh-cross-disc" cx={x} cy={y} r="10" />
          <path class="mesh-cross" d={`M${x - 5} ${y - 5}l10 10m0-10l-10 10`} />
        </a>
      )}
    </g>
  );
}

/**
 * Arrow heads: a filled triangle supports, a bar attacks, a hollow triangle infers, a dot says something
 * neutral.
 */
function Heads({ prefix }: { readonly prefix: string }) {
  const marker = {
    orient: 'auto-start-reverse',
    markerUnits: 'userSpaceOnUse',
    markerWidth: 14,
    markerHeight: 16,
    refY: 0,
    viewBox: '-12 -8 14 16',
  } as const;
  return (
    <defs>
      <marker id={`${prefix}-supports`} class="mesh-head-supports" refX="0" {...marker}>
        <path d="M-9-5 0 0-9 5Z" />
      </marker>
      <marker id={`${prefix}-attacks`} class="mesh-head-attacks" refX="-0.5" {...marker}>
        <path d="M-1.5-7V7M-8-4-2 0-8 4" />
      </marker>
      <marker id={`${prefix}-weighs`} class="mesh-head-attacks" refX="-0.5" {...marker}>
        <path d="M-1.5-5V5" />
      </marker>
      <marker id={`${prefix}-suppressed`} class="mesh-head-suppressed" refX="-0.5" {...marker}>
        <path d="M-1.5-7V7M-8-4-2 0-8 4" />
      </marker>
      <marker id={`${prefix}-neutral`} class="mesh-head-neutral" refX="0" {...marker}>
        <circle cx="-3" cy="0" r="2.5" />
      </marker>
      <marker id={`${prefix}-infers`} class="mesh-head-infers" refX="0" {...marker}>
        <path d="M-9-5-1 0-9 5Z" />
      </marker>
    </defs>
  );
}
