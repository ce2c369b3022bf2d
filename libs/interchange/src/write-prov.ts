import type { PinnedSource } from '@platform/opinion-fusion';
import { conditionsOf, inferenceWords, ruleOf } from './claim-words.ts';
import { jsonBytes, keptDistinctions, keptInferences, withdrawnClaims, type Judged } from './judged.ts';

const PREFIX = 'inv';
/** An id as a qualified name, in which every other character is percent-encoded (PROV-N §3.7.1). */
const nameOf = (list: string, id: string) =>
  `${PREFIX}:${list}.${encodeURIComponent(id.toWellFormed()).replace(/[!'()*.~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
const typed = (type: string) => ({ $: type, type: 'prov:QUALIFIED_NAME' });
const dateTime = (text: string) => ({ $: text, type: 'xsd:dateTime' });

type Records = Record<string, object>;

/** Fields of this service as attributes of an entity. */
const attributes = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, given]) => [`${PREFIX}:${field}`, given]));

/**
 * Where everything comes from, as PROV-JSON: claims and evidence are entities attributed to their sources and
 * quoted from their documents where the words were found there, the inferences that the judgement kept are
 * derived from their premises, distinctions name the claims that they tell apart, and the result is an
 * entity that the judgement generated from them. Source: W3C Member Submission PROV-JSON (24 April 2013),
 * W3C PROV-DM.
 */
export function writeProv(judged: Judged): Uint8Array {
  const { input, judgement } = judged;
  const entity: Records = {};
  const agent: Records = {};
  const wasAttributedTo: Records = {};
  const wasDerivedFrom: Records = {};
  const used: Records = {};
  const relate = (relation: Records, of: object) => {
    relation[
      `_:${relation === used ? 'u' : relation === wasDerivedFrom ? 'd' : 'a'}${Object.keys(relation).length + 1}`
    ] = of;
  };
  const derive = (from: string, to: string, type: string) =>
    relate(wasDerivedFrom, {
      'prov:generatedEntity': from,
      'prov:usedEntity': to,
      'prov:type': typed(type),
    });
  const activity = nameOf('judgements', judgement.id);
  const result = nameOf('results', judgement.id);
  const checks = new Map((judged.quotes?.items ?? []).map((check) => [`${check.kind} ${check.id}`, check]));
  const shown = new Map((judged.documents ?? []).map((one) => [one.document, one]));
  const quoted = (
    kind: 'claims' | 'evidence',
    item: { readonly id: string; readonly source?: PinnedSource | null; readonly url?: string | null },
  ) => {
    const { id, source, url } = item;
    const name = nameOf(kind, id);
    if (url) Object.assign(entity[name]!, { [`${PREFIX}:url`]: { $: url, type: 'xsd:anyURI' } });
    if (source) {
      const document = nameOf('documents', `${source.document} ${source.version ?? ''}`);
      const known = shown.get(source.document);
      entity[document] ??= {
        'prov:type': 'document',
        [`${PREFIX}:document`]: source.document,
        ...(source.sha256 && { [`${PREFIX}:sha256`]: source.sha256 }),
        ...(known && { 'prov:label': known.filename }),
        ...(known?.url && { 'prov:location': { $: known.url, type: 'xsd:anyURI' } }),
      };
      const state = checks.get(`${kind} ${id}`)?.state ?? 'not_checked';
      Object.assign(entity[name]!, {
        [`${PREFIX}:quote_state`]: state,
        [`${PREFIX}:quoted_document`]: typed(document),
      });
      // What was looked for and is not there was not taken from it, whatever the claim says.
      if (state === 'gone') return;
      const isFound = source.selector != null && state !== 'not_checked';
      derive(name, document, isFound ? 'prov:Quotation' : 'prov:PrimarySource');
    } else if (url) {
      const page = nameOf('pages', url);
      entity[page] ??= { 'prov:type': 'page', 'prov:location': { $: url, type: 'xsd:anyURI' } };
      derive(name, page, 'prov:PrimarySource');
    }
  };
  for (const { id, name, source_type } of input.actors)
    agent[nameOf('actors', id)] = { 'prov:label': name, [`${PREFIX}:source_type`]: source_type };
  const subjects = new Map(input.subjects.map(({ id, name }) => [id, name]));
  const subjectOf = ({ subject_id: id }: { readonly subject_id?: string | null }) =>
    id ? attributes({ subject_id: id, subject: subjects.get(id) ?? id }) : {};
  const withdrawn = withdrawnClaims(judged);
  const claimIds = new Set(input.claims.map(({ id }) => id));
  for (const claim of input.claims) {
    const name = nameOf('claims', claim.id);
    entity[name] = {
      'prov:type': 'claim',
      'prov:label': claim.content,
      'prov:value': claim.value,
      [`${PREFIX}:predicate`]: claim.predicate,
      ...subjectOf(claim),
      ...attributes(conditionsOf(claim)),
      ...(withdrawn.has(claim.id) && { [`${PREFIX}:epistemic_status`]: withdrawn.get(claim.id) }),
      ...(claim.assertion_time && { [`${PREFIX}:assertion_time`]: claim.assertion_time }),
    };
    relate(wasAttributedTo, { 'prov:entity': name, 'prov:agent': nameOf('actors', claim.actor_id) });
    relate(used, { 'prov:activity': activity, 'prov:entity': name });
    quoted('claims', claim);
    if (claim.supersedes_claim_id && claimIds.has(claim.supersedes_claim_id))
      derive(name, nameOf('claims', claim.supersedes_claim_id), 'prov:Revision');
  }
  for (const item of input.evidence ?? []) {
    const name = nameOf('evidence', item.id);
    entity[name] = { 'prov:type': 'evidence', 'prov:label': item.content };
    relate(used, { 'prov:activity': activity, 'prov:entity': name });
    quoted('evidence', item);
  }
  const claimOrText = (id: string) => (claimIds.has(id) ? typed(nameOf('claims', id)) : id);
  for (const inference of keptInferences(judged)) {
    const name = nameOf('inferences', inference.id);
    entity[name] = {
      'prov:type': 'inference',
      'prov:label': inferenceWords(inference, input),
      [`${PREFIX}:predicate`]: inference.predicate,
      ...subjectOf(inference),
      [`${PREFIX}:rule_type`]: inference.rule_type,
      ...attributes(ruleOf(inference)),
    };
    relate(used, { 'prov:activity': activity, 'prov:entity': name });
    for (const id of inference.premise_claim_ids)
      if (claimIds.has(id)) derive(name, nameOf('claims', id), `${PREFIX}:Inference`);
  }
  for (const { id, argument_a, argument_b, ...distinction } of keptDistinctions(judged)) {
    const name = nameOf('distinctions', id);
    entity[name] = {
      'prov:type': 'distinction',
      'prov:label': distinction.description ?? distinction.feature,
      [`${PREFIX}:feature`]: distinction.feature,
      [`${PREFIX}:condition_a`]: distinction.condition_a,
      [`${PREFIX}:condition_b`]: distinction.condition_b,
      [`${PREFIX}:argument_a`]: claimOrText(argument_a),
      [`${PREFIX}:argument_b`]: claimOrText(argument_b),
    };
    relate(used, { 'prov:activity': activity, 'prov:entity': name });
  }
  entity[result] = {
    'prov:type': 'result',
    'prov:label': input.research_question,
    [`${PREFIX}:sha256`]: judged.result_sha256,
    [`${PREFIX}:input_sha256`]: judged.input_sha256,
  };
  return jsonBytes({
    prefix: { [PREFIX]: 'urn:investigation:' },
    entity,
    agent,
    activity: {
      [activity]: {
        'prov:endTime': judgement.judged_at,
        'prov:label': judged.session_name,
        [`${PREFIX}:engine_version`]: judgement.engine_version,
        [`${PREFIX}:judged_at`]: dateTime(judgement.judged_at),
      },
    },
    wasAttributedTo,
    wasDerivedFrom,
    used,
    wasGeneratedBy: {
      '_:g1': { 'prov:entity': result, 'prov:activity': activity, 'prov:time': judgement.judged_at },
    },
  });
}
