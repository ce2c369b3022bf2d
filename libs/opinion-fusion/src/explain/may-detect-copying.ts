import { COPYING } from '../contract/constants.ts';
import { unitsBesideBareNumbers } from '../model/question-units.ts';
import type { StatementGroup } from '../model/statements.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * Meetings of two actors in one statement that are counted; where there are more, copying is not ruled out.
 */
const MEETINGS_MAX = 1_000_000;

/**
 * False when copying can be found neither in the claims nor in any part of them: no two actors assert the
 * same often enough, and what is left of a set of claims holds no agreement that the set lacks. Then the
 * dependence of sources is what depends_on declares, whatever claims are left out. Never throws.
 */
export function mayDetectCopying({ model, pairs }: Weighed): boolean {
  if (!model.settings.detectsCopying) return false;
  // With fewer units in a question, numbers without one may take the unit that is left and agree with others.
  if (pairs.some(({ claims }) => unitsBesideBareNumbers(claims, model.valueOf) > 1)) return true;
  const asserted = pairs.flatMap(({ buckets }) =>
    buckets.flatMap(({ groups }) => groups.filter(({ denies }) => !denies).map(speakersOf)),
  );
  const statements = new Int32Array(model.actors.length);
  for (const actors of asserted) for (const actor of actors) statements[actor]! += 1;
  const met = new Map<number, number>();
  let meetings = 0;
  for (const actors of asserted) {
    const able = [...actors].filter((actor) => statements[actor]! >= COPYING.sharedMin);
    meetings += (able.length * (able.length - 1)) / 2;
    if (meetings > MEETINGS_MAX) return true;
    for (const a of able) {
      for (const b of able) {
        if (b <= a) continue;
        const key = a * model.actors.length + b;
        const times = (met.get(key) ?? 0) + 1;
        if (times >= COPYING.sharedMin) return true;
        met.set(key, times);
      }
    }
  }
  return false;
}

/** The actors who make a statement, retracted claims aside, by place. */
function speakersOf({ claims }: StatementGroup): ReadonlySet<number> {
  return new Set(claims.filter(({ status }) => status !== 'retracted').map(({ actor }) => actor.index));
}
