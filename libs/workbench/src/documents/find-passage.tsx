import { useState } from 'preact/hooks';
import type { PinnedSource } from '@platform/opinion-fusion';
import { Field } from '../components/field.tsx';
import { placesOfWords, type Searched } from './pinned-places.ts';
import { choiceWords, Places } from './pinned-passage.tsx';
import type { ReadDocument } from './stored-document.ts';

interface Props {
  readonly document: ReadDocument;
  readonly choose: (source: PinnedSource) => void;
}

/** Finds a quote that is typed or pasted in an open document, and pins the place that is chosen. */
export function FindPassage({ document, choose }: Props) {
  const [words, setWords] = useState('');
  const [searched, setSearched] = useState<Searched | null>(null);
  const find = () => setSearched(words.trim() === '' ? null : placesOfWords(document, words.trim()));
  return (
    <>
      <Field
        label="Find the quote"
        help="Plain quotation marks, hyphens and letters without accents find those of the document."
      >
        {(control) => (
          <input
            {...control}
            type="search"
            value={words}
            maxLength={10_000}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // The form around it would be saved.
              event.preventDefault();
              find();
            }}
          />
        )}
      </Field>
      <button type="button" onClick={find}>
        Find
      </button>
      <p role="status">{searched === null ? '' : foundWords(searched)}</p>
      {searched !== null && <Places searched={searched} choose={choose} />}
    </>
  );
}

function foundWords({ found }: Searched): string {
  if (found.state === 'moved') return `The document holds these words ${choiceWords(found)}`;
  if (found.state === 'similar') return `The document holds similar words ${choiceWords(found)}`;
  return 'The document holds neither these words nor similar ones.';
}
