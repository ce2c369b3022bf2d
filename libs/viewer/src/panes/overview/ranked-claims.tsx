import type { Category } from '@platform/opinion-fusion';
import { ClaimLine } from '../../components/claim-line.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { counted } from '../../format/numbers.ts';
import { capital, CATEGORY_MEANING } from '../../format/words.ts';

const CATEGORIES: readonly Category[] = ['strong', 'moderate', 'contested', 'weak', 'refuted'];

/** All ranked claims, a fold for each category, in rank order. */
export function RankedClaims({ model }: PaneProps) {
  const ranked = model.claims.filter((claim) => claim.ranked);
  if (ranked.length === 0) return null;
  return (
    <section class="ranked" aria-labelledby="ranked-title">
      <h3 id="ranked-title">Claims by strength</h3>
      {CATEGORIES.map((category) => {
        const claims = ranked.filter((claim) => claim.ranked!.category === category);
        if (claims.length === 0) return null;
        return (
          <details key={category} class="ranked-category">
            <summary>
              <span class="ranked-name">{capital(category)}</span> {counted(claims.length, 'claim')}{' '}
              <span class="ranked-meaning">{CATEGORY_MEANING[category]}</span>
            </summary>
            <ol class="claim-lines">
              {claims.map((claim) => (
                <li key={claim.id} value={claim.ranked!.rank}>
                  <ClaimLine claim={claim} />
                </li>
              ))}
            </ol>
          </details>
        );
      })}
    </section>
  );
}
