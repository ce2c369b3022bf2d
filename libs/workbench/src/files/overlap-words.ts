import type { InvestigationInput } from '@platform/opinion-fusion';
import { count, shortened, visible } from '@platform/viewer/browser';
import { KINDS } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import type { ItemLists } from './item-lists.ts';
import { replacedItems, replacedWords } from './replaced-items.ts';
import { restatedClaims, standingClaim, type StandingClaim } from './standing-claims.ts';

/** The lists of an investigation, without its settings. */
export const listsOf = (of: InvestigationInput): ItemLists =>
  Object.fromEntries(KINDS.map(({ kind }) => [kind, itemsOf(of, kind)]));

/** Items that stay although a file says otherwise and are named. */
const STANDING_NAMED = 5;
const NAME_CHARACTERS = 60;

/** The words of an item in quotation marks, as the desk shows them. */
export const quoted = (name: string): string => `“${visible(shortened(name, NAME_CHARACTERS))}”`;

/** What items that are all added mean for those that are there: which they replace, which they restate. */
export function overlapWords(added: ItemLists, there: ItemLists): string[] {
  const standing = restatedClaims(added, added, there).map((claim) => standingClaim(claim, quoted));
  return [...replacedWords(replacedItems(added, added, there), quoted), ...namedStanding(standing)];
}

/** Items that stay although a file says otherwise: the first few, and how many more there are. */
export function namedStanding(standing: readonly StandingClaim[]): string[] {
  const more = standing.length - STANDING_NAMED;
  return [
    ...standing.slice(0, STANDING_NAMED).map(({ path, reason }) => `${path}: ${reason}`),
    ...(more > 0 ? [`${count(more)} more items stay as they are.`] : []),
  ];
}
