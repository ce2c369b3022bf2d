/** A pair of members, a < b, and how strongly it belongs together. */
export interface Link {
  readonly a: number;
  readonly b: number;
  readonly strength: number;
}

/**
 * Groups in which every pair is linked at least as strongly as `least`: starts from single members and joins
 * the two groups whose weakest pair is strongest, while that pair reaches `least`; a pair that is not given
 * is no link. Equal strengths fall to the smaller members. Returns the groups of two or more, members
 * ascending, by first member.
 *
 * Complete and not single linkage, so that a chain of resemblances makes no group and every pair of a group
 * stands by itself. Source: B. S. Everitt, S. Landau, M. Leese, D. Stahl, Cluster Analysis, 5th ed. 2011,
 * Section 4.2.
 */
export function linkCompletely(links: readonly Link[], least: number): number[][] {
  const strong = links.filter(({ strength }) => strength >= least);
  return components(strong)
    .flatMap(({ members, within }) => linkComponent(members, within))
    .sort((x, y) => x[0]! - y[0]!);
}

/** Members that links connect, directly or not, with the links among them: no group reaches across. */
function components(links: readonly Link[]): { members: number[]; within: Link[] }[] {
  const parent = new Map<number, number>();
  const rootOf = (member: number): number => {
    let root = member;
    while (parent.get(root)! !== root) root = parent.get(root)!;
    parent.set(member, root);
    return root;
  };
  for (const { a, b } of links) {
    for (const member of [a, b]) if (!parent.has(member)) parent.set(member, member);
    const [x, y] = [rootOf(a), rootOf(b)];
    parent.set(Math.max(x, y), Math.min(x, y));
  }
  const found = new Map<number, { members: number[]; within: Link[] }>();
  for (const member of [...parent.keys()].sort((x, y) => x - y)) {
    const root = rootOf(member);
    if (!found.has(root)) found.set(root, { members: [], within: [] });
    found.get(root)!.members.push(member);
  }
  for (const link of links) found.get(rootOf(link.a))!.within.push(link);
  return [...found.values()];
}

function linkComponent(members: readonly number[], links: readonly Link[]): number[][] {
  const size = members.length;
  const place = new Map(members.map((member, i) => [member, i]));
  const groups = members.map((member) => [member]);
  /** Strength of the weakest pair between two groups, both ways round. */
  const weakest = new Float64Array(size * size).fill(-Infinity);
  for (const { a, b, strength } of links) {
    const [i, j] = [place.get(a)!, place.get(b)!];
    weakest[i * size + j] = weakest[j * size + i] = strength;
  }

  const alive = new Set(members.keys());
  /** The later group that each group is linked to most strongly; −1 for none. */
  const partner = new Int32Array(size).fill(-1);
  const strengthTo = (i: number) => (partner[i] === -1 ? -Infinity : weakest[i * size + partner[i]!]!);
  const choose = (i: number) => {
    partner[i] = -1;
    for (const j of alive) if (j > i && weakest[i * size + j]! > strengthTo(i)) partner[i] = j;
  };
  for (const i of alive) choose(i);
  for (;;) {
    let best = -1;
    for (const i of alive) {
      if (partner[i] !== -1 && (best === -1 || strengthTo(i) > strengthTo(best))) best = i;
    }
    if (best === -1) break;
    const gone = partner[best]!;
    groups[best]!.push(...groups[gone]!);
    alive.delete(gone);
    for (const j of alive) {
      const weaker = Math.min(weakest[best * size + j]!, weakest[gone * size + j]!);
      weakest[best * size + j] = weakest[j * size + best] = weaker;
    }
    // Links only became weaker, so only those who had chosen one of the two can have to choose again.
    for (const i of alive) if (i === best || partner[i] === gone || partner[i] === best) choose(i);
  }
  return [...alive].map((i) => groups[i]!.sort((x, y) => x - y)).filter((group) => group.length > 1);
}
