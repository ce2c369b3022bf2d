import type { RivalValue, SubjectResult, TruthStatus } from '../contract/types.ts';
import { parseTime } from '../contract/timestamp.ts';
import { saysTheSame } from '../model/same-value.ts';
import { byWeight } from '../report/summary.ts';
import type { SaidPlace } from './input-changes.ts';

/** A verdict within one scope and time; without status where another value leads elsewhere. */
export type AnswerVerdict = Omit<SubjectResult, 'truth_status'> & { readonly truth_status?: TruthStatus };

/** A scope and the time in which an answer is the first one. Milliseconds since 1970, the end excluded. */
interface Region {
  readonly scope: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** A value in one scope and time. */
export interface PlacedValue {
  /** Null where none leads. */
  readonly value: string | null;
  /** Null where no value is listed, so that it is of every scope and time. */
  readonly region: Region | null;
}

/** What a verdict says in one scope and time. */
export interface Answer extends PlacedValue {
  readonly verdict: AnswerVerdict;
}

/** An answer in two judgements; one side is missing where it came or went. */
export type AnswerPair<A extends PlacedValue = Answer> = readonly [
  before: A | undefined,
  after: A | undefined,
];

/**
 * The answers of a verdict: the leading value, and each listed one that does not compete with it, in whatever
 * of its scope and time no stronger answer holds; each with the values that compete with it there. Pure.
 */
export function answersOf(verdict: SubjectResult | undefined): readonly Answer[] {
  if (verdict === undefined) return [];
  const rivals = rivalsOf(verdict);
  const regions: Region[] = [];
  for (const [index, rival] of rivals.entries()) {
    if (index > 0 && !rival.apart) continue;
    const own = regions.filter(({ scope }) => scope === (rival.scope ?? ''));
    const spans = own.reduce((left, { spans: taken }) => without(left, taken), regionOf(rival).spans);
    if (spans.length > 0) regions.push({ scope: rival.scope ?? '', spans });
  }
  const answer = (own: AnswerVerdict, region: Region | null) => ({
    value: own.leading_value,
    verdict: own,
    region,
  });
  if (regions.length < 2) return [answer(verdict, regions[0] ?? null)];
  return regions.map((region) => answer(verdictIn(region, verdict), region));
}

/** Results of engine 1 list none. */
const rivalsOf = ({ rival_values: rivals = [] }: Partial<SubjectResult>) => rivals;

/** The first of the answers that holds in one of the regions, which are tried in turn. Pure. */
export function answerIn<A extends PlacedValue>(
  answers: readonly A[],
  regions: readonly (Region | null)[],
): A | undefined {
  for (const region of regions) {
    const found = answers.find((answer) => common(answer.region, region) !== undefined);
    if (found) return found;
  }
  return undefined;
}

/**
 * The answers of two verdicts on one question, each next to the one of the same value that holds in its scope
 * at some of its time, or else to whatever does. Those of other scopes and times are next to one of the same
 * value, and the leading ones next to each other. Pure.
 */
export function pairedAnswers<A extends PlacedValue>(
  before: readonly A[],
  after: readonly A[],
): readonly AnswerPair<A>[] {
  const pairs: AnswerPair<A>[] = [];
  const isPaired = (one: A) => pairs.some((pair) => pair.includes(one));
  const pair = (fits: (was: A, is: A) => boolean, isFree: (was: A, is: A) => boolean) => {
    for (const is of after)
      for (const was of before) if (isFree(was, is) && fits(was, is)) pairs.push([was, is]);
  };
  const bothFree = (was: A, is: A) => !isPaired(was) && !isPaired(is);
  const meets = (was: A, is: A) => common(was.region, is.region) !== undefined;
  pair((was, is) => meets(was, is) && isOfOneValue(was, is), bothFree);
  pair(meets, (_, is) => !isPaired(is));
  pair(meets, (was) => !isPaired(was));
  pair(isOfOneValue, bothFree);
  pair((was, is) => was === before[0] && is === after[0], bothFree);
  return [
    ...pairs,
    ...after.filter((is) => !isPaired(is)).map((is): AnswerPair<A> => [undefined, is]),
    ...before.filter((was) => !isPaired(was)).map((was): AnswerPair<A> => [was, undefined]),
  ];
}

/** Where the two answers of a pair hold: where both do, else where the later does, then the earlier. Pure. */
export function regionsOf([was, is]: AnswerPair): readonly (Region | null)[] {
  const both = was && is && common(was.region, is.region);
  return both === undefined ? [is, was].flatMap((one) => (one ? [one.region] : [])) : [both];
}

/** The scope and the time in which something is said. Pure. */
export const regionOf = ({ scope = '', event_start_time: from, event_end_time: to }: SaidPlace): Region => ({
  scope,
  spans: [[msOf(from, -Infinity), msOf(to, Infinity)]],
});

const msOf = (time: string | undefined, open: number): number =>
  time === undefined ? open : (parseTime(time)?.ms ?? open);

function isOfOneValue({ value: one }: PlacedValue, { value: other }: PlacedValue): boolean {
  return one === null || other === null ? one === other : saysTheSame(one, other);
}

type Span = Region['spans'][number];

/** What two regions have in common; undefined where they have nothing. */
function common(one: Region | null, other: Region | null): Region | null | undefined {
  if (one === null || other === null) return one ?? other;
  if (one.scope !== other.scope) return undefined;
  const spans = one.spans.flatMap(([from, to]) =>
    other.spans
      .map(([start, end]): Span => [Math.max(from, start), Math.min(to, end)])
      .filter(([start, end]) => start < end),
  );
  return spans.length > 0 ? { scope: one.scope, spans } : undefined;
}

function without(spans: readonly Span[], taken: readonly Span[]): readonly Span[] {
  return taken.reduce(
    (left, [from, to]) =>
      left.flatMap(([start, end]): Span[] =>
        end <= from || to <= start
          ? [[start, end]]
          : [...(start < from ? [[start, from] as const] : []), ...(to < end ? [[to, end] as const] : [])],
      ),
    spans,
  );
}

function verdictIn(region: Region, verdict: SubjectResult): AnswerVerdict {
  const {
    rival_values: all,
    tied,
    denied: _denied,
    truth_status: _status,
    age_decides: _age,
    ...of
  } = verdict;
  const rivals = all.filter((rival) => common(regionOf(rival), region));
  const [first] = rivals as [RivalValue];
  if (first === all[0]) {
    const isTied = tied && (rivals.filter((one) => one.tied).length > 1 || !all.some((one) => one.tied));
    const { tied: _, ...rest } = verdict;
    return { ...rest, ...(isTied && { tied }), rival_values: rivals };
  }
  const equal = first.denied ? [] : byWeight(rivals)[0]!.map(({ value }) => value);
  const isTied = new Set(equal).size > 1;
  const own = rivals.map(({ apart: _apart, tied: _tied, ...rival }): RivalValue => ({
    ...rival,
    ...(isTied && equal.includes(rival.value) && { tied: true }),
  }));
  const listed = first.value === 'false' && !isTied ? withYes(own) : own;
  const { value: leading_value, expected_probability, calibrated_probability } = listed[0]!;
  return {
    ...of,
    ...(isTied && { tied: true }),
    leading_value,
    expected_probability,
    calibrated_probability,
    rival_values: listed,
  };
}

/** Of yes and no, a verdict is about yes, also where no leads. */
function withYes(rivals: readonly RivalValue[]): RivalValue[] {
  const { denied: _, disputed: __, ...no } = rivals[0]!;
  const yes = rivals.find(({ value }) => value === 'true') ?? {
    ...no,
    value: 'true',
    expected_probability: 1 - no.expected_probability,
    calibrated_probability: 1 - no.calibrated_probability,
  };
  return [yes, ...rivals.filter((one) => one !== yes)];
}
