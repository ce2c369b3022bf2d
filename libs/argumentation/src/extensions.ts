import { compareMembers } from './best-extensions.ts';
import { SearchBudget } from './search-budget.ts';
import { visitSolutions } from './choice.ts';
import { not } from './cdcl.ts';
import { type Digraph, digraphOf } from './digraph.ts';
import { type ArgumentationFramework, graphOf, type NamedGraph } from './framework.ts';
import { groundedLabels } from './grounded.ts';
import { LabellingSolver, type Semantics } from './labelling-encoding.ts';
import { memberLister, preferredChoices } from './preferred.ts';
import { mergeTwins } from './twins.ts';
import { weakComponents } from './weak-components.ts';

/**
 * The grounded extension: what must be accepted by anyone who accepts anything, the least fixed point of the
 * characteristic function (P. M. Dung, 1995, Definition 20). Exactly one exists, perhaps empty. Sorted by
 * UTF-16 code units; linear in the attacks. Throws TypeError as `graphOf` says: an argument or an attack
 * listed twice, an attack that is not a pair or names no argument.
 */
export function groundedExtension(framework: ArgumentationFramework): string[] {
  const graph = graphOf(framework);
  const labels = groundedLabels(digraphOf(graph));
  return graph.names.filter((_, node) => labels[node] === 1);
}

/**
 * The complete extensions: conflict-free sets that defend their members and contain all that they defend (P.
 * M. Dung, 1995, Definition 23), one for each complete labelling (M. Caminada, "On the issue of reinstatement
 * in argumentation", 2006, Theorem 1). At least one, the grounded one. Members sorted by UTF-16 code units,
 * the list lexicographically. Exact, however long it takes: their number may grow exponentially. Throws
 * TypeError like `groundedExtension`.
 */
export function completeExtensions(framework: ArgumentationFramework): string[][] {
  return labelledExtensions(framework, 'complete');
}

/**
 * The preferred extensions: maximal admissible sets (P. M. Dung, 1995, Definition 7). At least one, perhaps
 * the empty one. By decomposition (P. Baroni, M. Giacomin, G. Guida, 2005) and a SAT core where nothing
 * decomposes. Members sorted by UTF-16 code units, the list lexicographically. Exact, however long it takes:
 * their number may grow exponentially. Throws TypeError like `groundedExtension`.
 */
export function preferredExtensions(framework: ArgumentationFramework): string[][] {
  const graph = graphOf(framework);
  const quotient = mergeTwins(graph);
  const toMembers = memberLister(graph.size, quotient);
  const extensions: number[][] = [];
  visitSolutions(preferredChoices(quotient, new SearchBudget(Infinity)), (pieces) => {
    extensions.push(toMembers(pieces));
    return true;
  });
  return named(graph, extensions);
}

/**
 * The stable extensions: conflict-free sets that attack everything else (P. M. Dung, 1995, Definition 13).
 * Perhaps none. Members sorted by UTF-16 code units, the list lexicographically. Exact, however long it
 * takes: their number may grow exponentially. Throws TypeError like `groundedExtension`.
 */
export function stableExtensions(framework: ArgumentationFramework): string[][] {
  return labelledExtensions(framework, 'stable');
}

/**
 * What the grounded labelling leaves undecided falls into parts; the extensions are the products of theirs.
 */
function labelledExtensions(framework: ArgumentationFramework, semantics: Semantics): string[][] {
  const graph = graphOf(framework);
  const digraph = digraphOf(graph);
  const labels = groundedLabels(digraph);
  const accepted = [...labels.keys()].filter((node) => labels[node] === 1);
  const undecided = Int32Array.from([...labels.keys()].filter((node) => labels[node] === 0));
  let extensions: number[][] = [accepted];
  for (const part of weakComponents(digraph, undecided)) {
    const choices = labellingsOf(digraph, part, semantics);
    extensions = extensions.flatMap((extension) => choices.map((choice) => [...extension, ...choice]));
  }
  return named(
    graph,
    extensions.map((extension) => extension.sort((a, b) => a - b)),
  );
}

function labellingsOf(digraph: Digraph, nodes: Int32Array, semantics: Semantics): Int32Array[] {
  const blocked = Uint8Array.from(nodes, (node) => digraph.blocked[node]!);
  const solver = new LabellingSolver(digraph, { nodes, blocked }, semantics, new SearchBudget(Infinity));
  const sets: Int32Array[] = [];
  for (let found = solver.next(); found !== null; found = solver.next()) {
    const isAccepted = new Set(found.accepted);
    sets.push(Int32Array.from(found.accepted, (place) => nodes[place]!));
    solver.exclude(
      Array.from(nodes, (_, place) => {
        const literal = solver.literalIn(place);
        return isAccepted.has(place) ? not(literal) : literal;
      }),
    );
  }
  return sets;
}

function named(graph: NamedGraph, extensions: number[][]): string[][] {
  return extensions.sort(compareMembers).map((extension) => extension.map((node) => graph.names[node]!));
}
