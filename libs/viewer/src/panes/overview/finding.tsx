import { DisputeMeter } from '../../components/dispute-meter.tsx';
import { OpinionBar } from '../../components/opinion-bar.tsx';
import { TruthGlyph } from '../../components/truth-glyph.tsx';
import { UserText } from '../../components/user-text.tsx';
import { verdictFragment } from '../../format/fragments.ts';
import { counted, decimal, percent } from '../../format/numbers.ts';
import { day } from '../../format/times.ts';
import {
  evidenceSentence,
  likelihoodSentence,
  readable,
  shownValue,
  TRUTH_STATUS_LABEL,
} from '../../format/words.ts';
import type { Model, Verdict } from '../../model.ts';
import { FindingDetail } from './finding-detail.tsx';

interface Props {
  readonly verdict: Verdict;
  readonly model: Model;
}

/** One verdict: its statement, how likely it is, and, in a sentence of its own, how much stands behind it. */
export function Finding({ verdict, model }: Props) {
  const { result } = verdict;
  const id = verdictFragment(verdict.subjectId, verdict.predicate);
  return (
    <article class="finding" id={id} aria-labelledby={`${id}-statement`}>
      <div class="finding-words">
        <h4 id={`${id}-statement`} class="finding-statement">
          <UserText text={readable(result.predicate)} />
          {result.leading_value !== null && (
            <>
              {': '}
              <UserText text={shownValue(result.leading_value)} class="finding-value" />
            </>
          )}
        </h4>
        <p class="finding-likelihood">
          <TruthGlyph status={result.truth_status} />
          <span class="visually-hidden">Status: {TRUTH_STATUS_LABEL[result.truth_status]}. </span>
          {likelihoodSentence(result)}
        </p>
        <p class="finding-evidence">{evidenceSentence(result.confidence.uncertainty)}</p>
      </div>
      <div class="finding-figures">
        <OpinionBar opinion={result.confidence} tall />
        <ul class="facts">
          <Sources verdict={verdict} />
          {verdict.conflict && (
            <li>
              <DisputeMeter level={verdict.conflict.dispute_level} />
            </li>
          )}
          <Freshness verdict={verdict} />
          <Change verdict={verdict} model={model} />
        </ul>
      </div>
      <FindingDetail verdict={verdict} model={model} />
    </article>
  );
}

function Sources({ verdict: { result } }: { readonly verdict: Verdict }) {
  const { source_count, independent_source_count } = result;
  if (source_count === 0) {
    const isInferred = result.confidence.uncertainty < 1;
    return (
      <li class="flag">{isInferred ? 'inferred only, no source says so' : 'no claim carries weight'}</li>
    );
  }
  if (source_count === 1) return <li class="flag">single source</li>;
  if (independent_source_count === 1) return <li class="flag">{source_count} sources, none independent</li>;
  return (
    <li>
      {counted(source_count, 'source')}
      {independent_source_count < source_count ? `, ${independent_source_count} independent` : ''}
    </li>
  );
}

/** Mean freshness of the claims that were weighed. */
function Freshness({ verdict }: { readonly verdict: Verdict }) {
  const scores = verdict.claims.flatMap(({ analysis }) => (analysis ? [analysis.freshness_score] : []));
  if (scores.length === 0) return null;
  return <li>freshness {decimal(scores.reduce((sum, score) => sum + score, 0) / scores.length)}</li>;
}

/** How the likelihood moved since the judgement before, when a reader would see a difference. */
function Change({ verdict, model }: Props) {
  const { before, result } = verdict;
  const { previous } = model.judged;
  if (!before || !previous || percent(before.expected_probability) === percent(result.expected_probability))
    return null;
  return (
    <li>
      {percent(before.expected_probability)} on {day(previous.judged_at)}
    </li>
  );
}
