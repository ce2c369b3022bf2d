import { createHash } from 'node:crypto';
import type { FileBody } from '../operations/document-body.ts';

/** A longer answer is kept without the contents of the document it shows. UTF-16 units of its JSON. */
const KEPT_LENGTH_MAX = 64 * 1024;

/** Where contents that were not kept may be found again. */
export interface ContentsSources {
  /** The contents of the request, which its repetition brings along. */
  readonly sent: () => unknown;
  /** Those of a version that is still stored. */
  readonly stored: (id: string, etag: string) => Promise<string | undefined>;
}

/**
 * What is kept of an answer for its replays, as JSON: all of it, or, of a large one, all but the contents of its document,
 * null standing in their place. undefined for a large answer that shows no document and so tells of no write.
 */
export function keptOf(json: unknown): string | undefined {
  const whole = JSON.stringify(json);
  if (whole.length <= KEPT_LENGTH_MAX) return whole;
  const document = shownIn(json);
  if (document?.contents === undefined) return undefined;
  // Only a value of the document itself: metadata may have a key of that name.
  return JSON.stringify(withContents(json, document, null));
}

/**
 * The answer that `kept` was made of. Contents that nobody has any more, because their version is gone and the request did not
 * hold them, are left out.
 */
export async function replayOf(kept: string, { sent, stored }: ContentsSources): Promise<unknown> {
  const json = JSON.parse(kept) as unknown;
  const document = shownIn(json);
  if (document?.contents !== null) return json;
  const own = sent();
  const contents =
    typeof own === 'string' && sha256(own) === document.sha256
      ? own
      : await stored(document.id, document.etag);
  return withContents(json, document, contents);
}

type Shown = Omit<FileBody, 'contents'> & { readonly contents?: string | null };

/** The document that an answer is, or that it holds as `file`. */
function shownIn(json: unknown): Shown | undefined {
  const { file, id } = json as { file?: Shown; id?: string };
  return id === undefined ? file : (json as Shown);
}

/** `json` with other contents of its document, in their place. */
function withContents(json: unknown, document: Shown, contents: string | null | undefined): unknown {
  const changed = { ...document, contents };
  return json === document ? changed : { ...(json as object), file: changed };
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
