import { isUnit, unitOf } from './units.ts';

/** `per day`, `a day`, `/day`, at the end of a text; `per cent` is no rate. */
const RATE_AT_END =
  /( ?\/ ?| per (?!cent$)| (?:a|an|each|every) )((?:sq\.?|square|cu\.?|cubic|calendar) \p{L}+|\p{L}[\p{L}\p{M}\p{N}^]*)$/u;
/** Words and letters that are a rate by themselves. */
const ADVERBS = new Map(
  Object.entries({
    annually: 'year',
    yearly: 'year',
    'p.a.': 'year',
    'p.a': 'year',
    'p/a': 'year',
    quarterly: 'quarter',
    monthly: 'month',
    weekly: 'week',
    'p.w.': 'week',
    daily: 'day',
    hourly: 'hour',
  }),
);
/** Letters that are a rate after money or a percentage, and units of pressure and power elsewhere. */
const ADVERBS_OF_MONEY = new Map(Object.entries({ pa: 'year', pcm: 'month', pw: 'week' }));
const LAST_WORD = /(?:^| )(\S+)$/;
/** What an amount may be per, besides units, and words that mean a unit there only. */
const PER_NAMES = new Map(
  Object.entries({
    annum: 'year',
    'calendar month': 'month',
    'calendar year': 'year',
    capita: 'person',
    head: 'person',
    m: 'metre',
    t: 'tonne',
    fortnight: 'fortnight',
    night: 'night',
    household: 'household',
  }),
);
/** Several rates stand behind one amount: `$5 per person per year`. */
const RATES_MAX = 3;

/** What stands after the digits of a number, parted. */
export interface Rated {
  /** The text without the rates. */
  readonly rest: string;
  /** Names of what the amount is per, in alphabetical order; none for an amount by itself. */
  readonly per: readonly string[];
}

/**
 * Takes the rates off the end of what follows the digits of a number: ` bn per year`, `k/mo`, `% a year`, `
 * miles an hour`. After `a` and `each`, and after a slash that follows the digits at once, only units and
 * usual counts make a rate: `5 a side` and `1/may` have none. `written` is the same text in its own case,
 * `isMoney` tells whether a currency stands before the digits. Never throws.
 */
export function ratesOf(tail: string, written: string, isMoney: boolean): Rated {
  let rest = tail;
  const per: string[] = [];
  while (per.length < RATES_MAX && !isUnit(rest.trim())) {
    const found = rateAtEnd(rest, written.slice(0, rest.length), isMoney);
    if (found === null) break;
    rest = rest.slice(0, rest.length - found.length);
    per.push(found.name);
  }
  return { rest, per: per.sort() };
}

function rateAtEnd(
  text: string,
  written: string,
  isMoney: boolean,
): { readonly length: number; readonly name: string } | null {
  const last = LAST_WORD.exec(text);
  if (last) {
    const isShare = isMoney || /%|per cent|percent/.test(text) || /\p{Sc}|\b(?:usd|eur|gbp)\b/u.test(text);
    const adverb = ADVERBS.get(last[1]!) ?? (isShare ? ADVERBS_OF_MONEY.get(last[1]!) : undefined);
    if (adverb !== undefined) return { length: last[0].length, name: adverb };
  }
  const match = RATE_AT_END.exec(text);
  if (!match) return null;
  const [all, how, word] = match as unknown as [string, string, string];
  const isKnown = PER_NAMES.has(word) || isUnit(word);
  const isCertain = how.includes('/') ? match.index > 0 || isMoney : how === ' per ';
  if (!isCertain && !(isKnown && word.length > 1)) return null;
  return {
    length: all.length,
    name: PER_NAMES.get(word) ?? unitOf(word, written.slice(text.length - word.length)),
  };
}
