import type { ActorInput } from '@platform/opinion-fusion';
import { DataTable, type Column } from '../../components/data-table.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { counted, percent } from '../../format/numbers.ts';
import type { Model } from '../../model.ts';

interface Source {
  readonly actor: ActorInput;
  readonly claims: number;
  /** Base reliability as the engine took it; null where no claim of the source was weighed. */
  readonly base: number | null;
  readonly model: Model;
}

/** The sources, their reliability and their dependence on one another. */
export function Sources({ model }: PaneProps) {
  const rows = model.judged.input.actors.map((actor): Source => {
    const claims = model.claims.filter((claim) => claim.actor.id === actor.id);
    const audit = claims.find((claim) => claim.audit)?.audit;
    return {
      actor,
      claims: claims.length,
      base: audit?.reliability.base ?? actor.base_reliability ?? null,
      model,
    };
  });
  const groups = model.full?.source_dependence ?? [];
  return (
    <section aria-labelledby="audit-sources">
      <h3 id="audit-sources">Sources</h3>
      {groups.map((group) => (
        <p key={group.actor_ids.join(' ')} class="notice">
          {group.actor_ids.map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <UserText text={model.actorById.get(id)?.name ?? id} />
            </span>
          ))}{' '}
          seem to copy ({percent(group.probability)}): they share{' '}
          {counted(group.shared_rare_values, 'rare value')} among {counted(group.shared_items, 'item')}. They
          count as one voice.
        </p>
      ))}
      {rows.length > 0 && (
        <DataTable
          caption={counted(rows.length, 'source')}
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
    cell: ({ base, actor }) =>
      base === null ? 'by type' : `${base.toFixed(2)}${actor.base_reliability == null ? ' (by type)' : ''}`,
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
