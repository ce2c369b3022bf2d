import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Fold } from '../../components/fold.tsx';
import { HeldNotice } from '../../components/held-notice.tsx';
import { PartContext } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { count, counted, decimal, percent } from '../../format/numbers.ts';
import { days, instant } from '../../format/times.ts';
import type { Span } from './time-scale.ts';
import { around, DAY_MS, moved, zoomed } from './time-scale.ts';
import { weightsOf } from './claim-weights.ts';
import { LanePager, LanesDrawn, useLanePages } from './lane-pages.tsx';
import { TimelineChart } from './timeline-chart.tsx';
import type { LaneKind, Timeline } from './timeline-layout.ts';
import { busiestStretch, createTimeline, LANE_KINDS, lanesBy, longestSilence } from './timeline-layout.ts';
import { TimelineLegend } from './timeline-legend.tsx';
import { MomentLabel } from './timeline-rows.tsx';
import { TimelineTable } from './timeline-table.tsx';
import { FIRST_VIEW, readView, viewSearch, type View } from './timeline-view.ts';
import { daysOf } from './timeline-words.ts';

/** Undated claims listed under the drawing; all are in the table. */
const UNDATED_SHOWN = 100;
const ZOOM_STEP = 0.6;
const MOVE_STEP = 0.25;
const LANE_TITLE: Readonly<Record<LaneKind, string>> = {
  finding: 'Finding',
  actor: 'Source',
  predicate: 'Question',
};

/** When events happened, when claims were made, how fast they age, and which claim replaced which. */
export function TimelinePane({ model }: PaneProps) {
  const timeline = useMemo(() => createTimeline(model), [model]);
  const weights = useMemo(() => weightsOf(model), [model]);
  const [view, setView] = useState(FIRST_VIEW);
  // The server draws the first view alone, and scripts take over what it drew.
  useEffect(() => setView(readView(location.search, timeline.whole)), []);
  const { kind, aged } = view;
  const span = view.span ?? timeline.whole;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const lanes = useMemo(() => lanesBy(kind, timeline, model), [kind, timeline, model]);
  const pages = useLanePages(lanes, view.page);
  const frame = useRef<HTMLDivElement>(null);
  const { whole } = timeline;
  const isFurther = (useContext(PartContext)?.page ?? 1) > 1;
  if (timeline.moments.length === 0) return <p>Nothing was claimed, so there is nothing to date.</p>;
  if (isFurther)
    return (
      <div class="timeline">
        <TimelineTable timeline={timeline} />
      </div>
    );

  const change = (part: Partial<View>) => {
    const next = { ...view, ...part };
    setView(next);
    const { pathname, search, hash } = location;
    history.replaceState(history.state, '', pathname + viewSearch(search, next) + hash);
  };
  /** Another page of lanes is read from its first on. */
  const turn = (page: number) => {
    change({ page });
    frame.current?.focus({ preventScroll: true });
    frame.current?.scrollIntoView({ block: 'start' });
  };
  const setSpan = (next: Span) => change({ span: isAll(next, whole) ? null : next });
  const isAged = (id: string) => aged === 'all' || aged.has(id);
  const age = (id: string, next: boolean) => {
    if (isAged(id) === next) return;
    const others = lanes.map((lane) => lane.id).filter((other) => other !== id && isAged(other));
    const all = next && others.length + 1 === lanes.length;
    change({ aged: all ? 'all' : new Set(next ? [...others, id] : others) });
  };
  const zoomIn = () => setSpan(zoomed(span, whole, ZOOM_STEP));
  const zoomOut = () => setSpan(zoomed(span, whole, 1 / ZOOM_STEP));
  const move = (share: number) => setSpan(moved(span, whole, share));
  const isWhole = isAll(span, whole);
  const keys: Readonly<Record<string, () => void>> = {
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    ArrowLeft: () => move(-MOVE_STEP),
    ArrowRight: () => move(MOVE_STEP),
    '0': () => setSpan(whole),
  };

  return (
    <div class="timeline">
      <HeldNotice model={model} />
      <TimelineFacts
        timeline={timeline}
        overallFreshness={model.full?.temporal_analysis?.overall_freshness}
        isSummary={!model.full}
        show={(part) => setSpan(around(part, whole))}
      />
      <div class="timeline-controls timeline-scripted" role="group" aria-label="Lanes and zoom">
        <fieldset class="timeline-lanes-by">
          <legend>Lanes by</legend>
          {LANE_KINDS.map((option) => (
            <label key={option}>
              <input
                type="radio"
                name="timeline-lanes"
                checked={kind === option}
                onChange={() => {
                  change({ kind: option, page: 1, aged: aged === 'all' ? aged : new Set() });
                  setOpened(new Set());
                }}
              />
              {LANE_TITLE[option]}
            </label>
          ))}
        </fieldset>
        <div class="timeline-zoom" role="group" aria-label="Zoom">
          <button type="button" onClick={zoomIn} aria-label="Zoom in">
            +
          </button>
          <button type="button" onClick={zoomOut} disabled={isWhole} aria-label="Zoom out">
            −
          </button>
          <button type="button" onClick={() => move(-MOVE_STEP)} disabled={isWhole} aria-label="Earlier">
            ←
          </button>
          <button type="button" onClick={() => move(MOVE_STEP)} disabled={isWhole} aria-label="Later">
            →
          </button>
          <button type="button" onClick={() => setSpan(whole)} disabled={isWhole}>
            All
          </button>
        </div>
        <button type="button" onClick={() => change({ aged: aged === 'all' ? new Set() : 'all' })}>
          {aged === 'all' ? 'Hide how they age' : 'Show how all age'}
        </button>
        <p class="timeline-span" role="status">
          {daysOf(span)}
        </p>
      </div>
      <TimelineLegend hasAgeing={model.full !== null} />
      <LanesDrawn pages={pages} kind={kind} />
      <div
        ref={frame}
        class="timeline-frame"
        role="group"
        tabIndex={0}
        aria-label="Timeline. Plus and minus zoom, the left and right arrows move, zero shows all."
        onKeyDown={(event) => {
          const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
      >
        <TimelineChart
          timeline={timeline}
          lanes={pages.shown}
          weights={weights}
          kind={kind}
          span={span}
          isAged={isAged}
          age={age}
          opened={opened}
          open={(laneId) => setOpened(new Set([...opened, laneId]))}
        />
      </div>
      <LanePager pages={pages} kind={kind} turn={turn} />
      {timeline.undated.length > 0 && (
        <section class="timeline-lane timeline-undated">
          <h3 class="timeline-lane-title">
            Without any date{' '}
            <span class="timeline-lane-count">{counted(timeline.undated.length, 'claim')}</span>
          </h3>
          <p class="timeline-note">
            These claims are undated: they have no place on the axis and do not lose weight with age.
          </p>
          <ul>
            {timeline.undated.slice(0, UNDATED_SHOWN).map((moment) => (
              <li key={moment.claim.id}>
                <MomentLabel moment={moment} asOf={timeline.asOf} />
              </li>
            ))}
          </ul>
          {timeline.undated.length > UNDATED_SHOWN && (
            <p class="timeline-more">{count(timeline.undated.length - UNDATED_SHOWN)} more in the table.</p>
          )}
        </section>
      )}
      <Fold class="timeline-list" summary={`All ${counted(timeline.moments.length, 'claim')} as a table`}>
        {() => <TimelineTable timeline={timeline} />}
      </Fold>
    </div>
  );
}

const isAll = (span: Span, whole: Span) => span.to - span.from >= whole.to - whole.from;

interface FactsProps {
  readonly timeline: Timeline;
  readonly overallFreshness: number | undefined;
  readonly isSummary: boolean;
  readonly show: (part: Span) => void;
}

/** Facts that a reader should know before looking at the drawing. */
function TimelineFacts({ timeline, overallFreshness, isSummary, show }: FactsProps) {
  const { asOf, moments, statements } = timeline;
  const stale = moments.filter(({ claim }) => claim.isStale).length;
  const silence = longestSilence(statements);
  const burst = busiestStretch(statements);
  return (
    <>
      <dl class="timeline-facts">
        <div>
          <dt>Analyzed as of</dt>
          <dd>{instant(new Date(asOf).toISOString())}</dd>
        </div>
        {overallFreshness !== undefined && (
          <div>
            <dt>Overall freshness</dt>
            <dd>
              {decimal(overallFreshness)}
              <svg class="timeline-meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect class="timeline-meter-all" width="100" height="6" />
                <rect class="timeline-meter-part" width={Math.round(overallFreshness * 100)} height="6" />
              </svg>
              <span class="timeline-fact-note">mean over the claims; 1 is said today and confirmed</span>
            </dd>
          </div>
        )}
        {!isSummary && (
          <div>
            <dt>Stale claims</dt>
            <dd>
              {stale} of {moments.length}
              <span class="timeline-fact-note">less than {percent(0.25)} of the weight left</span>
            </dd>
          </div>
        )}
        {silence && (
          <div>
            <dt>Longest silence</dt>
            <dd>
              {days((silence.to - silence.from) / DAY_MS)}
              <span class="timeline-fact-note">{daysOf(silence)}</span>
            </dd>
          </div>
        )}
        {burst && (
          <div>
            <dt>Busiest stretch</dt>
            <dd>
              {counted(burst.count, 'statement')}
              <span class="timeline-fact-note">
                {daysOf(burst)}{' '}
                <button type="button" class="timeline-scripted timeline-show" onClick={() => show(burst)}>
                  Zoom to it
                </button>
              </span>
            </dd>
          </div>
        )}
      </dl>
      {isSummary && (
        <p class="timeline-note">
          Judged in summary mode, which keeps no ageing: the dates are those of the input, without fading.
        </p>
      )}
    </>
  );
}
