import type { Entity } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import { cellText, COLUMNS } from './columns.ts';
import { itemProblems } from './desk.ts';
import type { Sort } from './claims-grid.tsx';

/** Which claims a list shows. */
export type Show = 'all' | 'incomplete' | 'unlinked' | 'undated' | 'denying';

const SHOWS: Readonly<Record<Show, (claim: Entity) => boolean>> = {
  all: () => true,
  incomplete: (claim) => itemProblems('claims', claim).length > 0,
  unlinked: (claim) => (claim['url'] ?? '') === '',
  undated: (claim) => (claim['assertion_time'] ?? '') === '',
  denying: (claim) => claim['valence'] === 'Refutes',
};

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * The claims on view, in order. With `kept`, the ids of the last view, the order stays and only claims that
 * are new join it at the end: those that fit, and those in `made`.
 */
export function shownClaims(
  payload: object,
  {
    filter,
    show,
    sort,
    kept,
    made,
  }: {
    readonly filter: string;
    readonly show: Show;
    readonly sort: Sort | null;
    readonly kept: readonly string[] | null;
    readonly made: ReadonlySet<string>;
  },
): readonly Entity[] {
  const all = itemsOf(payload, 'claims');
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && show === 'all' && sort === null) return all;
  const textOf = (claim: Entity) =>
    COLUMNS.map(({ field }) => cellText(payload, claim, field))
      .join('\n')
      .toLowerCase();
  const fits = (claim: Entity) => {
    if (!SHOWS[show](claim)) return false;
    if (words.length === 0) return true;
    const text = textOf(claim);
    return words.every((word) => text.includes(word));
  };
  if (kept !== null) {
    const known = new Set(kept);
    const byId = new Map(all.map((claim) => [claim.id, claim]));
    const stay = kept.flatMap((id) => byId.get(id) ?? []);
    return [...stay, ...all.filter((claim) => !known.has(claim.id) && made.has(claim.id))];
  }
  const found = all.filter(fits);
  if (sort === null) return found;
  const texts = new Map(found.map((claim) => [claim, cellText(payload, claim, sort.field)]));
  const direction = sort.isReversed ? -1 : 1;
  // Empty cells last, whichever way.
  return found.toSorted((a, b) => {
    const [left, right] = [texts.get(a)!, texts.get(b)!];
    if (left === '' || right === '') return Number(left === '') - Number(right === '');
    return direction * collator.compare(left, right);
  });
}
