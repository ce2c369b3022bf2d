import { analyze } from '@platform/opinion-fusion';
import type {
  InvestigationInput,
  InvestigationResult,
  NumericEstimate,
  NumericMode,
  SubjectResult,
} from '@platform/opinion-fusion';
import { toQuestion } from './data-set.ts';
import type { Answer, DataSet, Item } from './data-set.ts';

/** How the engine is asked to judge a set; the fields of the contract. */
export interface EngineOptions {
  readonly dependence: 'declared' | 'detected';
  readonly reliability: 'declared' | 'estimated';
  /** Which of its two numbers is taken as the chance of being right. */
  readonly chance: 'calibrated_probability' | 'expected_probability';
}

/** The engine's answers, and the sources it suspects of copying, by index. */
export interface Judgement {
  readonly answers: (Answer | null)[];
  readonly suspected: ReadonlySet<number>;
}

const TIE = 1e-12;
const NOW = new Date('2020-01-01T00:00:00Z');
const id = (letter: string, index: number) => letter + String(index).padStart(7, '0');

/**
 * Every source an actor of one neutral type, every item a subject, one predicate; no times, no stated
 * reliability.
 */
export function toInvestigation(
  set: DataSet,
  options: Omit<EngineOptions, 'chance'>,
  numeric: NumericMode = 'values',
): InvestigationInput {
  return {
    research_question: 'What is true?',
    numeric,
    dependence: options.dependence,
    reliability: options.reliability,
    actors: set.sources.map((name, k) => ({ id: id('a', k), name, source_type: 'Journalist' })),
    subjects: set.items.map((name, k) => ({ id: id('s', k), name, subject_type: 'item' })),
    claims: set.claims.map(([source, item, value], k) => ({
      id: id('c', k),
      actor_id: id('a', source),
      subject_id: id('s', item),
      predicate: 'value',
      value,
      content: 'as claimed',
    })),
  };
}

/** Judges the set as an investigation. The right values are not shown to the engine. */
export function judge(set: DataSet, options: EngineOptions): Judgement {
  const result = analyze(toInvestigation(set, options), { now: NOW }) as InvestigationResult;
  const { items } = toQuestion(set);
  const byId = new Map(result.subject_results.map((subject) => [subject.subject_id, subject]));
  return {
    answers: set.items.map((_, item) => {
      const subject = byId.get(id('s', item));
      return subject?.leading_value == null
        ? null
        : toAnswer(items[item]!, set.kind, subject, options.chance);
    }),
    suspected: new Set(
      result.source_dependence.flatMap(({ actor_ids }) => actor_ids.map((actor) => Number(actor.slice(1)))),
    ),
  };
}

/**
 * The numeric estimate of each item of a set; null where the engine gives none. Everything else is as by
 * default.
 */
export function estimateNumbers(set: DataSet): (NumericEstimate | null)[] {
  const options = { dependence: 'detected', reliability: 'declared' } as const;
  const result = analyze(toInvestigation(set, options, 'estimate'), { now: NOW }) as InvestigationResult;
  const byId = new Map(result.subject_results.map((subject) => [subject.subject_id, subject]));
  return set.items.map((_, item) => byId.get(id('s', item))?.numeric_estimate ?? null);
}

/**
 * A boolean verdict is about `true`: when that is less probable than not, the answer is `false`. At exactly
 * one half, the value that was claimed first is the answer, as with all methods.
 */
function toAnswer(
  item: Item,
  kind: DataSet['kind'],
  verdict: SubjectResult,
  chance: EngineOptions['chance'],
): Answer {
  const probability = verdict[chance];
  const value = verdict.leading_value!;
  if (kind !== 'binary') return { value, probability };
  if (Math.abs(probability - 0.5) < TIE) return { value: item.values[0]!, probability: 0.5 };
  return probability > 0.5
    ? { value: 'true', probability }
    : { value: 'false', probability: 1 - probability };
}
