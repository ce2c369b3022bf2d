import type { InvestigationInput, InvestigationResult } from '@platform/opinion-fusion';
import type { Firing, LeadingChance, WatchedQuestions, WatchState } from '../model/watch-rules.ts';
import { isWatched, passTime, watchJudgement } from '../model/watch-rules.ts';
import type { QuotedDocument } from '../model/followed-event.ts';
import type { QuoteChecks } from '../wire/quote-schema.ts';
import { packJson, unpackJsonSync, type PackedJson } from '../wire/packed-json.ts';

/** Look for what subscriptions on one session fire. */
export interface WatchTask {
  readonly kind: 'watch';
  /** The new judgement; null = only time has passed. */
  readonly judgement: {
    readonly id: string;
    readonly judgedAtMs: number;
    readonly revision: number;
    readonly result: PackedJson;
    /** What became of its quotes; null where it has none. */
    readonly quotes: PackedJson | null;
    /** Null where it has no quotes. */
    readonly inputSnapshot: PackedJson | null;
  } | null;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly subscriptions: readonly {
    readonly watched: WatchedQuestions;
    readonly state: PackedJson | null;
  }[];
}

/** What one subscription fires, and remembers from then on. */
export interface WatchOutcome {
  readonly state: PackedJson | null;
  /** Milliseconds since 1970. */
  readonly dueAt: number | null;
  /** Documents under its quotes on the watched questions; absent = only time has passed. */
  readonly documents?: readonly QuotedDocument[];
  readonly firings: readonly (Firing & { readonly question_count: number })[];
}

/** Questions that one event lists, and characters of a value there. */
const LISTED_MAX = 50;
const VALUE_MAX = 200;

/** Runs the rules of subscriptions over a judgement. Never throws for a judgement that was kept. */
export function watchSession({ judgement, nowMs, subscriptions }: WatchTask): WatchOutcome[] {
  const read =
    judgement === null
      ? null
      : {
          id: judgement.id,
          judgedAt: judgement.judgedAtMs,
          revision: judgement.revision,
          result: parse(judgement.result) as InvestigationResult,
        };
  const quotes = judgement?.quotes == null ? null : (parse(judgement.quotes) as QuoteChecks);
  const input =
    judgement?.inputSnapshot == null ? null : (parse(judgement.inputSnapshot) as InvestigationInput);
  return subscriptions.map(({ watched, state: packed }): WatchOutcome => {
    const state = packed === null ? null : (parse(packed) as WatchState);
    const {
      state: next,
      firings,
      dueAt,
    } = read === null ? passTime(watched, state, nowMs) : watchJudgement(watched, state, read);
    return {
      state: next === state ? packed : packJson(JSON.stringify(next)),
      dueAt,
      ...(read === null ? {} : { documents: quotedDocuments(watched, read.result, { quotes, input }) }),
      firings: firings.map((firing) => ({
        ...firing,
        questions: firing.questions.slice(0, LISTED_MAX).map((question) => ({
          ...question,
          ...(question.before && { before: shortened(question.before) }),
          ...(question.after && { after: shortened(question.after) }),
        })),
        question_count: firing.questions.length,
      })),
    };
  });
}

/** The documents under the quotes of claims on watched questions, and of the evidence on such claims. */
function quotedDocuments(
  watched: WatchedQuestions,
  { ranked_claims: claims }: InvestigationResult,
  { quotes, input }: { readonly quotes: QuoteChecks | null; readonly input: InvestigationInput | null },
): QuotedDocument[] {
  const others = new Set(
    claims.filter((claim) => !isWatched(watched, claim)).map(({ claim_id }) => claim_id),
  );
  const claimOf = new Map((input?.evidence ?? []).map((item) => [item.id, item.claim_id]));
  const items = (quotes?.items ?? []).filter(
    ({ kind, id }) => !others.has(kind === 'claims' ? id : (claimOf.get(id) ?? '')),
  );
  const versions = new Map<string, number | null>();
  for (const { document, version = null, current } of items)
    versions.set(document, current?.version ?? version ?? versions.get(document) ?? null);
  return [...versions].map(([document, version]) => ({ document, version }));
}

function parse(text: PackedJson): unknown {
  return JSON.parse(new TextDecoder().decode(unpackJsonSync(text)));
}

function shortened({ likelier, ...leading }: LeadingChance): LeadingChance {
  const { value } = leading;
  return {
    ...leading,
    value: value === null ? null : cut(value),
    ...(likelier && { likelier: { ...likelier, value: cut(likelier.value) } }),
  };
}

const cut = (value: string) =>
  value.length <= VALUE_MAX ? value : `${value.slice(0, VALUE_MAX - 1).toWellFormed()}…`;
