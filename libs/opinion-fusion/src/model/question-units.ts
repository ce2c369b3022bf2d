import { competenceOf } from './model.ts';
import type { Claim } from './model.ts';
import { isBelowFloor } from './reliability.ts';
import { UNIDENTIFIED } from '../contract/constants.ts';
import { ERA_BEFORE } from './units.ts';
import { asUnitLetter, endsInUnitLetter, isWithoutUnit, withUnit } from './value.ts';
import type { Value } from './value.ts';

/** The units of a question's numbers, and its claims whose number has none. */
interface Question {
  readonly units: Set<string>;
  /** Of sources that are not identified; these decide only where no other states a unit. */
  readonly unidentified: Set<string>;
  readonly bare: Claim[];
}

/**
 * Gives every number without a unit the one unit that the other numbers of its subject and predicate have:
 * those of claims that are not retracted and whose reliability × competence is at or above the floor, and
 * of identified sources if any of these states a unit. With none or several, nothing changes. A small `m`
 * after a number is the metre among lengths, and a `t` the tonne among masses: a million of no unit beside
 * them would be a million metres. Source: reasoning model §11; ADR 0034. Never throws.
 */
export function takeQuestionUnits(claims: readonly Claim[]): void {
  const bySubject = new Map<unknown, Map<string, Question>>();
  for (const claim of claims) {
    const { subject, predicate, value, actor } = claim;
    const isBare = isWithoutUnit(value);
    if (subject === null || !(isBare || value.kind === 'number')) continue;
    let questions = bySubject.get(subject);
    if (!questions) bySubject.set(subject, (questions = new Map()));
    let question = questions.get(predicate);
    if (!question)
      questions.set(predicate, (question = { units: new Set(), unidentified: new Set(), bare: [] }));
    if (isBare) question.bare.push(claim);
    else if (value.kind === 'number' && claim.status !== 'retracted')
      if (!isBelowFloor(actor.base * competenceOf(actor, predicate)))
        (UNIDENTIFIED.has(actor.type) ? question.unidentified : question.units).add(value.unit);
  }
  for (const questions of bySubject.values()) {
    for (const { units: named, unidentified, bare } of questions.values()) {
      const units = named.size > 0 ? named : unidentified;
      const [unit] = units;
      // A year without an era is none of those before Christ.
      if (units.size !== 1 || unit === undefined || unit === ERA_BEFORE) continue;
      const taken = new Map<string, Value>();
      for (const claim of bare) {
        const isLetter = endsInUnitLetter(claim.input.value);
        const key = isLetter ? claim.input.value : claim.value.key;
        let value = taken.get(key);
        if (!value) {
          value = (isLetter && asUnitLetter(key, unit)) || withUnit(claim.value, unit);
          taken.set(key, value);
        }
        claim.value = value;
      }
    }
  }
}

/**
 * How many units stand beside numbers written without one, in the claims of a question; 0 where every number
 * has a unit or none has. Where it is not 0, leaving claims out may change the unit of others; only where it
 * is 2 or more can values agree afterwards that did not before.
 */
export function unitsBesideBareNumbers(claims: readonly Claim[], valueOf: (raw: string) => Value): number {
  const units = new Set<string>();
  let hasBare = false;
  let hasLetter = false;
  for (const { input } of claims) {
    const value = valueOf(input.value);
    if (isWithoutUnit(value)) {
      hasBare = true;
      hasLetter ||= endsInUnitLetter(input.value);
    } else if (value.kind === 'number') units.add(value.unit);
  }
  // Without the unit, such a letter is a suffix again.
  if (hasLetter && units.size > 0) return Math.max(2, units.size);
  return hasBare ? units.size : 0;
}
