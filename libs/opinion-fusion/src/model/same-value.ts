import { isWithoutUnit, parseValue, valuesAgree, withUnit } from './value.ts';

/**
 * Whether two spellings are of one value, as claims on one question would agree; a number without a unit
 * takes the unit of the other. Source: reasoning model §3 and §11. Never throws.
 */
export function saysTheSame(a: string, b: string): boolean {
  const [one, other] = [parseValue(a), parseValue(b)];
  return (
    valuesAgree(one, other) ||
    (isWithoutUnit(one) && 'unit' in other && valuesAgree(withUnit(one, other.unit), other)) ||
    (isWithoutUnit(other) && 'unit' in one && valuesAgree(one, withUnit(other, one.unit)))
  );
}
