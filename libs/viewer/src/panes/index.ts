import type { FunctionComponent } from 'preact';
import type { PaneProps } from '../components/pane-props.ts';
import type { PaneId } from '../snapshot.ts';
import { AuditPane } from './audit/audit-pane.tsx';
import { DistinctionsPane } from './distinctions/distinctions-pane.tsx';
import { MeshPane } from './mesh/mesh-pane.tsx';
import { OverviewPane } from './overview/overview-pane.tsx';
import { SourcesPane } from './sources/sources-pane.tsx';
import { TimelinePane } from './timeline/timeline-pane.tsx';

export interface Pane {
  readonly title: string;
  /** The question that the pane answers, in a few words, under its heading. */
  readonly lead: string;
  readonly Component: FunctionComponent<PaneProps>;
  /**
   * Links and folds are nearly all it needs: scripts leave it as the server drew it, which keeps a thousand
   * claims quick, until a control within it is used.
   */
  readonly isStatic?: true;
}

export const PANES: Readonly<Record<PaneId, Pane>> = {
  overview: {
    title: 'Overview',
    lead: 'What the evidence says, and what would change it.',
    Component: OverviewPane,
    isStatic: true,
  },
  sources: {
    title: 'Sources',
    lead: 'Who says what, how far each is trusted, and why.',
    Component: SourcesPane,
    isStatic: true,
  },
  timeline: {
    title: 'Timeline',
    lead: 'When it happened, when it was said, and how fast it ages.',
    Component: TimelinePane,
  },
  mesh: {
    title: 'Arguments',
    lead: 'Which claims support and attack each other, and which readings hold together.',
    Component: MeshPane,
  },
  distinctions: {
    title: 'It depends',
    lead: 'Contradictions that dissolve once a condition is named.',
    Component: DistinctionsPane,
    isStatic: true,
  },
  audit: {
    title: 'Check our work',
    lead: 'Every number, traced to what it was computed from.',
    Component: AuditPane,
    isStatic: true,
  },
};
