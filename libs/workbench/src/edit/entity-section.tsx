import { useState } from 'preact/hooks';
import { count, counted, plain, shortened, UserText } from '@platform/viewer/browser';
import type { ComponentChildren } from 'preact';
import { Field } from '../components/field.tsx';
import { labelOf, nameOf, REFERENCES, type Entity, type KindSpec } from './kinds.ts';
import { itemsOf } from './payload-change.ts';

const PAGE = 25;
/** Lists longer than this get a filter. */
const FILTER_FROM = 8;
const CELL_LENGTH = 140;

/** Id of a list's heading, and the fragment that leads to it. */
export const sectionId = ({ kind }: KindSpec): string => `edit-${kind}`;

interface Props {
  readonly spec: KindSpec;
  readonly payload: object;
  /** Opens an item; null adds one. */
  readonly open: (entity: Entity | null) => void;
  /** Further buttons next to the one that adds. */
  readonly actions?: ComponentChildren;
}

/** One list of the investigation as a table. */
export function EntitySection({ spec, payload, open, actions }: Props) {
  const items = itemsOf(payload, spec.kind);
  const [filter, setFilter] = useState('');
  const [shown, setShown] = useState(PAGE);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    words.length === 0
      ? items
      : items.filter((item) => {
          const text = JSON.stringify(item).toLowerCase();
          return words.every((word) => text.includes(word));
        });
  const titleId = sectionId(spec);
  const [first, ...others] = spec.columns as [string, ...string[]];
  return (
    <section class="entities" aria-labelledby={titleId}>
      <header class="entities-head">
        <h2 id={titleId} tabIndex={-1}>
          {spec.title} <span class="count">{count(items.length)}</span>
        </h2>
        <div class="entities-actions">
          {actions}
          <button type="button" onClick={() => open(null)}>
            Add {spec.one}
          </button>
        </div>
      </header>
      {items.length === 0 ? (
        <p class="empty">{spec.about}</p>
      ) : (
        <>
          {items.length >= FILTER_FROM && (
            <Field label={`Find in ${spec.title.toLowerCase()}`} class="inline-field">
              {(control) => (
                <input
                  {...control}
                  type="search"
                  value={filter}
                  onInput={(event) => setFilter(event.currentTarget.value)}
                />
              )}
            </Field>
          )}
          {words.length > 0 && <p role="status">{counted(found.length, 'hit')}</p>}
          <table class="data-table entity-table">
            <caption class="visually-hidden">{spec.title}</caption>
            <thead>
              <tr>
                {spec.columns.map((name) => (
                  <th key={name} scope="col">
                    {labelOf(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.slice(0, shown).map((item) => (
                <tr key={item.id}>
                  <th scope="row">
                    <button type="button" class="link" data-item={item.id} onClick={() => open(item)}>
                      <UserText text={shortened(plain(String(item[first] ?? '')), CELL_LENGTH) || item.id} />
                    </button>
                  </th>
                  {others.map((name) => (
                    <td key={name} data-title={labelOf(name)}>
                      <Cell name={name} value={item[name]} payload={payload} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {found.length > shown && (
            <button type="button" onClick={() => setShown(shown + PAGE)}>
              Show {Math.min(PAGE, found.length - shown)} more of {found.length}
            </button>
          )}
        </>
      )}
    </section>
  );
}

function Cell({ name, value, payload }: { name: string; value: unknown; payload: object }) {
  if (value === undefined || value === null || value === '') return null;
  const kind = REFERENCES[name];
  const texts = (Array.isArray(value) ? value : [value]).map((entry) =>
    typeof entry === 'string' ? entry : JSON.stringify(entry),
  );
  if (kind === undefined) return <UserText text={shortened(texts.join(', '), CELL_LENGTH)} />;
  const items = itemsOf(payload, kind);
  return (
    <>
      {texts.map((id, index) => {
        const item = items.find((entry) => entry.id === id);
        return (
          <span key={id} class={item ? undefined : 'missing'}>
            {index > 0 && ', '}
            <UserText text={item ? shortened(plain(nameOf(item)) || id, CELL_LENGTH) : id} />
            {!item && ' (not there)'}
          </span>
        );
      })}
    </>
  );
}
