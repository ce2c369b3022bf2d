import { bins, canonicalWord, DOMAINS, score } from '@platform/opinion-fusion';
import type { z } from 'zod';
import type { Operation } from '../ports.ts';
import type { ScoredForecast } from '../store/outcome-store.ts';
import { CalibrationQuery, type CalibrationResponse } from '../wire/outcome-schema.ts';
import { readInput } from '../wire/read-input.ts';
import { readableOutcomes } from './shared/readable-outcomes.ts';

/** Forecasts that a report counts at most, the latest. */
const FORECASTS_MAX = 50_000;

type Report = z.output<typeof CalibrationResponse>;

/**
 * How right judgements were, over the outcomes of the sessions that the caller may read, by the chance that
 * each judgement gave to its leading value. Throws `rate_limited` and `unavailable`.
 */
export const getCalibration: Operation<Report> = async (deps, input, caller) => {
  const { domain, mine } = readInput(CalibrationQuery, input);
  const scope = await readableOutcomes(deps, caller, mine);
  const { outcomes, forecasts } = await deps.outcomes.scoredForecasts(scope, FORECASTS_MAX);
  const byDomain = new Map<string, ScoredForecast[]>();
  for (const forecast of forecasts) {
    const name = canonicalDomain(forecast.domain);
    if (domain !== undefined && name !== domain) continue;
    const own = byDomain.get(name);
    if (own === undefined) byDomain.set(name, [forecast]);
    else own.push(forecast);
  }
  const counted = [...byDomain.values()].flat();
  const parts = bins([]).length;
  const unscored = domain === undefined ? outcomes - forecasts.length : 0;
  return {
    outcomes: counted.length + unscored,
    unscored,
    ...scoresOf(counted),
    bins: bins(counted.map(toOutcome)).map(({ count, stated, right }, index) => ({
      from: index / parts,
      to: (index + 1) / parts,
      count,
      mean_chance: count === 0 ? null : stated,
      share_right: count === 0 ? null : right,
    })),
    domains: [...byDomain]
      .map(([name, own]) => ({ domain: name, ...scoresOf(own) }))
      .sort((a, b) => b.scored - a.scored || (a.domain < b.domain ? -1 : 1)),
  };
};

/** The one spelling of a domain: kept forecasts have the one of their investigation. */
const canonicalDomain = (domain: string) => canonicalWord(DOMAINS, domain) ?? domain;

function toOutcome({ chance, wasRight }: ScoredForecast) {
  return { right: wasRight, probability: chance };
}

function scoresOf(forecasts: readonly ScoredForecast[]): Omit<Report['domains'][number], 'domain'> {
  if (forecasts.length === 0)
    return { scored: 0, accuracy: null, brier: null, log_score: null, calibration_error: null };
  const { accuracy, brier, logLoss, calibrationError } = score(forecasts.map(toOutcome));
  return {
    scored: forecasts.length,
    accuracy,
    brier,
    log_score: logLoss,
    calibration_error: calibrationError,
  };
}
