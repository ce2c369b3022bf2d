import type { ItemChange } from '@platform/opinion-fusion';
import { UserText } from '../components/user-text.tsx';
import { counted } from '../format/numbers.ts';
import { shortened } from '../format/text.ts';
import { readable } from '../format/words.ts';
import { saidText } from './move-words.ts';

const WORDS_LENGTH = 90;
const VERBS = { added: 'Added', removed: 'Removed', replaced: 'Changed' };
/** Lists with a singular that is not the plural without its s. */
const ONE: Readonly<Record<string, string>> = {
  actors: 'source',
  evidence: 'evidence',
  inferences: 'inference',
};

/** Items that came, went or were changed, one a line. */
export function ChangedItems({
  changes,
  total,
  payload,
}: {
  readonly changes: readonly ItemChange[];
  readonly total: number;
  readonly payload: object;
}) {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="history-items">
      <h3 id="history-items">Changed items</h3>
      <ul class="changed-items">
        {changes.map((change) => (
          <li key={`${change.kind} ${change.id}`}>
            <span class={`change-${change.change}`}>{VERBS[change.change]}</span>{' '}
            {ONE[change.kind] ?? change.kind.replace(/s$/, '')}:{' '}
            <ItemWords change={change} payload={payload} />
          </li>
        ))}
      </ul>
      {total > changes.length && <p class="more">And {counted(total - changes.length, 'more item')}.</p>}
    </section>
  );
}

/** An item, of a claim who says what, and of a changed one what was before and how it differs. */
export function ItemWords({ change, payload }: { readonly change: ItemChange; readonly payload: object }) {
  return (
    <>
      <Named change={change} payload={payload} />
      <Before change={change} />
    </>
  );
}

/** What a changed item was before: what it answered, and how else it differs. */
function Before({ change }: { readonly change: ItemChange }) {
  // Comparisons that were published before answers and differences were kept have values and fields alone.
  const { value_before: value, said_before: said = value === undefined ? null : { value } } = change;
  const { fields = [], statement, differences } = change;
  const others = fields.filter((name) => name !== 'value' || value === undefined).map(readable);
  const differs = statement === undefined && differences === undefined ? others : (differences ?? []);
  return (
    <>
      {said !== null && (
        <>
          , was <UserText text={saidText(said)} />
        </>
      )}
      {differs.length > 0 && (
        <>
          {' '}
          (<UserText text={differs.join(', ')} />)
        </>
      )}
    </>
  );
}

/** An item in the words of its judgement, else in those of the investigation as it is now, or by its id. */
function Named({ change, payload }: { readonly change: ItemChange; readonly payload: object }) {
  const named = (kind: string, id: string) => {
    const items = (payload as Record<string, readonly Item[] | null | undefined>)[kind] ?? [];
    const item = items.find((entry) => entry.id === id);
    return shortened((item && nameOf(item)) || id, WORDS_LENGTH);
  };
  const name = change.name && shortened(change.name, WORDS_LENGTH);
  if (change.predicate === undefined) return <UserText text={name ?? named(change.kind, change.id)} />;
  const source = <UserText text={name ?? named('actors', change.actor_id ?? '')} />;
  if (change.statement !== undefined)
    return (
      <>
        {source}: <UserText text={change.statement} />
      </>
    );
  return (
    <>
      {source} on <UserText text={named('subjects', change.subject_id ?? '')} />,{' '}
      <UserText text={readable(change.predicate)} />: <UserText text={saidText(change)} />
    </>
  );
}

type Item = Readonly<Record<string, unknown>>;

/** The name or the words by which people know an item; empty where it has neither. */
export function nameOf(item: Item): string {
  const name = item['name'] ?? item['content'] ?? item['feature'] ?? item['description'];
  return typeof name === 'string' ? name : '';
}
