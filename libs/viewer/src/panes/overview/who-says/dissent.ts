import {
  inWords,
  othersInWords,
  textOf,
  timeAtOdds,
  type Contribution,
  type Part,
} from '@platform/opinion-fusion';
import { answerOfClaim, isOpposite, saysYesOrNo } from '../../../components/claim-statement.tsx';
import { shortened } from '../../../format/text.ts';
import { answerWord, isYesOrNo, sameWords } from '../../../format/words.ts';
import type { Claim, Model, Verdict } from '../../../model.ts';
import { userPart } from '../statement-of.ts';
import { evidenceOf, isVoice, speakersOf as headsOf, tallied } from '../sides.ts';
import { alike, further } from './copies.ts';
import { deniedBy, refutedBy, refutingItems } from './refutations.ts';
import { about, itemsSpeak, namesOf, refutedIn, targetsOf, whatSaid } from './said-about.ts';
import { idsOf, voices, without, type Speakers } from './speakers.ts';
import type { Standpoint } from './standpoint.ts';

/** What sources say that do not say what line one says. */
interface Dissent {
  /** `; Jane’s says Gustave Whitehead, and one other disagrees`. */
  readonly parts: readonly Part[];
  /** The claim that is told first. */
  readonly first: Claim | undefined;
  /** How many sources, each a voice of its own, disagree. */
  readonly count: number;
  /** Of sources that are not independent of others, and are not told yet. */
  readonly copies: readonly Contribution[];
}

/** Claims of several sources that say the same. */
type View = readonly [Claim, ...Claim[]];

export function dissentOf(
  { dissents }: Speakers,
  standpoint: Standpoint,
  { claims, explanation, result }: Verdict,
  model: Model,
): Dissent {
  const says = (claim: Claim) => sayingOf(claim, standpoint, result);
  const isAlike = (one: Claim, other: Claim) => textOf(says(one)) === textOf(says(other));
  const voiced = dissents.filter(isVoice);
  const against = voices(voiced, model);
  const told = toldViews(
    against.flatMap((id) => model.claimById.get(id) ?? []),
    standpoint,
    (claim) => textOf(says(claim)),
  );
  const rest = against.length - told.flat().length;
  const evidence = new Set(evidenceOf(explanation!.contributions).map(({ evidence_id }) => evidence_id));
  const heads = headsOf(dissents);
  let copies: readonly Contribution[] = dissents.filter(({ actor_id }) => !heads.has(actor_id));
  const parts: Part[] = [];
  for (const [index, view] of told.entries()) {
    const [claim, ...more] = view;
    const isLast = rest === 0 && index === told.length - 1;
    const items = view.flatMap(refutingItems).filter(({ id }) => !evidence.has(id));
    parts.push(
      index === 0 ? '; ' : isLast ? ', and ' : ', ',
      { user: claim.actor.name },
      ...(more.length > 0 ? [` and ${othersInWords(more.length)} say `] : [' says ']),
      ...says(claim),
    );
    if (rest === 0) {
      const own = new Set(view.map(({ actor }) => actor.id));
      const classes = new Set(
        voiced.filter(({ actor_id }) => own.has(actor_id!)).map((one) => one.dependence_class),
      );
      const repeating = copies.filter(
        (one) =>
          classes.has(one.dependence_class) && claimsOf([one], model).some((other) => isAlike(other, claim)),
      );
      parts.push(...alike(tallied(repeating), view.length));
      copies = without(copies, idsOf(repeating));
    }
    // Last: behind who denies it, “and so does one more” would be read as one more denial.
    parts.push(
      ...(items.length > 0 ? [', which ', refutedBy(items)] : []),
      ...(isOpposite(claim) ? [] : deniedBy(claim.input, claims, model)),
    );
  }
  if (rest > 0) parts.push(`, and ${inWords(rest)} ${rest === 1 ? 'other disagrees' : 'others disagree'}`);
  const saidToo = told.length > 0 ? copies.filter(isVoice) : [];
  parts.push(
    ...(rest > 0
      ? alike(tallied(saidToo), against.length)
      : saidByCopies(saidToo, against.length, says, model)),
  );
  return { parts, first: told[0]?.[0], count: against.length, copies: without(copies, idsOf(saidToo)) };
}

/** The values that line one names; where it names none, the weightiest, and besides a yes three. */
function toldViews(
  claims: readonly Claim[],
  { others, isOneOfThree }: Standpoint,
  textOfClaim: (claim: Claim) => string,
): readonly View[] {
  const byText = new Map<string, View>();
  for (const claim of claims) {
    const text = textOfClaim(claim);
    const known = byText.get(text);
    byText.set(text, known ? [...known, claim] : [claim]);
  }
  const views = [...byText.values()];
  const quoted = (others?.named ?? []).flatMap(({ value }) =>
    views.filter(([{ input }]) => sameWords(answerOfClaim({ input }), answerWord(value))),
  );
  return quoted.length > 0 ? quoted : views.slice(0, isOneOfThree ? 3 : 1);
}

/** `; Curator disputes it, and one item of evidence speaks against it`: what else is against line one. */
export function disputes(
  { dissents, theirs: all }: Speakers,
  standpoint: Standpoint,
  { first, count, copies }: Dissent,
  { result }: Verdict,
  model: Model,
): Part[] {
  const { isNo, it, leading, theirs } = standpoint;
  // Behind another value, “it” would be read as that one.
  const isOtherValue = first !== undefined && !isNo && !isOpposite(first) && result.leading_value !== null;
  const of = isOtherValue ? leading : it;
  const what = (ids: Parameters<typeof whatSaid>[0], isBehind = first !== undefined) =>
    isBehind && !isNo && of === 'it' ? whatSaid(ids, model) : [of];
  const speaking = idsOf(dissents.filter((one) => isVoice(one) && one.counted > 0));
  const disputers = voices(without(dissents, speaking), model);
  const sources = count + disputers.length;
  const says = (claim: Claim) => sayingOf(claim, standpoint, result);
  const spoken = copies.filter(isVoice);
  const disputing = without(copies, idsOf(spoken));
  const tally = tallied(disputing);
  const parts: Part[] = [];
  if (disputers.length > 0)
    parts.push(
      first ? ', and ' : '; ',
      ...namesOf(disputers, model),
      ...about(theirs, disputers.length, what(targetsOf(disputers, model))),
      ...alike(tally, sources),
    );
  else if (disputing.length > 0) {
    const targets = targetsOf(
      disputing.map(({ claim_id }) => claim_id),
      model,
    );
    parts.push(', and ', further(tally, sources), ...about(theirs, tally.copies, what(targets)));
  }
  parts.push(...saidByCopies(spoken, sources, says, model));
  const items = itemsSpeak(all, theirs, what(refutedIn(all), first !== undefined || spoken.length > 0));
  if (items.length > 0) parts.push(sources > 0 ? ', and ' : '; ', ...items);
  return parts;
}

/** `, and one more that is not independent of it says Brown`. */
function saidByCopies(
  list: readonly Contribution[],
  of: number,
  says: (claim: Claim) => Part[],
  model: Model,
): Part[] {
  const count = tallied(list);
  if (count.copies === 0) return [];
  const views = new Map(claimsOf(list, model).map((claim) => [textOf(says(claim)), says(claim)]));
  const [view] = views.values();
  const s = count.copies === 1 ? 's' : '';
  const what: Part[] = views.size === 1 ? [` say${s} `, ...view!] : [` disagree${s}`];
  return [`, and ${further(count, of)}`, ...what];
}

const claimsOf = (list: readonly Contribution[], { claimById }: Model): Claim[] =>
  list.filter(isVoice).flatMap(({ claim_id }) => claimById.get(claim_id ?? '') ?? []);

/** What a source says that disagrees, after `says`, with its time where line one does not have it. */
function sayingOf(claim: Claim, { isNo, others }: Standpoint, result: Verdict['result']): Part[] {
  const time = timeAtOdds(claim.input, result.rival_values);
  const isTold = others?.named.some(
    (one) =>
      sameWords(answerOfClaim(claim), answerWord(one.value)) && timeAtOdds(one, result.rival_values) === time,
  );
  return [...valueSaid(claim, isNo, result.leading_value), ...(isTold ? [] : userPart(time))];
}

function valueSaid(claim: Claim, isNo: boolean, leading: string | null): Part[] {
  const said = { user: shortened(answerOfClaim(claim), 80) };
  if (isNo && saysYesOrNo(claim)) return ['it is'];
  if (isNo || (leading !== null && saysYesOrNo(claim) && !isYesOrNo({ value: leading }))) return [said];
  return isOpposite(claim) || leading === null ? ['it is not so'] : [said];
}
