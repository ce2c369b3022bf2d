import { useState } from 'preact/hooks';
import { Gradually } from '../../components/gradually.tsx';
import { usePaged } from '../../components/part.tsx';
import { UserText } from '../../components/user-text.tsx';
import { disputeOf } from '../../format/words.ts';
import type { Model, Verdict } from '../../model.ts';
import { Finding } from './finding.tsx';

/** Findings that one document of a share holds. */
export const FINDINGS_PER_PAGE = 20;

type Order = 'asked' | 'disputed';

/** All findings, by subject in the order of the input, or the most disputed first. */
export function Findings({ model }: { readonly model: Model }) {
  const [order, setOrder] = useState<Order>('asked');
  const { verdicts } = model;
  const inOrder =
    order === 'asked'
      ? verdicts
      : verdicts.toSorted((a, b) => disputeOf(b.result) - disputeOf(a.result) || 0);
  // The server knows the order asked alone.
  const { shown, pager } = usePaged(inOrder, FINDINGS_PER_PAGE, {
    name: 'findings',
    isLocal: order !== 'asked',
  });
  const groups = order === 'asked' ? bySubject(shown) : [shown];
  return (
    <section class="findings" aria-label="Findings">
      {verdicts.length > 1 && (
        <p class="findings-order scripted-only">
          <label>
            Show first{' '}
            <select value={order} onChange={(event) => setOrder(event.currentTarget.value as Order)}>
              <option value="asked">as asked</option>
              <option value="disputed">most disputed</option>
            </select>
          </label>
        </p>
      )}
      {verdicts.length === 0 && <p class="empty">Nothing was claimed, so nothing can be said.</p>}
      <Gradually items={groups} size={3}>
        {(group) => (
          <section key={order === 'asked' ? group[0]!.subjectId : order} class="subject">
            <h3>
              {order === 'asked' ? <UserText text={group[0]!.result.subject_name} /> : 'Most disputed first'}
            </h3>
            {group.map((verdict) => (
              <Finding key={`${verdict.subjectId} ${verdict.predicate}`} verdict={verdict} model={model} />
            ))}
          </section>
        )}
      </Gradually>
      {pager}
    </section>
  );
}

/** Verdicts of one subject stand next to each other already. */
function bySubject(verdicts: readonly Verdict[]): Verdict[][] {
  const groups: Verdict[][] = [];
  for (const verdict of verdicts) {
    const last = groups.at(-1);
    if (last?.[0]!.subjectId === verdict.subjectId) last.push(verdict);
    else groups.push([verdict]);
  }
  return groups;
}
