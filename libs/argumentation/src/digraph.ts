import type { AttackGraph } from './framework.ts';

/**
 * Attacks in compressed rows, both ways, without self-attacks.
 *
 * A self-attacker is never accepted, and that is all its self-attack does: so it is a **blocked** node
 * instead. The same mark stands for a node that an undecided argument from elsewhere attacks. A blocked node
 * can be attacked and has to be answered where it attacks, but belongs to no extension.
 */
export interface Digraph {
  readonly size: number;
  /** The targets of i are outTo[outStart[i]] … outTo[outStart[i + 1] − 1], ascending. */
  readonly outStart: Int32Array;
  readonly outTo: Int32Array;
  /** 1 where the target attacks back; parallel to outTo. */
  readonly outMutual: Uint8Array;
  readonly inStart: Int32Array;
  readonly inFrom: Int32Array;
  readonly inMutual: Uint8Array;
  readonly blocked: Uint8Array;
}

/**
 * The digraph of an attack graph; `blocked` marks nodes that are blocked whether or not they attack
 * themselves.
 */
export function digraphOf(graph: AttackGraph, blocked: Uint8Array = new Uint8Array(graph.size)): Digraph {
  const { size, targets } = graph;
  const outStart = new Int32Array(size + 1);
  const inStart = new Int32Array(size + 1);
  const marks = Uint8Array.from(blocked);
  for (let node = 0; node < size; node++) {
    for (const target of targets[node]!) {
      if (target === node) {
        marks[node] = 1;
        continue;
      }
      outStart[node + 1]!++;
      inStart[target + 1]!++;
    }
  }
  for (let node = 0; node < size; node++) {
    outStart[node + 1]! += outStart[node]!;
    inStart[node + 1]! += inStart[node]!;
  }
  const count = outStart[size]!;
  const outTo = new Int32Array(count);
  const inFrom = new Int32Array(count);
  const filled = inStart.slice(0, size);
  let edge = 0;
  for (let node = 0; node < size; node++) {
    for (const target of targets[node]!) {
      if (target === node) continue;
      outTo[edge++] = target;
      inFrom[filled[target]!++] = node;
    }
  }
  const outMutual = new Uint8Array(count);
  const inMutual = new Uint8Array(count);
  for (let node = 0; node < size; node++) {
    // Both rows ascend, so one walk over them finds their common members.
    let inEdge = inStart[node]!;
    const inEnd = inStart[node + 1]!;
    for (let outEdge = outStart[node]!; outEdge < outStart[node + 1]!; outEdge++) {
      while (inEdge < inEnd && inFrom[inEdge]! < outTo[outEdge]!) inEdge++;
      if (inEdge < inEnd && inFrom[inEdge] === outTo[outEdge]) {
        outMutual[outEdge] = 1;
        inMutual[inEdge] = 1;
      }
    }
  }
  return { size, outStart, outTo, outMutual, inStart, inFrom, inMutual, blocked: marks };
}
