import type { Entity } from '../edit/kinds.ts';
import { keyOf } from '../edit/payload-change.ts';
import { referencesTo } from '../edit/referrers.ts';
import type { ItemLists } from './item-lists.ts';
import { BY_CONTENT } from './namesakes.ts';
import { repeatedClaims } from './standing-claims.ts';

type Claims = readonly Entity[];

/**
 * The claims among the items of a file that have no ids of their own and say what one that is there, or
 * another one of the file, says. A claim that other items of the file refer to is not among them. Pure.
 */
export function repeatedInFile(added: ItemLists, there: ItemLists): ReadonlySet<Entity> {
  const [claims, present] = [added, there].map((lists) => lists['claims'] ?? []) as [Claims, Claims];
  const [ids, thereIds] = [claims, present].map((list) => new Set(list.map(({ id }) => id)));
  const mayRepeat = ({ id }: Entity) => BY_CONTENT.test(id) && !thereIds!.has(id);
  const repeated = repeatedClaims(claims.filter(mayRepeat), [
    ...present.filter(({ id }) => !ids!.has(id)),
    ...claims.filter((claim) => !mayRepeat(claim)),
  ]);
  const keys = new Set([...repeated].map(({ id }) => keyOf({ kind: 'claims', id })));
  const needed = new Set(referencesTo(added, keys).map(({ to }) => to));
  return new Set([...repeated].filter(({ id }) => !needed.has(keyOf({ kind: 'claims', id }))));
}
