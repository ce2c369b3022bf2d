import { useRef, useState } from 'preact/hooks';
import { visible } from '@platform/viewer/browser';
import { ApiError, problemOf } from '../api/api-error.ts';
import { useApi } from '../browser/api-context.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { decodeText } from '../browser/file-text.ts';
import { FindDocument } from './find-document.tsx';
import { addDocument, readDocument, type ReadDocument } from './stored-document.ts';
import { directionOf } from './text-direction.ts';

/** How the refusal begins where a document with other contents has the filename. */
const TAKEN = 'a document with this filename exists';

interface Props {
  readonly opened: (document: ReadDocument) => void;
}

/**
 * Opens a document that is stored already, or stores one from a file or from what is pasted. It stands in the
 * form of an item, so that nothing here is a form.
 */
export function AddDocument({ opened }: Props) {
  const api = useApi();
  const [filename, setFilename] = useState('');
  const [contents, setContents] = useState('');
  /** A chosen PDF file in base64; the service reads its text. */
  const [pdf, setPdf] = useState<string | null>(null);
  const [url, setUrl] = useState('');
  /** The name of the file that was chosen last, which is that of the document until another is typed. */
  const proposed = useRef('');
  const latest = useRef<File | null>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<unknown>(null);
  /** What is wrong with the chosen file, and how to mend it. */
  const [unreadable, setUnreadable] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);

  async function attempt(work: () => Promise<ReadDocument>): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      opened(await work());
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }

  async function takeFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    latest.current = file;
    const bytes = new Uint8Array(await file.arrayBuffer());
    // A large file is read longer than one that was chosen after it.
    if (latest.current !== file) return;
    const isPdf = file.type === 'application/pdf' || file.name.toLowerCase().endsWith('.pdf');
    const isWebPage = file.type === 'text/html' || /\.x?html?$/i.test(file.name);
    const text = isPdf || isWebPage ? '' : decodeText(bytes);
    // What an earlier file held would be stored for this one.
    setPdf(isPdf ? base64Of(bytes) : null);
    setContents(text ?? '');
    setError(null);
    setUnreadable(
      isWebPage
        ? `${visible(file.name)} is a web page, with code between its words. Copy its text and paste it below, or print the page as a PDF file and choose that.`
        : text === null
          ? `${visible(file.name)} is neither a PDF file nor text in UTF-8. Save it as plain text with the encoding UTF-8, then choose it again.`
          : undefined,
    );
    // macOS keeps names decomposed, and the store takes names as NFC alone.
    const name = file.name.normalize('NFC');
    const before = proposed.current;
    setFilename((shown) => (shown === '' || shown === before ? name : shown));
    proposed.current = name;
  }

  const store = (asNewVersion: boolean) =>
    addDocument(api, {
      filename: filename.trim().normalize('NFC'),
      text: pdf === null ? { contents } : { pdf },
      url: url.trim(),
      asNewVersion,
    });
  const isTaken = error instanceof ApiError && error.message.startsWith(TAKEN);

  return (
    <div class="form-grid">
      <FindDocument
        isBusy={isBusy}
        choose={({ document, version }) => void attempt(() => readDocument(api, document, version))}
      />
      <Field
        label="Or store a new one: file"
        help="PDF or plain text, such as .txt or .md."
        error={unreadable ?? problemOf(error, 'pdf')}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".pdf,.txt,.md,.csv,.json,.xml,text/plain,text/markdown"
            onChange={(event) => void takeFile(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      <Field label="Or paste its text" error={problemOf(error, 'contents')}>
        {(control) => (
          <textarea
            {...control}
            class="document-source"
            rows={5}
            dir={directionOf(contents)}
            value={contents}
            disabled={pdf !== null}
            onInput={(event) => setContents(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label="Name"
        help="Folders with slashes, such as minutes/2024-05-03.txt."
        error={problemOf(error, 'filename')}
      >
        {(control) => (
          <input
            {...control}
            ref={nameInput}
            type="text"
            value={filename}
            onInput={(event) => setFilename(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label="Address it was copied from"
        help="Kept beside it. Nothing is fetched."
        error={problemOf(error, 'url')}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            inputMode="url"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="form-actions">
        <button
          type="button"
          disabled={isBusy || (contents === '' && pdf === null) || filename.trim() === ''}
          onClick={() => void attempt(() => store(false))}
        >
          {isBusy ? 'Storing …' : 'Store it and select the passage'}
        </button>
      </div>
      {isTaken ? (
        <TakenName
          filename={filename.trim()}
          isBusy={isBusy}
          replace={() => void attempt(() => store(true))}
          rename={() => {
            setError(null);
            nameInput.current?.select();
          }}
        />
      ) : (
        <Failure error={error} fields={['filename', 'contents', 'pdf', 'url']} />
      )}
    </div>
  );
}

/** What can be done where a document with other contents has the name. */
function TakenName({
  filename,
  isBusy,
  replace,
  rename,
}: {
  readonly filename: string;
  readonly isBusy: boolean;
  readonly replace: () => void;
  readonly rename: () => void;
}) {
  return (
    <div class="notice" role="alert">
      <p>
        A document with the name <b>{visible(filename)}</b> is stored already, with another text. Store yours
        as a new version of it, or under another name. Quotes that are pinned to it stay with their version.
      </p>
      <div class="form-actions">
        <button type="button" disabled={isBusy} onClick={replace}>
          Store it as a new version
        </button>
        <button type="button" onClick={rename}>
          Choose another name
        </button>
      </div>
    </div>
  );
}

/** Bytes in base64, taken in parts because a call has few arguments. */
function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}
