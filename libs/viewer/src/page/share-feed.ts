import type { ShareSnapshot } from '../snapshot.ts';
import { plain } from '../format/text.ts';
import { escapedXml } from '../format/xml.ts';
import { headline } from '../format/citation.ts';

/** Where the feed of a share is, behind the address of its page. */
export const FEED_PATH = '/feed.atom';

/** In how many questions a publication changed something; without a member it was the first one. */
export interface FeedChanges {
  readonly leading_changed?: number;
  /** Questions on which sources deny another value, or none any more, that nobody states. */
  readonly denials_changed?: number;
  /** Questions on which no value leads any more, because several are tied. */
  readonly became_tied?: number;
  /** Questions on which another value is likelier now than what leads by weight or is tied. */
  readonly became_likelier?: number;
  readonly chance_moved?: number;
  readonly became_contested?: number;
  /** Questions that had no verdict before. */
  readonly questions_added?: number;
  /** Questions that had a verdict before and have none any more. */
  readonly questions_gone?: number;
}

export interface FeedEntry {
  /** UUID; it stays. */
  readonly id: string;
  /** When the share was published. RFC 3339. */
  readonly at: string;
  readonly changes: FeedChanges;
}

/**
 * The Atom feed of a share (RFC 4287) as XML text, to be served as `application/atom+xml`. Entries say how
 * many questions changed and lead to the page: what it showed before is not published any more. Pure.
 */
export function renderShareFeed(snapshot: ShareSnapshot, entries: readonly FeedEntry[]): string {
  const { share } = snapshot;
  const page = empty('link', { rel: 'alternate', type: 'text/html', href: share.url });
  const self = { rel: 'self', type: 'application/atom+xml', href: `${share.url}${FEED_PATH}` };
  const author = share.byline ?? share.publisher ?? 'The author of the investigation';
  return [
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    text('id', `urn:uuid:${share.share_uuid}`),
    text('title', headline(snapshot)),
    text('updated', entries[0]?.at ?? share.snapshot_taken_at),
    empty('link', self),
    page,
    `<author>${text('name', author)}</author>`,
    ...entries.map(
      ({ id, at, changes }) =>
        `<entry>${text('id', `urn:uuid:${id}`)}${text('title', titleOf(changes))}${text('updated', at)}` +
        `${text('published', at)}${page}${text('content', `${titleOf(changes)}. The page shows the present state.`)}</entry>`,
    ),
    '</feed>\n',
  ].join('\n');
}

function titleOf(changes: FeedChanges): string {
  const { leading_changed, became_tied, became_likelier, chance_moved } = changes;
  const { denials_changed, became_contested, questions_added, questions_gone } = changes;
  const parts = [
    leading_changed && `the leading value changed on ${questions(leading_changed)}`,
    denials_changed && `what sources deny changed on ${questions(denials_changed)}`,
    became_tied && `values are tied and none leads on ${questions(became_tied)}`,
    became_likelier && `another value is likelier than what leads by weight on ${questions(became_likelier)}`,
    chance_moved && `the chance moved by more than 10 points on ${questions(chance_moved)}`,
    became_contested && `${questions(became_contested)} became contested`,
    questions_added && `${questions(questions_added)} came up`,
    questions_gone && `nothing is said on ${questions(questions_gone)} any more`,
  ].filter((part) => typeof part === 'string');
  const title = parts.length === 0 ? 'published' : parts.join('; ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const questions = (count: number) => (count === 1 ? 'one question' : `${count} questions`);

const text = (name: string, content: string) => `<${name}>${escapedXml(plain(content))}</${name}>`;

function empty(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapedXml(value)}"`);
  return `<${name}${written.join('')}/>`;
}
