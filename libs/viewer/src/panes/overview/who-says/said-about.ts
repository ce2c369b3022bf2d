import { andOthers, inWords, type Contribution, type Part } from '@platform/opinion-fusion';
import type { Model } from '../../../model.ts';
import { evidenceOf } from '../sides.ts';

type Verb = 'support' | 'dispute';
type Id = string | null | undefined;

/** ` support it`, ` disputes what Historian says`, behind how many sources do so. */
export const about = (side: 'for' | 'against', count: number, what: readonly Part[]): Part[] => [
  ` ${side === 'for' ? 'support' : 'dispute'}${count > 1 ? '' : 's'} `,
  ...what,
];

/** `two items of evidence speak against it`; empty without any. */
export function itemsSpeak(
  list: readonly Contribution[],
  side: 'for' | 'against',
  what: readonly Part[],
): Part[] {
  const { length } = evidenceOf(list);
  if (length === 0) return [];
  const verb = length === 1 ? 'item of evidence speaks' : 'items of evidence speak';
  return [`${inWords(length)} ${verb} ${side} `, ...what];
}

/** `Ada and two others`: the sources of some claims. */
export const namesOf = ([first, ...rest]: readonly string[], { claimById }: Model): Part[] =>
  andOthers(claimById.get(first ?? '')?.actor.name ?? '', rest.length);

/** `what Ada and one other say`: behind “it is not so”, “disputes it” would be read as disputing that. */
export function whatSaid(ids: readonly Id[], { claimById }: Model): Part[] {
  const names = new Set(ids.flatMap((id) => claimById.get(id ?? '')?.actor.name ?? []));
  const [user, ...rest] = [...names].toSorted();
  if (user === undefined) return ['what others say'];
  return ['what ', ...andOthers(user, rest.length), rest.length > 0 ? ' say' : ' says'];
}

/** The claims that some claims are about. */
export const targetsOf = (ids: readonly Id[], { claimById }: Model): Id[] =>
  ids.map((id) => claimById.get(id ?? '')?.input.target_claim_id);

/** The claims that evidence refutes. */
export const refutedIn = (list: readonly Contribution[]): Id[] =>
  evidenceOf(list).map(({ claim_id }) => claim_id);

/** `; Curator disputes what Historian says`: sources that speak about claims, with whose they are. */
export function aboutClaims(spoken: readonly Contribution[], verb: Verb, model: Model): Part[] {
  const nameOf = (id: Id) => model.claimById.get(id ?? '')?.actor.name ?? '';
  const target = nameOf(spoken[0]?.target_claim_id);
  const names = (isTarget: boolean) => [
    ...new Set(
      spoken
        .filter((one) => (nameOf(one.target_claim_id) === target) === isTarget)
        .map(({ claim_id }) => nameOf(claim_id)),
    ),
  ];
  const [first, ...others] = names(true);
  if (!first || target === '') return [];
  const elsewhere = names(false).length;
  return [
    '; ',
    ...andOthers(first, others.length),
    ` ${verb}${others.length > 0 ? '' : 's'} what `,
    { user: target },
    ' says',
    ...(elsewhere > 0
      ? [`, and ${inWords(elsewhere)} ${verb}${elsewhere === 1 ? 's' : ''} what others say`]
      : []),
  ];
}
