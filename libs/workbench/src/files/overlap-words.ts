import type { InvestigationInput } from '@platform/opinion-fusion';
import { count, shortened, visible } from '@platform/viewer/browser';
import { KINDS } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import type { ItemLists } from './item-lists.ts';
import { replacedItems, replacedWords } from './replaced-items.ts';
import { restatedClaims, standingClaim } from './standing-claims.ts';

/** The lists of an investigation, without its settings. */
export const listsOf = (of: InvestigationInput): ItemLists =>
  Object.fromEntries(KINDS.map(({ kind }) => [kind, itemsOf(of, kind)]));

/** Claims that stay next to those of a file and are named. */
const STANDING_NAMED = 5;
const NAME_CHARACTERS = 60;

/** The words of an item in quotation marks, as the desk shows them. */
export const quoted = (name: string): string => `“${visible(shortened(name, NAME_CHARACTERS))}”`;

/** What items that are all added mean for those that are there: which they replace, which they restate. */
export function overlapWords(added: ItemLists, there: ItemLists): string[] {
  const standing = restatedClaims(added, added, there).map((claim) => standingClaim(claim, quoted));
  const more = standing.length - STANDING_NAMED;
  return [
    ...replacedWords(replacedItems(added, added, there), quoted),
    ...standing.slice(0, STANDING_NAMED).map(({ path, reason }) => `${path}: ${reason}`),
    ...(more > 0 ? [`${count(more)} more claims stay next to those of the file.`] : []),
  ];
}
