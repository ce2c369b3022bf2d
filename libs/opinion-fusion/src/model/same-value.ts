import { ERA_BEFORE } from './units.ts';
import { isWithoutUnit, parseValue, valuesAgree, withUnit } from './value.ts';
import type { Value } from './value.ts';

/**
 * Whether two spellings are of one value, as claims on one question would agree; a number without a unit
 * takes the unit of the other. Source: reasoning model §3 and §11. Never throws.
 */
export function saysTheSame(a: string, b: string): boolean {
  const [one, other] = [parseValue(a), parseValue(b)];
  return (
    valuesAgree(one, other) ||
    valuesAgree(withUnitOf(one, other), other) ||
    valuesAgree(one, withUnitOf(other, one))
  );
}

function withUnitOf(value: Value, other: Value): Value {
  const takes = isWithoutUnit(value) && 'unit' in other && other.unit !== ERA_BEFORE;
  return takes ? withUnit(value, other.unit) : value;
}
