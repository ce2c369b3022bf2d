import { inside, type Span } from './time-scale.ts';
import { searchOf, VIEW_PARAMETERS } from './view-part.ts';
import { LANE_KINDS, type LaneKind } from './timeline-layout.ts';

/** What a reader chose to see of a timeline. The address has it, so that it can be sent on. */
export interface View {
  readonly kind: LaneKind;
  /** Which of the pages of lanes, from 1; the last one for a number beyond it. */
  readonly page: number;
  /** The span that is shown; null shows all. */
  readonly span: Span | null;
  /** Ids of the lanes that show how their claims age. */
  readonly aged: 'all' | ReadonlySet<string>;
}

export const FIRST_VIEW: View = { kind: 'finding', page: 1, span: null, aged: new Set() };

const ALL = 'all';
const PAGE = /^[1-9]\d{0,5}$/;

/** What the search part of an address says about a timeline; the first view where that makes no sense. */
export function readView(search: string, whole: Span): View {
  const asked = new URLSearchParams(search);
  const [from, to] = [Date.parse(asked.get('from') ?? ''), Date.parse(asked.get('to') ?? '')];
  const aged = asked.getAll('aged');
  return {
    kind: LANE_KINDS.find((kind) => kind === asked.get('lanes')) ?? FIRST_VIEW.kind,
    page: PAGE.test(asked.get('lane_page') ?? '') ? Number(asked.get('lane_page')) : FIRST_VIEW.page,
    span: from < to ? inside({ from, to }, whole) : null,
    aged: aged.includes(ALL) ? ALL : new Set(aged),
  };
}

/** The search part of an address that leads to the view, `?` included; what else it has stays. */
export function viewSearch(search: string, { kind, page, span, aged }: View): string {
  const asked = new URLSearchParams(search);
  for (const name of VIEW_PARAMETERS) asked.delete(name);
  if (kind !== FIRST_VIEW.kind) asked.set('lanes', kind);
  if (page !== FIRST_VIEW.page) asked.set('lane_page', String(page));
  if (span) {
    asked.set('from', new Date(Math.round(span.from)).toISOString());
    asked.set('to', new Date(Math.round(span.to)).toISOString());
  }
  for (const id of aged === ALL ? [ALL] : aged) asked.append('aged', id);
  return searchOf(asked);
}
