import type { InvestigationResult } from '@platform/opinion-fusion';
import { ageWords, summarizeResult, textOf } from '@platform/opinion-fusion';
import type { z } from 'zod';
import { compactQuotes } from './compact-quotes.ts';
import { EXPLAINED_MAX, type explanationPart } from './explanation-part.ts';
import type { Result, VerdictPart, WithPart } from './shown-result.ts';
import { toldRivals } from './verdict-summary.ts';
import { boundedWarnings, WARNINGS_MAX } from './warning-lines.ts';
import type * as schemas from '../wire/session-schema.ts';
import { short } from './words.ts';

/** Data of responses that fit a model's context however large the investigation is. */

/** Decimals of numbers: more are of no use to a model, and each costs as much as a word. */
const DECIMALS = 4;
/** Rivals of a finding, and claims of a gap, that are listed. */
const LISTED_MAX = 2;
/** Contested claims and gaps that are listed. */
const NEXT_MAX = 2;

/** The session with the outline of its payload, and without the words of its share. */
export function compactSession({
  payload: _payload,
  presentation: _presentation,
  last_result,
  ...session
}: WithPart<z.output<typeof schemas.SessionResponse>>): object {
  return { ...session, last_result: last_result === null ? null : essentialsOf(last_result) };
}

/** The judgement without its input. */
export function compactJudgement({
  input_snapshot: _input,
  result,
  quotes,
  ...judgement
}: WithPart<z.output<typeof schemas.JudgementRecord>>): object {
  return { ...judgement, result: essentialsOf(result), ...(quotes && { quotes: compactQuotes(quotes) }) };
}

/**
 * The judgement with `essentialsOf` its result: at most NEXT_MAX contested claims and gaps, LISTED_MAX
 * rivals of a finding and WARNINGS_MAX kinds of warnings, texts of at most TEXT_CHARS_MAX characters,
 * numbers of DECIMALS decimals. Never throws.
 */
export function compactResult({
  result,
  quotes,
  ...judged
}: WithPart<z.output<typeof schemas.JudgeResponse>>): object {
  return { ...judged, result: essentialsOf(result), ...(quotes && { quotes: compactQuotes(quotes) }) };
}

/**
 * The compact form of a result, with the first of each list; detail full has all of them. The synthesis
 * leaves what age decides to the findings. A part stays as it is.
 */
export function essentialsOf(result: Result | VerdictPart): object {
  if ('verdicts' in result) return result;
  const summary =
    'summary_mode' in result ? result : summarizeResult(result as unknown as InvestigationResult);
  return brief({
    ...summary,
    synthesis: withoutAge(summary),
    top_findings: summary.top_findings.map(compactFinding),
    top_contested_claims: summary.top_contested_claims.slice(0, NEXT_MAX),
    top_evidence_gaps: summary.top_evidence_gaps
      .slice(0, NEXT_MAX)
      .map((gap) => ({ ...gap, discriminating_claims: gap.discriminating_claims?.slice(0, LISTED_MAX) })),
    warnings: boundedWarnings(summary.warnings, WARNINGS_MAX),
  });
}

function withoutAge({
  synthesis,
  top_findings: findings,
  decay_half_life_days: days,
}: ReturnType<typeof summarizeResult>): string {
  return findings.reduce((rest, finding) => {
    const age = textOf(ageWords(finding, days));
    return age === '' ? rest : rest.replace(` A${age.slice(1)}.`, '');
  }, synthesis);
}

type Finding = Pick<InvestigationResult, 'subject_results'>['subject_results'][number];

/** A verdict as a part of a compact response has it. */
export const compactVerdict = (verdict: Finding): object => brief(compactFinding(verdict));

/** A verdict with the rivals that its line names and how many more there are; those of engine 1 have none. */
function compactFinding({
  rival_values: rivals = [],
  more_rival_values: more = 0,
  all_values: _values,
  all_denials: _denials,
  ...finding
}: Omit<Finding, 'rival_values'> & Partial<Finding>) {
  const { tied, others, apart } = toldRivals({ ...finding, rival_values: rivals });
  const isNamed = new Set([...tied, ...others, ...apart]);
  const listed = rivals.filter((rival, index) => index < LISTED_MAX || isNamed.has(rival));
  const left = rivals.length - listed.length + more;
  return {
    ...finding,
    ...(left > 0 && { more_rival_values: left }),
    rival_values: listed.map(
      ({ expected_probability: _share, independent_source_count: _classes, ...rival }) => rival,
    ),
  };
}

/** The value with numbers of at most DECIMALS decimals and long texts cut. */
function brief<T>(value: T): T;
function brief(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toFixed(DECIMALS));
  if (typeof value === 'string') return short(value, TEXT_CHARS_MAX);
  if (Array.isArray(value)) return value.map((item) => brief(item as unknown));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, brief(member as unknown)]));
}

const TEXT_CHARS_MAX = 1000;

type ExplanationPart = ReturnType<typeof explanationPart>;

/**
 * A part of an explanation without the factors of its contributions, long names and values cut; behind the
 * first the lists alone.
 */
export function compactExplanation(
  { explanation: whole, ...explained }: ExplanationPart,
  offset = 0,
): object {
  const { contributions, numeric_estimate: estimate, ...rest } = whole;
  const { without_source, unrelated_claim_ids, omitted, ...head } = rest;
  const { subject_id, subject_name, predicate, leading_value, truth_status } = head;
  const numbers = estimate?.numbers.slice(0, EXPLAINED_MAX);
  return brief({
    ...explained,
    explanation: {
      ...(offset > 0
        ? { subject_id, subject_name, predicate, leading_value, truth_status }
        : { ...head, ...(numbers && { numeric_estimate: { ...estimate!, numbers } }) }),
      contributions: contributions.map(
        ({ factors: _factors, dependence_class: _class, ...contribution }) => ({
          ...contribution,
          actor_name: shortOrNull(contribution.actor_name),
          value: shortOrNull(contribution.value),
        }),
      ),
      unrelated_claim_ids,
      without_source,
      omitted,
    },
  });
}

const VALUE_CHARS_MAX = 80;
const STATEMENT_CHARS_MAX = 160;
const CHANGES_MAX = 10;
const ITEMS_MAX = 3;
const PARTS_MAX = 3;

type Comparison = z.output<typeof schemas.JudgementComparison>;
type Move = Comparison['verdicts'][number];

/**
 * The comparison with the first of each list of changes and the largest parts of each move, long values cut;
 * `other_parts` is the sum of those left out, so that the parts still sum to the move.
 */
export function compactComparison({ changes, verdicts, ...compared }: Comparison): object {
  return {
    ...compared,
    changes: changes.slice(0, CHANGES_MAX).map(({ value_before, said_before, ...change }) => ({
      ...shortAnswer(change),
      ...(value_before === undefined ? {} : { value_before: short(value_before, VALUE_CHARS_MAX) }),
      ...(said_before === undefined ? {} : { said_before: shortAnswer(said_before) }),
      ...(change.statement === undefined ? {} : { statement: short(change.statement, STATEMENT_CHARS_MAX) }),
    })),
    verdicts: verdicts.map(compactMove),
  };
}

const shortAnswer = <A extends { value?: string; scope?: string }>(answer: A): A => ({
  ...answer,
  ...(answer.value === undefined ? {} : { value: short(answer.value, VALUE_CHARS_MAX) }),
  ...(answer.scope === undefined ? {} : { scope: short(answer.scope, VALUE_CHARS_MAX) }),
});

function compactMove({ parts, value, before, after, ...verdict }: Move): object {
  const side = (compared: Move['before']) =>
    compared && {
      ...shortAnswer(compared),
      leading_value: shortOrNull(compared.leading_value),
      ...(compared.tied_places && { tied_places: compared.tied_places.map(shortAnswer) }),
      ...(compared.value_place && { value_place: shortAnswer(compared.value_place) }),
    };
  const largest = new Set(parts.toSorted((a, b) => Math.abs(b.move) - Math.abs(a.move)).slice(0, PARTS_MAX));
  const others = parts.filter((part) => !largest.has(part));
  const move = others.reduce((sum, part) => sum + part.move, 0);
  return {
    ...verdict,
    ...(verdict.statement === undefined ? {} : { statement: short(verdict.statement, STATEMENT_CHARS_MAX) }),
    value: shortOrNull(value),
    before: side(before),
    after: side(after),
    parts: parts
      .filter((part) => largest.has(part))
      .map(({ items, ...part }) => ({
        ...part,
        items: items.slice(0, ITEMS_MAX).map(({ change, kind, id }) => ({ change, kind, id })),
      })),
    ...(others.length === 0 ? {} : { other_parts: { count: others.length, move } }),
  };
}

const shortOrNull = (text: string | null) => text && short(text, VALUE_CHARS_MAX);
