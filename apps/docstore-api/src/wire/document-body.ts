import { z } from '@platform/error-contracts/zod-openapi';
import { quoteEtag } from '../rules/etag.ts';
import type { DocumentHead, ListedDocument, ListedVersion, VersionHead } from '../store/document-store.ts';

const fields = {
  id: z.string(),
  filename: z.string(),
  contents: z.string().optional(),
  etag: z.string(),
  size: z.int().optional().describe('absent, as sha256 and contents are, for who may not read the document'),
  sha256: z.string().optional(),
  version: z.int(),
  metadata: z
    .record(z.string(), z.string())
    .describe('for who may write the document and not read it, only what the request sent'),
  updated_at: z.string(),
};

/**
 * A document as it goes over the wire (decisions page, "Document"). `contents` is absent from lists unless
 * asked for.
 */
export const FileBody = z.object({ ...fields, created_at: z.string() }).openapi('File');
export type FileBody = z.infer<typeof FileBody>;

export const VersionBody = z.object(fields).openapi('Version');
export type VersionBody = z.infer<typeof VersionBody>;

/** The wire form of a document, with `contents` when they are given. */
export function fileBody(head: DocumentHead, contents?: string): FileBody {
  return { ...versionBody(head, contents), created_at: head.createdAt.toISOString() };
}

/** The wire form of a version, with `contents` when they are given. */
export function versionBody(head: VersionHead, contents?: string): VersionBody {
  return { ...bareBody(head, contents), metadata: { ...head.metadata } };
}

function bareBody(head: Omit<VersionHead, 'metadata'>, contents?: string): Omit<VersionBody, 'metadata'> {
  return {
    id: head.id,
    filename: head.filename,
    ...(contents === undefined ? {} : { contents }),
    etag: quoteEtag(head.etag),
    size: head.size,
    sha256: Buffer.from(head.sha256).toString('hex'),
    version: head.version,
    updated_at: head.updatedAt.toISOString(),
  };
}

/** An item of a page: its wire form but for its metadata, which stays JSON. */
export interface Listed<Body> {
  readonly body: Omit<Body, 'metadata'>;
  readonly metadataJson: string;
}

/** The wire form of a document on a page, with `contents` when they are given. */
export function listedFile(head: ListedDocument, contents?: string): Listed<FileBody> {
  const { body, metadataJson } = listedVersion(head, contents);
  return { body: { ...body, created_at: head.createdAt.toISOString() }, metadataJson };
}

/** The wire form of a version on a page. */
export function listedVersion(head: ListedVersion, contents?: string): Listed<VersionBody> {
  return { body: bareBody(head, contents), metadataJson: head.metadataJson };
}

/**
 * The wire form of a document for a caller who may not read it: nothing that its contents could be guessed
 * by, and of its metadata what the request `sent` (null = removed).
 */
export function unreadableBody(
  file: FileBody,
  sent: Readonly<Record<string, string | null>> | null = {},
): FileBody {
  const { contents: _contents, size: _size, sha256: _digest, ...rest } = file;
  const kept = Object.entries(sent ?? {}).filter(([, value]) => value !== null);
  return { ...rest, metadata: Object.fromEntries(kept) as Record<string, string> };
}
