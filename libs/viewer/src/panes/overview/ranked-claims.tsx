import type { Category } from '@platform/opinion-fusion';
import { useContext } from 'preact/hooks';
import { ClaimLine } from '../../components/claim-line.tsx';
import { Fold } from '../../components/fold.tsx';
import { PartContext, useHref } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { counted } from '../../format/numbers.ts';
import { capital, CATEGORY_MEANING, STRENGTH_MEANING } from '../../format/words.ts';

const CATEGORIES: readonly Category[] = ['strong', 'moderate', 'contested', 'weak', 'refuted'];

/** Claims of a category that a document of a share holds; the list of all claims has pages. */
const CLAIMS_SHOWN = 25;

/** And that a document of all panes holds. */
const WHOLE_SHOWN = 1000;

/** All ranked claims, a fold for each category, in rank order. */
export function RankedClaims({ model }: PaneProps) {
  const href = useHref();
  const most = useContext(PartContext) === null ? WHOLE_SHOWN : CLAIMS_SHOWN;
  const ranked = model.claims.filter((claim) => claim.ranked);
  const all = model.judged.totals?.ranked ?? {};
  if (ranked.length === 0) return null;
  return (
    <section class="ranked" aria-labelledby="ranked-title">
      <h3 id="ranked-title">Claims by strength</h3>
      <p class="ranked-meaning">{STRENGTH_MEANING}</p>
      {CATEGORIES.map((category) => {
        const claims = ranked.filter((claim) => claim.ranked!.category === category);
        const total = all[category] ?? claims.length;
        if (total === 0) return null;
        return (
          <Fold
            key={category}
            class="ranked-category"
            summary={
              <>
                <span class="ranked-name">{capital(category)}</span> {counted(total, 'claim')}{' '}
                <span class="ranked-meaning">{CATEGORY_MEANING[category]}</span>
              </>
            }
          >
            {() => (
              <>
                <ol class="claim-lines">
                  {claims.slice(0, most).map((claim) => (
                    <li key={claim.id} value={claim.ranked!.rank}>
                      <ClaimLine claim={claim} />
                    </li>
                  ))}
                </ol>
                {claims.length > most && (
                  <p class="more">
                    {counted(claims.length - most, 'more claim')} in the{' '}
                    <a href={href('audit-claims')}>list of all claims</a>.
                  </p>
                )}
                {total > claims.length && (
                  <p class="more">{counted(total - claims.length, 'more claim')} in the downloads.</p>
                )}
              </>
            )}
          </Fold>
        );
      })}
    </section>
  );
}
