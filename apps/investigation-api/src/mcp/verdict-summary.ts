import {
  ageWords,
  byWeight,
  decidedFirst,
  denialWords,
  deniedWord,
  disputedWords,
  estimateWords,
  isDeniedTie,
  leadingDenial,
  isRating,
  listed,
  moreTied,
  namedOfTie,
  questionSubject,
  saidUnder,
  shownStatus,
  statedIn,
  statement,
  supersededWords,
  textOf,
  tiedValues,
  unlistedOf,
  whereLeading,
  whereSaid,
} from '@platform/opinion-fusion';
import type { z } from 'zod';
import type {
  EvidenceGap as EvidenceGapSchema,
  InvestigationResult as ResultSchema,
  InvestigationSummary as SummarySchema,
  SubjectResult as SubjectResultSchema,
} from '../wire/result-schema.ts';
import type { VerdictPart } from './shown-result.ts';
import { warningLines } from './warning-lines.ts';
import { percent, short, statusWords } from './words.ts';

type InvestigationResult = z.output<typeof ResultSchema>;
type InvestigationSummary = z.output<typeof SummarySchema>;
type SubjectResult = z.output<typeof SubjectResultSchema>;
type EvidenceGap = z.output<typeof EvidenceGapSchema>;

/** Verdicts that are listed where no other number is asked for. */
export const VERDICTS_MAX = 5;
const CONDITIONS_MAX = 6;
const RIVALS_MAX = 2;
const APART_MAX = 4;

/**
 * A result in a few lines for people: the verdicts, most decided first, what holds under which condition, the
 * most useful next pieces of evidence, and the warnings; of a part, its verdicts and the warnings. The data
 * have the rest.
 */
export function summarizeVerdict(result: InvestigationResult | InvestigationSummary | VerdictPart): string {
  const sections =
    'verdicts' in result
      ? partLines(result)
      : 'summary_mode' in result
        ? [
            ...verdictLines(result.top_findings, result),
            ...overviewOf(result),
            ...gapLines(result.top_evidence_gaps),
          ]
        : [
            ...verdictLines(result.subject_results, result),
            ...conditionLines(result),
            ...gapLines(result.sensitivity_analysis.evidence_gaps),
          ];
  return [result.research_question, ...sections, ...warningLines(result.warnings)].join('\n');
}

/** What the synthesis says beyond the findings: how many more there are, and whether sources contradict. */
function overviewOf({ synthesis, top_findings: findings }: InvestigationSummary): string[] {
  if (findings.length === 0) return [synthesis];
  return [...synthesis.matchAll(OVERVIEW)].map(([sentence]) => sentence);
}

/** Sentences of a synthesis that speak of no single finding. */
const OVERVIEW =
  /\d+ further verdicts[^.]*\.|On (?:no question|\d+ of \d+ questions)[^.]*\.|The sources do not contradict[^.]*\./g;

function partLines(part: VerdictPart): string[] {
  const { verdicts, verdict_count: count, next_offset: next } = part;
  const last = next ?? count;
  return [
    ...linesOf(verdicts, part),
    verdicts.length === 0
      ? `There are ${count} verdicts, so none begins at this offset.`
      : `These are ${last - verdicts.length + 1} to ${last} of ${count} verdicts.`,
  ];
}

type Judged = Pick<InvestigationResult, 'decay_half_life_days'>;

function verdictLines(verdicts: readonly SubjectResult[], judged: Judged): string[] {
  const shown = decidedFirst(verdicts).slice(0, VERDICTS_MAX);
  return [...linesOf(shown, judged), ...more(verdicts.length, VERDICTS_MAX, 'verdicts')];
}

/** What age decides is told in full once: behind another verdict the same would only cost. */
function linesOf(verdicts: readonly SubjectResult[], { decay_half_life_days: days }: Judged): string[] {
  const told = new Set<string>();
  return verdicts.map((verdict) => {
    const age = ageSuffix(verdict, days);
    const [, what, lost] = /^(.*)( \(\d+ % of the weight is lost to age); .*$/s.exec(age) ?? [];
    const isTold = what !== undefined && told.has(what);
    if (what !== undefined) told.add(what);
    return verdictLine(verdict, isTold ? `; age decides, as above${lost!})` : age);
  });
}

function verdictLine(verdict: SubjectResult, age: string): string {
  const { support, opposition, uncertainty } = verdict.confidence;
  return (
    `- ${verdictHead(verdict)} (support ${percent(support)}, ` +
    `opposition ${percent(opposition)}, unknown ${percent(uncertainty)}; ${sources(verdict)})${rivals(verdict)}${disputedSuffix(verdict)}${supersededSuffix(verdict)}${denialsSuffix(verdict)}${estimateSuffix(verdict)}${age}${conditionsSuffix(verdict)}`
  );
}

/** `; what holds from 1938 on is disputed`. */
const disputedSuffix = (verdict: Kept) =>
  textOf(disputedWords(verdict)).replace(/^What (.*)\. $/, '; what $1');

/** `; what Log said is superseded`. */
const supersededSuffix = ({ superseded }: Kept) =>
  superseded === undefined ? '' : `; ${textOf(supersededWords(superseded))}`;

/** `; two sources deny Smith`: values that nobody states and that the rivals do not name. */
function denialsSuffix(verdict: Kept): string {
  const { tied, others, apart } = toldRivals(verdict);
  const told = new Set([...tied, ...others, ...apart].map(said));
  const words = textOf(denialWords((verdict.denials ?? []).filter((one) => !told.has(said(one)))));
  return words === '' ? '' : `; ${words}`;
}

/** `; in the middle: 62,000 (90 % interval 40,000 to 150,000)`; empty where numbers are not estimated. */
export const estimateSuffix = ({
  numeric_estimate: estimate,
}: Pick<SubjectResult, 'numeric_estimate'>): string => (estimate ? `; ${estimateWords(estimate)}` : '');

/** What age decides of a verdict, behind what its line says; empty where age decides nothing. */
export function ageSuffix(verdict: Parameters<typeof ageWords>[0], halfLifeDays = 0): string {
  const words = short(textOf(ageWords(verdict, halfLifeDays)), 200);
  return words === '' ? '' : `; ${words}`;
}

/** `; it depends: if a sworn log: Peary (41 %); if …`; empty without distinctions. */
export const conditionsSuffix = ({ conditions }: { readonly conditions?: string | undefined }): string =>
  conditions === undefined ? '' : `; it depends: ${conditions}`;

/** What the status of a rating is called: `True` would be read as that of the statement. */
export const STATUS_OF_RATING: Readonly<Record<string, string>> = {
  True: 'supported',
  False: 'opposed',
  Both: 'contested',
  Neither: 'open',
};

/**
 * The question of a verdict with its leading value, status and chance, `Bridge: state = open: True, chance
 * that it is true 74 %`; of a statement that is said to be true or rated, the sentence of the share page.
 * Where none leads, the values that are tied, or only denied, stand in its place, and ties are not called
 * true or false.
 */
export function verdictHead(
  verdict: Pick<
    SubjectResult,
    'subject_name' | 'predicate' | 'leading_value' | 'truth_status' | 'expected_probability' | 'confidence'
  > & {
    readonly calibrated_probability?: number | null | undefined;
    readonly tied?: boolean | undefined;
    readonly denied?: boolean | undefined;
    readonly no_value_counts?: true | undefined;
    readonly rival_values?: SubjectResult['rival_values'] | undefined;
    readonly superseded?: SubjectResult['superseded'] | undefined;
    readonly more_rival_values?: number | undefined;
    readonly more_tied_values?: number | undefined;
  },
): string {
  const { subject_name, predicate, leading_value: value, truth_status: status } = verdict;
  const subject = short(questionSubject(subject_name, predicate));
  const said = { subject, predicate, value: value && short(value) };
  const chance = verdict.calibrated_probability ?? verdict.expected_probability;
  const where = inBrackets(whereLeading(verdict));
  const itself = statedIn(subject_name, predicate);
  if (verdict.no_value_counts)
    return `${itself === null ? `${subject}: ${predicate}` : `“${itself.text}”`}: no claim counts, so that no value has a chance`;
  const tie = tiedValues(verdict);
  if (itself !== null && tie === null) {
    const sentence = `${textOf(statement(said))}${where}`;
    return isRating(said)
      ? `${sentence}: ${STATUS_OF_RATING[shownStatus(verdict)]}, chance of this rating ${percent(chance)}`
      : `${sentence}: ${statusWords(verdict)}, chance that it is true ${percent(chance)}`;
  }
  // Of a boolean the truth status says it all: `= true: False` would only puzzle.
  const denial = leadingDenial(verdict);
  const denied = denial === null ? '' : ` (${denial})`;
  const answer = value === null || value === 'true' ? '' : ` = ${said.value}${denied}`;
  const question = itself === null ? `${subject}: ${predicate}` : `“${itself.text}”`;
  // Of several that are denied the chances differ, so that the one it is of is named.
  const what = tie !== null && isDeniedTie(tie) ? `${said.value} is` : 'it is';
  // Values of different scopes or times do not compete, so that none of them is undecided for another.
  const isOpen = tie?.every(({ apart }) => !apart) && tie.some(({ denied }) => !denied);
  const standing = isOpen && (status === 'True' || status === 'False') ? 'undecided' : statusWords(verdict);
  return `${question}${tie === null ? answer + where : openWords(tie, moreTied(verdict))}: ${standing}, chance that ${what} true ${percent(chance)}`;
}

/**
 * ` (tied: Lyon and Paris; no value leads)`, ` (only denied: Jones 28 % and Smith 13 %; no value leads)`;
 * values of different scopes or times do not compete, so that none of them is tied.
 */
function openWords(tie: readonly SubjectResult['rival_values'][number][], more: number | undefined): string {
  const { named, rest } = namedOfTie(tie, more);
  if (!isDeniedTie(tie) && tie.some(({ apart }) => apart))
    return ` (${listed([...named.map(saidWithChance), ...(rest === null ? [] : [rest])])}; each for itself)`;
  const words = named.map(isDeniedTie(tie) ? saidWithChance : said);
  return ` (${isDeniedTie(tie) ? deniedWord(tie) : 'tied'}: ${listed(rest === null ? words : [...words, rest])}; no value leads)`;
}

/** A verdict as it is kept: those of older engines have no rival values and no sources by side. */
type Kept = Omit<SubjectResult, Newer> & Partial<Pick<SubjectResult, Newer>>;
type Newer = 'rival_values' | 'supporting_source_count' | 'opposing_source_count';

/** ` (in winter, from 1990 to 2000)`: a scope and time, if there are any. */
export const inBrackets = (where: string) => (where === '' ? '' : ` (${short(where, 60)})`);

/** A value with its scope and time, if it has them. */
const said = (rival: Pick<SubjectResult['rival_values'][number], 'value' | 'scope'>) =>
  `${short(rival.value, 60)}${inBrackets(whereSaid(rival))}`;

/** The same with its chance: `Smith 13 %`. */
const saidWithChance = (rival: SubjectResult['rival_values'][number]) =>
  `${said(rival)} ${percent(rival.calibrated_probability)}`;

/**
 * The values of a verdict that its line names: those of which none leads, the first of the others, and of
 * those of other scopes and times, which do not compete; `left` and `leftApart` of these are not named. Of
 * true and false the leading one says all, and another answer is told beside it.
 */
export function toldRivals<R extends Tied>(
  verdict: { readonly leading_value: string | null } & Parameters<typeof unlistedOf<R>>[0],
): {
  readonly tied: readonly R[];
  readonly others: readonly R[];
  readonly left: number;
  readonly apart: readonly R[];
  readonly leftApart: number;
} {
  const { leading_value: leading, rival_values: values = [] } = verdict;
  const tie = tiedValues<R>(verdict) ?? [];
  const isApart = (one: R) => one.apart === true && (!one.denied || !values[0]?.denied);
  const isYesOrNo = (value: string | null) => value === 'true' || value === 'false';
  const rest = byWeight(values.filter((one, index) => index > 0 && !tie.includes(one))).flat();
  const competing = rest.filter(
    (one) => !isApart(one) && (isYesOrNo(leading) ? !isYesOrNo(one.value) : one.value !== leading),
  );
  const others = competing.slice(0, RIVALS_MAX);
  const elsewhere = rest.filter(isApart);
  const apart = elsewhere.slice(0, APART_MAX);
  const more = unlistedOf(verdict);
  return {
    tied: namedOfTie(tie).named,
    others,
    left: competing.length - others.length + more.competing,
    apart,
    leftApart: elsewhere.length - apart.length + more.apart,
  };
}

type Tied = NonNullable<NonNullable<Parameters<typeof tiedValues>[0]['rival_values']>[number]>;

/** The other values asserted, with their chances. */
function rivals(verdict: Kept): string {
  const { others, left, apart, leftApart } = toldRivals(verdict);
  const isStated = others.some(({ denied }) => !denied);
  const words = (values: typeof others, more: number) =>
    values
      .map(
        (one) => `${saidWithChance(one)}${one.denied && (isStated || values === apart) ? ' (denied)' : ''}`,
      )
      .join(', ') + (more > 0 ? ` and ${more} more` : '');
  const deniedVerb = verdict.denied ? 'denied elsewhere:' : 'denied:';
  const verb = isStated ? 'others say' : deniedVerb;
  return (
    (others.length > 0 ? `; ${verb} ${words(others, left)}` : '') +
    (apart.length + leftApart > 0
      ? `; in other scopes or of other times ${words(apart, leftApart).replace(/^ and /, '')}`
      : '')
  );
}

function sources({
  source_count: all,
  independent_source_count: independent,
  supporting_source_count: supporting = 0,
  opposing_source_count: opposing = 0,
  confidence,
  denied,
  superseded,
}: Kept): string {
  const isSo = confidence.support >= confidence.opposition;
  const siding = isSo ? supporting : opposing;
  const isOutweighed = siding === 0 && supporting + opposing > 0;
  // Sources that disagree, or speak about a claim, are none of those that agree with the leading one.
  if (denied || superseded || isOutweighed || supporting + opposing > all) {
    const others = isOutweighed ? `; evidence or inferences alone speak ${isSo ? 'for' : 'against'} it` : '';
    const sides = `${supporting} ${supporting === 1 ? 'source' : 'sources'} for, ${opposing} against${others}`;
    return independent < all && !superseded?.supporting_source_count
      ? `${sides}; ${independent} of the ${all} that agree independent`
      : sides;
  }
  if (all === 0) return confidence.uncertainty === 1 ? 'no claim carries weight' : 'inferred only';
  if (all === 1) return '1 source';
  return independent === all ? `${all} independent sources` : `${all} sources, ${independent} independent`;
}

function conditionLines(result: InvestigationResult): string[] {
  const conclusions = result.accumulative_analysis?.conditional_conclusions ?? [];
  const claims = new Map(result.claim_analyses.map((claim) => [claim.claim_id, claim]));
  const lines = conclusions
    .slice(0, CONDITIONS_MAX)
    .map(
      ({ condition, favored_claim_id: id, calibrated_probability: chance, expected_probability: share }) =>
        `- ${condition}: ${saidUnder(claims.get(id) ?? { value: '' }, chance ?? share)}, claim ${id}`,
    );
  return [...lines, ...more(conclusions.length, CONDITIONS_MAX, 'conditional conclusions')];
}

function gapLines(gaps: readonly EvidenceGap[]): string[] {
  const contested = gaps.find((gap) => gap.is_contested);
  const shown = [gaps[0], ...(contested === gaps[0] ? [] : [contested])].filter((gap) => gap !== undefined);
  return shown.map((gap) => `Most useful next: ${gap.suggestion}`);
}

function more(total: number, shown: number, what: string): string[] {
  return total > shown ? [`… ${what} further in the data: ${total - shown}`] : [];
}
