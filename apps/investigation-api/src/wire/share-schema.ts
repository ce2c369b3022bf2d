import { z } from '@platform/error-contracts/zod-openapi';
import { interpretationFields, presentedFields, SessionReference, time } from './session-schema.ts';
import { storable } from './storable.ts';

/** Shapes of what is sent to and returned by the operations on shares. */

/** Panes that a share may open with. Written out, because workers load this file without the viewer. */
export const PANES = ['overview', 'sources', 'timeline', 'mesh', 'distinctions', 'audit'] as const;

/** Longest text of a person or a publisher, and longest pattern of a sentence. Characters. */
const PRESENTED_CHARACTERS_MAX = 200;
const PATTERNS_MAX = 200;

/** A place in a pattern that nothing fills, such as a misspelt one. */
const OTHER_PLACE = /\{(?!(?:subject|value)\})[^{}]*\}/;

const presented = (description: string) =>
  storable()
    .refine((text) => text.trim() !== '', { error: 'must not be empty or white space alone' })
    .refine((text) => [...text].length <= PRESENTED_CHARACTERS_MAX, {
      error: `must have at most ${PRESENTED_CHARACTERS_MAX} characters`,
    })
    .meta({ minLength: 1, maxLength: PRESENTED_CHARACTERS_MAX })
    .nullish()
    .describe(description);

/** How a share is presented: all of it as it is when left out, removed by null. */
const presentationFields = {
  answer_finding: z
    .strictObject({ subject_id: storable(), predicate: storable() })
    .nullish()
    .describe('The finding that answers the question; the first unless given. null clears.'),
  patterns: z
    .record(
      storable(),
      storable()
        .refine((pattern) => pattern.includes('{subject}'), { error: 'must contain {subject}' })
        .refine((pattern) => !OTHER_PLACE.test(pattern), {
          error: 'may have no place but {subject} and {value}',
        })
        .refine((pattern) => [...pattern].length <= PRESENTED_CHARACTERS_MAX, {
          error: `must have at most ${PRESENTED_CHARACTERS_MAX} characters`,
        }),
    )
    .refine((patterns) => Object.keys(patterns).length <= PATTERNS_MAX, {
      error: `must have at most ${PATTERNS_MAX} patterns`,
    })
    .nullish()
    .describe(
      'Sentence by predicate, as `{subject} was built by {value}`; guessed unless given. null clears.',
    ),
  byline: presented('Who wrote it. null clears.'),
  publisher: presented('Who publishes it. null clears.'),
  contact: presented('Where readers write to. null clears.'),
};

/** What a request says about how a share is presented. */
export type SharePresentation = Partial<z.output<z.ZodObject<typeof presentationFields>>>;

export const SetShareRequest = z
  .strictObject({
    public: z
      .boolean()
      .default(false)
      .describe('true takes a new snapshot of the last judgement and shows it; false hides the share.'),
    slug: z
      .string()
      .optional()
      .describe(
        'Words for the URL; lower case, digits and hyphens are kept, at most 64. As it is when left out.',
      ),
    preferred_pane: z.enum(PANES).optional().describe('Opens first. As it is when left out.'),
    ...presentationFields,
    show_changes: z
      .boolean()
      .optional()
      .describe(
        'true shows readers, at the path of the page with /changes, what changed since the publication that they see now; needs a new snapshot. Left out, only a judgement that is published again keeps it.',
      ),
  })
  .openapi('SetShareRequest');

export const UpdateShareRequest = z
  .strictObject({
    public: z.boolean().optional().describe('true shows the share, false hides it. As it is when left out.'),
    slug: SetShareRequest.shape.slug,
    preferred_pane: SetShareRequest.shape.preferred_pane,
    ...presentationFields,
    snapshot: z
      .boolean()
      .default(false)
      .describe('true takes a new snapshot of the last judgement; else the share keeps the one it has.'),
    show_changes: SetShareRequest.shape.show_changes,
  })
  .openapi('UpdateShareRequest');

export const UpdateShare = SessionReference.extend(UpdateShareRequest.shape);

/** Of a snapshot of a judgement after which the session was edited. */
export const EDITED_SINCE = 'The session was edited after this judgement; judge again to publish the edits.';

/** What a snapshot taken now would make public. */
export const SharePreview = z
  .object({
    session_name: z.string(),
    research_question: z.string(),
    judged_at: time,
    sources: z.array(z.object({ actor_id: z.string(), name: z.string() })),
    statements: z.array(z.object({ claim_id: z.string(), actor_id: z.string(), content: z.string() })),
    evidence: z.array(z.object({ evidence_id: z.string(), claim_id: z.string(), content: z.string() })),
    fields: z
      .array(z.object({ object: z.string(), field: z.string(), count: z.int() }))
      .describe('Every field of the investigation that becomes public, and how often it is given.'),
    parts: z
      .array(z.object({ name: z.string(), description: z.string() }))
      .describe('Everything that becomes public, by the members of the JSON of a share.'),
    ...interpretationFields,
    warnings: z.array(z.string()).describe('What the owner may want to fix before publishing.'),
  })
  .openapi('SharePreview');

export const PutShare = SessionReference.extend(SetShareRequest.shape);

const shareFields = {
  share_uuid: z.uuid(),
  slug: z.string(),
  preferred_pane: z.enum(PANES),
  ...presentedFields,
  is_public: z
    .boolean()
    .describe(
      'Whether the link shows it. False, too, once its publisher has ended, until it is published again.',
    ),
  url: z.string(),
  updated_at: time,
  snapshot_taken_at: time.nullable(),
  judged_at: time
    .nullable()
    .describe('When what it shows was judged; null before a snapshot, and once there is a later judgement.'),
};

export const ShareResponse = z
  .object({
    ...shareFields,
    url_path: z.string(),
    warnings: z
      .array(z.string())
      .optional()
      .describe(
        'What the share does not show yet: edits since the judgement, changes with a first publication.',
      ),
  })
  .openapi('ShareResponse');

export const ShareListItemResponse = z
  .object({ session_id: z.string(), session_name: z.string(), ...shareFields })
  .openapi('ShareListItemResponse');
