import { COPYING } from '../contract/constants.ts';
import { detectCopying } from './detect-copying.ts';
import type { SourceStatements } from './agreement.ts';
import type { CopyingGroup } from './detect-copying.ts';
import { declaredGroups, DependenceClasses } from './dependence-classes.ts';
import type { Claim, Model } from '../model/model.ts';
import { quote } from '../contract/quote.ts';
import { isBelowFloor } from '../model/reliability.ts';
import type { Pair } from '../model/statements.ts';
import type { SourceDependence } from '../contract/types.ts';
import type { Warnings } from '../contract/warnings.ts';

/** Which actors speak with one voice, and what was detected rather than declared. */
export interface Dependence {
  readonly classes: DependenceClasses;
  readonly detected: SourceDependence[];
}

/**
 * Joins actors by depends_on and, unless only declared dependence counts, by copying found in the claims; what is detected
 * beyond the declared is reported and warned of, so that nobody is accused in silence. Source: reasoning model §4.
 */
export function findDependence(
  model: Model,
  pairs: readonly Pair[],
  reliability: Float64Array,
  warnings: Warnings,
): Dependence {
  const declared = [...declaredGroups(model.actors, model.actorById)];
  const declaredClasses = new DependenceClasses(model.actors, declared);
  if (!model.settings.detectsCopying || !couldCopy(model)) return { classes: declaredClasses, detected: [] };
  const { groups, accuracy } = detectCopying(statementsOf(model, pairs, reliability));
  const actorsOf = (group: CopyingGroup) => group.sources.map((id) => model.actorById.get(id)!);
  const beyond = groups.filter(
    (group) => new Set(actorsOf(group).map((actor) => declaredClasses.of(actor))).size > 1,
  );
  if (beyond.length === 0) return { classes: declaredClasses, detected: [] };
  for (const group of beyond) {
    const names = group.sources.map(quote).join(', ');
    warnings.add(
      'copying_detected',
      group.sources[0]!,
      `Actors ${names} agree on ${group.sharedItems} items, ${group.sharedRareValues} of them with values that few others report, and count as one source (probability ${group.probability.toFixed(3)}); if they are independent, set dependence to declared.`,
    );
  }
  return {
    classes: new DependenceClasses(model.actors, [...declared, ...beyond.map(actorsOf)], accuracy),
    detected: beyond.map((group) => ({
      actor_ids: [...group.sources],
      probability: group.probability,
      shared_items: group.sharedItems,
      shared_rare_values: group.sharedRareValues,
      ...(group.direction && { direction: group.direction }),
    })),
  };
}

/** Whether two actors say enough to be compared at all. */
function couldCopy({ actors, claims }: Model): boolean {
  const spoken = new Int32Array(actors.length);
  for (const { subject, actor } of claims) if (subject !== null) spoken[actor.index]! += 1;
  return spoken.filter((count) => count >= COPYING.sharedMin).length > 1;
}

/**
 * What each actor asserts about what, for the detection: an item is a subject, predicate, scope and time; values are equal by
 * parsed form. Denials, retracted claims and claims below the floor say nothing here.
 */
function statementsOf(model: Model, pairs: readonly Pair[], reliability: Float64Array): SourceStatements[] {
  const statements: { item: number; value: number; claim: Claim }[][] = model.actors.map(() => []);
  let items = 0;
  let values = 0;
  for (const pair of pairs) {
    for (const { groups } of pair.buckets) {
      const itemOf = new Map<string, number>();
      for (const group of groups) {
        if (group.denies) continue;
        const when = `${group.from} ${group.to}`;
        let item = itemOf.get(when);
        if (item === undefined) itemOf.set(when, (item = items++));
        const value = values++;
        for (const claim of group.claims)
          if (claim.status !== 'retracted' && !isBelowFloor(reliability[claim.index]!))
            statements[claim.actor.index]!.push({ item, value, claim });
      }
    }
  }
  return model.actors.map((actor, index) => {
    const own = statements[index]!.sort((a, b) => a.item - b.item || a.claim.index - b.claim.index);
    return {
      source: actor.id,
      items: new Int32Array(own.map((statement) => statement.item)),
      values: new Int32Array(own.map((statement) => statement.value)),
    };
  });
}
