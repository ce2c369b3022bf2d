import type { SearchBudget } from './search-budget.ts';
import { type Choice, listSolutions, newChoice, type Option, settle } from './choice.ts';
import type { Digraph } from './digraph.ts';
import { independentSetOptions } from './independent-set-options.ts';
import { maximalIndependentSets, type SetList } from './maximal-independent-sets.ts';
import { type Reduced, type Residual, reduce, Scratch } from './residual.ts';
import { ResidualMap } from './residual-map.ts';
import { rivalGroups } from './rival-groups.ts';
import { listBySat } from './sat-listing.ts';
import { initialComponent } from './strong-components.ts';

/** Above so many nodes bit rows take too much memory to list maximal independent sets. */
const BIT_ROWS_NODES_MAX = 8_192;
/**
 * Share of the budget for listing the maximal independent sets of a symmetric part, before they are made
 * choices.
 */
const LISTING_SHARE = 1 / 2;
/**
 * An initial component inside an initial component inside …: deeper than this it goes to the SAT core as a
 * whole.
 */
const NESTING_MAX = 100;

/**
 * Takes a framework apart into a graph of choices: each choice has options, of which one is taken; each
 * option has members and further choices, all of which are made independently. In this order, again and again
 * for what is left:
 *
 * 1. what needs no choice is decided, and the rest falls into weakly connected parts that do not touch
 *  (`reduce`);
 * 2. rival groups are options that exclude each other (`rivalGroups`);
 * 3. where all attacks are mutual, but for those on nodes that attack nothing, the options are the maximal
 *  independent
 *    sets or, where those are too many to list, choices that make them up (`independentSetOptions`);
 * 4. a part that is not strongly connected is decided from an initial component on, one option for each
 *  solution of it:
 *    an accepted node removes what it attacks, an undecided one blocks it (SCC-recursiveness of preferred
 *    semantics, P. Baroni, M. Giacomin, G. Guida, Artificial Intelligence 168, 2005, section 5);
 * 5. nodes that no admissible set contains, as far as propagation tells, become blocked, and the rest is
 *  taken apart again;
 * 6. the rest is listed by the SAT core.
 *
 * Parts that are met again, with the same blocked nodes, are one choice (component caching: T. Sang et al.,
 * 2004). When the budget is spent a choice that is not yet taken apart has one option: a set of nodes that
 * defend themselves.
 */
export class Decomposition {
  readonly #graph: Digraph;
  readonly #budget: SearchBudget;
  readonly #scratch: Scratch;
  readonly #choices = new ResidualMap<Choice>();
  /** Shared by the decompositions inside one another. */
  readonly #solutions: ResidualMap<SetList>;
  readonly #nesting: number;

  constructor(graph: Digraph, budget: SearchBudget, outer: Decomposition | null = null) {
    this.#graph = graph;
    this.#budget = budget;
    this.#scratch = outer === null ? new Scratch(graph.size) : outer.#scratch;
    this.#solutions = outer === null ? new ResidualMap() : outer.#solutions;
    this.#nesting = outer === null ? 0 : outer.#nesting + 1;
  }

  /**
   * The choices of a residual: one with a single option, what is accepted in any case and the parts. Settled.
   */
  solve(residual: Residual): Choice {
    const pending: Choice[] = [];
    const root = newChoice(residual);
    root.options = [this.#option(this.#reduce(residual), pending)];
    for (let choice = pending.pop(); choice !== undefined; choice = pending.pop())
      this.#expand(choice, pending);
    settle(root);
    return root;
  }

  #reduce(residual: Residual): Reduced {
    return reduce(this.#graph, residual, this.#scratch, this.#budget);
  }

  /**
   * The smallest part is taken apart first, so that one part that takes all the budget leaves the fewest
   * others undone.
   */
  #option({ accepted, parts }: Reduced, pending: Choice[]): Option {
    const bySize = [...parts].sort((a, b) => b.nodes.length - a.nodes.length);
    const choices = new Map(bySize.map((part) => [part, this.#choice(part, pending)]));
    return { members: Int32Array.from(accepted), parts: parts.map((part) => choices.get(part)!) };
  }

  #choice(residual: Residual, pending: Choice[]): Choice {
    this.#budget.tryConsume(residual.nodes.length);
    const known = this.#choices.get(residual);
    if (known !== undefined) return known;
    const choice = newChoice(residual);
    this.#choices.set(residual, choice);
    pending.push(choice);
    return choice;
  }

  #expand(choice: Choice, pending: Choice[]): void {
    if (this.#budget.isSpent) return this.#giveUp(choice);
    const { residual } = choice;
    const groups = rivalGroups(this.#graph, residual, this.#scratch, this.#budget);
    if (groups.length > 1) {
      choice.options = groups.map((group) => this.#option(this.#reduce(group), pending));
      return;
    }
    const symmetric = this.#symmetricRows(residual);
    if (symmetric !== null && this.#solveSymmetric(choice, symmetric, pending)) return;

    const initial = initialComponent(this.#graph, residual, this.#scratch, this.#budget);
    if (initial !== null) return this.#branchOn(initial, choice, pending);

    const found = this.#withShare(pending, (budget) => listBySat(this.#graph, residual, budget, true));
    if (found.refuted.length === 0) return this.#list(choice, found);
    const blocked = residual.blocked.slice();
    for (const place of found.refuted) blocked[place] = 1;
    choice.options = [this.#option(this.#reduce({ nodes: residual.nodes, blocked }), pending)];
  }

  /**
   * Lists the maximal independent sets if that is possible; else makes them choices, which count more sets
   * than can be listed; else takes those that were listed. False when none of this gave anything.
   */
  #solveSymmetric(choice: Choice, rows: SymmetricRows, pending: readonly Choice[]): boolean {
    const { nodes } = choice.residual;
    let found: SetList = { sets: [], isComplete: false };
    if (nodes.length <= BIT_ROWS_NODES_MAX) {
      const listing = this.#budget.share(LISTING_SHARE);
      found = setsWithFollowers(rows, listing);
      this.#budget.absorb(listing);
    }
    if (!found.isComplete) {
      const options = this.#withShare(pending, (budget) =>
        independentSetOptions(rows.neighbors, rows.isFollower, nodes, budget),
      );
      if (options !== null) {
        choice.options = options;
        return true;
      }
      if (found.sets.length === 0) return false;
    }
    const sets = found.sets.map((set) => set.map((place) => nodes[place]!));
    this.#list(choice, { sets, isComplete: found.isComplete });
    return true;
  }

  /**
   * All of the budget for the last part; half of it while other parts, an eighth less while what follows
   * needs some.
   */
  #withShare<T>(pending: readonly Choice[], list: (budget: SearchBudget) => T): T {
    if (this.#nesting === 0 && pending.length === 0) return list(this.#budget);
    const share = this.#budget.share(pending.length > 0 ? 1 / 2 : 7 / 8);
    const result = list(share);
    this.#budget.absorb(share);
    return result;
  }

  /** One option for each solution of the initial component. */
  #branchOn(initial: Residual, choice: Choice, pending: Choice[]): void {
    const { sets, isComplete } = this.#solutionsOf(initial);
    const restAfter = this.#restAfter(choice.residual, initial);
    for (const set of sets) {
      if (choice.options.length > 0 && this.#budget.isSpent) break;
      const { accepted, parts } = this.#reduce(restAfter(set));
      choice.options.push(this.#option({ accepted: [...set, ...accepted], parts }, pending));
    }
    choice.isComplete = isComplete && choice.options.length === sets.length;
    if (sets.length === 0) this.#giveUp(choice);
  }

  #solutionsOf(initial: Residual): SetList {
    const known = this.#solutions.get(initial);
    if (known !== undefined) return known;
    const solutions =
      this.#nesting < NESTING_MAX
        ? listSolutions(new Decomposition(this.#graph, this.#budget, this).solve(initial), this.#budget)
        : listBySat(this.#graph, initial, this.#budget, false);
    this.#solutions.set(initial, solutions);
    return solutions;
  }

  /**
   * A function that gives the residual without an initial component, by the accepted nodes of that component.
   */
  #restAfter({ nodes, blocked }: Residual, initial: Residual): (accepted: Int32Array) => Residual {
    const { outStart, outTo, inStart, inFrom } = this.#graph;
    const isInside = new Set(initial.nodes);
    const rest = nodes.filter((node) => !isInside.has(node));
    const restBlocked = blocked.filter((_, k) => !isInside.has(nodes[k]!));
    const placeOf = new Map(Array.from(rest, (node, place) => [node, place]));
    /** The nodes of the component that attack the rest, with the places of what they attack there. */
    const border: { node: number; places: number[] }[] = [];
    for (const node of initial.nodes) {
      const places: number[] = [];
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
        const place = placeOf.get(outTo[edge]!);
        if (place !== undefined) places.push(place);
      }
      if (places.length > 0) border.push({ node, places });
    }
    const { labels: isAccepted } = this.#scratch;
    return (accepted) => {
      const isOut = new Uint8Array(rest.length);
      const isBlocked = restBlocked.slice();
      let steps = rest.length;
      for (const node of accepted) isAccepted[node] = 1;
      for (const { node, places } of border) {
        steps += places.length;
        if (isAccepted[node] === 1) for (const place of places) isOut[place] = 1;
        else {
          let edge = inStart[node]!;
          while (edge < inStart[node + 1]! && isAccepted[inFrom[edge]!] === 0) edge++;
          steps += edge - inStart[node]!;
          if (edge === inStart[node + 1]!) for (const place of places) isBlocked[place] = 1;
        }
      }
      for (const node of accepted) isAccepted[node] = 0;
      this.#budget.tryConsume(steps);
      return {
        nodes: rest.filter((_, place) => isOut[place] === 0),
        blocked: isBlocked.filter((_, place) => isOut[place] === 0),
      };
    };
  }

  /**
   * The neighbors of each place when no node is blocked and every attack is mutual but for those on
   * followers, which attack nothing; null otherwise.
   */
  #symmetricRows({ nodes, blocked }: Residual): SymmetricRows | null {
    if (blocked.includes(1)) return null;
    const { outStart, outTo, outMutual } = this.#graph;
    const placeOf = new Map(Array.from(nodes, (node, place) => [node, place]));
    const isFollower = new Uint8Array(nodes.length).fill(1);
    const oneWay: [number, number][] = [];
    const neighbors: number[][] = Array.from(nodes, () => []);
    for (const [place, node] of nodes.entries()) {
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
        const target = placeOf.get(outTo[edge]!);
        if (target === undefined) continue;
        isFollower[place] = 0;
        neighbors[place]!.push(target);
        if (outMutual[edge] === 0) oneWay.push([place, target]);
      }
      this.#budget.tryConsume(outStart[node + 1]! - outStart[node]!);
    }
    for (const [from, to] of oneWay) {
      if (isFollower[to] === 0) return null;
      neighbors[to]!.push(from);
    }
    return { neighbors, isFollower };
  }

  #list(choice: Choice, { sets, isComplete }: SetList): void {
    choice.options = sets.map((members) => ({ members, parts: [] }));
    choice.isComplete = isComplete;
    if (sets.length === 0) this.#giveUp(choice);
  }

  /**
   * One admissible set, found at once: nodes that attack all their attackers back, as long as they do not
   * conflict.
   */
  #giveUp(choice: Choice): void {
    const { nodes, blocked } = choice.residual;
    const { inStart, inFrom, inMutual, outStart, outTo } = this.#graph;
    const { isPresent, labels } = this.#scratch;
    this.#scratch.enter(choice.residual);
    const members: number[] = [];
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k]!;
      if (blocked[k] === 1 || labels[node] !== 0) continue;
      let defendsItself = true;
      for (let edge = inStart[node]!; edge < inStart[node + 1]! && defendsItself; edge++) {
        if (isPresent[inFrom[edge]!] === 1 && inMutual[edge] === 0) defendsItself = false;
      }
      if (!defendsItself) continue;
      members.push(node);
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
        if (isPresent[outTo[edge]!] === 1) labels[outTo[edge]!] = 1;
      }
    }
    this.#scratch.leave(choice.residual);
    choice.options = [{ members: Int32Array.from(members), parts: [] }];
    choice.isComplete = false;
  }
}

/** An undirected graph by places, and followers: in a set exactly when none of their neighbors is. */
interface SymmetricRows {
  readonly neighbors: readonly (readonly number[])[];
  readonly isFollower: Uint8Array;
}

function setsWithFollowers({ neighbors, isFollower }: SymmetricRows, budget: SearchBudget): SetList {
  if (!isFollower.includes(1)) return maximalIndependentSets(neighbors, budget);
  const places = neighbors.map((_, place) => place);
  const core = places.filter((place) => isFollower[place] === 0);
  const followers = places.filter((place) => isFollower[place] === 1);
  const coreOf = new Int32Array(places.length);
  for (const [k, place] of core.entries()) coreOf[place] = k;
  const rows = core.map((place) =>
    neighbors[place]!.filter((p) => isFollower[p] === 0).map((p) => coreOf[p]!),
  );
  const { sets, isComplete } = maximalIndependentSets(rows, budget);
  const isTaken = new Uint8Array(places.length);
  const extended = sets.map((set) => {
    const taken = Array.from(set, (k) => core[k]!);
    for (const place of taken) isTaken[place] = 1;
    const joining = followers.filter((follower) =>
      neighbors[follower]!.every((place) => isTaken[place] === 0),
    );
    for (const place of taken) isTaken[place] = 0;
    budget.tryConsume(followers.length);
    return Int32Array.from([...taken, ...joining]);
  });
  return { sets: extended, isComplete };
}
