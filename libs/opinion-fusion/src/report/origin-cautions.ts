import { quote } from '../contract/quote.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { Actor, Claim } from '../model/model.ts';
import { isStanding } from '../model/reliability.ts';
import type { Pair } from '../model/statements.ts';
import { normalise } from '../model/value.ts';
import type { Weighed } from '../weighing/weighing.ts';

/** Sources that one warning names. */
const NAMED_MAX = 5;

/** Sources counted apart that give one origin for what they agree on. */
interface Shared {
  readonly actors: readonly Actor[];
  readonly what: Set<string>;
  readonly questions: Set<Pair>;
}

/**
 * Warns of sources that count as independent and give the same address, quote or publisher for the same
 * statement: once for each set of such sources, with the remedy. It changes no number. Source: reasoning
 * model §4, "cannot be shown independent". Never throws.
 */
export function warnOfSharedOrigins(weighed: Weighed, warnings: Warnings): void {
  const found = new Map<string, Shared>();
  for (const pair of weighed.pairs) {
    for (const { groups } of pair.buckets) {
      for (const { claims } of groups) {
        for (const [what, actors] of sharedIn(claims, weighed)) {
          const key = JSON.stringify(actors.map(({ id }) => id));
          const shared = found.get(key) ?? { actors, what: new Set(), questions: new Set() };
          shared.what.add(what);
          shared.questions.add(pair);
          found.set(key, shared);
        }
      }
    }
  }
  for (const { actors, what, questions } of found.values()) {
    const named = actors.slice(0, NAMED_MAX).map(({ id }) => quote(id));
    const more = actors.length > named.length ? ` and ${actors.length - named.length} more` : '';
    const [{ subject, predicate }] = [...questions] as [Pair];
    const others = questions.size > 1 ? ` and on ${questions.size - 1} more` : '';
    warnings.add(
      'shared_origin',
      actors[0]!.id,
      `The sources ${named.join(', ')}${more} give the same ${[...what].sort().join(' and ')} for what they agree on about ${quote(predicate)} of ${quote(subject.id)}${others}, and count as independent; name in depends_on whom each of them repeats, if they repeat one another.`,
    );
  }
}

/** What the claims of one statement share, each with the sources of more than one class that share it. */
function* sharedIn(
  claims: readonly Claim[],
  { weighings, classes }: Weighed,
): Iterable<readonly [what: string, actors: readonly Actor[]]> {
  if (claims.length < 2) return;
  const byOrigin = new Map<string, { readonly what: string; readonly actors: Set<Actor> }>();
  for (const claim of claims) {
    const { url, quote: words, published_by: publisher } = claim.input;
    if (!url && !words && !publisher) continue;
    if (!isStanding(claim) || weighings[claim.index]!.weight <= 0) continue;
    const origins = [
      ['address', url],
      ['quote', words],
      ['publisher', publisher],
    ] as const;
    for (const [what, text] of origins) {
      if (!text?.trim()) continue;
      const key = `${what} ${normalise(text)}`;
      const known = byOrigin.get(key) ?? { what, actors: new Set() };
      byOrigin.set(key, known);
      known.actors.add(claim.actor);
    }
  }
  for (const { what, actors } of byOrigin.values()) {
    if (new Set([...actors].map((actor) => classes.of(actor))).size < 2) continue;
    yield [what, [...actors].sort((a, b) => a.index - b.index)];
  }
}
