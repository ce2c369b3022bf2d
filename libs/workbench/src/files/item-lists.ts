import type { Entity } from '../edit/kinds.ts';

/** Lists of items by their kind, such as `claims`. */
export type ItemLists = Readonly<Record<string, readonly Entity[]>>;
