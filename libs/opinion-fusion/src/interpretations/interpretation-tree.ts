import { attackKind, nodesAttack } from './framework.ts';
import type { ArgumentNode, AttackKind, Framework } from './framework.ts';
import type { Claim } from '../model/model.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { quote } from '../contract/quote.ts';
import { truthStatus } from '../verdict/truth-status.ts';
import type { InterpretationClaim, InterpretationTree } from '../contract/types.ts';
import type { Weighed } from '../weighing/weighing.ts';

const byPlace = (a: Claim, b: Claim) => a.index - b.index;

/** Attacks from the claims of an extension; all of them end outside it, for it is conflict-free. */
export function attackCount(
  extension: readonly number[],
  { nodes, targets, plain, claims }: Framework,
): number {
  if (plain) {
    const inside = nodes[extension[0]!]!.members.length;
    return inside * (claims.length - inside);
  }
  if (targets === null) return extension.length * nodes.length;
  let count = 0;
  for (const index of extension) {
    let attacked = 0;
    for (const target of targets[index]!) attacked += nodes[target]!.members.length;
    count += attacked * nodes[index]!.members.length;
  }
  return count;
}

/** Pairs inside an extension that a support edge joins. */
export function supportCount(extension: readonly number[], { joined }: Framework): number {
  const inside = new Set(extension);
  let count = 0;
  for (const index of extension)
    for (const [other, pairs] of joined[index]!) if (inside.has(other)) count += pairs;
  return count;
}

interface Attacked {
  readonly attacked: readonly Claim[];
  readonly descriptions: readonly string[];
}

/** Writes the trees of one framework; what several trees share is made once. */
export class InterpretationTrees {
  readonly #framework: Framework;
  readonly #weighed: Weighed;
  readonly #edgesMax: number;
  readonly #claims = new Map<Claim, InterpretationClaim>();
  readonly #attacked = new Map<ArgumentNode, Attacked>();

  constructor(framework: Framework, weighed: Weighed, edgesMax: number) {
    this.#framework = framework;
    this.#weighed = weighed;
    this.#edgesMax = edgesMax;
  }

  /**
   * The tree of one extension, given in node indexes. Everything by id; at most `edgesMax` attacks and
   * supports each.
   */
  tree(extension: readonly number[], label: string, coherenceScore: number): InterpretationTree {
    const { nodes } = this.#framework;
    const accepted = extension.flatMap((index) => nodes[index]!.members);
    if (extension.length > 1) accepted.sort(byPlace);
    return {
      label,
      coherence_score: coherenceScore,
      accepted_claims: accepted.map((claim) => this.#claim(claim)),
      attacks: this.#attacks(accepted),
      supports: this.#supports(accepted, new Set(extension)),
    };
  }

  #nodeOf(claim: Claim): ArgumentNode {
    return this.#framework.nodes[this.#framework.nodeIndexOf[claim.index]!]!;
  }

  #claim(claim: Claim): InterpretationClaim {
    let entry = this.#claims.get(claim);
    if (!entry) {
      entry = this.#newClaim(claim);
      // In plain contradiction a claim stands in one interpretation only.
      if (!this.#framework.plain) this.#claims.set(claim, entry);
    }
    return entry;
  }

  #newClaim(claim: Claim): InterpretationClaim {
    const { opinion } = this.#weighed.weighings[claim.index]!;
    return {
      claim_id: claim.id,
      actor_id: claim.actor.id,
      actor_name: claim.actor.name,
      predicate: claim.predicate,
      value: claim.input.value,
      content: claim.input.content,
      truth_status: truthStatus(opinion),
      belief: opinion.belief,
      disbelief: opinion.disbelief,
      uncertainty: opinion.uncertainty,
      expected_probability: expectedProbability(opinion),
    };
  }

  #attacks(accepted: readonly Claim[]): InterpretationTree['attacks'] {
    const attacks: InterpretationTree['attacks'] = [];
    for (const attacker of accepted) {
      const { attacked, descriptions } = this.#attackedBy(this.#nodeOf(attacker));
      for (let i = 0; i < attacked.length; i += 1) {
        if (attacks.length >= this.#edgesMax) return attacks;
        const description = descriptions[this.#framework.nodeIndexOf[attacked[i]!.index]!]!;
        attacks.push({ attacker_claim_id: attacker.id, target_claim_id: attacked[i]!.id, description });
      }
    }
    return attacks;
  }

  /**
   * The claims that a node attacks, by id, and the description of the attack by the attacked node's index.
   */
  #attackedBy(node: ArgumentNode): Attacked {
    let known = this.#attacked.get(node);
    if (!known) {
      const attacked: Claim[] = [];
      const descriptions: string[] = [];
      for (const victim of this.#victims(node)) {
        descriptions[victim.index] = this.#describe(node, victim);
        for (const claim of victim.members) attacked.push(claim);
      }
      known = { attacked: attacked.sort(byPlace), descriptions };
      this.#attacked.set(node, known);
    }
    return known;
  }

  #victims(node: ArgumentNode): readonly ArgumentNode[] {
    const { nodes, targets, plain } = this.#framework;
    if (plain) return nodes.filter((other) => other !== node);
    if (targets === null) return nodes.filter((other) => nodesAttack(node, other, this.#weighed));
    return targets[node.index]!.map((index) => nodes[index]!);
  }

  #describe(attacker: ArgumentNode, victim: ArgumentNode): string {
    const a = attacker.members[0]!;
    const b = victim.members[0]!;
    const kind: AttackKind = this.#framework.plain
      ? 'contradicts'
      : (attackKind(a, b, this.#weighed) ?? 'contradicts');
    switch (kind) {
      case 'contradicts':
        return `${says(attacker, a)}, the other ${says(victim, b)}`;
      case 'supersedes':
        return 'supersedes it';
      case 'refutes':
        return 'refutes it and weighs at least as much';
      case 'withstands':
        return 'outweighs its refutation';
    }
  }

  #supports(accepted: readonly Claim[], extension: ReadonlySet<number>): InterpretationTree['supports'] {
    const { supports, agreeing, nodes, nodeIndexOf } = this.#framework;
    const { classes } = this.#weighed;
    const edges: InterpretationTree['supports'] = [];
    const partnersOf = new Map<ArgumentNode, readonly Claim[]>();
    for (const claim of accepted) {
      if (edges.length >= this.#edgesMax) break;
      const node = this.#nodeOf(claim);
      let partners = partnersOf.get(node);
      if (!partners) {
        const inside = agreeing[node.index]!.filter((index) => extension.has(index));
        partners =
          inside.length === 1
            ? nodes[inside[0]!]!.members
            : inside.flatMap((index) => nodes[index]!.members).sort(byPlace);
        partnersOf.set(node, partners);
      }
      const named = supports.get(claim);
      const supported: Claim[] = [];
      for (const target of named ?? []) if (extension.has(nodeIndexOf[target.index]!)) supported.push(target);
      for (let i = firstAfter(partners, claim); i < partners.length; i += 1) {
        const other = partners[i]!;
        if (edges.length + supported.length >= this.#edgesMax) break;
        if (classes.of(other.actor) === classes.of(claim.actor)) continue;
        if (named?.has(other) || supports.get(other)?.has(claim)) continue;
        supported.push(other);
      }
      if (named) supported.sort(byPlace);
      for (const target of supported) edges.push(supportEdge(claim, target));
    }
    return edges.length > this.#edgesMax ? edges.slice(0, this.#edgesMax) : edges;
  }
}

function supportEdge(claim: Claim, target: Claim): InterpretationTree['supports'][number] {
  const edge = { supporter_claim_id: claim.id, supported_claim_id: target.id };
  const qualifies = claim.relationships.some((tie) => tie.type === 'qualifies' && tie.target === target);
  return qualifies && claim.scope !== '' ? { ...edge, condition: claim.scope } : edge;
}

function says(node: ArgumentNode, claim: Claim): string {
  return `${node.group?.denies ? 'denies' : 'says'} ${quote(claim.input.value)}`;
}

/** Place of the first claim in a list by id that comes after `claim`. */
function firstAfter(list: readonly Claim[], claim: Claim): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.index <= claim.index) low = middle + 1;
    else high = middle;
  }
  return low;
}
