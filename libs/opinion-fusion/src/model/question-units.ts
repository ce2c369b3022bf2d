import { UNIDENTIFIED } from '../contract/constants.ts';
import { roundForComparison } from '../contract/rounding.ts';
import { compactDate } from './compact-dates.ts';
import { decidesReading } from './decides-reading.ts';
import { competenceOf } from './model.ts';
import type { Actor, Claim } from './model.ts';
import { ERA_BEFORE, measures } from './units.ts';
import { asUnitLetter, endsInUnitLetter, isWithoutUnit, withUnit } from './value.ts';
import type { Value } from './value.ts';

/** The actors behind each unit of a question's numbers, and its claims whose number has none. */
interface Question {
  readonly units: Map<string, Set<Actor>>;
  readonly bare: Claim[];
  /** The claims in pounds, which may be of money or mass. */
  readonly pounds: Claim[];
  readonly predicate: string;
}

/**
 * Gives every number without a unit the unit of the other numbers of its subject and predicate: those of
 * claims that are not retracted and whose reliability × competence is at or above the floor. Of several
 * units it is the one whose sources have most reliability × competence together; unidentified sources are
 * asked only where no other states a unit, so that a post cannot take authorities apart. Without any, or
 * where two have the same, nothing changes. A small `m` after a number is the metre among lengths, and a `t`
 * the tonne among masses: a million of no unit beside them would be a million metres. Likewise `m` is the
 * minute among hours, minutes and seconds, and pounds are those of mass among masses. Source: reasoning
 * model §11; ADR 0034, ADR 0043. Never throws.
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
      questions.set(predicate, (question = { units: new Map(), bare: [], pounds: [], predicate }));
    if (value.kind === 'number' && value.unit === POUND) question.pounds.push(claim);
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
      takePounds(question);
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

/** The name of a pound of money or mass, and of the one that is mass. */
const [POUND, POUND_OF_MASS] = ['pound', 'lb'];

/** Reads pounds as those of mass where other numbers are masses, and none is in sterling. */
function takePounds({ units, pounds }: Question): void {
  const others = [...units.keys()];
  if (pounds.length === 0 || units.has('GBP') || !others.some((unit) => measures(unit, POUND_OF_MASS)))
    return;
  for (const claim of pounds) claim.value = withUnit(claim.value, POUND_OF_MASS);
  const behind = units.get(POUND);
  if (!behind) return;
  units.set(POUND_OF_MASS, new Set([...(units.get(POUND_OF_MASS) ?? []), ...behind]));
  units.delete(POUND);
}

/** Where no unit has most behind it, a small letter is a unit if it is one among the numbers of each. */
function takeUnitLetters({ units, bare }: Question): void {
  for (const claim of bare) {
    const raw = claim.input.value;
    const read = [...units.keys()].map((unit) => asUnitLetter(raw, unit));
    const [first] = read;
    if (first && read.every((value) => value?.key === first.key)) claim.value = first;
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
  // Without the unit, such a letter is a suffix again, and pounds are of any kind.
  if ((hasLetter && units.size > 0) || (units.has(POUND) && units.size > 1)) return Math.max(2, units.size);
  return hasBare ? units.size : 0;
}
