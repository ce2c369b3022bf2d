import type { OpinionSummary } from '@platform/opinion-fusion';
import { coordinate, decimal } from '../format/numbers.ts';

const WIDTH = 100;

/**
 * An opinion as one bar: support from the left, opposition from the right, uncertainty open between them. The
 * tick is the expected probability. Each side keeps its end of the bar, so they can be distinguished without
 * color.
 */
export function OpinionBar({
  opinion,
  tall = false,
}: {
  readonly opinion: OpinionSummary;
  readonly tall?: boolean;
}) {
  const support = opinion.support * WIDTH;
  const opposition = opinion.opposition * WIDTH;
  const expected = (opinion.support + opinion.base_rate * opinion.uncertainty) * WIDTH;
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
      <line class="bar-expected" x1={coordinate(expected)} x2={coordinate(expected)} y1="0" y2={height} />
    </svg>
  );
}

/** `support 0.72, uncertainty 0.20, opposition 0.08`. */
export function opinionInWords({ support, uncertainty, opposition }: OpinionSummary): string {
  return `support ${decimal(support)}, uncertainty ${decimal(uncertainty)}, opposition ${decimal(opposition)}`;
}
