import { gradesOf, isGrade, type Grades } from '../admiralty/grades.ts';
import { isOtherStep, regrade, statedConfidence, statedLetter } from '../admiralty/regrade.ts';
import { Changes, fieldsChanged, withWithdrawn } from '../changes.ts';
import { LeftOutList, withLeftOut, type Imported } from '../imported.ts';
import { isObject, listOf, plainText } from '../read-json.ts';
import { confidenceOf, type Found } from './stix-object.ts';
import { artifactOf, identityId, noteId, saidInStix } from './write-stix.ts';

const BUNDLE_FIELDS = ['type', 'id', 'spec_version', 'objects'];

/**
 * What `writeStix` wrote, by the investigation that is attached, with the grades that its objects state now,
 * and with claims that were revoked as retracted. What else another tool did to them is left out by name.
 */
export function restoreStix(
  attached: Imported,
  artifact: Found,
  { bundle, found }: { readonly bundle: unknown; readonly found: Iterable<Found> },
): Imported {
  const { written, ...imported } = attached;
  const { actors, claims } = imported.payload;
  const actorOf = new Map(actors.map((actor) => [identityId(actor), actor]));
  const claimOf = new Map(claims.map((claim) => [noteId(claim), claim]));
  const before = statedConfidence(imported.payload);
  const grades = { actors: new Map<string, Grades>(), claims: new Map<string, Grades>() };
  const withdrawn = new Set<string>();
  const leftOut = new LeftOutList();
  const changes = new Changes(written, leftOut, 'the attached investigation is');
  for (const key of isObject(bundle) && 'objects' in bundle ? Object.keys(bundle) : [])
    if (!BUNDLE_FIELDS.includes(key)) leftOut.add(`$.${key}`, 'was added by another tool: it is not read');
  for (const { object, id, path } of found) {
    const changed = changes.fieldsOf(id, saidInStix(object));
    if (changed === null) {
      if (object !== artifact.object)
        leftOut.add(path, 'was added by another tool: send it in a bundle of its own');
      else changes.name(fieldsChanged(artifactOf(plainText(object['payload_bin'])), object), path);
      continue;
    }
    const labels = listOf(object['labels']);
    const areGrades = labels.every((label) => isGrade(plainText(label)));
    const taken: string[] = [];
    const actor = actorOf.get(id);
    const claim = claimOf.get(id);
    if (actor !== undefined) {
      const { reliability } = gradesOf(labels, path, leftOut);
      if (reliability !== undefined) grades.actors.set(actor.id, { reliability });
      if (areGrades && reliability !== undefined && reliability !== statedLetter(actor)) taken.push('labels');
    } else if (claim !== undefined) {
      const { reliability, confidence: credibility } = gradesOf(labels, path, leftOut);
      const confidence =
        credibility === undefined ? (confidenceOf(object, path, leftOut) ?? undefined) : credibility;
      if (confidence !== undefined) grades.claims.set(claim.id, { confidence });
      if (isOtherStep(before(claim.id), confidence))
        taken.push(
          ...(credibility === undefined
            ? ['confidence']
            : areGrades && reliability === undefined
              ? ['labels']
              : []),
        );
      if (object['revoked'] === true) {
        withdrawn.add(claim.id);
        taken.push('revoked');
      }
    }
    changes.name(changed, path, taken);
  }
  changes.nameRemoved(new Map([...claimOf].map(([id, { content }]) => [id, content])));
  return withLeftOut(withWithdrawn(regrade(imported, grades), withdrawn), leftOut);
}
