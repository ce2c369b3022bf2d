import type { ActorInput } from '@platform/opinion-fusion';
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
  const stated = new Map(given.map((item) => [item.id, item]));
  const changed = new Map<string, number | null>();
  for (const { id } of payload.claims) {
    const confidence = grades.claims.get(id)?.confidence;
    const item = stated.get(gradeId(id));
    const before = item === undefined ? null : confidenceOfEvidence(item);
    if (confidence === undefined || confidence === before) continue;
    // A tag says a step alone.
    if (confidence !== null && before !== null && digitOf(confidence) === digitOf(before)) continue;
    changed.set(id, confidence);
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
