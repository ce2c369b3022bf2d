import { RELATIONSHIPS_MAX } from '../contract/constants.ts';
import { appended, NONE } from './lists.ts';
import type { ClaimInput } from '../contract/types.ts';
import type { Claim, Relationship } from './model.ts';
import { quote } from '../contract/quote.ts';
import { stronglyConnected } from '@platform/argumentation';
import type { Warnings } from '../contract/warnings.ts';

/**
 * Resolves relationships and supersession. Only the first RELATIONSHIPS_MAX relationships of a claim count;
 * an unknown target is a warning; a retracted claim relates to nothing and stays retracted whatever names it.
 * Reasoning model §2, §4.
 */
export function resolveRelationships(
  claims: readonly Claim[],
  claimById: ReadonlyMap<string, Claim>,
  warnings: Warnings,
): void {
  for (const claim of claims) {
    const listed = claim.input.relationships ?? [];
    const { repeatsSupersede } = claim;
    if (listed.length === 0 && !claim.input.supersedes_claim_id && repeatsSupersede.length === 0) continue;
    if (listed.length > RELATIONSHIPS_MAX) {
      warnings.add(
        'relationships_truncated',
        claim.id,
        `Claim ${quote(claim.id)} has ${listed.length} relationships; the first ${RELATIONSHIPS_MAX} are kept.`,
      );
    }
    const superseded = new Set<Claim>();
    const { isWithdrawn: withdrawn } = claim;
    if (claim.input.supersedes_claim_id)
      addSuperseded(claim, claim.input.supersedes_claim_id, superseded, claimById, warnings);
    for (const { relationship_type: type, target_claim_id: id } of listed.slice(0, RELATIONSHIPS_MAX)) {
      if (type === 'supersedes') {
        addSuperseded(claim, id, superseded, claimById, warnings);
        continue;
      }
      const target = claimById.get(id);
      if (!target) {
        warnings.add(
          'relationship_target_missing',
          claim.id,
          `Claim ${quote(claim.id)} ${type} ${quote(id)}, which is not among the claims; the relationship was ignored.`,
        );
      } else if (target === claim) {
        warnings.add(
          'relates_to_itself',
          claim.id,
          `Claim ${quote(claim.id)} ${type} itself; this has no effect.`,
        );
      } else if (!withdrawn) {
        claim.relationships = appended(claim.relationships, { type: type as Relationship['type'], target });
      }
    }
    for (const id of repeatsSupersede)
      if (claimById.get(id) !== claim) addSuperseded(claim, id, superseded, claimById, warnings);
    if (!withdrawn) claim.supersedes = [...superseded].filter((target) => !target.isWithdrawn);
  }
  breakSupersessionCycles(claims, warnings);
  for (const claim of claims) {
    for (const target of claim.supersedes) {
      target.supersededBy = appended(target.supersededBy, claim);
      const isEarlier =
        claim.assertedAt !== null && target.assertedAt !== null && claim.assertedAt < target.assertedAt;
      // Where the repetition that supersedes was dropped, the claim kept may well be the earlier one.
      if (isEarlier && supersededIds(claim.input).some((id) => claimById.get(id) === target))
        warnings.add(
          'supersedes_later',
          claim.id,
          `Claim ${quote(claim.id)} supersedes ${quote(target.id)}, which was asserted later; look whether the two are the wrong way round.`,
        );
    }
  }
  for (const claim of claims) if (claim.supersededBy.length > 0) claim.status = 'superseded';
}

/** Ids of the claims that a claim names as superseded, either way. */
export function supersededIds({ supersedes_claim_id: id, relationships }: ClaimInput): readonly string[] {
  if (!id && !relationships?.length) return NONE;
  const listed = (relationships ?? [])
    .slice(0, RELATIONSHIPS_MAX)
    .flatMap((tie) => (tie.relationship_type === 'supersedes' ? [tie.target_claim_id] : []));
  return id ? [id, ...listed] : listed;
}

function addSuperseded(
  claim: Claim,
  id: string,
  superseded: Set<Claim>,
  claimById: ReadonlyMap<string, Claim>,
  warnings: Warnings,
): void {
  const target = claimById.get(id);
  if (target) superseded.add(target);
  else
    warnings.add(
      'supersession_target_missing',
      claim.id,
      `Claim ${quote(claim.id)} supersedes ${quote(id)}, which is not among the claims; nothing was superseded.`,
    );
}

/**
 * Removes supersession edges inside a cycle, a claim that names itself included, each claim with a warning.
 */
function breakSupersessionCycles(claims: readonly Claim[], warnings: Warnings): void {
  const superseding = claims.filter((claim) => claim.supersedes.length > 0);
  if (superseding.length === 0) return;
  const component = stronglyConnected(superseding, (claim) => claim.supersedes);
  for (const claim of superseding) {
    const inside = claim.supersedes.filter(
      (target) => target === claim || component.get(target) === component.get(claim),
    );
    if (inside.length === 0) continue;
    claim.supersedes = claim.supersedes.filter((target) => !inside.includes(target));
    for (const target of inside)
      warnings.add(
        'supersession_cycle',
        claim.id,
        `Claim ${quote(claim.id)} and ${quote(target.id)} supersede each other in a circle; this supersession was ignored.`,
      );
  }
}
