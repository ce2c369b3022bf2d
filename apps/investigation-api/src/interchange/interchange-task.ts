import type { ArchiveParts, Judged, LeftOut, PdfText, Settings } from '@platform/interchange';
import type { ExportFormat, ImportFormat } from '@platform/interchange/formats';
import type { DateOrder, DecimalMark, Namesake } from '@platform/workbench/claims';
import type { TextPieces } from '../model/text-pieces.ts';
import type { PackedJson } from '../wire/packed-json.ts';

/** A file to be read as an investigation. */
export interface ReadFileTask {
  readonly kind: 'read';
  readonly format: ImportFormat;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * JSON of the investigation of the session that it is read for, which its items are added to, or, of our
   * own JSON, replace those with the same id; absent without one.
   */
  readonly there?: TextPieces;
  /** Records of sources that the session may hold, by `recordKey`; those of the file alone are left out. */
  readonly records: readonly string[];
  /** Whether sources and subjects of the file that have the name of another one are taken as that one. */
  readonly isOneByName?: boolean;
  /** The order of day and month in columns of a workbook that could be read either way. */
  readonly dates?: DateOrder | undefined;
  /** The decimal mark of texts among the values of a workbook that could be read either way. */
  readonly numbers?: DecimalMark | undefined;
}

/** A PDF file whose text is wanted. */
export interface ReadPdfTask {
  readonly kind: 'pdf';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A judgement to be written in a format. */
export interface WriteFileTask {
  readonly kind: 'write';
  readonly format: ExportFormat;
  readonly frame: Pick<Judged, 'session_name' | 'interpretation' | 'interpretation_updated_at'> & {
    readonly judgement: Omit<Judged['judgement'], 'engine_version'>;
  };
  readonly inputSnapshot: PackedJson;
  readonly result: PackedJson;
  readonly quotes: PackedJson | null;
  readonly documents: ArchiveParts['documents'];
  readonly missing: ArchiveParts['missing'];
}

export type InterchangeTask = ReadFileTask | ReadPdfTask | WriteFileTask;

/** What a file holds; `payload` is JSON of an InvestigationInput in UTF-8. */
export interface ReadFile {
  readonly payload: Uint8Array<ArrayBuffer>;
  /** Its items and the settings that the session takes, as an update of a session takes them. */
  readonly update: Uint8Array<ArrayBuffer>;
  /** Settings of the file that the session takes; none without a session. */
  readonly settings: Settings;
  readonly leftOut: readonly LeftOut[];
  readonly leftOutTotal: number;
  /** Sources and subjects that stand next to one of the same name, or are taken as that one. */
  readonly namesakes: readonly Namesake[];
  /** What the items of the session that the file replaces lose, in words; nothing where they lose nothing. */
  readonly replaced: readonly string[];
  /** Spellings of one property or scope, in the file or with the session, that are judged apart, in words. */
  readonly spellings: readonly string[];
  /** Names or ids of items that the file may put back after they were deleted. */
  readonly putBack: readonly string[];
  readonly counts: {
    readonly actors: number;
    readonly subjects: number;
    readonly claims: number;
    readonly evidence: number;
  };
}

export type InterchangeReply =
  | { readonly read: ReadFile }
  | { readonly pdf: PdfText }
  | { readonly written: Uint8Array<ArrayBuffer> }
  /** Why the file cannot be read, for its sender. */
  | { readonly problem: string };
