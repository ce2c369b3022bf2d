import { useMemo, useState } from 'preact/hooks';
import { Gradually } from '../../components/gradually.tsx';
import { HeldNotice } from '../../components/held-notice.tsx';
import { usePaged } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { counted } from '../../format/numbers.ts';
import type { Verdict } from '../../model.ts';
import { NODES_DRAWN } from './mesh-graph.ts';
import { MeshLegend } from './mesh-legend.tsx';
import { MeshQuestionView } from './mesh-question.tsx';
import type { Filter } from './mesh-view.ts';
import { FILTERS } from './mesh-view.ts';

/** Questions that one document of a share holds. */
export const QUESTIONS_PER_PAGE = 20;

/**
 * Which claims support and attack each other, question by question, and which of them can be held together.
 */
export function MeshPane({ model }: PaneProps) {
  const [hiddenKinds, setHiddenKinds] = useState<ReadonlySet<Filter>>(new Set());
  const { shown, first, pager } = usePaged(model.verdicts, QUESTIONS_PER_PAGE, { name: 'questions' });
  const opened = useMemo(() => openAtFirst(shown), [model, first]);
  if (!model.full)
    return (
      <p class="mesh-note">
        Judged in summary mode, which keeps the findings but not the argument between the claims. Judge the
        session without it to see the mesh.
      </p>
    );
  if (model.verdicts.length === 0)
    return <p class="mesh-note">Nothing was claimed, so there is nothing to connect.</p>;
  const toggle = (filter: Filter) => {
    const next = new Set(hiddenKinds);
    if (!next.delete(filter)) next.add(filter);
    setHiddenKinds(next);
  };
  const closed = shown.length - opened.size;
  return (
    <div class="mesh">
      <HeldNotice model={model} />
      <MeshLegend />
      <fieldset class="mesh-filters scripted-only">
        <legend>Show</legend>
        {FILTERS.map((filter) => (
          <label key={filter}>
            <input type="checkbox" checked={!hiddenKinds.has(filter)} onChange={() => toggle(filter)} />
            {filter === 'rejected' ? 'rejected claims' : filter}
          </label>
        ))}
      </fieldset>
      {closed > 0 && (
        <p class="mesh-note">
          {counted(closed, 'question is', 'questions are')} closed, so that no more than{' '}
          {NODES_DRAWN.together} nodes meet the eye at once. Open one to draw it.
        </p>
      )}
      <Gradually items={shown} size={2}>
        {(verdict, index) => (
          <MeshQuestionView
            key={JSON.stringify([verdict.subjectId, verdict.predicate])}
            verdict={verdict}
            model={model}
            hiddenKinds={hiddenKinds}
            index={first + index}
            isOpenAtFirst={opened.has(verdict)}
          />
        )}
      </Gradually>
      {pager}
    </div>
  );
}

/**
 * The first question and the most disputed ones, as many as draw at most NODES_DRAWN.together nodes; at least
 * one.
 */
function openAtFirst(verdicts: readonly Verdict[]): ReadonlySet<Verdict> {
  const opened = new Set<Verdict>();
  let left: number = NODES_DRAWN.together;
  const disputed = verdicts.toSorted(
    (a, b) => (b.conflict?.dispute_level ?? 0) - (a.conflict?.dispute_level ?? 0),
  );
  for (const verdict of new Set([...verdicts.slice(0, 1), ...disputed])) {
    const items = verdict.claims.reduce((sum, { evidence }) => sum + 1 + evidence.length, 1);
    const nodes = Math.min(items, NODES_DRAWN.first);
    if (opened.size > 0 && nodes > left) continue;
    opened.add(verdict);
    left -= nodes;
  }
  return opened;
}
