import type { Claim, Model } from '../model/model.ts';
import { supersededIds } from '../model/relationships.ts';
import type { Pair } from '../model/statements.ts';
import { questionKey } from '../model/question-key.ts';

/** Something of the input that belongs to a part. */
interface Item {
  readonly input: object;
  readonly part: number;
}

/** The lists of the input whose entries belong to parts. */
const KINDS = ['claims', 'evidence', 'inferences', 'distinctions'] as const;

/**
 * An investigation in parts that cannot move one another's numbers while actors, the dependence of sources
 * and what was learned of them stay: claims of one question, meta-claims and what they are about, whatever a
 * relationship, a supersession or a distinction joins, and questions with the premises of their inferences.
 */
export class EntangledParts {
  readonly #root: Int32Array;
  readonly #items: readonly ReadonlyMap<string, Item>[];
  readonly #sizes: Int32Array;

  constructor(model: Model, pairs: readonly Pair[]) {
    const { claims, claimById, input } = model;
    this.#root = Int32Array.from({ length: claims.length + pairs.length }, (_, node) => node);
    const pairNode = new Map<string, number>();
    pairs.forEach((pair, i) => {
      const node = claims.length + i;
      if (model.inferences.length > 0) pairNode.set(questionKey(pair.subject.id, pair.predicate), node);
      for (const claim of pair.claims) this.#join(claim.index, node);
    });
    const joinNamed = (claim: Claim, id: string | null | undefined) => {
      const other = id ? claimById.get(id) : undefined;
      if (other) this.#join(claim.index, other.index);
    };
    for (const claim of claims) {
      if (claim.target) this.#join(claim.index, claim.target.index);
      for (const tie of claim.input.relationships ?? []) joinNamed(claim, tie.target_claim_id);
      for (const other of claim.distinguishedFrom ?? []) this.#join(claim.index, other.index);
    }
    // What dropped repetitions supersede decides, too, which claims repeat one another.
    for (const given of input.claims) {
      const claim = claimById.get(given.id);
      if (claim) for (const id of supersededIds(given)) joinNamed(claim, id);
    }
    for (const { subject_id: id, predicate, premise_claim_ids: premises } of model.inferences) {
      const node = pairNode.get(questionKey(id, predicate));
      if (node === undefined) continue;
      for (const premise of premises) {
        const claim = claimById.get(premise);
        if (claim) this.#join(claim.index, node);
      }
    }
    this.#sizes = new Int32Array(this.#root.length);
    const itemsOf = <T extends { readonly id: string }>(
      list: readonly T[] | null | undefined,
      nodeOf: (entry: T) => number | undefined,
    ) => {
      const items = new Map<string, Item>();
      for (const entry of list ?? []) {
        const node = nodeOf(entry);
        if (node === undefined) continue;
        const part = this.#rootOf(node);
        this.#sizes[part]! += 1;
        items.set(entry.id, { input: entry, part });
      }
      return items;
    };
    const placeOf = (id: string) => claimById.get(id)?.index;
    this.#items = [
      itemsOf(input.claims, ({ id }) => placeOf(id)),
      itemsOf(input.evidence, ({ claim_id: id }) => placeOf(id)),
      itemsOf(input.inferences, (one) => pairNode.get(questionKey(one.subject_id, one.predicate))),
      itemsOf(input.distinctions, ({ argument_a: a, argument_b: b }) => placeOf(a) ?? placeOf(b)),
    ];
  }

  partOf(claim: Claim): number {
    return this.#rootOf(claim.index);
  }

  /** By part, 1 where it holds the very same items as some part of an earlier investigation, else 0. */
  sameAs(earlier: EntangledParts): Uint8Array {
    const same = new Uint8Array(this.#root.length).fill(1);
    const before = new Int32Array(this.#root.length).fill(-1);
    KINDS.forEach((_, kind) => {
      const known = earlier.#items[kind]!;
      for (const [id, { input, part }] of this.#items[kind]!) {
        if (same[part] === 0) continue;
        const old = known.get(id);
        if (!old || (before[part] !== -1 && before[part] !== old.part) || !isSame(input, old.input))
          same[part] = 0;
        else before[part] = old.part;
      }
    });
    before.forEach((old, part) => {
      if (old === -1 || earlier.#sizes[old] !== this.#sizes[part]) same[part] = 0;
    });
    return same;
  }

  #join(a: number, b: number): void {
    const [x, y] = [this.#rootOf(a), this.#rootOf(b)];
    this.#root[Math.max(x, y)] = Math.min(x, y);
  }

  #rootOf(node: number): number {
    let root = node;
    while (this.#root[root] !== root) root = this.#root[root]!;
    for (let at = node; at !== root;) {
      const next = this.#root[at]!;
      this.#root[at] = root;
      at = next;
    }
    return root;
  }
}

/** Whether two values of JSON, or maps of such, are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Map) return b instanceof Map && isSame([...a], [...(b as Map<unknown, unknown>)]);
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  let fields = 0;
  for (const key in one) {
    if (!isSame(one[key], other[key])) return false;
    fields += 1;
  }
  for (const _ in other) fields -= 1;
  return fields === 0;
}
