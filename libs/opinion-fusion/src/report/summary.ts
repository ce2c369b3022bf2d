import { RIVALS_MAX, SUMMARY_TOP, TIED_WITHIN } from '../contract/constants.ts';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import type {
  InvestigationResult,
  InvestigationSummary,
  RankedClaim,
  RivalValue,
  SubjectResult,
} from '../contract/types.ts';
import { ageWords } from './age-words.ts';
import { conditionsPart } from './conditions.ts';
import { inWords } from './counted-words.ts';
import { dateWords, timeWords } from './date-words.ts';
import { evidenceStrength, likelihoodWord } from './likelihood-words.ts';
import { PREPOSITIONS, SCOPE_ADJECTIVES } from './predicate-words.ts';
import { shownStatus } from './shown-status.ts';
import { questionSubject } from './stated-clause.ts';
import { askedOf, readable, statement, textOf, type Part } from './statements.ts';
import { supersededWords } from './superseded-words.ts';
import { listed } from './value-words.ts';

/** What `likelierRival` looks at; results of engine 1 have no calibrated chances. */
type Ranked = Pick<SubjectResult, 'expected_probability'> &
  Partial<Pick<SubjectResult, 'calibrated_probability' | 'leading_value'>> & {
    readonly tied?: boolean | undefined;
    readonly denied?: boolean | undefined;
  };

interface Rival extends Place {
  readonly value: string;
  readonly expected_probability: number;
  readonly calibrated_probability?: number | undefined;
  readonly apart?: true | undefined;
  readonly tied?: true | undefined;
  readonly denied?: true | undefined;
  readonly disputed?: true | undefined;
}

/** A value, and the scope and time in which it is said, as written. */
interface Place {
  readonly value?: string | undefined;
  readonly scope?: string | null | undefined;
  readonly event_start_time?: string | null | undefined;
  readonly event_end_time?: string | null | undefined;
}

/**
 * The likeliest of the values that are likelier than the one a verdict is about, or than all that are tied,
 * with its chance; null where there is none or sources only deny. That `false` is likelier than `true` needs
 * no word: the chance says so. Pure.
 */
export function likelierRival(
  verdict: Ranked & { readonly rival_values?: readonly Rival[] | undefined },
): { value: string; chance: number } | null {
  const chanceOf = (one: Omit<Ranked, 'leading_value'>) =>
    one.calibrated_probability ?? one.expected_probability;
  if (verdict.denied) return null;
  const tie = tiedValues(verdict) ?? [];
  const others = (verdict.rival_values ?? []).slice(1).filter(({ apart }) => !apart);
  const own = [verdict, ...others.filter((rival) => tie.includes(rival))].map(chanceOf);
  const [best] = others
    .filter((rival) => !tie.includes(rival))
    .map((rival) => ({ value: rival.value, chance: chanceOf(rival) }))
    .toSorted((a, b) => roundForComparison(b.chance) - roundForComparison(a.chance) || byValue(a, b));
  if (!best || best.chance <= Math.max(...own) + TIED_WITHIN) return null;
  return verdict.leading_value === 'true' && best.value === 'false' ? null : best;
}

/**
 * The values of a verdict of which none leads, where there are several: those that are tied, or all that
 * sources only deny. Those that compete with each other, in the order of their texts, or else those of
 * several scopes and times, in the order of these; null where one leads or is denied alone. Results that
 * do not mark them have two: beside a verdict that `false` and another answer are tied for, `true` stands
 * first and is none of them. Pure.
 */
export function tiedValues<R extends Rival>({
  tied,
  rival_values: rivals = [],
}: {
  readonly tied?: boolean | undefined;
  readonly rival_values?: readonly R[] | undefined;
}): readonly R[] | null {
  const [first, second, third] = rivals;
  const denied = rivals.filter((rival) => rival.denied && !rival.apart);
  if (first?.denied && denied.length > 1) return denied.toSorted(byValue);
  if (!tied || !first || !second) return null;
  const marked = rivals.filter((rival) => rival.tied);
  if (marked.length > 1) {
    const competing = marked.filter(({ apart }) => !apart);
    return competing.length > 1 ? competing.toSorted(byValue) : marked;
  }
  const chanceOf = (rival: R) => rival.calibrated_probability ?? rival.expected_probability;
  const isLedByFalse = first.value === 'true' && second.value === 'false' && third !== undefined;
  const isUnsaid = isLedByFalse && chanceOf(first) < chanceOf(third) - TIED_WITHIN;
  return isUnsaid ? [second, third] : [first, second];
}

const COLLATOR = new Intl.Collator('en', { numeric: true });
/** `true` stands before `false`, and 9 before 10. */
const byValue = ({ value: a }: Valued, { value: b }: Valued) =>
  Number(b === 'true') - Number(a === 'true') || COLLATOR.compare(a, b) || byCodeUnits(a, b);
type Valued = Pick<Rival, 'value'>;

/**
 * Values in the order of their weight, the equal ones together and by their texts: the order of claims and
 * their ids choose none. Pure.
 */
export function byWeight<R extends Rival>(rivals: readonly R[]): readonly (readonly R[])[] {
  const equal: R[][] = [];
  for (const rival of rivals) {
    const [last] = equal.at(-1) ?? [];
    const isEqual = last && Math.abs(last.expected_probability - rival.expected_probability) < TIED_WITHIN;
    if (isEqual) equal.at(-1)!.push(rival);
    else equal.push([rival]);
  }
  return equal.map((values) => values.toSorted(byValue));
}

/** How many of these values a sentence names. */
const NAMED_MAX = 3;

/**
 * The values of which none leads that a sentence names, and what it says about the others, of which `more`
 * are not listed: `two more`, or `others` where nobody counted those, as in a full list; null where it names
 * all. Pure.
 */
export function namedOfTie<R>(
  tie: readonly R[],
  more: number | null = tie.length < RIVALS_MAX ? 0 : null,
): { named: readonly R[]; rest: string | null } {
  const left = tie.length + (more ?? 1) - NAMED_MAX;
  if (left <= 0) return { named: tie, rest: null };
  return { named: tie.slice(0, NAMED_MAX), rest: more === null ? 'others' : `${inWords(left)} more` };
}

/** How many values a verdict does not list, as its result has them. */
interface Unlisted {
  readonly more_rival_values?: number | undefined;
  readonly more_values_apart?: number | undefined;
  readonly more_tied_values?: number | undefined;
}

/** How many values of which none leads a verdict does not list; undefined where nobody counted. Pure. */
export const moreTied = ({ more_rival_values: more, more_tied_values: tied = 0 }: Unlisted) =>
  more === undefined ? undefined : tied;

/**
 * How many values a verdict does not list, of those that compete with the leading one and of others; what is
 * tied, and what is told as a denial, is neither. Pure.
 */
export function unlistedOf<R extends Rival>(
  verdict: Unlisted & {
    readonly tied?: boolean | undefined;
    readonly rival_values?: readonly R[] | undefined;
    readonly denials?: readonly (Place & { readonly apart?: true | undefined })[] | undefined;
  },
): { readonly competing: number; readonly apart: number } {
  const { more_rival_values: all = 0, more_values_apart: apart = 0, more_tied_values: tied = 0 } = verdict;
  const values = verdict.rival_values ?? [];
  const placed = (one: Place) => JSON.stringify([one.value, whereSaid(one)]);
  // Of a scope and time where values are stated, those that are only denied are not among the values.
  const listed = new Set(values.map(placed));
  const stated = new Set(
    values.filter((one) => !one.denied).map(({ value: _value, ...one }) => whereSaid(one)),
  );
  const denied = (verdict.denials ?? []).filter(
    ({ value, ...one }) => one.apart && !listed.has(placed({ value, ...one })) && !stated.has(whereSaid(one)),
  );
  const tiedApart = tiedValues(verdict)?.some((one) => one.apart) ? tied : 0;
  return {
    competing: all - apart - (tied - tiedApart),
    apart: Math.max(0, apart - tiedApart - denied.length),
  };
}

/**
 * Where and when a value is said to hold: `in city, from 2020 to 2022`; empty where nothing says it. A scope
 * that is a date is said once, with the time it is of, and a time not at all where it is the value. Pure.
 */
export function whereSaid({ value, scope, event_start_time: from, event_end_time: to }: Place): string {
  const given = timeWords(from ?? undefined, to ?? undefined);
  const time = value !== undefined && given === dateWords(value) ? '' : given;
  const date = scope ? dateWords(scope) : null;
  if (date !== null && (time === '' || time === date)) return date;
  const isPlace = scope && date === null && !isPhrase(scope.toLowerCase().split(/\s+/));
  return [isPlace ? `in ${scope}` : (date ?? scope), time].filter(Boolean).join(', ');
}

/** A participle that a scope begins with. Its rule is short because pages load it. */
const PARTICIPLE = /^.{2,}[^e]ed$|^(?:known|proven)$/;

/** Whether a scope is said without `in`: `by 2065`, `worldwide`, `direct`, `confirmed cases`. */
function isPhrase(words: readonly string[]): boolean {
  const [first = ''] = words;
  if (words.at(-1)!.endsWith('wide') || SCOPE_ADJECTIVES.has(first) || PARTICIPLE.test(first)) return true;
  return words.length > 1 && PREPOSITIONS.has(first);
}

/**
 * The same of the leading value of a verdict. A time is no condition where none has an end and values that
 * compete begin at other times, as those of an event do of which sources give other days; nor is the day that
 * the name of the subject holds, as in `Wright Flyer, 17 December 1903`. Pure.
 */
export function whereLeading({
  subject_name: name = '',
  rival_values: rivals = [],
}: {
  readonly subject_name?: string | undefined;
  readonly rival_values?: readonly (Place & { readonly apart?: true | undefined })[] | undefined;
}): string {
  const [leading = {}] = rivals;
  const isApart = rivals.some(({ apart }) => apart);
  const begins = new Set(rivals.map(({ event_start_time: from }) => from));
  const isOwn = !isApart && begins.size > 1 && !rivals.some(({ event_end_time: to }) => to);
  const time = timeWords(leading.event_start_time ?? undefined, leading.event_end_time ?? undefined);
  const [, day] = /^(?:on|in|from) (.*?)(?: on)?$/.exec(time) ?? [];
  const isNamed = day !== undefined && name.includes(day) && !isApart;
  const untimed = { event_start_time: undefined, event_end_time: undefined };
  return whereSaid(isOwn || isNamed ? { ...leading, ...untimed } : leading);
}

const ACCUMULATIVE_OMITTED =
  'Of the conditional conclusions, summary_mode has `conditions` of findings; set it to false for all of them.';

/** Verdicts with the most decided first, then by ids, as summaries list them. Pure. */
export function decidedFirst<
  V extends Pick<SubjectResult, 'expected_probability' | 'subject_id' | 'predicate'>,
>(verdicts: readonly V[]): V[] {
  return verdicts.toSorted(
    (a, b) =>
      roundForComparison(Math.abs(b.expected_probability - 0.5)) -
        roundForComparison(Math.abs(a.expected_probability - 0.5)) ||
      byCodeUnits(a.subject_id, b.subject_id) ||
      byCodeUnits(a.predicate, b.predicate),
  );
}

/** The compact form of a full result. Source: rule 15; reasoning model §8. Never throws. */
export function summarizeResult(result: InvestigationResult): InvestigationSummary {
  const findings = decidedFirst(result.subject_results).slice(0, SUMMARY_TOP);
  return {
    research_question: result.research_question,
    decay_half_life_days: result.decay_half_life_days,
    summary_mode: true,
    top_findings: findings.map(({ all_values: _values, all_denials: _denials, ...finding }) => ({
      ...finding,
      ...conditionsPart(finding, result),
    })),
    top_contested_claims: contestedClaims(result),
    top_evidence_gaps: result.sensitivity_analysis.evidence_gaps.slice(0, SUMMARY_TOP),
    synthesis: synthesise(result, findings),
    evaluated_at: result.evaluated_at,
    engine_version: result.engine_version,
    warnings: result.accumulative_analysis ? [...result.warnings, ACCUMULATIVE_OMITTED] : result.warnings,
  };
}

/**
 * The claims with weight on the questions whose evidence is most evenly divided, as many as a summary lists,
 * by rank: those of the question with the highest dispute level first, then by ids of the questions. Source:
 * reasoning model §11.
 */
function contestedClaims(result: InvestigationResult): RankedClaim[] {
  const disputed = result.conflict_analysis
    .filter(({ dispute_level: level }) => roundForComparison(level) > 0)
    .toSorted((a, b) => roundForComparison(b.dispute_level) - roundForComparison(a.dispute_level));
  const hasWeight = new Set(
    result.claim_analyses
      .filter((claim) => claim.supporting_count > 0 && claim.temporal_decay_factor > 0)
      .map((claim) => claim.claim_id),
  );
  const chosen: RankedClaim[] = [];
  for (const { subject_id: subject, predicate } of disputed) {
    if (chosen.length >= SUMMARY_TOP) break;
    const own = result.ranked_claims.filter(
      (claim) =>
        claim.subject_id === subject && claim.predicate === predicate && hasWeight.has(claim.claim_id),
    );
    chosen.push(...own.slice(0, SUMMARY_TOP - chosen.length));
  }
  return chosen.sort((a, b) => a.rank - b.rank);
}

function synthesise(result: InvestigationResult, findings: readonly SubjectResult[]): string {
  if (findings.length === 0) return 'Nothing was claimed, so nothing can be said.';
  const disputed = result.subject_results.filter((finding, index) =>
    isDisputed(finding, result.conflict_analysis[index]!.dispute_level),
  ).length;
  const count = result.subject_results.length;
  const sentences = findings.map((finding) => {
    const age = textOf(ageWords(finding, result.decay_half_life_days));
    const told = `${textOf(disputedWords(finding))}${sentence(finding)}`;
    return age === '' ? told : `${told} ${age.charAt(0).toUpperCase()}${age.slice(1)}.`;
  });
  if (count > findings.length)
    sentences.push(`${count - findings.length} further verdicts are not listed here.`);
  if (disputed > 0)
    sentences.push(`On ${disputed} of ${count} questions there is evidence both for and against.`);
  // What is denied and not stated is against, though nothing is for it.
  else if (!result.subject_results.some(({ denials }) => denials))
    sentences.push('On no question is there evidence both for and against.');
  const gap = result.sensitivity_analysis.evidence_gaps[0];
  if (gap) sentences.push(gap.suggestion);
  return sentences.join(' ');
}

/**
 * Whether there is evidence for and against an answer: in its weight, among its sources, of which a
 * distinction may part some from it, in an answer beside yes and no, in a denial that evidence is against, or
 * in another scope or time; not where all against it is superseded. Source: ADR 0154. Pure.
 */
const isDisputed = (finding: SubjectResult, level: number): boolean =>
  (finding.superseded?.is_all !== true &&
    (level > 0 ||
      (finding.supporting_source_count > 0 && finding.opposing_source_count > 0) ||
      finding.rival_values.some(({ disputed, apart }) => disputed && !apart))) ||
  (finding.leading_value === 'true' && finding.rival_values.some(isThirdAnswer)) ||
  (finding.disputed_apart ?? []).length > 0;

/** Whether a rival of yes and no is neither, as `partly` is; it counts on neither side of a no. */
const isThirdAnswer = ({ value, apart, denied }: RivalValue): boolean =>
  !apart && !denied && value !== 'true' && value !== 'false';

/**
 * `What holds from 1938 on is disputed. `: the scopes and times, other than that of the answer, in which
 * another answer, or that it is not so, has a tenth of the chance or more; empty where there is none. Pure.
 */
export function disputedWords({ disputed_apart: places = [] }: Disputed): Part[] {
  const told = places.filter((place) => !place.is_slight).map((place) => whereSaid(place) || 'elsewhere');
  const { named, rest } = namedOfTie([...new Set(told)], 0);
  if (named.length === 0) return [];
  return ['What holds ', { user: listed(rest === null ? named : [...named, rest]) }, ' is disputed. '];
}
interface Disputed {
  readonly disputed_apart?: readonly (Place & { readonly is_slight?: true | undefined })[] | undefined;
}

function sentence(finding: SubjectResult): string {
  const { subject_name: name, predicate, leading_value: value, confidence } = finding;
  // Words of likelihood are about the chance of being right, not the share of weight (reasoning model
  // §11).
  const chance = finding.calibrated_probability ?? finding.expected_probability;
  const where = whereLeading(finding);
  const about = where === '' ? '' : ` (${where})`;
  const what = textOf(statement({ subject: name, predicate, value })) + about;
  const word = likelihoodWord(chance);
  const percent = `${Math.round(chance * 100)} %`;
  const strength = `Evidence: ${evidenceStrength(confidence.uncertainty)}, uncertainty ${confidence.uncertainty.toFixed(2)}.`;
  if (finding.no_value_counts)
    return `On ${textOf(askedOf({ subject: name, predicate }))}: not enough evidence, as no claim counts. ${strength}`;
  const replaced = finding.superseded ? `; ${textOf(supersededWords(finding.superseded))}` : '';
  const tie = tiedValues(finding);
  const rival = likelierRival(finding);
  const lessLikely = rival ? `, less likely than ${rival.value} (${Math.round(rival.chance * 100)} %)` : '';
  if (tie)
    return `${questionSubject(name, predicate)}, ${readable(predicate)}: ${tieSentence(tie, moreTied(finding))}${lessLikely}${replaced}. ${strength}`;
  const denial = leadingDenial(finding);
  const denied = denial === null ? '' : `; it is ${denial}`;
  const status = shownStatus(finding);
  if (status === 'Neither')
    return `${what}: not enough evidence either way (${percent})${lessLikely}${denied}${replaced}. ${strength}`;
  const contradicted = status === 'Both' ? ', with evidence on both sides' : '';
  return `${what}: ${word} (${percent})${lessLikely}${contradicted}${denied}${replaced}. ${strength}`;
}

/** Whether the values of which none leads are those that sources only deny. Pure. */
export const isDeniedTie = (tie: readonly Pick<Rival, 'denied'>[]): boolean =>
  tie.some(({ denied }) => denied);

/** What is said of values that sources deny: `denied` where one of the denials is disputed. Pure. */
export const deniedWord = (tie: readonly Pick<Rival, 'disputed'>[]): 'denied' | 'only denied' =>
  tie.some(({ disputed }) => disputed) ? 'denied' : 'only denied';

/** The same of the leading value, where sources deny it and none asserts it; else null. Pure. */
export const leadingDenial = ({ rival_values: rivals }: Partial<Pick<SubjectResult, 'rival_values'>>) =>
  rivals?.[0]?.denied ? deniedWord(rivals.slice(0, 1)) : null;

/** `no value leads; blue (41 %) and red (41 %) are tied`; of different places, that each may be right. */
function tieSentence(tie: readonly RivalValue[], more: number | undefined): string {
  const { named, rest } = namedOfTie(tie, more);
  const values = named.map((rival) => {
    const where = whereSaid(rival);
    const chance = `${Math.round((rival.calibrated_probability ?? rival.expected_probability) * 100)} %`;
    return `${rival.value} (${where === '' ? '' : `${where}: `}${chance})`;
  });
  const all = listed(rest === null ? values : [...values, rest]);
  if (isDeniedTie(tie)) return `no value leads; ${all} are ${deniedWord(tie)}`;
  return tie.some(({ apart }) => apart)
    ? `no value leads; ${all} are said in different scopes or of different times, and ${tie.length > 2 ? 'several' : 'both'} may be right`
    : `no value leads; ${all} are tied`;
}
