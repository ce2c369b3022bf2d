import type { ActorInput, ClaimInput, EvidenceInput } from '@platform/opinion-fusion';
import { v5 } from 'uuid';
import {
  confidenceOfEvidence,
  credibilityTag,
  digitOf,
  gradeId,
  letterOf,
  likelihoodTag,
  reliabilityTag,
} from '../admiralty/grades.ts';
import { writtenOf } from '../changes.ts';
import { jsonBytes, type Judged } from '../judged.ts';
import { isObject, listOf, type JsonObject } from '../read-json.ts';
import { claimWords } from '../claim-words.ts';
import { verdictLines } from '../verdict-lines.ts';

const NAMESPACE = '6c1f3b62-64d5-4f0e-8d2f-0f9c4b7a1e53';
/** The name of the attachment that holds the investigation. */
export const ATTACHMENT = 'investigation.json';
/** How the comments of attributes begin that are not claims. */
const COMMENTS = {
  evidence: 'Evidence on the claim: ',
  verdict: 'Judgement of the claims of this event',
  link: 'Where a claim of this event was made',
} as const;

const uuidOf = (parts: readonly unknown[]) => v5(JSON.stringify(parts), NAMESPACE);

const evidenceUuid = ({ id, content }: EvidenceInput) => uuidOf(['evidence', id, content]);
/** What the attribute of an item of evidence says. */
const evidenceText = ({ valence, content }: EvidenceInput) => `${valence}: ${content}`;

export const attributeUuid = ({ id, content }: ClaimInput, actor: ActorInput) =>
  uuidOf(['claim', id, actor.name, content]);

/**
 * The investigation as an event of MISP: each claim is a text attribute with the reliability of its source
 * and its own credibility as tags of the admiralty-scale, evidence and verdicts are comments, verdicts with a
 * tag of estimative-language. The investigation itself is attached, by which `readMisp` restores it. Source:
 * MISP core format (draft-dulaunoy-misp-core-format-17).
 */
export function writeMisp(judged: Judged): Uint8Array {
  const { input, judgement, share, presentation = share, session_name } = judged;
  const judgedAt = new Date(judgement.judged_at);
  const seconds = (time: Date) => String(Math.floor(time.getTime() / 1000));
  const attribute = (
    uuid: string,
    [type, category]: readonly [type: string, category: string],
    value: string,
    more: {
      readonly comment?: string;
      readonly data?: string;
      readonly tags?: readonly string[];
      readonly at?: Date;
      readonly isDeleted?: boolean;
    } = {},
  ) => ({
    uuid,
    type,
    category,
    value,
    comment: more.comment ?? '',
    to_ids: false,
    disable_correlation: true,
    distribution: '5',
    timestamp: seconds(more.at ?? judgedAt),
    ...(more.data !== undefined && { data: more.data }),
    ...(more.isDeleted && { deleted: true }),
    ...(more.tags !== undefined && more.tags.length > 0 && { Tag: more.tags.map((name) => ({ name })) }),
  });
  const actors = new Map(input.actors.map((actor) => [actor.id, actor]));
  const subjects = new Map(input.subjects.map((subject) => [subject.id, subject]));
  const evidence = new Map((input.evidence ?? []).map((item) => [item.id, item]));
  const claims = input.claims.map((claim) => {
    const actor = actors.get(claim.actor_id)!;
    const grade = evidence.get(gradeId(claim.id));
    const asserted = new Date(claim.assertion_time ?? NaN);
    return attribute(
      attributeUuid(claim, actor),
      ['text', 'External analysis'],
      `${actor.name}: ${claim.content}`,
      {
        comment: claimWords(claim, subjects),
        ...(asserted.getTime() >= 0 && { at: asserted }),
        isDeleted: claim.epistemic_status === 'retracted',
        tags: [
          ...(actor.base_reliability == null ? [] : [reliabilityTag(letterOf(actor.base_reliability))]),
          ...(grade === undefined ? [] : [credibilityTag(digitOf(confidenceOfEvidence(grade)))]),
        ],
      },
    );
  });
  const links = [...new Set(input.claims.flatMap(({ url }) => url ?? []))].map((url) =>
    attribute(uuidOf(['link', url]), ['link', 'External analysis'], url, { comment: COMMENTS.link }),
  );
  const contents = new Map(input.claims.map(({ id, content }) => [id, content]));
  const comments = [...evidence.values()]
    .filter(({ id, claim_id }) => id !== gradeId(claim_id))
    .map((item) =>
      attribute(evidenceUuid(item), ['comment', 'External analysis'], evidenceText(item), {
        comment: `${COMMENTS.evidence}${contents.get(item.claim_id)}`,
      }),
    );
  const verdicts = verdictLines(judged, { apart: true }).map((line) => {
    const { key, statement, likelihood, word, likelier, conditions } = line;
    const more = [likelier, ...conditions].filter(Boolean);
    return attribute(
      uuidOf(['verdict', judgement.id, ...key]),
      ['comment', 'Internal reference'],
      [`${likelihood}: ${statement}${more.length > 0 ? '.' : ''}`, ...more].join(' '),
      { comment: COMMENTS.verdict, tags: [likelihoodTag(word)] },
    );
  });
  const attached = (data: string) =>
    attribute(
      uuidOf(['investigation', judged.input_sha256]),
      ['attachment', 'External analysis'],
      ATTACHMENT,
      { data },
    );
  const author = presentation?.publisher ?? presentation?.byline ?? session_name;
  const event = {
    uuid: uuidOf(['event', judgement.id]),
    info: input.research_question || session_name,
    date: judgement.judged_at.slice(0, 10),
    timestamp: seconds(judgedAt),
    // Undefined threat, finished analysis, for one's own organization until somebody says else.
    threat_level_id: '4',
    analysis: '2',
    distribution: '0',
    published: false,
    Orgc: { name: author, uuid: uuidOf(['organisation', author]) },
  };
  const attributes = [...verdicts, ...claims, ...comments, ...links];
  const written = writtenOf([
    [EVENT, saidInEvent(event)],
    ...[...attributes, attached('')].map((one) => [one.uuid, saidInAttribute(one)] as const),
  ]);
  const data = Buffer.from(JSON.stringify({ input, written })).toString('base64');
  return jsonBytes({ Event: { ...event, Attribute: [...attributes, attached(data)] } });
}

/** The event among what an export notes of its objects, whose uuid is that of a copy in another MISP. */
export const EVENT = 'Event';
/** Ids, counts, versions, rights and colors, which each MISP has for itself, and the attachment. */
const NOT_SAID = new Set(
  [
    'id uuid event_id object_id org_id orgc_id publish_timestamp distribution sharing_group_id attribute_count',
    'locked proposal_email_lock disable_correlation event_creator_email to_ids data',
    'local colour color exportable hide_tag user_id numerical_value is_galaxy is_custom_galaxy local_only',
  ].flatMap((names) => names.split(' ')),
);
const said = (object: unknown) =>
  isObject(object)
    ? Object.fromEntries(Object.entries(object).filter(([key]) => !NOT_SAID.has(key)))
    : object;

/** What an event says besides its attributes and objects. */
export function saidInEvent(event: JsonObject): object {
  const { Orgc, timestamp: _, Attribute: _attributes, Object: _objects, ...rest } = event;
  return { ...(said(rest) as JsonObject), Orgc: said(Orgc) };
}
/** What an attribute says. */
export const saidInAttribute = ({ Tag, ...attribute }: JsonObject): object => ({
  ...(said(attribute) as JsonObject),
  Tag: listOf(Tag).map(said),
});

/** The names of tags. */
export const namesOf = (tags: unknown) => listOf(tags).map((tag) => (isObject(tag) ? tag['name'] : tag));
