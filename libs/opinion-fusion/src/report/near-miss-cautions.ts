import { quote } from '../contract/quote.ts';
import { byCodeUnits } from '../contract/rounding.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { Model } from '../model/model.ts';
import { alike, inLatin } from '../model/spellings.ts';

/** Predicates without claims that the competence of one actor names, and that are warned of one by one. */
const UNMATCHED_MAX = 50;

/**
 * Names that differ only in case, white space or punctuation, and competence for predicates that no claim
 * has.
 */
export function warnOfNearMisses(
  { claims, actors, inferences }: Pick<Model, 'claims' | 'actors' | 'inferences'>,
  warnings: Warnings,
): void {
  const predicates = new Set(claims.map(({ predicate }) => predicate));
  for (const { predicate } of inferences) predicates.add(predicate);
  const scopes = new Set(claims.map(({ scope }) => scope));
  const known = warnOfTwins('predicates', predicates, warnings);
  warnOfTwins('scopes', scopes, warnings);
  warnOfTwins('actors', new Set(actors.map(({ id }) => id)), warnings, (id) =>
    inLatin(id.normalize('NFC').replace(/\p{Cf}/gu, '')),
  );
  const spoken = new Map<string, Set<string>>();
  for (const actor of actors) {
    const unmatched = [...(actor.competence?.keys() ?? [])].filter((key) => !predicates.has(key));
    if (unmatched.length > UNMATCHED_MAX) {
      warnings.add(
        'competence_matches_nothing',
        actor.id,
        `Competence of ${quote(actor.id)} matches no predicate for ${unmatched.length} of ${actor.competence!.size} names; it has no effect there.`,
      );
      continue;
    }
    for (const key of unmatched) {
      const near = known.get(alike(key));
      const own = spoken.get(key) ?? new Set();
      spoken.set(key, own.add(actor.id));
      if (own.size > 1) continue;
      warnings.add(
        'competence_matches_nothing',
        actor.id,
        `Competence of ${quote(actor.id)} for ${quote(key)} matches no predicate${near === undefined ? '' : `; ${quote(near)} is nearest`}; it has no effect.`,
      );
    }
  }
}

/** Warns of each two names that fold to one; returns a name for each folded form. */
function warnOfTwins(
  what: string,
  names: ReadonlySet<string>,
  warnings: Warnings,
  fold = alike,
): Map<string, string> {
  const first = new Map<string, string>();
  for (const name of [...names].sort(byCodeUnits)) {
    const key = fold(name);
    const other = first.get(key);
    if (other === undefined) first.set(key, name);
    else
      warnings.add(
        'names_nearly_meet',
        name,
        `The ${what} ${quote(other)} and ${quote(name)} differ only in case, white space, punctuation or characters that look alike, and are kept apart; use one spelling if they mean the same.`,
      );
  }
  return first;
}
