import { useEffect, useMemo, useState } from 'preact/hooks';
import { Digest, DocumentText, visible } from '@platform/viewer/browser';
import { useApi } from '../browser/api-context.ts';
import { useScreenTitle } from '../browser/focus.ts';
import { Failure } from '../components/failure.tsx';
import { readDocument, type ReadDocument } from './stored-document.ts';

const PASSAGE = /^#at-(\d{1,10})-(\d{1,10})$/;

interface Props {
  readonly id: string;
  /** null = the current one. */
  readonly version: number | null;
}

/** A stored document, with the passage that the address names marked and in view. */
export function DocumentScreen({ id, version }: Props) {
  const api = useApi();
  const [document, setDocument] = useState<ReadDocument | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    readDocument(api, id, version ?? undefined, stop.signal).then(setDocument, (failure: unknown) => {
      if (!stop.signal.aborted) setError(failure);
    });
    return () => stop.abort();
  }, [id, version]);
  const heading = useScreenTitle(document?.filename ?? 'Document');
  const length = useMemo(() => (document === null ? 0 : [...document.contents].length), [document]);
  const [, from, to] = PASSAGE.exec(location.hash) ?? [];
  const marks = from === undefined ? [] : [{ start: Number(from), end: Number(to), isCandidate: false }];
  useEffect(() => {
    if (document !== null)
      window.document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: 'center' });
  }, [document]);
  return (
    <main class="screen document-page">
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {document === null ? 'Document' : visible(document.filename)}
      </h1>
      <Failure error={error} />
      {document === null ? (
        error === null && <p role="status">Loading …</p>
      ) : (
        <>
          <Digest shown={document} />
          <DocumentText
            length={length}
            stretches={[
              { start: 0, text: document.contents, ...(document.contents.includes('\f') && { page: 1 }) },
            ]}
            marks={marks}
          />
        </>
      )}
    </main>
  );
}
