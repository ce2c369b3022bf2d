import type { ActorInput, InvestigationInput } from '@platform/opinion-fusion';
import type { Imported } from '../imported.ts';
import {
  confidenceOfEvidence,
  digitOf,
  gradeEvidence,
  gradeId,
  letterOf,
  reliabilityOf,
  type Grades,
  type Letter,
} from './grades.ts';

/** The grade that the reliability of a source states; F where it states none. */
export const statedLetter = ({ base_reliability: stated }: ActorInput): Letter =>
  stated == null ? 'f' : letterOf(stated);

/** Grades of the sources and claims of an investigation, by their ids. */
export interface GradesById {
  readonly actors: ReadonlyMap<string, Grades>;
  readonly claims: ReadonlyMap<string, Grades>;
}

/**
 * Whether a confidence that a file states is another step than the one before; null is that nobody can judge
 * it, and undefined that the file states none. A tag says a step alone.
 */
export const isOtherStep = (before: number | null, stated: number | null | undefined): boolean =>
  stated !== undefined &&
  stated !== before &&
  (stated === null || before === null || digitOf(stated) !== digitOf(before));

/** The confidence that an investigation states of each claim; null where it states none. */
export function statedConfidence({ evidence }: InvestigationInput): (claimId: string) => number | null {
  const stated = new Map((evidence ?? []).map((item) => [item.id, item]));
  return (claimId) => {
    const item = stated.get(gradeId(claimId));
    return item === undefined ? null : confidenceOfEvidence(item);
  };
}

/**
 * An investigation that came along whole in a file, with the grades that the file states elsewhere: another
 * tool may have changed them since. A grade that says the same step changes nothing.
 */
export function regrade(imported: Imported, grades: GradesById): Imported {
  const { payload } = imported;
  const actors = payload.actors.map((actor) => {
    const letter = grades.actors.get(actor.id)?.reliability;
    if (letter === undefined || letter === statedLetter(actor)) return actor;
    const { base_reliability: _, ...rest } = actor;
    const reliability = reliabilityOf(letter);
    return reliability === null ? rest : { ...rest, base_reliability: reliability };
  });
  const given = payload.evidence ?? [];
  const before = statedConfidence(payload);
  const changed = new Map<string, number | null>();
  for (const { id } of payload.claims) {
    const confidence = grades.claims.get(id)?.confidence;
    if (isOtherStep(before(id), confidence)) changed.set(id, confidence!);
  }
  if (changed.size === 0) return { ...imported, payload: { ...payload, actors } };
  const replaced = new Set([...changed.keys()].map(gradeId));
  const evidence = [
    ...given.filter(({ id }) => !replaced.has(id)),
    ...[...changed].flatMap(([id, confidence]) =>
      confidence === null ? [] : [gradeEvidence(id, confidence)],
    ),
  ];
  return { ...imported, payload: { ...payload, actors, evidence } };
}
