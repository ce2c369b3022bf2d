import { ClaimLink } from '../../components/claim-link.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';

/** Claims that dispute how another was arrived at: on record, without weight. Source: rule 8. */
export function MethodChallenges({ model }: PaneProps) {
  const challenges = model.claims.flatMap((claim) =>
    (claim.input.relationships ?? [])
      .filter(({ relationship_type }) => relationship_type === 'challenges_methodology')
      .map(({ target_claim_id }) => ({ claim, target_claim_id })),
  );
  if (challenges.length === 0) return null;
  return (
    <section aria-labelledby="audit-methods">
      <h3 id="audit-methods">Challenges to methods</h3>
      <p class="audit-note">On record only: they change no number.</p>
      <ul class="record-items">
        {challenges.map(({ claim, target_claim_id }) => {
          const target = model.claimById.get(target_claim_id);
          return (
            <li key={`${claim.id} ${target_claim_id}`}>
              <UserText text={claim.actor.name} /> (<ClaimLink claim={claim} isInSentence />) challenges how{' '}
              {target ? (
                <>
                  <UserText text={target.actor.name} /> arrived at <ClaimLink claim={target} isInSentence />.
                </>
              ) : (
                <>
                  <UserText text={target_claim_id} /> was arrived at.
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
