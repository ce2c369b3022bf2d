import { guessSourceType } from '@platform/workbench/claims';
import { Collector, idOf, subjectId } from '../collector.ts';
import { groupBy } from '../group-by.ts';
import type { Imported } from '../imported.ts';
import { isObject, listOf, readText, type JsonObject } from '../read-json.ts';
import { jsonLdBlocks } from './json-ld-blocks.ts';
import { foldRating, readRating } from './rating.ts';

/** The property that reviews and the reviewed speak about. */
export const IS_TRUE = 'is_true';

/** The type of subjects that are statements. */
const STATEMENT = 'statement';

/** Who reviewed a claim, where neither a name nor an address says so: our own exports need no byline. */
const UNNAMED_REVIEWER = 'Unnamed reviewer';

/**
 * Fact checks as schema.org ClaimReview (JSON-LD: one, a list, a graph, a data feed, or in the script blocks
 * of a page), or as the response of Google's Fact Check Tools API. What was claimed is a subject; its speaker
 * claims that it is true, and the review claims what its rating says. Throws UnreadableFile. Source:
 * schema.org/ClaimReview; Google Search Central, Fact Check; Fact Check Tools API, claims.search.
 */
export function readClaimReview(bytes: Uint8Array): Imported {
  const collector = new Collector();
  const blocks = jsonLdBlocks(readText(bytes), collector.leftOut).map(({ path, value }) =>
    reviewsOf({ path, value: asClaimReviews(value) }),
  );
  const reviews = blocks.flatMap(({ found }) => found);
  const guessed: Guessed = new Map();
  for (const review of latestFirst(reviews)) readReview(review, collector, guessed);
  for (const [type, { path, names }] of guessed)
    collector.leftOut.add(`${path}.itemReviewed.author`, `${type} was guessed for ${namesText([...names])}`);
  if (reviews.length > 0)
    for (const { others, used } of blocks)
      for (const { path, value } of others)
        if (!used.has(value))
          collector.unreadValue(
            `other ${typeWords(value)}`,
            value,
            path,
            `${typeWords(value)} is not part of a ClaimReview: it is not read`,
          );
  const [first] = reviews;
  const text = first === undefined ? null : textOf(first.node, 'claimReviewed');
  const question =
    reviews.length === 1 && text !== null ? `Is it true: ${text}` : 'Which of the reviewed claims are true?';
  return collector.done(question, 'ClaimReview');
}

/**
 * The response of claims.search with each `claims[].claimReview[]` as the ClaimReview of schema.org that it
 * was made from, in its place; any other value as it is.
 */
function asClaimReviews(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value['claims'])) return value;
  const claims = value['claims'].map((claim: unknown) => {
    if (!isObject(claim) || !Array.isArray(claim['claimReview'])) return claim;
    const { text: claimReviewed, claimant: name, claimDate: datePublished, claimReview, ...rest } = claim;
    const reviews = claimReview.map((review: unknown) => {
      if (!isObject(review) || '@type' in review) return review;
      const { reviewDate, textualRating: alternateName, ...fields } = review;
      return {
        '@type': 'ClaimReview',
        claimReviewed,
        itemReviewed: { author: name === undefined ? undefined : { name }, datePublished },
        reviewRating: { alternateName },
        datePublished: reviewDate,
        ...fields,
      };
    });
    return { ...rest, claimReview: reviews };
  });
  return { ...value, claims };
}

interface Found {
  readonly path: string;
  readonly node: JsonObject;
  readonly deref: (value: unknown) => unknown;
}

interface Block {
  readonly found: readonly Found[];
  /** What stands beside reviews, and no review refers to unless it is among `used`. */
  readonly others: readonly { readonly path: string; readonly value: unknown }[];
  readonly used: ReadonlySet<unknown>;
}

type Guessed = Map<string, { readonly path: string; readonly names: Set<string> }>;

const NAMED_MAX = 10;

function namesText(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return `${names.slice(0, NAMED_MAX).map(quoted).join(', ')}${more > 0 ? ` and ${more} more` : ''}: change it if it is another`;
}

/** Of the reviews of one claim by one source at one address, the latest stands in front. */
function latestFirst(reviews: readonly Found[]): readonly Found[] {
  const timeOfReview = ({ node }: Found) =>
    Date.parse(timeOf(propertyOf(node, 'datePublished')) ?? '') || -Infinity;
  const keyOf = (review: Found) => {
    const { claimed, publisher, url } = headOf(review);
    return JSON.stringify([claimed === null ? review.path : subjectId(claimed, STATEMENT), publisher, url]);
  };
  return [...groupBy(reviews, keyOf).values()].flatMap((same) =>
    same.toSorted((one, other) => {
      const [first, second] = [timeOfReview(one), timeOfReview(other)];
      return first === second ? 0 : second - first;
    }),
  );
}

/** Which claim a review is of, who wrote it, and where. */
function headOf({ node, deref }: Found) {
  const reviewers = ['author', 'publisher']
    .flatMap((field) => listOf(propertyOf(node, field)))
    .map((one) => deref(one));
  const reviewer = reviewers.map(nameOf).find((name) => name !== null);
  const url = addressOf(propertyOf(node, 'url'));
  const site = hostOf(url) === null ? reviewers.map(siteOf).find((host) => host !== null) : undefined;
  return {
    claimed: textOf(node, 'claimReviewed'),
    publisher: reviewer ?? hostOf(url) ?? site ?? UNNAMED_REVIEWER,
    reviewer: reviewer ?? null,
    /** Whether the address of a reviewer says who they are. */
    isBySite: reviewer === undefined && site !== undefined,
    url,
  };
}

/** Every ClaimReview of a JSON-LD value, in its order; nesting is bounded before. */
function reviewsOf({ path: root, value }: { path: string; value: unknown }): Block {
  const byId = new Map<string, JsonObject>();
  const found: { path: string; node: JsonObject }[] = [];
  const others: { path: string; value: unknown }[] = [];
  const used = new Set<unknown>();
  /** Whether a review is there, or in it. */
  const visit = (node: unknown, path: string, isInReview: boolean): boolean => {
    if (typeof node !== 'object' || node === null) return false;
    const id = isObject(node) ? node['@id'] : undefined;
    if (isObject(node) && typeof id === 'string' && Object.keys(node).length > 1 && !byId.has(id))
      byId.set(id, node);
    const isReview = isObject(node) && hasType(node, 'ClaimReview');
    if (isReview) found.push({ path, node });
    const children = Object.entries(node).map(([key, child]) => {
      const at = Array.isArray(node) ? `${path}[${key}]` : `${path}.${key}`;
      const has = visit(child, at, isInReview || isReview);
      return { at, key, value: child as unknown, has };
    });
    const has = isReview || children.some((child) => child.has);
    if (has && !isReview && !isInReview)
      others.push(
        ...children
          .filter((child) => !child.has && !child.key.startsWith('@'))
          .map(({ at, value: other }) => ({ path: at, value: other })),
      );
    return has;
  };
  visit(value, root, false);
  // One step: what refers in a circle stays a reference.
  const deref = (node: unknown) => {
    const meant = isObject(node) && typeof node['@id'] === 'string' ? (byId.get(node['@id']) ?? node) : node;
    used.add(meant);
    return meant;
  };
  return { found: found.map((one) => ({ ...one, deref })), others, used };
}

const typeWords = (value: unknown) =>
  isObject(value) && typeof value['@type'] === 'string' ? `a ${value['@type'].slice(0, 80)}` : 'it';

/** Fields that are read, by what has them. */
const READ = {
  review: 'claimReviewed author publisher url itemReviewed reviewRating reviewBody datePublished',
  reviewed: 'author datePublished firstAppearance appearance url sameAs',
  rating: 'alternateName name ratingValue bestRating worstRating ratingExplanation',
  person: 'name',
  site: 'url',
  place: 'url',
} as const;

/** Notes what of an object is not read. */
function noteUnread(kind: keyof typeof READ, object: unknown, path: string, collector: Collector): void {
  if (!isObject(object)) return;
  if (kind === 'person') noteOtherNames(object, path, collector);
  const fieldOf = (key: string) => SPELLINGS.reduceRight((name, prefix) => name.replace(prefix, ''), key);
  collector.unread(kind, object, path, {
    read: ['@context', '@type', '@id', '@value', ...READ[kind].split(' ')],
    fieldOf,
  });
}

/** A source has one name; in JSON-LD a name may be a list. */
function noteOtherNames(person: JsonObject, path: string, collector: Collector): void {
  const [first, ...others] = new Set(textsOf(person, 'name'));
  for (const other of others)
    collector.unreadValue(
      `name ${other}`,
      other,
      `${path}.name`,
      `a source has one name, ${quoted(first!)}, and not also ${quoted(other)}`,
    );
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 80));

function readReview(review: Found, collector: Collector, guessed: Guessed): void {
  const { path, node, deref } = review;
  const skip = (reason: string) => collector.leftOut.add(path, reason);
  const { claimed, reviewer, publisher, isBySite, url } = headOf(review);
  if (claimed === null) return skip('claimReviewed is missing: it says what was claimed');
  const reviewers = (['author', 'publisher'] as const).flatMap((field) =>
    listOf(propertyOf(node, field)).map((one) => {
      noteUnread(isBySite ? 'site' : 'person', deref(one), `${path}.${field}`, collector);
      return { field, name: nameOf(deref(one)) };
    }),
  );
  noteUnread('review', node, path, collector);
  for (const { field, name } of reviewers)
    if (name !== null && name !== reviewer)
      collector.unreadValue(
        `${field} ${name}`,
        name,
        `${path}.${field}`,
        `a review has one source, ${JSON.stringify(reviewer!.slice(0, 80))}, and not also ${JSON.stringify(name.slice(0, 80))}`,
      );
  const statementId = collector.subject(claimed, STATEMENT);
  const base = { subject_id: statementId, predicate: IS_TRUE };

  const [item, ...otherItems] = listOf(propertyOf(node, 'itemReviewed'));
  for (const other of otherItems)
    collector.unreadValue(
      'item reviewed',
      deref(other),
      `${path}.itemReviewed`,
      'a review is of one claim: another one is not read',
    );
  const reviewed = deref(item);
  if (isObject(reviewed)) {
    const { name, ...rest } = reviewed;
    noteUnread('reviewed', plain(name) === claimed ? rest : reviewed, `${path}.itemReviewed`, collector);
    const speakers = listOf(propertyOf(reviewed, 'author')).map((author) => {
      noteUnread('person', deref(author), `${path}.itemReviewed.author`, collector);
      return nameOf(deref(author));
    });
    const said = addressesOf(reviewed, deref, (place, field) =>
      noteUnread('place', place, `${path}.itemReviewed.${field}`, collector),
    );
    for (const speaker of speakers) {
      if (speaker === null) {
        collector.leftOut.add(`${path}.itemReviewed.author`, 'has no name');
        continue;
      }
      const type = guessSourceType(speaker) ?? 'Insider';
      if (!guessed.has(type)) guessed.set(type, { path, names: new Set() });
      guessed.get(type)!.names.add(speaker);
      collector.claim(
        {
          id: idOf('said', `${statementId}\n${speaker}`),
          actor_id: collector.actor(speaker, type),
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

  const [ratingItem, ...otherRatings] = listOf(propertyOf(node, 'reviewRating'));
  const rating = deref(ratingItem);
  noteUnread('rating', rating, `${path}.reviewRating`, collector);
  for (const other of otherRatings)
    collector.unreadValue(
      'rating',
      deref(other),
      `${path}.reviewRating`,
      'a review has one rating: another one is not read',
    );
  if (!isObject(rating)) return skip('reviewRating is missing: it says what the review found');
  const [called, named] = [textsOf(rating, 'alternateName'), textsOf(rating, 'name')];
  const words = called.length > 0 ? called : named;
  for (const other of named)
    if (!words.includes(other))
      collector.unreadValue(
        'name of a rating',
        other,
        `${path}.reviewRating.name`,
        'is not read: alternateName is taken',
      );
  const reading = readRating({
    words,
    value: numberOf(rating, 'ratingValue'),
    best: numberOf(rating, 'bestRating'),
    worst: numberOf(rating, 'worstRating'),
  });
  if (reading.value === null) return skip(reading.reason);
  const { value } = reading;
  if (!reading.isPlain)
    collector.unreadValue(
      `rating ${foldRating(value)}`,
      value,
      `${path}.reviewRating`,
      `the rating ${JSON.stringify(value.slice(0, 80))} is neither plainly true nor plainly false: it is a value of its own`,
    );
  if (publisher === UNNAMED_REVIEWER)
    collector.leftOut.add(
      `${path}.author`,
      `is missing: ${UNNAMED_REVIEWER} was taken, name who reviewed it`,
    );
  else if (reviewer === null)
    collector.leftOut.add(
      `${path}.author`,
      `has no name: ${publisher}, the host of an address, was taken, name who reviewed it`,
    );
  const body = textOf(node, 'reviewBody');
  const explanation = textOf(rating, 'ratingExplanation') ?? body;
  if (body !== explanation)
    collector.unreadValue('body', body, `${path}.reviewBody`, 'is not read: ratingExplanation is taken');
  collector.claim(
    {
      id: idOf('review', `${statementId}\n${publisher}\n${url ?? ''}`),
      actor_id: collector.actor(publisher, reviewerType(publisher)),
      ...base,
      value,
      content: [words.length > 0 ? words.join(' / ') : value, explanation]
        .filter((part) => part !== null)
        .join(': '),
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
  if (typeof inner !== 'string') return null;
  const text = withoutEntities(inner).trim();
  return text === '' ? null : text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/**
 * A text with the characters that its page wrote as entities of HTML, which have no meaning in JSON-LD: many
 * pages escape what they put into their scripts. Each is read once; others stay as they are.
 */
const withoutEntities = (text: string) =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, name, decimal, hex) => {
      if (typeof name === 'string') return ENTITIES[name.toLowerCase()]!;
      const code = hex === undefined ? Number(decimal) : parseInt(String(hex), 16);
      const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : entity;
    },
  );

const textOf = (node: JsonObject, name: string) => plain(propertyOf(node, name));
/** All texts of a property, as in several languages. */
const textsOf = (node: JsonObject, name: string) =>
  listOf(propertyOf(node, name)).flatMap((one) => plain(one) ?? []);

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
function addressesOf(
  reviewed: JsonObject,
  deref: (value: unknown) => unknown,
  note: (place: unknown, field: string) => void,
): string[] {
  const places = ['firstAppearance', 'appearance', 'url', 'sameAs'].flatMap((name) =>
    listOf(propertyOf(reviewed, name)).map((place) => ({ name, at: deref(place) })),
  );
  const addresses = places.map(({ name, at }) => {
    note(at, name);
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

/** The host of the address of an author that has no name. */
const siteOf = (author: unknown): string | null =>
  isObject(author) ? hostOf(textOf(author, 'url') ?? undefined) : null;

function hostOf(url: string | undefined): string | null {
  return url === undefined ? null : URL.parse(url)?.hostname || null;
}
