import { useState } from 'preact/hooks';
import { problemOf } from '../api/api-error.ts';
import { useApi } from '../browser/api-context.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { decodeText } from '../csv/read-claims.ts';
import { addDocument, readDocument, type ReadDocument } from './stored-document.ts';

interface Props {
  /** The id that is offered for opening. */
  readonly current: string | undefined;
  readonly opened: (document: ReadDocument) => void;
}

/**
 * Stores a document from a file or from what is pasted, or opens one that is stored already. It stands in the
 * form of an item, so that nothing here is a form.
 */
export function AddDocument({ current = '', opened }: Props) {
  const api = useApi();
  const [filename, setFilename] = useState('');
  const [contents, setContents] = useState('');
  /** A chosen PDF file in base64; the service reads its text. */
  const [pdf, setPdf] = useState<string | null>(null);
  const [url, setUrl] = useState('');
  const [id, setId] = useState(current);
  const [error, setError] = useState<unknown>(null);
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
    const bytes = new Uint8Array(await file.arrayBuffer());
    const isPdf = file.type === 'application/pdf' || file.name.toLowerCase().endsWith('.pdf');
    const text = isPdf ? '' : decodeText(bytes);
    if (text === null)
      return setError(new Error(`${file.name} is neither PDF nor text: save it as plain text in UTF-8`));
    setError(null);
    setPdf(isPdf ? base64Of(bytes) : null);
    setContents(text);
    if (filename === '') setFilename(file.name);
  }

  return (
    <div class="form-grid">
      <Field
        label="File"
        help="PDF or plain text, such as .txt, .md or .html."
        error={problemOf(error, 'pdf')}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".pdf,.txt,.md,.html,.htm,.csv,.json,.xml,text/*"
            onChange={(event) => void takeFile(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      <Field label="Or paste its text" error={problemOf(error, 'contents')}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            dir="auto"
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
          onClick={() =>
            void attempt(() =>
              addDocument(api, {
                filename: filename.trim(),
                text: pdf === null ? { contents } : { pdf },
                url: url.trim(),
              }),
            )
          }
        >
          {isBusy ? 'Storing …' : 'Store it and select the passage'}
        </button>
      </div>
      <Field label="Or the id of a stored document">
        {(control) => (
          <input {...control} type="text" value={id} onInput={(event) => setId(event.currentTarget.value)} />
        )}
      </Field>
      <div class="form-actions">
        <button
          type="button"
          disabled={isBusy || id.trim() === ''}
          onClick={() => void attempt(() => readDocument(api, id.trim()))}
        >
          Open it
        </button>
      </div>
      <Failure error={error} fields={['filename', 'contents', 'pdf', 'url']} />
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
