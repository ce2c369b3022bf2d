import { shortened } from '../format/text.ts';
import { claimStanding, shownStatus, strengthText, withdrawnStatus } from '../format/words.ts';
import type { Claim } from '../model.ts';
import { Cited, Quote } from './cited.tsx';
import { ClaimLink } from './claim-link.tsx';
import { ClaimStatement } from './claim-statement.tsx';
import { claimOpinion } from './opinion.ts';
import { OpinionBar } from './opinion-bar.tsx';
import { TruthGlyph } from './truth-glyph.tsx';
import { WithdrawnFlag } from './withdrawn-flag.tsx';

/** Characters of a claim's words that a line shows; the record has them all. */
const LINE_LENGTH = 180;

/** A claim in two lines: its words, its source and its standing. The words link to its record. */
export function ClaimLine({ claim }: { readonly claim: Claim }) {
  const { input, actor, analysis, ranked } = claim;
  const opinion = analysis ?? ranked;
  return (
    <div class="claim-line">
      {analysis && <TruthGlyph status={shownStatus(claimStanding(analysis))} />}
      <div class="claim-line-text">
        <ClaimLink claim={claim} text={shortened(input.content, LINE_LENGTH)} />
        <p class="claim-line-source">
          <Cited actor={actor} said={input} />
          {input.target_claim_id
            ? ` · ${(input.valence ?? 'Neutral').toLowerCase() === 'refutes' ? 'refutes' : 'speaks about'} another claim`
            : null}
          {!input.target_claim_id && (
            <>
              {' · '}
              <ClaimStatement claim={claim} />
            </>
          )}
          {analysis?.below_credibility_floor && <span class="flag">below the credibility floor</span>}
          <WithdrawnFlag claim={claim} />
          {claim.isStale && withdrawnStatus(claim) !== 'retracted' && <span class="flag">stale</span>}
        </p>
        <Quote said={input} />
      </div>
      {opinion && (
        <div class="claim-line-opinion">
          <OpinionBar opinion={claimOpinion(opinion)} chance={opinion.expected_probability} />
          <span class="claim-line-strength">{strengthText(opinion)}</span>
        </div>
      )}
    </div>
  );
}
