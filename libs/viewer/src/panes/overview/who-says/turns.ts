import { inWords, type Part } from '@platform/opinion-fusion';
import { isOpposite } from '../../../components/claim-statement.tsx';
import { shortened } from '../../../format/text.ts';
import { answerWord } from '../../../format/words.ts';
import type { Claim, Model, Verdict } from '../../../model.ts';
import type { Speakers } from './speakers.ts';
import type { Standpoint } from './standpoint.ts';

/** `, though one of them, Reuters, said 12 before`: sources that say the answer and something else. */
export function turnsOf(
  { saying, turned, turnedOn }: Speakers,
  standpoint: Standpoint,
  verdict: Verdict,
  model: Model,
): Part[] {
  const turns = turned.map((id) => turnOf(id, standpoint, verdict, model));
  const who = saying.size === 1 ? 'it' : `${inWords(turnedOn.length)} of them`;
  return [
    ...(turns.length > 0 ? turnsText(turns, saying.size) : []),
    ...(turnedOn.length > 0
      ? [`, though ${who} also dispute${turnedOn.length === 1 ? 's' : ''} one of these claims`]
      : []),
  ];
}

/** A source that says the answer and something else. */
interface Turn {
  readonly name: string;
  /** Whether it said the other before, or says it by now; `also` where times do not tell. */
  readonly when: 'before' | 'now' | 'also';
  /** The other; null where it is no other value. */
  readonly value: string | null;
}

/** By the side of what the source said last, repetitions among it. */
function turnOf(
  actor: string | null,
  { isNo, side: ours }: Standpoint,
  verdict: Verdict,
  { claimById }: Model,
): Turn {
  const says = ({ input }: Claim) => JSON.stringify([input.value, isOpposite({ input }), input.scope ?? '']);
  const sides = new Map<string, boolean>();
  for (const { actor_id, claim_id, route, side } of verdict.explanation!.contributions) {
    const claim = actor_id === actor && route === 'voice' ? claimById.get(claim_id ?? '') : undefined;
    if (claim) sides.set(says(claim), side === ours);
  }
  const own = verdict.claims
    .filter(({ actor: { id }, input }) => id === actor && !input.target_claim_id)
    .map((claim) => ({
      claim,
      isSo: sides.get(says(claim)),
      time: Date.parse(claim.input.assertion_time ?? ''),
    }));
  // NaN, which equals nothing, where one has no time.
  const last = Math.max(...own.map(({ time }) => time));
  const latest = own.filter(({ time }) => time === last);
  const isLast = (isSo: boolean) => latest.length > 0 && latest.every((one) => one.isSo === isSo);
  const when = isLast(true) ? 'before' : isLast(false) ? 'now' : 'also';
  const others = (when === 'now' ? latest : own).filter(({ isSo }) => isSo === false);
  const values = others.map(({ claim }) => (isNo || isOpposite(claim) ? null : claim.input.value));
  return {
    name: own[0]?.claim.actor.name ?? '',
    when,
    value: new Set(values).size === 1 ? values[0]! : null,
  };
}

/** `, though one of them, Reuters, said 12 before`; `of` is how many sources say so. */
function turnsText(turns: readonly Turn[], of: number): Part[] {
  const [{ name, when: first, value }] = turns as [Turn];
  const isOne = turns.length === 1;
  const when = turns.every((turn) => turn.when === first) ? first : 'also';
  const who: Part[] =
    of === 1
      ? ['it']
      : isOne
        ? ['one of them, ', { user: name }, ',']
        : [`${turns.length < of ? inWords(turns.length) : of === 2 ? 'both' : 'all'} of them`];
  const verb = when === 'before' ? 'said' : isOne ? 'says' : 'say';
  const what: Part = isOne && value !== null ? { user: shortened(answerWord(value), 80) } : 'otherwise';
  const end = when === 'before' ? ' before' : when === 'now' ? ' by now' : '';
  return [', though ', ...who, ` ${when === 'also' ? 'also ' : ''}${verb} `, what, end];
}
