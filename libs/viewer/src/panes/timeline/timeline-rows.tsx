import { ClaimLink } from '../../components/claim-link.tsx';
import { UserText } from '../../components/user-text.tsx';
import { shortened } from '../../format/text.ts';
import { readable } from '../../format/words.ts';
import type { Claim } from '../../model.ts';
import type { Span } from './time-scale.ts';
import type { Connector, LaneKind, Moment, Timeline } from './timeline-layout.ts';
import { connectors } from './timeline-layout.ts';
import { TimelineTrack } from './timeline-track.tsx';
import { ageingWords, eventWords } from './timeline-words.ts';

const LABEL_LENGTH = 96;

interface Props {
  readonly timeline: Timeline;
  readonly kind: LaneKind;
  readonly span: Span;
}

/** Claims one below another, each with what age leaves of it. */
export function TimelineRows({
  moments,
  kind,
  timeline,
  span,
}: Props & { readonly moments: readonly Moment[] }) {
  const pieces = connectors(moments);
  return (
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
  );
}

function Row({
  moment,
  pieces,
  kind,
  timeline: { whole, asOf },
  span,
}: Props & {
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
  /** What the lane says already; absent outside a lane. */
  readonly kind?: LaneKind;
  readonly asOf: number;
}) {
  const { claim, supersededBy, supersedes } = moment;
  const stale = ageingWords(moment, asOf);
  const about = [
    ...(kind === 'actor' ? [] : [claim.actor.name]),
    ...(kind === 'finding' ? [] : [claim.subject?.name ?? '']),
    ...(kind === undefined || kind === 'actor' ? [readable(claim.predicate)] : []),
  ];
  return (
    <div class="timeline-label">
      <p class="timeline-claim">
        <ClaimLink claim={claim} text={shortened(claim.input.content, LABEL_LENGTH)} />
      </p>
      <p class="timeline-about">
        {about.map((text, index) => (
          <span key={index}>
            {index > 0 && ' · '}
            <UserText text={text} />
          </span>
        ))}
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
