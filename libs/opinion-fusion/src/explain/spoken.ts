import type { KeptInference } from '../verdict/inference.ts';
import type { Claim, EvidenceItem } from '../model/model.ts';
import { AGREE, isOtherAnswer, NEITHER, relation } from '../model/statements.ts';
import type { Bucket, StatementGroup } from '../model/statements.ts';
import type { Verdict } from '../verdict/verdict.ts';
import {
  challenge,
  isIdentified,
  isRefutable,
  metaEvidence,
  refutation,
} from '../weighing/claim-weighing.ts';
import { valuesAgree } from '../model/value.ts';
import { bearsOn, countedFor, isContrary } from '../weighing/counts-for.ts';
import type { Dated } from '../weighing/counts-for.ts';
import { isToldApart } from '../weighing/weigh-bucket.ts';
import type { Weighed } from '../weighing/weighing.ts';
import type { Outcome } from './explanation.ts';

/** One thing said for or against the statement of a verdict, the strongest of each class not yet chosen. */
export interface Spoken {
  /** True when it adds to r of the verdict, false for s. */
  readonly isSupport: boolean;
  /** Whether it is on neither side, because it gives, or is about, another answer than a no that leads. */
  readonly isAside?: true;
  /** The evidence on its own; items, ≥ 0. */
  readonly amount: number;
  /** Dependence class; null for evidence items and inferences, each a class of its own. */
  readonly cls: number | null;
  /** False for a source of a type whose members cannot be told apart. */
  readonly isIdentified: boolean;
  /** Why the rules let it add nothing; null when it may count. */
  readonly muted: Outcome | null;
  readonly what:
    | { readonly route: 'voice'; readonly claim: Claim; readonly challenges: boolean }
    | { readonly route: 'meta_claim'; readonly claim: Claim }
    | { readonly route: 'evidence'; readonly claim: Claim; readonly item: EvidenceItem }
    | { readonly route: 'inference'; readonly inference: KeptInference };
}

/**
 * Everything said about the statement of a verdict: what the weighing adds up for the leading claim, one by
 * one, and what it passes over; and the claims of the pair that are unrelated to it. Source: reasoning model
 * §4 and §6. Never throws.
 */
export function listSpoken(verdict: Verdict, weighed: Weighed): { spoken: Spoken[]; unrelated: Claim[] } {
  const spoken: Spoken[] = [];
  const unrelated: Claim[] = [];
  const { pair, leading, inferences } = verdict;
  if (pair && leading) {
    const group = weighed.groupOf[leading.index]!;
    // What refutes the denial of another value speaks for that one.
    const isRivalDenied = (other: StatementGroup) =>
      other.denies &&
      !group.denies &&
      other.from < group.to &&
      group.from < other.to &&
      !valuesAgree(other.value, group.value);
    const speaker = new Speaker(weighed, !saysNo(group), spoken);
    for (const bucket of pair.buckets) {
      const counts = countedFor(group, bucket, weighed);
      for (const other of bucket.groups) {
        const is = bucket.scope === leading.scope ? relation(group, other) : NEITHER;
        for (const claim of other.claims) {
          if (is === NEITHER) {
            unrelated.push(claim);
            if (bucket.scope === leading.scope && isRivalDenied(other)) speaker.refuted(claim, false);
          } else if (is === AGREE && !counts(claim)) {
            unrelated.push(claim);
            speaker.disputed(claim, group);
          } else if (is === AGREE) speaker.agrees(claim, group);
          else speaker.conflicts(claim, group, bucket);
        }
      }
    }
  } else if (pair) {
    // Nothing leads, so nothing counts: each claim is listed on the side it would take for its own value.
    for (const claim of pair.claims)
      new Speaker(weighed, !saysNo(weighed.groupOf[claim.index]!), spoken, 'superseded').agrees(claim, claim);
  }
  for (const inference of inferences)
    spoken.push({
      isSupport: true,
      amount: inference.amount,
      cls: null,
      isIdentified: true,
      muted: null,
      what: { route: 'inference', inference },
    });
  return { spoken, unrelated };
}

/** True for a denial and for what says false: its verdict is about the opposite. */
export function saysNo({ denies, value }: StatementGroup): boolean {
  return denies || (value.kind === 'boolean' && !value.truth);
}

/** Collects what claims bring for (`forIsSupport`: to r, else to s) and against one statement. */
class Speaker {
  readonly #weighed: Weighed;
  readonly #forIsSupport: boolean;
  readonly #spoken: Spoken[];
  /** The reason why an item counts nothing here although it counts elsewhere. */
  readonly #otherwise: Outcome | null;

  constructor(weighed: Weighed, forIsSupport: boolean, spoken: Spoken[], otherwise: Outcome | null = null) {
    this.#otherwise = otherwise;
    this.#weighed = weighed;
    this.#forIsSupport = forIsSupport;
    this.#spoken = spoken;
  }

  /** A claim for the statement, of that time, with its Refutes items and its meta-claims. */
  agrees(claim: Claim, statement: Dated): void {
    const weighing = this.#weighed.weighings[claim.index]!;
    const muted = this.#muted(claim);
    this.#add(true, claim, muted ? 0 : weighing.voice, muted, { route: 'voice', claim, challenges: false });
    this.disputed(claim, statement, ['Supports', 'Refutes']);
  }

  /** What is brought against a claim that agrees with the statement, and claims about it of some valences. */
  disputed(claim: Claim, statement: Dated, valences: readonly string[] = ['Refutes']): void {
    const weighing = this.#weighed.weighings[claim.index]!;
    const muted = this.#muted(claim);
    const unheard = muted && 'unheard_target';
    // Evidence against what its own source has corrected still counts, where something leads.
    const ofItems = this.#countsAgainst(claim) ? null : unheard;
    // What is brought against more time than the statement's lowers the claim alone.
    const elsewhere = bearsOn(claim, statement) ? null : 'lowers_target';
    for (const item of claim.evidence) {
      if (item.valence !== 'Refutes') continue;
      this.#spoken.push({
        isSupport: !this.#forIsSupport,
        amount: ofItems ? 0 : refutation(weighing, item),
        cls: null,
        isIdentified: true,
        muted: ofItems ?? elsewhere,
        what: { route: 'evidence', claim, item },
      });
    }
    for (const meta of claim.metas) {
      if (!valences.includes(meta.valence)) continue;
      const reason = unheard ?? this.#muted(meta) ?? (meta.valence === 'Refutes' ? elsewhere : null);
      const amount = reason && reason !== elsewhere ? 0 : metaEvidence(this.#weighed.weighings[meta.index]!);
      this.#add(meta.valence === 'Supports', meta, amount, reason, { route: 'meta_claim', claim: meta });
      if (!reason) this.#speaksThrough(meta, meta.valence === 'Supports', null);
    }
  }

  /** A claim of a bucket against the statement that the leading claim makes. */
  conflicts(claim: Claim, leading: StatementGroup, bucket: Bucket): void {
    const unheard = this.#muted(claim);
    const isApart = isToldApart(claim, leading, bucket, this.#weighed);
    const isOther = isOtherAnswer(leading, this.#weighed.groupOf[claim.index]!);
    const muted = unheard ?? (isOther ? 'other_answer' : isApart ? 'distinguished' : null);
    const amount = unheard ? 0 : challenge(this.#weighed.weighings[claim.index]!);
    this.#add(false, claim, amount, muted, { route: 'voice', claim, challenges: true }, isOther);
    this.#speaksThrough(claim, false, unheard && 'unheard_target', isOther);
    const isProof =
      unheard !== null &&
      this.#countsAgainst(claim) &&
      isContrary(this.#weighed.groupOf[claim.index]!, leading);
    this.refuted(claim, true, isOther, isProof);
  }

  /**
   * Evidence against a claim in whose weight it counts alone; `isFor` is the side that it helps, in the
   * verdict itself where it `isProof`.
   */
  refuted(claim: Claim, isFor: boolean, isAside = false, isProof = false): void {
    const unheard = !isProof && this.#muted(claim) ? 'unheard_target' : null;
    for (const item of claim.evidence) {
      if (item.valence !== 'Refutes') continue;
      this.#spoken.push({
        isSupport: isFor === this.#forIsSupport,
        ...(isAside && { isAside }),
        amount: unheard ? 0 : refutation(this.#weighed.weighings[claim.index]!, item),
        cls: null,
        isIdentified: true,
        muted: isProof ? null : (unheard ?? 'lowers_target'),
        what: { route: 'evidence', claim, item },
      });
    }
  }

  /**
   * Claims about a claim of one side that count in its weight alone, and those about what supports it, but
   * none about what disputes it, which speaks on neither side. Iterative, because chains may be long.
   */
  #speaksThrough(target: Claim, isFor: boolean, unheard: Outcome | null, isOther = false): void {
    const waiting = [target];
    for (const { metas } of waiting) {
      for (const meta of metas) {
        if (meta.valence === 'Neutral') continue;
        const raises = meta.valence === 'Supports';
        const reason = unheard ?? this.#muted(meta);
        const amount = reason ? 0 : metaEvidence(this.#weighed.weighings[meta.index]!);
        const through = raises ? 'raises_target' : 'lowers_target';
        const what = { route: 'meta_claim', claim: meta } as const;
        this.#add(raises === isFor, meta, amount, reason ?? through, what, isOther);
        if (raises && !reason) waiting.push(meta);
      }
    }
  }

  #countsAgainst(claim: Claim): boolean {
    return this.#otherwise === null && isRefutable(claim, this.#weighed.weighings[claim.index]!);
  }

  #muted(claim: Claim): Outcome | null {
    if (claim.status === 'retracted') return 'retracted';
    const { factorOf, copied } = this.#weighed.successions;
    if (factorOf(claim) === 0) return copied.has(claim) ? 'withdrawn_original' : 'corrected';
    return this.#weighed.weighings[claim.index]!.belowFloor ? 'below_floor' : this.#otherwise;
  }

  #add(
    isFor: boolean,
    claim: Claim,
    amount: number,
    muted: Outcome | null,
    what: Spoken['what'],
    isAside = false,
  ): void {
    const cls = this.#weighed.classes.of(claim.actor);
    this.#spoken.push({
      isSupport: isFor === this.#forIsSupport,
      ...(isAside && { isAside }),
      amount,
      cls,
      isIdentified: isIdentified(claim),
      muted,
      what,
    });
  }
}
