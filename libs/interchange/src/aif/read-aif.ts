import type { ClaimInput } from '@platform/opinion-fusion';
import { groupBy } from '../group-by.ts';
import { guessSourceType } from '@platform/workbench/claims';
import { IS_TRUE } from '../claim-review/read-claim-review.ts';
import { Changes } from '../changes.ts';
import { Collector, idOf } from '../collector.ts';
import { LeftOutList, UnreadableFile, withLeftOut, type Imported } from '../imported.ts';
import { checkedInvestigation } from '../investigation-json.ts';
import { isObject, listOf, readJson, plainText, readText, type JsonObject } from '../read-json.ts';
import { saidInAif } from './write-aif.ts';
import { AIF, LISTS, SETTINGS } from './vocabulary.ts';

/** Who says what an argument map of others says, where it names nobody. */
const MAP_AUTHOR = 'Author of the argument map';

/** Types of nodes in AIF and AIFdb. */
const NODE_TYPES: readonly string[] = ['I', 'RA', 'CA', 'L', 'YA', 'MA', 'PA', 'TA'];
/** What the text of a node is that is not a proposition. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ['RA', 'is the scheme of an inference: it is not read'],
  ['CA', 'is the scheme of a conflict: it is not read'],
  ['L', 'is the wording of a locution: only who said what is read'],
]);
/**
 * Illocutions by which speakers put forward a proposition as theirs; who asks, challenges, jokes or repeats
 * does not. Source: Inference Anchoring Theory, annotation guidelines (Centre for Argument Technology).
 */
const ASSERTING: ReadonlySet<string> = new Set(['asserting', 'agreeing', 'conceding', 'popular conceding']);
/** The illocution that a conflict is anchored in. */
const DISAGREEING = 'disagreeing';
/** What nodes are that no claim and no evidence can hold. */
const NOT_HELD: ReadonlyMap<string, string> = new Map([
  ['MA', 'is a rephrase: it is not read, and the propositions that it links stay claims of their own'],
  ['PA', 'is a preference among arguments: it is not read'],
  ['TA', 'is a transition between locutions: it is not read'],
]);
const NODE_TYPE = new RegExp(`(${NODE_TYPES.join('|')})-node`);

/**
 * An argument graph of the Argument Interchange Format: JSON-LD as `writeAif` writes it, which gives the same
 * investigation, or the `nodes` and `edges` of AIFdb, whose propositions become claims of those who assert
 * them, and whose inferences and conflicts become evidence for and against. Throws UnreadableFile.
 */
export function readAif(bytes: Uint8Array): Imported {
  const value = readJson(readText(bytes));
  const object = isObject(value) && isObject(value['AIF']) ? value['AIF'] : value;
  if (isObject(object) && Array.isArray(object['nodes'])) return readAifdb(object);
  const graph = isObject(object) ? object['@graph'] : object;
  if (!Array.isArray(graph))
    throw new UnreadableFile('the file is not AIF: it has neither @graph nor nodes and edges');
  const nodes = (graph as unknown[]).filter(isObject);
  if (nodes.some((node) => 'record' in node)) {
    const others = Object.keys(isObject(object) ? object : {}).filter(
      (key) => !/^@(context|graph)$/.test(key),
    );
    return readRecords(nodes, others);
  }
  if (nodes.some((node) => Object.keys(node).some((key) => key.endsWith(':record'))))
    throw new UnreadableFile(
      'the file is an export of this service whose names were changed by expanding or compacting its JSON-LD; send the file as it was exported',
    );
  return readAifdb(plainGraph(nodes));
}

/** Fields of the nodes that `writeAif` writes. */
const RECORD_FIELDS: readonly string[] = [
  '@id',
  '@type',
  'list',
  'record',
  'claimText',
  'Premise',
  'Conclusion',
  'ConflictingElement',
  'ConflictedElement',
];

/**
 * Restores what `writeAif` wrote. Records and texts that another tool changed are taken over; what it did to
 * the rest of the graph is left out by name.
 */
function readRecords(nodes: readonly JsonObject[], others: readonly string[]): Imported {
  const lists = new Map<string, unknown[]>();
  const leftOut = new LeftOutList();
  for (const key of others) leftOut.add(key, 'was added by another tool: it is not read');
  const top = nodes.find(({ list, record }) => list === SETTINGS && isObject(record));
  const { empty, written, ...settings } = (top?.['record'] ?? {}) as JsonObject;
  const changes = new Changes(written, leftOut, 'the records are');
  for (const [index, node] of nodes.entries()) {
    const { list, record } = node;
    const path = `@graph[${index}]`;
    const changed = changes.fieldsOf(plainText(node['@id']), saidInAif(node));
    if (changed === null && !isObject(record)) {
      leftOut.add(path, 'a node without record was added by another tool: add it as a claim or evidence');
      continue;
    }
    const text = changed?.has('claimText') === false ? null : textOf(node['claimText']);
    const field =
      isObject(record) && text !== null
        ? TEXT_FIELDS.find((key) => typeof record[key] === 'string')
        : undefined;
    // Of a node that was not written, or where nothing is noted, fields without a meaning are named.
    const unknown = Object.keys(node).filter((key) => !RECORD_FIELDS.includes(key));
    changes.name(new Set([...(changed ?? []), ...unknown]), path, field === undefined ? [] : ['claimText']);
    if (!isObject(record) || node === top) continue;
    if (!LISTS.some((name) => name === list)) leftOut.add(path, `list must be one of ${LISTS.join(', ')}`);
    else
      lists.set(list as string, [
        ...(lists.get(list as string) ?? []),
        field === undefined ? record : { ...record, [field]: text },
      ]);
  }
  changes.nameRemoved(new Map());
  const present = new Set([...lists.keys(), ...listOf(empty).map(plainText), 'actors', 'subjects', 'claims']);
  const payload = {
    ...settings,
    ...Object.fromEntries(
      LISTS.filter((list) => present.has(list)).map((list) => [list, lists.get(list) ?? []]),
    ),
  };
  return withLeftOut(checkedInvestigation(payload), leftOut);
}

/** The field of a record that the text of its node says. */
const TEXT_FIELDS = ['content', 'description'];

/** The text of a node, plain or as a value of JSON-LD; null where it has none. */
function textOf(value: unknown): string | null {
  const text = isObject(value) ? value['@value'] : value;
  return typeof text === 'string' ? text : null;
}

/** Fields of nodes in JSON-LD that `plainGraph` takes. */
const GRAPH_FIELDS: readonly string[] = RECORD_FIELDS.filter((field) => field !== 'list');

/** A graph in JSON-LD without records as nodes and edges. */
function plainGraph(nodes: readonly JsonObject[]): JsonObject {
  const nameOf = (key: string) => key.replace(AIF, '').replace(/^aif:/, '');
  const idOfNode = (value: unknown) => plainText(isObject(value) ? value['@id'] : value);
  const edges = nodes.flatMap((node) =>
    Object.entries(node).flatMap(([key, value]) => {
      const name = nameOf(key);
      if (['Premise', 'ConflictingElement'].includes(name))
        return listOf(value).map((from) => ({ fromID: idOfNode(from), toID: idOfNode(node) }));
      if (['Conclusion', 'ConflictedElement'].includes(name))
        return listOf(value).map((to) => ({ fromID: idOfNode(node), toID: idOfNode(to) }));
      return [];
    }),
  );
  return {
    nodes: nodes.map((node) => ({
      ...Object.fromEntries(Object.entries(node).filter(([key]) => !GRAPH_FIELDS.includes(nameOf(key)))),
      nodeID: idOfNode(node),
      type: NODE_TYPE.exec(listOf(node['@type']).map(plainText).join(' '))?.[1] ?? '',
      text: Object.entries(node).find(([key]) => nameOf(key) === 'claimText')?.[1],
    })),
    edges,
  };
}

/** Fields that are read, and ids that state nothing, by what has them. */
const READ = {
  map: 'nodes edges locutions participants',
  node: 'nodeID type text',
  edge: 'edgeID fromID toID formEdgeID',
  locution: 'nodeID personID participantID',
  participant: 'participantID firstname surname',
} as const;

/** Notes what of an argument map is not read. */
function noteUnread(map: JsonObject, collector: Collector): void {
  collector.unread('map', map, '$', { read: READ.map.split(' ') });
  for (const kind of ['node', 'edge', 'locution', 'participant'] as const)
    for (const [index, one] of listOf(map[`${kind}s`]).entries())
      if (isObject(one)) collector.unread(kind, one, `${kind}s[${index}]`, { read: READ[kind].split(' ') });
}

function readAifdb(map: JsonObject): Imported {
  const { nodes: rawNodes, edges: rawEdges, locutions, participants } = map;
  const collector = new Collector();
  noteUnread(map, collector);
  const nodes = new Map<string, { type: string; text: string; path: string }>();
  for (const [index, node] of listOf(rawNodes).entries()) {
    if (!isObject(node)) continue;
    const text = typeof node['text'] === 'string' ? node['text'].trim() : '';
    const [id, path] = [plainText(node['nodeID']), `nodes[${index}]`];
    if (nodes.has(id)) collector.leftOut.add(path, 'has the nodeID of an earlier node');
    else {
      const type = plainText(node['type']);
      nodes.set(id, { type, text, path });
      if (!NODE_TYPES.includes(type))
        collector.leftOut.add(path, `type must be one of ${NODE_TYPES.join(', ')}`);
      else if (NOT_HELD.has(type)) collector.unreadValue(`node ${type}`, type, path, NOT_HELD.get(type));
      else if (TEXTS.has(type))
        collector.unreadValue(`text of ${type}`, text, `${path}.text`, TEXTS.get(type));
    }
  }
  const edges = listOf(rawEdges).flatMap((edge, index) => {
    if (!isObject(edge)) return [];
    const [from, to] = [plainText(edge['fromID']), plainText(edge['toID'])];
    const path = `edges[${index}]`;
    if (!nodes.has(from) || !nodes.has(to)) {
      collector.leftOut.add(path, 'leads from or to a node that is not in the file');
      return [];
    }
    if (nodes.get(from)!.type === 'I' && nodes.get(to)!.type === 'I')
      collector.leftOut.add(path, 'leads from I-node to I-node: put an RA-node or CA-node in between');
    return [{ from, to }];
  });
  const into = groupBy(edges, ({ to }) => to);
  const outOf = groupBy(edges, ({ from }) => from);
  const speakers = speakersOf(listOf(locutions), listOf(participants));
  const typeOf = (id: string) => nodes.get(id)!.type;
  /** Who performs an illocution: its locution says so, or the one that the transition before it leads to. */
  const speakersBehind = (illocution: string) => {
    const before = (into.get(illocution) ?? []).map(({ from }) => from);
    const after = before.filter((id) => typeOf(id) === 'TA').flatMap((id) => outOf.get(id) ?? []);
    return [...before, ...after.map(({ to }) => to)].flatMap((id) => speakers.get(id) ?? []);
  };
  const forceOf = (illocution: string) => nodes.get(illocution)!.text.toLowerCase().replace(/\s+/g, ' ');
  /** Names what an illocution does not say. */
  const noteUnsaid = (illocution: string, what: string) => {
    const { text, path } = nodes.get(illocution)!;
    const named = new Set(speakersBehind(illocution));
    for (const name of named.size === 0 ? ['a speaker without a name'] : named)
      collector.leftOut.add(path, `${JSON.stringify(text.slice(0, 80))} of ${name} ${what}`);
  };
  const said = (speaker: string, text: string, isDenied = false): ClaimInput => {
    const subjectId = collector.subject(text, 'statement');
    return {
      id: idOf('said', `${subjectId}\n${speaker}${isDenied ? '\ndenied' : ''}`),
      actor_id: collector.actor(speaker, guessSourceType(speaker) ?? 'Insider'),
      subject_id: subjectId,
      predicate: IS_TRUE,
      value: String(!isDenied),
      content: isDenied ? `It is not so: ${text}` : text,
    };
  };
  const claimOf = new Map<string, string>();
  const assertersOf = new Map<string, ReadonlySet<string>>();
  for (const [id, { type, text, path }] of nodes) {
    if (type !== 'I') continue;
    if (text === '') {
      collector.leftOut.add(path, 'has no text');
      continue;
    }
    // L-node → YA-node → I-node: who said it.
    const illocutions = (into.get(id) ?? []).map(({ from }) => from).filter((from) => typeOf(from) === 'YA');
    const asserting = illocutions.filter((one) => ASSERTING.has(forceOf(one)));
    for (const one of illocutions)
      if (!asserting.includes(one)) noteUnsaid(one, `does not assert ${JSON.stringify(text.slice(0, 80))}`);
    const named = new Set(asserting.flatMap(speakersBehind));
    assertersOf.set(id, named);
    const isUnnamed = named.size === 0 && (asserting.length > 0 || illocutions.length === 0);
    for (const speaker of isUnnamed ? [MAP_AUTHOR] : named) {
      const claim = said(speaker, text);
      if (collector.claim(claim, path) && !claimOf.has(id)) claimOf.set(id, claim.id);
    }
  }
  const denying = new Set<string>();
  for (const [id, { type, text, path }] of nodes) {
    if (type !== 'YA') continue;
    const targets = (outOf.get(id) ?? []).map(({ to }) => to);
    if (targets.some((to) => typeOf(to) === 'I')) continue;
    if (forceOf(id) !== DISAGREEING) {
      const reason = 'is the force of a locution on no proposition: it is not read';
      collector.unreadValue('text of YA', text, `${path}.text`, reason);
      continue;
    }
    const named = new Set(speakersBehind(id));
    const denials = targets
      .filter((to) => typeOf(to) === 'CA')
      .flatMap((conflict) => (outOf.get(conflict) ?? []).map(({ to }) => ({ conflict, to })))
      .filter(({ to }) => typeOf(to) === 'I' && nodes.get(to)!.text !== '' && named.size > 0);
    if (denials.length === 0) noteUnsaid(id, 'denies no proposition');
    for (const { conflict, to } of denials) {
      denying.add(conflict);
      for (const speaker of named) collector.claim(said(speaker, nodes.get(to)!.text, true), path);
    }
  }
  for (const [id, { type, path }] of nodes) {
    if (type !== 'RA' && type !== 'CA') continue;
    const premises = (into.get(id) ?? []).filter(({ from }) => claimOf.has(from));
    const conclusions = (outOf.get(id) ?? []).filter(({ to }) => claimOf.has(to));
    if (premises.length === 0 || conclusions.length === 0) {
      if (!denying.has(id))
        collector.leftOut.add(path, 'does not lead from one proposition that is a claim to another');
      continue;
    }
    for (const { to } of conclusions) {
      const isTaken = collector.evidence(
        {
          id: idOf('link', `${type}\n${premises.map(({ from }) => from).join('\n')}\n${to}`),
          claim_id: claimOf.get(to)!,
          content: premises.map(({ from }) => nodes.get(from)!.text).join(' '),
          valence: type === 'RA' ? 'Supports' : 'Refutes',
        },
        path,
      );
      const [first, ...others] = assertersOf.get(to)!;
      if (isTaken && others.length > 0)
        collector.leftOut.add(
          path,
          `is evidence on what ${JSON.stringify(first!.slice(0, 80))} asserts alone, so that it counts once, though ${others.length === 1 ? `${JSON.stringify(others[0]!.slice(0, 80))} asserts` : `${others.length} others assert`} it, too`,
        );
    }
  }
  return collector.done(
    'Which propositions of the argument map are true?',
    'I-node with a text that somebody asserts',
  );
}

/** Names of speakers by the ids of their locutions. */
function speakersOf(locutions: readonly unknown[], participants: readonly unknown[]): Map<string, string> {
  const names = new Map(
    participants
      .filter(isObject)
      .map((one) => [
        plainText(one['participantID']),
        [plainText(one['firstname']), plainText(one['surname'])].filter(Boolean).join(' '),
      ]),
  );
  return new Map(
    locutions.filter(isObject).flatMap((one) => {
      const name = names.get(plainText(one['personID'] ?? one['participantID']));
      return name ? [[plainText(one['nodeID']), name]] : [];
    }),
  );
}
