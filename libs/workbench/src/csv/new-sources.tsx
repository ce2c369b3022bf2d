import { SOURCE_TYPES } from '@platform/opinion-fusion';
import { count, UserText, visible } from '@platform/viewer/browser';
import { nameOf, type Entity } from '../edit/kinds.ts';

interface Props {
  readonly actors: readonly Entity[];
  readonly claims: readonly Entity[];
  /** Gives the named sources a type. */
  readonly choose: (names: readonly string[], type: string) => void;
}

/** The sources that an import makes, each with the type guessed for it, to be looked at and changed. */
export function NewSources({ actors, claims, choose }: Props) {
  const untyped = actors.filter((actor) => actor['source_type'] === '').map(nameOf);
  return (
    <div class="new-sources">
      {untyped.length > 1 && (
        <p>
          <label>
            Give the {untyped.length} without a type{' '}
            <TypeSelect value="" onChange={(type) => type !== '' && choose(untyped, type)} />
          </label>
        </p>
      )}
      <div class="scroll-x scroll-y" role="region" aria-label="New sources" tabIndex={0}>
        <table class="data-table">
          <caption>
            New sources and their types. The type determines how far a source is trusted; check the guesses.
          </caption>
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Type</th>
              <th scope="col" class="numeric">
                Claims
              </th>
            </tr>
          </thead>
          <tbody>
            {actors.map((actor) => (
              <tr key={actor.id}>
                <th scope="row">
                  <UserText text={nameOf(actor)} />
                </th>
                <td data-title="Type">
                  <TypeSelect
                    label={`Type of ${visible(nameOf(actor))}`}
                    value={String(actor['source_type'])}
                    onChange={(type) => choose([nameOf(actor)], type)}
                  />
                  {actor['source_type'] === '' && (
                    <p class="field-error">Required: determines default reliability.</p>
                  )}
                </td>
                <td data-title="Claims" class="numeric">
                  {count(claims.filter((claim) => claim['actor_id'] === actor.id).length)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** One of the types of a source; none chosen yet is the empty text. */
export function TypeSelect({
  label,
  value,
  onChange,
}: {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (type: string) => void;
}) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {value === '' && <option value="">Choose …</option>}
      {SOURCE_TYPES.map((type) => (
        <option key={type}>{type}</option>
      ))}
    </select>
  );
}
