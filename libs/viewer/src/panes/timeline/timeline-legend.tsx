import type { ComponentChildren } from 'preact';
import { CorroborationMark } from './timeline-track.tsx';

/** What the marks of the timeline mean. */
export function TimelineLegend({ hasAgeing }: { readonly hasAgeing: boolean }) {
  return (
    <ul class="timeline-legend" aria-label="Legend">
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
