import { createHash } from 'node:crypto';
import type { FileBody } from '../wire/document-body.ts';

/** A longer response is kept without the contents of the document it shows. UTF-16 units of its JSON. */
const KEPT_LENGTH_MAX = 64 * 1024;

/** Where contents that were not kept may be found again. */
export interface ContentsSources {
  /** The contents in the request, which its repetition brings along. */
  readonly sent: () => unknown;
  /** The contents of a version that is still stored. */
  readonly stored: (id: string, etag: string) => Promise<string | undefined>;
}

/**
 * The JSON that is kept of a response for its replays: all of it, or, of a large one, all but the contents of
 * its document, with null in their place. undefined for a response that reports no write: conflicts, because
 * the caller may lose the right to read what they quote, and a large one that shows no document. The text of
 * a new key is never kept: only its hash may be stored.
 */
export function keptOf(json: unknown): string | undefined {
  if ((json as { merged?: boolean }).merged === false) return undefined;
  const whole = JSON.stringify(withoutKeyText(json));
  if (whole.length <= KEPT_LENGTH_MAX) return whole;
  const document = shownIn(json);
  if (document?.contents === undefined) return undefined;
  // Only a value of the document itself is replaced: metadata may have a key of that name.
  return JSON.stringify(withContents(json, document, null));
}

/**
 * The response that `kept` was made of. Contents are left out when neither the request nor a stored version
 * holds them any more.
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

function withoutKeyText(json: unknown): unknown {
  const { id, key: _text, ...rest } = json as { id?: string; key?: string };
  if (typeof id !== 'string' || !id.startsWith('key_')) return json;
  const note = `the key was shown in the first response alone: POST /v1/key/${id}/rotate gives it another`;
  return { id, ...rest, note };
}

/** The document that a response is, or that it holds as `file`. */
export function shownIn(json: unknown): Shown | undefined {
  const { file, filename } = json as { file?: Shown; filename?: string };
  return filename === undefined ? file : (json as Shown);
}

/** `json` with other contents of its document, in their place. */
function withContents(json: unknown, document: Shown, contents: string | null | undefined): unknown {
  return withDocument(json, { ...document, contents });
}

/** `json` with another form of its document, in its place. */
export function withDocument(json: unknown, document: object): unknown {
  return shownIn(json) === json ? document : { ...(json as object), file: document };
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
