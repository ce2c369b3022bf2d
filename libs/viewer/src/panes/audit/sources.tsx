import { recordBehind, type ActorInput } from '@platform/opinion-fusion';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { useHref } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { count, counted } from '../../format/numbers.ts';
import { recordWords } from '../../format/record-words.ts';
import type { Model } from '../../model.ts';

interface Source {
  readonly actor: ActorInput;
  readonly claims: number;
  /** Base reliability as given, clamped or usual for its type; null where the engine took none of these. */
  readonly base: number | null;
  /** The share of what it says that it was found to be right in; null where that was not learned. */
  readonly learned: number | null;
  readonly model: Model;
}

/** The sources, their reliability and their dependence on one another. */
export function Sources({ model }: PaneProps) {
  const href = useHref();
  const { input, totals } = model.judged;
  const rows = input.actors.map((actor, index): Source => {
    const claims = model.claims.filter((claim) => claim.actor.id === actor.id);
    const audit = claims.find((claim) => claim.audit)?.audit;
    const isLearned = audit?.reliability.base_from === 'estimated';
    return {
      actor,
      claims: totals?.claims_by_actor[index] ?? claims.length,
      base: (isLearned ? null : audit?.reliability.base) ?? actor.base_reliability ?? null,
      learned: model.full?.estimated_reliability?.find(({ actor_id }) => actor_id === actor.id)?.mean ?? null,
      model,
    };
  });
  return (
    <section aria-labelledby="audit-sources">
      <h3 id="audit-sources">Sources in numbers</h3>
      <p class="audit-note">
        What each of them says, and which may not be independent of one another:{' '}
        <a href={href('sources')}>Sources</a>.
      </p>
      {rows.length > 0 && (
        <DataTable
          caption={`${totals ? `${count(rows.length)} of ` : ''}${counted(totals?.sources ?? rows.length, 'source')}`}
          columns={COLUMNS}
          rows={rows}
          rowKey={({ actor }) => actor.id}
        />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Source>[] = [
  {
    id: 'name',
    title: 'Source',
    cell: ({ actor }) => <UserText text={actor.name} />,
  },
  {
    id: 'type',
    title: 'Type',
    short: true,
    cell: ({ actor }) => <UserText text={actor.source_type} />,
  },
  {
    id: 'base',
    title: 'Base reliability',
    numeric: true,
    cell: ({ base, actor, learned }) => {
      const record = recordBehind(actor);
      const origin =
        actor.base_reliability == null ? ' (by type)' : record === null ? '' : ` (${recordWords(record)})`;
      const given = base === null ? 'by type' : `${base.toFixed(2)}${origin}`;
      return learned === null ? given : `${given}, learned ${learned.toFixed(2)}`;
    },
  },
  {
    id: 'claims',
    title: 'Claims',
    numeric: true,
    cell: ({ claims }) => claims,
  },
  {
    id: 'depends',
    title: 'Depends on',
    cell: ({ actor, model }) =>
      (actor.depends_on ?? []).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <UserText text={model.actorById.get(id)?.name ?? id} />
        </span>
      )),
  },
];
