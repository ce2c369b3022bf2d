import type { OpinionSummary } from '@platform/opinion-fusion';
import { coordinate, decimal } from '../format/numbers.ts';
import { opinionInWords } from './opinion-bar.tsx';

const SIDE = 100;
const HEIGHT = (SIDE * Math.sqrt(3)) / 2;
/** Room for the marks that stand on the edges, and for the names of the corners of the large form. */
const MARGIN = { small: 5, large: 16 } as const;

/**
 * Place of an opinion in a triangle of side 1, y upwards. Source: Jøsang, Subjective Logic (2016), §3.5: x =
 * b + u/2, y = u·√3/2.
 */
export function trianglePoint({ support, uncertainty }: Pick<OpinionSummary, 'support' | 'uncertainty'>) {
  return { x: support + uncertainty / 2, y: (uncertainty * Math.sqrt(3)) / 2 };
}

/**
 * The opinion triangle: opposition bottom left, support bottom right, uncertainty on top; the dot is the
 * opinion, the dashed line its projection, parallel to the line from the top to the base rate, onto the
 * expected probability.
 */
export function OpinionTriangle({
  opinion,
  size,
}: {
  readonly opinion: OpinionSummary;
  readonly size: 'small' | 'large';
}) {
  const margin = MARGIN[size];
  const at = (x: number, y: number) => ({ x: margin + x * SIDE, y: margin + HEIGHT - y * SIDE });
  const point = trianglePoint(opinion);
  const dot = at(point.x, point.y);
  const top = at(0.5, HEIGHT / SIDE);
  const left = at(0, 0);
  const right = at(1, 0);
  const baseRate = at(opinion.base_rate, 0);
  const expected = at(opinion.support + opinion.base_rate * opinion.uncertainty, 0);
  return (
    <svg
      class={`opinion-triangle opinion-triangle-${size}`}
      viewBox={`0 0 ${SIDE + 2 * margin} ${coordinate(HEIGHT + 2 * margin)}`}
      role="img"
      aria-label={`Opinion triangle: ${opinionInWords(opinion)}, base rate ${decimal(opinion.base_rate)}`}
    >
      <path class="triangle-edge" d={`M${pair(left)}L${pair(right)}L${pair(top)}Z`} />
      <line class="triangle-director" {...line(top, baseRate)} />
      <line class="triangle-projector" {...line(dot, expected)} />
      <path class="triangle-base-rate" d={`M${pair(baseRate)}l-2.4 4.2h4.8z`} />
      <line
        class="triangle-expected"
        {...line({ ...expected, y: expected.y - 3 }, { ...expected, y: expected.y + 3 })}
      />
      <circle class="triangle-dot" cx={coordinate(dot.x)} cy={coordinate(dot.y)} r="3.2" />
      {size === 'large' && (
        <g class="triangle-names" aria-hidden="true">
          <text x={coordinate(top.x)} y={coordinate(top.y - 6)} text-anchor="middle">
            uncertainty
          </text>
          <text class="name-opposition" x="2" y={coordinate(left.y + 13)}>
            opposition
          </text>
          <text
            class="name-support"
            x={coordinate(right.x + margin - 2)}
            y={coordinate(right.y + 13)}
            text-anchor="end"
          >
            support
          </text>
        </g>
      )}
    </svg>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}
const pair = ({ x, y }: Point) => `${coordinate(x)} ${coordinate(y)}`;
const line = (from: Point, to: Point) => ({
  x1: coordinate(from.x),
  y1: coordinate(from.y),
  x2: coordinate(to.x),
  y2: coordinate(to.y),
});

/** The four numbers of an opinion as text, shown next to a triangle. */
export function OpinionNumbers({ opinion }: { readonly opinion: OpinionSummary }) {
  return (
    <dl class="opinion-numbers">
      <dt class="name-support">support</dt>
      <dd>{decimal(opinion.support)}</dd>
      <dt class="name-opposition">opposition</dt>
      <dd>{decimal(opinion.opposition)}</dd>
      <dt>uncertainty</dt>
      <dd>{decimal(opinion.uncertainty)}</dd>
      <dt>base rate</dt>
      <dd>{decimal(opinion.base_rate)}</dd>
    </dl>
  );
}
