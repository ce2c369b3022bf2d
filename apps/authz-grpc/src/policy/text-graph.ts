/** A way from one place of a pattern to another: by one character, or by none where `accepts` is null. */
export interface Arc {
  readonly to: number;
  readonly accepts: ((char: string) => boolean) | null;
  /** Characters that it accepts, those that stand for most others first. */
  readonly chars: readonly string[];
}

/** The texts that lead from the first place to the last one, which no arc leaves. */
export type TextGraph = readonly (readonly Arc[])[];

/** Places that the texts of two graphs may have; what lies behind more is left out. */
const PLACES_MAX = 4_096;
/** Characters tried for one arc. */
const CHARS_MAX = 3;

/** The texts that both graphs have. */
export function intersect(a: TextGraph, b: TextGraph): TextGraph {
  const [endA, endB] = [a.length - 1, b.length - 1];
  const pairs: (readonly [i: number, j: number])[] = [];
  const places = new Map<number, number>();
  const placeOf = (i: number, j: number) => {
    const id = i * b.length + j;
    const place = places.get(id) ?? pairs.push([i, j]) - 1;
    places.set(id, place);
    return place;
  };
  placeOf(0, 0);
  const graph: Arc[][] = [];
  let end = -1;
  for (const [i, j] of pairs) {
    const arcs: Arc[] = [];
    graph.push(arcs);
    if (i === endA && j === endB) end = graph.length - 1;
    if (pairs.length > PLACES_MAX) continue;
    const [ofA, ofB] = [a[i] as readonly Arc[], b[j] as readonly Arc[]];
    // What both leave open gets a character before it ends: an empty name is none.
    for (const { to, accepts, chars } of ofA) {
      if (accepts === null) continue;
      for (const other of ofB) {
        const takes = other.accepts;
        if (takes === null) continue;
        const common = [...chars.filter(takes), ...other.chars.filter(accepts)];
        if (common.length > 0)
          arcs.push({
            to: placeOf(to, other.to),
            accepts: (char) => accepts(char) && takes(char),
            chars: [...new Set(common)],
          });
      }
    }
    for (const { to, accepts } of ofA)
      if (accepts === null) arcs.push({ to: placeOf(to, j), accepts, chars: [] });
    for (const { to, accepts } of ofB)
      if (accepts === null) arcs.push({ to: placeOf(i, to), accepts, chars: [] });
  }
  if (end >= 0) graph[end]!.push({ to: graph.length, accepts: null, chars: [] });
  return [...graph, []];
}

interface Move {
  readonly from: number;
  readonly to: number;
  readonly char: string;
  /** Whether another character leads the same way. */
  readonly isAlike: boolean;
}

/**
 * At most `max` texts of the graph: a shortest one, then ones that lead through what those before left out -
 * another branch, a repetition, another character. Empty where it has none.
 */
export function textsThrough(graph: TextGraph, max = 1): string[] {
  const goal = graph.length - 1;
  const moves: Move[] = [];
  const reached = new Map<number, Move | null>([[0, null]]);
  for (const from of reached.keys()) {
    if (from === goal && max === 1) break;
    for (const { to, accepts, chars } of graph[from]!)
      for (const [index, char] of (accepts === null ? [''] : chars.slice(0, CHARS_MAX)).entries()) {
        const move = { from, to, char, isAlike: index > 0 };
        moves.push(move);
        if (!reached.has(to)) reached.set(to, move);
      }
  }
  if (!reached.has(goal)) return [];
  const leading = leadingTo(goal, moves);
  const passed = new Set<Move>();
  const texts = new Set<string>();
  const pass = (start: number, move: Move | null) => {
    const before: Move[] = [];
    for (let one = reached.get(start); one; one = reached.get(one.from)) before.push(one);
    const path = before.toReversed();
    if (move !== null) path.push(move);
    for (let one = move && leading.get(move.to); one; one = leading.get(one.to)) path.push(one);
    for (const one of path) passed.add(one);
    texts.add(path.map(({ char }) => char).join(''));
  };
  pass(goal, null);
  for (const isAlike of [false, true])
    for (const move of moves) {
      if (texts.size >= max) return [...texts];
      if (move.isAlike === isAlike && !passed.has(move) && leading.has(move.to)) pass(move.from, move);
    }
  return [...texts];
}

/** The first move of a shortest way to the goal, from each place that has one. */
function leadingTo(goal: number, moves: readonly Move[]): ReadonlyMap<number, Move | null> {
  const into = new Map<number, Move[]>();
  for (const move of moves) {
    const known = into.get(move.to);
    if (known === undefined) into.set(move.to, [move]);
    else known.push(move);
  }
  const leading = new Map<number, Move | null>([[goal, null]]);
  for (const at of leading.keys())
    for (const move of into.get(at) ?? []) if (!leading.has(move.from)) leading.set(move.from, move);
  return leading;
}
