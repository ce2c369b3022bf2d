import type { Contribution } from '@platform/opinion-fusion';
import type { Model } from '../../../model.ts';
import { EQUAL_WITHIN } from '../headline.ts';
import { isBacking, isDispute, isReplaced, isSpoken, isVoice } from '../sides.ts';
import { isThirdAnswer, type Standpoint } from './standpoint.ts';

type Contributions = readonly Contribution[];
type Id = string | null;

/**
 * The sources of an answer, each told in one place: a source that says both is told with those that say so,
 * and disagrees with nobody.
 */
export interface Speakers {
  /** Those that say what line one says. */
  readonly saying: ReadonlySet<Id>;
  /** What counts on the side of line one: said by these, or by those that stand behind it alone. */
  readonly said: Contributions;
  readonly behind: Contributions;
  /** Those that say so and something else, and those that say so and dispute a claim that says so. */
  readonly turned: readonly Id[];
  readonly turnedOn: readonly Id[];
  /** What counts on the other side. */
  readonly dissents: Contributions;
  /** What is on each side, what does not count included. */
  readonly ours: Contributions;
  readonly theirs: Contributions;
  /** What is said about claims, and would be read as about the finding. */
  readonly supporting: Contributions;
  readonly disputing: Contributions;
}

export function speakersOf(contributions: Contributions, standpoint: Standpoint, model: Model): Speakers {
  const { isDenial, isNo, side } = standpoint;
  const isOurs = (one: Contribution) =>
    one.side === side && !(isNo && isVoice(one) && isThirdAnswer(one, model));
  const ours = contributions.filter(isOurs);
  const theirs = contributions.filter((one) => !isOurs(one));
  const saying = idsOf(ours.filter((one) => isVoice(one) && isSpoken(one)));
  // What is said about a denial, or about the claims of the other side, would be read as about the finding.
  const isAboutOther = (one: Contribution) =>
    !isVoice(one) && (isDenial || (isNo && one.side === 'support' && saying.has(one.actor_id)));
  const isHeard = (one: Contribution) => isSpoken(one) && !isBacking(one);
  const [heard, others] = [ours, theirs].map((list) =>
    list.filter((one) => isHeard(one) && !isAboutOther(one)),
  ) as [Contribution[], Contribution[]];
  const notSaying = without(others, saying);
  const agreed = withHeads(heard.filter((one) => !isReplaced(one)));
  const said = agreed.filter(({ actor_id }) => saying.has(actor_id));
  const dissents = withHeads(notSaying.filter((one) => !isReplaced(one)));
  const turned = idsOf(others.filter(isVoice));
  const isSaying = (id: Id) => saying.has(id);
  const aboutClaims = (isTold: (one: Contribution) => boolean, verb: 'support' | 'dispute') =>
    contributions
      .filter(
        (one) =>
          isTold(one) ||
          (isHeard(one) &&
            isAboutOther(one) &&
            ((one.side === 'support') !== isDenial) === (verb === 'support')),
      )
      .toSorted((a, b) => rounded(b.counted) - rounded(a.counted));
  return {
    saying,
    said,
    behind: without(agreed, saying),
    turned: [...turned].filter(isSaying),
    turnedOn: [...idsOf(without(others, turned))].filter(isSaying),
    dissents,
    ours,
    theirs,
    supporting: aboutClaims(isBacking, 'support'),
    disputing: aboutClaims(isDispute, 'dispute'),
  };
}

/** Contributions; the first of a dependence class counts where the one that counts is told elsewhere. */
function withHeads(list: Contributions): Contributions {
  const classes = new Set(list.filter(({ counted }) => counted > 0).map((one) => one.dependence_class));
  return list.map((one) => {
    if (classes.has(one.dependence_class)) return one;
    classes.add(one.dependence_class);
    return { ...one, counted: one.offered };
  });
}

/** The ids of their sources. */
export const idsOf = (list: Contributions): ReadonlySet<Id> => new Set(list.map(({ actor_id }) => actor_id));

/** Those of no source with one of these ids. */
export const without = (list: Contributions, ids: ReadonlySet<Id>): Contributions =>
  list.filter(({ actor_id }) => !ids.has(actor_id));

/** Ids of one claim of each source that counts, the weightiest first, the equal ones by names. */
export function voices(contributions: Contributions, { claimById }: Model): string[] {
  const said = ({ claim_id }: Contribution) => {
    const claim = claimById.get(claim_id ?? '');
    if (!claim) return '';
    const { value, event_start_time: from, event_end_time: to } = claim.input;
    return [claim.actor.name, value, from, to ?? '~'].join('\n');
  };
  const weights = new Map<Id, number>();
  // Which of a crowd of equal weight counts in full is decided by ids.
  for (const { actor_id: id, counted, offered } of contributions)
    if (counted > 0) weights.set(id, Math.max(weights.get(id) ?? 0, rounded(offered)));
  // Of several claims of a source that are alike, the engine counts one by its id, and lists their value with
  // the time that begins, and then ends, first.
  const ordered = contributions
    .filter(({ actor_id }) => weights.has(actor_id))
    .toSorted(
      (a, b) =>
        weights.get(b.actor_id)! - weights.get(a.actor_id)! ||
        rounded(b.offered) - rounded(a.offered) ||
        (said(a) < said(b) ? -1 : 1),
    );
  const first = new Map(ordered.toReversed().map(({ actor_id, claim_id }) => [actor_id, claim_id ?? '']));
  return [...new Set(ordered.map(({ actor_id }) => first.get(actor_id)!))];
}

const rounded = (items: number) => Math.round(items / EQUAL_WITHIN);
