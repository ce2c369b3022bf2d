import { Gradually } from '../../components/gradually.tsx';
import { coordinate } from '../../format/numbers.ts';
import type { Span } from './time-scale.ts';
import { shareOf, ticks } from './time-scale.ts';
import type { Weight } from './claim-weights.ts';
import type { Lane, LaneKind, Timeline } from './timeline-layout.ts';
import { density } from './timeline-layout.ts';
import { TimelineLane } from './timeline-lane.tsx';
import { dayOf } from './timeline-words.ts';

const TICKS_MAX = 8;
const BINS = 72;
const STRIP_HEIGHT = 34;

interface Props {
  readonly timeline: Timeline;
  /** Lanes that are on view. */
  readonly lanes: readonly Lane[];
  readonly weights: ReadonlyMap<string, Weight>;
  readonly kind: LaneKind;
  readonly span: Span;
  /** Whether a lane shows how its claims age. */
  readonly isAged: (laneId: string) => boolean;
  readonly age: (laneId: string, isAged: boolean) => void;
  /** Lanes that show so of all their claims. */
  readonly opened: ReadonlySet<string>;
  readonly open: (laneId: string) => void;
}

const percentOf = (span: Span, at: number) => `${coordinate(shareOf(span, at) * 100)}%`;

/** The axis and the lanes under it, all on one scale. */
export function TimelineChart({ timeline, lanes, weights, kind, span, isAged, age, opened, open }: Props) {
  // A weight of 1 is large; where one is larger, dots are drawn smaller.
  const heaviest = Math.max(1, ...[...weights.values()].map(({ counted }) => counted));
  return (
    <div class="timeline-chart">
      <Patterns />
      <Axis timeline={timeline} span={span} />
      <div class="timeline-lanes">
        <Backdrop timeline={timeline} span={span} />
        <Gradually items={lanes} size={4}>
          {(lane) => (
            <TimelineLane
              key={lane.id}
              lane={lane}
              timeline={timeline}
              weights={weights}
              heaviest={heaviest}
              kind={kind}
              span={span}
              isAged={isAged(lane.id)}
              age={(next) => age(lane.id, next)}
              isWhole={opened.has(lane.id)}
              showWhole={() => open(lane.id)}
            />
          )}
        </Gradually>
      </div>
    </div>
  );
}

/** The grid behind the lanes, and the time of the analysis. */
function Backdrop({ timeline: { asOf }, span }: Pick<Props, 'timeline' | 'span'>) {
  return (
    <svg class="timeline-backdrop" aria-hidden="true">
      {ticks(span, TICKS_MAX).map(({ at }) => (
        <line
          key={at}
          class="timeline-grid"
          x1={percentOf(span, at)}
          x2={percentOf(span, at)}
          y1="0"
          y2="100%"
        />
      ))}
      <line class="timeline-as-of" x1={percentOf(span, asOf)} x2={percentOf(span, asOf)} y1="0" y2="100%" />
    </svg>
  );
}

/** Dates, and over them how much was said when: bursts stand up, gaps stay empty. */
function Axis({ timeline, span }: { readonly timeline: Timeline; readonly span: Span }) {
  const { asOf, statements } = timeline;
  const counts = density(statements, span, BINS);
  const most = Math.max(1, ...counts);
  const marks = ticks(span, TICKS_MAX);
  const asOfShare = shareOf(span, asOf);
  return (
    <div class="timeline-axis">
      <p class="timeline-axis-name">
        Statements over time
        <span class="timeline-axis-note">most at once: {Math.max(0, ...counts)}</span>
      </p>
      <svg
        class="timeline-scale"
        role="img"
        aria-label={`Time from ${dayOf(span.from)} to ${dayOf(span.to)}; analyzed as of ${dayOf(asOf)}`}
      >
        {counts.map((number, bin) =>
          number === 0 ? null : (
            <rect
              key={bin}
              class="timeline-density"
              x={`${coordinate((bin / BINS) * 100)}%`}
              width={`${coordinate(92 / BINS)}%`}
              y={coordinate(STRIP_HEIGHT - (number / most) * (STRIP_HEIGHT - 12))}
              height={coordinate((number / most) * (STRIP_HEIGHT - 12))}
            />
          ),
        )}
        <line class="timeline-base" x1="0" x2="100%" y1={STRIP_HEIGHT} y2={STRIP_HEIGHT} />
        {marks.map(({ at, label }, index) => (
          <g key={at} class={index % 2 === 1 ? 'timeline-tick-second' : undefined}>
            <line
              class="timeline-grid"
              x1={percentOf(span, at)}
              x2={percentOf(span, at)}
              y1="0"
              y2={STRIP_HEIGHT + 4}
            />
            <text x={percentOf(span, at)} y={STRIP_HEIGHT + 16} text-anchor={anchor(shareOf(span, at))}>
              {label}
            </text>
          </g>
        ))}
        {asOfShare >= 0 && asOfShare <= 1 && (
          <g class="timeline-as-of-label">
            <line
              class="timeline-as-of"
              x1={percentOf(span, asOf)}
              x2={percentOf(span, asOf)}
              y1="11"
              y2="100%"
            />
            <text x={percentOf(span, asOf)} y="9" text-anchor={anchor(asOfShare, 0.2)}>
              as of {dayOf(asOf)}
            </text>
          </g>
        )}
      </svg>
    </div>
  );
}

/** Keeps text at the ends of the axis inside it. */
function anchor(share: number, margin = 0.06): 'start' | 'middle' | 'end' {
  if (share < margin) return 'start';
  return share > 1 - margin ? 'end' : 'middle';
}

/** What bars and areas are filled with; other drawings of the pane refer to it by id. */
function Patterns() {
  return (
    <svg class="timeline-patterns" width="0" height="0" aria-hidden="true">
      <defs>
        <pattern
          id="timeline-stale"
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <line class="timeline-hatch" x1="0" x2="0" y1="0" y2="5" />
        </pattern>
        <linearGradient id="timeline-fade-out">
          <stop class="timeline-fade" offset="0.35" />
          <stop class="timeline-fade" offset="1" stop-opacity="0" />
        </linearGradient>
        <linearGradient id="timeline-fade-in">
          <stop class="timeline-fade" offset="0" stop-opacity="0" />
          <stop class="timeline-fade" offset="0.65" />
        </linearGradient>
      </defs>
    </svg>
  );
}
