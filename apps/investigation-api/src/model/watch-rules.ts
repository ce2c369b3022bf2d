import {
  answerOf,
  answersAndDenials,
  isCut,
  likelierPart,
  pairedAnswers,
  regionOf,
  saysTheSame,
  tiedIn,
  whereSaid,
  type InvestigationResult,
  type LikelierPart,
  type PlacedValue,
  type RivalValue,
  type SubjectResult,
} from '@platform/opinion-fusion';

/** What a subscription listens for in the judgements of a session. */
export const JUDGEMENT_RULES = ['leading_changed', 'chance_moved', 'became_contested', 'goes_stale'] as const;
export type JudgementRule = (typeof JUDGEMENT_RULES)[number];
/** Listens for changes of the documents under a judgement's quotes. */
export const DOCUMENT_RULE = 'document_changed';
/** Listens for changes of the policies of a domain. */
export const POLICY_RULE = 'policies_changed';
export const WATCH_RULES = [...JUDGEMENT_RULES, DOCUMENT_RULE, POLICY_RULE] as const;

/** Which rules look at which questions; without subject or predicate at all of them. */
export interface WatchedQuestions {
  readonly rules: readonly string[];
  /** `chance_moved` fires for a move by more than this. Probability. */
  readonly chanceStep: number;
  readonly subjectId?: string | null | undefined;
  readonly predicate?: string | null | undefined;
}

/**
 * The leading value of a question and its chance; `scope` tells equal values of different scopes apart. Of a
 * yes-or-no question, whose verdict always names `true`, it is the side that has more for it, `true` or
 * `false`.
 */
export interface LeadingChance extends LikelierPart {
  readonly value: string | null;
  readonly scope: string | null;
  /** The time that the value is about, as written; absent = the claims name none. */
  readonly event_start_time?: string;
  readonly event_end_time?: string;
  /** Sources only deny the value and assert none, so that none leads. */
  readonly denied?: true;
  /** No value leads: the value is the one of those tied that led before, or null. */
  readonly tied?: true;
  /** The probability from 0 to 1; null where the question asks for a value and none counts. */
  readonly chance: number | null;
}

/** What the rules remember of one answer, with where it holds, as comparisons pair it. */
interface WatchedAnswer extends PlacedValue {
  readonly leading: LeadingChance;
  /** The chance that `chance_moved` fired at last, or first saw. */
  readonly told: LeadingChance;
}

/** What the rules remember of one question. */
interface WatchedQuestion {
  readonly subject_id: string;
  readonly predicate: string;
  /** In the order of `answersAndDenials`. */
  readonly answers: readonly WatchedAnswer[];
  /** Nothing that the judgement said is missing. Absent = earlier versions kept what it listed. */
  readonly isWhole?: boolean;
  readonly contested: boolean;
  /** When the last of what is said on the question becomes stale; null = never. Milliseconds since 1970. */
  readonly staleAt: number | null;
  readonly isStale: boolean;
  /** The judgement looked at last has no verdict on it. Absent = it has one. */
  readonly isGone?: true;
}

type LedAnswer = Pick<WatchedAnswer, 'leading' | 'told'>;

/** The same as earlier versions kept it. */
interface LedQuestion extends Omit<WatchedQuestion, 'answers' | 'isWhole'>, LedAnswer {
  readonly answers?: never;
  readonly isWhole?: never;
  readonly elsewhere?: readonly LedAnswer[];
}

/** What a subscription remembers between judgements; plain JSON. */
export interface WatchState {
  /** The judgement looked at last; older ones are passed over. */
  readonly judgedAt: number;
  readonly judgementId: string;
  /** Absent = 0, where an earlier version has looked. */
  readonly revision?: number;
  /** Those that the judgement has verdicts on in its order, then those that are gone, the latest first. */
  readonly questions: readonly (WatchedQuestion | LedQuestion)[];
}

/** A judgement that rules look at. */
export interface WatchedJudgement {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly judgedAt: number;
  /** Of the session when it was read: it orders judgements, and time only those of one revision. */
  readonly revision: number;
  readonly result: Pick<InvestigationResult, 'subject_results' | 'claim_analyses' | 'ranked_claims'>;
}

/** One question of an event, in the form in which receivers get it. */
export interface FiredQuestion {
  readonly subject_id: string;
  readonly predicate: string;
  readonly before?: LeadingChance;
  readonly after?: LeadingChance;
  /**
   * Of `chance_moved` where another value leads since: the chance that the value of `before` has now.
   * Probability.
   */
  readonly before_now?: number;
  /** RFC 3339, of `goes_stale`. */
  readonly stale_at?: string;
}

/** What a rule fired: one event for all its questions. */
export interface Firing {
  readonly rule: JudgementRule;
  /** Null where time alone fired it. */
  readonly judgementId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** In the order of the judgement. */
  readonly questions: readonly FiredQuestion[];
}

export interface Watched {
  readonly state: WatchState | null;
  readonly firings: readonly Firing[];
  /** When to look again although nothing is judged; null = not before. Milliseconds since 1970. */
  readonly dueAt: number | null;
}

/** Questions without a verdict that are remembered, to compare one that comes back with what it was. */
const GONE_MAX = 10_000;

/** What `leadingOf` reads; results of engine 1 have fewer fields. */
type AnsweredVerdict = Pick<SubjectResult, 'leading_value' | 'expected_probability'> &
  Partial<Pick<SubjectResult, 'calibrated_probability' | 'rival_values' | 'tied' | 'no_value_counts'>>;

type WatchedVerdict = AnsweredVerdict & Pick<SubjectResult, 'subject_id' | 'predicate' | 'truth_status'>;

/**
 * What a new judgement fires. The first judgement, and the first that has a question, is what later ones are
 * compared with and fires nothing of that question. A question that a later judgement has no verdict on any
 * more counts as one whose claims are all retracted: no value leads it, at an even chance after yes or no.
 * Time comes first: what went stale before the judgement fires as of its own instant. A judgement that is
 * older than the last one looked at changes nothing. Pure; never throws.
 */
export function watchJudgement(
  watched: WatchedQuestions,
  state: WatchState | null,
  judgement: WatchedJudgement,
): Watched {
  if (state !== null && !isNewer(judgement, state))
    return { state, firings: [], dueAt: dueOf(watched, state) };
  const passed = passTime(watched, state, judgement.judgedAt);
  const earlier = new Map((passed.state?.questions ?? []).map((one) => [keyOf(one), one]));
  const standing = staleTimes(judgement.result);
  const fired: Fired = { leading_changed: [], chance_moved: [], became_contested: [], goes_stale: [] };
  const verdicts = judgement.result.subject_results.filter((verdict) => isWatched(watched, verdict));
  const judged = new Set(verdicts.map(keyOf));
  const gone = [...earlier.values()]
    .filter((one) => !judged.has(keyOf(one)))
    .toSorted((a, b) => Number(a.isGone ?? false) - Number(b.isGone ?? false))
    .map(withoutVerdict);
  const questions = [...verdicts, ...gone].map((verdict): WatchedQuestion => {
    const { subject_id, predicate } = verdict;
    const before = earlier.get(keyOf(verdict));
    const staleAt = standing.get(keyOf(verdict)) ?? null;
    const question: WatchedQuestion = {
      subject_id,
      predicate,
      isWhole: !isCut(verdict),
      answers: answersNow(verdict, before, tellerOf(verdict, watched.chanceStep, fired)),
      contested: verdict.truth_status === 'Both',
      staleAt,
      isStale: staleAt !== null && staleAt <= judgement.judgedAt,
      ...(judged.has(keyOf(verdict)) ? {} : { isGone: true }),
    };
    if (before !== undefined) tellState(before, question, fired);
    return question;
  });
  const next = {
    judgedAt: judgement.judgedAt,
    judgementId: judgement.id,
    revision: judgement.revision,
    questions: questions.slice(0, verdicts.length + GONE_MAX),
  };
  const firings = JUDGEMENT_RULES.filter(
    (rule) => watched.rules.includes(rule) && fired[rule].length > 0,
  ).map((rule) => ({
    rule,
    judgementId: judgement.id,
    at: judgement.judgedAt,
    questions: fired[rule],
  }));
  return { state: next, firings: [...passed.firings, ...firings], dueAt: dueOf(watched, next) };
}

/** The questions that each rule fires. */
type Fired = Record<JudgementRule, FiredQuestion[]>;

/** Tells what leads on one question, or how likely it is, where that moved. */
function tellerOf({ subject_id, predicate }: WatchedVerdict, step: number, fired: Fired) {
  const named = { subject_id, predicate };
  return {
    tellLead(was: LeadingChance, is: LeadingChance): void {
      if (!isSameLead(was, is)) fired.leading_changed.push({ ...named, before: was, after: is });
    },
    /** The chance that is told last of an answer: that of now where it moved. */
    tellChance(of: AnsweredVerdict, { told: last }: Pick<WatchedAnswer, 'told'>, now: LeadingChance) {
      const lastNow = chanceOf(of, last, now);
      const isUnjudged = last.denied && now.denied && (last.chance === null || lastNow === null);
      if (isUnjudged) return now.chance === null ? last : now;
      if (!hasMoved(last.chance, lastNow, step)) return last;
      const isOther = last.value !== null && !isSame(last, now);
      const move = {
        before: last,
        after: now,
        ...(isOther && lastNow !== null && { before_now: lastNow }),
      };
      fired.chance_moved.push({ ...named, ...move });
      return now;
    },
  };
}

/** Tells that a question became contested or went stale. */
function tellState(before: WatchedQuestion | LedQuestion, now: WatchedQuestion, fired: Fired): void {
  const { subject_id, predicate, contested, staleAt, isStale } = now;
  const named = { subject_id, predicate };
  const [[was], [is]] = [answersIn(before), now.answers];
  if (contested && !before.contested)
    fired.became_contested.push({ ...named, before: was?.leading, after: is?.leading });
  if (isStale && !before.isStale)
    fired.goes_stale.push({ ...named, stale_at: new Date(staleAt!).toISOString() });
}

/**
 * The answers of a verdict, paired with those before as comparisons do it, and what each pair tells. Of what
 * an earlier version kept, which did not know all, nothing that came is told.
 */
function answersNow(
  verdict: WatchedVerdict,
  before: WatchedQuestion | LedQuestion | undefined,
  { tellLead, tellChance }: ReturnType<typeof tellerOf>,
): readonly WatchedAnswer[] {
  const pairs = pairedAnswers(before ? answersIn(before) : [], answersAndDenials(verdict as SubjectResult));
  return pairs.flatMap(([was, is]): WatchedAnswer[] => {
    const leading = is ? leadingOf(is.verdict, was?.leading) : nothingIn(was!.leading);
    const now = is && { values: is.values, ...(is.denied && { denied: is.denied }), region: is.region };
    if (before === undefined || (was === undefined && !before.isWhole))
      return now ? [{ ...now, leading, told: leading }] : [];
    const last = was ?? { leading: nothingIn(leading), told: nothingIn(leading) };
    tellLead(last.leading, leading);
    const told = tellChance(is?.verdict ?? verdict, last, leading);
    return now ? [{ ...now, leading, told }] : [];
  });
}

/** The answers of a question, also as an earlier version kept them: with their scope and time alone. */
export function answersIn(question: WatchedQuestion | LedQuestion): readonly WatchedAnswer[] {
  if (question.answers) return question.answers;
  const { leading, told, elsewhere = [] } = question;
  return [{ leading, told }, ...elsewhere].map((one) => {
    const { value, scope, denied, tied: _, likelier: __, chance: ___, ...times } = one.leading;
    return {
      ...one,
      values: value === null ? [] : value in OTHER_SIDE ? ['true', 'false'] : [value],
      ...(denied && { denied }),
      region: value === null && scope === null ? null : regionOf({ scope, ...times }),
    };
  });
}

/** What fires up to `now` because time has passed: questions that went stale. Pure; never throws. */
export function passTime(watched: WatchedQuestions, state: WatchState | null, now: number): Watched {
  if (state === null) return { state, firings: [], dueAt: null };
  const due = state.questions.filter(
    ({ staleAt, isStale }) => !isStale && staleAt !== null && staleAt <= now,
  );
  if (due.length === 0) return { state, firings: [], dueAt: dueOf(watched, state) };
  const next = {
    ...state,
    questions: state.questions.map((one) => (due.includes(one) ? { ...one, isStale: true } : one)),
  };
  const questions = due
    .toSorted((a, b) => a.staleAt! - b.staleAt!)
    .map(({ subject_id, predicate, staleAt }) => ({
      subject_id,
      predicate,
      stale_at: new Date(staleAt!).toISOString(),
    }));
  const at = Math.max(...due.map(({ staleAt }) => staleAt!));
  const firings = watched.rules.includes('goes_stale')
    ? [{ rule: 'goes_stale' as const, judgementId: null, at, questions }]
    : [];
  return { state: next, firings, dueAt: dueOf(watched, next) };
}

function isNewer({ judgedAt, id, revision }: WatchedJudgement, state: WatchState): boolean {
  const { revision: seen = 0 } = state;
  if (revision !== seen) return revision > seen;
  return judgedAt === state.judgedAt ? id > state.judgementId : judgedAt > state.judgedAt;
}

/** Whether a subscription looks at the question of a verdict or claim. Pure. */
export function isWatched(
  { subjectId, predicate }: WatchedQuestions,
  verdict: { readonly subject_id: string | null; readonly predicate: string },
): boolean {
  return (
    (subjectId == null || subjectId === verdict.subject_id) &&
    (predicate == null || predicate === verdict.predicate)
  );
}

/** That no value leads in the scope and time of an answer. */
function nothingIn(answer: LeadingChance): LeadingChance {
  const { denied: _, tied: __, likelier: ___, ...place } = answer;
  return { ...place, value: null, chance: null };
}

/**
 * The verdict on a question on which nobody says anything any more. Claims that are removed leave no trace of
 * what was asked, but the answer that led before.
 */
function withoutVerdict(question: WatchedQuestion | LedQuestion): WatchedVerdict {
  const { subject_id, predicate } = question;
  const none = { truth_status: 'Neither', leading_value: null, expected_probability: 0.5 } as const;
  const isAsked = answersIn(question).some(({ leading }) => isOfValue(leading));
  return { subject_id, predicate, ...none, ...(isAsked && { no_value_counts: true }) };
}

function keyOf({ subject_id, predicate }: { readonly subject_id: string; readonly predicate: string }) {
  return JSON.stringify([subject_id, predicate]);
}

const OTHER_SIDE: Readonly<Record<string, string>> = { true: 'false', false: 'true' };

function leadingOf(verdict: AnsweredVerdict, before?: LeadingChance): LeadingChance {
  const tie = tiedIn(verdict);
  if (tie) {
    const tied = leadingOfTie(tie, before);
    return { ...tied, ...likelierPart(verdict, tied.chance) };
  }
  const [first] = verdict.rival_values ?? [];
  const place = placeOf(first);
  if (verdict.no_value_counts)
    return first?.denied
      ? { value: first.value, ...place, denied: true, chance: null }
      : { value: null, scope: null, chance: null };
  const answer = answerOf(verdict, before?.value);
  if (answer.value === null) return { ...answer, scope: null };
  return {
    ...answer,
    ...place,
    ...(first?.denied ? { denied: true } : likelierPart(verdict, answer.chance)),
  };
}

function placeOf({ scope, event_start_time: start, event_end_time: end }: Partial<RivalValue> = {}) {
  return {
    scope: scope ?? null,
    ...(start !== undefined && { event_start_time: start }),
    ...(end !== undefined && { event_end_time: end }),
  };
}

/**
 * Of a tie: the value that led before, where it is tied, and of yes and no yes where none did; else none, at
 * the chance that each has.
 */
function leadingOfTie(tie: readonly RivalValue[], before: LeadingChance | undefined): LeadingChance {
  const sides = tie.map((rival) => ({
    value: rival.value,
    ...placeOf(rival),
    tied: true as const,
    chance: rival.calibrated_probability,
  }));
  const [first] = sides as [LeadingChance];
  const isYesOrNo = sides.every(({ value }) => value in OTHER_SIDE);
  const led = sides.find((side) => before !== undefined && isSame(before, side));
  return led ?? (isYesOrNo ? first : { ...first, value: null });
}

/** Whether what led was a value, and not yes or no. */
const isOfValue = ({ value, tied, chance }: LeadingChance): boolean =>
  value === null ? (tied ?? chance === null) : !(value in OTHER_SIDE);

/** Whether the same value leads, or is denied, in the same scope and time; a tie may have none that leads. */
const isSameLead = (a: LeadingChance, b: LeadingChance): boolean =>
  a.denied === b.denied && isSame(a, b) && (a.value === null || whereOf(a) === whereOf(b));

const whereOf = ({ value, ...place }: LeadingChance): string =>
  whereSaid({ ...place, value: value ?? undefined });

function isSame(a: LeadingChance, b: LeadingChance): boolean {
  if (a.value === null || b.value === null) return a.value === b.value;
  return a.scope === b.scope && saysTheSame(a.value, b.value);
}

/** Whether a chance moved by more than the step, or is there on one side alone. */
function hasMoved(before: number | null, now: number | null, step: number): boolean {
  if (before === null || now === null) return before !== now;
  return Math.abs(now - before) > step;
}

/**
 * The chance that a verdict gives to a value that led before; 0 where nobody says it any more, null where no
 * value counts.
 */
function chanceOf(verdict: AnsweredVerdict, told: LeadingChance, now: LeadingChance): number | null {
  if (now.value === null && !now.tied) return now.chance;
  const leading = leadingOf(verdict, told);
  if (told.value === null || isSame(told, leading)) return leading.chance;
  if (told.scope === leading.scope && OTHER_SIDE[told.value] === leading.value) return 1 - leading.chance!;
  const rival = (verdict.rival_values ?? []).find(({ value, scope = null, calibrated_probability: chance }) =>
    isSame(told, { value, scope, chance }),
  );
  return rival?.calibrated_probability ?? 0;
}

const DAY_MS = 24 * 3_600_000;
/** A claim is stale when its decay is below a quarter: after two half-lives (rule 13). */
const STALE_HALF_LIVES = 2;
/** The last instant that is written with four digits of a year; what comes later never comes. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** When the last of the standing claims on each question becomes stale; a claim without a time never does. */
function staleTimes({
  claim_analyses: analyses,
  ranked_claims: ranked,
}: WatchedJudgement['result']): Map<string, number | null> {
  const byId = new Map(analyses.map((one) => [one.claim_id, one]));
  const times = new Map<string, number | null>();
  for (const { claim_id, subject_id, predicate } of ranked) {
    const claim = byId.get(claim_id);
    if (claim === undefined || subject_id === null) continue;
    if (claim.epistemic_status === 'retracted' || claim.epistemic_status === 'superseded') continue;
    const key = keyOf({ subject_id, predicate });
    const time = staleTimeOf(claim);
    const known = times.get(key);
    if (known === null) continue;
    times.set(key, time === null ? null : Math.max(known ?? -Infinity, time));
  }
  return times;
}

function staleTimeOf({
  decay_origin: origin,
  effective_half_life_days: days,
}: InvestigationResult['claim_analyses'][number]): number | null {
  if (origin === null) return null;
  const time = Math.floor(Date.parse(origin) + STALE_HALF_LIVES * days * DAY_MS);
  return Number.isFinite(time) && time <= LAST_MS ? time : null;
}

function dueOf({ rules }: WatchedQuestions, { questions }: WatchState): number | null {
  if (!rules.includes('goes_stale')) return null;
  const times = questions.flatMap(({ staleAt, isStale }) => (isStale || staleAt === null ? [] : [staleAt]));
  return times.length === 0 ? null : times.reduce((least, time) => Math.min(least, time));
}
