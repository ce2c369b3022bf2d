import type { SubjectResult } from '@platform/opinion-fusion';
import { noneWouldLead } from '@platform/opinion-fusion';
import type { ComponentChildren } from 'preact';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { useHref } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { TruthStatusMark } from '../../components/truth-glyph.tsx';
import { UserText } from '../../components/user-text.tsx';
import { verdictFragment } from '../../format/fragments.ts';
import { percent, signed } from '../../format/numbers.ts';
import { instant } from '../../format/times.ts';
import { chanceOf, questionSubject, readable, shownStatus, verdictValue } from '../../format/words.ts';
import { verdictsOf, type Model } from '../../model.ts';
import type { OtherLead } from '../../snapshot.ts';

interface Change {
  readonly before: (SubjectResult & OtherLead) | null;
  readonly after: SubjectResult | null;
}

/** Moves smaller than this are those of time passing; they are counted, not listed. Probability. */
const LEAST_MOVE = 0.005;

/** Lists how this judgement differs from the one before: verdicts that appeared, disappeared or moved. */
export function Changes({ model }: PaneProps) {
  const { previous } = model.judged;
  if (previous === undefined) return null;
  return (
    <section aria-labelledby="audit-changes">
      <h3 id="audit-changes">Changes since the judgement before</h3>
      {previous === null ? (
        <p>This is the first judgement.</p>
      ) : (
        <ChangeTable model={model} since={previous.judged_at} />
      )}
    </section>
  );
}

function ChangeTable({ model, since }: { readonly model: Model; readonly since: string }) {
  const all = listChanges(model);
  const changes = all.filter(isVisible);
  if (changes.length === 0) return <p>No verdict has moved by a percent or more since {instant(since)}.</p>;
  return (
    <DataTable
      caption={`${changes.length} of ${all.length} verdicts differ from those of ${instant(since)}.`}
      columns={COLUMNS}
      rows={changes}
      rowKey={({ before, after }) =>
        JSON.stringify([(after ?? before)!.subject_id, (after ?? before)!.predicate])
      }
    />
  );
}

function listChanges({ verdicts, judged }: Model): Change[] {
  const known = new Set(verdicts.map(({ subjectId, predicate }) => JSON.stringify([subjectId, predicate])));
  const gone = (judged.previous ? verdictsOf(judged.previous.result) : []).filter(
    (verdict) => !known.has(JSON.stringify([verdict.subject_id, verdict.predicate])),
  );
  return [
    ...verdicts.map(({ before, result }) => ({ before, after: result })),
    ...gone.map((before) => ({ before, after: null })),
  ];
}

const move = ({ before, after }: Change) => (before && after ? chanceOf(after) - chanceOf(before) : 0);

const isVisible = (change: Change) =>
  !change.before ||
  !change.after ||
  shownStatus(change.before) !== shownStatus(change.after) ||
  change.before.leads_other ||
  noneWouldLead(change.after, change.before) ||
  (change.before.leading_value === null) !== (change.after.leading_value === null) ||
  Math.abs(move(change)) >= LEAST_MOVE;

const COLUMNS: readonly Column<Change>[] = [
  {
    id: 'verdict',
    title: 'Verdict',
    cell: ({ before, after }) => {
      const { subject_name, predicate } = (after ?? before)!;
      const text = (
        <>
          <UserText text={questionSubject(subject_name, predicate)} />,{' '}
          <UserText text={readable(predicate)} />
        </>
      );
      return after ? <VerdictLink verdict={after}>{text}</VerdictLink> : text;
    },
  },
  { id: 'before', title: 'Before', cell: ({ before }) => <Side verdict={before} /> },
  { id: 'after', title: 'Now', cell: ({ after }) => <Side verdict={after} /> },
  {
    id: 'move',
    title: 'Move',
    numeric: true,
    cell: (change) => (change.before && change.after ? signed(move(change)) : ''),
  },
];

function VerdictLink({
  verdict,
  children,
}: {
  readonly verdict: SubjectResult;
  readonly children: ComponentChildren;
}) {
  const href = useHref();
  return <a href={href(verdictFragment(verdict.subject_id, verdict.predicate))}>{children}</a>;
}

function Side({ verdict }: { readonly verdict: SubjectResult | null }) {
  if (!verdict) return <>none</>;
  return (
    <>
      <TruthStatusMark status={shownStatus(verdict)} />{' '}
      {verdict.no_value_counts ? 'no chance given' : percent(chanceOf(verdict))}
      {verdict.leading_value !== null && (
        <>
          {', '}
          <UserText text={verdictValue(verdict)} />
        </>
      )}
    </>
  );
}
