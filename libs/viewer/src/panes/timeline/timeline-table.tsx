import { ClaimLink } from '../../components/claim-link.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { UserText } from '../../components/user-text.tsx';
import { decimal } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import { days, instant } from '../../format/times.ts';
import { questionSubject, readable } from '../../format/words.ts';
import type { Moment, Timeline } from './timeline-layout.ts';
import { corroborationWords, eventWords, ageingWords } from './timeline-words.ts';

const TEXT_LENGTH = 120;
/** Rows that one document of a share holds. */
export const ROWS_PER_PAGE = 100;

/** The timeline as a list: every claim, dated or not, with all that its row draws. */
export function TimelineTable({ timeline: { moments, asOf } }: { readonly timeline: Timeline }) {
  const columns: Column<Moment>[] = [
    {
      id: 'claim',
      title: 'Claim',
      cell: ({ claim }) => <ClaimLink claim={claim} text={shortened(claim.input.content, TEXT_LENGTH)} />,
      sortBy: ({ claim }) => claim.input.content,
    },
    {
      id: 'about',
      title: 'About',
      cell: ({ claim }) => (
        <>
          <UserText text={questionSubject(claim.subject?.name ?? '', claim.predicate)} />,{' '}
          <UserText text={readable(claim.predicate)} />
        </>
      ),
      sortBy: ({ claim }) => `${claim.subject?.name ?? ''} ${claim.predicate}`,
    },
    {
      id: 'source',
      title: 'Source',
      cell: ({ claim }) => <UserText text={claim.actor.name} />,
      sortBy: ({ claim }) => claim.actor.name,
    },
    {
      id: 'asserted',
      title: 'Said',
      cell: ({ claim }) => instant(claim.input.assertion_time) || 'unknown',
      sortBy: ({ ageing }) => ageing.assertedAt ?? -Infinity,
    },
    { id: 'event', title: 'Happened', cell: (moment) => eventWords(moment) ?? 'not dated' },
    { id: 'corroborations', title: 'Corroborations', cell: (moment) => corroborationWords(moment) || 'none' },
    {
      id: 'weight',
      title: 'Weight left',
      numeric: true,
      cell: ({ claim }) => (claim.analysis ? decimal(claim.analysis.temporal_decay_factor) : '–'),
      sortBy: ({ claim }) => claim.analysis?.temporal_decay_factor ?? -1,
    },
    {
      id: 'half-life',
      title: 'Half-life',
      numeric: true,
      cell: ({ claim }) => (claim.analysis ? days(claim.analysis.effective_half_life_days) : '–'),
      sortBy: ({ claim }) => claim.analysis?.effective_half_life_days ?? -1,
    },
    {
      id: 'stale',
      title: 'Ageing',
      cell: (moment) =>
        ageingWords(moment, asOf) ?? (moment.claim.analysis ? 'without a date it does not age' : '–'),
      sortBy: ({ ageing }) => ageing.staleAt ?? Infinity,
    },
  ];
  return (
    <DataTable
      caption="Every claim in time. Weight left is the share that age has not taken, 0 to 1."
      columns={columns}
      rows={moments}
      rowKey={({ claim }) => claim.id}
      pages={{ name: 'claims', size: ROWS_PER_PAGE }}
    />
  );
}
