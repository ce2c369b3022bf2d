import { createHash } from 'node:crypto';
import type { Read } from '../operations/get-file.ts';
import { quoteEtag } from '../rules/etag.ts';
import type { Document } from '../store/document-store.ts';
import { fileBody } from '../wire/document-body.ts';
import { JSON_TYPE, type ApiResponse } from './respond.ts';

/** The ETag header of a version; `etag` is opaque. */
export function etagHeader({ etag }: { readonly etag: string }): { ETag: string } {
  return { ETag: quoteEtag(etag) };
}

/** A read of a document as JSON, or 304. */
export function documentResponse(read: Read<Document>): ApiResponse {
  if (!read.isModified) return { status: 304, headers: etagHeader(read) };
  const text = JSON.stringify(fileBody(read.found, read.found.contents));
  const digest = createHash('sha256').update(text).digest();
  const headers = { ...etagHeader(read.found), ...digestHeader(digest), 'Content-Type': JSON_TYPE };
  return { status: 200, headers, text };
}

/** A read of a document as its raw contents, which no browser shows as anything but text; or 304. */
export function rawResponse(read: Read<Document>): ApiResponse {
  if (!read.isModified) return { status: 304, headers: etagHeader(read) };
  const { filename, contents, sha256 } = read.found;
  const headers = {
    ...etagHeader(read.found),
    ...digestHeader(sha256),
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeFilename(filename)}`,
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, text: contents };
}

/** RFC 9530 §3: the digest of the representation as it is sent. */
function digestHeader(sha256: Uint8Array): Record<string, string> {
  return { 'Repr-Digest': `sha-256=:${Buffer.from(sha256).toString('base64')}:` };
}

/** RFC 8187 §3.2.1 ext-value of the last segment: a slash in a download's name would be a folder. */
function encodeFilename(filename: string): string {
  return encodeURIComponent(
    filename.slice(filename.lastIndexOf('/') + 1) || filename.replaceAll('/', '_'),
  ).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
