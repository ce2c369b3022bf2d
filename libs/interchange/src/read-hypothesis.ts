import { Collector, idOf } from './collector.ts';
import { UnreadableFile, type Imported } from './imported.ts';
import { isQuestion, STATES_NOTHING } from './questions.ts';
import { isObject, listOf, readJson, plainText, readText, textOf, type JsonObject } from './read-json.ts';

/** Tags that say for or against what an annotation speaks, folded. */
const FOR = ['supports', 'support', 'pro', 'agree', 'confirms', 'for'];
const AGAINST = ['refutes', 'refute', 'contra', 'con', 'disagree', 'disputes', 'against'];

/**
 * Annotations as the API of Hypothesis gives them (one, a list, or the `rows` of a search), or as its sidebar
 * exports them (`annotations`). What was highlighted on a page is a claim of that page, with the words as its
 * quote; each annotation with a comment is evidence on it, for or against where a tag says so. Annotations of
 * pages as a whole, replies, questions and what moderators hid are left out. Throws UnreadableFile.
 * Source: Hypothesis API v1; its client; W3C Web Annotation Data Model §4.2.4.
 */
export function readHypothesis(bytes: Uint8Array): Imported {
  const value = readJson(readText(bytes));
  const key = isObject(value) ? ['rows', 'annotations'].find((one) => Array.isArray(value[one])) : undefined;
  const rows = listOf(isObject(value) && key !== undefined ? value[key] : value);
  if (!rows.some((row) => isObject(row) && Array.isArray(row['target'])))
    throw new UnreadableFile(
      'the file holds no annotation of Hypothesis: it has no target, alone, in rows or in annotations',
    );
  const collector = new Collector();
  if (isObject(value) && key !== undefined)
    collector.unread('answer', value, '$', { read: [key, ...OF_FILE] });
  const titles = titlesOf(rows.filter(isObject));
  for (const [index, row] of rows.entries()) {
    const path = `${key ?? 'rows'}[${index}]`;
    if (isObject(row)) readAnnotation({ row, path, titles }, collector);
    else collector.leftOut.add(path, 'must be an object');
  }
  return collector.done('What do the annotated passages show?', 'annotation of a passage');
}

/** Fields of an annotation that are read, or say who may read it. */
const READ = ['id', 'uri', 'text', 'tags', 'user', 'document', 'target', 'links', 'references'];
const ACCESS = ['group', 'permissions', 'hidden'];
/** Fields of a search and of an export that count it, or say when, by whom and with what it was made. */
const OF_FILE = ['total', 'export_date', 'export_userid', 'client_version'];

const PRIVATE =
  'lets its author or a group alone read the annotation, which is taken: a share of the session publishes it';

interface Annotation {
  readonly row: JsonObject;
  readonly path: string;
  /** The first title of each page. */
  readonly titles: ReadonlyMap<string, string>;
}

function readAnnotation({ row, path, titles }: Annotation, collector: Collector): void {
  if (listOf(row['references']).length > 0)
    return collector.leftOut.add(path, 'is a reply to another annotation, not to a passage');
  if (row['hidden'] === true) return collector.leftOut.add(path, 'was hidden by the moderators of its group');
  const [target, ...otherTargets] = listOf(row['target']).filter(isObject);
  const selectors = listOf(target?.['selector']).filter(isObject);
  const quote = selectors.find(({ type }) => type === 'TextQuoteSelector');
  const exact = textOf(quote?.['exact']);
  const url = textOf(row['uri']) ?? textOf(target?.['source']);
  if (exact === null) return collector.leftOut.add(path, 'highlights no words: it has no TextQuoteSelector');
  if (url === null) return collector.leftOut.add(path, 'uri is missing: it says which page is annotated');
  if (isQuestion(exact)) return collector.leftOut.add(path, STATES_NOTHING);
  const page = pageOf(url);
  const claimId = idOf('passage', `${page}\n${exact}\n${textOf(quote?.['prefix']) ?? ''}`);
  const isTaken = collector.claim(
    {
      id: claimId,
      actor_id: collector.actor(
        titles.get(page) ?? addressWords(page),
        'Institutional',
        idOf('actor', `page\n${page}`),
      ),
      subject_id: collector.subject(exact.slice(0, 200), 'statement'),
      predicate: 'is_true',
      value: 'true',
      content: exact,
      quote: exact,
      url,
    },
    path,
  );
  const readers = isObject(row['permissions']) ? listOf(row['permissions']['read']) : [];
  if (readers.length > 0 && !readers.includes('group:__world__'))
    collector.unreadValue('readers', readers, `${path}.permissions.read`, PRIVATE);
  const comment = textOf(row['text']);
  const ofComment = ['tags', 'user', 'links'];
  collector.unread('annotation', row, path, {
    read: [...READ, ...ACCESS].filter((field) => comment !== null || !ofComment.includes(field)),
  });
  if (isObject(row['document'])) {
    collector.unread('document', row['document'], `${path}.document`, { read: ['title'] });
    for (const title of listOf(row['document']['title']).flatMap((one) => textOf(one) ?? []))
      if (title !== titles.get(page))
        collector.leftOut.add(
          `${path}.document.title`,
          `${JSON.stringify(title.slice(0, 80))} is another title of a page that has one already`,
        );
  }
  for (const other of otherTargets) collector.unreadValue('target', other, `${path}.target`);
  collector.unread('target', target!, `${path}.target[0]`, { read: ['source', 'selector'] });
  for (const [index, selector] of listOf(target!['selector']).entries()) {
    const at = `${path}.target[0].selector[${index}]`;
    if (isObject(selector) && selector === quote)
      collector.unread('quote', selector, at, { read: ['type', 'exact'] });
    else
      collector.unreadValue(
        `selector ${isObject(selector) ? plainText(selector['type']) : ''}`,
        selector,
        at,
      );
  }
  if (!isTaken || comment === null) return;
  const tags = listOf(row['tags']).map((tag) => plainText(tag).trim().toLowerCase());
  for (const [index, tag] of tags.entries())
    if (![...FOR, ...AGAINST].includes(tag))
      collector.unreadValue(
        `tag ${tag}`,
        tag,
        `${path}.tags[${index}]`,
        'is a tag for neither side: it is not read',
      );
  if (isObject(row['links'])) collector.unread('links', row['links'], `${path}.links`, { read: ['html'] });
  const [isFor, isAgainst] = [FOR, AGAINST].map((words) => tags.some((tag) => words.includes(tag)));
  if (isFor && isAgainst)
    collector.unreadValue(
      'tags for both sides',
      tags,
      `${path}.tags`,
      'say both for and against: the comment is taken as neutral',
    );
  collector.evidence(
    {
      id: idOf('annotation', textOf(row['id']) ?? `${claimId}\n${comment}`),
      claim_id: claimId,
      content: comment,
      valence: isFor === isAgainst ? 'Neutral' : isFor ? 'Supports' : 'Refutes',
      published_by: userOf(row['user']),
      url: isObject(row['links']) ? (textOf(row['links']['html']) ?? undefined) : undefined,
    },
    path,
  );
}

/** The first title of each page, by its address. */
function titlesOf(rows: readonly JsonObject[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const row of rows) {
    const url = textOf(row['uri']) ?? textOf(listOf(row['target']).find(isObject)?.['source']);
    const [title] = listOf(isObject(row['document']) ? row['document']['title'] : null).flatMap(
      (one) => textOf(one) ?? [],
    );
    if (url !== null && title !== undefined && !titles.has(pageOf(url))) titles.set(pageOf(url), title);
  }
  return titles;
}

/** What the proxy of Hypothesis writes before the address of a page. */
const PROXY = /^https?:\/\/via\.hypothes\.is\/(?=https?:)/i;
/** Parameters of addresses that tell where a reader came from. */
const TRACKING = /^(utm_\w+|WT\..+|[dg]clid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id)$/;

/**
 * The address by which a page is one source: without the place in it, proxy, tracking, order of parameters
 * and slash at the end; http is https. Source: h/util/uri.py of Hypothesis, which tracks fewer parameters.
 */
function pageOf(url: string): string {
  const parsed = URL.parse(url.replace(PROXY, ''));
  if (parsed === null) return url;
  parsed.hash = '';
  if (!/^https?:$/.test(parsed.protocol)) return parsed.href;
  parsed.protocol = 'https:';
  parsed.pathname = parsed.pathname.replace(/(?<!\/)\/+$/, '');
  const query = new URLSearchParams([...parsed.searchParams].filter(([name]) => !TRACKING.test(name)));
  query.sort();
  parsed.search = query.toString();
  return parsed.href;
}

/** What a page without a title is called. */
function addressWords(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : `${parsed.hostname}${parsed.pathname.replace(/\/$/, '')}` || url;
}

/** `ann` of `acct:ann@hypothes.is`. */
const userOf = (user: unknown) =>
  textOf(user)
    ?.replace(/^acct:/, '')
    .split('@', 1)[0];
