import { byCodeUnits } from '../contract/rounding.ts';
import { quote } from '../contract/quote.ts';
import { NUMERIC_TOLERANCE } from '../contract/constants.ts';
import type { SubjectResult } from '../contract/types.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { Claim } from '../model/model.ts';
import { isStanding } from '../model/reliability.ts';
import type { Bucket, Pair } from '../model/statements.ts';
import { isKnownUnit, isOfKind, measures } from '../model/units.ts';
import { asUnitLetter, isWithoutUnit, normalise, valuesAgree } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { questionKey } from '../model/question-key.ts';

type NumberValue = Extract<Value, { kind: 'number' }>;
interface Stated {
  /** The first, by id, of the claims that state it. */
  readonly claim: Claim;
  readonly value: NumberValue;
}

/** Units that one warning names. */
const NAMED_MAX = 5;
const isLength = (unit: string) => isOfKind(unit, 'length');
const isTime = (unit: string) => measures(unit, 'minute');
const isMass = (unit: string) => isOfKind(unit, 'mass');
const isTemperature = (unit: string) => isOfKind(unit, 'temperature');
/** Letters that are suffixes and that people also write for a unit. */
const SUFFIX_OR_UNIT = [
  { suffix: /\d ?m$/, unit: 'metre', factor: 'million', isBeside: isLength },
  { suffix: /\d ?m$/, unit: 'minute', factor: 'million', isBeside: isTime },
  { suffix: /\d ?t$/, unit: 'tonne', factor: 'trillion', isBeside: isMass },
  { suffix: /\d ?k$/, unit: 'kelvin', factor: 'thousand', isBeside: isTemperature },
] as const;
/** A number whose last letter is a multiplier. */
const MULTIPLIED = /\d ?[kmbt]$/;
const CURRENCY = /^[A-Z]{3}$/;
/** A number that is so many times the others of its question was hardly meant with its multiplier. */
const HARDLY_MEANT = 100;
/** What may be decimals, or thousands as they are parted in many countries. */
const THREE_DECIMALS = /\d\.\d{3}(?!\d)/;
/** Words of a predicate whose values name something; digits that name are equal or different, never near. */
const NAMING = new Set(
  `account barcode code docket ean flight iban id identifier imei imo isbn issn license mmsi passport phone pin
   plate plz postcode postal registration serial ssn tail telephone vin zip zipcode`.split(/\s+/),
);
/** `case number`, `invoice id`: things that are counted, too, whose numbers name them. */
const NAMING_BY_NUMBER =
  /\b(?:badge|batch|case|claim|contract|file|invoice|lot|model|order|part|patent|permit|reference|ref|ticket|warrant) (?:id|no|nr|num|number)\b/;
/** Digits without sign, separator or decimals. */
const DIGITS = /^\d+$/;
/** Numbers about a thousand times as large that are looked at. */
const LOOKED_AT = 20;

/**
 * Warns of the numbers on a question that may mean something else than they were read as: numbers in several
 * units, none of which is converted; a unit that no table has and that bare numbers took; a suffix that is a
 * unit, too; decimals that may be thousands; near numbers where the predicate asks for a name. Source:
 * reasoning model §3 and §11. Never throws.
 */
export function warnOfNumbers(weighed: Weighed, warnings: Warnings): void {
  const plainNumbers = plainNumbersOf(weighed);
  for (const pair of weighed.pairs) {
    for (const bucket of pair.buckets) {
      const stated = numbersOf(bucket, weighed);
      const plain = stated.find(isPlain)?.claim ?? plainNumbers.get(pair.predicate);
      if (plain) warnOfYears(pair, bucket, plain, weighed, warnings);
      if (stated.length === 0) continue;
      warnOfDecimals([...stated, ...yearsOf(bucket, weighed)], warnings);
      const bare = bareNumbersOf(bucket, weighed);
      warnOfUnknownUnits(bucket, bare, weighed, warnings);
      if (stated.length < 2) continue;
      warnOfUnits(
        pair,
        bucket,
        { stated, bare, isEstimated: weighed.model.settings.estimatesNumbers },
        warnings,
      );
      warnOfSuffixes(stated, warnings);
      if (weighed.model.settings.estimatesNumbers) warnOfEstimated(stated, warnings);
      warnOfMultiples(stated, weighed, warnings);
      warnOfShares(stated, weighed, warnings);
      warnOfIdentifiers(pair, stated, warnings);
      warnOfUnknownWords(pair, stated, warnings);
    }
  }
}

/** A number that nobody can take for a year. */
const isPlain = ({ value }: Pick<Stated, 'value'>) => value.unit === '' && value.year === null;

/** By predicate, the first claim that states a number which nobody can take for a year. */
function plainNumbersOf(weighed: Weighed): ReadonlyMap<string, Claim> {
  const { valueOf } = weighed.model;
  const first = new Map<string, Claim>();
  for (const { predicate, claims } of weighed.pairs) {
    if (first.has(predicate)) continue;
    const plain = claims.find(({ input, value }) => {
      if (value.kind !== 'number') return false;
      const own = valueOf(input.value);
      return own.kind === 'number' && isPlain({ value: own });
    });
    if (plain && isStanding(plain) && !weighed.weighings[plain.index]!.belowFloor)
      first.set(predicate, plain);
  }
  return first;
}

/**
 * Warns of bare numbers that were read as years, and so contradict each other, beside a number that nobody
 * can take for a year; where only another question of the predicate has one, of those that would agree as
 * numbers. Whether a count or a year is meant the claims do not say.
 */
function warnOfYears(
  { subject, predicate }: Pair,
  bucket: Bucket,
  plain: Claim,
  weighed: Weighed,
  warnings: Warnings,
): void {
  const firstOf = new Map<number, Claim>();
  for (const { claim, value } of yearsOf(bucket, weighed))
    if (!firstOf.has(value.amount)) firstOf.set(value.amount, claim);
  if (firstOf.size < 2) return;
  const years = [...firstOf].map(([year, claim]) => ({ year, claim }));
  const isHere = plain.subject === subject;
  const sorted = isHere ? years : years.toSorted((a, b) => a.year - b.year);
  const at = sorted.findIndex(
    ({ year }, i) => i > 0 && (isHere || (1 - NUMERIC_TOLERANCE) * year <= sorted[i - 1]!.year),
  );
  if (at < 0) return;
  const [first, second] = [sorted[at - 1]!.claim, sorted[at]!.claim];
  const other = isHere ? '' : `, stated of ${quote(plain.subject!.id)},`;
  warnings.add(
    'year_or_number',
    subject.id,
    `The values ${quote(first.input.value)} and ${quote(second.input.value)} on ${quote(predicate)} of ${quote(subject.id)} were read as years, which contradict each other, and ${quote(plain.input.value)}${other} as a number; write \`1,500\` or give a unit if numbers are meant.`,
  );
}

/** The numbers that are stated with weight in one scope. */
function numbersOf(bucket: Bucket, { weighings }: Weighed): Stated[] {
  return bucket.groups.flatMap(({ value, claims }) => {
    const claim = claims.find((one) => isStanding(one) && !weighings[one.index]!.belowFloor);
    return value.kind === 'number' && claim ? [{ claim, value }] : [];
  });
}

/** The bare years that are stated with weight in one scope, as the numbers they are beside numbers. */
function yearsOf(bucket: Bucket, { weighings }: Weighed): Stated[] {
  return bucket.groups.flatMap(({ value, claims }) => {
    const claim = claims.find((one) => isStanding(one) && !weighings[one.index]!.belowFloor);
    if (value.kind !== 'date' || value.year === null || !claim) return [];
    return [{ claim, value: { ...value, kind: 'number', amount: value.year } }];
  });
}

/** By unit, the first claim, by id, that was written without it and has taken it from its question. */
function bareNumbersOf({ groups }: Bucket, { weighings, model }: Weighed): ReadonlyMap<string, Claim> {
  const bare = new Map<string, Claim>();
  for (const { value, claims } of groups) {
    if (!('unit' in value) || value.unit === '') continue;
    for (const claim of claims) {
      if (!isStanding(claim) || weighings[claim.index]!.belowFloor) continue;
      const { value: written } = claim.input;
      // Read in metres or tonnes, `5000 m` and `5 t` have their unit.
      if (!isWithoutUnit(model.valueOf(written)) || asUnitLetter(written, value.unit)) continue;
      const first = bare.get(value.unit);
      if (!first || claim.index < first.index) bare.set(value.unit, claim);
    }
  }
  return bare;
}

/** Warns of a unit that no table has and that a number without one was taken to be in. */
function warnOfUnknownUnits(
  { claims }: Bucket,
  bare: ReadonlyMap<string, Claim>,
  { model }: Weighed,
  warnings: Warnings,
): void {
  for (const [unit, taker] of bare) {
    if (isKnownUnit(unit)) continue;
    const giver = claims.find(
      ({ value, input }) =>
        value.kind === 'number' && value.unit === unit && !isWithoutUnit(model.valueOf(input.value)),
    );
    const said = giver
      ? `The value ${quote(giver.input.value)} of claim ${quote(giver.id)} was read in the unit ${quote(unit)}`
      : `A number was read in the unit ${quote(unit)}`;
    warnings.add(
      'unit_unknown',
      taker.id,
      `${said}, which is in no table, and ${quote(taker.input.value)} of claim ${quote(taker.id)} was taken to be in it; write out a multiplier (\`million\`), and the unit of every number if it is one.`,
    );
  }
}

function warnOfUnits(
  { subject, predicate }: Pair,
  { scope }: Bucket,
  {
    stated,
    bare,
    isEstimated,
  }: {
    readonly stated: readonly Stated[];
    readonly bare: ReadonlyMap<string, Claim>;
    readonly isEstimated: boolean;
  },
  warnings: Warnings,
): void {
  const units = [...new Set(stated.map(({ value }) => value.unit))].sort();
  if (units.length < 2) return;
  const named = units.slice(0, NAMED_MAX).map((unit) => (unit === '' ? 'none' : quote(unit)));
  const more = units.length > named.length ? ` and ${units.length - named.length} more` : '';
  const where = scope === '' ? '' : ` in scope ${quote(scope)}`;
  const [taken] = bare.keys();
  const converted = isEstimated ? 'none is converted but for the estimate' : 'none is converted';
  const took = taken === undefined ? '' : `; numbers without a unit were taken to be in ${quote(taken)}`;
  warnings.add(
    'units_differ',
    subject.id,
    `The numbers on ${quote(predicate)} of ${quote(subject.id)}${where} have different units (${named.join(', ')}${more}); numbers of different units never agree, because ${converted}${took}; state them in one unit.`,
  );
}

function warnOfSuffixes(stated: readonly Stated[], warnings: Warnings): void {
  for (const { suffix, unit, factor, isBeside } of SUFFIX_OR_UNIT) {
    if (!stated.some(({ value }) => isBeside(value.unit))) continue;
    for (const { claim, value } of stated) {
      const text = normalise(claim.input.value);
      if (!suffix.test(text)) continue;
      if (value.unit === unit && asUnitLetter(claim.input.value, unit)) {
        warnings.add(
          'suffix_or_unit',
          claim.id,
          `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} was read in ${unit}s, because other numbers on its question are in ${unit}s or the like; write \`${factor}\` if that is meant.`,
        );
        continue;
      }
      warnings.add(
        'suffix_or_unit',
        claim.id,
        `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} was read in ${factor}s, and other numbers on its question are in ${unit}s or the like; write \`${unit}s\` if that is meant, else \`${factor}\`.`,
      );
    }
  }
}

/** Warns of letters read as multipliers, beside no unit, whose numbers an estimate writes out. */
function warnOfEstimated(stated: readonly Stated[], warnings: Warnings): void {
  for (const { suffix, unit, factor } of SUFFIX_OR_UNIT) {
    // A lone `m` is most often meant for metres, and a lone `k` for thousands.
    if (unit !== 'metre' && unit !== 'tonne') continue;
    for (const { claim, value } of stated) {
      if (value.unit !== '' || !suffix.test(claim.input.value.trim())) continue;
      warnings.add(
        'suffix_or_unit',
        claim.id,
        `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} was read as ${value.amount.toLocaleString('en')}, and the estimate counts it so; write its unit out (\`${unit}s\`) if one is meant, else \`${factor}\`.`,
      );
    }
  }
}

/** Warns of a number that took the unit of the others and with its multiplier is far beyond all of them. */
function warnOfMultiples(stated: readonly Stated[], { model }: Weighed, warnings: Warnings): void {
  const isMultiple = ({ claim, value: { unit } }: Stated) => {
    const text = normalise(claim.input.value);
    const isBare = MULTIPLIED.test(text) && isWithoutUnit(model.valueOf(claim.input.value));
    const isSaid = SUFFIX_OR_UNIT.some((one) => one.suffix.test(text) && one.isBeside(unit));
    return isBare && unit !== '' && !CURRENCY.test(unit) && !isSaid;
  };
  const multiples = stated.filter(isMultiple);
  if (multiples.length === 0) return;
  const largest = new Map<string, number>();
  for (const one of stated)
    if (!isMultiple(one))
      largest.set(one.value.unit, Math.max(largest.get(one.value.unit) ?? 0, sizeOf(one)));
  for (const { claim, value } of multiples) {
    const most = largest.get(value.unit);
    if (most === undefined || Math.abs(value.amount) <= HARDLY_MEANT * most) continue;
    warnings.add(
      'suffix_or_unit',
      claim.id,
      `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} was read as ${value.amount.toLocaleString('en')} in the unit ${quote(value.unit)} of the other numbers on its question, more than a hundred times any of them; write its own unit, or the multiplier in full if it is meant.`,
    );
  }
}

/** Warns of three decimals where another number is a thousand times as large. */
function warnOfDecimals(stated: readonly Stated[], warnings: Warnings): void {
  const sorted = stated.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  let larger = 0;
  for (const { claim, value } of sorted) {
    if (value.amount === 0 || !THREE_DECIMALS.test(claim.input.value)) continue;
    const thousandfold = { ...value, key: '', amount: value.amount * 1000 };
    while (larger < sorted.length && sizeOf(sorted[larger]!) < 900 * Math.abs(value.amount)) larger += 1;
    const near = sorted.slice(larger, larger + LOOKED_AT);
    const other = near.find((one) => valuesAgree(one.value, thousandfold));
    if (!other) continue;
    warnings.add(
      'decimals_or_thousands',
      claim.id,
      `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} was read with three decimals, and ${quote(other.claim.input.value)} of claim ${quote(other.claim.id)} is about a thousand times as much; write thousands as \`1,000\`.`,
    );
  }
}

/** Warns of a number from 0 to 1 that took the per cent of its question, where another is a hundredfold. */
function warnOfShares(stated: readonly Stated[], { model }: Weighed, warnings: Warnings): void {
  for (const { claim, value } of stated) {
    if (value.unit !== '%' || value.amount <= 0 || value.amount > 1) continue;
    if (!isWithoutUnit(model.valueOf(claim.input.value))) continue;
    const hundredfold = { ...value, key: '', amount: value.amount * 100 };
    const other = stated.find((one) => valuesAgree(one.value, hundredfold));
    if (!other) continue;
    warnings.add(
      'share_or_percent',
      claim.id,
      `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} was taken to be in per cent, and ${quote(other.claim.input.value)} of claim ${quote(other.claim.id)} is about a hundred times as much; write the per cent out if a share of 1 is meant.`,
    );
  }
}

/**
 * Warns of different digits that agree as numbers where the predicate asks for a postcode, a number plate or
 * the like.
 */
function warnOfIdentifiers(
  { subject, predicate }: Pair,
  stated: readonly Stated[],
  warnings: Warnings,
): void {
  const words = predicate
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  if (!words.some((word) => NAMING.has(word)) && !NAMING_BY_NUMBER.test(words.join(' '))) return;
  const digits = stated
    .filter(({ claim, value }) => value.unit === '' && DIGITS.test(normalise(claim.input.value)))
    .toSorted((a, b) => a.value.amount - b.value.amount);
  const at = digits.findIndex(({ value }, i) => i > 0 && valuesAgree(digits[i - 1]!.value, value));
  if (at < 0) return;
  warnings.add(
    'identifier_or_number',
    subject.id,
    `The values ${quote(digits[at - 1]!.claim.input.value)} and ${quote(digits[at]!.claim.input.value)} on ${quote(predicate)} of ${quote(subject.id)} were read as numbers and agree, because they differ by at most 5 %; write a letter or a hyphen into them, such as \`id-4711\`, if they are names.`,
  );
}

/**
 * Warns of whole numbers before a word that no table has, such as `737 MAX` and `747 MAX`, that agree because
 * they are near: nobody can say whether they count something or are part of a name. Each pair of one question
 * once.
 */
function warnOfUnknownWords(
  { subject, predicate }: Pair,
  stated: readonly Stated[],
  warnings: Warnings,
): void {
  const numbers = stated
    .filter(
      ({ value, claim }) => !isKnownUnit(value.unit) && WHOLE_BEFORE_WORD.test(normalise(claim.input.value)),
    )
    .toSorted((a, b) => byCodeUnits(a.value.unit, b.value.unit) || a.value.amount - b.value.amount);
  const at = numbers.findIndex(({ value }, i) => i > 0 && valuesAgree(numbers[i - 1]!.value, value));
  if (at < 0) return;
  const [one, other] = [numbers[at - 1]!, numbers[at]!];
  warnings.add(
    'identifier_or_number',
    subject.id,
    `The values ${quote(one.claim.input.value)} and ${quote(other.claim.input.value)} on ${quote(predicate)} of ${quote(subject.id)} were read as numbers in the unit ${quote(one.value.unit)}, which is in no table, and agree, because they differ by at most 5 %; write the word first, such as \`max 737\`, if they are names or years.`,
  );
}
/** Digits without separator or decimals, then a word. */
const WHOLE_BEFORE_WORD = /^\d+ ?\p{L}/u;

const sizeOf = ({ value }: Stated) => Math.abs(value.amount);

/**
 * Where an estimate was asked for: warns of each question whose only numbers are read as years, and once
 * where no question has an estimate at all. Never throws.
 */
export function warnOfNoEstimate(
  { model, pairs }: Weighed,
  results: readonly SubjectResult[],
  warnings: Warnings,
): void {
  if (!model.settings.estimatesNumbers) return;
  const given = new Set(
    results.flatMap((one) => (one.numeric_estimate ? [questionKey(one.subject_id, one.predicate)] : [])),
  );
  let isSaid = given.size > 0;
  for (const { subject, predicate, claims } of pairs) {
    if (given.has(questionKey(subject.id, predicate))) continue;
    if (!claims.some(({ value }) => value.kind === 'date' && value.year !== null)) continue;
    isSaid = true;
    warnings.add(
      'estimate_not_given',
      subject.id,
      `There is no estimate of ${quote(predicate)} of ${quote(subject.id)}: bare numbers from 1000 to 2999 are read as years; write at least one with a separator or a unit, such as \`1,500\`, if they are numbers.`,
    );
  }
  if (!isSaid)
    warnings.add(
      'estimate_not_given',
      '',
      'Estimates of numbers were asked for, and no claim with weight states a number; none is given.',
    );
}
