import { useEffect, useMemo, useState } from 'preact/hooks';
import { count, Digest, DocumentText, visible } from '@platform/viewer/browser';
import { useApi } from '../browser/api-context.ts';
import { useScreenTitle } from '../browser/focus.ts';
import { Failure } from '../components/failure.tsx';
import { PagesWithoutText } from './pages-without-text.tsx';
import { readDocument, type ReadDocument } from './stored-document.ts';

const PASSAGE = /^#at-(\d{1,10})-(\d{1,10})$/;
const MOVED = /^(?:\d{1,10}-\d{1,10}\.?){1,20}$/;

interface Props {
  readonly id: string;
  /** null = the current one. */
  readonly version: number | null;
}

/**
 * The places that the address names: the one of a passage, or, where `moved` names them, all that its words
 * may have moved to, and how often they stand there.
 */
function namedPlaces() {
  const query = new URLSearchParams(location.search);
  const moved = query.get('moved') ?? '';
  const [, from, to] = PASSAGE.exec(location.hash) ?? [];
  const named = MOVED.test(moved)
    ? moved.split('.').map((place) => place.split('-'))
    : from === undefined
      ? []
      : [[from, to]];
  const isCandidate = MOVED.test(moved);
  const marks = named.map(([start, end]) => ({ start: Number(start), end: Number(end), isCandidate }));
  const occurrences = isCandidate ? Math.max(marks.length, Number(query.get('occurrences')) || 0) : 0;
  return { marks, occurrences };
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
  const { marks, occurrences } = useMemo(namedPlaces, [id, version]);
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
          <PagesWithoutText document={document} />
          {occurrences > 0 && (
            <p class="notice" role="status">
              The words of the quote are not where they were pinned. This document holds them{' '}
              {occurrences === 1 ? 'once' : `${count(occurrences)} times`}
              {marks.length < occurrences && `; the ${marks.length} likeliest places are marked`}. None is
              chosen: choose one where the quote is edited.
            </p>
          )}
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
