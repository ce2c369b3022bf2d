import { useEffect, useRef, useState } from 'preact/hooks';
import type { PinnedSource } from '@platform/opinion-fusion';
import { shortened, UserText, workbenchPassage } from '@platform/viewer/browser';
import { plainWords } from '../api/api-error.ts';
import { useApi } from '../browser/api-context.ts';
import { placesOf, shownPlaces, type PinnedPlaces, type Searched } from './pinned-places.ts';

const WORDS_LENGTH = 200;

interface Props {
  readonly source: PinnedSource;
  readonly unpin: () => void;
  /** Pins another place in place of this one. */
  readonly choose: (source: PinnedSource) => void;
}

/** The passage that is pinned: its words, where they stand, and the places to choose from once moved. */
export function PinnedPassage({ source, unpin, choose }: Props) {
  const { selector } = source;
  const { places, error } = usePlaces(source);
  const box = useRef<HTMLDivElement>(null);
  function chooseAndStay(chosen: PinnedSource): void {
    // The button that was pressed goes.
    box.current?.focus();
    choose(chosen);
  }
  return (
    <div class="source-pinned" ref={box} tabIndex={-1}>
      <p>
        {selector && (
          <q dir="auto">
            <UserText text={shortened(selector.exact, WORDS_LENGTH)} />
          </q>
        )}{' '}
        {(places !== null || !selector) && (
          <>
            <a href={hrefOf(source, places)} target="_blank">
              Show in its document
            </a>{' '}
          </>
        )}
        <button type="button" class="quiet" onClick={unpin}>
          Unpin
        </button>
      </p>
      <div role="status">
        {error !== null && (
          <p>The document cannot be read, so the words were not looked up. {plainWords(error)}</p>
        )}
        {places !== null && <p>{stateWords(places)}</p>}
      </div>
      {places !== null && <Places searched={places} choose={chooseAndStay} />}
      {places !== null && places.edited !== null && (
        <>
          <p>{editedWords(places.edited)}</p>
          <Places searched={places.edited} choose={chooseAndStay} />
        </>
      )}
    </div>
  );
}

function usePlaces(source: PinnedSource) {
  const api = useApi();
  const [places, setPlaces] = useState<PinnedPlaces | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    setPlaces(null);
    setError(null);
    if (source.selector)
      placesOf(api, source, stop.signal).then(setPlaces, (failure: unknown) => {
        if (!stop.signal.aborted) setError(failure);
      });
    return () => stop.abort();
  }, [source]);
  return { places, error };
}

/** A whole document, or the one version with the places that were found in it and no others. */
const hrefOf = ({ document, version }: PinnedSource, places: PinnedPlaces | null): string =>
  places === null
    ? workbenchPassage(document, version ?? 'current', {})
    : workbenchPassage(document, places.read.version, places.found);

function stateWords({ read, found }: Searched): string {
  if (found.state === 'verified') return 'The words stand there in the stored document.';
  if (found.state === 'gone') return `Version ${read.version} of the document does not hold these words.`;
  if (found.state === 'similar')
    return `Version ${read.version} of the document does not hold these very words, but similar ones ${choiceWords(found)}`;
  return `The words are not where they were pinned. Version ${read.version} holds them ${choiceWords(found)}`;
}

function editedWords({ read, found }: Searched): string {
  if (found.state !== 'moved')
    return `The document was edited since: version ${read.version} does not hold these words any more.`;
  return `The document was edited since: version ${read.version} holds the words in another place, ${choiceWords(found)}`;
}

/** How often words stand in a document, and how many of the places are listed. */
export function choiceWords({
  occurrences,
  candidates,
}: Extract<Searched['found'], { state: 'moved' | 'similar' }>): string {
  const times = occurrences === 1 ? 'once' : `${occurrences} times`;
  const likeliest = candidates.length < occurrences ? `; the ${candidates.length} likeliest are listed` : '';
  return `${times}${likeliest}. No place is chosen for you.`;
}

/** The places that may be meant, each with a button that pins it. */
export function Places({
  searched,
  choose,
}: {
  readonly searched: Searched;
  readonly choose: (source: PinnedSource) => void;
}) {
  const places = shownPlaces(searched);
  if (places.length === 0) return null;
  return (
    <ul class="source-places">
      {places.map(({ start, before, words, after, source }) => (
        <li key={start}>
          <span dir="auto">
            … <UserText text={before} />
            <mark class="passage-candidate">
              <UserText text={shortened(words, WORDS_LENGTH)} />
            </mark>
            <UserText text={after} /> …
          </span>{' '}
          <button type="button" class="quiet" onClick={() => choose(source)}>
            Pin this place
          </button>
        </li>
      ))}
    </ul>
  );
}
