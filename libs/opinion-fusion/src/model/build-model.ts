import { sortedById } from '../contract/rounding.ts';
import type { InvestigationInput } from '../contract/types.ts';
import type { Warnings } from '../contract/warnings.ts';
import { takeCompactDates } from './compact-dates.ts';
import { looksLikeNumber } from './looks-like-number.ts';
import { mergeDuplicates, warnOfCorrectedRepeats } from './duplicates.ts';
import type { Model } from './model.ts';
import {
  attachEvidence,
  leaveOutLater,
  readActor,
  readClaim,
  readDistinctions,
  readSettings,
} from './read-input.ts';
import { takeQuestionUnits } from './question-units.ts';
import { resolveRelationships } from './relationships.ts';
import { parseValue } from './value.ts';
import type { Value } from './value.ts';

/**
 * Builds the model from a valid input; everything non-fatal becomes a warning. Source: reasoning model §2.
 * Never throws.
 */
export function buildModel(input: InvestigationInput, nowMs: number, warnings: Warnings): Model {
  const settings = readSettings(input, nowMs, warnings);
  const actors = sortedById(input.actors).map((actor, index) => readActor(actor, index, warnings));
  const actorById = new Map(actors.map((actor) => [actor.id, actor]));
  return buildModelOf(input, { settings, actors, actorById, valueOf: valueReader() }, warnings);
}

function valueReader(): (raw: string) => Value {
  const values = new Map<string, Value>();
  return (raw) => {
    let value = values.get(raw);
    if (!value) values.set(raw, (value = parseValue(raw)));
    return value;
  };
}

/** The model of a part of an investigation whose settings and actors are known. Never throws. */
export function buildModelOf(
  input: InvestigationInput,
  { settings, actors, actorById, valueOf }: Pick<Model, 'settings' | 'actors' | 'actorById' | 'valueOf'>,
  warnings: Warnings,
): Model {
  const subjects = sortedById(input.subjects);
  const subjectById = new Map(subjects.map((subject) => [subject.id, subject]));

  const numberLike = new Map<Value, boolean>();
  const isNumberLike = (value: Value) => {
    let known = numberLike.get(value);
    if (known === undefined) numberLike.set(value, (known = looksLikeNumber(value)));
    return known;
  };
  const given = sortedById(input.claims);
  const asserted = leaveOutLater(given, settings, warnings);
  const all = asserted.map((claim, index) =>
    readClaim(claim, index, { settings, actorById, subjectById, valueOf, isNumberLike }, warnings),
  );
  takeCompactDates(all);
  takeQuestionUnits(all);
  const { claims, claimById, repeats } = mergeDuplicates(all, warnings);
  attachEvidence(input.evidence ?? [], claimById, warnings);
  resolveRelationships(claims, claimById, warnings);
  warnOfCorrectedRepeats(repeats, warnings);
  const distinctions = readDistinctions(input, claimById, warnings);
  return {
    input,
    settings,
    actors,
    actorById,
    valueOf,
    subjects,
    claims,
    claimById,
    inferences: sortedById(input.inferences ?? []),
    distinctions,
  };
}
