import type { OpinionSummary } from '@platform/opinion-fusion';
import { coordinate, decimal } from '../format/numbers.ts';

const WIDTH = 100;

/**
 * An opinion as one bar: support from the left, opposition from the right, uncertainty open between them. The
 * upright line is the chance that the words beside the bar give, in [0, 1], so that words and picture agree;
 * null draws none. Each side keeps its end of the bar, so they can be distinguished without color.
 */
export function OpinionBar({
  opinion,
  chance,
  tall = false,
}: {
  readonly opinion: OpinionSummary;
  readonly chance: number | null;
  readonly tall?: boolean;
}) {
  const support = opinion.support * WIDTH;
  const opposition = opinion.opposition * WIDTH;
  const line = chance === null ? null : coordinate(chance * WIDTH);
  const height = tall ? 12 : 8;
  return (
    <svg
      class={tall ? 'opinion-bar opinion-bar-tall' : 'opinion-bar'}
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={opinionInWords(opinion)}
    >
      <rect class="bar-uncertainty" width={WIDTH} height={height} />
      <rect class="bar-support" width={coordinate(support)} height={height} />
      <rect
        class="bar-opposition"
        x={coordinate(WIDTH - opposition)}
        width={coordinate(opposition)}
        height={height}
      />
      {line !== null && <line class="bar-chance" x1={line} x2={line} y1="0" y2={height} />}
    </svg>
  );
}

/** `support 0.72, uncertainty 0.20, opposition 0.08`. */
export function opinionInWords({ support, uncertainty, opposition }: OpinionSummary): string {
  return `support ${decimal(support)}, uncertainty ${decimal(uncertainty)}, opposition ${decimal(opposition)}`;
}
