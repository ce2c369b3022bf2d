import type { ComponentChildren } from 'preact';
import { Fold } from '../../components/fold.tsx';
import type { Side } from './claim-weights.ts';
import { CorroborationMark } from './timeline-track.tsx';

/** Where the line of a lane lies beside a dot. */
const LINE_AT: Readonly<Record<Side, number>> = { for: 19, none: 10, against: 1 };

/** What the dots mean, in a line, and in a fold what the rows of an unfolded lane draw. */
export function TimelineLegend({ hasAgeing }: { readonly hasAgeing: boolean }) {
  return (
    <div class="timeline-legends">
      <ul class="timeline-legend" aria-label="Legend of the dots">
        <DotEntry side="for" text="for" />
        <DotEntry side="against" text="against" />
        <DotEntry side="none" text="not counted" />
        <li>
          <svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
            <circle class="timeline-legend-size" cx="5" cy="10" r="3" />
            <circle class="timeline-legend-size" cx="20" cy="10" r="9" />
          </svg>
          weight
        </li>
      </ul>
      <Fold class="timeline-key" summary="What curves and marks mean">
        {() => <Marks hasAgeing={hasAgeing} />}
      </Fold>
    </div>
  );
}

function DotEntry({ side, text }: { readonly side: Side; readonly text: string }) {
  return (
    <li>
      <svg viewBox="0 0 16 20" width="16" height="20" aria-hidden="true">
        <line class="timeline-base" x1="0" x2="16" y1={LINE_AT[side]} y2={LINE_AT[side]} />
        <g class={`timeline-dot-${side}`}>
          <circle cx="8" cy="10" r="6" />
        </g>
      </svg>
      {text}
    </li>
  );
}

function Marks({ hasAgeing }: { readonly hasAgeing: boolean }) {
  return (
    <ul class="timeline-legend" aria-label="Legend of curves and marks">
      <Entry text="said">
        <line class="timeline-base" x1="0" x2="34" y1="36" y2="36" />
        <circle class="timeline-dot" cx="17" cy="36" r="4.5" />
      </Entry>
      {hasAgeing && (
        <>
          <Entry text="weight, fading by age">
            <path class="timeline-weight" d="M2 36V12C8 24 18 30 34 31V36Z" />
          </Entry>
          <Entry text="half-life">
            <path class="timeline-weight" d="M2 36V12C8 24 18 30 34 31V36Z" />
            <line class="timeline-half-life" x1="12" x2="12" y1="24" y2="36" />
          </Entry>
          <Entry text="stale, under a quarter left">
            <rect fill="url(#timeline-stale)" x="0" y="14" width="34" height="22" />
            <line class="timeline-stale-mark" x1="1" x2="1" y1="14" y2="36" />
          </Entry>
        </>
      )}
      <Entry text="event">
        <rect class="timeline-event" x="2" y="32" width="30" height="7" rx="2" />
      </Entry>
      <Entry text="event with open end">
        <rect fill="url(#timeline-fade-out)" x="2" y="32" width="32" height="7" rx="2" />
      </Entry>
      <Entry text="corroborated by an independent source">
        <CorroborationMark item={{ kind: 'independent' }} x="17" />
      </Entry>
      <Entry text="by a dependent one">
        <CorroborationMark item={{ kind: 'dependent' }} x="17" />
      </Entry>
      <Entry text="ignored">
        <CorroborationMark item={{ kind: 'ignored' }} x="17" />
      </Entry>
      <Entry text="superseded by">
        <g class="timeline-supersession">
          <line x1="17" x2="17" y1="14" y2="36" />
          <path d="M12 30 17 39 22 30Z" />
        </g>
      </Entry>
    </ul>
  );
}

function Entry({ text, children }: { readonly text: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <svg viewBox="0 8 34 40" width="34" height="40" aria-hidden="true">
        {children}
      </svg>
      {text}
    </li>
  );
}
