import type { Read } from '../operations/get-file.ts';
import { quoteEtag } from '../rules/etag.ts';
import type { Document } from '../store/document-store.ts';
import { fileBody, type Listed } from '../wire/document-body.ts';
import { digestOf, jsonPieces } from './body-pieces.ts';
import { RangeNotSatisfiable } from './errors.ts';
import { JSON_TYPE, type ApiResponse } from './respond.ts';

/** The ETag header of a version; `etag` is opaque. */
export function etagHeader({ etag }: { readonly etag: string }): { ETag: string } {
  return { ETag: quoteEtag(etag) };
}

/** A read of a document as JSON, or 304. */
export async function documentResponse(read: Read<Document>): Promise<ApiResponse> {
  if (!read.isModified) return { status: 304, headers: etagHeader(read) };
  const pieces = await jsonPieces(fileBody(read.found, read.found.contents));
  const digest = digestHeader(await digestOf(pieces));
  const headers = { ...etagHeader(read.found), ...digest, 'Content-Type': JSON_TYPE };
  return { status: 200, headers, pieces };
}

/** A page of `items` under `name`, with what else it says. The metadata of the items is JSON already. */
export function pageResponse(
  name: string,
  items: readonly Listed<object>[],
  more: Readonly<Record<string, unknown>>,
): ApiResponse {
  const texts = items.map(
    ({ body, metadataJson }) => `${JSON.stringify(body).slice(0, -1)},"metadata":${metadataJson}}`,
  );
  const text = `{"${name}":[${texts.join(',')}],${JSON.stringify(more).slice(1)}`;
  return { status: 200, headers: { 'Content-Type': JSON_TYPE }, text };
}

/**
 * A read of a document as its raw contents, which no browser shows as anything but text; or 304. `range` asks
 * for a part of the bytes.
 */
export function rawResponse(read: Read<Document>, range: RangeRequest): ApiResponse {
  if (!read.isModified) return { status: 304, headers: etagHeader(read) };
  const { filename, contents, sha256 } = read.found;
  const headers = {
    ...etagHeader(read.found),
    ...digestHeader(Buffer.from(sha256).toString('base64')),
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeFilename(filename)}`,
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
  };
  const part = partOf(range, read.found);
  if (part === null) return { status: 200, headers, text: contents };
  const { start, end } = part;
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${read.found.size}` },
    pieces: [Buffer.from(contents, 'utf8').subarray(start, end + 1)],
  };
}

/** The header fields of a range request; undefined = not sent. */
export interface RangeRequest {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
}

/**
 * The bytes asked for, both ends included; null for all. A server may ignore Range (RFC 9110 §14.2): it is
 * honored for one range of bytes, unless If-Range names another version (§13.1.5). Throws RangeNotSatisfiable
 * for a range that begins past the end, and for the last 0 bytes (§14.1.2).
 */
function partOf(
  { range, ifRange }: RangeRequest,
  { etag, size }: Document,
): { start: number; end: number } | null {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (ifRange !== undefined && ifRange !== quoteEtag(etag)) return null;
  // A range that ends before it begins is invalid, and an invalid Range is ignored.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  const isSatisfiable = first === '' ? Number(last) > 0 : Number(first) < size;
  if (!isSatisfiable) throw new RangeNotSatisfiable(size);
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  // The last bytes of empty contents are all of them, which no Content-Range can state.
  return size === 0 ? null : { start, end };
}

/** RFC 9530 §3: the digest of the representation as it is sent, in base64. */
function digestHeader(sha256: string): Record<string, string> {
  return { 'Repr-Digest': `sha-256=:${sha256}:` };
}

/** RFC 8187 §3.2.1 ext-value of the last segment: a slash in a download's name would be a folder. */
function encodeFilename(filename: string): string {
  return encodeURIComponent(
    filename.slice(filename.lastIndexOf('/') + 1) || filename.replaceAll('/', '_'),
  ).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
