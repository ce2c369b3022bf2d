import { analyze } from '../analyze.ts';
import { chanceOf } from '../compare/answer-moves.ts';
import { parseTime } from '../contract/timestamp.ts';
import type {
  InvestigationInput,
  InvestigationResult,
  RivalValue,
  StopSignal,
  SubjectResult,
} from '../contract/types.ts';
import type { SourceType } from '../contract/vocabulary.ts';
import { validate } from '../contract/validate.ts';
import { Warnings } from '../contract/warnings.ts';
import { buildModel } from '../model/build-model.ts';
import type { Claim } from '../model/model.ts';
import { isStanding } from '../model/reliability.ts';
import { saysTheSame } from '../model/same-value.ts';
import { isRating } from '../report/statements.ts';
import { isDeniedTie, tiedValues } from '../report/summary.ts';
import { answerOf, likelierPart, type LikelierPart } from './answer-of.ts';
import { readYesOrNo } from './yes-or-no.ts';

/** What an outcome is about, as claims give it; what is absent is that of the leading value. */
export interface OutcomePlace {
  /** '' for claims without a scope. */
  readonly scope?: string | null | undefined;
  /** A time that `parseTime` reads; absent means open where the other one is given. */
  readonly event_start_time?: string | null | undefined;
  /** Excluded; the same. */
  readonly event_end_time?: string | null | undefined;
}

/** A judgement as it is kept, and what has turned out to be true of one of its questions. */
export interface ResolvedQuestion extends OutcomePlace {
  /** As it was sent, in any form that `analyze` takes. */
  readonly input: InvestigationInput;
  /** In full, of whichever engine. */
  readonly result: InvestigationResult;
  readonly judgedAt: Date;
  readonly subject_id: string;
  readonly predicate: string;
  /** In any spelling that claims may use; of a yes-or-no question also in those of `readYesOrNo`. */
  readonly value: string;
}

/** What one source said about a question that has been resolved. */
export interface ResolvedStatement {
  readonly actor_id: string;
  readonly name: string;
  readonly source_type: SourceType;
  /** Reliability that the judgement started from. Probability. */
  readonly reliability: number;
  /** Whether it asserted the value that turned out to be true, or denied another. */
  readonly was_right: boolean;
}

/** What a judgement said about a question before its outcome was known. */
export interface Forecast extends LikelierPart {
  /**
   * As `answerOf` has it; of a conclusion that inferences alone reach, the answer whether it holds; null
   * where values are tied.
   */
  readonly leading_value: string | null;
  /** Present where values are tied, so that none leads and `chance` is that of each. */
  readonly tied?: true;
  /** Present where claims only deny it: what is scored, and what `chance` is about, is that it is not so. */
  readonly denied?: true;
  /** Chance that the judgement gave to it. Probability. */
  readonly chance: number;
  /** Whether the leading value, or its denial, turned out to be true; null where values are tied. */
  readonly was_right: boolean | null;
  /**
   * Chance that the judgement gave to what turned out to be true. Of a yes-or-no question and of a denial
   * that of `chance`, or what is left of it to 1; of other questions 0 where nobody had said it.
   */
  readonly chance_of_outcome: number;
  /** Scope and time that were scored, as written: those of the outcome, else of the leading value. */
  readonly scope: string | null;
  readonly event_start_time: string | null;
  readonly event_end_time: string | null;
  /** Standing claims that the outcome may be about as well, and that are of another scope or time. */
  readonly claims_elsewhere: number;
  /**
   * By claim id: standing claims of the scored scope whose time overlaps the scored one, but for ratings
   * where the outcome is yes or no. A source counts at most once for what was right and once for what was
   * wrong.
   */
  readonly statements: readonly ResolvedStatement[];
}

/** The outcome of a yes-or-no question is no answer to it. */
export const NEITHER_YES_NOR_NO = 'neither yes nor no';

/** Claims answer the question, and none of them in the scope and time of the outcome. */
export const NO_CLAIM_THERE = 'no claim there';

/** The judgement named no value that the outcome could be compared with. */
export const NOTHING_TO_SCORE = 'nothing to score';

/**
 * What a judgement said about a question whose outcome is known now; null where it has no verdict on the
 * question, NEITHER_YES_NOR_NO where the question is answered by yes or no, the outcome is neither, and no
 * claim says it, NO_CLAIM_THERE where no claim is of the scope and time of the outcome, and NOTHING_TO_SCORE
 * where no value leads that can be compared: nothing had weight, inferences alone spoke and the outcome is
 * neither yes nor no, or a rating of a statement leads (`Misleading`) and the outcome is yes or no.
 * Where the leading value is of another scope or time than the outcome, the claims of that scope and time are
 * judged again without the others. Never throws for a judgement that `analyze` made, but the signal's reason
 * when it is aborted.
 */
export function forecastOf(
  question: ResolvedQuestion,
  signal?: StopSignal,
): Forecast | typeof NEITHER_YES_NOR_NO | typeof NO_CLAIM_THERE | typeof NOTHING_TO_SCORE | null {
  const { input, result, judgedAt, subject_id, predicate } = question;
  const verdictOf = ({ subject_results }: Pick<InvestigationResult, 'subject_results'>) =>
    subject_results.find((one) => one.subject_id === subject_id && one.predicate === predicate);
  const judged = verdictOf(result);
  if (judged === undefined) return null;
  const unread = new Warnings();
  const read = validate(input, unread);
  const { claims } = buildModel(read, judgedAt.getTime(), unread);
  const standing = claims.filter(
    (claim) => claim.subject?.id === subject_id && claim.predicate === predicate && isStanding(claim),
  );
  const isMeant = isWithin(question);
  const meant = standing.filter(isMeant);
  const leads = judged.leading_value !== null;
  if (leads && meant.length === 0) return NO_CLAIM_THERE;
  let verdict = judged;
  if (leads && !isMeant(placed(judged.rival_values?.[0] ?? {}))) {
    const others = new Set(standing.filter((claim) => !isMeant(claim)).map(({ id }) => id));
    // They keep what else they do, such as to show who copies from whom.
    const moved = read.claims.map((claim) =>
      others.has(claim.id) ? { ...claim, predicate: `${predicate} elsewhere` } : claim,
    );
    const apart = { ...read, claims: moved, summary_mode: false };
    verdict = verdictOf(analyze(apart, { now: judgedAt, signal }) as InvestigationResult) ?? judged;
  }
  const isInferred = verdict.leading_value === null && verdict.confidence.uncertainty < 1;
  const answered = answerOf(isInferred ? { ...verdict, leading_value: 'true' } : verdict);
  const { value: leading } = answered;
  const isYesOrNo = isInferred || verdict.leading_value === 'true';
  const answer = isYesOrNo ? readYesOrNo(question.value) : null;
  if (leading === null || (isInferred && answer === null)) return NOTHING_TO_SCORE;
  const isRated = (rating: string) => isRating({ subject: verdict.subject_name, predicate, value: rating });
  const saysYesOrNo = readYesOrNo(question.value) !== null;
  if (saysYesOrNo && isRated(leading)) return NOTHING_TO_SCORE;
  const value = answer === null ? question.value : String(answer);
  const place = scoredPlace(question, verdict);
  const spoken = meant.filter(isWithin(place));
  if (isYesOrNo && answer === null && !spoken.some((claim) => saysTheSame(claim.input.value, value)))
    return NEITHER_YES_NOR_NO;
  const own = isYesOrNo ? [] : spoken.filter((claim) => saysTheSame(claim.input.value, leading));
  const isDenied = own.length > 0 && own.every(({ valence }) => valence === 'Refutes');
  const chance = isDenied ? 1 - answered.chance : answered.chance;
  const seen = new Set<string>();
  const statements = spoken
    .filter((claim) => !(saysYesOrNo && isRated(claim.input.value)))
    .map(({ actor, input: { value: said }, valence }) => ({
      actor_id: actor.id,
      name: actor.name,
      source_type: actor.type,
      reliability: actor.base,
      was_right: saysTheSame(said, value) !== (valence === 'Refutes'),
    }))
    .filter(({ actor_id, was_right }) => {
      const key = JSON.stringify([actor_id, was_right]);
      return !seen.has(key) && seen.add(key);
    });
  const wasRight = saysTheSame(leading, value) !== isDenied;
  const competing = { ...verdict, rival_values: verdict.rival_values?.filter(({ apart }) => !apart) };
  // Values of other scopes or times may be right, too.
  const tie = isInferred ? null : (tiedValues<RivalValue>(competing)?.filter(({ apart }) => !apart) ?? null);
  // Of values that are only denied, and not equally, the denial of one leads.
  const led =
    tie?.[1] && (verdict.tied || !isDeniedTie(tie))
      ? { leading_value: null, tied: true as const, chance: tie[0]!.calibrated_probability, was_right: null }
      : { leading_value: leading, ...(isDenied && { denied: true as const }), chance, was_right: wasRight };
  return {
    ...led,
    ...(isInferred || isDenied ? {} : likelierPart(competing, led.chance)),
    chance_of_outcome:
      answer === null && !isDenied ? chanceOf(competing, value) : wasRight ? chance : 1 - chance,
    scope: place.scope || null,
    event_start_time: place.event_start_time ?? null,
    event_end_time: place.event_end_time ?? null,
    claims_elsewhere: meant.length - spoken.length,
    statements,
  };
}

/** Scope and time that are scored: those of the outcome, and what it leaves open of the leading value. */
function scoredPlace(asked: OutcomePlace, { rival_values }: SubjectResult): OutcomePlace {
  const leading: OutcomePlace = rival_values?.[0] ?? {};
  const times = asked.event_start_time == null && asked.event_end_time == null ? leading : asked;
  return {
    scope: asked.scope ?? leading.scope ?? '',
    event_start_time: times.event_start_time,
    event_end_time: times.event_end_time,
  };
}

/** The stretch of time that a place names, in milliseconds since 1970, and its scope. */
function placed({ scope, event_start_time: start, event_end_time: end }: OutcomePlace) {
  return {
    scope: scope ?? '',
    from: start == null ? -Infinity : parseTime(start)!.ms,
    to: end == null ? Infinity : parseTime(end)!.ms,
  };
}

/** Tells what is of the scope of a place, where it names one, and overlaps its time. */
function isWithin(place: OutcomePlace): (one: Pick<Claim, 'scope' | 'from' | 'to'>) => boolean {
  const { from, to } = placed(place);
  return (one) => (place.scope ?? one.scope) === one.scope && one.from < to && from < one.to;
}
