import { UnreadableFile, type LeftOutList } from '../imported.ts';
import { readJson } from '../read-json.ts';

const OPEN = /<script\b/gi;
const CLOSE = /<\/script/gi;
const JSON_LD = /^<script\b[^>]*\btype\s*=\s*["']?application\/ld\+json\b/i;
/** Longest opening tag that is looked at. Code units. */
const TAG_LENGTH_MAX = 4_000;

/**
 * The JSON-LD of a text: itself where it is JSON, else what its `script` blocks hold. Blocks that are not
 * JSON are left out. Throws UnreadableFile for a text that has neither.
 */
export function jsonLdBlocks(
  text: string,
  leftOut: LeftOutList,
): readonly { path: string; value: unknown }[] {
  if (/^\s*[[{]/.test(text)) return [{ path: '$', value: readJson(text) }];
  const blocks: { path: string; value: unknown }[] = [];
  let index = 0;
  // Each character is looked at once: what stands in a block opens no other.
  for (let at = next(OPEN, text, 0); at < text.length; at = next(OPEN, text, at)) {
    const tag = text.slice(at, at + TAG_LENGTH_MAX).split('>', 1)[0]!;
    at += tag.length + 1;
    if (tag.length === TAG_LENGTH_MAX || !JSON_LD.test(tag)) continue;
    const end = next(CLOSE, text, at);
    const body = bodyOf(text.slice(at, end));
    at = end;
    const path = `script[${index}]`;
    index += 1;
    try {
      blocks.push({ path, value: readJson(body) });
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      leftOut.add(path, error.message);
    }
  }
  if (index === 0)
    throw new UnreadableFile(
      'the file is neither JSON nor a page with JSON-LD: it has no <script type="application/ld+json">',
    );
  return blocks;
}

/** Where a global pattern stands next; the end of the text where it does not. */
function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** A block without what hid it from the browsers of older pages: `<!-- -->` or `<![CDATA[ ]]>`. */
function bodyOf(block: string): string {
  let body = block.trim().replace(/^(?:<!--|(?:\/\/\s*)?<!\[CDATA\[)/, '');
  for (const closing of ['-->', ']]>']) {
    if (!body.endsWith(closing)) continue;
    body = body.slice(0, -closing.length).trimEnd();
    if (body.endsWith('//')) body = body.slice(0, -'//'.length);
  }
  return body;
}
