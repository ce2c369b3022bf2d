import { byCodeUnits } from '../contract/rounding.ts';
import { areShortFor, folded, minuteOf, wordsOf } from '../model/spellings.ts';
import { convert } from '../model/units.ts';
import { repeatKey, valuesAgree } from '../model/value.ts';
import type { Value } from '../model/value.ts';

/** A value stated on an item, and how many claims state it. */
export interface Stated {
  readonly value: Value;
  readonly claims: number;
}

/** Different forms on one item with which a further value is compared, so that many values stay cheap. */
const COMPARED_MAX = 64;

/**
 * By the key of a value: the key of the most stated value that says the same in another form, itself for
 * most. Forms of one value are texts of the same letters or words, a name and its initials, a time of day
 * written in two ways, a date and the month or year in which it lies, a number and the same number rounded
 * or in another unit. Who writes in one form does so everywhere, so that the form tells nothing about
 * copying. Of two values that are stated equally often the smaller key stands for both. Does not depend on
 * the order of `stated`, of which no two have one key. Never throws.
 */
export function formsOfValues(stated: readonly Stated[]): ReadonlyMap<string, string> {
  const ordered = stated.toSorted((a, b) => b.claims - a.claims || byCodeUnits(a.value.key, b.value.key));
  const forms = new Map<string, string>();
  /** By the letters of a text, and by its words or time of day. */
  const spelled = new Map<string, string>();
  const chosen: Form[] = [];
  for (const { value } of ordered) {
    const form = formOf(value);
    const same =
      form.spellings.map((spelling) => spelled.get(spelling)).find((key) => key !== undefined) ??
      chosen.find((other) => isOtherForm(form, other))?.value.key;
    forms.set(value.key, same ?? value.key);
    for (const spelling of form.spellings)
      if (!spelled.has(spelling)) spelled.set(spelling, same ?? value.key);
    if (same === undefined && chosen.length < COMPARED_MAX) chosen.push(form);
  }
  return forms;
}

/** A value, and of a text what other spellings of it share, and its words. */
interface Form {
  readonly value: Value;
  readonly spellings: readonly string[];
  readonly words: readonly string[];
}

function formOf(value: Value): Form {
  if (value.kind !== 'text') return { value, spellings: [], words: [] };
  const text = value.key.slice('t:'.length);
  const likeness = minuteOf(text) ?? wordsOf(text);
  return {
    value,
    spellings: [`letters ${folded(text)}`, ...(likeness === null ? [] : [`words ${likeness}`])],
    words: text.split(' '),
  };
}

/** Whether two values may be one value in two forms, spelling aside. Symmetric, not transitive. */
function isOtherForm({ value: a, words }: Form, { value: b, words: others }: Form): boolean {
  if (a.kind === 'number' && b.kind === 'number') return isSameNumber(a, b);
  if (a.kind === 'text' && b.kind === 'text') return areShortFor(words, others) || areShortFor(others, words);
  if (a.kind === 'date' && b.kind === 'date') return valuesAgree(a, b);
  return repeatKey(a) === repeatKey(b);
}

type NumberValue = Extract<Value, { kind: 'number' }>;

/**
 * Whether two numbers agree within the tolerance and one is the other rounded, up or down, to fewer digits
 * or converted from another unit.
 */
function isSameNumber(a: NumberValue, b: NumberValue): boolean {
  if (a.unit !== b.unit) {
    const amount = convert(b.amount, b.unit, a.unit);
    return amount !== null && valuesAgree(a, { ...b, amount, unit: a.unit });
  }
  if (!valuesAgree(a, b)) return false;
  const [placeA, placeB] = [lastPlace(a.amount), lastPlace(b.amount)];
  return placeA !== placeB && Math.abs(a.amount - b.amount) < 10 ** Math.max(placeA, placeB);
}

/** The power of ten of the last digit that is not zero: 3 for 45,000, −1 for 4.5. */
function lastPlace(amount: number): number {
  const [digits, power] = amount.toExponential().split('e');
  return Number(power) - digits!.replace(/^-?\d\.?/, '').length;
}
