import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze } from '@platform/opinion-fusion';
import type { InvestigationInput, InvestigationResult } from '@platform/opinion-fusion';

/** The part of flights.json that is used: web sources' statements on flights, and the truth. */
export interface Flights {
  readonly sources: readonly string[];
  readonly objects: readonly string[];
  readonly claims: readonly {
    readonly source: string;
    readonly object: string;
    readonly attribute: string;
    readonly value: string;
  }[];
  /** Flight to attribute to true value. */
  readonly truth: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The set of `data/flights.json`, or of the file that FLIGHTS_JSON names. */
export function readFlights(): Flights {
  const path = process.env['FLIGHTS_JSON'] ?? join(import.meta.dirname, 'data/flights.json');
  return JSON.parse(readFileSync(path, 'utf8')) as Flights;
}

/** The airlines' own sites, which know best. */
export const AIRLINE_SITES: readonly string[] = ['aa', 'ua', 'CO'];

/** One judgement of the set, compared with the truth. */
export interface Evaluation {
  /** Leading values that are the true ones, of `pairs` pairs of flight and attribute. */
  readonly right: number;
  readonly pairs: number;
  readonly groups: InvestigationResult['source_dependence'];
}

/**
 * Judges the set and counts the right leading values. `dependence` as in the contract; `without` leaves out
 * the statements of some sources. The truth is read only after the judgement.
 */
export function evaluateFlights(
  flights: Flights,
  dependence: 'declared' | 'detected',
  without: readonly string[] = [],
): Evaluation {
  const result = analyze(toInvestigation(flights, dependence, without), {
    now: new Date('2011-12-02T00:00:00Z'),
  });
  if (!('subject_results' in result)) throw new Error('the full result is expected');
  const right = result.subject_results.filter(
    ({ subject_id, predicate, leading_value }) => leading_value === flights.truth[subject_id]?.[predicate],
  ).length;
  return { right, pairs: result.subject_results.length, groups: result.source_dependence };
}

/** Sources of a group that state the very same wherever two of them speak, in sets of two or more. */
export function identicalSources(flights: Flights, group: readonly string[]): string[][] {
  const stated = new Map(group.map((source) => [source, new Map<string, string>()]));
  for (const { source, object, attribute, value } of flights.claims) {
    stated.get(source)?.set(`${object} ${attribute}`, clockTime(value));
  }
  const same = (a: string, b: string) => {
    const [x, y] = [stated.get(a)!, stated.get(b)!];
    return x.size === y.size && [...x].every(([item, value]) => y.get(item) === value);
  };
  const sets: string[][] = [];
  for (const source of group) {
    const set = sets.find((known) => same(known[0]!, source));
    if (set) set.push(source);
    else sets.push([source]);
  }
  return sets.filter((set) => set.length > 1);
}

/**
 * The set as an investigation: sources are actors of one neutral kind, flights subjects, attributes
 * predicates.
 */
export function toInvestigation(
  flights: Flights,
  dependence: 'declared' | 'detected',
  without: readonly string[],
): InvestigationInput {
  const left = new Set(without);
  return {
    research_question: 'When did these flights leave and arrive?',
    dependence,
    actors: flights.sources
      .filter((source) => !left.has(source))
      .map((source) => ({ id: source, name: source, source_type: 'Journalist' })),
    subjects: flights.objects.map((flight) => ({ id: flight, name: flight, subject_type: 'flight' })),
    claims: flights.claims
      .map(({ source, object, attribute, value }, i) => ({
        id: `claim-${String(i + 1).padStart(4, '0')}`,
        actor_id: source,
        subject_id: object,
        predicate: attribute,
        value: clockTime(value),
        content: `${source} on flight ${object}, ${attribute}: ${value}`,
      }))
      .filter(({ actor_id }) => !left.has(actor_id)),
  };
}

/**
 * A cell that holds a time of day as the set's plain cells write it, `7:10 a.m.`; any other cell as it is.
 * Sites add dates and remarks to the same time (`7:10aDec 1`, `12/1 7:10 a.m.`, `7:10 a.m. (Gate)`).
 */
export function clockTime(cell: string): string {
  const time = /(\d{1,2}:\d\d)\s*(a|p|noon)/i.exec(cell);
  if (!time) return cell;
  return `${time[1]!.replace(/^0/, '')} ${time[2]!.toLowerCase() === 'a' ? 'a.m.' : 'p.m.'}`;
}
