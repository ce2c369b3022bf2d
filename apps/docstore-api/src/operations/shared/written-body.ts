import { mayTouch, type Caller } from '../../auth/caller.ts';
import { unreadableBody, type FileBody } from '../../wire/document-body.ts';

/** The part of a request that a response may show to who may not read the document; null = removed. */
export interface SentMetadata {
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

/** A document that the request `sent` wrote, as far as the caller may read it. */
export async function writtenBody(caller: Caller, file: FileBody, sent: SentMetadata): Promise<FileBody> {
  return (await mayTouch(caller, 'file:read', file.filename)) ? file : unreadableBody(file, sent.metadata);
}
