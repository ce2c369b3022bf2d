import type { Api } from '../api/api.ts';

/** A document of the store as the API describes it. */
export interface StoredDocument {
  readonly document: string;
  readonly version: number;
  readonly sha256: string;
  readonly filename: string;
  readonly url: string | null;
  readonly added_at: string | null;
  /** Of a document whose text is that of a PDF file. */
  readonly pdf_sha256: string | null;
}
export type ReadDocument = StoredDocument & {
  readonly contents: string;
  /** Of a document that was stored just now: what was sent and not kept. */
  readonly warnings?: readonly string[];
};

/** A version of a document, the current one unless given. Throws ApiError. */
export const readDocument = (
  api: Api,
  document: string,
  version?: number,
  signal?: AbortSignal,
): Promise<ReadDocument> =>
  api(
    'GET',
    `/documents/${encodeURIComponent(document)}${version === undefined ? '' : `?version=${version}`}`,
    {
      signal,
    },
  );

/**
 * Stores a text, or that of a PDF file in base64; nothing is fetched from its address. What is stored already
 * under this filename is opened. Throws ApiError, of status 409 where that has other contents.
 */
export async function addDocument(
  api: Api,
  {
    filename,
    text,
    url,
    asNewVersion,
  }: {
    readonly filename: string;
    readonly text: { readonly contents: string } | { readonly pdf: string };
    readonly url: string;
    /** Whether it becomes a new version where a document with other contents has this filename. */
    readonly asNewVersion: boolean;
  },
): Promise<ReadDocument> {
  const body = {
    filename,
    ...text,
    ...(url === '' ? {} : { url }),
    ...(asNewVersion && { as_new_version: true }),
  };
  const stored = await api<Omit<ReadDocument, 'contents'>>('POST', '/documents', { body });
  if ('contents' in text) return { ...stored, ...text };
  return { ...stored, ...(await readDocument(api, stored.document, stored.version)) };
}
