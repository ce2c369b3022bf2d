import { counted, plain, shortened } from '@platform/viewer/browser';
import { guessSourceType } from '../csv/guess-source-type.ts';
import { NewSources, TypeSelect } from '../csv/new-sources.tsx';
import { nameOf, type Entity } from '../edit/kinds.ts';

/** Sources whose types are asked for in a line; more stand in a table. */
const IN_LINE_MAX = 3;
const NAME_LENGTH = 40;

interface Props {
  /** Sources that were made in the grid, as they stand now. */
  readonly sources: readonly Entity[];
  readonly claims: readonly Entity[];
  /** Gives the named sources a type. */
  readonly choose: (names: readonly string[], type: string) => void;
  readonly close: () => void;
}

/** The types guessed for sources that were named in the grid first, to be looked at and changed. */
export function MadeSources({ sources, claims, choose, close }: Props) {
  if (sources.length === 0) return null;
  const done = (
    <button type="button" class="quiet" onClick={close}>
      Types are right
    </button>
  );
  return (
    <section class="made-sources" aria-label="Types of new sources">
      {sources.length > IN_LINE_MAX ? (
        <>
          <details>
            <summary>Check the types of {counted(sources.length, 'new source')}</summary>
            <NewSources actors={sources} claims={claims} choose={choose} />
          </details>
          {done}
        </>
      ) : (
        <>
          {sources.map((source) => (
            <label key={source.id}>
              Type of the new source “{shortened(plain(nameOf(source)), NAME_LENGTH)}”
              {guessSourceType(nameOf(source)) === null && ', which its name does not tell'}:{' '}
              <TypeSelect
                value={String(source['source_type'])}
                onChange={(type) => choose([nameOf(source)], type)}
              />
            </label>
          ))}
          {done}
        </>
      )}
    </section>
  );
}
