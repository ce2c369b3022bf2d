import { readable, type EvidenceGap, type Part } from '@platform/opinion-fusion';
import { EngineSentence } from '../../components/engine-sentence.tsx';
import { useHref } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { Sentence } from '../../components/sentence.tsx';
import { verdictFragment } from '../../format/fragments.ts';
import { points } from '../../format/numbers.ts';
import type { Model } from '../../model.ts';

const GAPS_SHOWN = 5;

/** The verdicts that one more piece of evidence would move most, and what to look for. */
export function EvidenceGaps({ model }: PaneProps) {
  const href = useHref();
  if (model.gaps.length === 0) return null;
  return (
    <section class="gaps" aria-labelledby="gaps-title">
      <h3 id="gaps-title">What would change this</h3>
      <ol>
        {model.gaps.slice(0, GAPS_SHOWN).map((gap) => (
          <li key={`${gap.subject_id} ${gap.predicate}`}>
            <p class="gap-shift">
              <a
                href={isShown(gap, model) ? href(verdictFragment(gap.subject_id, gap.predicate)) : undefined}
              >
                <Sentence parts={gapStatement(gap, model)} />
              </a>
              : one more item of evidence could move the balance of weight by {points(gap.potential_shift)}.
              {gap.is_contested && <span class="flag">contested</span>}
            </p>
            <p class="gap-suggestion">
              <EngineSentence text={suggestionOf(gap)} model={model} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What the gap is about; without a value where a summary left the verdict out. */
function gapStatement(gap: EvidenceGap, { verdicts, subjectById }: Model): readonly Part[] {
  const verdict = verdictOf(gap, verdicts);
  if (verdict) return verdict.statement;
  const subject = subjectById.get(gap.subject_id)?.name ?? gap.subject_id;
  return [{ user: subject }, ', ', { user: readable(gap.predicate) }];
}

/** The suggestion below its finding, which the engine quotes again, and cuts where it is long. */
export const suggestionOf = ({ suggestion }: Pick<EvidenceGap, 'suggestion'>): string =>
  suggestion
    .replace(/evidence against, on whether `[^`]*`,/, 'evidence against this,')
    .replace(/ on (whether `[^`]*`|`[^`]*` of `[^`]*`)/, ' on this');

const verdictOf = (gap: EvidenceGap, verdicts: Model['verdicts']) =>
  verdicts.find(({ subjectId, predicate }) => subjectId === gap.subject_id && predicate === gap.predicate);

/** Whether the gap's verdict is there: a summary may leave it out. */
const isShown = (gap: EvidenceGap, { verdicts }: Model) => verdictOf(gap, verdicts) !== undefined;
