import { UNIDENTIFIED } from '../contract/constants.ts';
import { roundForComparison } from '../contract/rounding.ts';
import { compactDate } from './compact-dates.ts';
import { decidesReading } from './decides-reading.ts';
import { competenceOf } from './model.ts';
import type { Actor, Claim } from './model.ts';
import { ERA_BEFORE } from './units.ts';
import { asUnitLetter, endsInUnitLetter, isWithoutUnit, withUnit } from './value.ts';
import type { Value } from './value.ts';

/** The actors behind each unit of a question's numbers, and its claims whose number has none. */
interface Question {
  readonly units: Map<string, Set<Actor>>;
  readonly bare: Claim[];
  readonly predicate: string;
}

/**
 * Gives every number without a unit the unit of the other numbers of its subject and predicate: those of
 * claims that are not retracted and whose reliability × competence is at or above the floor. Of several
 * units it is the one whose sources have most reliability × competence together; unidentified sources are
 * asked only where no other states a unit, so that a post cannot take authorities apart. Without any, or
 * where two have the same, nothing changes. A small `m` after a number is the metre among lengths, and a `t`
 * the tonne among masses: a million of no unit beside them would be a million metres. Source: reasoning model
 * §11; ADR 0034, ADR 0043. Never throws.
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
    if (!question) questions.set(predicate, (question = { units: new Map(), bare: [], predicate }));
    if (isBare) question.bare.push(claim);
    else if (value.kind === 'number' && decidesReading(claim)) {
      const behind = question.units.get(value.unit);
      if (behind) behind.add(actor);
      else question.units.set(value.unit, new Set([actor]));
    }
  }
  for (const questions of bySubject.values()) {
    for (const question of questions.values()) {
      const { bare } = question;
      const unit = bare.length > 0 ? heaviestUnit(question) : null;
      if (unit === null) takeUnitLetters(question);
      // A year without an era is none of those before Christ.
      if (unit === null || unit === ERA_BEFORE) continue;
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

/** Where no unit has most behind it, a small letter is a unit if it is one among the numbers of each. */
function takeUnitLetters({ units, bare }: Question): void {
  for (const claim of bare) {
    const raw = claim.input.value;
    const read = [...units.keys()].map((unit) => asUnitLetter(raw, unit));
    if (read.length > 0 && read.every((value) => value !== null)) claim.value = read[0]!;
  }
}

/** The unit with most behind it; null where none has. */
function heaviestUnit({ units, predicate }: Question): string | null {
  const hasIdentified = [...units.values()].some((actors) => [...actors].some(isIdentifiedActor));
  let heaviest: string | null = null;
  let most = 0;
  for (const [unit, actors] of units) {
    let weight = 0;
    for (const actor of [...actors].sort((a, b) => a.index - b.index))
      if (!hasIdentified || isIdentifiedActor(actor)) weight += actor.base * competenceOf(actor, predicate);
    weight = roundForComparison(weight);
    if (weight === most) heaviest = null;
    if (weight > most) [heaviest, most] = [unit, weight];
  }
  return heaviest;
}

const isIdentifiedActor = ({ type }: Actor) => !UNIDENTIFIED.has(type);

/**
 * How many units stand beside numbers written without one, in the claims of a question; 0 where every number
 * has a unit or none has. Where it is not 0, leaving claims out may change the unit of others; only where it
 * is 2 or more can values agree afterwards that did not before. Eight digits that may be a date count as
 * two units, because the other claims decide whether they are one.
 */
export function unitsBesideBareNumbers(claims: readonly Claim[], valueOf: (raw: string) => Value): number {
  const units = new Set<string>();
  let hasBare = false;
  let hasLetter = false;
  for (const { input } of claims) {
    const value = valueOf(input.value);
    if (compactDate(input.value) !== null && claims.length > 1) return Math.max(2, claims.length);
    if (isWithoutUnit(value)) {
      hasBare = true;
      hasLetter ||= endsInUnitLetter(input.value);
    } else if (value.kind === 'number') units.add(value.unit);
  }
  // Without the unit, such a letter is a suffix again.
  if (hasLetter && units.size > 0) return Math.max(2, units.size);
  return hasBare ? units.size : 0;
}
