import type { PinnedSource } from '@platform/opinion-fusion';
import type { Candidate } from '@platform/quotes';
import type { PackedJson } from '../wire/packed-json.ts';
import type { PinnedQuote } from '../model/pinned-quote.ts';
import type { ShareDocument } from '@platform/viewer';
import type { QuoteCheck } from '../wire/quote-schema.ts';

/** What the request thread asks of the thread that reads documents. All of it is done as the caller. */
export type QuoteTask = StoreAccess & (CheckTask | ExcerptTask | AddTask | ListTask | ReadTask | FindTask);

/** The document store, and until when it may be read. */
interface StoreAccess {
  readonly baseUrl: string;
  /** Token or API key of the caller, whose rights decide. */
  readonly credential: string;
  /** By `clockMs`: the wait for a thread counts, too, since that may be behind a silent store. */
  readonly untilMs: number;
}

/** Monotonic time, the same in all threads. Milliseconds. */
export const clockMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

export interface CheckTask {
  readonly kind: 'check';
  readonly quotes: readonly PinnedQuote[];
}

/** The passages of quotes with what stands around them, as a share shows them. */
export interface ExcerptTask {
  readonly kind: 'excerpts';
  /** The input of a judgement, with its quotes. */
  readonly inputSnapshot: PackedJson;
}

export interface AddTask {
  readonly kind: 'add';
  readonly filename: string;
  readonly contents: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether it becomes a new version of a document with this filename and other contents. */
  readonly asNewVersion: boolean;
}

/** Documents by a part of their names, those that were changed last first. */
export interface ListTask {
  readonly kind: 'list';
  readonly nameFilter?: string | undefined;
  readonly limit: number;
}

export interface ReadTask {
  readonly kind: 'read';
  readonly document: string;
  /** The current one unless given. */
  readonly version?: number | undefined;
}

export interface FindTask {
  readonly kind: 'find';
  readonly document: string;
  readonly version?: number | undefined;
  readonly selector: {
    readonly exact: string;
    readonly prefix?: string | undefined;
    readonly suffix?: string | undefined;
  };
}

type Source = { readonly [Field in keyof PinnedSource]: PinnedSource[Field] };

/** Words that were looked for. */
export interface FoundWords {
  readonly state: 'verified' | 'moved' | 'similar' | 'gone';
  /** Of words that stand at one place. */
  readonly source?: Source;
  readonly occurrences?: number;
  readonly candidates?: (Candidate & { readonly source: Source })[];
}

/** A stored version of a document. */
export interface ReadDocument {
  readonly document: string;
  readonly version: number;
  readonly sha256: string;
  readonly filename: string;
  readonly contents: string;
  /** Where it was copied from, as its uploader says; null where they said nothing. */
  readonly url: string | null;
  /** RFC 3339. */
  readonly addedAt: string | null;
  /** Digest of the PDF file whose text this is, as its uploader says; null where it is of none. */
  readonly pdfSha256: string | null;
}

/** What a list has about a document. */
export type ListedDocument = Omit<ReadDocument, 'contents'>;

/** A document that was to be stored; `isNew` is false where the store had it already. */
export type AddedDocument = ReadDocument & { readonly isNew: boolean };

/** What became of quotes, and by what names the documents were read; those that were not read are absent. */
export interface CheckedQuotes {
  readonly checks: readonly QuoteCheck[];
  readonly filenames: readonly (readonly [document: string, filenames: readonly string[]])[];
}

export type QuoteReply =
  | CheckedQuotes
  | { readonly documents: readonly ShareDocument[] }
  | { readonly added: AddedDocument }
  | { readonly listed: readonly ListedDocument[] }
  | { readonly read: ReadDocument }
  | { readonly found: FoundWords }
  /** What the document store refused, in its terms. */
  | {
      readonly refused: {
        readonly code: string;
        readonly message: string;
        readonly details: Readonly<Record<string, string>>;
        readonly retryAfterSeconds: number | null;
      };
    };
