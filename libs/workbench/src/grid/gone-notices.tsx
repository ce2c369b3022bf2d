import { plain, shortened } from '@platform/viewer/browser';
import { nameOf, type Entity } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import type { GoneItem } from './gone-items.ts';

const SHOWN = 3;
const NAME_LENGTH = 60;

interface Props {
  readonly gone: readonly GoneItem[];
  readonly payload: object;
  /** Where claims stand, in words. */
  readonly where: (claims: readonly Entity[]) => string;
  /** Puts an item that is there in the place of one that is gone; it can be taken back. */
  readonly choose: (gone: GoneItem, chosen: Entity) => void;
}

/** Sources and subjects that rows name and that were removed, each with a choice of those that are there. */
export function GoneNotices({ gone, payload, where, choose }: Props) {
  const more = gone.length - SHOWN;
  return (
    <>
      {gone.slice(0, SHOWN).map((one) => {
        const items = itemsOf(payload, one.kind);
        return (
          <p key={`${one.field} ${one.id}`} class="notice gone-item">
            <label>
              There is no {one.one} “{shortened(plain(one.id), NAME_LENGTH)}” any more, and claims name it (
              {where(one.claims)}): they cannot be judged. Type another into the cell, or choose one:{' '}
              <select
                value=""
                onChange={({ currentTarget: { value } }) => {
                  const chosen = items.find(({ id }) => id === value);
                  if (chosen) choose(one, chosen);
                }}
              >
                <option value="">Choose a {one.one}</option>
                {items.map((item) => (
                  <option key={item.id} value={item.id}>
                    {shortened(plain(nameOf(item)) || plain(item.id), NAME_LENGTH)}
                  </option>
                ))}
              </select>
            </label>
          </p>
        );
      })}
      {more > 0 && <p class="notice">And {more} more sources or subjects that were removed.</p>}
    </>
  );
}
