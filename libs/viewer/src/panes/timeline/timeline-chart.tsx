import { ClaimLink } from '../../components/claim-link.tsx';
import { Gradually } from '../../components/gradually.tsx';
import { UserText } from '../../components/user-text.tsx';
import { coordinate, count, counted } from '../../format/numbers.ts';
import { plain, shortened } from '../../format/text.ts';
import { readable } from '../../format/words.ts';
import type { Claim } from '../../model.ts';
import type { Span } from './time-scale.ts';
import { shareOf, ticks } from './time-scale.ts';
import type { Connector, Lane, LaneKind, Moment, Timeline } from './timeline-layout.ts';
import { connectors, density } from './timeline-layout.ts';
import { TimelineTrack } from './timeline-track.tsx';
import { dayOf, eventWords, ageingWords } from './timeline-words.ts';

const TICKS_MAX = 8;
const LANES_DRAWN = 60;
const BINS = 72;
const STRIP_HEIGHT = 34;
const LABEL_LENGTH = 96;

interface Props {
  readonly timeline: Timeline;
  readonly lanes: readonly Lane[];
  readonly kind: LaneKind;
  readonly span: Span;
  /** Lanes that show all their claims. */
  readonly opened: ReadonlySet<string>;
  readonly open: (laneId: string) => void;
}

const percentOf = (span: Span, at: number) => `${coordinate(shareOf(span, at) * 100)}%`;

/** The axis and the lanes under it, all on one scale. */
export function TimelineChart({ timeline, lanes, kind, span, opened, open }: Props) {
  return (
    <div class="timeline-chart">
      <Patterns />
      <Axis timeline={timeline} span={span} />
      <Gradually items={lanes.slice(0, LANES_DRAWN)} size={1}>
        {(lane) => {
          const moments = opened.has(lane.id) ? lane.moments : lane.shown;
          const left = lane.moments.length - moments.length;
          return (
            <section key={lane.id} class="timeline-lane" aria-label={plain(lane.title)}>
              <h3 class="timeline-lane-title">
                <UserText text={lane.title} />{' '}
                <span class="timeline-lane-count">{counted(lane.moments.length, 'claim')}</span>
              </h3>
              <Rows moments={moments} kind={kind} timeline={timeline} span={span} />
              {left > 0 && (
                <p class="timeline-more">
                  The {moments.length} highest ranked are drawn; {count(left)} more in the table.{' '}
                  <button type="button" class="timeline-scripted" onClick={() => open(lane.id)}>
                    Draw all {lane.moments.length}
                  </button>
                </p>
              )}
            </section>
          );
        }}
      </Gradually>
      {lanes.length > LANES_DRAWN && (
        <p class="timeline-more">
          The first {LANES_DRAWN} of {count(lanes.length)} lanes are drawn; the table has all claims.
        </p>
      )}
    </div>
  );
}

function Rows({
  moments,
  kind,
  timeline,
  span,
}: Pick<Props, 'kind' | 'timeline' | 'span'> & { readonly moments: readonly Moment[] }) {
  const pieces = connectors(moments);
  return (
    <div class="timeline-rows">
      <Backdrop span={span} />
      <ol>
        {moments.map((moment, index) => (
          <Row
            key={moment.claim.id}
            moment={moment}
            pieces={pieces[index]!}
            kind={kind}
            timeline={timeline}
            span={span}
          />
        ))}
      </ol>
    </div>
  );
}

function Row({
  moment,
  pieces,
  kind,
  timeline: { whole, asOf },
  span,
}: Pick<Props, 'kind' | 'timeline' | 'span'> & {
  readonly moment: Moment;
  readonly pieces: readonly Connector[];
}) {
  const state = moment.isSuperseded ? ' is-superseded' : moment.isCurrent ? ' is-current' : '';
  return (
    <li class={`timeline-row${state}`}>
      <MomentLabel moment={moment} kind={kind} asOf={asOf} />
      <div class="timeline-cell">
        <TimelineTrack moment={moment} pieces={pieces} span={span} whole={whole} asOf={asOf} />
      </div>
    </li>
  );
}

/** The claim's words, its source, when it goes stale and what replaced it. */
export function MomentLabel({
  moment,
  kind,
  asOf,
}: {
  readonly moment: Moment;
  readonly kind: LaneKind;
  readonly asOf: number;
}) {
  const { claim, supersededBy, supersedes } = moment;
  const stale = ageingWords(moment, asOf);
  return (
    <div class="timeline-label">
      <p class="timeline-claim">
        <ClaimLink claim={claim} text={shortened(claim.input.content, LABEL_LENGTH)} />
      </p>
      <p class="timeline-about">
        {kind !== 'actor' && <UserText text={claim.actor.name} class="timeline-actor" />}
        {kind === 'actor' && <UserText text={claim.subject?.name ?? ''} class="timeline-actor" />}
        {kind !== 'predicate' && (
          <>
            {' · '}
            <UserText text={readable(claim.predicate)} />
          </>
        )}
      </p>
      {stale && <p class={claim.isStale ? 'timeline-note timeline-note-stale' : 'timeline-note'}>{stale}</p>}
      {moment.at !== null && moment.ageing.assertedAt === null && (
        <p class="timeline-note">Event {eventWords(moment)}; when it was said is unknown.</p>
      )}
      {supersedes.length > 0 && <ClaimNote text="Takes the place of" claims={supersedes} />}
      {supersededBy.length > 0 && <ClaimNote text="Superseded by" claims={supersededBy} />}
    </div>
  );
}

function ClaimNote({ text, claims }: { readonly text: string; readonly claims: readonly Claim[] }) {
  return (
    <p class="timeline-note">
      {text}{' '}
      {claims.map((claim, index) => (
        <span key={claim.id}>
          {index > 0 && ', '}
          <ClaimLink claim={claim} />
        </span>
      ))}
    </p>
  );
}

/** The grid behind the rows of a lane. */
function Backdrop({ span }: { readonly span: Span }) {
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
          <g
            key={at}
            class={index % 2 === 1 ? 'timeline-tick-label timeline-tick-second' : 'timeline-tick-label'}
          >
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
            <text x={percentOf(span, asOf)} y="9" text-anchor={anchor(asOfShare)}>
              as of {dayOf(asOf)}
            </text>
          </g>
        )}
      </svg>
    </div>
  );
}

/** Keeps text at the ends of the axis inside it. */
function anchor(share: number): 'start' | 'middle' | 'end' {
  if (share < 0.06) return 'start';
  return share > 0.94 ? 'end' : 'middle';
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
