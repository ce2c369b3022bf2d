import { useMemo, useRef, useState } from 'preact/hooks';
import { capital, UserText, visible } from '@platform/viewer/browser';
import type { PinnedSource } from '@platform/opinion-fusion';
import { Field } from '../components/field.tsx';
import { FindPassage } from './find-passage.tsx';
import type { ReadDocument } from './stored-document.ts';
import { PagesWithoutText } from './pages-without-text.tsx';
import { directionOf } from './text-direction.ts';
import { originalPosition, shownText } from './textarea-positions.ts';

interface Props {
  readonly document: ReadDocument;
  /** Pins what stands between two UTF-16 positions of the contents. */
  readonly pin: (from: number, to: number) => void;
  /** Pins a place that was found. */
  readonly choose: (source: PinnedSource) => void;
  readonly leave: () => void;
}

/** The text of a stored document, of which a passage is selected by mouse or keyboard. */
export function PassageChoice({ document, pin, choose, leave }: Props) {
  const { filename, version, contents } = document;
  const text = useRef<HTMLTextAreaElement>(null);
  const [isEmpty, setEmpty] = useState(false);
  const [shown, direction] = useMemo(() => [shownText(contents), directionOf(contents)] as const, [contents]);

  function pinSelected(): void {
    const { selectionStart, selectionEnd } = text.current!;
    const from = originalPosition(contents, selectionStart, 'from');
    const to = originalPosition(contents, selectionEnd, 'to');
    setEmpty(from >= to);
    if (from >= to) return text.current!.focus();
    pin(from, to);
  }

  return (
    <div class="passage-choice">
      <PagesWithoutText document={document} />
      {document.warnings?.map((warning) => (
        <p key={warning} class="notice" role="status">
          <UserText text={`${capital(warning)}.`} />
        </p>
      ))}
      <FindPassage document={document} choose={choose} />
      <Field
        label={`${visible(filename)}, version ${version}`}
        help="Select the words that are quoted, then pin them."
        error={isEmpty ? 'Nothing is selected yet.' : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            ref={text}
            class="document-source"
            rows={12}
            dir={direction}
            readOnly
            value={shown}
          />
        )}
      </Field>
      <div class="form-actions">
        <button type="button" class="primary" onClick={pinSelected}>
          Pin the selected words
        </button>
        <button type="button" onClick={leave}>
          Another document
        </button>
      </div>
    </div>
  );
}
