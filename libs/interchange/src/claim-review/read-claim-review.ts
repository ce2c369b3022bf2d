import { guessSourceType } from '@platform/workbench/claims';
import { Collector, idOf } from '../collector.ts';
import type { Imported } from '../imported.ts';
import { isObject, listOf, readText, type JsonObject } from '../read-json.ts';
import { jsonLdBlocks } from './json-ld-blocks.ts';
import { valueOfRating } from './rating.ts';

/** The property that reviews and the reviewed speak about. */
export const IS_TRUE = 'is_true';

/** Who reviewed a claim, where neither a name nor an address says so: our own exports need no byline. */
const UNNAMED_REVIEWER = 'Unnamed reviewer';

/**
 * Fact checks as schema.org ClaimReview (JSON-LD: one, a list, a graph, a data feed, or in the script blocks
 * of a page). What was claimed is a subject; its speaker claims that it is true, and the review claims what
 * its rating says. Throws UnreadableFile. Source: schema.org/ClaimReview; Google Search Central, Fact Check.
 */
export function readClaimReview(bytes: Uint8Array): Imported {
  const collector = new Collector();
  const reviews = jsonLdBlocks(readText(bytes), collector.leftOut).flatMap(reviewsOf);
  for (const review of reviews) readReview(review, collector);
  const [first] = reviews;
  const text = first === undefined ? null : textOf(first.node, 'claimReviewed');
  const question =
    reviews.length === 1 && text !== null ? `Is it true: ${text}` : 'Which of the reviewed claims are true?';
  return collector.done(question, 'ClaimReview');
}

interface Found {
  readonly path: string;
  readonly node: JsonObject;
  readonly deref: (value: unknown) => unknown;
}

/** Every ClaimReview of a JSON-LD value, in its order; nesting is bounded before. */
function reviewsOf({ path: root, value }: { path: string; value: unknown }): Found[] {
  const byId = new Map<string, JsonObject>();
  const found: { path: string; node: JsonObject }[] = [];
  const visit = (node: unknown, path: string): void => {
    if (Array.isArray(node)) return node.forEach((item, index) => visit(item, `${path}[${index}]`));
    if (!isObject(node)) return;
    const id = node['@id'];
    if (typeof id === 'string' && Object.keys(node).length > 1 && !byId.has(id)) byId.set(id, node);
    if (hasType(node, 'ClaimReview')) found.push({ path, node });
    for (const [key, child] of Object.entries(node)) visit(child, `${path}.${key}`);
  };
  visit(value, root);
  // One step: what refers in a circle stays a reference.
  const deref = (node: unknown) =>
    isObject(node) && typeof node['@id'] === 'string' ? (byId.get(node['@id']) ?? node) : node;
  return found.map((one) => ({ ...one, deref }));
}

function readReview({ path, node, deref }: Found, collector: Collector): void {
  const skip = (reason: string) => collector.leftOut.add(path, reason);
  const claimed = textOf(node, 'claimReviewed');
  if (claimed === null) return skip('claimReviewed is missing: it says what was claimed');
  const reviewer = nameOf(deref(propertyOf(node, 'author'))) ?? nameOf(deref(propertyOf(node, 'publisher')));
  const url = addressOf(propertyOf(node, 'url'));
  const publisher = reviewer ?? hostOf(url) ?? UNNAMED_REVIEWER;
  const subjectId = collector.subject(claimed, 'statement');
  const base = { subject_id: subjectId, predicate: IS_TRUE };

  for (const item of listOf(deref(propertyOf(node, 'itemReviewed'))).slice(0, 1)) {
    const reviewed = deref(item);
    if (!isObject(reviewed)) continue;
    const speakers = listOf(propertyOf(reviewed, 'author')).map((author) => nameOf(deref(author)));
    const said = addressesOf(reviewed, deref);
    for (const speaker of speakers) {
      if (speaker === null) {
        collector.leftOut.add(`${path}.itemReviewed.author`, 'has no name');
        continue;
      }
      collector.claim(
        {
          id: idOf('said', `${subjectId}\n${speaker}`),
          actor_id: collector.actor(speaker, guessSourceType(speaker) ?? 'Insider'),
          ...base,
          value: 'true',
          content: claimed,
          assertion_time: timeOf(propertyOf(reviewed, 'datePublished')),
          url: said[0],
        },
        `${path}.itemReviewed`,
      );
    }
    if (speakers.length === 0)
      collector.leftOut.add(`${path}.itemReviewed`, 'author is missing: nobody is named as saying it');
    for (const more of said.slice(1))
      collector.leftOut.add(`${path}.itemReviewed.appearance`, `a claim keeps one address, not also ${more}`);
  }

  const rating = deref(listOf(propertyOf(node, 'reviewRating'))[0]);
  if (!isObject(rating)) return skip('reviewRating is missing: it says what the review found');
  const words = textOf(rating, 'alternateName') ?? textOf(rating, 'name');
  const value = valueOfRating({
    words,
    value: numberOf(rating, 'ratingValue'),
    best: numberOf(rating, 'bestRating'),
    worst: numberOf(rating, 'worstRating'),
  });
  if (value === null)
    return skip(
      words === null
        ? 'reviewRating has neither words nor a number within its scale'
        : `the rating ${JSON.stringify(words.slice(0, 80))} says neither true nor false`,
    );
  if (publisher === UNNAMED_REVIEWER)
    collector.leftOut.add(
      `${path}.author`,
      `is missing: ${UNNAMED_REVIEWER} was taken, name who reviewed it`,
    );
  const explanation = textOf(rating, 'ratingExplanation') ?? textOf(node, 'reviewBody');
  collector.claim(
    {
      id: idOf('review', `${subjectId}\n${publisher}\n${url ?? ''}`),
      actor_id: collector.actor(publisher, reviewerType(publisher)),
      ...base,
      value,
      content: [words ?? value, explanation].filter((part) => part !== null).join(': '),
      assertion_time: timeOf(propertyOf(node, 'datePublished')),
      url,
    },
    path,
  );
}

const reviewerType = (name: string) =>
  name === UNNAMED_REVIEWER ? 'Anonymous' : (guessSourceType(name) ?? 'Journalist');

/** Spellings of a name of schema.org: plain, with its prefix, and expanded. */
const SPELLINGS = ['', 'schema:', 'http://schema.org/', 'https://schema.org/'];

function hasType(node: JsonObject, type: string): boolean {
  return listOf(node['@type']).some((given) => SPELLINGS.some((prefix) => given === `${prefix}${type}`));
}

function propertyOf(node: JsonObject, name: string): unknown {
  const spelling = SPELLINGS.find((prefix) => Object.hasOwn(node, `${prefix}${name}`));
  const value = spelling === undefined ? undefined : node[`${spelling}${name}`];
  return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}

/** A text, whether plain, a number or a value object of JSON-LD; null where there is none. */
function plain(value: unknown): string | null {
  const [first] = listOf(value);
  const inner = isObject(first) ? first['@value'] : first;
  if (typeof inner === 'number') return String(inner);
  return typeof inner === 'string' && inner.trim() !== '' ? inner.trim() : null;
}

const textOf = (node: JsonObject, name: string) => plain(propertyOf(node, name));

function numberOf(node: JsonObject, name: string): number | null {
  const text = textOf(node, name);
  const number = text === null ? NaN : Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : null;
}

function nameOf(author: unknown): string | null {
  const [one] = listOf(author);
  if (typeof one === 'string') return plain(one);
  return isObject(one) ? (textOf(one, 'name') ?? plain(one)) : null;
}

const addressOf = (value: unknown): string | undefined => {
  const [one] = listOf(value);
  return plain(isObject(one) ? (one['@id'] ?? one['url'] ?? one) : one) ?? undefined;
};

/** Where the claim was made: its first appearance, its other ones, its own address. */
function addressesOf(reviewed: JsonObject, deref: (value: unknown) => unknown): string[] {
  const places = ['firstAppearance', 'appearance', 'url', 'sameAs'].flatMap((name) =>
    listOf(propertyOf(reviewed, name)),
  );
  const addresses = places.map((place) => {
    const at = deref(place);
    return addressOf(isObject(at) ? (propertyOf(at, 'url') ?? at) : at);
  });
  return [...new Set(addresses.filter((address) => address !== undefined))];
}

/** A date as the contract takes it; a time without offset is taken as UTC. */
function timeOf(value: unknown): string | undefined {
  const text = plain(value);
  if (text === null) return undefined;
  const spaced = text.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(spaced))
    return `${spaced}${/T\d\d:\d\d$/.test(spaced) ? ':00' : ''}Z`;
  // 2024-05-01T10:00:00+0200, as many publishing systems write it.
  return spaced.replace(/([+-]\d\d)(\d\d)$/, (whole, hours: string, minutes: string) =>
    spaced.includes('T') ? `${hours}:${minutes}` : whole,
  );
}

function hostOf(url: string | undefined): string | null {
  return url === undefined ? null : (URL.parse(url)?.hostname ?? null);
}
