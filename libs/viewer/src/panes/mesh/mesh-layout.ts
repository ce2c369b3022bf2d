import type { MeshEdge } from './mesh-edges.ts';
import type { MeshNode, NodeKind } from './mesh-nodes.ts';
import type { MeshQuestion } from './mesh-graph.ts';
import type { Position } from './mesh-positions.ts';
import { claimNode, VERDICT_NODE } from './mesh-nodes.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface EdgeLine {
  /** SVG path from the one end to the other. */
  readonly path: string;
  /** Where a word or a cross stands on it. */
  readonly middle: { readonly x: number; readonly y: number };
}

export interface MeshLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: ReadonlyMap<string, Box>;
  readonly positions: ReadonlyMap<string, Box>;
  readonly lines: ReadonlyMap<string, EdgeLine>;
}

const WIDTH: Readonly<Record<NodeKind, number>> = {
  verdict: 196,
  claim: 290,
  premise: 290,
  meta: 190,
  evidence: 190,
  inference: 160,
};
const HEIGHT: Readonly<Record<NodeKind, number>> = {
  verdict: 100,
  claim: 60,
  premise: 60,
  meta: 60,
  evidence: 40,
  inference: 60,
};
const GAP = { column: 60, row: 8, position: 26 } as const;
/** Room left of the claims for the arcs of relationships and their names. */
const RELATIONS_ROOM = 44;
const MARGIN = 10;
/**
 * Of the frame around the claims of a position: to its sides, above for its title, below, and for the line on
 * the rest.
 */
const FRAME = { side: 10, head: 26, foot: 10, rest: 20 } as const;
/** Room right of the claims for the arcs of attacks. */
const GUTTER = { plain: 56, attacks: 124 } as const;
const ARC = { start: 34, step: 22, most: 104 } as const;
/** Width of a letter of an arc's name, a little wide. */
const LABEL_LETTER = 6.4;
const LEFT_ARC = { start: 30, step: 6, most: 54 } as const;

/**
 * Places a question in columns, left to right: what is said about claims, claims by position, inferences, the
 * verdict. Without attacks among peers this is a forest, so placing subtree by subtree crosses no line;
 * attacks run beside the column of claims. The same question gives the same places, and filters move nothing.
 * Pure.
 */
export function layoutQuestion(question: MeshQuestion): MeshLayout {
  const { nodes, positions, edges } = question;
  const children = childrenOf(nodes);
  const depth = Math.max(0, ...nodes.map((node) => depthOf(node, nodes)));
  const leafColumn = WIDTH.evidence + GAP.column;
  const relationsRoom = edges.some(({ id }) => id.startsWith('relation:')) ? RELATIONS_ROOM : 0;
  const claimsX = Math.max(
    MARGIN + depth * leafColumn + relationsRoom + FRAME.side,
    // A relationship's name stands in the middle of its arc, and no letter of it is cut off.
    MARGIN + (relationsRoom > 0 ? LEFT_ARC.most + longestRelation(edges) / 2 : 0),
  );
  const boxes = new Map<string, Box>();
  const frames = new Map<string, Box>();

  const heightOf = (id: string, kind: NodeKind): number => {
    const below = children.get(id) ?? [];
    return Math.max(HEIGHT[kind], stacked(below.map((child) => heightOf(child.id, child.kind))));
  };
  const place = (id: string, kind: NodeKind, level: number, top: number): void => {
    const height = heightOf(id, kind);
    const x = claimsX - level * leafColumn - (level > 0 ? FRAME.side + relationsRoom : 0);
    boxes.set(id, { x, y: top + (height - HEIGHT[kind]) / 2, width: WIDTH[kind], height: HEIGHT[kind] });
    const below = children.get(id) ?? [];
    let y = top + (height - stacked(below.map((child) => heightOf(child.id, child.kind)))) / 2;
    for (const child of below) {
      place(child.id, child.kind, level + 1, y);
      y += heightOf(child.id, child.kind) + GAP.row;
    }
  };

  let y = MARGIN;
  const kindOf = new Map(nodes.map(({ id, kind }) => [id, kind]));
  for (const position of positions) {
    const top = y;
    y += FRAME.head;
    for (const { id } of position.claims.slice(0, position.drawn)) {
      const kind = kindOf.get(claimNode(id));
      if (!kind) continue;
      place(claimNode(id), kind, 0, y);
      y += heightOf(claimNode(id), kind) + GAP.row;
    }
    y += (position.drawn < position.claims.length ? FRAME.rest : 0) + FRAME.foot - GAP.row;
    frames.set(position.id, {
      x: claimsX - FRAME.side,
      y: top,
      width: WIDTH.claim + 2 * FRAME.side,
      height: y - top,
    });
    y += GAP.position;
  }
  const bottom = Math.max(y - GAP.position, MARGIN + HEIGHT.verdict);

  const hasArcs = edges.some(
    ({ kind, to }) => (kind === 'attacks' && to.startsWith('position:')) || kind === 'suppressed',
  );
  const right = claimsX + WIDTH.claim + FRAME.side + (hasArcs ? GUTTER.attacks : GUTTER.plain);
  const inferences = nodes.filter(({ kind }) => kind === 'inference');
  const inferencesHeight = stacked(inferences.map(() => HEIGHT.inference));
  let inferenceY = Math.max(MARGIN, bottom - inferencesHeight);
  for (const { id } of inferences) {
    boxes.set(id, { x: right, y: inferenceY, width: WIDTH.inference, height: HEIGHT.inference });
    inferenceY += HEIGHT.inference + GAP.row;
  }
  const verdictX = inferences.length > 0 ? right + WIDTH.inference + GAP.column : right;
  const height = Math.max(bottom, inferenceY - GAP.row);
  boxes.set(VERDICT_NODE, {
    x: verdictX,
    y: (MARGIN + height - HEIGHT.verdict) / 2,
    width: WIDTH.verdict,
    height: HEIGHT.verdict,
  });
  return {
    width: verdictX + WIDTH.verdict + MARGIN,
    height: height + MARGIN,
    nodes: boxes,
    positions: frames,
    lines: linesOf(edges, boxes, frames, positions),
  };
}

/** Width of the longest name of a relationship, in pixels. */
const longestRelation = (edges: readonly MeshEdge[]) =>
  Math.max(...edges.map(({ id, label }) => (id.startsWith('relation:') ? label.length * LABEL_LETTER : 0)));

function childrenOf(nodes: readonly MeshNode[]): ReadonlyMap<string, readonly MeshNode[]> {
  const children = new Map<string, MeshNode[]>();
  for (const node of nodes)
    if (node.parent !== null) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  return children;
}

function depthOf(node: MeshNode, nodes: readonly MeshNode[]): number {
  let depth = 0;
  for (let at: MeshNode | undefined = node; at?.parent; depth += 1) {
    const { parent }: MeshNode = at;
    at = nodes.find(({ id }) => id === parent);
  }
  return depth;
}

function stacked(heights: readonly number[]): number {
  return heights.reduce((sum, height) => sum + height, 0) + GAP.row * Math.max(0, heights.length - 1);
}

function linesOf(
  edges: readonly MeshEdge[],
  nodes: ReadonlyMap<string, Box>,
  frames: ReadonlyMap<string, Box>,
  positions: readonly Position[],
): Map<string, EdgeLine> {
  const lines = new Map<string, EdgeLine>();
  const arrivals = new Map<string, { id: string; a: Box; b: Box }[]>();
  const order = new Map(positions.map(({ id }, index) => [id, index]));
  for (const { id, from, to, kind, label } of edges) {
    const a = nodes.get(from) ?? frames.get(from);
    const b = nodes.get(to) ?? frames.get(to);
    if (!a || !b) continue;
    if (order.has(from) && order.has(to)) {
      const apart = Math.abs(order.get(from)! - order.get(to)!);
      lines.set(id, arc(a, b, 'right', Math.min(ARC.start + (apart - 1) * ARC.step, ARC.most)));
    } else if (kind === 'suppressed') lines.set(id, arc(a, b, 'right', ARC.start + FRAME.side));
    else if (label !== 'premise' && id.startsWith('relation:')) {
      const steps = Math.abs(a.y - b.y) / (HEIGHT.claim + GAP.row);
      lines.set(id, arc(a, b, 'left', Math.min(LEFT_ARC.start + steps * LEFT_ARC.step, LEFT_ARC.most)));
    } else {
      const list = arrivals.get(to);
      if (list) list.push({ id, a, b });
      else arrivals.set(to, [{ id, a, b }]);
    }
  }
  for (const list of arrivals.values()) {
    const sorted = list.toSorted((one, other) => one.a.y - other.a.y);
    const step = Math.min(ARRIVAL_STEP, (sorted[0]!.b.height - 2 * FRAME.side) / sorted.length);
    sorted.forEach(({ id, a, b }, index) => {
      lines.set(id, across(a, b, (index - (sorted.length - 1) / 2) * step));
    });
  }
  return lines;
}

/** Between two heads that arrive at one box. */
const ARRIVAL_STEP = 15;

/** From the right side of one box to the left side of another, `offset` below its middle. */
function across(a: Box, b: Box, offset: number): EdgeLine {
  const [x1, y1, x2, y2] = [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2 + offset];
  const bend = Math.max(24, (x2 - x1) / 2);
  return {
    path: `M${point(x1, y1)}C${point(x1 + bend, y1)} ${point(x2 - bend, y2)} ${point(x2, y2)}`,
    middle: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 },
  };
}

/** Between two boxes of one column, beside it. Leaves and arrives in the halves that face each other. */
function arc(a: Box, b: Box, side: 'left' | 'right', bulge: number): EdgeLine {
  const isDown = a.y < b.y;
  const lean = (box: Box) => Math.min(box.height * 0.3, 40);
  const y1 = a.y + a.height / 2 + (isDown ? lean(a) : -lean(a));
  const y2 = b.y + b.height / 2 + (isDown ? -lean(b) : lean(b));
  const edge = (box: Box) => (side === 'right' ? box.x + box.width : box.x);
  const out = side === 'right' ? bulge : -bulge;
  // A cubic reaches three quarters of the way to its control points.
  const reach = (out * 4) / 3;
  const [x1, x2] = [edge(a), edge(b)];
  return {
    path: `M${point(x1, y1)}C${point(x1 + reach, y1)} ${point(x2 + reach, y2)} ${point(x2, y2)}`,
    middle: { x: (x1 + x2) / 2 + out, y: (y1 + y2) / 2 },
  };
}

const point = (x: number, y: number) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
