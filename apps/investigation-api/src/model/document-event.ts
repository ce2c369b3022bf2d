import { DOCUMENT_RULE } from './watch-rules.ts';

/** A change of a document, as events tell it. */
export interface ChangedDocument {
  readonly document: string;
  readonly filename: string;
  readonly type: 'created' | 'written' | 'renamed' | 'deleted' | 'restored';
  readonly version: number;
  /** RFC 3339. */
  readonly at: string;
}

/** A document under a quote, and the version that was current when the quote was looked up. */
export interface QuotedDocument {
  readonly document: string;
  /** Null where it was not read. */
  readonly version: number | null;
}

interface DocumentEvent {
  readonly type: typeof DOCUMENT_RULE;
  readonly timestamp: string;
  readonly data: {
    readonly id: string;
    readonly subscription_id: string;
    readonly session_id: string;
    readonly session_name: string;
    readonly judgement_id: null;
    readonly documents: readonly ChangedDocument[];
    readonly document_count: number;
  };
}

/** Documents that one event lists. */
const LISTED_MAX = 50;

/** The JSON of an event that tells of changed documents, the latest change first. Pure. */
export function documentEvent(
  named: Pick<DocumentEvent['data'], 'id' | 'subscription_id' | 'session_id' | 'session_name'>,
  changes: readonly ChangedDocument[],
): { readonly body: string; readonly at: Date } {
  const documents = changes.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const at = new Date(documents[0]!.at);
  const data = {
    ...named,
    judgement_id: null,
    documents: documents.slice(0, LISTED_MAX),
    document_count: documents.length,
  };
  const event: DocumentEvent = { type: DOCUMENT_RULE, timestamp: at.toISOString(), data };
  return { body: JSON.stringify(event), at };
}

/** The documents that such an event lists. */
export function documentsOf(body: string): readonly ChangedDocument[] {
  return (JSON.parse(body) as DocumentEvent).data.documents;
}

/** The event with those of its documents that `isShown` accepts, and nothing that tells of the others. */
export function withDocuments(body: string, isShown: (document: ChangedDocument) => boolean): string {
  const event = JSON.parse(body) as DocumentEvent;
  const documents = event.data.documents.filter(isShown);
  if (documents.length === event.data.documents.length) return body;
  const data = { ...event.data, documents, document_count: documents.length };
  return JSON.stringify({ ...event, data });
}
