import { groupWarnings } from '@platform/opinion-fusion';
import { EngineSentence } from '../../components/engine-sentence.tsx';
import { Fold } from '../../components/fold.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { count, counted } from '../../format/numbers.ts';
import { allWarnings } from './all-warnings.ts';

/** Warnings of one kind in a row from which on they are folded under one sentence. */
const FOLDED_FROM = 3;
/** Warnings of one kind that are listed; the JSON download holds all. */
const LISTED_MAX = 100;

/**
 * What the engine objected to, and quotes that are not where they were pinned: one line for each kind of
 * objection, each item with the names of what it is about.
 */
export function Warnings({ model }: PaneProps) {
  const warnings = allWarnings(model.judged);
  return (
    <section aria-labelledby="audit-warnings">
      <h3 id="audit-warnings">Warnings</h3>
      {warnings.length === 0 && (
        <p>None: the engine took the input as it stands, and no quote needs a look.</p>
      )}
      <ul class="record-items warning-groups">
        {groupWarnings(warnings).map(({ shape, sentences }) =>
          sentences.length < FOLDED_FROM ? (
            sentences.map((sentence) => (
              <li key={sentence}>
                <EngineSentence text={sentence} model={model} />
              </li>
            ))
          ) : (
            <li key={shape}>
              <Fold class="warning-group" summary={summaryOf(shape, sentences.length)}>
                {() => (
                  <ul class="record-items">
                    {sentences.slice(0, LISTED_MAX).map((sentence) => (
                      <li key={sentence}>
                        <EngineSentence text={sentence} model={model} />
                      </li>
                    ))}
                    {sentences.length > LISTED_MAX && (
                      <li>{count(sentences.length - LISTED_MAX)} more in the JSON download.</li>
                    )}
                  </ul>
                )}
              </Fold>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

/** What many warnings of one shape say together. */
const TOGETHER: readonly (readonly [shape: RegExp, words: (claims: string) => string])[] = [
  [
    /^Claim … repeats … of the same actor/,
    (claims) =>
      `${claims} repeat what the same source said already. They count once; nothing has to be done.`,
  ],
  [/below the credibility floor/, (claims) => `${claims} come from sources too unreliable to count.`],
  [
    /^Claim … was asserted after/,
    (claims) => `${claims} were made after the time asked about and were left out.`,
  ],
];

function summaryOf(shape: string, howMany: number): string {
  const known = TOGETHER.find(([start]) => start.test(shape));
  return known
    ? known[1](counted(howMany, 'claim'))
    : `${counted(howMany, 'warning')} of the form “${shape.replaceAll('#', 'n')}”`;
}
