import { DISPUTED_FROM, RIVALS_MAX } from '../contract/constants.ts';
import type { RivalValue, SubjectResult } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import type { Pair } from '../model/statements.ts';
import { valuesAgree, type Value } from '../model/value.ts';
import { chanceIn, placeOf, valueOf } from '../verdict/rivals.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { disputedApart, isSameScope, tiedValues } from './summary.ts';
import { sharedTime } from './times.ts';

type More = Pick<SubjectResult, 'more_rival_values' | 'more_values_apart' | 'more_tied_values'>;

/** How many values a verdict does not list, by kind; nothing where it lists all of a few. Pure. */
export function moreValues(listed: readonly RivalValue[], all: readonly RivalValue[], tied: boolean): More {
  if (listed.length < RIVALS_MAX) return {};
  const more = (count: (values: readonly RivalValue[]) => number) => count(all) - count(listed);
  const apart = more((values) => values.filter((one) => one.apart).length);
  const tie = more((values) => tiedValues({ tied, rival_values: values })?.length ?? 0);
  return {
    more_rival_values: more(({ length }) => length),
    ...(apart > 0 && { more_values_apart: apart }),
    ...(tie > 0 && { more_tied_values: tie }),
  };
}

/**
 * The scopes and times, other than those of the leading value, in which different values of all that a
 * question has are stated; nothing where all are of one scope and time. Source: ADR 0141; ADR 0146. Pure.
 */
export function disputedPlaces(
  verdict: Verdict,
  all: readonly RivalValue[],
  weighed: Weighed,
): Pick<SubjectResult, 'disputed_apart'> {
  const { pair } = verdict;
  if (!pair || !all.some(({ apart }) => apart)) return {};
  const said = statedIn(pair, weighed);
  const wordsOf = alike(said, weighed);
  const told = said.map(({ value, place }) => ({ ...place, value: wordsOf(value) }));
  const claims = new Map(said.map(({ value, place, claim }) => [JSON.stringify([value, place]), claim]));
  const rivals = all.flatMap((one) => {
    const claim = claims.get(JSON.stringify([one.value, placeOf({ scope: one.scope ?? '', input: one })]));
    return one.apart && !one.denied && claim ? [{ ...one, value: wordsOf(one.value), claim }] : [];
  });
  const places = (of: readonly Rated[], least: number) =>
    disputedApart({ rival_values: of }, least, told).map((place) =>
      placeOf({ scope: place.scope ?? '', input: place }),
    );
  const any = places(rivals, 0);
  if (any.length === 0) return { disputed_apart: [] };
  const chanceOf = chanceIn(verdict, pair, weighed);
  const disputed = rivals.filter((one) => any.some((place) => isWithin(place, one))).slice(0, RATED_MAX);
  const likely = places(
    disputed.map((one) => ({ ...one, calibrated_probability: chanceOf(one.claim) })),
    DISPUTED_FROM,
  );
  const slight = any.filter((place) => !likely.some((one) => isWithin(one, place)));
  return { disputed_apart: [...likely, ...slight.map((place) => ({ ...place, is_slight: true as const }))] };
}

/** Values whose chances decide whether a dispute is slight, the weightiest; each takes long among many. */
const RATED_MAX = 64;
type Rated = RivalValue & { readonly claim: Claim };

const isWithin = (one: Placed, other: Placed) =>
  isSameScope(one.scope, other.scope) && sharedTime(one, other) !== null;
type Placed = Pick<RivalValue, 'scope' | 'event_start_time' | 'event_end_time'>;

/** The values stated on a question with weight, with their scopes and times. */
function statedIn({ claims }: Pair, weighed: Weighed) {
  const { groupOf, weighings, barred } = weighed;
  return claims
    .filter((claim) => !groupOf[claim.index]!.denies && weighings[claim.index]!.weight > 0)
    .filter((claim) => !barred.has(claim))
    .map((claim) => ({ claim, value: valueOf(claim, weighed), place: placeOf(claim) }));
}

/** The first words of each value: what agrees is one value, in whatever words claims write it. */
function alike(said: ReturnType<typeof statedIn>, { groupOf }: Weighed): (text: string) => string {
  const first: { readonly value: Value; readonly words: string }[] = [];
  const words = new Map<string, string>();
  for (const { claim, value: text } of said) {
    if (words.has(text)) continue;
    const { value } = groupOf[claim.index]!;
    const known = first.find((one) => valuesAgree(one.value, value));
    if (!known) first.push({ value, words: text });
    words.set(text, known?.words ?? text);
  }
  return (text) => words.get(text) ?? text;
}
