import { DataTable, type Column } from '../../components/data-table.tsx';
import { useHref } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { Sentence } from '../../components/sentence.tsx';
import { verdictFragment } from '../../format/fragments.ts';
import { instant } from '../../format/times.ts';
import { verdictOf, type Model } from '../../model.ts';
import type { ChangedAnswer, ChangesSince } from '../../snapshot.ts';

/** Lists how this judgement differs from the one before: answers that appeared, disappeared or moved. */
export function Changes({ model }: PaneProps) {
  const { previous } = model.judged;
  if (previous === undefined) return null;
  return (
    <section aria-labelledby="audit-changes">
      <h3 id="audit-changes">Changes since the judgement before</h3>
      {previous === null ? (
        <p>This is the first judgement.</p>
      ) : (
        previous.changes && (
          <ChangeTable model={model} changes={previous.changes} since={previous.judged_at} />
        )
      )}
    </section>
  );
}

function ChangeTable({
  model,
  changes: { all, answers },
  since,
}: {
  readonly model: Model;
  readonly changes: ChangesSince;
  readonly since: string;
}) {
  if (answers.length === 0) return <p>No verdict has moved by a percent or more since {instant(since)}.</p>;
  return (
    <DataTable
      caption={`${answers.length} of ${all} verdicts differ from those of ${instant(since)}.`}
      columns={[
        { id: 'verdict', title: 'Verdict', cell: (answer) => <Verdict answer={answer} model={model} /> },
        ...COLUMNS,
      ]}
      rows={answers}
      rowKey={(answer) => `${answers.indexOf(answer)}`}
    />
  );
}

const COLUMNS: readonly Column<ChangedAnswer>[] = [
  { id: 'before', title: 'Before', cell: ({ before }) => <Sentence parts={before} /> },
  { id: 'after', title: 'Now', cell: ({ after }) => <Sentence parts={after} /> },
  { id: 'move', title: 'Move', numeric: true, cell: ({ move }) => move },
];

/** The answer, with a link to its verdict where the page holds it. */
function Verdict({
  answer: { subject_id, predicate, verdict },
  model,
}: {
  readonly answer: ChangedAnswer;
  readonly model: Model;
}) {
  const href = useHref();
  const text = <Sentence parts={verdict} />;
  if (!verdictOf(model.verdicts, { subject_id, predicate })) return text;
  return <a href={href(verdictFragment(subject_id, predicate))}>{text}</a>;
}
