import type { Holder } from '../model/role.ts';
import type { ListedSession, SessionRef, SessionsAmong } from './session-store.ts';

/** What a judgement had said about a question, as it is scored. */
export interface StoredForecast {
  /** JSON, kept to the byte. */
  readonly text: string;
  /** Chance of the leading value; null where none led. Probability. */
  readonly chance: number | null;
  /** Null where no value led. */
  readonly wasRight: boolean | null;
  readonly domain: string;
  readonly statements: readonly StoredStatement[];
}

/** What one source had said about it. */
export interface StoredStatement {
  readonly name: string;
  readonly sourceType: string;
  /** The probability from 0 to 1. */
  readonly reliability: number;
  readonly wasRight: boolean;
}

/** What turned out to be true of one question of a session. */
export interface Outcome {
  /** UUID, the same for the same question. */
  readonly id: string;
  /** JSON of the question, the value, and who recorded it; kept to the byte. */
  readonly body: string;
  readonly knownAt: Date;
  readonly recordedAt: Date;
  /** JSON of the forecast; null = nothing to score. */
  readonly forecast: string | null;
}

export interface NewOutcome extends Omit<Outcome, 'forecast'> {
  readonly forecast: StoredForecast | null;
}

/** Sessions whose outcomes are meant. */
export interface OutcomeScope {
  readonly tenantId: string;
  /** Session ids of the tenant, or null for all sessions of `ownerId`. */
  readonly sessionIds: readonly string[] | null;
  readonly ownerId: string;
}

/** A forecast with its outcome known. */
export interface ScoredForecast {
  readonly chance: number;
  readonly wasRight: boolean;
  readonly domain: string;
}

/** What is known of one source. */
export interface StoredSourceRecord {
  readonly name: string;
  readonly sourceType: string;
  readonly statements: number;
  readonly right: number;
  /** Mean over its statements. Probability. */
  readonly reliability: number;
  /** Whose sessions the outcomes are recorded in; most statements first, at most 20. */
  readonly owners: readonly RecordOwner[];
}

/** What the sessions of one owner contribute to the record of a source. */
export interface RecordOwner {
  readonly ownerId: string;
  readonly outcomes: number;
  readonly statements: number;
}

/** By what a source is known in every session: its kind, and its name without regard to case and spaces. */
export interface SourceName {
  readonly name: string;
  readonly sourceType: string;
}

/** A reliability that the record of a source gave it in a session. */
export interface AppliedRecord {
  readonly actorId: string;
  /** As it was written. Probability. */
  readonly applied: number;
  /** Reliability without any record. Probability. */
  readonly declared: number;
  /** Whether the session states `declared`; otherwise it is that of the source's type. */
  readonly isStated: boolean;
  readonly right: number;
  readonly statements: number;
}

/** Reliabilities of a session without the records that were applied to it. */
export interface DeclaredReliabilities {
  /** The declared reliability of a source that has `reliability`: that one, unless a record gave it. */
  of(actorId: string, reliability: number): number;
  /** What a record was written over; null = the session stated no number, undefined = no record gave it. */
  before(actorId: string, reliability: number): number | null | undefined;
  /** The records that were applied, by `recordKey`. */
  readonly records: readonly string[];
}

/**
 * Outcomes of the sessions of all tenants; they end with their session. Every write is whole or not at all.
 * Errors: the driver's alone; each outcome of an operation is a value.
 */
export interface OutcomeStore {
  /** Records an outcome, in the place of an earlier one of the same question. */
  putOutcome(ref: SessionRef, outcome: NewOutcome): Promise<'recorded' | 'no_session'>;
  /** Latest `recordedAt` first, among equals by id. */
  listOutcomes(
    ref: SessionRef,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<Outcome[]>;
  /** An id that is not a UUID names no outcome. */
  deleteOutcome(ref: SessionRef, id: string): Promise<boolean>;
  /**
   * Sessions of the tenant with outcomes, the latest first, at most `limit`, each with what the holder is
   * invited to; with `among`, those that the holder owns or is invited to and those alone.
   */
  sessionsWithOutcomes(
    tenantId: string,
    holder: Holder,
    limit: number,
    among?: SessionsAmong,
  ): Promise<Pick<ListedSession, 'sessionId' | 'ownerId' | 'role'>[]>;
  /** How many outcomes there are, and the forecasts of the latest `limit` of those that are scored. */
  scoredForecasts(
    scope: OutcomeScope,
    limit: number,
  ): Promise<{ readonly outcomes: number; readonly forecasts: ScoredForecast[] }>;
  /** Sources by number of statements, then by name. */
  sourceRecords(
    scope: OutcomeScope,
    page: { readonly nameFilter?: string | undefined; readonly limit: number; readonly offset: number },
  ): Promise<StoredSourceRecord[]>;
  /** Keeps what sources were declared as before their records are written over it. */
  noteApplied(ref: SessionRef, applied: readonly AppliedRecord[]): Promise<void>;
  /** What sources of the session were declared as; of one without applied records whatever they have. */
  declaredReliabilities(ref: SessionRef): Promise<DeclaredReliabilities>;
  /** The records of these sources, by index; null = none of its outcomes is known. */
  recordsOf(scope: OutcomeScope, sources: readonly SourceName[]): Promise<(StoredSourceRecord | null)[]>;
}
