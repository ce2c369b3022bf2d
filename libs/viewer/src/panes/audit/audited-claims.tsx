import { ClaimRecord } from '../../components/claim-record.tsx';
import { Fold } from '../../components/fold.tsx';
import { Gradually } from '../../components/gradually.tsx';
import { usePaged } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { claimFragment } from '../../format/fragments.ts';
import { count, counted } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import { BASE_NAME } from '../../components/weight-audit.tsx';
import type { Claim } from '../../model.ts';

/** Claims that one document of a share holds. */
export const CLAIMS_PER_PAGE = 50;
/**
 * Claims whose whole calculation stands here where all panes are one document; of those of lower rank the
 * figures of the row do.
 */
const WHOLE_RECORDS_MAX = 250;
/** Characters of a claim's words in its row. */
const WORDS_LENGTH = 70;
/**
 * Claims whose record is printed; of those of lower rank only the figures of the row are, or the paper would
 * be a book.
 */
const PRINTED_RECORDS_MAX = 50;

/** Every claim of the input with its whole chain of factors, folded to the figures of its weight. */
export function AuditedClaims({ model }: PaneProps) {
  const { shown, first, pager } = usePaged(model.claims, CLAIMS_PER_PAGE, { name: 'claims' });
  const { totals } = model.judged;
  const isLearned = model.claims.some(({ audit }) => audit?.reliability.base_from === 'estimated');
  return (
    <section aria-labelledby="audit-claims">
      <h3 id="audit-claims">Claims</h3>
      <p class="audit-note">
        {totals && `${count(model.claims.length)} of `}
        {counted(totals?.claims ?? model.claims.length, 'claim')}. Weight ={' '}
        {isLearned ? 'learned weight' : 'base reliability'} × competence × self-contradiction × weight by age;
        open a claim for the whole calculation.
        {shown.length > WHOLE_RECORDS_MAX &&
          ` It stands here for the first ${WHOLE_RECORDS_MAX} by rank; for the rest the JSON download has it, and a claim’s drawer where scripts run.`}
        {model.claims.length > PRINTED_RECORDS_MAX &&
          ` Printed are the records of the first ${PRINTED_RECORDS_MAX} by rank, and the figures of all.`}
      </p>
      <div class="audited-head" aria-hidden="true">
        <span>claim</span>
        <span>base</span>
        <span>competence</span>
        <span>contradiction</span>
        <span>age</span>
        <span>weight</span>
        <span>fresh</span>
      </div>
      <Gradually items={shown} size={20}>
        {(claim, index) => {
          const id = claimFragment(claim.id);
          const rank = first + index;
          return (
            <Fold
              key={claim.id}
              class="audited-claim"
              summary={
                <>
                  <span>
                    <UserText text={shortened(wordsOf(claim), WORDS_LENGTH)} />{' '}
                    <UserText text={claim.actor.name} class="audited-source" />
                  </span>
                  <Figures claim={claim} />
                </>
              }
              bodyId={id}
              bodyClass={rank < PRINTED_RECORDS_MAX ? undefined : 'screen-only'}
            >
              {() => (
                <ClaimRecord
                  claim={claim}
                  model={model}
                  headingId={`${id}-title`}
                  isBrief={index >= WHOLE_RECORDS_MAX}
                />
              )}
            </Fold>
          );
        }}
      </Gradually>
      {pager}
    </section>
  );
}

const wordsOf = ({ id, input }: Claim) => (input.content.trim() === '' ? id : input.content);

function Figures({ claim: { audit, analysis } }: { readonly claim: Claim }) {
  if (!audit)
    return (
      <span class="audited-figure">{analysis ? analysis.freshness_score.toFixed(2) : 'not weighed'}</span>
    );
  const { reliability, decay, weight, freshness } = audit;
  const figures: [name: string, value: number][] = [
    [BASE_NAME[reliability.base_from], reliability.base],
    ['competence', reliability.competence],
    ['self-contradiction', reliability.self_contradiction],
    ['weight by age', decay.factor],
    ['weight', weight.weight],
    ['freshness', freshness.score],
  ];
  return (
    <>
      {figures.map(([name, value]) => (
        <span key={name} class="audited-figure">
          <span class="audited-name">{name} </span>
          {value.toFixed(2)}
        </span>
      ))}
    </>
  );
}
