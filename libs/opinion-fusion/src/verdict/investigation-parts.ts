import type { Claim } from '../model/model.ts';
import type {
  ClaimInput,
  DistinctionInput,
  EvidenceInput,
  InferenceInput,
  InvestigationInput,
  SubjectInput,
} from '../contract/types.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { questionKey } from '../model/question-key.ts';

/** What names a pair: a Pair, a Verdict. */
interface PairName {
  readonly subject: SubjectInput;
  readonly predicate: string;
}

/**
 * Cuts out of an investigation what the verdict of one pair can depend on, which sources depend on which
 * aside.
 */
export class InvestigationParts {
  readonly #weighed: Weighed;
  /** As given, dropped duplicates included, by the claim kept. */
  readonly #inputs = new Map<Claim, ClaimInput[]>();
  readonly #evidence = new Map<string, EvidenceInput[]>();
  readonly #inferences = new Map<string, InferenceInput[]>();
  /** One for each two claims that some distinction tells apart, by the claim of the smaller id. */
  readonly #distinctions = new Map<Claim, { readonly other: Claim; readonly input: DistinctionInput }[]>();
  readonly #byPair = new Map<string, readonly Claim[]>();
  /** Claims that name each other for supersession, either way. */
  readonly #succession = new Map<Claim, Claim[]>();

  constructor(weighed: Weighed) {
    this.#weighed = weighed;
    const { model } = weighed;
    for (const input of model.input.claims) {
      const claim = model.claimById.get(input.id);
      if (!claim) continue;
      push(this.#inputs, claim, input);
      const listed = (input.relationships ?? []).filter((tie) => tie.relationship_type === 'supersedes');
      for (const id of [input.supersedes_claim_id, ...listed.map((tie) => tie.target_claim_id)]) {
        const target = id ? model.claimById.get(id) : undefined;
        if (!target) continue;
        push(this.#succession, claim, target);
        push(this.#succession, target, claim);
      }
    }
    for (const claim of model.claims) {
      for (const other of claim.distinguishedFrom ?? []) {
        if (claim.index > other.index) continue;
        const input = { ...TOLD_APART, id: `${claim.index} ${other.index}` };
        push(this.#distinctions, claim, {
          other,
          input: { ...input, argument_a: claim.id, argument_b: other.id },
        });
      }
    }
    for (const item of model.input.evidence ?? []) push(this.#evidence, item.claim_id, item);
    for (const inference of model.inferences)
      push(this.#inferences, questionKey(inference.subject_id, inference.predicate), inference);
    for (const pair of weighed.pairs)
      this.#byPair.set(questionKey(pair.subject.id, pair.predicate), pair.claims);
  }

  /** A claim as given with its dropped repetitions, in the order of the input. */
  inputsOf(claim: Claim): readonly ClaimInput[] {
    return this.#inputs.get(claim)!;
  }

  /**
   * The claims that can move the verdict of a pair while the dependence of sources stays as it is: its own,
   * those of the pairs of its premises, the meta-claims on these and what these speak about, and whatever
   * supersedes or is superseded by one.
   */
  deciding(pair: PairName): ReadonlySet<Claim> {
    const taken = new Set<Claim>();
    const takePair = (key: string) => {
      for (const claim of this.#byPair.get(key) ?? []) taken.add(claim);
    };
    takePair(questionKey(pair.subject.id, pair.predicate));
    for (const { premise_claim_ids: ids } of this.#inferencesOf(pair)) {
      for (const id of ids) {
        const premise = this.#weighed.model.claimById.get(id);
        for (let root = premise; root; root = root.target ?? undefined)
          if (root.subject) takePair(questionKey(root.subject.id, root.predicate));
        if (premise) taken.add(premise);
      }
    }
    for (const claim of taken) {
      for (const meta of claim.metas) taken.add(meta);
      if (claim.target) taken.add(claim.target);
      for (const other of this.#succession.get(claim) ?? []) taken.add(other);
    }
    return taken;
  }

  /** The input that holds some claims and, of the inferences, those on `pair`, if one is given. */
  inputOf(kept: readonly Claim[], pair: PairName | null): InvestigationInput {
    const { model } = this.#weighed;
    const claims = kept.flatMap((claim) => this.#inputs.get(claim)!);
    const isKept = new Set(kept);
    const subjects = new Set(kept.flatMap((claim) => claim.subject ?? []));
    if (pair) subjects.add(pair.subject);
    return {
      ...model.input,
      subjects: [...subjects],
      claims,
      evidence: claims.flatMap((claim) => this.#evidence.get(claim.id) ?? []),
      inferences: pair ? [...this.#inferencesOf(pair)] : [],
      distinctions: kept.flatMap((claim) =>
        (this.#distinctions.get(claim) ?? [])
          .filter(({ other }) => isKept.has(other))
          .map(({ input }) => input),
      ),
    };
  }

  /** How many pairs of claims distinctions tell apart, for claims of which one stands among `claims`. */
  toldApart(claims: Iterable<Claim>): number {
    let pairs = 0;
    for (const claim of claims) pairs += this.#distinctions.get(claim)?.length ?? 0;
    return pairs;
  }

  #inferencesOf({ subject, predicate }: PairName): readonly InferenceInput[] {
    return this.#inferences.get(questionKey(subject.id, predicate)) ?? [];
  }
}

const TOLD_APART = { feature: '', condition_a: '', condition_b: '' };

/** Some claims with the meta-claims that hang on them, at any remove. */
export function withMetas(claims: Iterable<Claim>): Set<Claim> {
  const out = new Set(claims);
  for (const claim of out) for (const meta of claim.metas) out.add(meta);
  return out;
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
