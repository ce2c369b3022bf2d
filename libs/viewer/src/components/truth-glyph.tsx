import type { TruthStatus } from '@platform/opinion-fusion';

/**
 * Belnap's four values as four shapes that can be distinguished without color: a filled disc for True, a ring
 * crossed out for False, a disc split in halves for Both, a dashed empty ring for Neither.
 */
export function TruthGlyph({ status }: { readonly status: TruthStatus }) {
  return (
    <svg
      class={`truth-glyph truth-${status.toLowerCase()}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
    >
      {SHAPES[status]()}
    </svg>
  );
}

const SHAPES: Readonly<Record<TruthStatus, () => preact.JSX.Element>> = {
  True: () => <circle class="fill-support" cx="8" cy="8" r="7" />,
  False: () => (
    <g class="stroke-opposition">
      <circle cx="8" cy="8" r="6.2" />
      <path d="M4 4 12 12M12 4 4 12" />
    </g>
  ),
  Both: () => (
    <g>
      <path class="fill-support" d="M7.4 1a7 7 0 0 0 0 14z" />
      <path class="fill-opposition" d="M8.6 1a7 7 0 0 1 0 14z" />
    </g>
  ),
  Neither: () => <circle class="stroke-uncertainty" cx="8" cy="8" r="6.2" stroke-dasharray="2.6 2.6" />,
};
