/**
 * An abstract argumentation framework: arguments by name, and who attacks whom as `[attacker, attacked]`.
 * Source: P. M. Dung, "On the acceptability of arguments and its fundamental role in nonmonotonic reasoning,
 * logic programming and n-person games", Artificial Intelligence 77 (1995), Definition 2.
 */
export interface ArgumentationFramework {
  readonly arguments: readonly string[];
  readonly attacks: readonly (readonly [string, string])[];
}

/** The same over the nodes 0 … size − 1; the form the engine hands over. */
export interface AttackGraph {
  readonly size: number;
  /** targets[i] = the nodes that i attacks, ascending, each once. */
  readonly targets: readonly (readonly number[])[];
}

/** A framework with its argument names in the order of UTF-16 code units: node i is names[i]. */
export interface NamedGraph extends AttackGraph {
  readonly names: readonly string[];
}

/**
 * The graph of a framework. Nodes are numbered in the order of the names, so ascending node ids are sorted
 * names. An attack listed twice is one: attacks are a relation. Throws TypeError when an argument is listed
 * twice, and, naming the attack, when an attack is not a pair or names something that is not an argument.
 */
export function graphOf(framework: ArgumentationFramework): NamedGraph {
  const names = [...framework.arguments];
  for (const name of names) {
    if (typeof name !== 'string') throw new TypeError(`An argument must be a string, not ${String(name)}.`);
  }
  names.sort();
  const nodeOf = new Map<string, number>();
  for (const [node, name] of names.entries()) {
    if (nodeOf.has(name)) throw new TypeError(`The argument ${JSON.stringify(name)} is listed twice.`);
    nodeOf.set(name, node);
  }
  const targets: number[][] = names.map(() => []);
  for (const [index, attack] of framework.attacks.entries()) {
    const said = () => `attacks[${index}] = ${JSON.stringify(attack)}`;
    if (!Array.isArray(attack) || attack.length !== 2) {
      throw new TypeError(`${said()} is not a pair [attacker, attacked].`);
    }
    const [from, to] = attack.map((name: string) => {
      const node = nodeOf.get(name);
      if (node === undefined)
        throw new TypeError(`${said()} names ${JSON.stringify(name)}, which is not an argument.`);
      return node;
    });
    targets[from!]!.push(to!);
  }
  const once = targets.map((list) => [...new Set(list)].sort((a, b) => a - b));
  return { size: names.length, targets: once, names };
}
