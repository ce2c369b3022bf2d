import type { Entity } from '../edit/kinds.ts';

/**
 * Rows whose claim is about a claim that is neither among them nor there already, or about itself by way of
 * others, each with the reason; and rows whose claim is about one of those. Pure.
 */
export function lostTargets(
  claims: readonly Entity[],
  there: readonly Entity[],
): ReadonlyMap<Entity, string> {
  const present = new Map(there.map((claim) => [claim.id, claim]));
  const read = new Map(claims.map((claim) => [claim.id, claim]));
  const lost = new Map<Entity, string>();
  const about = new Map<string, Entity[]>();
  for (const claim of claims) {
    const target = targetOf(claim);
    if (target === undefined) continue;
    const others = about.get(target);
    if (others === undefined) about.set(target, [claim]);
    else others.push(claim);
    if (!read.has(target) && !present.has(target))
      lost.set(claim, `${JSON.stringify(target)} is the id of no claim that is imported or there already`);
  }
  for (const claim of inCycles(claims, (id) => read.get(id) ?? present.get(id)))
    lost.set(claim, 'leads back to the claim itself: claims about claims must not form a cycle');
  // What the set gains while it is read is read, too.
  for (const [{ id }] of lost)
    if (!present.has(id))
      for (const claim of about.get(id) ?? [])
        if (!lost.has(claim)) lost.set(claim, `the claim ${JSON.stringify(id)} is left out, too`);
  return lost;
}

/** Claims whose targets lead back to them. Each has at most one, so a walk either ends or goes in circles. */
function inCycles(claims: readonly Entity[], find: (id: string) => Entity | undefined): Entity[] {
  const next = (claim: Entity) => find(targetOf(claim) ?? '');
  const walkOf = new Map<Entity, Entity>();
  return claims.flatMap((start) => {
    let at: Entity | undefined = start;
    while (at !== undefined && !walkOf.has(at)) {
      walkOf.set(at, start);
      at = next(at);
    }
    if (at === undefined || walkOf.get(at) !== start) return [];
    const cycle = [at];
    for (let other = next(at)!; other !== at; other = next(other)!) cycle.push(other);
    return cycle;
  });
}

const targetOf = ({ target_claim_id: target }: Entity): string | undefined =>
  typeof target === 'string' && target !== '' ? target : undefined;
