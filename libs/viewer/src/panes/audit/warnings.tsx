import { groupWarnings, toldWarning, type ToldWarning } from '@platform/opinion-fusion';
import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { ClaimLink } from '../../components/claim-link.tsx';
import { ClaimStatement } from '../../components/claim-statement.tsx';
import { EngineSentence } from '../../components/engine-sentence.tsx';
import { Fold } from '../../components/fold.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { count, counted } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import { day } from '../../format/times.ts';
import { readable } from '../../format/words.ts';
import type { Claim, Model } from '../../model.ts';
import { allWarnings } from './all-warnings.ts';
import { MendingContext } from './mending.ts';

/** Warnings of one kind in a row from which on they are folded under one sentence. */
const FOLDED_FROM = 3;
/** Warnings of one kind that are listed; the JSON download holds all. */
const LISTED_MAX = 100;
/** Characters of a claim's words in a row. */
const WORDS_LENGTH = 120;

/**
 * What the engine objected to, and quotes that are not where they were pinned: one line for each kind of
 * objection, each item with the names of what it is about, and on the desk what mends one or all of a kind.
 */
export function Warnings({ model: shown }: PaneProps) {
  const mending = useContext(MendingContext);
  const model = mending?.model ?? shown;
  const warnings = allWarnings(model.judged);
  return (
    <section aria-labelledby="audit-warnings">
      <h3 id="audit-warnings" tabIndex={mending ? -1 : undefined}>
        Warnings
      </h3>
      {warnings.length === 0 && <p>None, and no quote needs a look.</p>}
      <ul class="record-items">
        {groupWarnings(warnings).map(({ shape, sentences }) =>
          sentences.length < FOLDED_FROM ? (
            sentences.map((sentence) => <Warning key={sentence} sentence={sentence} model={model} />)
          ) : (
            <li key={shape}>
              <Fold class="warning-group" summary={summaryOf(shape, sentences.length)}>
                {() => (
                  <ul class="record-items">
                    {sentences.slice(0, LISTED_MAX).map((sentence) => (
                      <Warning key={sentence} sentence={sentence} model={model} />
                    ))}
                    {sentences.length > LISTED_MAX && (
                      <li>{count(sentences.length - LISTED_MAX)} more in the JSON download.</li>
                    )}
                  </ul>
                )}
              </Fold>
              <MendButton sentences={sentences} />
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

function Warning({ sentence, model }: { readonly sentence: string; readonly model: Model }) {
  return (
    <li>
      {inWords(sentence, model) ?? (
        <p>
          <EngineSentence text={sentence} model={model} />
        </p>
      )}
      <MendButton sentences={[sentence]} />
    </li>
  );
}

/**
 * Who says what again, or otherwise, in words; null for a warning of something else, or of what the page does
 * not hold.
 */
function inWords(sentence: string, model: Model): VNode | null {
  const told = toldWarning(sentence);
  if (told?.kind === 'shared_origin') return sharedOrigin(told, model);
  if (told?.kind === 'contradicts_itself') return changed(told, model);
  if (told?.kind === 'faded') return faded(told, model);
  const [claim, kept] = told ? [told.claim, told.kept].map((id) => model.claimById.get(id)) : [];
  if (!claim || !kept) return null;
  return (
    <>
      <p>
        <UserText text={claim.actor.name} class="cited-name" /> says more than once:{' '}
        <ClaimStatement claim={kept} />.
      </p>
      <p class="claim-line-source">
        <Said claim={kept}>Counts</Said> · <Said claim={claim}>Does not count again</Said>
      </p>
    </>
  );
}

function sharedOrigin(told: Extract<ToldWarning, { kind: 'shared_origin' }>, model: Model): VNode | null {
  const names = told.actors.map((id) => model.actorById.get(id)?.name ?? id);
  const claims = model.claims.filter(
    ({ input, actor, predicate }) =>
      input.subject_id === told.subject && predicate === told.predicate && told.actors.includes(actor.id),
  );
  const isShared = (one: Claim) =>
    claims.some(
      (other) =>
        other.actor !== one.actor &&
        SHARED_FIELDS.some((field) => one.input[field] && one.input[field] === other.input[field]),
    );
  const claim = claims.find(isShared);
  if (!claim) return null;
  return (
    <>
      <p>
        {names.map((name, index) => (
          <span key={index}>
            {index > 0 && (index === names.length - 1 && told.more === 0 ? ' and ' : ', ')}
            <UserText text={name} class="cited-name" />
          </span>
        ))}
        {told.more > 0 && ` and ${count(told.more)} more`} give the same {told.what.join(' and ')} for:{' '}
        <ClaimStatement claim={claim} />
        {told.others > 0 && `, and on ${counted(told.others, 'further question')}`}. They count as
        independent, which is wrong if they repeat one another.
      </p>
      <p class="claim-line-source">
        <Said claim={claim}>For instance</Said>
      </p>
    </>
  );
}

function changed(told: Extract<ToldWarning, { kind: 'contradicts_itself' }>, model: Model): VNode {
  const time = ({ input }: Claim) => Date.parse(input.assertion_time ?? '');
  const claims = told.claims
    .flatMap((id) => model.claimById.get(id) ?? [])
    .toSorted((a, b) => time(a) - time(b) || 0);
  return (
    <>
      <p>
        <UserText text={model.actorById.get(told.actor)?.name ?? told.actor} class="cited-name" /> says
        different things at different times about{' '}
        <UserText text={model.subjectById.get(told.subject)?.name ?? told.subject} />,{' '}
        <UserText text={readable(told.predicate)} />. {EACH_LESS}
      </p>
      <p class="claim-line-source">
        {claims.map((claim, index) => (
          <span key={claim.id}>
            {index > 0 && ' · '}
            <Said claim={claim}>
              <ClaimStatement claim={claim} />
            </Said>
          </span>
        ))}
        {told.more > 0 && ` and ${count(told.more)} more`}
      </p>
    </>
  );
}

function faded(told: Extract<ToldWarning, { kind: 'faded' }>, model: Model): VNode {
  return (
    <p>
      Statements on <UserText text={model.subjectById.get(told.subject)?.name ?? told.subject} />,{' '}
      <UserText text={readable(told.predicate)} />, are old: age has left {told.left} % of their weight, and{' '}
      {counted(told.old, 'claim')} {told.old === 1 ? 'counts' : 'count'} for less than a quarter. {AGED}
    </p>
  );
}

const AGED = 'The chance would be another for statements that do not get out of date.';

const EACH_LESS = 'Each of these claims counts for less, for none is noted to replace another.';

const SHARED_FIELDS = ['url', 'quote', 'published_by'] as const;

function Said({ claim, children }: { readonly claim: Claim; readonly children: ComponentChildren }) {
  const { assertion_time: time, content } = claim.input;
  return (
    <>
      {children}: <ClaimLink claim={claim} text={shortened(content, WORDS_LENGTH)} />
      {time && (
        <>
          , <time dateTime={time}>{day(time)}</time>
        </>
      )}
    </>
  );
}

/** On the desk, what ends the warnings of some sentences. */
function MendButton({ sentences }: { readonly sentences: readonly string[] }) {
  const mend = useContext(MendingContext)?.mendOf(sentences);
  return mend ? (
    <p class="warning-mend">
      <button type="button" onClick={mend.run}>
        {mend.label}
      </button>
    </p>
  ) : null;
}

/** What many warnings of one shape say together. */
const TOGETHER: readonly (readonly [shape: RegExp, words: (claims: string, howMany: string) => string])[] = [
  [
    /^The sources … give the same/,
    (_, howMany) => `${howMany} groups of sources give the same words or origin, and count as independent.`,
  ],
  [
    /^Age has left/,
    (_, howMany) => `On ${howMany} questions the statements are old and count for little. ${AGED}`,
  ],
  [
    /^The source … contradicts itself on/,
    (_, howMany) => `${howMany} times a source says something else later than before. ${EACH_LESS}`,
  ],
  [
    /^Claim … repeats … of the same actor/,
    (claims) => `${claims} repeat what the same source said already. They count once.`,
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
    ? known[1](counted(howMany, 'claim'), count(howMany))
    : `${counted(howMany, 'warning')} of the form “${shape.replaceAll('#', 'n')}”`;
}
