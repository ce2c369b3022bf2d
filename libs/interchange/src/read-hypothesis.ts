import { Collector, idOf } from './collector.ts';
import { UnreadableFile, type Imported } from './imported.ts';
import { isObject, listOf, readJson, plainText, readText, type JsonObject } from './read-json.ts';

/** Tags that say for or against what an annotation speaks, folded. */
const FOR = ['supports', 'support', 'pro', 'agree', 'confirms', 'for'];
const AGAINST = ['refutes', 'refute', 'contra', 'con', 'disagree', 'disputes', 'against'];

/**
 * Annotations as the API of Hypothesis gives them (one, a list, or the `rows` of a search). What was
 * highlighted on a page is a claim of that page, with the words as its quote; each annotation with a comment
 * is evidence on it, for or against where a tag says so. Annotations of pages as a whole and replies are left
 * out. Throws UnreadableFile. Source: Hypothesis API v1; W3C Web Annotation Data Model §4.2.4.
 */
export function readHypothesis(bytes: Uint8Array): Imported {
  const value = readJson(readText(bytes));
  const rows = isObject(value) && Array.isArray(value['rows']) ? (value['rows'] as unknown[]) : listOf(value);
  if (!rows.some((row) => isObject(row) && Array.isArray(row['target'])))
    throw new UnreadableFile(
      'the file holds no annotation of Hypothesis: it has no target, alone or in rows',
    );
  const collector = new Collector();
  for (const [index, row] of rows.entries()) {
    const path = `rows[${index}]`;
    if (isObject(row)) readAnnotation(row, path, collector);
    else collector.leftOut.add(path, 'must be an object');
  }
  return collector.done('What do the annotated passages show?', 'annotation of a passage');
}

function readAnnotation(row: JsonObject, path: string, collector: Collector): void {
  if (listOf(row['references']).length > 0)
    return collector.leftOut.add(path, 'is a reply to another annotation, not to a passage');
  const target = listOf(row['target']).find(isObject);
  const quote = listOf(target?.['selector'])
    .filter(isObject)
    .find(({ type }) => type === 'TextQuoteSelector');
  const exact = textOf(quote?.['exact']);
  const url = textOf(row['uri']) ?? textOf(target?.['source']);
  if (exact === null) return collector.leftOut.add(path, 'highlights no words: it has no TextQuoteSelector');
  if (url === null) return collector.leftOut.add(path, 'uri is missing: it says which page is annotated');
  const page = isObject(row['document']) ? textOf(listOf(row['document']['title'])[0]) : null;
  const name = page ?? URL.parse(url)?.hostname ?? url;
  const claimId = idOf('passage', `${url}\n${exact}\n${textOf(quote?.['prefix']) ?? ''}`);
  const isTaken = collector.claim(
    {
      id: claimId,
      actor_id: collector.actor(name, 'Institutional'),
      subject_id: collector.subject(exact.slice(0, 200), 'statement'),
      predicate: 'is_true',
      value: 'true',
      content: exact,
      quote: exact,
      url,
    },
    path,
  );
  const comment = textOf(row['text']);
  if (!isTaken || comment === null) return;
  const tags = listOf(row['tags']).map((tag) => plainText(tag).trim().toLowerCase());
  const [isFor, isAgainst] = [FOR, AGAINST].map((words) => tags.some((tag) => words.includes(tag)));
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

/** `ann` of `acct:ann@hypothes.is`. */
const userOf = (user: unknown) =>
  textOf(user)
    ?.replace(/^acct:/, '')
    .split('@', 1)[0];

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : null);
