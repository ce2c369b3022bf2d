import { ENTITY_OPERATIONS } from '../operations/entities.ts';
import { PRESENTATION_FIELDS } from '../wire/presentation.ts';
import * as schemas from '../wire/session-schema.ts';
import * as shares from '../wire/share-schema.ts';
import { z } from 'zod';
import { comparisonText } from './comparison-text.ts';
import {
  interpretationText,
  itemText,
  judgementListText,
  judgedText,
  judgementText,
  previewText,
  sessionListText,
  sessionText,
  shareListText,
  shareText,
  updatedText,
  validationText,
} from './response-text.ts';
import { READING_AN_EXPLANATION, READING_A_RESULT } from './docs.ts';
import { EXAMPLE_INVESTIGATION, EXAMPLE_ITEMS, EXAMPLE_JUDGEMENT_ID, EXAMPLE_SESSION } from './examples.ts';
import {
  compactComparison,
  compactExplanation,
  compactJudgement,
  compactResult,
  compactSession,
} from './compact-response.ts';
import { EXPLAINED_MAX, explanationPart } from './explanation-part.ts';
import { explanationText } from './explanation-text.ts';
import { sessionTool } from './session-tool.ts';
import type { JsonSchema } from './tool-schema.ts';
import { idsBare, outline, outlined, topLevel } from './tool-schema.ts';
import type { Tool } from './tool.ts';
import { ADDS, DELETES, PUBLISHES, READS, SETS } from './tool.ts';
import { warningLines } from './warning-lines.ts';

const CREATE = 'create_investigation_session';
const JUDGE = 'judge_investigation_session';
const LATEST = 'get_latest_session_judgement';
const NEEDS_SESSION = [CREATE];
const NEEDS_JUDGEMENT = [CREATE, JUDGE];
const PART =
  'With `limit` or `offset` the response has that part of the verdicts, the most decided first, in `verdicts`, each whole with detail full, and neither the input nor the rest of the result; `next_offset` is where the next part begins.';
const AS_FILE = 'and export_session (toolset files) all of it as a file';
const WITH_LIMIT = `ask with limit and offset for the verdicts part by part; ${AS_FILE.slice(4)}`;
const READING_A_RECORD = `\`result\` is what the judgement found, \`input_snapshot\` the input as it was judged.\n\n${PART}\n\n${READING_A_RESULT}`;

/** Tools on whole sessions and their judgements. */
export const SESSION_TOOLS: readonly Tool[] = [
  sessionTool(CREATE, {
    toolset: 'sessions',
    annotations: ADDS,
    description: 'Stores an investigation to work on over time. Give a session_id if it may be repeated.',
    input: schemas.CreateSessionRequest.extend({
      name: schemas.CreateSessionRequest.shape.name.nullish().default('Untitled'),
      payload: schemas.CreateSessionRequest.shape.payload.describe(
        'What submit_investigation takes; empty when left out.',
      ),
    }),
    listing: topLevel,
    defaults: { name: 'Untitled' },
    example: { ...EXAMPLE_SESSION, name: 'Harbour bridge', payload: EXAMPLE_INVESTIGATION },
    reading: '`session_id` names the session in every other tool.',
    text: ({ session_id, warnings }: z.output<typeof schemas.CreateSessionResponse>) =>
      [`Session ${session_id} is created.`, ...warningLines(warnings)].join('\n'),
  }),
  sessionTool('list_investigation_sessions', {
    toolset: 'sessions',
    annotations: READS,
    description: 'Finds sessions you may read.',
    input: schemas.ListSessions.omit({ mine: true }),
    listing: topLevel,
    arrayKey: 'sessions',
    example: { name_filter: 'bridge', has_result: false, sort: 'name', limit: 10 },
    reading:
      'Where `next_cursor` is given there may be more, even after a short page: ask again with it as `cursor`.',
    text: sessionListText,
  }),
  sessionTool('get_investigation_session', {
    toolset: 'sessions',
    annotations: READS,
    description:
      'Reads a session: counts, interpretation and the essentials of its last result; detail full: all.',
    input: schemas.SessionReference,
    example: EXAMPLE_SESSION,
    exampleNeeds: NEEDS_SESSION,
    reading:
      '`payload_counts` tells how many items the investigation has; with detail full `payload` holds it as it stands. It may have changed since `last_result` was judged at `judged_at`. With `limit` or `offset` it has that part of the verdicts.',
    compact: { data: compactSession },
    verdicts: { member: 'last_result' },
    text: sessionText,
    hint: `leave out detail: limit and offset then give the verdicts part by part, ${AS_FILE}`,
    whole: 'call export_session (toolset files) with format json for the claims that were judged',
  }),
  sessionTool('update_investigation_session', {
    toolset: 'sessions',
    annotations: SETS,
    description:
      'Changes a session: adds items or replaces those of their id, removes, then moves; sets fields as in submit_investigation.',
    input: schemas.UpdateSession,
    listing: outline,
    example: {
      ...EXAMPLE_SESSION,
      claims: [EXAMPLE_ITEMS.claims],
      remove_evidence_ids: ['e1'],
      domain: 'News',
    },
    exampleNeeds: NEEDS_SESSION,
    reading: '`warnings` name what had no effect, and what keeps the session from being judged.',
    text: updatedText,
  }),
  sessionTool('validate_investigation_session', {
    toolset: 'sessions',
    annotations: READS,
    description: 'Lists what judging would refuse or warn of.',
    input: schemas.SessionReference,
    compact: {},
    example: EXAMPLE_SESSION,
    exampleNeeds: NEEDS_SESSION,
    reading: 'With `is_valid` false fix the `problems`: `path` says where, in the lists of the session.',
    text: validationText,
  }),
  sessionTool(JUDGE, {
    toolset: 'sessions',
    annotations: ADDS,
    description:
      'Judges a session as it stands and keeps the judgement. Returns its essentials; detail full: all.',
    input: schemas.JudgeSession,
    listing: (input) => outlined(idsBare(input), ['summary_mode']),
    example: { ...EXAMPLE_SESSION, summary_mode: false },
    exampleNeeds: NEEDS_SESSION,
    reading: `${PART}\n\n${READING_A_RESULT}`,
    compact: { data: compactResult },
    verdicts: { member: 'result', next: LATEST },
    link: ['/result', 'The result in full'],
    text: judgedText,
    hint: `the judgement is kept: ${LATEST} with limit and offset gives its verdicts part by part, ${AS_FILE}`,
  }),
  sessionTool('explain_verdict', {
    toolset: 'sessions',
    annotations: READS,
    description:
      'Why the last judgement says so: what each source adds, the sources it hangs on, the fewest claims whose removal changes it.',
    input: schemas.ExplainVerdict,
    compact: { data: compactExplanation },
    example: { ...EXAMPLE_SESSION, subject_id: 'bridge', predicate: 'closed' },
    exampleNeeds: NEEDS_JUDGEMENT,
    reading: READING_AN_EXPLANATION,
    lists: { usual: EXPLAINED_MAX, part: explanationPart },
    text: explanationText,
    hint: 'ask with limit and offset for its contributions part by part',
  }),
  sessionTool('set_session_interpretation', {
    toolset: 'sessions',
    annotations: SETS,
    description: 'Keeps your reading of the last result, also for shares; null clears it.',
    input: schemas.SetInterpretation,
    example: { ...EXAMPLE_SESSION, interpretation: 'The authority is right: the bridge was closed.' },
    exampleNeeds: NEEDS_JUDGEMENT,
    reading:
      'The interpretation stays when the session is judged again; `interpretation_updated_at` tells which came first.',
    text: interpretationText,
  }),
  sessionTool('list_session_judgements', {
    toolset: 'sessions',
    annotations: READS,
    description: 'Lists judgements of a session, latest first.',
    input: schemas.SessionReference,
    arrayKey: 'judgements',
    compact: {},
    example: EXAMPLE_SESSION,
    exampleNeeds: NEEDS_SESSION,
    reading: '`id` is the judgement_id of get_session_judgement.',
    text: judgementListText,
  }),
  sessionTool('compare_judgements', {
    toolset: 'sessions',
    annotations: READS,
    description:
      'What changed between two judgements, the last two unless named, and how far each change moved each verdict.',
    input: schemas.CompareJudgements,
    listing: outline,
    compact: { defaults: { limit: 5 }, data: compactComparison },
    example: { ...EXAMPLE_SESSION, before: EXAMPLE_JUDGEMENT_ID, after: EXAMPLE_JUDGEMENT_ID },
    exampleNeeds: [...NEEDS_JUDGEMENT, 'list_session_judgements, which tells the ids to put in'],
    reading:
      '`verdicts` lists those that changed: `move` is the change of the chance of `value`, and `parts` with `other_parts` sum to it. More are at `offset` + `limit` while that is below `changed_verdicts`.',
    text: comparisonText,
  }),
  sessionTool(LATEST, {
    toolset: 'sessions',
    annotations: READS,
    description: 'Reads the latest judgement and the input it judged.',
    input: schemas.SessionReference,
    example: EXAMPLE_SESSION,
    exampleNeeds: NEEDS_JUDGEMENT,
    reading: READING_A_RECORD,
    compact: { data: compactJudgement },
    verdicts: { member: 'result' },
    text: judgementText,
    hint: WITH_LIMIT,
  }),
  sessionTool('get_session_judgement', {
    toolset: 'sessions',
    annotations: READS,
    description: 'Reads a judgement of a session with the input it judged.',
    input: schemas.JudgementReference,
    example: { ...EXAMPLE_SESSION, judgement_id: EXAMPLE_JUDGEMENT_ID },
    exampleNeeds: [...NEEDS_JUDGEMENT, 'list_session_judgements, which tells the judgement_id to put in'],
    reading: READING_A_RECORD,
    compact: { data: compactJudgement },
    verdicts: { member: 'result' },
    text: judgementText,
    hint: WITH_LIMIT,
  }),
  sessionTool('delete_investigation_session', {
    toolset: 'sessions',
    annotations: DELETES,
    description: 'Deletes a session for good, with its judgements and share. Ask your user first.',
    input: schemas.SessionReference,
    example: EXAMPLE_SESSION,
    exampleNeeds: NEEDS_SESSION,
    reading: 'Nothing of the session is left; a second call finds no such session.',
    text: () => 'The session is deleted.',
  }),
];

/** Tools that publish a session. */
export const SHARE_TOOLS: readonly Tool[] = [
  sessionTool('share_investigation_session', {
    toolset: 'shares',
    annotations: { ...ADDS, ...PUBLISHES },
    description:
      'public true publishes a snapshot of the last judgement to anyone with the link, false hides it. Ask your user first. get_investigation_session_share only reads the link.',
    input: shares.PutShare.extend({
      public: shares.PutShare.shape.public.unwrap(),
    }),
    required: {
      public:
        'give true to publish a new snapshot, false to hide the share; to read its link and state, call get_investigation_session_share',
    },
    listing: (input) => outlined(idsBare(input), [...PRESENTATION_FIELDS, 'slug', 'show_changes']),
    example: { ...EXAMPLE_SESSION, public: true, slug: 'harbour-bridge', preferred_pane: 'overview' },
    exampleNeeds: NEEDS_JUDGEMENT,
    reading: '`url` is the link. It stays the same when the session is shared again.',
    text: shareText,
  }),
  sessionTool('update_investigation_session_share', {
    toolset: 'shares',
    annotations: { ...SETS, ...PUBLISHES },
    description:
      'Changes what is named of a share; answer_finding ({subject_id, predicate}) marks the answer; snapshot renews it. Ask your user first.',
    input: shares.UpdateShare,
    listing: outline,
    example: { ...EXAMPLE_SESSION, preferred_pane: 'mesh' },
    exampleNeeds: [...NEEDS_JUDGEMENT, 'share_investigation_session'],
    reading: '`snapshot_taken_at` stays as it was unless `snapshot` was true.',
    text: shareText,
  }),
  sessionTool('preview_investigation_session_share', {
    toolset: 'shares',
    annotations: READS,
    description:
      'Shows what publishing would make public: sources, statements, evidence, interpretation. Publishes nothing.',
    input: schemas.SessionReference,
    compact: {},
    example: EXAMPLE_SESSION,
    exampleNeeds: NEEDS_JUDGEMENT,
    reading: '`warnings` name what your user may want to fix first.',
    text: previewText,
  }),
  sessionTool('get_investigation_session_share', {
    toolset: 'shares',
    annotations: READS,
    description: 'Reads link and state of the share of your session.',
    input: schemas.SessionReference,
    example: EXAMPLE_SESSION,
    exampleNeeds: [...NEEDS_JUDGEMENT, 'share_investigation_session'],
    reading: 'Where `is_public` is false, the link returns 404.',
    text: shareText,
  }),
  sessionTool('list_investigation_session_shares', {
    toolset: 'shares',
    annotations: READS,
    description: 'Lists your shares, hidden ones too.',
    input: z.object({}),
    arrayKey: 'shares',
    compact: {},
    example: {},
    reading: 'The share changed last comes first.',
    text: shareListText,
  }),
];

/**
 * An item as it was sent: clients check responses, and words in any case and further fields are kept as they
 * came.
 */
const ITEM: JsonSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

/** Three tools for each of the six lists. */
export const ENTITY_TOOLS: readonly Tool[] = ENTITY_OPERATIONS.flatMap((family) => {
  const { kind, entity, idField, names } = family;
  const item = EXAMPLE_ITEMS[kind];
  const reference = { ...EXAMPLE_SESSION, [idField]: item.id };
  return [
    sessionTool(names.get, {
      toolset: 'entities',
      annotations: READS,
      description: `Reads one of the ${kind} of a session.`,
      input: family.Reference,
      output: ITEM,
      compact: {},
      example: reference,
      exampleNeeds: [...NEEDS_SESSION, names.upsert],
      reading: 'The item as it was sent.',
      text: itemText,
    }),
    sessionTool(names.upsert, {
      toolset: 'entities',
      annotations: SETS,
      description: `Adds one of the ${kind} to a session, or replaces the one with its id as a whole.`,
      input: family.Upsert,
      output: ITEM,
      compact: {},
      example: { ...EXAMPLE_SESSION, [entity]: item },
      exampleNeeds: NEEDS_SESSION,
      reading: 'The item as it is stored now. What it refers to is checked when the session is judged.',
      text: itemText,
    }),
    sessionTool(names.remove, {
      toolset: 'entities',
      annotations: DELETES,
      description: `Deletes one of the ${kind} of a session; what refers to it stays.`,
      input: family.Reference,
      example: reference,
      exampleNeeds: [...NEEDS_SESSION, names.upsert],
      reading: 'A second call finds no such item.',
      text: () => `Deleted from the ${kind}.`,
    }),
  ];
});
