import { useState } from 'preact/hooks';
import { selectPassage } from '@platform/quotes';
import type { PinnedSource } from '@platform/opinion-fusion';
import { isWithin } from '../api/problems.ts';
import type { FieldInputProps } from '../components/field-input-props.ts';
import { AddDocument } from './add-document.tsx';
import { useOpenPassage } from './open-passages.ts';
import { PassageChoice } from './passage-choice.tsx';
import { PinnedPassage } from './pinned-passage.tsx';
import type { ReadDocument } from './stored-document.ts';

/** The stored document that an item quotes: shown, changed, or a new one added and its passage selected. */
export function SourceInput({ value, onChange, path, problems }: FieldInputProps) {
  const [open, setOpen] = useState<ReadDocument | null>(null);
  const [isAdding, setAdding] = useState(false);
  useOpenPassage(open !== null);
  const source = typeof value === 'object' && value !== null ? (value as PinnedSource) : null;
  const wrong = problems.filter((problem) => isWithin(problem.path, path));

  function pin(from: number, to: number): void {
    const { document, version, sha256, contents } = open!;
    const selector = selectPassage(contents, from, to);
    if (selector !== null) choose({ document, version, sha256, selector });
  }

  function choose(chosen: PinnedSource): void {
    onChange(chosen);
    setOpen(null);
    setAdding(false);
  }

  return (
    <fieldset class="field-group">
      <legend>Stored document</legend>
      <p class="field-help">
        The words stand in a stored copy, so that each judgement checks whether they are really there.
      </p>
      {wrong.map(({ path: where, message }) => (
        <p key={where} class="field-error">
          {where}: {message}
        </p>
      ))}
      {source === null ? null : (
        <PinnedPassage source={source} unpin={() => onChange(undefined)} choose={onChange} />
      )}
      {open === null ? (
        <details onToggle={(event) => setAdding(event.currentTarget.open)}>
          <summary>{source === null ? 'Choose or add a document' : 'Pin another passage'}</summary>
          {isAdding && <AddDocument opened={setOpen} />}
        </details>
      ) : (
        <PassageChoice document={open} pin={pin} choose={choose} leave={() => setOpen(null)} />
      )}
    </fieldset>
  );
}
