import { createHash } from 'node:crypto';
import type { ActorInput, ClaimInput, EvidenceInput, PinnedSource } from '@platform/opinion-fusion';
import { v5 } from 'uuid';
import {
  confidenceOfEvidence,
  gradeId,
  letterOf,
  likelihoodTag,
  opinionOf,
  reliabilityTag,
} from '../admiralty/grades.ts';
import { writtenOf, type Written } from '../changes.ts';
import { jsonBytes, type Judged } from '../judged.ts';
import { plainText, type JsonObject } from '../read-json.ts';
import { claimWords } from '../claim-words.ts';
import { verdictLines } from '../verdict-lines.ts';

/** Of ids that are not those of cyber-observables (STIX 2.1 §2.9). */
const NAMESPACE = '5d9c0b0e-3d2c-4f5e-9d0c-2d3a1b7c8e41';
/** Of cyber-observables, as STIX 2.1 §2.9 gives it. */
const OBSERVABLES = '00abedb4-aa42-466c-9c01-fed23315a9b7';
/** Largest investigation that is attached: 10 MB in base64 (STIX 2.1 §6.1). */
const ATTACHED_MAX = 7_500_000;
/** Marks notes and reports that say what was judged of claims, and are no claims. */
export const JUDGEMENT_LABEL = 'judgement';

const idOf = (type: string, parts: readonly unknown[]) =>
  `${type}--${v5(JSON.stringify([type, ...parts]), NAMESPACE)}`;

export const identityId = ({ id, name }: ActorInput) => idOf('identity', [id, name]);
export const noteId = ({ id, actor_id, content }: ClaimInput) => idOf('note', [id, actor_id, content]);
const opinionId = ({ id, claim_id, content }: EvidenceInput) => idOf('opinion', [id, claim_id, content]);

/**
 * The investigation as a STIX 2.1 bundle: sources are identities, claims notes created by them, evidence
 * opinions on the notes, verdicts notes with the label `judgement`, all in a report. Reliability is a label
 * of the identity, credibility the `confidence` of the note. The investigation itself is attached as an
 * artifact, by which `readStix` restores it. Source: STIX 2.1 (OASIS Standard, 10 June 2021).
 */
export function writeStix(judged: Judged): Uint8Array {
  const { input, judgement, share, presentation = share, session_name } = judged;
  const at = instantOf(judgement.judged_at, '1970-01-01T00:00:00.000Z');
  const common = (type: string, id: string, by: string | null, created = at) => ({
    type,
    spec_version: '2.1',
    id,
    ...(by !== null && { created_by_ref: by }),
    created,
    modified: created,
  });
  const judge = presentation?.publisher ?? presentation?.byline ?? session_name;
  const judgeId = idOf('identity', ['judge', judge]);
  const reportId = idOf('report', [judgement.id]);
  const confidences = new Map((input.evidence ?? []).map((item) => [item.id, confidenceOfEvidence(item)]));
  const actors = new Map(input.actors.map((actor) => [actor.id, actor]));

  const identities = [
    { ...common('identity', judgeId, null), name: judge, identity_class: 'unknown' },
    ...input.actors.map((actor) => ({
      ...common('identity', identityId(actor), null),
      name: actor.name,
      description: actor.source_type,
      identity_class: 'unknown',
      ...(actor.base_reliability != null && { labels: [reliabilityTag(letterOf(actor.base_reliability))] }),
    })),
  ];
  const subjects = new Map(input.subjects.map((subject) => [subject.id, subject]));
  const notes = input.claims.map((claim) => {
    const actor = actors.get(claim.actor_id)!;
    return {
      ...common('note', noteId(claim), identityId(actor), instantOf(claim.assertion_time, at)),
      abstract: claimWords(claim, subjects),
      content: claim.content,
      authors: [actor.name],
      object_refs: [reportId],
      ...(claim.epistemic_status === 'retracted' && { revoked: true }),
      ...(confidences.has(gradeId(claim.id)) && { confidence: confidences.get(gradeId(claim.id)) }),
      ...referencesOf(claim),
    };
  });
  const claims = new Map(input.claims.map((claim) => [claim.id, claim]));
  const opinions = (input.evidence ?? [])
    .filter(({ id, claim_id }) => id !== gradeId(claim_id))
    .map((item) => ({
      ...common('opinion', opinionId(item), judgeId),
      explanation: item.content,
      ...(item.published_by != null && { authors: [item.published_by] }),
      opinion: opinionOf(confidenceOfEvidence(item)),
      object_refs: [noteId(claims.get(item.claim_id)!)],
      ...referencesOf(item),
    }));
  const verdicts = verdictLines(judged, { apart: true }).map(
    ({ key, statement, chance, word, likelihood, sources, likelier, conditions, claims: on }) => ({
      ...common('note', idOf('note', [judgement.id, ...key]), judgeId),
      abstract: statement,
      content: [`${likelihood}.`, sources, likelier, ...conditions].filter(Boolean).join(' '),
      confidence: Math.round(chance * 100),
      labels: [JUDGEMENT_LABEL, likelihoodTag(word)],
      object_refs: on.length === 0 ? [reportId] : on.map(noteId),
    }),
  );
  const objects = [...identities, ...notes, ...opinions, ...verdicts];
  const report = {
    ...common('report', reportId, judgeId),
    name: input.research_question || session_name,
    labels: [JUDGEMENT_LABEL],
    ...(share !== undefined && {
      external_references: [{ source_name: hostOf(share.url), url: share.url }],
    }),
    published: at,
    object_refs: objects.map(({ id }) => id),
  };
  const artifacts = attached(
    input,
    writtenOf([report, ...objects].map((object) => [object.id, saidInStix(object)])),
  );
  return jsonBytes({
    type: 'bundle',
    id: idOf('bundle', [judgement.id]),
    objects: [
      { ...report, object_refs: [...report.object_refs, ...artifacts.map(({ id }) => id)] },
      ...objects,
      ...artifacts,
    ],
  });
}

/** An object without its versions, and without the reference to the artifact, which notes what it says. */
export function saidInStix(object: JsonObject) {
  const { id: _, spec_version: _version, modified: _modified, object_refs: refs, ...rest } = object;
  const isOther = (ref: unknown) => !plainText(ref).startsWith('artifact--');
  return { ...rest, object_refs: Array.isArray(refs) ? refs.filter(isOther) : refs };
}

/** Beyond what STIX may hold, the investigation goes without what is noted, or not at all. */
function attached(input: Judged['input'], written: Written) {
  const bytes = [{ input, written }, input]
    .map((value) => Buffer.from(JSON.stringify(value)))
    .find(({ length }) => length <= ATTACHED_MAX);
  if (bytes === undefined) return [];
  return [artifactOf(bytes.toString('base64'))];
}

/** The artifact of an attachment in base64. */
export function artifactOf(payload_bin: string) {
  const digest = createHash('sha256').update(Buffer.from(payload_bin, 'base64')).digest('hex');
  const hashes = { 'SHA-256': digest };
  const id = `artifact--${v5(JSON.stringify({ hashes, payload_bin }), OBSERVABLES)}`;
  return { type: 'artifact', spec_version: '2.1', id, mime_type: 'application/json', payload_bin, hashes };
}

/** Where something was said: its address, its stored document, its words. */
function referencesOf({
  url,
  source,
  quote,
}: {
  readonly url?: string | null;
  readonly source?: PinnedSource | null;
  readonly quote?: string | null;
}) {
  const words = quote == null ? {} : { description: quote };
  const references = [
    ...(url ? [{ source_name: hostOf(url), url, ...words }] : []),
    ...(source
      ? [
          {
            source_name: 'stored document',
            external_id: source.document,
            ...words,
            ...(source.sha256 && { hashes: { 'SHA-256': source.sha256 } }),
          },
        ]
      : []),
  ];
  return references.length === 0 ? {} : { external_references: references };
}

const hostOf = (url: string) => URL.parse(url)?.hostname || 'source';

/** A time as STIX has it, in UTC; `other` where there is none that it can have. */
function instantOf(time: string | null | undefined, other: string): string {
  const date = new Date(time ?? NaN);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString() : other;
}
