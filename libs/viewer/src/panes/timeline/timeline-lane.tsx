import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Fold, FoldContext } from '../../components/fold.tsx';
import { useHref } from '../../components/part.tsx';
import { UserText } from '../../components/user-text.tsx';
import { claimFragment } from '../../format/fragments.ts';
import { coordinate, count, counted } from '../../format/numbers.ts';
import { plain } from '../../format/text.ts';
import { Stated } from '../overview/finding.tsx';
import { dotSentence, type Weight } from './claim-weights.ts';
import { DOT_ROOM, dotRow, type Dot } from './dot-places.ts';
import type { Span } from './time-scale.ts';
import type { Lane, LaneKind, Timeline } from './timeline-layout.ts';
import { TimelineRows } from './timeline-rows.tsx';

interface Props {
  readonly lane: Lane;
  readonly timeline: Timeline;
  readonly weights: ReadonlyMap<string, Weight>;
  /** The weight of the largest dot. */
  readonly heaviest: number;
  readonly kind: LaneKind;
  readonly span: Span;
  readonly isAged: boolean;
  readonly age: (isAged: boolean) => void;
  /** All claims of the lane are shown when it is unfolded. */
  readonly isWhole: boolean;
  readonly showWhole: () => void;
}

/** A dot for each claim in one row, and, unfolded, a row for each of how it ages. */
export function TimelineLane({ lane, isAged, age, ...props }: Props) {
  const href = useHref();
  const drawing = useContext(FoldContext);
  const { id, title, verdict } = lane;
  return (
    <section class="timeline-lane" aria-label={plain(title)}>
      <div class="timeline-lane-name">
        <h3 class="timeline-lane-title">
          {verdict ? <Stated verdict={verdict} /> : <UserText text={title} />}
        </h3>
        <p class="timeline-lane-count">
          <Sides {...props} lane={lane} />
          {verdict && (
            <>
              . <a href={href(id)}>Why</a>
            </>
          )}
        </p>
      </div>
      <Dots {...props} lane={lane} />
      {/* Of many lanes a document holds the first ones whole; the others are drawn when they are opened. */}
      <FoldContext.Provider value={lane.isDrawnAhead ? drawing : 'opened'}>
        <Fold
          class={lane.isDrawnAhead ? 'timeline-ages' : 'timeline-ages timeline-scripted'}
          summary={lane.moments.length === 1 ? 'Show how it ages' : 'Show how they age'}
          isOpen={isAged}
          toggled={age}
        >
          {() => <Ages {...props} lane={lane} />}
        </Fold>
      </FoldContext.Provider>
    </section>
  );
}

type Drawn = Omit<Props, 'isAged' | 'age'>;

/** `5 claims: 3 for, 1 against, 1 not counted, 1 undated`. */
function Sides({ lane: { moments, undated }, weights }: Drawn) {
  const all = [...moments, ...undated];
  const ofSide = (side: Weight['side']) =>
    all.filter(({ claim }) => weights.get(claim.id)!.side === side).length;
  const parts: [number, string, string?][] = [
    [ofSide('for'), 'for', 'name-support'],
    [ofSide('against'), 'against', 'name-opposition'],
    [ofSide('none'), 'not counted'],
  ];
  const shown: ComponentChildren[] = parts.flatMap(([number, word, name]) =>
    number === 0 ? [] : [<span key={word} class={name}>{`${count(number)}\u00a0${word}`}</span>],
  );
  return (
    <>
      {counted(all.length, 'claim')}: {shown.flatMap((part, index) => (index === 0 ? [part] : [', ', part]))}
      {undated.length > 0 && `; ${count(undated.length)} without a date`}
    </>
  );
}

function Dots({ lane: { moments }, weights, heaviest, span }: Drawn) {
  const { dots, height, band, earlier, later } = dotRow(moments, weights, { span, heaviest });
  return (
    <svg class="timeline-dots" height={height} role="group" aria-label="Claims, in the order of time">
      <rect class="timeline-band" width="100%" y={band.top} height={band.height} />
      {[band.top, ...(band.height > 0 ? [band.top + band.height] : [])].map((y) => (
        <line key={y} class="timeline-base" x1="0" x2="100%" y1={y} y2={y} />
      ))}
      {earlier > 0 && (
        <text class="timeline-away" x="0" y={height / 2 + 4}>
          ← {count(earlier)} earlier
        </text>
      )}
      {later > 0 && (
        <text class="timeline-away" x="100%" y={height / 2 + 4} text-anchor="end">
          {count(later)} later →
        </text>
      )}
      {dots.map((dot) => (
        <DotLink key={dot.moment.claim.id} dot={dot} />
      ))}
    </svg>
  );
}

function DotLink({ dot: { moment, weight, x, y, radius } }: { readonly dot: Dot }) {
  const href = useHref();
  const place = { cx: `${coordinate(x * 100)}%`, cy: y };
  return (
    <a class={`timeline-dot-${weight.side}`} href={href(claimFragment(moment.claim.id))}>
      <title>{dotSentence(moment, weight)}</title>
      <circle {...place} r={DOT_ROOM / 2} />
      <circle {...place} r={coordinate(radius)} />
    </a>
  );
}

/** How the claims of a lane age; of many the highest ranked. */
function Ages({ lane, timeline, kind, span, isWhole, showWhole }: Drawn) {
  const moments = isWhole ? lane.moments : lane.shown;
  const left = lane.moments.length - moments.length;
  return (
    <>
      <TimelineRows moments={moments} kind={kind} timeline={timeline} span={span} />
      {left > 0 && (
        <p class="timeline-more">
          The {moments.length} highest ranked are drawn; {count(left)} more in the table.{' '}
          <button type="button" class="timeline-scripted" onClick={showWhole}>
            Draw all {lane.moments.length}
          </button>
        </p>
      )}
    </>
  );
}
