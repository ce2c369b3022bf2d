import { count } from '../format/numbers.ts';
import type { PaneProps } from './pane-props.ts';

/** How many of all claims a pane draws; nothing where it draws all. */
export function HeldNotice({ model: { judged, claims } }: PaneProps) {
  if (!judged.totals) return null;
  return (
    <p class="notice">
      Drawn and counted here are {count(claims.length)} of {count(judged.totals.claims)} claims, the strongest
      of each finding first. The downloads hold all.
    </p>
  );
}
