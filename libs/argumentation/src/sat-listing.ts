import type { SearchBudget } from './search-budget.ts';
import type { Digraph } from './digraph.ts';
import { LabellingSolver } from './labelling-encoding.ts';
import { type SetList, WORK_PER_KEPT_MEMBER } from './maximal-independent-sets.ts';
import type { Residual } from './residual.ts';

/**
 * Solutions found before the nodes that are in none of them are asked about; enough to spare most nodes the
 * question.
 */
const SOLUTIONS_BEFORE_ASKING = 16;

/**
 * The solutions of a residual by the SAT core, each found being excluded together with its subsets: two
 * preferred extensions attack each other, so every other one contains a node that the one found rejects.
 *
 * With `asks`, nodes in no solution are looked for after the first few solutions; when there are such nodes
 * the listing ends there and gives their places as `refuted`, so that the residual can be taken apart without
 * them.
 */
export function listBySat(
  graph: Digraph,
  residual: Residual,
  budget: SearchBudget,
  asks: boolean,
): SetList & { refuted: number[] } {
  const solver = new LabellingSolver(graph, residual, 'preferred', budget);
  const isAccepted = new Uint8Array(solver.size);
  const sets: Int32Array[] = [];
  for (let found = solver.next(); found !== null; found = solver.next()) {
    sets.push(Int32Array.from(found.accepted, (place) => residual.nodes[place]!));
    budget.tryConsume(WORK_PER_KEPT_MEMBER * (1 + found.accepted.length));
    solver.exclude(found.rejected.map((place) => solver.literalIn(place)));
    for (const place of found.accepted) isAccepted[place] = 1;
    if (asks && sets.length === SOLUTIONS_BEFORE_ASKING) {
      const refuted = solver.refuted((place) => isAccepted[place] === 0);
      if (refuted.length > 0) return { sets, isComplete: false, refuted };
    }
  }
  return { sets, isComplete: !budget.isSpent, refuted: [] };
}
