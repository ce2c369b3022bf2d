import { z } from './published-zod.ts';
import { quoteEtag } from '../domain/etag.ts';
import type { DocumentHead, VersionHead } from '../store/document-store.ts';

/** A document as it goes over the wire (decisions page, "Document"). `contents` is left out where nobody asked for it. */
export const FileBody = z.object({
  id: z.string(),
  filename: z.string(),
  contents: z.string().optional(),
  etag: z.string(),
  size: z.int(),
  sha256: z.string(),
  version: z.int(),
  metadata: z.record(z.string(), z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type FileBody = z.infer<typeof FileBody>;

export const VersionBody = FileBody.omit({ created_at: true });
export type VersionBody = z.infer<typeof VersionBody>;

/** A document as it is answered, with `contents` when they are given. */
export function fileBody(head: DocumentHead, contents?: string): FileBody {
  const { created_at, ...rest } = {
    created_at: head.createdAt.toISOString(),
    ...versionBody(head, contents),
  };
  return { ...rest, created_at };
}

/** A version as it is answered, with `contents` when they are given. */
export function versionBody(head: VersionHead, contents?: string): VersionBody {
  return {
    id: head.id,
    filename: head.filename,
    ...(contents === undefined ? {} : { contents }),
    etag: quoteEtag(head.etag),
    size: head.size,
    sha256: Buffer.from(head.sha256).toString('hex'),
    version: head.version,
    metadata: { ...head.metadata },
    updated_at: head.updatedAt.toISOString(),
  };
}
