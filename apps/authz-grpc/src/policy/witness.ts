import type { MacroValues } from '@platform/decide/parts';
import { macrosOf, truthOf, type Choices, type Chosen, type Fact, type Truth } from './facts.ts';
import { SINGLE, soleStatement } from './neighborhood.ts';
import { FRESH } from './sample-pattern.ts';
import { isSpent, type Budget, type Gap } from './search-budget.ts';
import { WitnessValues } from './witness-values.ts';

/** A fact, and which of the two sides say it. */
export interface SidedFact {
  readonly fact: Fact;
  readonly before: boolean;
  readonly after: boolean;
}

/** What a difference gives: a gain is denied before and allowed after. */
export type Direction = 'gain' | 'loss';

/** What a fact that one side alone says does, if it does anything. */
export function directionOf({ fact, after }: SidedFact): Direction {
  return fact.deny === after ? 'loss' : 'gain';
}

/** The side that denies and the side that allows what shows the goal. */
export function sidesFor(goal: SidedFact): ['before' | 'after', 'before' | 'after'] {
  return directionOf(goal) === 'gain' ? ['before', 'after'] : ['after', 'before'];
}

/**
 * Whether a request that the fact matches, too, may show the goal better: a denial is shown by what something
 * allows, and an allowance, where something allows the same, by what is denied on the other side alone.
 */
export function helps({ fact, ...on }: SidedFact, goal: SidedFact): boolean {
  const [denied, allowed] = sidesFor(goal);
  return goal.fact.deny ? !fact.deny && on[allowed] : fact.deny && on[denied] && !on[allowed];
}

export interface Searched {
  /** A request that `goal` matches and the sides decide differently, its way; null when none was found. */
  readonly found: ReadonlyMap<string, string | readonly string[]> | null;
  /** Null when none was found and there is none. */
  readonly gap: Gap | null;
}

/** Share of the budget that one search may take. */
const SHARE = 0.2;

/**
 * Looks for a request on an object of the domain that `goal` matches and that the two sides decide
 * differently in its direction; `near` are the others that may match what it matches, as `neighborhoodOf`
 * finds them. A request that gains does so by an added allowance or a removed denial that matches the
 * request, and one that loses by the reverse: searches for all goals miss no direction of any difference.
 * Values are what the patterns name, what lies beside them and what two of them share; a search that tried
 * all of them is complete where patterns are texts and starts of texts alone.
 */
export function findWitness(
  domainId: string,
  goal: SidedFact,
  near: readonly SidedFact[],
  budget: Budget,
): Searched {
  if (isSpent(budget)) return { found: null, gap: 'too_many' };
  budget.left -= near.length;
  const search = new Search(domainId, goal, near, budget);
  const found = search.run();
  return { found, gap: found === null ? search.gap : null };
}

/** What a side has for sure, and what it may have. */
interface Side {
  deny: boolean;
  allow: boolean;
  mayDeny: boolean;
  mayAllow: boolean;
}

class Search {
  readonly #domainId: string;
  readonly #goal: SidedFact;
  readonly #direction: Direction;
  readonly #relevant: readonly SidedFact[];
  readonly #budget: Budget;
  readonly #floor: number;
  readonly #values: WitnessValues;

  constructor(domainId: string, goal: SidedFact, relevant: readonly SidedFact[], budget: Budget) {
    this.#domainId = domainId;
    this.#goal = goal;
    this.#direction = directionOf(goal);
    this.#relevant = relevant;
    this.#budget = budget;
    this.#floor = budget.left * (1 - SHARE);
    this.#values = new WitnessValues(
      {
        domainId,
        goal: goal.fact,
        statement: soleStatement(goal.fact),
        others: relevant.map(({ fact }) => fact),
        needsOther: relevant.some((one) => helps(one, goal)),
      },
      budget,
    );
  }

  get gap(): Gap | null {
    return this.#values.gap;
  }

  run(): ReadonlyMap<string, string | readonly string[]> | null {
    const open = [this.#goal, ...this.#relevant];
    const choices = new Map<string, Chosen>();
    if (!this.#descend(0, open, emptySides(), choices)) return null;
    return new Map(
      [...choices].filter((one): one is [string, string | readonly string[]] => one[1] !== null),
    );
  }

  /** Chooses a value for the key at this depth, until the goal holds and the sides differ its way. */
  #descend(depth: number, open: readonly SidedFact[], sides: Sides, choices: Map<string, Chosen>): boolean {
    const key = this.#values.keys[depth];
    if (key === undefined) return false;
    for (const value of this.#values.of(key, choices)) {
      if (isSpent(this.#budget, this.#floor)) {
        this.#values.gap = 'too_many';
        return false;
      }
      choices.set(key, value);
      const macros = macrosOf(choices);
      this.#budget.left -= open.length;
      const next = settle(open, sides, choices, macros);
      const found = andOf(truthOf(this.#goal.fact, choices, macros), changes(next.sides, this.#direction));
      if (found === true) this.#fill(choices);
      if (found ?? this.#descend(depth + 1, next.open, next.sides, choices)) return true;
      choices.delete(key);
    }
    return false;
  }

  /** Gives the keys that every check has, and that nothing hangs on any more, some value. */
  #fill(choices: Map<string, Chosen>): void {
    const base = `svc://${this.#domainId}/`;
    for (const key of SINGLE) {
      if (!choices.has(key)) choices.set(key, key === 'object' ? base + FRESH[0] : FRESH[0]);
    }
  }
}

interface Sides {
  readonly before: Side;
  readonly after: Side;
}

function emptySides(): Sides {
  const none = { deny: false, allow: false, mayDeny: false, mayAllow: false };
  return { before: none, after: none };
}

/** What the facts that were open are now. */
function settle(
  open: readonly SidedFact[],
  known: Sides,
  choices: Choices,
  macros: MacroValues,
): { readonly open: readonly SidedFact[]; readonly sides: Sides } {
  const before = { ...known.before, mayDeny: false, mayAllow: false };
  const after = { ...known.after, mayDeny: false, mayAllow: false };
  const still: SidedFact[] = [];
  for (const one of open) {
    const truth = truthOf(one.fact, choices, macros);
    if (truth === false) continue;
    if (truth === null) still.push(one);
    for (const side of [...(one.before ? [before] : []), ...(one.after ? [after] : [])]) {
      if (one.fact.deny) side[truth === null ? 'mayDeny' : 'deny'] = true;
      else side[truth === null ? 'mayAllow' : 'allow'] = true;
    }
  }
  return { open: still, sides: { before, after } };
}

function decisionOf({ deny, allow, mayDeny, mayAllow }: Side): Truth {
  if (deny || (!allow && !mayAllow)) return false;
  return allow && !mayDeny ? true : null;
}

/** Whether the sides differ this way. */
function changes({ before, after }: Sides, direction: Direction): Truth {
  const [one, other] = direction === 'gain' ? [before, after] : [after, before];
  const isAllowed = decisionOf(one);
  return andOf(isAllowed === null ? null : !isAllowed, decisionOf(other));
}

function andOf(one: Truth, other: Truth): Truth {
  if (one === false || other === false) return false;
  return one === null || other === null ? null : true;
}
