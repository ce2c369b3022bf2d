import type { EvidenceGap } from '@platform/opinion-fusion';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { verdictFragment } from '../../format/fragments.ts';
import { percent, points } from '../../format/numbers.ts';
import { readable } from '../../format/words.ts';
import type { Model } from '../../model.ts';

const GAPS_SHOWN = 5;

/** The verdicts that one more piece of evidence would move most, and what to look for. */
export function EvidenceGaps({ model }: PaneProps) {
  if (model.gaps.length === 0) return null;
  return (
    <section class="gaps" aria-labelledby="gaps-title">
      <h3 id="gaps-title">What would change this</h3>
      <ol>
        {model.gaps.slice(0, GAPS_SHOWN).map((gap) => (
          <li key={`${gap.subject_id} ${gap.predicate}`}>
            <p class="gap-shift">
              <a href={linkTo(gap, model)}>
                <UserText text={model.subjectById.get(gap.subject_id)?.name ?? gap.subject_id} />
                {', '}
                <UserText text={readable(gap.predicate)} />
              </a>
              : one more item of evidence could move {percent(gap.expected_probability)} by{' '}
              {points(gap.potential_shift)}.{gap.is_contested && <span class="flag">contested</span>}
            </p>
            <p class="gap-suggestion">
              <Suggestion text={gap.suggestion} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Address of the gap's verdict; none where a summary left the verdict out. */
function linkTo(gap: EvidenceGap, { verdicts }: Model): string | undefined {
  const isShown = verdicts.some(
    ({ subjectId, predicate }) => subjectId === gap.subject_id && predicate === gap.predicate,
  );
  return isShown ? `#${verdictFragment(gap.subject_id, gap.predicate)}` : undefined;
}

/** The engine quotes names in back ticks; a reader sees them as names. */
function Suggestion({ text }: { readonly text: string }) {
  const parts = text.split('`');
  // An odd number of back ticks means that a name holds one itself: then the sentence stays as it is.
  if (parts.length % 2 === 0) return <UserText text={text} />;
  return (
    <>
      {parts.map((part, index) => (index % 2 ? <UserText key={index} text={part} class="quoted" /> : part))}
    </>
  );
}
