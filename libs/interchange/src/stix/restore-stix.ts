import { gradesOf, type Grades } from '../admiralty/grades.ts';
import { regrade } from '../admiralty/regrade.ts';
import { LeftOutList, withLeftOut, type Imported } from '../imported.ts';
import { listOf, plainText } from '../read-json.ts';
import { confidenceOf, STATES, type Found } from './stix-object.ts';
import { identityId, JUDGEMENT_LABEL, noteId, opinionId } from './write-stix.ts';

/**
 * What `writeStix` wrote, by the investigation that is attached, with the grades that its objects state now.
 * What else another tool did to them is left out by name.
 */
export function restoreStix(attached: Imported, found: Iterable<Found>): Imported {
  const { actors, claims, evidence } = attached.payload;
  const actorOf = new Map(actors.map((actor) => [identityId(actor), actor]));
  const claimOf = new Map(claims.map((claim) => [noteId(claim), claim]));
  const opinions = new Set((evidence ?? []).map(opinionId));
  const grades = { actors: new Map<string, Grades>(), claims: new Map<string, Grades>() };
  const leftOut = new LeftOutList();
  for (const { object, id, path } of found) {
    const labels = listOf(object['labels']);
    const actor = actorOf.get(id);
    const claim = claimOf.get(id);
    if (actor !== undefined) grades.actors.set(actor.id, gradesOf(labels, path, leftOut));
    else if (claim !== undefined) {
      const confidence = confidenceOf(object, path, leftOut);
      grades.claims.set(claim.id, {
        ...(confidence !== null && { confidence }),
        ...gradesOf(labels, path, leftOut),
      });
      if (object['content'] !== claim.content)
        leftOut.add(`${path}.content`, 'was changed by another tool: the attached investigation is taken');
    } else if (
      STATES.has(plainText(object['type'])) &&
      !opinions.has(id) &&
      !labels.includes(JUDGEMENT_LABEL)
    )
      leftOut.add(path, 'was added by another tool: send it in a bundle of its own');
  }
  return withLeftOut(regrade(attached, grades), leftOut);
}
