import type { ClaimInput, Denial, RivalValue, SubjectResult, TruthStatus } from '../contract/types.ts';
import { RIVALS_MAX } from '../contract/constants.ts';
import { byCodeUnits } from '../contract/rounding.ts';
import { parseTime } from '../contract/timestamp.ts';
import { saysTheSame } from '../model/same-value.ts';
import { byWeight, tiedValues } from '../report/summary.ts';

/** A verdict within one scope and time; without status where another value leads elsewhere. */
export type AnswerVerdict = Omit<SubjectResult, 'truth_status'> & { readonly truth_status?: TruthStatus };

/**
 * A scope, in lower case, and the time in which an answer is the first one. Milliseconds since 1970, the end
 * excluded.
 */
interface Region {
  readonly scope: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** What is said in one scope and time. */
export interface PlacedValue {
  /**
   * The value that leads there, those that are tied, or the one that is denied; of yes and no both, as each
   * answers for the other. Empty where none leads.
   */
  readonly values: readonly string[];
  /** Present where sources deny the value and none states it. */
  readonly denied?: true;
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
 * The verdict with all values and denials that it knows as the listed ones; results of earlier versions as
 * they are. Source: ADR 0148. Pure.
 */
export function withAllValues<V extends Partial<SubjectResult>>(verdict: V): V {
  const { all_values, all_denials, more_rival_values, more_values_apart, more_tied_values, ...rest } =
    verdict;
  const denials = all_denials ?? verdict.denials;
  const unlisted = { more_rival_values, more_values_apart, more_tied_values };
  return {
    ...rest,
    ...(denials && { denials }),
    ...(all_values ? { rival_values: all_values } : unlisted),
  } as unknown as V;
}

/** Whether a verdict, as those of earlier versions, may have more values and denials than it knows. Pure. */
export const isCut = (verdict: Partial<SubjectResult> = {}): boolean =>
  (!verdict.all_values && rivalsOf(verdict).length >= RIVALS_MAX) ||
  (!verdict.all_denials && (verdict.denials ?? []).length >= RIVALS_MAX);

/**
 * Whether a verdict that has no such answer may have left it out: those of earlier versions list a value once
 * for several times. Pure.
 */
export const mayLeaveOut = (verdict: Partial<SubjectResult> = {}, answer: PlacedValue): boolean =>
  isCut(verdict) ||
  (!verdict.all_values &&
    valuesOf(verdict).some(
      (one) => one.isPlaced && one.region.scope === answer.region?.scope && sharesValue(one, answer),
    ));

/** Whether a verdict has a value in the place of an answer, whatever leads there. Pure. */
export const hasValue = (verdict: Partial<SubjectResult> = {}, answer: PlacedValue): boolean =>
  valuesOf(verdict).some((one) => meets(one, answer) && sharesValue(one, answer));

const valuesOf = (verdict: Partial<SubjectResult>) =>
  rivalsOf(withAllValues(verdict)).map((one) => ({
    values: [one.value],
    region: regionOf(one),
    isPlaced: isPlaced(one),
  }));

/** Whether a value is said in a scope, or of a time. Pure. */
const isPlaced = (one: Partial<Placeable>): boolean =>
  one.scope != null || one.event_start_time != null || one.event_end_time != null;

/**
 * The answers of a verdict: the leading value, and each that does not compete with it, in whatever of its
 * scope and time no stronger answer holds; each with the values that compete with it there. What is said of a
 * value at a time that overlaps that of its answer is part of that. Pure.
 */
export function answersOf(judged: SubjectResult | undefined): readonly Answer[] {
  if (judged === undefined) return [];
  const verdict = withAllValues(judged);
  const ofScope = new Map<string, { readonly rivals: RivalValue[]; readonly answers: Held[] }>();
  const held: Held[] = [];
  for (const [index, rival] of rivalsOf(verdict).entries()) {
    const { scope, spans: all } = regionOf(rival);
    const own = ofScope.get(scope) ?? { rivals: [], answers: [] };
    ofScope.set(scope, own);
    own.rivals.push(rival);
    if (index > 0 && !rival.apart) continue;
    const spans = own.answers.reduce((left, one) => without(left, one.region.spans), all);
    if (spans.length === 0) continue;
    const known = own.answers.find(
      (one) => saysTheSame(one.value, rival.value) && meets(one, { region: { scope, spans: all } }),
    );
    if (known) known.region = { scope, spans: [...known.region.spans, ...spans] };
    else {
      const answer = { value: rival.value, region: { scope, spans }, rivals: own.rivals };
      own.answers.push(answer);
      held.push(answer);
    }
  }
  if (held.length < 2) return [answerFor(verdict, held[0]?.region ?? null)];
  return held.map(({ region, rivals }) => answerFor(verdictIn(region, rivals, verdict), region));
}

/** An answer while its region is found, with the values of its scope. */
interface Held {
  readonly value: string;
  region: Region;
  readonly rivals: readonly RivalValue[];
}

function answerFor(verdict: AnswerVerdict, region: Region | null): Answer {
  const [first] = rivalsOf(verdict);
  const { leading_value: value } = verdict;
  const values = tiedIn(verdict)?.map((one) => one.value) ?? (value === null ? [] : [value]);
  return {
    values: values.includes('true') ? [...values, 'false'] : values,
    ...(first?.denied && { denied: true }),
    region,
    verdict,
  };
}

/** The values that are tied in the scope and time of an answer, ordered by their texts; else null. Pure. */
export function tiedIn(
  verdict: Partial<Pick<AnswerVerdict, 'tied' | 'rival_values'>>,
): readonly RivalValue[] | null {
  const tie = rivalsOf(verdict)[0]?.denied ? null : tiedValues<RivalValue>(verdict);
  const competing = tie?.filter(({ apart }) => !apart) ?? [];
  return competing.length > 1 ? competing : null;
}

/**
 * The same, and each value that sources deny and nobody states as an answer of its own, so that all that line
 * one tells is there. Pure.
 */
export function answersAndDenials(judged: SubjectResult | undefined): readonly Answer[] {
  const answers = [...answersOf(judged)];
  if (judged === undefined) return answers;
  const verdict = withAllValues(judged);
  for (const denial of [...rivalsOf(verdict).filter((rival) => rival.denied), ...(verdict.denials ?? [])]) {
    const { values, region } = { values: [denial.value], region: regionOf(denial) };
    const isTold = answers.some(
      (one) => one.denied && sharesValue(one, { values }) && meets(one, { region }),
    );
    if (!isTold) answers.push({ values, denied: true, region, verdict: denialIn(verdict, denial) });
  }
  // Which of several denied values the verdict is about, ids may decide.
  return answers.toSorted(
    (a, b) => Number(a.denied ?? false) - Number(b.denied ?? false) || (a.denied ? byText(a, b) : 0),
  );
}

const byText = ({ values: [a = ''] }: Valued, { values: [b = ''] }: Valued) => byCodeUnits(a, b);

/** A value that is denied next to what leads; it has a chance where the verdict lists it with the rivals. */
function denialIn(verdict: SubjectResult, denial: RivalValue | Denial): AnswerVerdict {
  const { subject_id, subject_name, predicate, confidence } = verdict;
  const { apart: _, ...told } = denial;
  const isJudged = 'calibrated_probability' in told;
  const chances = { expected_probability: 0, calibrated_probability: 0, independent_source_count: 0 };
  const rival: RivalValue = { ...chances, ...told, denied: true };
  return {
    subject_id,
    subject_name,
    predicate,
    confidence,
    leading_value: denial.value,
    rival_values: [rival],
    expected_probability: rival.expected_probability,
    calibrated_probability: rival.calibrated_probability,
    source_count: denial.source_count,
    independent_source_count: rival.independent_source_count,
    supporting_source_count: 0,
    opposing_source_count: denial.source_count,
    ...(!isJudged && { no_value_counts: true as const }),
  };
}

/** Results of engine 1 list none. */
const rivalsOf = ({ rival_values: rivals = [] }: Partial<SubjectResult>) => rivals;

/**
 * The answers of two judgements to one question, each in one pair: with what the other judgement says at some
 * of its time in its scope: of the same value first, then, where both state a value, whatever leads there,
 * then a denial of it. All others came or went. Source: ADR 0147; ADR 0148. Pure.
 */
export function pairedAnswers<A extends PlacedValue, B extends PlacedValue>(
  before: readonly A[],
  after: readonly B[],
): readonly (readonly [before: A | undefined, after: B | undefined])[] {
  const pairs = new Map<B, A>();
  const taken = new Set<A>();
  for (const fits of FITS)
    for (const is of after) {
      const was = pairs.has(is) ? undefined : before.find((one) => !taken.has(one) && fits(one, is));
      if (was === undefined) continue;
      pairs.set(is, was);
      taken.add(was);
    }
  return [
    ...after.map((is) => [pairs.get(is), is] as const),
    ...before.filter((was) => !taken.has(was)).map((was) => [was, undefined] as const),
  ];
}

/** What makes one row of two answers, the closest first. */
const FITS: readonly ((was: PlacedValue, is: PlacedValue) => boolean)[] = [
  (was, is) => meets(was, is) && sharesValue(was, is) && was.denied === is.denied,
  (was, is) => meets(was, is) && !was.denied && !is.denied,
  (was, is) => meets(was, is) && sharesValue(was, is),
];

/**
 * What the answers of a judgement say in the place of a row, for judgements between its two: that of a value
 * of the row where one is there, else, in a row of what leads, whatever leads. Pure.
 */
export function answerBetween([was, is]: AnswerPair, answers: readonly Answer[]): Answer | undefined {
  const places = was && is ? [common(was.region, is.region), is.region, was.region] : [(is ?? was)!.region];
  const sides = [is, was].filter((side) => side !== undefined);
  for (const region of places) {
    if (region === undefined) continue;
    const there = answers.filter((one) => meets(one, { region }));
    const same = there.find((one) => sides.some((side) => sharesValue(one, side)));
    const found = same ?? (was && is && !is.denied ? there.find((one) => !one.denied) : undefined);
    if (found) return found;
  }
  return undefined;
}

/** A scope and time as claims and results write them. */
type Placeable = Pick<ClaimInput, 'scope' | 'event_start_time' | 'event_end_time'>;

/** The scope and the time in which something is said. Pure. */
export const regionOf = ({
  scope,
  event_start_time: from,
  event_end_time: to,
}: Partial<Placeable>): Region => ({
  scope: (scope ?? '').trim().toLowerCase(),
  spans: [[msOf(from, -Number.MAX_VALUE), msOf(to, Number.MAX_VALUE)]],
});

const msOf = (time: string | null | undefined, open: number): number =>
  time == null ? open : (parseTime(time)?.ms ?? open);

type Valued = Pick<PlacedValue, 'values'>;
type Placed = Pick<PlacedValue, 'region'>;

/** Whether two things are said of one scope and some same time. Pure. */
export const meets = (one: Placed, other: Placed): boolean => common(one.region, other.region) !== undefined;

/** Whether a value is told of both. Pure. */
const sharesValue = ({ values: some }: Valued, { values: others }: Valued): boolean =>
  some.some((one) => others.some((other) => saysTheSame(one, other)));

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

function verdictIn(region: Region, ofScope: readonly RivalValue[], verdict: SubjectResult): AnswerVerdict {
  const {
    rival_values: all,
    tied,
    denied: _denied,
    truth_status: _status,
    age_decides: _age,
    ...of
  } = verdict;
  const there = ofScope.filter((rival) => common(regionOf(rival), region));
  const rivals = there.filter(
    (rival, at) =>
      !there.slice(0, at).some((one) => one.denied === rival.denied && saysTheSame(one.value, rival.value)),
  );
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

/** Of yes and no, a verdict is about yes, also where no leads; the scope and time are those of no then. */
function withYes(rivals: readonly RivalValue[]): RivalValue[] {
  const { denied: _, disputed: __, ...no } = rivals[0]!;
  const said = rivals.find(({ value }) => value === 'true');
  const { expected_probability, calibrated_probability, source_count, independent_source_count } = said ?? {
    ...no,
    expected_probability: 1 - no.expected_probability,
    calibrated_probability: 1 - no.calibrated_probability,
  };
  const chances = { expected_probability, calibrated_probability, source_count, independent_source_count };
  return [{ ...no, value: 'true', ...chances }, ...rivals.filter((one) => one !== said)];
}
