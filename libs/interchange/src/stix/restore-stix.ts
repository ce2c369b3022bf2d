import { confidenceOfEvidence, gradesOf, opinionOf, type Grades } from '../admiralty/grades.ts';
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
  const itemOf = new Map((evidence ?? []).map((item) => [opinionId(item), item]));
  const grades = { actors: new Map<string, Grades>(), claims: new Map<string, Grades>() };
  const leftOut = new LeftOutList();
  const there = new Set<string>();
  for (const { object, id, path } of found) {
    there.add(id);
    const keep = (field: string, ours: string) => {
      if (object[field] !== ours)
        leftOut.add(`${path}.${field}`, 'was changed by another tool: the attached investigation is taken');
    };
    const labels = listOf(object['labels']);
    const actor = actorOf.get(id);
    const claim = claimOf.get(id);
    const item = itemOf.get(id);
    if (actor !== undefined) {
      grades.actors.set(actor.id, gradesOf(labels, path, leftOut));
      keep('name', actor.name);
    } else if (item !== undefined) {
      keep('opinion', opinionOf(confidenceOfEvidence(item)));
      keep('explanation', item.content);
    } else if (claim !== undefined) {
      const confidence = confidenceOf(object, path, leftOut);
      grades.claims.set(claim.id, {
        ...(confidence !== null && { confidence }),
        ...gradesOf(labels, path, leftOut),
      });
      keep('content', claim.content);
    } else if (STATES.has(plainText(object['type'])) && !labels.includes(JUDGEMENT_LABEL))
      leftOut.add(path, 'was added by another tool: send it in a bundle of its own');
  }
  for (const [id, { content }] of claimOf)
    if (!there.has(id)) leftOut.add(id, `was removed by another tool, and is kept: ${content.slice(0, 80)}`);
  return withLeftOut(regrade(attached, grades), leftOut);
}
