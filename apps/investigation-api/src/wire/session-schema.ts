import { ROLES } from '../model/role.ts';
import type { Field } from '@platform/opinion-fusion';
import { ENTITY_KINDS, OBJECTS } from '@platform/opinion-fusion';
import { ENTITY_FAMILIES } from './entity-kinds.ts';
import { INPUT_SCHEMAS } from './investigation-schema.ts';
import { z } from '@platform/error-contracts/zod-openapi';
import { QuoteChecks } from './quote-schema.ts';
import { storable } from './storable.ts';
import { agePart, InvestigationResult, InvestigationSummary } from './result-schema.ts';

/** Shapes of what is sent to and returned by the operations on sessions. */

const SESSION_NAME_CHARACTERS_MAX = 2000;

/** A point in time as responses give it: RFC 3339 in UTC. */
export const time = z.iso.datetime();
const Input = INPUT_SCHEMAS.InvestigationInput;
const Result = z.union([InvestigationResult, InvestigationSummary]);

/**
 * Longest id of a session and of its items: percent-encoded three times as long, it still fits a URL. Bytes
 * of UTF-8.
 */
const ID_BYTES_MAX = 512;
export const ID_TOO_LONG = `must have at most ${ID_BYTES_MAX} bytes of UTF-8, so that a URL can carry it`;

/** Whether an id is longer than what the operations on sessions take. */
export function isIdTooLong(id: string): boolean {
  return id.length > ID_BYTES_MAX || new TextEncoder().encode(id).length > ID_BYTES_MAX;
}

const sessionName = () =>
  storable()
    .refine((name) => name.trim() !== '', { error: 'must not be empty or white space alone' })
    .refine((name) => [...name].length <= SESSION_NAME_CHARACTERS_MAX, {
      error: `must have at most ${SESSION_NAME_CHARACTERS_MAX} characters`,
    })
    .meta({ minLength: 1, maxLength: SESSION_NAME_CHARACTERS_MAX });

const sessionId = z.string().describe('Id of the session.');

export const SessionReference = z.object({ session_id: sessionId });

export const CreateSessionRequest = z
  .object({
    name: sessionName().describe('What the session is called.'),
    payload: Input.nullish().describe('The investigation; an empty one when left out.'),
    session_id: storable()
      .min(1, 'must not be empty')
      .refine((id) => id !== '.' && id !== '..', { error: 'must not be `.` or `..`, which no URL can name' })
      .refine((id) => !isIdTooLong(id), { error: ID_TOO_LONG })
      .nullish()
      .describe(
        'Any text of at most 512 bytes, unique among the sessions of the tenant; made by the service when left out.',
      ),
  })
  .openapi('CreateSessionRequest');

const ownerFields = {
  owner_id: z.string(),
  owner_name: z.string().nullable().describe('Null where it is not known now.'),
  role: z
    .enum(['owner', ...ROLES])
    .nullable()
    .describe('What you are to it; null: a policy lets you in.'),
};

const warnings = z
  .array(z.string())
  .describe('What had no effect, and what keeps the session from being judged as it stands.');

export const CreateSessionResponse = z
  .object({ session_id: z.string(), warnings })
  .openapi('CreateSessionResponse');

export const interpretationFields = {
  interpretation: z.string().nullable(),
  interpretation_updated_at: time.nullable(),
  interpretation_predates_judgement: z
    .boolean()
    .describe('Whether the session was judged after the interpretation was written.'),
};

/** How a share is presented; null for what is not set. */
export const presentedFields = {
  answer_finding: z.object({ subject_id: z.string(), predicate: z.string() }).nullable(),
  patterns: z.record(z.string(), z.string()).nullable(),
  byline: z.string().nullable(),
  publisher: z.string().nullable(),
  contact: z.string().nullable(),
};

export const SessionResponse = z
  .object({
    session_id: z.string(),
    name: z.string(),
    ...ownerFields,
    payload: Input,
    version: z.string().describe('Another one after every write; see `expected_version`.'),
    created_at: time,
    updated_at: time,
    ...interpretationFields,
    judged_at: time.nullable(),
    has_share: z.boolean().describe('Whether it has a share, public or hidden.'),
    presentation: z
      .object(presentedFields)
      .describe(
        'How its share words and signs the findings, public or not, for all who may read the session.',
      ),
    last_result: Result.nullable(),
  })
  .openapi('SessionResponse');

const LeadingAnswer = z
  .object({
    subject_id: z.string(),
    predicate: z.string(),
    text: z.string().describe('`Probably Wilbur and Orville Wright (chance 78 %)`, as the page begins.'),
    calibrated_probability: z.number().min(0).max(1).nullable().describe('null where no value counts.'),
  })
  .openapi('LeadingAnswer')
  .describe('The finding that its author marked as the answer, or the first.');

export const SessionMeta = z
  .object({
    id: z.string(),
    name: z.string(),
    ...ownerFields,
    created_at: time,
    updated_at: time.describe('When name, settings or items last changed.'),
    judged_at: time.nullable(),
    claim_count: z.int().min(0).describe('Claims of the investigation as it is now.'),
    leading_answer: LeadingAnswer.nullable().describe(
      'What the last judgement answers; null where there is none, without a verdict, and where it could not be read now.',
    ),
  })
  .openapi('SessionMeta');

const MOMENT = z.union([
  z.iso.datetime({ offset: true, local: true }),
  z.iso.date(),
  z.string().regex(/^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/),
]);
/**
 * `T` and `Z` in either case (RFC 3339 §5.6). Published as plain text, because its patterns would lengthen
 * the list of tools that MCP clients read.
 */
export const moment = z.string().refine((text) => MOMENT.safeParse(text.toUpperCase()).success, {
  error: 'must be an ISO 8601 date or date-time such as 2026-05-01 or 2026-05-01T12:00:00Z',
});

export const ListSessions = z.object({
  has_result: z.boolean().optional().describe('Only judged ones, or only others.'),
  limit: z.int().min(1).max(200).default(50).describe('Sessions of a page.'),
  offset: z.int().min(0).default(0).describe('Sessions to skip.'),
  mine: z.boolean().default(false).describe('Only your own.'),
  cursor: z.int().min(0).optional().describe('Where the page before ended.'),
  name_filter: z.string().optional().describe('Part of the name, in any case.'),
  sort: z.enum(['updated_at', 'created_at', 'name']).default('updated_at').describe('Times latest first.'),
  updated_after: moment.optional().describe('Changed later, ISO 8601; a day is its start.'),
  updated_before: moment.optional().describe('Changed earlier; the same.'),
});

/** Fields of an investigation beside its lists: each may be sent with an update. */
const scalars = Object.entries(OBJECTS.InvestigationInput).filter(([, field]) => field.kind !== 'list');

function optionalScalar([name, field]: [string, Field]) {
  const schema = Input.shape[name] as z.ZodType;
  return [
    name,
    schema.optional().describe(`${field.description}${field.nullable ? ' null clears.' : ''}`),
  ] as const;
}

/** The fields of an update besides those of an investigation. */
export const UpdateApart = z.object({
  ...Object.fromEntries(
    ENTITY_FAMILIES.map(({ removalsField }) => [
      removalsField,
      z.array(z.string()).optional().describe('Removed after merging.'),
    ]),
  ),
  moves: z
    .array(z.object({ kind: z.enum(ENTITY_KINDS), id: z.string(), before: z.string().nullable() }))
    .optional()
    .describe('Done last, in turn. before: an item of the list, null = its end.'),
  name: sessionName().nullish().describe('Renames the session.'),
  expected_version: z
    .string()
    .optional()
    .describe('Refused with a conflict unless the session has this version.'),
});

export const UpdateSessionRequest = z
  .object({
    ...Object.fromEntries(
      ENTITY_FAMILIES.map(({ kind, object }) => [
        kind,
        z
          .array(INPUT_SCHEMAS[object])
          .optional()
          .describe('Each is added, or replaces the item with the same id.'),
      ]),
    ),
    ...Object.fromEntries(scalars.map(optionalScalar)),
    ...UpdateApart.shape,
  })
  .openapi('UpdateSessionRequest');

export const UpdateSession = SessionReference.extend(UpdateSessionRequest.shape);

export const UpdateSessionStatus = z
  .object({
    session_id: z.string(),
    status: z.literal('updated'),
    added: z.int().describe('Items added.'),
    replaced: z.int().describe('Items replaced.'),
    removed: z.int().describe('Items removed.'),
    version: z.string().describe('The version that this update made.'),
    warnings,
  })
  .openapi('UpdateSessionStatus');

/** The errors and warnings that judging an investigation would give. */
export const ValidationResponse = z
  .object({
    is_valid: z.boolean().describe('Whether the investigation can be judged.'),
    problems: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('What keeps it from being judged, at most 50.'),
    problem_count: z.int(),
    warnings: z.array(z.string()).describe('The warnings that its judgement would have.'),
  })
  .openapi('ValidationResponse');

/** A session is validated as it is stored. */
export const ValidateSession = z.strictObject({}).openapi('ValidateSessionRequest');

export const JudgeOverride = z
  .strictObject({
    summary_mode: z
      .boolean()
      .nullish()
      .describe('true compact, false full, null or left out as stored. For this run alone.'),
  })
  .openapi('JudgeOverride');

export const JudgeSession = JudgeOverride.extend(SessionReference.shape);

/** Absent where no quote is pinned. */
const quotes = QuoteChecks.optional();

export const JudgeResponse = z
  .object({ session_id: z.string(), result: Result, quotes })
  .openapi('JudgeResponse');

export const JudgementMeta = z
  .object({
    id: z.uuid(),
    session_id: z.string(),
    judged_at: time,
    duration_ms: z.int32().nullable(),
  })
  .openapi('JudgementMeta');

export const JudgementRecord = z
  .object({
    id: z.uuid(),
    session_id: z.string(),
    judged_at: time,
    input_snapshot: Input.describe(
      'The input as it was judged: judged again as of judged_at it gives the same result.',
    ),
    result: Result,
    duration_ms: z.int32().nullable(),
    quotes,
  })
  .openapi('JudgementRecord');

export const JudgementReference = SessionReference.extend({
  judgement_id: z.string().describe('UUID of the judgement.'),
});

/** A judgement by its id, or by a time. */
const judgementOrTime = z
  .string()
  .refine((text) => z.guid().safeParse(text).success || moment.safeParse(text).success, {
    error:
      'must be the UUID of a judgement, or an ISO 8601 date or date-time such as 2026-05-01 or 2026-05-01T12:00:00Z',
  });

export const CompareJudgements = SessionReference.extend({
  before: judgementOrTime
    .optional()
    .describe(
      'UUID, or a day or time for the last judgement by then, a day from its start; the one before `after` unless given.',
    ),
  after: judgementOrTime.optional().describe('The same, a day to its end; the latest unless given.'),
  limit: z.int().min(1).max(200).default(20).describe('Verdicts in the response.'),
  offset: z.int().min(0).default(0).describe('Verdicts to pass over.'),
});

const saidPlace = {
  scope: z.string().optional(),
  event_start_time: z.string().optional(),
  event_end_time: z.string().optional(),
};
const saidAnswer = {
  value: z.string().optional(),
  valence: z.literal('Refutes').optional().describe('Present where the claim denies its value.'),
  ...saidPlace,
};

const ItemChange = z
  .object({
    change: z.enum(['added', 'removed', 'replaced']),
    kind: z.enum(ENTITY_FAMILIES.map(({ kind }) => kind)),
    id: z.string(),
    subject_id: z
      .string()
      .optional()
      .describe('Of a claim, as predicate, actor_id, value, valence, scope and times.'),
    predicate: z.string().optional(),
    ...saidAnswer,
    actor_id: z.string().optional(),
    value_before: z
      .string()
      .optional()
      .describe('Of a replaced claim, the value that it had, where it has another.'),
    said_before: z
      .object(saidAnswer)
      .optional()
      .describe('Of a replaced claim, what it answered, where value, valence, scope or times differ.'),
    fields: z
      .array(z.string())
      .optional()
      .describe('Of a replaced item, the names of the fields that differ.'),
    name: z
      .string()
      .optional()
      .describe('Name or words by which people know the item, of a claim those of its source; shortened.'),
    statement: z.string().optional().describe('Of a claim, what it says, as a sentence with scope and time.'),
    differences: z
      .array(z.string())
      .optional()
      .describe(
        'Of a replaced item, how it differs besides what a claim says: `was withdrawn`, `weight 0.5 → 0.9`.',
      ),
  })
  .openapi('ItemChange');

const ComparedVerdict = z
  .object({
    truth_status: z
      .string()
      .optional()
      .describe('Absent of a value that another one leads in another scope or of another time.'),
    leading_value: z.string().nullable().describe('Said in the scope and of the times next to it, if any.'),
    ...saidPlace,
    tied: z
      .array(z.string())
      .optional()
      .describe('The values that are tied, so that none leads and leading_value is null.'),
    tied_places: z
      .array(z.object(saidPlace))
      .optional()
      .describe('Where and when each of these is said, where one of them names any.'),
    denied: z
      .literal(true)
      .optional()
      .describe('Present where claims there only deny leading_value and it is not likely, or no leads.'),
    value_place: z
      .object(saidPlace)
      .optional()
      .describe('Where and when `value` of the move is said, where another value leads.'),
    likelier: z
      .object({ value: z.string(), chance: z.number() })
      .optional()
      .describe('Present where another value is likelier than the one that leads by weight; the likeliest.'),
    chance: z
      .number()
      .nullable()
      .describe(
        'Chance that `value` of the move is right; null, which the move takes for 0, where no value counts, or claims only deny the value and one of the judgements gives it no chance.',
      ),
    ...agePart,
  })
  .openapi('ComparedVerdict');

const VerdictMove = z
  .object({
    subject_id: z.string(),
    subject_name: z.string(),
    predicate: z.string(),
    statement: z.string().optional().describe('That `value` is so, as a sentence.'),
    value: z
      .string()
      .nullable()
      .describe(
        'The value whose chance is followed: what leads or is denied after, else before; of values that are tied, the one of these that led before, else the first.',
      ),
    before: ComparedVerdict.nullable().describe('null where the judgement has no such answer.'),
    after: ComparedVerdict.nullable(),
    move: z.number().describe('Chance after less chance before.'),
    parts: z
      .array(
        z.object({
          cause: z
            .enum(['items', 'settings', 'time', 'engine'])
            .describe(
              'Changed items or settings, age between the judgements, or another version of the engine.',
            ),
          items: z.array(ItemChange).describe('At most 50.'),
          item_count: z.int(),
          settings: z.array(z.string()),
          move: z.number(),
        }),
      )
      .describe('Sum to `move`; changes that move a verdict only together share what they moved.'),
  })
  .openapi('VerdictMove');

/** What changed between two judgements of a session. */
export const JudgementComparison = z
  .object({
    session_id: z.string(),
    before: z.object({ id: z.uuid(), judged_at: time }),
    after: z.object({ id: z.uuid(), judged_at: time }),
    changes: z.array(ItemChange).describe('Items that came, went or were replaced, at most 50.'),
    change_count: z.int(),
    settings: z.array(z.string()).describe('Names of the settings that changed.'),
    verdicts: z
      .array(VerdictMove)
      .describe(
        'Verdicts that changed, one for each scope and time that a question has an answer in and for each value that claims only deny: those with another truth status or value, or one of another scope or time, first, then by move. Answers of different places are one where the same claim says both. A chance has changed that moved by 0.001 or more, altogether or in a part.',
      ),
    changed_verdicts: z.int(),
    unchanged_verdicts: z.int().describe('The others; their chance moved by less than 0.001.'),
  })
  .openapi('JudgementComparison');

/** A page shows an interpretation whole, and a link in it becomes ten times as long there. Characters. */
const INTERPRETATION_LENGTH_MAX = 100_000;

export const SetInterpretationRequest = z
  .strictObject({
    interpretation: z
      .string()
      .max(INTERPRETATION_LENGTH_MAX)
      .nullish()
      .describe('Free text; null or left out clears.'),
  })
  .openapi('SetInterpretationRequest');

export const SetInterpretation = SessionReference.extend(SetInterpretationRequest.shape);

export const InterpretationResponse = z
  .object({
    session_id: z.string(),
    ...interpretationFields,
  })
  .openapi('InterpretationResponse');

export const ExplainVerdict = SessionReference.extend({
  subject_id: z.string().describe('Subject of the verdict.'),
  predicate: z.string().describe('Predicate of the verdict.'),
});
