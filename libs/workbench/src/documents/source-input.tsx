import { useState } from 'preact/hooks';
import { selectPassage } from '@platform/quotes';
import type { PinnedSource } from '@platform/opinion-fusion';
import { shortened, UserText } from '@platform/viewer/browser';
import { isWithin } from '../api/problems.ts';
import type { FieldInputProps } from '../edit/field-input-props.ts';
import { AddDocument } from './add-document.tsx';
import { PassageChoice } from './passage-choice.tsx';
import type { ReadDocument } from './stored-document.ts';

const WORDS_LENGTH = 200;

/** The stored document that an item quotes: shown, changed, or a new one added and its passage selected. */
export function SourceInput({ value, onChange, path, problems }: FieldInputProps) {
  const [open, setOpen] = useState<ReadDocument | null>(null);
  const source = typeof value === 'object' && value !== null ? (value as PinnedSource) : null;
  const wrong = problems.filter((problem) => isWithin(problem.path, path));

  function pin(from: number, to: number): void {
    const { document, version, sha256, contents } = open!;
    const selector = selectPassage(contents, from, to);
    if (selector === null) return;
    onChange({ document, version, sha256, selector } satisfies PinnedSource);
    setOpen(null);
  }

  return (
    <fieldset class="field-group source-input">
      <legend>Stored document</legend>
      <p class="field-help">
        The words stand in a stored copy, so that each judgement checks whether they are really there.
      </p>
      {wrong.map(({ path: where, message }) => (
        <p key={where} class="field-error">
          {where}: {message}
        </p>
      ))}
      {source === null ? null : <Pinned source={source} unpin={() => onChange(undefined)} />}
      {open === null ? (
        <details class="source-add">
          <summary>{source === null ? 'Add a document' : 'Pin another passage'}</summary>
          <AddDocument opened={setOpen} current={source?.document} />
        </details>
      ) : (
        <PassageChoice document={open} pin={pin} leave={() => setOpen(null)} />
      )}
    </fieldset>
  );
}

function Pinned({ source, unpin }: { readonly source: PinnedSource; readonly unpin: () => void }) {
  const { document, version, selector } = source;
  const place = selector?.start == null ? '' : `#at-${selector.start}-${selector.end}`;
  return (
    <p class="source-pinned">
      {selector && (
        <q dir="auto">
          <UserText text={shortened(selector.exact, WORDS_LENGTH)} />
        </q>
      )}{' '}
      <a
        href={`/app/documents/${encodeURIComponent(document)}/${version ?? 'current'}${place}`}
        target="_blank"
      >
        Show in its document
      </a>{' '}
      <button type="button" class="quiet" onClick={unpin}>
        Unpin
      </button>
    </p>
  );
}
