import { useState } from 'preact/hooks';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { count } from '@platform/viewer/live';
import { sessionPath } from '../api/api.ts';
import type { Problem } from '../api/api-error.ts';
import type { Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { navigate } from '../browser/route.ts';
import { Failure } from '../components/failure.tsx';
import { CsvImport } from '../csv/csv-import.tsx';
import { freeId } from './draft.ts';
import { EntityEditor } from './entity-editor.tsx';
import { EntitySection, sectionId } from './entity-section.tsx';
import { KINDS, type Entity, type KindSpec } from './kinds.ts';
import { itemsOf } from './payload-change.ts';
import { PayloadJson } from './payload-json.tsx';
import { ProblemList } from './problem-list.tsx';
import { SettingsForm } from './settings-form.tsx';

interface Props {
  readonly session: Session;
  /** What kept the session from being judged. */
  readonly problems: readonly Problem[];
  /** Called with what the session holds after a change. */
  readonly changed: (session: Session) => void;
}

type Open =
  | {
      readonly what: 'entity';
      readonly spec: KindSpec;
      readonly entity: Entity | null;
      readonly problems?: readonly Problem[];
      /** How many were added in a row. */
      readonly round?: number;
    }
  | { readonly what: 'csv' | 'json' }
  | null;

/** All that a session is judged by, to look at and to change. */
export function EditTab({ session, problems, changed }: Props) {
  const api = useApi();
  const [open, setOpen] = useState<Open>(null);
  const [error, setError] = useState<unknown>(null);
  const { session_id: id, payload } = session;
  const close = () => setOpen(null);

  /** Replaces one list as the page shows it. */
  function withItems(kind: string, items: readonly Entity[]): void {
    changed({ ...session, payload: { ...payload, [kind]: items } as unknown as InvestigationInput });
  }

  async function saveEntity({ kind }: KindSpec, entity: Entity): Promise<void> {
    const saved = await api<Entity>('PUT', sessionPath(id, kind, entity.id), { body: entity });
    const items = itemsOf(payload, kind);
    const place = items.findIndex((item) => item.id === entity.id);
    withItems(kind, place < 0 ? [...items, saved] : items.with(place, saved));
  }

  async function removeEntity({ kind }: KindSpec, entity: Entity): Promise<void> {
    await api('DELETE', sessionPath(id, kind, entity.id));
    withItems(
      kind,
      itemsOf(payload, kind).filter((item) => item.id !== entity.id),
    );
  }

  async function saveChange(change: Record<string, unknown>): Promise<void> {
    await api('PATCH', sessionPath(id), { body: change });
    changed(await api<Session>('GET', sessionPath(id)));
  }

  async function deleteSession(): Promise<void> {
    if (!confirm('Delete the session with its judgements? A published link stops working.')) return;
    try {
      await api('DELETE', sessionPath(id));
      navigate({ screen: 'sessions' });
    } catch (failure) {
      setError(failure);
    }
  }

  /** Opens the item that a problem of the whole investigation is in, with what is wrong with it. */
  function openProblem({ path }: Problem): void {
    const place = placeOf(path, payload);
    if (place === null) return;
    const { spec, entity, prefix } = place;
    const own = problems
      .filter((problem) => problem.path.startsWith(prefix))
      .map((problem) => ({ ...problem, path: problem.path.slice(prefix.length) }));
    setOpen({ what: 'entity', spec, entity, problems: own });
  }

  return (
    <div class="edit">
      {problems.length > 0 && (
        <section class="failure" aria-labelledby="edit-problems" role="alert">
          <h2 id="edit-problems">It cannot be judged yet</h2>
          <ProblemList problems={problems} open={openProblem} />
        </section>
      )}
      <SettingsForm key={id} name={session.name} payload={payload} save={saveChange} />
      <nav class="edit-jump" aria-label="Lists">
        <ul>
          {KINDS.map((spec) => (
            <li key={spec.kind}>
              <a href={`#${sectionId(spec)}`}>
                {spec.title} <span class="count">{count(itemsOf(payload, spec.kind).length)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {KINDS.map((spec) => (
        <EntitySection
          key={spec.kind}
          spec={spec}
          payload={payload}
          open={(entity) => setOpen({ what: 'entity', spec, entity })}
          actions={
            spec.kind === 'claims' && (
              <button type="button" onClick={() => setOpen({ what: 'csv' })}>
                Import CSV
              </button>
            )
          }
        />
      ))}
      <Failure error={error} />
      <footer class="edit-foot">
        <button type="button" onClick={() => setOpen({ what: 'json' })}>
          Edit everything as JSON
        </button>
        <button type="button" class="danger" onClick={() => void deleteSession()}>
          Delete session
        </button>
      </footer>
      {open?.what === 'entity' && (
        <EntityEditor
          key={open.round}
          spec={open.spec}
          initial={open.entity ?? { id: freeId(open.spec.idLetter, idsOf(payload, open.spec)) }}
          isNew={open.entity === null}
          takenIds={idsOf(payload, open.spec)}
          payload={payload}
          problems={open.problems}
          save={(entity) => saveEntity(open.spec, entity)}
          remove={() => removeEntity(open.spec, open.entity!)}
          close={close}
          another={() => setOpen({ ...open, round: (open.round ?? 0) + 1 })}
        />
      )}
      {open?.what === 'csv' && <CsvImport payload={payload} save={saveChange} close={close} />}
      {open?.what === 'json' && <PayloadJson payload={payload} save={saveChange} close={close} />}
    </div>
  );
}

const idsOf = (payload: object, { kind }: KindSpec) => new Set(itemsOf(payload, kind).map(({ id }) => id));

/** The item that a path such as `claims[2].actor_id` begins with. */
function placeOf(path: string, payload: object): { spec: KindSpec; entity: Entity; prefix: string } | null {
  const [prefix, kind, index] = /^(\w+)\[(\d+)\]\.?/.exec(path) ?? [];
  const spec = KINDS.find((candidate) => candidate.kind === kind);
  const entity = spec && itemsOf(payload, spec.kind)[Number(index)];
  return entity ? { spec, entity, prefix: prefix! } : null;
}
