import type { PaneId } from '../snapshot.ts';
import { PANE_IDS } from '../snapshot.ts';

const CLAIM = 'claim-';
const VERDICT = 'verdict-';

/** An id without white space that browsers match against a fragment as it stands. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}

/** Id of a claim's record on the page, and its URL fragment without `#`. */
export const claimFragment = (claimId: string): string => CLAIM + encoded(claimId);

/**
 * Id of a verdict's card, and its URL fragment without `#`. A subject's hyphens are encoded: the first one
 * parts it from the predicate.
 */
export const verdictFragment = (subjectId: string, predicate: string): string =>
  `${VERDICT}${encoded(subjectId).replaceAll('-', '%2D')}-${encoded(predicate)}`;

/** What a fragment names: a pane, a part of one, or an item. */
export type Target =
  | { readonly kind: 'pane'; readonly pane: PaneId }
  | { readonly kind: 'part'; readonly pane: PaneId; readonly id: string }
  | { readonly kind: 'claim'; readonly id: string }
  | { readonly kind: 'verdict'; readonly id: string };

/** What a fragment (without `#`) names; null when the page has none of that name. */
export function readFragment(fragment: string): Target | null {
  const pane = PANE_IDS.find((id) => id === fragment);
  if (pane) return { kind: 'pane', pane };
  const whole = PANE_IDS.find((id) => fragment.startsWith(`${id}-`));
  if (whole) return { kind: 'part', pane: whole, id: fragment };
  if (fragment.startsWith(CLAIM)) return { kind: 'claim', id: fragment };
  if (fragment.startsWith(VERDICT)) return { kind: 'verdict', id: fragment };
  return null;
}
