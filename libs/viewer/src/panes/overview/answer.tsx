import { textOf } from '@platform/opinion-fusion';
import { useHref } from '../../components/part.tsx';
import { Sentence } from '../../components/sentence.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { verdictFragment } from '../../format/fragments.ts';
import { likelihoodTone } from '../../format/words.ts';
import { answerIn } from '../../model.ts';

/** Characters of a headline beyond which it takes half a phone in large letters. */
const LONG = 60;

/**
 * The answer in a sentence, who says so, what it depends on and what would help most. Renders nothing without
 * a verdict, and before `withWords` has put it in words. `conditionsMax` is for a place that holds no more.
 */
export function AnswerBlock({
  model,
  conditionsMax = Infinity,
}: PaneProps & { readonly conditionsMax?: number }) {
  const href = useHref();
  const answer = answerIn(model);
  if (answer === null) return null;
  const { headline, chance, sources, conditions, next, verdict } = answer;
  return (
    <section class="answer" aria-label="The answer">
      <p
        class={`answer-headline tone-${likelihoodTone(verdict.result)}${textOf(headline).length > LONG ? ' is-long' : ''}`}
      >
        <Sentence parts={headline} />
        {chance ? (
          <span class="answer-chance">
            {' '}
            (<a href={href(verdictFragment(verdict.subjectId, verdict.predicate))}>{chance}</a>).
          </span>
        ) : (
          '.'
        )}
      </p>
      <p class="answer-sources">
        <Sentence parts={sources} />
      </p>
      {conditions.slice(0, conditionsMax).map((condition, index) => (
        <p key={index} class="answer-condition">
          <Sentence parts={condition} />
        </p>
      ))}
      {next.length > 0 && (
        <p class="answer-next">
          <Sentence parts={next} />
        </p>
      )}
    </section>
  );
}
