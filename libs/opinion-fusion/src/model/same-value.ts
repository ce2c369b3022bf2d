import { asDate, compactDate } from './compact-dates.ts';
import { ERA_BEFORE } from './units.ts';
import { isWithoutUnit, parseValue, valuesAgree, withUnit } from './value.ts';
import type { Value } from './value.ts';

/**
 * Whether two spellings are of one value, as claims on one question would agree; a number without a unit
 * takes the unit of the other, and eight digits are a day beside a date or another such day. Source:
 * reasoning model §3 and §11. Never throws.
 */
export function saysTheSame(a: string, b: string): boolean {
  const [one, other] = beside(a, b);
  return (
    valuesAgree(one, other) ||
    valuesAgree(withUnitOf(one, other), other) ||
    valuesAgree(one, withUnitOf(other, one))
  );
}

/** Whether two spellings are of the very same value: numbers and dates that only come near it are not. */
export function isSameValue(a: string, b: string): boolean {
  const [one, other] = beside(a, b);
  return withUnitOf(one, other).key === withUnitOf(other, one).key;
}

function beside(a: string, b: string): readonly [Value, Value] {
  const [one, other] = [parseValue(a), parseValue(b)];
  const [day, otherDay] = [compactDate(a), compactDate(b)];
  return [
    day !== null && (other.kind === 'date' || otherDay !== null) ? asDate(day) : one,
    otherDay !== null && (one.kind === 'date' || day !== null) ? asDate(otherDay) : other,
  ];
}

function withUnitOf(value: Value, other: Value): Value {
  const takes = isWithoutUnit(value) && 'unit' in other && other.unit !== ERA_BEFORE;
  return takes ? withUnit(value, other.unit) : value;
}
