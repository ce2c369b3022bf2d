import { estimateWords } from '@platform/opinion-fusion';
import { OpinionBar } from '../../components/opinion-bar.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { UserText } from '../../components/user-text.tsx';
import { TruthGlyph } from '../../components/truth-glyph.tsx';
import { verdictFragment } from '../../format/fragments.ts';
import { counted, decimal, percent } from '../../format/numbers.ts';
import { day } from '../../format/times.ts';
import {
  answerWord,
  disputeOf,
  disputeWords,
  evidenceSentence,
  isDenied,
  likelihoodWithChance,
  shownChance,
  likelihoodTone,
  moreLikely,
  shownStatus,
  tieOf,
} from '../../format/words.ts';
import type { Model, Verdict } from '../../model.ts';
import { FindingDetail } from './finding-detail.tsx';

interface Props {
  readonly verdict: Verdict;
  readonly model: Model;
}

/** Mean freshness below which a reader is told that the evidence is old. */
const OLD_BELOW = 0.25;

/** One verdict: a sentence, a word with its chance, and a bar with who speaks for it and against it. */
export function Finding({ verdict, model }: Props) {
  const { result, sides } = verdict;
  const id = verdictFragment(verdict.subjectId, verdict.predicate);
  return (
    <article class="finding" id={id} aria-labelledby={`${id}-statement`}>
      <h4 id={`${id}-statement`} class="finding-statement">
        <Stated verdict={verdict} />
      </h4>
      <OpinionBar opinion={result.confidence} chance={shownChance(result)} tall />
      <p class="finding-sides">
        <span class="name-support">{sides?.for}</span>
        <span class="finding-evidence" title={`uncertainty ${decimal(result.confidence.uncertainty)}`}>
          {evidenceSentence(result.confidence.uncertainty)}
        </span>
        <span class="name-opposition">{sides?.against}</span>
      </p>
      <ul class="facts">
        {isMarked(verdict, model) && <li class="answers">answers the question</li>}
        <LessLikely verdict={verdict} />
        <Sources verdict={verdict} />
        <Dispute verdict={verdict} />
        <Freshness verdict={verdict} />
        <Earlier verdict={verdict} model={model} />
        {result.numeric_estimate && <li>{estimateWords(result.numeric_estimate)}</li>}
      </ul>
      <FindingDetail verdict={verdict} model={model} />
    </article>
  );
}

/** What the finding says, with its word and chance. */
export function Stated({ verdict }: Pick<Props, 'verdict'>) {
  const { result } = verdict;
  return (
    <>
      <Sentence parts={verdict.statement} />
      {': '}
      <span class={`finding-word tone-${likelihoodTone(result)}`}>
        <TruthGlyph status={shownStatus(result)} />
        {likelihoodWithChance(result)}
      </span>
    </>
  );
}

/** A finding in a line and its bar. */
export function FindingLine({ verdict }: Pick<Props, 'verdict'>) {
  return (
    <div class="finding-line">
      <p>
        <Stated verdict={verdict} />
      </p>
      <OpinionBar opinion={verdict.result.confidence} chance={shownChance(verdict.result)} />
    </div>
  );
}

/** Whether the author marked the finding as the one that answers the question. */
function isMarked({ subjectId, predicate }: Verdict, { presentation: { answer_finding } }: Model): boolean {
  return answer_finding?.subject_id === subjectId && answer_finding.predicate === predicate;
}

/** Says so where weight and chance disagree. */
function LessLikely({ verdict: { result } }: { readonly verdict: Verdict }) {
  const rival = moreLikely(result);
  if (rival === null) return null;
  return (
    <li class="flag">
      less likely than <UserText text={answerWord(rival.value)} /> ({percent(rival.chance)})
    </li>
  );
}

function Sources({ verdict }: { readonly verdict: Verdict }) {
  // Who denies which of several stands with the finding.
  if (isDenied(tieOf(verdict.result))) return null;
  const { source_count, independent_source_count, confidence } = verdict.result;
  if (source_count === 0) {
    const isInferred = confidence.uncertainty < 1;
    return (
      <li class="flag">{isInferred ? 'inferred only, no source says so' : 'no claim carries weight'}</li>
    );
  }
  const { sides } = verdict;
  if (sides === null && independent_source_count === source_count)
    return source_count === 1 ? (
      <li class="flag">single source</li>
    ) : (
      <li>{counted(source_count, 'source')}</li>
    );
  const independent = sides?.independent ?? independent_source_count;
  const all = sides?.all ?? source_count;
  if (all <= 1) return <li class="flag">single source</li>;
  if (all === independent) return null;
  const isSuspected = sides?.suspected;
  if (independent === 1)
    return (
      <li class="flag">
        {all} sources, {isSuspected ? 'perhaps none independent' : 'none independent'}
      </li>
    );
  return (
    <li>
      {counted(all, 'source')}, {isSuspected && 'at least '}
      {independent} independent
    </li>
  );
}

/** How disputed it is, in words; the number is in the tooltip. */
function Dispute({ verdict: { result } }: { readonly verdict: Verdict }) {
  const level = disputeOf(result);
  if (level === 0) return null;
  return (
    <li title={`dispute ${decimal(level)}, of 0 (one side alone) to 1 (both alike)`}>
      {disputeWords(level)}
    </li>
  );
}

/** Says so where the claims that were weighed are mostly old. */
function Freshness({ verdict: { freshness: mean } }: { readonly verdict: Verdict }) {
  if (mean === null || mean >= OLD_BELOW) return null;
  return (
    <li class="flag" title={`freshness ${decimal(mean)}, of 0 to 1`}>
      mostly old evidence
    </li>
  );
}

/** What led in the judgement before, or how likely it was, where a reader would see a difference. */
function Earlier({ verdict: { subjectId, predicate }, model }: Props) {
  const { previous } = model.judged;
  return previous?.changes?.answers.map(
    (answer, index) =>
      answer.was &&
      answer.subject_id === subjectId &&
      answer.predicate === predicate && (
        <li key={index}>
          <Sentence parts={answer.was} /> on {day(previous.judged_at)}
        </li>
      ),
  );
}
