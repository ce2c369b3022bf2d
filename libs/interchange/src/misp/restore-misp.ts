import { gradesOf, isGrade, type Grades } from '../admiralty/grades.ts';
import { isOtherStep, regrade, statedConfidence, statedLetter } from '../admiralty/regrade.ts';
import { Changes, withWithdrawn } from '../changes.ts';
import { LeftOutList, withLeftOut, type Imported } from '../imported.ts';
import { readAttached } from '../read-attached.ts';
import { isObject, listOf, plainText, type JsonObject } from '../read-json.ts';
import { ATTACHMENT, attributeUuid, EVENT, namesOf, saidInAttribute, saidInEvent } from './write-misp.ts';

/** An event and where it stands in its file. */
export interface Event {
  readonly event: JsonObject;
  readonly path: string;
}

/**
 * What `writeMisp` wrote, by the investigation that is attached, with the grades that its tags state now, and
 * with claims that were deleted as retracted; null for another event. What else another tool did to it is
 * left out by name.
 */
export function restoreMisp(file: unknown, { event, path }: Event): Imported | null {
  const attributes = listOf(event['Attribute']).map((attribute, index) => ({
    attribute: isObject(attribute) ? attribute : {},
    at: `${path}.Attribute[${index}]`,
  }));
  const holder = attributes.find(
    ({ attribute: { type, value } }) => type === 'attachment' && value === ATTACHMENT,
  );
  const attached = holder === undefined ? null : readAttached(holder.attribute['data'], `${holder.at}.data`);
  if (attached === null) return null;
  const { written, ...imported } = attached;
  const { payload } = imported;
  const actors = new Map(payload.actors.map((actor) => [actor.id, actor]));
  const claims = new Map(
    payload.claims.map((claim) => [attributeUuid(claim, actors.get(claim.actor_id)!), claim]),
  );
  const before = statedConfidence(payload);
  const grades = { actors: new Map<string, Grades>(), claims: new Map<string, Grades>() };
  const withdrawn = new Set<string>();
  const leftOut = new LeftOutList();
  const changes = new Changes(written, leftOut, 'the attached investigation is');
  for (const key of isObject(file) && file !== event ? Object.keys(file) : [])
    if (key !== 'Event' && key !== 'response')
      leftOut.add(`$.${key}`, 'was added by another tool: it is not read');
  changes.name(changes.fieldsOf(EVENT, saidInEvent(event)) ?? new Set(), path);
  for (const { attribute, at } of attributes) {
    const uuid = plainText(attribute['uuid']);
    const changed = changes.fieldsOf(uuid, saidInAttribute(attribute));
    if (changed === null) {
      leftOut.add(at, 'was added by another tool: send it in an event of its own');
      continue;
    }
    const taken: string[] = [];
    const claim = claims.get(uuid);
    if (claim !== undefined) {
      const tags = namesOf(attribute['Tag']);
      const actor = actors.get(claim.actor_id)!;
      const { reliability, confidence } = gradesOf(tags, `${at}.Tag`, leftOut);
      if (confidence !== undefined) grades.claims.set(claim.id, { confidence });
      // The grade of a source stands on each of its claims: the one that differs is what somebody changed.
      const isRated = reliability !== undefined && reliability !== statedLetter(actor);
      if (isRated) {
        const earlier = grades.actors.get(actor.id)?.reliability;
        if (earlier === undefined) grades.actors.set(actor.id, { reliability });
        else if (earlier !== reliability)
          leftOut.add(
            `${at}.Tag`,
            `reliability ${reliability.toUpperCase()}: that of ${actor.name} is ${earlier.toUpperCase()} by an earlier attribute, which stands`,
          );
      }
      const isTaken = isRated || isOtherStep(before(claim.id), confidence);
      if (isTaken && tags.every((tag) => isGrade(plainText(tag)))) taken.push('Tag');
      if (attribute['deleted'] === true) {
        withdrawn.add(claim.id);
        taken.push('deleted');
      }
    }
    changes.name(changed, at, taken);
  }
  changes.nameRemoved(new Map([...claims].map(([uuid, { content }]) => [uuid, content])));
  for (const [index] of listOf(event['Object']).entries())
    leftOut.add(`${path}.Object[${index}]`, 'was added by another tool: send it in an event of its own');
  return withLeftOut(withWithdrawn(regrade(imported, grades), withdrawn), leftOut);
}
