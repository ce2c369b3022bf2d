import { useEffect, useState } from 'preact/hooks';
import { day, visible } from '@platform/viewer/browser';
import { useFetched } from '../browser/use-fetched.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import type { StoredDocument } from './stored-document.ts';

const SHOWN = 8;
const TYPING_PAUSE_MS = 250;

interface Props {
  readonly isBusy: boolean;
  readonly choose: (document: StoredDocument) => void;
}

/** Opens a document that is stored already, by a part of its name; without one, those changed last. */
export function FindDocument({ isBusy, choose }: Props) {
  const [name, setName] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(name.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name]);
  const query = new URLSearchParams({ limit: String(SHOWN + 1), ...(asked && { name_filter: asked }) });
  const { value, error } = useFetched<readonly StoredDocument[]>(`/documents?${query}`);
  const found = value?.slice(0, SHOWN);
  return (
    <>
      <Field
        label="Find a stored document by name"
        help={asked === '' ? 'Shown are those that were changed last.' : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="search"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Failure error={error} />
      <p class="field-help" role="status">
        {value === null ? '' : foundWords(value.length, asked)}
      </p>
      <ul class="found-documents">
        {found?.map((document) => (
          <li key={document.document}>
            <button type="button" class="quiet" disabled={isBusy} onClick={() => choose(document)}>
              {visible(document.filename)}
            </button>{' '}
            <span class="field-help">
              version {document.version}
              {document.added_at !== null && `, stored ${day(document.added_at)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function foundWords(length: number, asked: string): string {
  if (length > SHOWN) return `These are the first ${SHOWN}. Type more of the name to find others.`;
  if (length > 0) return '';
  return asked === '' ? 'No document is stored yet.' : 'No document has such a name.';
}
