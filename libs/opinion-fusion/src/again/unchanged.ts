import type { ClaimAnalysisSummary, RankedClaim } from '../contract/types.ts';
import type { Actor, Claim, Settings } from '../model/model.ts';
import type { Pair } from '../model/statements.ts';
import type { Earlier } from '../verdict/judge-investigation.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Weighing } from '../weighing/claim-weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { EntangledParts, isSame } from './entangled-parts.ts';
import type { JudgedQuestion, Judgement } from './judgement.ts';
import { questionKey } from '../model/question-key.ts';

type Now = Pick<Weighed, 'model' | 'pairs' | 'classes' | 'estimate'>;

/**
 * What of an earlier judgement still holds: everything on the parts of the investigation whose items are the
 * same, whose sources are the same, depend on one another alike and are learned to be as reliable, and, where
 * anything in the part has a time, which are judged for the same instant. Everything that is computed from
 * the whole investigation, namely dependence, learned reliability, ranks and most warnings, is computed anew.
 */
export class Unchanged implements Earlier {
  readonly parts: EntangledParts;
  readonly #earlier: Judgement;
  readonly #now: Now;
  /** One entry per part. */
  readonly #holds: Uint8Array;
  /** The earlier claim of the same id, by the place of a claim. */
  readonly #old: readonly (Claim | null)[];
  readonly #plain: ReadonlySet<Claim>;

  constructor(earlier: Judgement, now: Now) {
    this.#earlier = earlier;
    this.#now = now;
    const { model, pairs } = now;
    const before = earlier.weighed;
    this.parts = new EntangledParts(model, pairs);
    const isComparable =
      isSame(timeless(model.settings), timeless(before.model.settings)) &&
      isSame(dependents(model.actors), dependents(before.model.actors));
    this.#holds = isComparable ? this.parts.sameAs(earlier.parts) : new Uint8Array(model.claims.length);
    this.#old = model.claims.map(({ id }) => {
      const old = before.model.claimById.get(id);
      return old?.id === id ? old : null;
    });
    if (isComparable) this.#checkClaims();
    const plain = new Set<Claim>();
    for (const bucket of before.plainBuckets) plain.add(bucket.claims[0]!);
    this.#plain = plain;
  }

  weighingOf = (claim: Claim): Weighing | null =>
    this.#holds[this.parts.partOf(claim)] === 1
      ? this.#earlier.weighed.weighings[this.#old[claim.index]!.index]!
      : null;

  analysisOf = (claim: Claim): ClaimAnalysisSummary | null =>
    this.#holds[this.parts.partOf(claim)] === 1
      ? this.#earlier.claimAnalyses[this.#old[claim.index]!.index]!
      : null;

  rankedOf = (claim: Claim): RankedClaim | null =>
    this.#holds[this.parts.partOf(claim)] === 1 ? this.#earlier.ranked[this.#old[claim.index]!.index]! : null;

  isPlain = (claim: Claim): boolean => this.#plain.has(this.#old[claim.index]!);

  /** What was found on a question of which nothing changed; null for all others. */
  questionOf({ subject, predicate, claims }: Pair): JudgedQuestion | null {
    if (this.#holds[this.parts.partOf(claims[0]!)] !== 1) return null;
    const known = this.#earlier.questions.get(questionKey(subject.id, predicate)) ?? null;
    if (!known?.asksAccuracy) return known;
    const [one, other] = [this.#now.classes, this.#earlier.weighed.classes];
    const isSameAccuracy = ({ actor, index }: Claim) =>
      one.accuracyOf(actor) === other.accuracyOf(this.#old[index]!.actor);
    return one.knowsAccuracy === other.knowsAccuracy && claims.every(isSameAccuracy) ? known : null;
  }

  verdictOf = (pair: Pair): Verdict | null => {
    const known = this.questionOf(pair)?.verdict;
    if (!known) return null;
    const { leading } = known;
    return {
      ...known,
      subject: pair.subject,
      pair,
      leading: leading && this.#now.model.claimById.get(leading.id)!,
    };
  };

  /** Takes out the parts of which the items are the same and something else is not. */
  #checkClaims(): void {
    const { model, classes, estimate } = this.#now;
    const before = this.#earlier.weighed;
    const isSameTime = model.settings.now === before.model.settings.now;
    const voices = voicesOf(this.#now);
    const oldVoices = voicesOf(before);
    const sources = new Map<string, boolean>();
    const isSameSource = (id: string): boolean => {
      let same = sources.get(id);
      if (same === undefined) {
        const [actor, old] = [model.actorById.get(id), before.model.actorById.get(id)];
        same =
          actor && old
            ? isSame(sourceOf(actor), sourceOf(old)) && voices(actor) === oldVoices(old)
            : actor === old;
        sources.set(id, same);
      }
      return same;
    };
    for (const claim of model.claims) {
      const part = this.parts.partOf(claim);
      if (this.#holds[part] === 0) continue;
      const old = this.#old[claim.index]!;
      const events = claim.input.corroboration_events ?? [];
      const isTimed = claim.assertedAt !== null || events.length > 0;
      const holds =
        old !== null &&
        (isSameTime || !isTimed) &&
        claim.assertedAt === old.assertedAt &&
        claim.value.key === old.value.key &&
        (claim.subject === old.subject || isSame(claim.subject, old.subject)) &&
        isSameSource(claim.actor.id) &&
        events.every((event) => isSameSource(event.actor_id)) &&
        isSame(estimate?.statements.get(claim.id), before.estimate?.statements.get(claim.id));
      if (!holds) this.#holds[part] = 0;
    }
    // A bar on leading and a weight may come from copies of what others say.
    if (!isSame(copies(classes), copies(before.classes))) this.#holds.fill(0);
  }
}

/** The settings that touch numbers, the instant aside. */
function timeless({ domain, halfLifeDays, dependentRefreshFactor, ...rest }: Settings): object {
  const { estimatesReliability, estimatesNumbers } = rest;
  return { domain, halfLifeDays, dependentRefreshFactor, estimatesReliability, estimatesNumbers };
}

/** The sources that say on whom they depend. */
function dependents(actors: readonly Actor[]): object {
  return actors.flatMap(({ id, dependsOn }) => (dependsOn.length > 0 ? [[id, dependsOn]] : []));
}

function sourceOf({ name, type, base, competence, defaultCompetence }: Actor): object {
  return { name, type, base, competence, defaultCompetence };
}

/** The first actor of the class of an actor. */
function voicesOf({ model, classes }: Pick<Weighed, 'model' | 'classes'>): (actor: Actor) => string {
  const first = new Map<number, string>();
  for (const actor of model.actors) if (!first.has(classes.of(actor))) first.set(classes.of(actor), actor.id);
  return (actor) => first.get(classes.of(actor))!;
}

/** Who was found to copy whom. */
function copies({ detected }: Weighed['classes']): object {
  return detected.map(({ actors, copier }) => [actors.map(({ id }) => id), copier?.id]);
}
