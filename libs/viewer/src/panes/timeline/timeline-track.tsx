import { coordinate } from '../../format/numbers.ts';
import { instant } from '../../format/times.ts';
import { plain } from '../../format/text.ts';
import type { Corroboration, Tooth } from './ageing.ts';
import type { Span } from './time-scale.ts';
import { shareOf } from './time-scale.ts';
import type { Connector, Moment } from './timeline-layout.ts';
import { momentSentences } from './timeline-words.ts';

/** Heights in a row, CSS pixels from its top: the curve stands on the base line, the event lies under it. */
const CURVE = { top: 8, height: 28 } as const;
const BASE = CURVE.top + CURVE.height;
const EVENT = { top: BASE + 7, height: 7 } as const;
/** Units of the curve's own coordinates across the whole timeline. */
const CURVE_WIDTH = 10_000;
/** After so many half-lives the curve lies on the base line. */
const CURVE_HALF_LIVES = 7;
const HALF_LIVES_MARKED = 2;

interface Props {
  readonly moment: Moment;
  readonly pieces: readonly Connector[];
  readonly span: Span;
  readonly whole: Span;
  readonly asOf: number;
}

/**
 * One claim in time: event bar, weight as it fades, assertion, corroborations, and the lines to what took its
 * place.
 */
export function TimelineTrack({ moment, pieces, span, whole, asOf }: Props) {
  const { assertedAt, corroborations } = moment.ageing;
  const x = (at: number) => `${coordinate(Math.min(Math.max(shareOf(span, at), -9), 10) * 100)}%`;
  const sentences = momentSentences(moment, asOf);
  return (
    <svg class="timeline-track" role="img" aria-label={plain(sentences)}>
      <title>{plain(sentences)}</title>
      <WeightCurve moment={moment} span={span} whole={whole} />
      <rect class="timeline-future" x={x(asOf)} y="0" width="1000%" height="100%" />
      <line class="timeline-as-of" x1={x(asOf)} x2={x(asOf)} y1="0" y2="100%" />
      <line class="timeline-base" x1="0" x2="100%" y1={BASE} y2={BASE} />
      <EventBar moment={moment} span={span} />
      {pieces.map((piece, index) => (
        <ConnectorPiece key={index} piece={piece} x={x(piece.at)} />
      ))}
      {corroborations.map((item, index) => (
        <CorroborationMark key={index} item={item} x={x(item.at)} />
      ))}
      <Away moment={moment} span={span} />
      {assertedAt !== null && <circle class="timeline-dot" cx={x(assertedAt)} cy={BASE} r="4.5" />}
    </svg>
  );
}

function EventBar({
  moment: { eventFrom, eventTo },
  span,
}: {
  readonly moment: Moment;
  readonly span: Span;
}) {
  if (eventFrom === null && eventTo === null) return null;
  const from = eventFrom === null ? 0 : Math.max(shareOf(span, eventFrom), -1);
  const to = eventTo === null ? 1 : Math.min(shareOf(span, eventTo), 2);
  if (to < 0 || from > 1) return null;
  const fill =
    eventFrom === null ? 'url(#timeline-fade-in)' : eventTo === null ? 'url(#timeline-fade-out)' : undefined;
  return (
    <rect
      class={fill ? undefined : 'timeline-event'}
      fill={fill}
      x={`${coordinate(from * 100)}%`}
      width={`${coordinate(Math.max(to - from, 0.003) * 100)}%`}
      y={EVENT.top}
      height={EVENT.height}
      rx="2"
    />
  );
}

/** Points to where the claim is, when all of it lies outside the span. */
function Away({ moment, span }: Pick<Props, 'moment' | 'span'>) {
  const { ageing, eventFrom, eventTo } = moment;
  const times = [ageing.assertedAt, eventFrom, eventTo, ...ageing.corroborations.map(({ at }) => at)];
  const known = times.filter((at) => at !== null);
  const starts = eventTo !== null && eventFrom === null ? -Infinity : Math.min(...known);
  const ends = eventFrom !== null && eventTo === null ? Infinity : Math.max(...known);
  if (starts > span.to)
    return (
      <text class="timeline-away" x="100%" dx="-4" y={BASE - 6} text-anchor="end">
        later →
      </text>
    );
  return ends < span.from ? (
    <text class="timeline-away" x="4" y={BASE - 6}>
      ← earlier
    </text>
  ) : null;
}

/** The weight over time in coordinates that zooming does not touch: only the frame moves. */
function WeightCurve({ moment, span, whole }: Pick<Props, 'moment' | 'span' | 'whole'>) {
  const { halfLifeMs, teeth, staleAt } = moment.ageing;
  const first = teeth[0];
  if (halfLifeMs === null || !first || first.from >= whole.to) return null;
  const unit = (at: number) => shareOf(whole, Math.min(at, whole.to)) * CURVE_WIDTH;
  const start = shareOf(span, whole.from) * 100;
  const width = ((whole.to - whole.from) / (span.to - span.from)) * 100;
  const last = teeth.at(-1)!;
  return (
    <svg
      x={`${coordinate(start)}%`}
      width={`${coordinate(width)}%`}
      y={CURVE.top}
      height={CURVE.height}
      viewBox={`0 0 ${CURVE_WIDTH} ${CURVE.height}`}
      preserveAspectRatio="none"
    >
      {halfLifeMs > 0 && (
        <path
          class={moment.isSuperseded ? 'timeline-weight timeline-weight-superseded' : 'timeline-weight'}
          d={`M${coordinate(unit(first.from))} ${CURVE.height}${teeth.map((tooth) => toothPath(tooth, halfLifeMs, whole, unit)).join('')}V${CURVE.height}Z`}
        />
      )}
      {teeth.map((tooth) => {
        const from = Math.max(tooth.from, tooth.origin + HALF_LIVES_MARKED * halfLifeMs);
        const to = Math.min(tooth.to, whole.to);
        return from < to ? (
          <rect
            key={tooth.from}
            fill="url(#timeline-stale)"
            x={coordinate(unit(from))}
            width={coordinate(unit(to) - unit(from))}
            height={CURVE.height}
          />
        ) : null;
      })}
      {Array.from({ length: halfLifeMs > 0 ? HALF_LIVES_MARKED : 0 }, (_, i) => {
        const at = last.origin + (i + 1) * halfLifeMs;
        if (at < last.from || at > whole.to) return null;
        const isStaleMark = at === staleAt;
        return (
          <line
            key={i}
            class={isStaleMark ? 'timeline-stale-mark' : 'timeline-half-life'}
            x1={coordinate(unit(at))}
            x2={coordinate(unit(at))}
            y1={isStaleMark ? 0 : CURVE.height * (1 - 0.5 ** (i + 1))}
            y2={CURVE.height}
          />
        );
      })}
    </svg>
  );
}

/**
 * From the base line up to the weight at its start and along its fall: one cubic for each half-life or part
 * of one.
 */
function toothPath(
  { from, to, origin }: Tooth,
  halfLifeMs: number,
  whole: Span,
  unit: (at: number) => number,
): string {
  const end = Math.min(to, whole.to, Math.max(from, origin + CURVE_HALF_LIVES * halfLifeMs));
  const weight = (at: number) => 0.5 ** (Math.max(0, at - origin) / halfLifeMs);
  const y = (share: number) => CURVE.height * (1 - share);
  const pieces = Math.max(1, Math.ceil((end - from) / halfLifeMs));
  const length = (end - from) / pieces;
  let path = `V${coordinate(y(weight(from)))}`;
  for (let i = 0; i < pieces; i += 1) {
    const [a, b] = [from + i * length, from + (i + 1) * length];
    // Hermite: the curve leaves and arrives with the slope of the fall, −ln 2 · weight per half-life.
    const fall = (at: number) => ((Math.LN2 * weight(at)) / halfLifeMs) * (length / 3) * CURVE.height;
    const [ax, bx] = [unit(a), unit(b)];
    const third = (bx - ax) / 3;
    path +=
      `C${coordinate(ax + third)} ${coordinate(y(weight(a)) + fall(a))} ` +
      `${coordinate(bx - third)} ${coordinate(y(weight(b)) - fall(b))} ${coordinate(bx)} ${coordinate(y(weight(b)))}`;
  }
  return end < Math.min(to, whole.to) ? `${path}V${CURVE.height}H${coordinate(unit(to))}` : path;
}

function ConnectorPiece({ piece: { part, isDown }, x }: { readonly piece: Connector; readonly x: string }) {
  const ends =
    part === 'pass'
      ? ['0', '100%']
      : (part === 'leave') === isDown
        ? [String(BASE), '100%']
        : ['0', String(BASE)];
  return (
    <g class="timeline-supersession">
      <line x1={x} x2={x} y1={ends[0]} y2={ends[1]} />
      {part === 'leave' && <line x1={x} x2={x} y1={BASE - 7} y2={BASE + 7} />}
      {part === 'arrive' && (
        <svg x={x} y={BASE} width="1" height="1" overflow="visible">
          <path d={isDown ? 'M-5-13 0-4.5 5-13Z' : 'M-5 13 0 4.5 5 13Z'} />
        </svg>
      )}
    </g>
  );
}

/** Filled for an independent source, half filled for a dependent one, hollow where it was ignored. */
export function CorroborationMark({
  item,
  x,
}: {
  readonly item: Pick<Corroboration, 'kind'> & Partial<Corroboration>;
  readonly x: string;
}) {
  return (
    <svg class={`timeline-${item.kind}`} x={x} y={BASE} width="1" height="1" overflow="visible">
      {item.event && (
        <title>{`${item.kind} corroboration by ${plain(item.actorName!)}, ${instant(item.event.time)}`}</title>
      )}
      <path class="timeline-tick" d="M0-9 5 0 0 9-5 0Z" />
      {item.kind === 'dependent' && <path class="timeline-tick-half" d="M0-9-5 0 0 9Z" />}
    </svg>
  );
}
