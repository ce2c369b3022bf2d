import type { ClaimInput } from '@platform/opinion-fusion';
import { writtenOf } from '../changes.ts';
import { fullResult, jsonBytes, type Judged } from '../judged.ts';
import { isObject, type JsonObject } from '../read-json.ts';
import { CONTEXT, LISTS, NODE, SETTINGS } from './vocabulary.ts';

const nodeOf = (list: string, id: string) => `${NODE}${list}:${encodeURIComponent(id.toWellFormed())}`;

/**
 * The investigation as a graph of the Argument Interchange Format in JSON-LD: claims and evidence are
 * I-nodes, what supports RA-nodes, what attacks CA-nodes, among these the attacks that the judgement found
 * between rival values. Every item also has its `record`, by which `readAif` restores the same investigation.
 */
export function writeAif(judged: Judged): Uint8Array {
  const { input } = judged;
  const { actors, subjects, claims, evidence, inferences, distinctions, ...settings } = input;
  const lists = { actors, subjects, claims, evidence, inferences, distinctions };
  const graph: (JsonObject & { readonly '@id': string })[] = [];
  const node = (list: string, record: { readonly id: string }, more: object = {}) =>
    graph.push({ '@id': nodeOf(list, record.id), ...more, list, record });
  const claim = (id: string) => nodeOf('claims', id);
  let edges = 0;
  const supports = (premises: readonly string[], conclusion: string) =>
    graph.push({
      '@id': `${NODE}ra:${(edges += 1)}`,
      '@type': 'aif:RA-node',
      Premise: premises,
      Conclusion: conclusion,
    });
  const attacks = (from: string, to: string) =>
    graph.push({
      '@id': `${NODE}ca:${(edges += 1)}`,
      '@type': 'aif:CA-node',
      ConflictingElement: from,
      ConflictedElement: to,
    });

  for (const actor of actors) node('actors', actor);
  for (const subject of subjects) node('subjects', subject);
  for (const one of claims) {
    node('claims', one, { '@type': 'aif:I-node', claimText: one.content });
    for (const [isAttack, target] of tiesOf(one))
      if (isAttack) attacks(claim(one.id), claim(target));
      else supports([claim(one.id)], claim(target));
  }
  for (const item of evidence ?? []) {
    node('evidence', item, { '@type': 'aif:I-node', claimText: item.content });
    if (item.valence === 'Refutes') attacks(nodeOf('evidence', item.id), claim(item.claim_id));
    else if (item.valence === 'Supports') supports([nodeOf('evidence', item.id)], claim(item.claim_id));
  }
  for (const inference of inferences ?? []) {
    const text = inference.description ?? `${inference.subject_id} ${inference.predicate}`;
    node('inferences', inference, { '@type': 'aif:I-node', claimText: text });
    supports(inference.premise_claim_ids.map(claim), nodeOf('inferences', inference.id));
  }
  for (const distinction of distinctions ?? []) node('distinctions', distinction);
  for (const [from, to] of rivalAttacks(judged)) attacks(claim(from), claim(to));
  const top = {
    '@id': `${NODE}${SETTINGS}`,
    list: SETTINGS,
    record: { ...settings, empty: LISTS.filter((list) => lists[list]?.length === 0) },
  };
  const written = writtenOf([top, ...graph].map((one) => [one['@id'], saidInAif(one)]));
  return jsonBytes({
    '@context': CONTEXT,
    '@graph': [{ ...top, record: { ...top.record, written } }, ...graph],
  });
}

/** What a node says besides its record, which is taken as it comes back. */
export function saidInAif(node: JsonObject) {
  const { '@id': _, record, ...rest } = node;
  return { ...rest, record: isObject(record) };
}

/** Ties of a claim to others that its own fields state: whether it attacks, and whom. */
function tiesOf({ target_claim_id, valence, relationships }: ClaimInput): [isAttack: boolean, id: string][] {
  return [
    ...(target_claim_id ? [[valence === 'Refutes', target_claim_id] as [boolean, string]] : []),
    ...(relationships ?? [])
      .filter(({ relationship_type: type }) => ['complements', 'refines', 'qualifies'].includes(type))
      .map(({ target_claim_id: id }): [boolean, string] => [false, id]),
  ];
}

/** Attacks that the judgement found, each once. */
export function rivalAttacks(judged: Judged): readonly (readonly [from: string, to: string])[] {
  const stated = new Set(
    judged.input.claims.flatMap(({ id, target_claim_id: target }) =>
      target ? [JSON.stringify([id, target])] : [],
    ),
  );
  const found = (fullResult(judged)?.conflict_analysis ?? []).flatMap(({ interpretations }) =>
    interpretations.flatMap(({ attacks }) =>
      attacks.map(({ attacker_claim_id, target_claim_id }) =>
        JSON.stringify([attacker_claim_id, target_claim_id]),
      ),
    ),
  );
  return [...new Set(found)]
    .filter((pair) => !stated.has(pair))
    .map((pair) => JSON.parse(pair) as [string, string]);
}
