import { plain, shortened, visible } from '@platform/viewer/browser';
import { KINDS, labelOf, nameOf, REFERENCES, type Entity } from '../edit/kinds.ts';
import { isSame, itemOf } from '../edit/edits.ts';
import type { Desk, DeskState } from './desk.ts';
import type { Conflict } from './take-over.ts';

const TEXT_LENGTH = 80;
const FIELDS_MAX = 4;

/** What the user and somebody else changed in the same place, each with the choice between the two. */
export function Conflicts({ desk, state }: { readonly desk: Desk; readonly state: DeskState }) {
  if (state.conflicts.length === 0) return null;
  return (
    <section class="failure conflicts" role="alert" aria-labelledby="conflicts-title">
      <h3 id="conflicts-title">Somebody else changed the same, meanwhile</h3>
      <p>What you typed is still here and is not saved before you choose.</p>
      <ul>
        {state.conflicts.map((conflict) => (
          <li key={`${conflict.mine.kind} ${conflict.mine.id}`}>
            <ConflictWords conflict={conflict} payload={state.payload} />
            <div class="form-actions">
              <button type="button" onClick={() => desk.resolve(conflict, 'mine')}>
                Keep mine
              </button>
              <button type="button" onClick={() => desk.resolve(conflict, 'theirs')}>
                Take theirs
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ConflictWords({
  conflict: { mine, theirs },
  payload,
}: {
  readonly conflict: Conflict;
  readonly payload: object;
}) {
  const { title } = KINDS.find(({ kind }) => kind === mine.kind)!;
  const item = mine.after ?? mine.before ?? theirs;
  const name = item === null ? mine.id : shortened(plain(nameOf(item)), TEXT_LENGTH) || mine.id;
  return (
    <>
      <p>
        {title}: <strong dir="auto">{visible(name)}</strong>
      </p>
      {theirs === null ? (
        <p>They deleted it; you changed it.</p>
      ) : mine.after === null ? (
        <p>
          {isSame(theirs, mine.before)
            ? 'You deleted it; an item of theirs refers to it now.'
            : 'You deleted it; they changed it.'}
        </p>
      ) : (
        <ul>
          {fieldsOf(mine.after, theirs).map((field) => (
            <li key={field}>
              {labelOf(field)}: yours is {shown(named(payload, field, mine.after![field]))}, theirs is{' '}
              {shown(named(payload, field, theirs[field]))}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Says on other tabs that the user is to choose, and leads there. */
export function ConflictNotice({ show }: { readonly show: () => void }) {
  return (
    <p class="notice" role="alert">
      Somebody else changed what you changed, and yours is not saved.{' '}
      <button type="button" class="link" onClick={show}>
        Choose between yours and theirs
      </button>
    </p>
  );
}

const fieldsOf = (mine: Entity, theirs: Entity) =>
  [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    .filter((field) => !isSame(mine[field], theirs[field]))
    .slice(0, FIELDS_MAX);

/** The value of a field, with names in the place of the ids of items. */
function named(payload: object, field: string, value: unknown): unknown {
  const kind = REFERENCES[field];
  const nameOfItem = (id: unknown) => {
    const item = typeof id === 'string' && kind ? itemOf(payload, { kind, id }) : null;
    return item === null ? id : nameOf(item) || id;
  };
  return Array.isArray(value) && kind ? value.map(nameOfItem).join(', ') : nameOfItem(value);
}

const shown = (value: unknown) =>
  value === undefined || value === null
    ? 'nothing'
    : `“${visible(shortened(typeof value === 'string' ? value : JSON.stringify(value), TEXT_LENGTH))}”`;
