import type { Contribution } from '@platform/opinion-fusion';
import { counted as countedOf } from '../../format/numbers.ts';
import type { Verdict } from '../../model.ts';

/** Whether a contribution is a source's own claim on the question, and not one about a claim. Pure. */
export const isVoice = ({ route }: Pick<Contribution, 'route'>): boolean => route === 'voice';

/** Who speaks for a verdict and against it. */
export interface Sides {
  readonly for: Voices;
  readonly against: Voices;
  /** Sources of either side, each once, and those of them that count. */
  readonly all: number;
  readonly independent: number;
  /** What counts on each side and is no source. */
  readonly items: { readonly for: Items; readonly against: Items };
  /** Sources that dispute what is said on a side without speaking for the other. */
  readonly disputed: { readonly for: number; readonly against: number };
  /** Sources with an answer that is neither the no that leads nor a yes. */
  readonly others: number;
  /** Sources of whom all is superseded, and who count on no side. */
  readonly superseded: { readonly for: number; readonly against: number };
}

/** Numbers of items of evidence and of inferences. */
interface Items {
  readonly evidence: number;
  readonly inferences: number;
}

/** The sources of one side: every number of sources on a page is one of these. */
export interface Voices extends Tally {
  /** Sources that count, each a voice of its own. */
  readonly independent: number;
}

/** The sources of one side that are not voices of their own. */
export interface Tally {
  /** Further sources that are not independent of those, by the author's word or the program's suspicion. */
  readonly copies: number;
  /** Whether nobody declared so of one of them: pages then say that it may not be independent. */
  readonly suspected: boolean;
}

/**
 * The distinct sources whose claims, or claims about claims, bear on a verdict, by side; null where the
 * reasons are not known. Pure.
 */
export function sidesOf({ explanation, result }: Pick<Verdict, 'explanation' | 'result'>): Sides | null {
  if (!explanation) return null;
  const all = explanation.contributions.filter(isSpoken);
  const standing = new Set(all.filter((one) => !isReplaced(one)).map(({ actor_id }) => actor_id));
  const { superseded } = result;
  const spoken = superseded ? all.filter(({ actor_id }) => standing.has(actor_id)) : all;
  const sources = (all: readonly Contribution[]) => new Set(all.map(({ actor_id }) => actor_id)).size;
  const disputing = (side: Contribution['side']) =>
    sources(explanation.contributions.filter((one) => isDispute(one) && one.side === side));
  return {
    for: voicesOf(spoken.filter(({ side }) => side === 'support')),
    against: voicesOf(spoken.filter(({ side }) => side === 'opposition')),
    all: sources(spoken),
    independent: voicesOf(spoken).independent,
    items: { for: itemsOf(explanation, 'support'), against: itemsOf(explanation, 'opposition') },
    disputed: { for: disputing('opposition'), against: disputing('support') },
    others: sources(spoken.filter((one) => one.side === 'neither' && isVoice(one))),
    superseded: {
      for: superseded?.supporting_source_count ?? 0,
      against: superseded?.opposing_source_count ?? 0,
    },
  };
}

/** Whether the claim is superseded, or repeats one that is. Pure. */
export const isReplaced = ({ factors }: Contribution): boolean =>
  factors.some(({ name, value }) => name === 'superseded' && value < 1);

function itemsOf({ contributions }: NonNullable<Verdict['explanation']>, side: Contribution['side']): Items {
  const counted = contributions.filter((one) => one.side === side && one.counted > 0);
  return {
    evidence: evidenceOf(counted).length,
    inferences: counted.filter(({ route }) => route === 'inference').length,
  };
}

/** The items of evidence that count. */
export const evidenceOf = (contributions: readonly Contribution[]): readonly Contribution[] =>
  contributions.filter(({ route, counted }) => route === 'evidence' && counted > 0);

/**
 * Whether it is a claim of a source, or what the source says about a claim, that counts, or that another one
 * counts for.
 */
export const isSpoken = (one: Contribution): boolean =>
  (one.route === 'voice' || one.route === 'meta_claim') &&
  one.offered > 0 &&
  (one.counted > 0 || one.outcome === 'dependent' || isBacking(one) || isApart(one));

/** Whether the source of a claim speaks for another case, by a distinction, or gives another answer. */
const isApart = ({ outcome, route, offered }: Contribution): boolean =>
  (outcome === 'distinguished' || outcome === 'other_answer') && route === 'voice' && offered > 0;

/** Whether a source supports a claim in whose weight it counts, and not in the verdict. */
export const isBacking = ({ outcome, offered }: Contribution): boolean =>
  outcome === 'raises_target' && offered > 0;

/** Whether a source disputes a claim in whose weight it counts, and not in the verdict. */
export const isDispute = ({ outcome, offered, route }: Contribution): boolean =>
  outcome === 'lowers_target' && offered > 0 && route === 'meta_claim';

/** The distinct sources of claims of one side. Pure. */
export function voicesOf(spoken: readonly Contribution[]): Voices {
  const speakers = speakersOf(spoken);
  return { independent: speakers.size, ...tallied(spoken.filter(({ actor_id }) => !speakers.has(actor_id))) };
}

/** How many sources some copies are, and whether one of them is only suspected. Pure. */
export const tallied = (copies: readonly Contribution[]): Tally => ({
  copies: new Set(copies.map(({ actor_id }) => actor_id)).size,
  suspected: copies.some(({ suspected }) => suspected),
});

/** The sources that are voices of their own. Pure. */
export function speakersOf(spoken: readonly Contribution[]): ReadonlySet<string | null> {
  const heard = spoken.filter(({ counted }) => counted > 0);
  const classes = new Set(heard.map(({ dependence_class }) => dependence_class));
  const backing = spoken.filter(
    (one) => (isBacking(one) || isApart(one)) && !classes.has(one.dependence_class),
  );
  // Of each class the one that counts, or the first that supports what counts or is told apart.
  const first = new Map(backing.toReversed().map((one) => [one.dependence_class, one]));
  return new Set([...heard, ...first.values()].map(({ actor_id }) => actor_id));
}

/**
 * `4 for`, `4 for, 2 more not independent` or `2 more may not be independent`, and where no source
 * is, what else there is, as in `0 against, but 1 item of evidence`; behind those against a no that leads,
 * how many give another answer, and how many are superseded; empty where the reasons are not known.
 */
export function sideText(sides: Sides | null, side: 'for' | 'against'): string {
  if (sides === null) return '';
  const { independent, copies, suspected } = sides[side];
  const more = `, ${copies} more ${suspected ? 'may not be' : 'not'} independent`;
  const disputed = sides.disputed[side] > 0 ? `, disputed by ${sides.disputed[side]}` : '';
  const other = side === 'against' && sides.others > 0 ? `, ${countedOf(sides.others, 'other answer')}` : '';
  const replaced = sides.superseded[side];
  const others = `${other}${replaced > 0 ? `, ${replaced} superseded` : ''}`;
  if (independent > 0 || copies > 0)
    return `${independent} ${side}${copies > 0 ? more : ''}${disputed}${others}`;
  const { evidence, inferences } = sides.items[side];
  const items = [
    ...(evidence > 0 ? [countedOf(evidence, 'item of evidence', 'items of evidence')] : []),
    ...(inferences > 0 ? [countedOf(inferences, 'inference')] : []),
  ];
  return `0 ${side}${items.length === 0 ? '' : `, but ${items.join(' and ')}`}${others}`;
}
