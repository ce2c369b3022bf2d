import { denialWords, isRating } from '@platform/opinion-fusion';
import { ClaimLine } from '../../components/claim-line.tsx';
import { Fold } from '../../components/fold.tsx';
import { OpinionNumbers, OpinionTriangle } from '../../components/opinion-triangle.tsx';
import { useHref } from '../../components/part.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { VerdictReasons } from '../../components/verdict-reasons.tsx';
import { UserText } from '../../components/user-text.tsx';
import { counted, percent } from '../../format/numbers.ts';
import {
  answerWord,
  chanceOf,
  isDenied,
  isOfYesAndNo,
  isTieApart,
  otherValues,
  placeText,
  valuesApart,
  type Rival,
  shownStatus,
  type Standing,
  tieOf,
  TRUTH_STATUS_LABEL,
  TRUTH_STATUS_MEANING,
} from '../../format/words.ts';
import type { Model, Verdict } from '../../model.ts';

/** Claims listed under a verdict whose contributions are not known; the audit lists all. */
const CLAIMS_SHOWN = 10;

/** What stands behind one verdict: its opinion in full, and whatever speaks for and against it. */
export function FindingDetail({ verdict, model }: { readonly verdict: Verdict; readonly model: Model }) {
  const href = useHref();
  const { result, explanation, claims } = verdict;
  const status = shownStatus(result);
  const tie = tieOf(result);
  const isUndecided = status === 'Neither' && tie !== null && !isTieApart(tie) && !isDenied(tie);
  return (
    <Fold class="finding-detail" summary="Why" bodyClass="finding-detail-body">
      {() => (
        <>
          <div class="finding-opinion">
            <OpinionTriangle opinion={result.confidence} size="large" />
            <OpinionNumbers opinion={result.confidence} />
          </div>
          <div class="finding-reasons">
            <p>
              {/* “True” of a rating would be read as that of the statement. */}
              {!isRating({ ...result, subject: result.subject_name, value: result.leading_value }) && (
                <strong>{TRUTH_STATUS_LABEL[status]}. </strong>
              )}
              {isUndecided ? 'No answer leads.' : TRUTH_STATUS_MEANING[status]}
            </p>
            <OtherValues result={result} />
            {result.denials && (
              <p>
                Denied, and said by nobody: <Sentence parts={denialWords(result.denials)} />.
              </p>
            )}
            {explanation && <VerdictReasons explanation={explanation} model={model} />}
            {!explanation && claims.length > 0 && (
              <>
                <ul class="claim-lines">
                  {claims.slice(0, CLAIMS_SHOWN).map((claim) => (
                    <li key={claim.id}>
                      <ClaimLine claim={claim} />
                    </li>
                  ))}
                </ul>
                {claims.length > CLAIMS_SHOWN && (
                  <p class="more">
                    {counted(claims.length - CLAIMS_SHOWN, 'more claim')} in the{' '}
                    <a href={href('audit-claims')}>list of all claims</a>.
                  </p>
                )}
              </>
            )}
          </div>
        </>
      )}
    </Fold>
  );
}

/** Of values of which none leads; those of different scopes or times do not compete. */
function titleOf(tied: Parameters<typeof isTieApart>[0]): string {
  if (isDenied(tied)) return 'Denied answers';
  return isTieApart(tied) ? 'Answers in different scopes or of different times' : 'Tied answers';
}

/** The values that other sources give, each with its chance. */
function OtherValues({ result }: { readonly result: Standing }) {
  const tie = tieOf(result);
  const tied = tie === null || isOfYesAndNo(tie) ? [] : tie;
  return (
    <>
      <ValuesLine title={titleOf(tied)} values={tied} />
      <ValuesLine
        title="Other answers"
        values={otherValues(result).filter((value) => !tied.includes(value))}
      />
      <ValuesLine
        title={`${result.denied ? 'Denied in' : 'In'} other scopes or of other times`}
        values={valuesApart(result).filter((value) => !tied.includes(value))}
      />
      {result.more_rival_values! > 0 && (
        <p>{counted(result.more_rival_values!, 'more answer')} not listed here.</p>
      )}
    </>
  );
}

function ValuesLine({ title, values }: { readonly title: string; readonly values: readonly Rival[] }) {
  if (values.length === 0) return null;
  return (
    <p>
      {title}:{' '}
      {values.map((rival, index) => (
        <span key={rival.value}>
          {index > 0 && ', '}
          <UserText text={`${answerWord(rival.value)}${placeText(rival)}`} /> ({percent(chanceOf(rival))}
          {rival.denied && `, denied by ${counted(rival.source_count ?? 0, 'source')}`})
        </span>
      ))}
      .
    </p>
  );
}
