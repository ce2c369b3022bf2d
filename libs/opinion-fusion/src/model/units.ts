/**
 * The words of numbers, once: units, multipliers, months. All keys are in normal form, that is in lower case.
 */

/** The unit of years before Christ. */
export const ERA_BEFORE = 'bc';
/** Units of years: two years that are not said to be inexact differ as dates do. */
export const ERAS: ReadonlySet<string> = new Set([ERA_BEFORE, 'ad']);

const PEOPLE = `employee member student user customer victim soldier worker passenger visitor protester demonstrator
  participant patient civilian hostage prisoner refugee migrant resident journalist fighter militant`;

/**
 * Spellings of one unit; the first names it. Values are compared as written, unit by unit; only an estimate
 * converts (`convert`). `m`, `k`, `b` and `t` are suffixes and
 * stand nowhere here.
 */
const UNITS = new Map(
  [
    ['second', 'seconds', 's', 'sec', 'secs'],
    ['millisecond', 'milliseconds', 'ms', 'msec'],
    ['microsecond', 'microseconds', 'μs'],
    ['nanosecond', 'nanoseconds', 'ns'],
    ['minute', 'minutes', 'min', 'mins'],
    ['hour', 'hours', 'h', 'hr', 'hrs'],
    ['day', 'days', 'd'],
    ['week', 'weeks', 'wk', 'wks'],
    ['month', 'months', 'mo', 'mos'],
    ['year', 'years', 'y', 'yr', 'yrs', 'yo', 'y/o', 'y.o.'],
    ['quarter', 'quarters'],
    ['decade', 'decades'],
    ['century', 'centuries'],
    ['kilometre', 'kilometres', 'kilometer', 'kilometers', 'km', 'kms'],
    ['metre', 'metres', 'meter', 'meters'],
    ['centimetre', 'centimetres', 'centimeter', 'centimeters', 'cm'],
    ['millimetre', 'millimetres', 'millimeter', 'millimeters', 'mm'],
    ['micrometre', 'micrometres', 'micrometer', 'micrometers', 'μm'],
    ['nanometre', 'nanometres', 'nanometer', 'nanometers', 'nm'],
    ['mile', 'miles', 'mi'],
    ['yard', 'yards', 'yd', 'yds'],
    ['foot', 'feet', 'ft'],
    ['inch', 'inches', 'in'],
    ['hectare', 'hectares', 'ha'],
    ['acre', 'acres'],
    ['kilogram', 'kilograms', 'kilogramme', 'kilogrammes', 'kilo', 'kilos', 'kg', 'kgs'],
    ['gram', 'grams', 'gramme', 'grammes', 'g'],
    ['milligram', 'milligrams', 'mg'],
    ['microgram', 'micrograms', 'μg'],
    ['tonne', 'tonnes', 'metric ton', 'metric tons', 'metric tonne', 'metric tonnes'],
    ['ton', 'tons'],
    ['pound', 'pounds'],
    ['lb', 'lbs'],
    ['ounce', 'ounces', 'oz'],
    ['litre', 'litres', 'liter', 'liters', 'l'],
    ['millilitre', 'millilitres', 'milliliter', 'milliliters', 'ml'],
    ['gallon', 'gallons', 'gal'],
    ['barrel', 'barrels', 'bbl', 'bbls'],
    ['km/h', 'kmh', 'kph'],
    ['mile/h', 'mph'],
    ['degree', 'degrees', 'deg', '°'],
    ['celsius', '°c', 'degc', 'deg c', '° c', 'degree celsius', 'degrees celsius', 'degrees c'],
    ['fahrenheit', '°f', 'degf', 'deg f', '° f', 'degree fahrenheit', 'degrees fahrenheit', 'degrees f'],
    ['kelvin', 'kelvins'],
    ['hertz', 'hz'],
    ['kilohertz', 'khz'],
    ['megahertz', 'mhz'],
    ['gigahertz', 'ghz'],
    ['watt', 'watts', 'w'],
    ['kilowatt', 'kilowatts', 'kw'],
    ['megawatt', 'megawatts', 'mw'],
    ['gigawatt', 'gigawatts', 'gw'],
    ['terawatt', 'terawatts', 'tw'],
    ['kilowatt hour', 'kilowatt hours', 'kilowatt-hours', 'kwh'],
    ['megawatt hour', 'megawatt hours', 'megawatt-hours', 'mwh'],
    ['gigawatt hour', 'gigawatt hours', 'gigawatt-hours', 'gwh'],
    ['terawatt hour', 'terawatt hours', 'terawatt-hours', 'twh'],
    ['nautical mile', 'nautical miles', 'nmi'],
    ['light year', 'light years', 'light-year', 'light-years'],
    ['volt', 'volts', 'v'],
    ['ampere', 'amperes', 'amp', 'amps'],
    ['joule', 'joules', 'j'],
    ['kilojoule', 'kilojoules', 'kj'],
    ['calorie', 'calories', 'cal'],
    ['kilocalorie', 'kilocalories', 'kcal'],
    ['kilobyte', 'kilobytes', 'kb'],
    ['megabyte', 'megabytes', 'mb'],
    ['gigabyte', 'gigabytes', 'gb'],
    ['terabyte', 'terabytes', 'tb'],
    ['byte', 'bytes'],
    ['person', 'persons', 'people'],
    ['death', 'deaths', 'dead', 'killed', 'fatality', 'fatalities'],
    ['injury', 'injuries', 'injured', 'wounded'],
    ['percentage point', 'percentage points', 'pp', 'ppt'],
    ['basis point', 'basis points', 'bps'],
    ['rupee', 'rupees', 'rs'],
    ['ad', 'ce'],
    [ERA_BEFORE, 'bce'],
    ['arrest', 'arrests', 'arrested'],
    ['child', 'children', 'childs'],
    ['woman', 'women'],
    ['man', 'men'],
    ...`vote seat case home house share page word point goal vehicle car job ticket dose`
      .split(/\s+/)
      .map((word) => [word, `${word}s`]),
    ...PEOPLE.split(/\s+/).map((word) => [word, `${word}s`]),
  ].flatMap((spellings) => spellings.map((spelling) => [spelling, spellings[0]!] as const)),
);

/** Metres in each unit of length. */
const LENGTHS = {
  metre: 1,
  kilometre: 1_000,
  centimetre: 1e-2,
  millimetre: 1e-3,
  micrometre: 1e-6,
  nanometre: 1e-9,
  mile: 1_609.344,
  yard: 0.9144,
  foot: 0.3048,
  inch: 0.0254,
};

function powersOfLengths(name: 'square' | 'cubic', power: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(LENGTHS).map(([unit, metres]) => [`${name} ${unit}`, metres ** power]),
  );
}

/**
 * Units of one quantity: how many of the first each is. Left out is what differs by country, trade or month:
 * ton, ounce, pound, gallon, barrel, calorie, kilobyte, month, year. Source: SI brochure, 9th edition, tables
 * 7 and 8; NIST Handbook 44, appendix C.
 */
const QUANTITIES: readonly Readonly<Record<string, number>>[] = [
  {
    second: 1,
    millisecond: 1e-3,
    microsecond: 1e-6,
    nanosecond: 1e-9,
    minute: 60,
    hour: 3_600,
    day: 86_400,
    week: 604_800,
  },
  LENGTHS,
  { ...powersOfLengths('square', 2), hectare: 10_000, acre: 4_046.856_422_4 },
  { ...powersOfLengths('cubic', 3), litre: 1e-3, millilitre: 1e-6 },
  { kilogram: 1, gram: 1e-3, milligram: 1e-6, microgram: 1e-9, tonne: 1_000, lb: 0.453_592_37 },
  { 'km/h': 1, 'mile/h': 1.609_344, 'metre/second': 3.6, 'kilometre/second': 3_600, 'foot/second': 1.097_28 },
  { hertz: 1, kilohertz: 1e3, megahertz: 1e6, gigahertz: 1e9 },
  { watt: 1, kilowatt: 1e3, megawatt: 1e6, gigawatt: 1e9, terawatt: 1e12 },
  { 'kilowatt hour': 1, 'megawatt hour': 1e3, 'gigawatt hour': 1e6, 'terawatt hour': 1e9 },
  { joule: 1, kilojoule: 1e3 },
  { 'percentage point': 1, 'basis point': 1e-2 },
];
const SCALES = new Map(
  QUANTITIES.flatMap((units, quantity) =>
    Object.entries(units).map(([unit, size]) => [unit, { quantity, size }] as const),
  ),
);

/** Units of lengths, masses and temperatures that do not convert, or that no table of spellings has. */
const OTHERS_OF_KIND = {
  length: new Set(['nautical mile', 'light year', ...spelledBothWays('fathom furlong league cubit')]),
  mass: new Set([
    ...'ton ounce kt mt gt dwt grt'.split(' '),
    ...spelledBothWays('kilotonne megatonne gigatonne kiloton megaton gigaton stone carat'),
    ...['short ton', 'long ton'].flatMap((unit) => [unit, `${unit}s`]),
  ]),
  temperature: new Set(['celsius', 'fahrenheit', 'kelvin', 'degree']),
};
const CONVERTED_OF_KIND = { length: 'metre', mass: 'tonne', temperature: 'kelvin' } as const;

function spelledBothWays(words: string): string[] {
  return words.split(' ').flatMap((word) => [word, `${word}s`]);
}

/** Whether a unit is one of lengths, masses or temperatures, also where it does not convert into others. */
export function isOfKind(unit: string, kind: keyof typeof OTHERS_OF_KIND): boolean {
  return OTHERS_OF_KIND[kind].has(unit) || measures(unit, CONVERTED_OF_KIND[kind]);
}

/**
 * What a multiplier after a number makes of one. Left out is what means two things: `mil` (a million, or a
 * thousand in Spanish), `Billion` of a German text. Rule 5; reasoning model §3 and §11.
 */
const MULTIPLIERS: readonly (readonly [size: string, spellings: string])[] = [
  ['12e0', 'dozen'],
  ['1e2', 'hundred'],
  ['1e3', 'k thousand tsd tsd. tausend тыс тыс.'],
  ['1e4', '万'],
  ['1e5', 'lakh lakhs'],
  ['1e6', 'm mn mln mln. mio mio. million millions millionen millones milioni milhões miljoen'],
  ['1e6', 'млн млн. миллион миллиона миллионов'],
  ['1e7', 'crore crores cr'],
  ['1e8', '亿 億'],
  ['1e9', 'b bn bil billion billions mrd mrd. mld mld. milliard milliards milliarden miliardi miljard'],
  ['1e9', 'млрд млрд. миллиард миллиарда миллиардов'],
  ['1e12', 't tn trillion trillions'],
];
/**
 * By spelling: digits and power of ten, so that the power can shift the decimal point of a number exactly.
 */
export const SUFFIXES: ReadonlyMap<string, { readonly times: number; readonly power: number }> = new Map(
  MULTIPLIERS.flatMap(([size, spellings]) => {
    const [times, power] = size.split('e').map(Number);
    return spellings.split(' ').map((word) => [word, { times: times!, power: power! }] as const);
  }),
);

/** Months, 1 to 12, by name and by abbreviation. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  'january february march april may june july august september october november december'
    .split(' ')
    .flatMap((name, index) => [[name, index + 1] as const, [name.slice(0, 3), index + 1] as const])
    .concat([['sept', 9]]),
);

/** A million in finance, and a millimetre in capitals: read as neither. */
const MANY_MEANINGS = 'MM';
/** Symbols of which the case tells the size, as written; all others are read without it. */
const UNITS_BY_CASE = new Map(
  Object.entries({
    mW: 'milliwatt',
    mWh: 'milliwatt hour',
    mHz: 'millihertz',
    mV: 'millivolt',
    mA: 'milliampere',
    mJ: 'millijoule',
    mPa: 'millipascal',
    Mg: 'megagram',
    ML: 'megalitre',
    Mm: 'megametre',
    Kb: 'kilobit',
    Mb: 'megabit',
    Gb: 'gigabit',
    Tb: 'terabit',
    MM: MANY_MEANINGS,
    C: 'celsius',
    F: 'fahrenheit',
  }),
);
/** `sq km`, `square miles`; `km2`, `km^2`; likewise of the third power. */
const POWER_BEFORE = /^(?:(sq|square)|cu|cubic)\.? (.+)$/;
const POWER_AFTER = /^(.+?)\^?([23])$/;

/**
 * The one name of a unit word: its own where the table does not know it. `written` is the word in its own
 * case.
 */
export function unitOf(word: string, written = word): string {
  const named = UNITS_BY_CASE.get(written) ?? UNITS.get(word);
  if (named !== undefined) return named;
  const ofWords = word.includes(' ') ? unitOfWords(word) : null;
  if (ofWords !== null) return ofWords;
  const [before, after] = [POWER_BEFORE.exec(word), POWER_AFTER.exec(word)];
  const length = lengthOf(before?.[2] ?? after?.[1] ?? '');
  if (length === null) return word;
  const isSquare = before ? before[1] !== undefined : after![2] === '2';
  return `${isSquare ? 'square' : 'cubic'} ${length}`;
}

/** What befalls people: `200 civilians killed`. */
const FATES = new Set(['death', 'injury', 'arrest']);
const PERSONS = new Set(['person', 'child', 'woman', 'man', ...PEOPLE.split(/\s+/)]);
/** Measures of things besides those that convert: `5 tons of rice`. */
const MEASURES = new Set('ton pound ounce gallon barrel month year decade'.split(' '));
/** Times in which an age is told. */
const AGES = new Set('day week month year'.split(' '));

/**
 * The name of a unit that has several words, of which the table knows the first: an age (`years old`), a fate
 * (`civilians killed`), what is measured (`barrels of oil`); null for any other words. What happened to
 * people is the fate alone; oil goes by the barrel.
 */
function unitOfWords(words: string): string | null {
  const [, measure, thing] = THING_MEASURED.exec(words) ?? [];
  if (measure !== undefined && thing !== undefined) {
    const unit = UNITS.get(measure) ?? unitOf(measure);
    if (AGES.has(unit) && thing === 'age') return unit;
    if (!MEASURES.has(unit) && !SCALES.has(unit)) return null;
    return unit === 'barrel' && OIL.test(thing) ? unit : `${unit} of ${thing}`;
  }
  const [first = '', second = ''] = words.split(/ (.+)/u);
  const [unit, fate] = [UNITS.get(first) ?? '', UNITS.get(second) ?? ''];
  if (AGES.has(unit) && second === 'old') return unit;
  if (!PERSONS.has(unit) || !FATES.has(fate)) return null;
  return unit === 'person' ? fate : `${unit} ${fate}`;
}
const THING_MEASURED = /^([^ ]+(?: [^ ]+)?) of (\p{L}[\p{L}\p{N}]*(?: \p{L}+)?)$/u;
const OIL = /^(?:oil|crude|crude oil)$/;

/** Whether words after a number are a unit of several words. */
export const isUnitOfWords = (words: string): boolean => unitOfWords(words) !== null;

/** The name of a length, of which areas and volumes are made; null for any other word. */
function lengthOf(word: string): string | null {
  const name = word === 'm' ? 'metre' : (UNITS.get(word) ?? '');
  return measures(name, 'metre') ? name : null;
}

/** Whether two units are of one quantity. */
export function measures(unit: string, other: string): boolean {
  const quantity = SCALES.get(unit)?.quantity;
  return quantity !== undefined && quantity === SCALES.get(other)?.quantity;
}

/**
 * An amount in another unit, rounded to what doubles carry of a product; null where the two units measure
 * different things, or one of them has no size that is the same everywhere.
 */
export function convert(amount: number, from: string, to: string): number | null {
  if (from === to) return amount;
  const [source, target] = [SCALES.get(from), SCALES.get(to)];
  if (!source || !target || source.quantity !== target.quantity) return null;
  return Number(((amount * source.size) / target.size).toPrecision(14));
}

const NAMES = new Set(
  [...UNITS.values(), ...UNITS_BY_CASE.values()].filter((name) => name !== MANY_MEANINGS),
);

/**
 * Whether every part of a number's unit is a currency, a percentage or of the table; so is no unit at all. A
 * ratio without currency is known, whatever is in it.
 */
export function isKnownUnit(unit: string): boolean {
  const uncoined = unit.replace(/^(?:[A-Z]{3}|\p{Sc})(?: |(?=\/)|$)/u, '');
  const word = uncoined.replace(/^%(?: |(?=\/)|$)/, '');
  const amount = uncoined === unit ? word : word.replace(/\/.*/, '');
  return amount === '' || NAMES.has(amount) || /^(?:square|cubic) |\//.test(amount) || isOfWords(amount);
}
const isOfWords = (name: string) => name.includes(' ') && unitOfWords(name) !== null;

/** Whether the table knows a unit by this word. */
export const isUnit = (word: string): boolean => UNITS.has(word);
