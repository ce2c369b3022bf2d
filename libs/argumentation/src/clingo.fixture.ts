import { run } from 'clingo-wasm';
import type { AttackGraph } from './framework.ts';

/**
 * Complete extensions as answer sets, after the encodings of U. Egly, S. A. Gaggl, S. Woltran, "Answer-set
 * programming encodings for argumentation frameworks" (ASPARTIX), 2010: in exactly when every attacker is
 * defeated.
 */
const COMPLETE = `
in(X) :- not out(X), arg(X).
out(X) :- not in(X), arg(X).
defeated(X) :- in(Y), att(Y, X).
:- in(X), defeated(X).
not_defended(X) :- att(Y, X), not defeated(Y).
:- in(X), not_defended(X).
:- out(X), not not_defended(X).
`;

/** Choosing in first and recording what is in makes clingo list the subset-maximal answer sets only. */
const MAXIMAL = '#heuristic in(X) : arg(X). [1, true]';
const MAXIMAL_OPTIONS = ['--heuristic=Domain', '--enum-mode=domRec'];

/**
 * The preferred extensions by clingo, each ascending, in lexicographic order; and the seconds that it says it
 * took.
 */
export async function preferredByClingo(
  graph: AttackGraph,
): Promise<{ extensions: number[][]; seconds: number }> {
  if (graph.size === 0) return { extensions: [[]], seconds: 0 };
  const result = await run(programOf(graph), 0, MAXIMAL_OPTIONS);
  if (result.Result === 'ERROR') throw new Error(`clingo: ${result.Error}`);
  const extensions = result.Call[0]!.Witnesses.map((witness) =>
    witness.Value.map((atom) => Number(/^in\((\d+)\)$/.exec(atom)![1])).sort((a, b) => a - b),
  );
  extensions.sort((a, b) => {
    const at = a.findIndex((node, k) => node !== b[k]);
    return at === -1 ? a.length - b.length : at >= b.length ? 1 : a[at]! - b[at]!;
  });
  return { extensions, seconds: result.Time.Total };
}

/** The framework as facts, written briefly: clingo-wasm passes the program over a small stack. */
function programOf({ size, targets }: AttackGraph): string {
  const facts = targets.map((row, from) => (row.length === 0 ? '' : `att(${from}, (${ranges(row)})).\n`));
  return `arg(0..${size - 1}).\n${facts.join('')}${targets.every((row) => row.length === 0) ? '#defined att/2.\n' : ''}${COMPLETE}${MAXIMAL}\n#show in/1.\n`;
}

function ranges(nodes: readonly number[]): string {
  const parts: string[] = [];
  for (let k = 0; k < nodes.length; k++) {
    const first = nodes[k]!;
    while (nodes[k + 1] === nodes[k]! + 1) k++;
    parts.push(first === nodes[k] ? `${first}` : `${first}..${nodes[k]}`);
  }
  return parts.join('; ');
}
