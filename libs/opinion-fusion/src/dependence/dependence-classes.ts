import type { Actor } from '../model/model.ts';

/** Actors found to copy from one another; `copier` where the data show the direction. */
export interface DetectedGroup {
  readonly actors: readonly Actor[];
  readonly copier: Actor | null;
}

/**
 * Which actors speak with one voice, and how often each was found right where that was looked into. Classes
 * are numbered from 0 in the order of their smallest actor id.
 */
export class DependenceClasses {
  readonly #classOf: Int32Array;
  readonly count: number;
  readonly #accuracy: ReadonlyMap<string, number>;
  /** What is declared; null where nothing else joins actors. */
  readonly #declared: DependenceClasses | null;
  /** Groups of sources found to copy, joined in the classes. */
  readonly detected: readonly DetectedGroup[];

  /** `groups`: actors that form one class each; groups that share an actor join. */
  constructor(
    actors: readonly Actor[],
    groups: Iterable<readonly Actor[]>,
    accuracy: ReadonlyMap<string, number> = new Map(),
    detected: readonly DetectedGroup[] = [],
    declared: DependenceClasses | null = null,
  ) {
    this.#declared = declared;
    this.detected = detected;
    this.#accuracy = accuracy;
    const parent = Int32Array.from(actors, (_, index) => index);
    const rootOf = (index: number): number => {
      let root = index;
      while (parent[root] !== root) root = parent[root]!;
      while (parent[index] !== root) [parent[index], index] = [root, parent[index]!];
      return root;
    };
    for (const group of groups) {
      for (const actor of group) {
        const a = rootOf(group[0]!.index);
        const b = rootOf(actor.index);
        parent[Math.max(a, b)] = Math.min(a, b);
      }
    }
    const number = new Map<number, number>();
    this.#classOf = Int32Array.from(actors, ({ index }) => {
      const root = rootOf(index);
      if (!number.has(root)) number.set(root, number.size);
      return number.get(root)!;
    });
    this.count = number.size;
  }

  of(actor: Actor): number {
    return this.#classOf[actor.index]!;
  }

  /**
   * Whether two actors of one class would be of two by what is declared: only what was found in the claims
   * joins them.
   */
  areOnlySuspected(one: Actor, other: Actor): boolean {
    return this.#declared !== null && this.#declared.of(one) !== this.#declared.of(other);
  }

  /** Whether it was looked into how often actors are right. */
  get knowsAccuracy(): boolean {
    return this.#accuracy.size > 0;
  }

  /** How often the actor was found right; 1 where that was not looked into. Probability. */
  accuracyOf(actor: Actor): number {
    return this.#accuracy.get(actor.id) ?? 1;
  }
}

/** The groups that depends_on declares, one per actor that names others. Reasoning model §4. */
export function* declaredGroups(
  actors: readonly Actor[],
  actorById: ReadonlyMap<string, Actor>,
): Iterable<Actor[]> {
  for (const actor of actors)
    if (actor.dependsOn.length > 0) yield [actor, ...actor.dependsOn.map((id) => actorById.get(id)!)];
}
