import { canonicalWord, DOMAINS, isWebAddress, SOURCE_TYPES } from '@platform/opinion-fusion';
import { z } from '@platform/error-contracts/zod-openapi';
import { moment, SessionReference } from './session-schema.ts';
import { storable } from './storable.ts';

/** Shapes of what is recorded about questions whose answer is known by now, and of what that teaches. */

/** Unicode characters of a text; a page of 200 outcomes is sent whole, so each must be small. */
const TEXT_CHARACTERS_MAX = 2000;
/** Characters of an address. */
const URL_CHARACTERS_MAX = 2000;

const text = () =>
  storable().refine(
    // No character takes more than two units, so a far longer text need not be split to be refused.
    (value) => value.length <= 2 * TEXT_CHARACTERS_MAX && [...value].length <= TEXT_CHARACTERS_MAX,
    { error: `must have at most ${TEXT_CHARACTERS_MAX} characters` },
  );
const time = z.iso.datetime();
const chance = (description: string) => z.number().min(0).max(1).describe(description);

export const RecordOutcomeRequest = z
  .strictObject({
    subject_id: text().describe('The subject of the question.'),
    predicate: text().describe('The predicate of the question.'),
    value: text()
      .refine((value) => value.trim() !== '', { error: 'must not be empty or white space alone' })
      .describe(
        'What turned out to be true, in any spelling that claims may use; of a yes-or-no question yes or no.',
      ),
    scope: text()
      .nullish()
      .describe(
        'Scope that the outcome is about, as claims give it, `""` for claims without one; that of the leading value unless given.',
      ),
    event_start_time: moment
      .nullish()
      .describe(
        'Start of the time that the outcome is about, as of claims; with neither start nor end it is the time of the leading value.',
      ),
    event_end_time: moment.nullish().describe('End of that time, excluded; absent means open.'),
    known_at: moment
      .nullish()
      .describe(
        'Since when it is known, ISO 8601, a day to its end; now unless given. Only judgements before it are scored.',
      ),
    note: text().nullish().describe('How it became known.'),
    url: storable()
      .refine((url) => url.length <= URL_CHARACTERS_MAX && isWebAddress(url), {
        error: `must be an http or https address of at most ${URL_CHARACTERS_MAX} characters`,
      })
      .nullish()
      .describe('Where it can be read. http or https.'),
  })
  .openapi('RecordOutcomeRequest');

export const RecordOutcome = RecordOutcomeRequest.extend(SessionReference.shape);

export const OutcomeReference = SessionReference.extend({
  outcome_id: z.string().describe('UUID of the outcome.'),
});

export const ListOutcomes = SessionReference.extend({
  limit: z.int().min(1).max(200).default(50).describe('Outcomes of a page.'),
  cursor: z.int().min(0).default(0).describe('Where the page before ended.'),
});

const OutcomeForecast = z
  .object({
    judgement_id: z.uuid(),
    judged_at: time,
    leading_value: z
      .string()
      .nullable()
      .describe(
        'The value that led; of a yes-or-no question, and of a conclusion that inferences alone reach, the answer, `true` or `false`; null where values were tied.',
      ),
    tied: z
      .literal(true)
      .optional()
      .describe(
        'Present where several values were tied, so that none led and the scores of judgements leave the outcome out.',
      ),
    denied: z
      .literal(true)
      .optional()
      .describe('Present where claims only deny that value: its denial is scored, and has the chance.'),
    likelier: z
      .object({ value: z.string(), chance: z.number() })
      .optional()
      .describe('Present where another value was likelier than the one that led by weight; the likeliest.'),
    chance: chance('Chance that the judgement gave to it; where values were tied, to each.'),
    was_right: z
      .boolean()
      .nullable()
      .describe(
        'Whether the leading value, or its denial, turned out to be true; null where values were tied.',
      ),
    chance_of_outcome: chance(
      'Chance that the judgement gave to what turned out to be true; 0 for a value that nobody had said, unless the question is one of yes or no or a denial is scored.',
    ),
    scope: z
      .string()
      .nullable()
      .describe('Scope that was scored: that of the outcome, else of the leading value; null = without one.'),
    event_start_time: z.string().nullable().describe('Start of the time that was scored; null = open.'),
    event_end_time: z.string().nullable().describe('End of that time; null = open.'),
    claims_elsewhere: z
      .int()
      .nullable()
      .describe(
        'Claims of another scope or time that the outcome, which left it open, was not compared with; null = recorded before they were counted.',
      ),
    sources_right: z
      .int()
      .describe(
        'Sources that had said so, without those that rated a statement where the outcome is yes or no.',
      ),
    sources_wrong: z.int().describe('Sources that had said otherwise.'),
  })
  .openapi('OutcomeForecast');

export const OutcomeResponse = z
  .object({
    id: z.uuid(),
    session_id: z.string(),
    subject_id: z.string(),
    predicate: z.string(),
    value: z.string(),
    scope: z.string().nullable().describe('As it was sent, like both times.'),
    event_start_time: z.string().nullable(),
    event_end_time: z.string().nullable(),
    known_at: time,
    recorded_at: time,
    recorded_by: z.string().describe('Id of the user or service account.'),
    note: z.string().nullable(),
    url: z.string().nullable(),
    forecast: OutcomeForecast.nullable().describe(
      'What the last judgement before `known_at` said; null where there was none, it named no value, or a rating such as `Misleading` led and the outcome is yes or no.',
    ),
    caution: z
      .string()
      .nullable()
      .describe(
        'Where the outcome counts nowhere, where values were tied, where claims on the question are of other scopes or times than was scored, and where outcome and leading value may be meant as one and were compared as two, such as `300` and `300 m`, `1.2e3` and `1,200`, or `Zurich` and `Zürich`.',
      ),
  })
  .openapi('OutcomeResponse');

export const CalibrationQuery = z.object({
  domain: z
    .string()
    .transform((domain) => canonicalWord(DOMAINS, domain) ?? domain)
    .pipe(z.enum(DOMAINS, { error: `must be one of ${DOMAINS.join(', ')}` }))
    .optional()
    .describe('Only judgements of this domain, in any case.'),
  mine: z.boolean().default(false).describe('Only your own sessions.'),
});

const scoreFields = {
  scored: z.int().describe('Outcomes that a judgement had a forecast for.'),
  accuracy: z.number().nullable().describe('Share of forecasts whose leading value was right.'),
  brier: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Mean squared error of the chances; less is better, 0 is best, 0.25 is a coin.'),
  log_score: z
    .number()
    .min(0)
    .max(7)
    .nullable()
    .describe(
      'Mean −ln of the chance given to what came about: that the leading value is right, or that it is not. Nats; less is better, 0.69 is a coin. A chance counts as 0.001 to 0.999, so that the score is 0.001 to 6.91.',
    ),
  calibration_error: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Mean distance between chance and share of right answers over ten bins; 0 is best.'),
};

/** How right judgements were. */
export const CalibrationResponse = z
  .object({
    outcomes: z.int().describe('Scored and unscored ones together.'),
    unscored: z
      .int()
      .describe(
        'Recorded outcomes that no judgement before had named a value for. A domain is that of the judgement, so with `domain` there are none of these.',
      ),
    ...scoreFields,
    bins: z
      .array(
        z.object({
          from: z.number(),
          to: z.number(),
          count: z.int(),
          mean_chance: z.number().nullable().describe('null in an empty bin, as share_right is.'),
          share_right: z.number().nullable(),
        }),
      )
      .describe('Ten bins of equal width by the chance of the leading value: a reliability diagram.'),
    domains: z.array(z.object({ domain: z.string(), ...scoreFields })).describe('By number of outcomes.'),
  })
  .openapi('CalibrationResponse');

const mineOfRecords = z
  .boolean()
  .default(true)
  .describe(
    'true: only outcomes of sessions that you own; false: of all that you may read, those that others invited you to included. `owners` says whose they are.',
  );

const owners = z
  .array(
    z.object({
      owner_id: z.string().describe('User or service account that owns the sessions.'),
      outcomes: z.int(),
      statements: z.int(),
    }),
  )
  .describe('Whose sessions the outcomes are recorded in, most statements first; at most 20.');

export const ListSourceRecords = z.object({
  name_filter: storable().optional().describe('Part of the name, in any case.'),
  mine: mineOfRecords,
  limit: z.int().min(1).max(200).default(50).describe('Sources of a page.'),
  cursor: z.int().min(0).default(0).describe('Where the page before ended.'),
});

export const SourceRecord = z
  .object({
    name: z.string(),
    source_type: z.enum(SOURCE_TYPES),
    statements: z.int().describe('Statements whose outcome is known.'),
    right: z.int().describe('Of these, statements that were right.'),
    declared_reliability: z
      .number()
      .describe(
        'Mean reliability that the judgements started from, of sources with an applied record the one declared before it.',
      ),
    reliability: z
      .object({ mean: z.number(), low: z.number(), high: z.number() })
      .describe('By the record, with its 90 % interval; the declared one counts as ten statements.'),
    owners,
  })
  .openapi('SourceRecord');

export const ApplySourceRecordsRequest = z
  .strictObject({
    statements_min: z
      .int()
      .min(1)
      .max(1000)
      .default(5)
      .describe(
        'Sources with fewer statements of known outcome are left as they are, or put back to what a record was written over.',
      ),
    replace: z
      .boolean()
      .default(false)
      .describe('true also replaces a base_reliability that the session states and no record gave.'),
    mine: mineOfRecords,
  })
  .openapi('ApplySourceRecordsRequest');

export const ApplySourceRecords = ApplySourceRecordsRequest.extend(SessionReference.shape);

export const ApplySourceRecordsResponse = z
  .object({
    session_id: z.string(),
    applied: z.array(
      z.object({
        actor_id: z.string(),
        name: z.string(),
        before: z.number().nullable().describe('base_reliability before; null where it had none.'),
        base_reliability: z.number(),
        statements: z.int().describe('Statements whose outcome is known.'),
        right: z.int().describe('Of these, statements that were right.'),
        owners,
      }),
    ),
    put_back: z
      .array(
        z.object({
          actor_id: z.string(),
          name: z.string(),
          before: z.number().nullable().describe('What a record had given it.'),
          base_reliability: z.number().nullable().describe('What it had before; null = none.'),
        }),
      )
      .describe('Sources whose number was that of a record which is gone, or has too few statements.'),
    kept: z.int().describe('Sources left as they are.'),
  })
  .openapi('ApplySourceRecordsResponse');
