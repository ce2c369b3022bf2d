import {
  byWeight,
  denialWords,
  estimateWords,
  isDeniedTie,
  isYesNo,
  listed,
  namedOfTie,
  supersededWords,
  type Contribution,
  textOf,
  type Part,
} from '@platform/opinion-fusion';
import { placesOf, userPart } from './statement-of.ts';
import {
  evidenceOf,
  isBacking,
  isDispute,
  isSpoken,
  isVoice,
  speakersOf,
  tallied,
  voicesOf,
  type Tally,
  type Voices,
} from './sides.ts';
import { percent } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import {
  answerWord,
  capital,
  chanceOf,
  leadingPlaceText,
  placeText,
  sameWords,
  isOfYesAndNo,
  isTieApart,
  otherValues,
  tieOf,
  togetherOf,
  valuesApart,
  withdrawnStatus,
  type Rival,
} from '../../format/words.ts';
import type { Claim, Model, Verdict } from '../../model.ts';
import { isDenial as deniesValue, isOpposite } from '../../components/claim-statement.tsx';
import { toldByOrigin } from '../../components/told-by-origin.ts';
import { EQUAL_WITHIN, isDenied, likeliestOthers, othersNamed } from './headline.ts';

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const inWords = (value: number) => NUMBERS[value] ?? String(value);

/**
 * `Four independent sources say so; Jane’s says Gustave Whitehead, and one other disagrees.` Sources that are
 * not, or may not be, independent of these are named as such, on either side. A source that says both is told
 * with those that say so, and disagrees with nobody. Sources that speak about a claim dispute or support it,
 * and evidence is told as evidence.
 */
export function sourcesOf(verdict: Verdict, model: Model): Part[] {
  const sentences = [
    saidBy(verdict, model),
    deniedHere(verdict, model),
    elsewhere(verdict, model),
    inTheMiddle(verdict),
  ];
  return sentences.flatMap((one, index): Part[] =>
    one.length === 0
      ? []
      : [...(sentences.slice(0, index).some(({ length }) => length > 0) ? [' '] : []), ...one],
  );
}

/** Who says what line one says, and who does not. */
function saidBy(verdict: Verdict, model: Model): Part[] {
  const { result, explanation } = verdict;
  const tie = tieOf(result);
  if (tie !== null && isDeniedTie(tie)) return deniersOf(tie, verdict, model);
  if (tie !== null && !isOfYesAndNo(tie)) return tiedSpeakers(tie, verdict, model);
  if (result.no_value_counts) return uncounted(verdict);
  // Without the reasons only one side could be counted.
  if (explanation === null) return [];
  const { leading_value } = result;
  const contributions = toldByOrigin(explanation.contributions, model);
  // The engine counts the sources that agree with the leading claim: those against where the answer is no.
  const isDenial = isDenied(verdict, model);
  const isUnlikely =
    leading_value !== null &&
    isYesNo({ subject: '', predicate: '', value: leading_value }) &&
    chanceOf(result) < 0.5;
  // Against a yes that leads beside a third answer, that answer may speak and not the no.
  const isOneOfThree =
    isUnlikely &&
    !isDenial &&
    contributions.some((one) => isVoice(one) && isSpoken(one) && isThirdAnswer(one, model));
  const isNo = isUnlikely && !isOneOfThree;
  const others = isDenial ? null : othersNamed(result, isDenial);
  const isOneOfSeveral = others !== null || (!isDenial && togetherOf(result) !== null);
  const leadingText = (): Part => ({
    user: `${answerWord(leading_value!)}${others === null ? leadingPlaceText(result) : ''}`,
  });
  const so: Part = isNo ? 'it is not so' : isOneOfSeveral || isOneOfThree ? leadingText() : 'so';
  const ourSide = isNo ? 'opposition' : 'support';
  const isThird = (one: Contribution) => isNo && isVoice(one) && isThirdAnswer(one, model);
  const onSide = (isAgreed: boolean) =>
    contributions.filter((one) => (one.side === ourSide && !isThird(one)) === isAgreed);
  const idsOf = (list: readonly Contribution[]) => new Set(list.map(({ actor_id }) => actor_id));
  const saying = idsOf(onSide(true).filter((one) => isVoice(one) && isSpoken(one)));
  // What is said about a denial, or about the claims of the other side, would be read as about the finding.
  const isAboutOther = (one: Contribution) =>
    !isVoice(one) && (isDenial || (isNo && one.side === 'support' && saying.has(one.actor_id)));
  const isReplaced = ({ factors }: Contribution) =>
    factors.some(({ name, value }) => name === 'superseded' && value < 1);
  const [agreedAll, other] = [true, false].map((isAgreed) =>
    onSide(isAgreed).filter((one) => isSpoken(one) && !isBacking(one) && !isAboutOther(one)),
  ) as [Contribution[], Contribution[]];
  const agreed = withHeads(agreedAll.filter((one) => !isReplaced(one)));
  const said = agreed.filter(({ actor_id }) => saying.has(actor_id));
  const without = (list: readonly Contribution[], ids: ReadonlySet<string | null>) =>
    list.filter(({ actor_id }) => !ids.has(actor_id));
  const behind = without(agreed, saying);
  const turned = [...idsOf(other.filter(isVoice))].filter((id) => saying.has(id));
  const turnedOn = [...idsOf(without(other, new Set(turned)))].filter((id) => saying.has(id));
  const notSaying = without(other, saying);
  const dissents = withHeads(notSaying.filter((one) => !isReplaced(one)));
  const replaced = voices(
    without([...agreedAll, ...notSaying].filter(isReplaced), idsOf([...said, ...dissents])).map((one) => ({
      ...one,
      counted: one.offered,
    })),
    model,
  );
  const [agreeing, behindIt] = [said, behind].map(voicesOf) as [Voices, Voices];
  const { independent } = agreeing;
  const of: Part = isOneOfSeveral ? so : 'it';
  const [ours, theirs] = isNo ? (['against', 'for'] as const) : (['for', 'against'] as const);
  const about = (names: readonly Part[], isMany: boolean, side: 'for' | 'against', what: Part[]): Part[] => [
    ...names,
    ` ${side === 'for' ? 'support' : 'dispute'}${isMany ? '' : 's'} `,
    ...what,
  ];
  const items = (list: readonly Contribution[], side: 'for' | 'against', what: Part[]): Part[] | null => {
    const { length } = evidenceOf(list);
    if (length === 0) return null;
    const verb = length === 1 ? 'item of evidence speaks' : 'items of evidence speak';
    return [`${inWords(length)} ${verb} ${side} `, ...what];
  };
  const namesOf = (ids: readonly string[]): Part[] => {
    const [first, ...rest] = ids;
    const name = model.claimById.get(first ?? '')?.actor.name ?? '';
    return [{ user: name }, ...(rest.length > 0 ? [` and ${othersInWords(rest.length)}`] : [])];
  };
  // Behind “it is not so”, “disputes it” would be read as disputing just that.
  const whatSaid = (ids: readonly (string | null | undefined)[]): Part[] => {
    const names = [...new Set(ids.flatMap((id) => model.claimById.get(id ?? '')?.actor.name ?? []))];
    const [user, ...rest] = names.toSorted();
    if (user === undefined) return ['what others say'];
    const others = rest.length > 0 ? ` and ${othersInWords(rest.length)} say` : ' says';
    return ['what ', { user }, others];
  };
  const targetsOf = (ids: readonly string[]) =>
    ids.map((id) => model.claimById.get(id)?.input.target_claim_id);
  const refutedOf = (list: readonly Contribution[]) => evidenceOf(list).map(({ claim_id }) => claim_id);
  const supporters = voices(behind, model);
  const isNotSo = isNo && independent > 0;
  const parts: Part[] = [];
  if (independent > 0)
    parts.push(
      independent === 1 ? 'One source says ' : `${capital(inWords(independent))} independent sources say `,
      so,
    );
  else if (supporters.length === 0)
    parts.push(...(isNo ? ['No source says that it is not so'] : ['No source says ', so, ' directly']));
  if (independent > 0 && agreeing.copies > 0) parts.push(`, and ${further(agreeing, independent)}`);
  if (supporters.length > 0)
    parts.push(
      ...(independent > 0 ? [', and '] : []),
      ...about(
        namesOf(supporters),
        supporters.length > 1,
        ours,
        isNotSo ? whatSaid(targetsOf(supporters)) : [of],
      ),
    );
  // Those that say so with a source that supports it, where no other says so.
  const following = independent > 0 ? behindIt : voicesOf(agreed);
  parts.push(...alike(following, independent + supporters.length));
  const ownItems = items(onSide(true), ours, isNotSo ? whatSaid(refutedOf(onSide(true))) : [of]);
  if (ownItems) parts.push(independent + supporters.length === 0 ? ', but ' : ', and ', ...ownItems);
  const turns = turned.map((id) => turnOf(id, verdict, model, isNo));
  if (turns.length > 0) parts.push(...turnsText(turns, saying.size));
  if (turnedOn.length > 0) {
    const who = saying.size === 1 ? 'it' : `${inWords(turnedOn.length)} of them`;
    parts.push(`, though ${who} also dispute${turnedOn.length === 1 ? 's' : ''} one of these claims`);
  }
  const voiced = dissents.filter(isVoice);
  const against = voices(voiced, model);
  const byView = new Map<string, readonly [Claim, ...Claim[]]>();
  const viewOf = (claim: Claim) => textOf(dissent(claim, leading_value, isNo));
  for (const claim of against.flatMap((id) => model.claimById.get(id) ?? [])) {
    const view = viewOf(claim);
    byView.set(view, [...(byView.get(view) ?? []), claim] as unknown as [Claim]);
  }
  const speakers = speakersOf(dissents);
  let copies = dissents.filter(({ actor_id }) => !speakers.has(actor_id));
  const claimsOf = (list: readonly Contribution[]) =>
    list.filter(isVoice).flatMap(({ claim_id }) => model.claimById.get(claim_id ?? '') ?? []);
  // Of sources that are not independent of some that say the same.
  const repeated = (group: readonly [Claim, ...Claim[]]): Part[] => {
    const own = new Set(group.map(({ actor }) => actor.id));
    const classes = new Set(
      voiced.filter(({ actor_id }) => own.has(actor_id!)).map((one) => one.dependence_class),
    );
    const repeating = copies.filter(
      (one) =>
        classes.has(one.dependence_class) &&
        claimsOf([one]).some((claim) => viewOf(claim) === viewOf(group[0])),
    );
    copies = without(copies, idsOf(repeating));
    return alike(tallied(repeating), group.length);
  };
  const saidByCopies = (list: readonly Contribution[], of: number): Part[] => {
    const count = tallied(list);
    if (count.copies === 0) return [];
    const views = new Map(claimsOf(list).map((claim) => [viewOf(claim), claim]));
    const [view] = views.values();
    const s = count.copies === 1 ? 's' : '';
    const what: Part[] =
      views.size === 1 ? [` say${s} `, ...dissent(view!, leading_value, isNo)] : [` disagree${s}`];
    return [`, and ${further(count, of)}`, ...what];
  };
  const groups = [...byView.values()];
  // The values that line one names are quoted; where it names none, the weightiest; besides a yes, three.
  const quoted = (others?.named ?? []).flatMap(({ value }) =>
    groups.filter(([{ input }]) => sameWords(answerWord(input.value), answerWord(value))),
  );
  const told = quoted.length > 0 ? quoted : groups.slice(0, isOneOfThree ? 3 : 1);
  const rest = against.length - told.flat().length;
  for (const [index, [claim, ...more]] of told.entries()) {
    const isLast = rest === 0 && index === told.length - 1;
    parts.push(index === 0 ? '; ' : isLast ? ', and ' : ', ', { user: claim.actor.name });
    if (more.length > 0) parts.push(` and ${othersInWords(more.length)}`);
    parts.push(more.length > 0 ? ' say ' : ' says ', ...dissent(claim, leading_value, isNo));
    const spokenOf = new Set(evidenceOf(explanation.contributions).map(({ evidence_id }) => evidence_id));
    const items = [claim, ...more].flatMap(refutingItems).filter(({ id }) => !spokenOf.has(id));
    if (items.length > 0) parts.push(', which ', refutedBy(items));
    if (rest === 0) parts.push(...repeated([claim, ...more]));
  }
  if (rest > 0) parts.push(`, and ${inWords(rest)} ${rest === 1 ? 'other disagrees' : 'others disagree'}`);
  const saidToo = copies.filter((one) => told.length > 0 && isVoice(one));
  parts.push(...(rest > 0 ? alike(tallied(saidToo), against.length) : saidByCopies(saidToo, against.length)));
  copies = without(copies, idsOf(saidToo));
  if (replaced.length > 0)
    parts.push(
      '; ',
      ...supersededWords({
        source_count: replaced.length,
        sources: replaced.map((id) => model.claimById.get(id)!.actor.name),
      }),
    );
  const isListed = ({ value }: Rival) => result.denials?.some((denial) => denial.value === value);
  const denied = (likeliestOthers(result)?.named ?? []).filter((one) => one.denied && !isListed(one));
  parts.push(...denying(denied, verdict.claims, model));
  const first = told[0]?.[0];
  // Behind another value, “it” would be read as that one.
  const isOtherValue = first !== undefined && !isNo && !isOpposite(first) && leading_value !== null;
  const theirOf = isOtherValue ? leadingText() : of;
  const saysNotSo = first !== undefined && !isNo && theirOf === 'it';
  const speaking = idsOf(voiced.filter(({ counted }) => counted > 0));
  const disputers = voices(without(dissents, speaking), model);
  const disputed = (who: readonly Part[], isMany: boolean, ids: readonly string[]) =>
    about(who, isMany, theirs, saysNotSo ? whatSaid(targetsOf(ids)) : [theirOf]);
  if (disputers.length > 0)
    parts.push(first ? ', and ' : '; ', ...disputed(namesOf(disputers), disputers.length > 1, disputers));
  const all = against.length + disputers.length;
  const spokenCopies = copies.filter(isVoice);
  const disputing = without(copies, idsOf(spokenCopies));
  if (disputers.length > 0) parts.push(...alike(tallied(disputing), all));
  else if (disputing.length > 0) {
    const count = tallied(disputing);
    const ids = disputing.map(({ claim_id }) => claim_id!);
    parts.push(', and ', ...disputed([further(count, all)], count.copies > 1, ids));
  }
  parts.push(...saidByCopies(spokenCopies, all));
  const theirItems = items(onSide(false), theirs, saysNotSo ? whatSaid(refutedOf(onSide(false))) : [theirOf]);
  if (theirItems) parts.push(all > 0 ? ', and ' : '; ', ...theirItems);
  for (const verb of ['support', 'dispute'] as const) {
    const isOfVerb = ({ side }: Contribution) => ((side === 'support') !== isDenial) === (verb === 'support');
    const about = contributions
      .filter(
        (one) =>
          (verb === 'support' ? isBacking(one) : isDispute(one)) ||
          (isSpoken(one) && !isBacking(one) && isAboutOther(one) && isOfVerb(one)),
      )
      .toSorted((a, b) => rounded(b.counted) - rounded(a.counted));
    parts.push(...aboutClaims(about, verb, model));
  }
  return [...parts, '.'];
}

/**
 * `What Daily said was withdrawn, and no other source of it counts.` Others than the source may have done so,
 * as the editors of Wikidata do of what they deprecate.
 */
function uncounted({ claims }: Verdict): Part[] {
  const own = claims.filter(({ input }) => !input.target_claim_id);
  const isWithdrawn = (claim: Claim) => withdrawnStatus(claim) === 'retracted';
  const [name, ...others] = new Set(own.filter(isWithdrawn).map(({ actor }) => actor.name));
  if (name === undefined) return ['No source of it counts.'];
  return [
    'What ',
    { user: name },
    ...(others.length > 0 ? [` and ${othersInWords(others.length)}`] : []),
    ' said was withdrawn',
    own.every(isWithdrawn) ? '.' : ', and no other source of it counts.',
  ];
}

/**
 * `Herald says Lions, and two independent sources say Tigers; Post says Bears.`: who says what is tied, and
 * who what comes next; of several scopes and times `Census says each.` where that is so of all.
 */
function tiedSpeakers(tie: readonly Rival[], verdict: Verdict, model: Model): Part[] {
  const { result, explanation } = verdict;
  if (explanation === null) return [];
  const { named } = namedOfTie(tie);
  const isApart = isTieApart(tie);
  const voiced = toldByOrigin(explanation.contributions, model).filter(({ counted }) => counted > 0);
  const counted = new Set(voiced.map(({ claim_id }) => claim_id));
  const suspected = explanation.contributions.some((one) => one.suspected);
  const namesOf = (claims: readonly Claim[]) => new Set(claims.map(({ actor }) => actor.name));
  const said = (rival: Rival, what: Part[]): Part[] => {
    const { source_count: all = 0, independent_source_count: independent = all } = rival;
    const saying = verdict.claims.filter(
      (claim) =>
        !claim.input.target_claim_id &&
        !deniesValue(claim) &&
        isHeard(claim.analysis) &&
        sameWords(answerWord(claim.input.value), answerWord(rival.value)) &&
        (!isApart || placeText(claim.input) === placeText(rival)),
    );
    const own = saying.filter((claim) => withdrawnStatus(claim) !== 'superseded');
    const replaced = namesOf(saying).size - namesOf(own).size;
    const heads = own.filter(({ id }) => all - replaced === 1 || counted.has(id));
    const names = namesOf(heads);
    const [user] = independent === 1 && names.size === 1 ? names : [];
    const copies = isApart ? 0 : Math.max(0, all - replaced - independent);
    return [
      ...(user === undefined
        ? [`${inWords(independent)} ${independent === 1 ? 'source' : 'independent sources'}`]
        : [{ user }]),
      ` say${independent === 1 ? 's' : ''} `,
      ...what,
      ...alike({ copies, suspected }, independent),
      ...disputedBy(own, model),
    ];
  };
  const each = new Map(named.map((rival) => said(rival, ['each'])).map((one) => [textOf(one), one]));
  const [next = []] = byWeight(otherValues(result).filter((one) => !one.denied && !tie.includes(one)));
  const saidOf = (values: readonly Rival[]): Part[] =>
    values.flatMap((rival, index): Part[] => [
      index === 0 ? '' : index === values.length - 1 ? ', and ' : ', ',
      ...said(rival, [
        { user: `${shortened(answerWord(rival.value), 80)}${isApart ? placeText(rival) : ''}` },
      ]),
    ]);
  const others = namedOfTie(next).named;
  const [first, ...rest] = [
    ...(isApart && each.size === 1 ? [...each.values()].flat() : saidOf(named).slice(1)),
    ...(others.length > 0 ? ['; ', ...saidOf(others)] : []),
  ] as [Part, ...Part[]];
  return [typeof first === 'string' ? capital(first) : first, ...rest, '.'];
}

/** `Two sources deny Smith; one source denies Jones, which Curator disputes.` */
function deniersOf(tie: readonly Rival[], { claims }: Verdict, model: Model): Part[] {
  const [, first, ...others] = denying(namedOfTie(tie).named, claims, model);
  return [capital(first as string), ...others, '.'];
}

/** `; two sources deny Smith; one source denies Jones, which Curator disputes`. */
function denying(named: readonly Rival[], claims: readonly Claim[], model: Model): Part[] {
  const places = placesOf(named);
  return named.flatMap(({ value, source_count: count = 0 }, index): Part[] => [
    '; ',
    `${inWords(count)} ${count === 1 ? 'source denies ' : 'sources deny '}`,
    { user: shortened(answerWord(value), 80) },
    ...userPart(places[index]!),
    ...denialDisputed(named[index]!, claims, model),
  ]);
}

/** `, which Curator and one other dispute and one item of evidence refutes`. */
function denialDisputed(
  rival: Pick<Rival, 'value' | 'scope' | 'event_start_time' | 'event_end_time'>,
  claims: readonly Claim[],
  model: Model,
): Part[] {
  const denials = claims.filter(
    (claim) =>
      deniesValue(claim) &&
      sameWords(claim.input.value, rival.value) &&
      placeText(claim.input) === placeText(rival),
  );
  return disputedBy(denials, model);
}

/** The same of what some claims say. */
function disputedBy(said: readonly Claim[], { claimById }: Model): Part[] {
  const disputers = said
    .flatMap(({ metaClaimIds }) => metaClaimIds.flatMap((id) => claimById.get(id) ?? []))
    .filter(({ input, analysis }) => refutes(input) && isHeard(analysis));
  const [first, ...others] = [...new Set(disputers.map(({ actor }) => actor.name))].toSorted();
  const items = said.flatMap(refutingItems);
  const who: Part[] = first === undefined ? [] : [{ user: first }];
  if (others.length > 0) who.push(` and ${othersInWords(others.length)}`);
  if (first !== undefined) who.push(others.length > 0 ? ' dispute' : ' disputes');
  if (items.length > 0) who.push(`${first === undefined ? '' : ' and '}${refutedBy(items)}`);
  return who.length === 0 ? [] : [', which ', ...who];
}

const refutes = ({ valence }: { readonly valence?: string | null | undefined }) =>
  valence?.toLowerCase() === 'refutes';

/** The evidence against a claim. */
const refutingItems = ({ evidence }: Claim) => evidence.filter((item) => refutes(item) && item.weight !== 0);

/** `two items of evidence refute`. */
const refutedBy = ({ length }: readonly unknown[]) =>
  `${inWords(length)} ${length === 1 ? 'item of evidence refutes' : 'items of evidence refute'}`;

const isHeard = (analysis: Claim['analysis']) =>
  analysis !== null && analysis.epistemic_status !== 'retracted' && !analysis.below_credibility_floor;

/** `Two sources deny Ms Gray, which one item of evidence refutes.`: values that nobody states. */
function deniedHere({ result, claims }: Verdict, model: Model): Part[] {
  const likeliest = new Set(likeliestOthers(result)?.named.map(({ value }) => value));
  const own = (result.denials ?? [])
    .filter(({ apart }) => !apart)
    .toSorted((a, b) => Number(likeliest.has(b.value)) - Number(likeliest.has(a.value)));
  const [first, ...rest] = denialWords(own, (denial) => denialDisputed(denial, claims, model));
  return first === undefined ? [] : [capital(first as string), ...rest, '.'];
}

/**
 * `In other scopes or of other times: 5 % or 7 % (in food), chance 42 % each; 19 % (in standard), chance
 * 8 %; two sources deny 3 % (in tea).`: what line one does not name.
 */
function elsewhere({ result, claims }: Verdict, model: Model): Part[] {
  const tie = tieOf(result);
  const told = togetherOf(result) ?? (tie === null || isOfYesAndNo(tie) ? [] : tie);
  const said = byWeight(
    valuesApart(result).filter((one) => (!one.denied || one.disputed) && !told.includes(one)),
  )
    .flatMap((equal) => (new Set(equal.map(placeText)).size > 1 ? equal.map((one) => [one]) : [equal]))
    .flatMap((equal): Part[] => [
      '; ',
      {
        user: `${listed(
          equal.map(({ value }) => answerWord(value)),
          'or',
        )}${placeText(equal[0]!)}`,
      },
      `, chance ${percent(chanceOf(equal[0]!))}${equal.length > 1 ? ' each' : ''}`,
    ]);
  const isTied = (denial: { value: string }) =>
    tie?.some((one) => one.value === denial.value && placeText(one) === placeText(denial));
  const denied = denialWords(
    (result.denials ?? []).filter((one) => one.apart && !isTied(one)),
    (denial) => denialDisputed(denial, claims, model),
  );
  const all = denied.length === 0 ? said : [...said, '; ', ...denied];
  return all.length === 0 ? [] : ['In other scopes or of other times: ', ...all.slice(1), '.'];
}

/** `In the middle: 62,000 (90 % interval 40,000 to 150,000).`, where numbers are estimated. */
const inTheMiddle = ({ result: { numeric_estimate: estimate } }: Verdict): Part[] =>
  estimate ? [`${capital(estimateWords(estimate))}.`] : [];

/** Contributions; the first of a dependence class counts where the one that counts is told elsewhere. */
function withHeads(list: readonly Contribution[]): Contribution[] {
  const classes = new Set(list.filter(({ counted }) => counted > 0).map((one) => one.dependence_class));
  return list.map((one) => {
    if (classes.has(one.dependence_class)) return one;
    classes.add(one.dependence_class);
    return { ...one, counted: one.offered };
  });
}

/** `; Curator disputes what Historian says`: sources that speak about claims, with whose they are. */
function aboutClaims(spoken: readonly Contribution[], verb: 'support' | 'dispute', model: Model): Part[] {
  const nameOf = (id: string | null | undefined) => model.claimById.get(id ?? '')?.actor.name ?? '';
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
  const who: Part[] = [
    { user: first },
    ...(others.length > 0 ? [` and ${othersInWords(others.length)}`] : []),
  ];
  return [
    '; ',
    ...who,
    ` ${verb}${others.length > 0 ? '' : 's'} what `,
    { user: target },
    ' says',
    ...(elsewhere > 0
      ? [`, and ${inWords(elsewhere)} ${verb}${elsewhere === 1 ? 's' : ''} what others say`]
      : []),
  ];
}

/** `one other`, `two others`. */
const othersInWords = (count: number) => `${inWords(count)} ${count === 1 ? 'other' : 'others'}`;

/** `, and so do two more that are not independent of them`. */
const alike = (copies: Tally, of: number): Part[] =>
  copies.copies === 0 ? [] : [`, and so ${copies.copies === 1 ? 'does' : 'do'} ${further(copies, of)}`];

/** `two more that are not independent of them`; that they may not be where nobody declared so. */
const further = ({ copies, suspected }: Tally, of: number) =>
  `${inWords(copies)} more that ${suspected ? 'may not be' : copies === 1 ? 'is not' : 'are not'} independent of ${of === 1 ? 'it' : 'them'}`;

/** A source that says the answer and something else. */
interface Turn {
  readonly name: string;
  /** Whether it said the other before, or says it by now; `also` where times do not tell. */
  readonly when: 'before' | 'now' | 'also';
  /** The other; null where it is no other value. */
  readonly value: string | null;
}

/** By the side of what the source said last, repetitions among it. */
function turnOf(actor: string | null, verdict: Verdict, { claimById }: Model, isNo: boolean): Turn {
  const says = ({ input }: Claim) => JSON.stringify([input.value, isOpposite({ input }), input.scope ?? '']);
  const sides = new Map<string, boolean>();
  for (const { actor_id, claim_id, route, side } of verdict.explanation!.contributions) {
    const claim = actor_id === actor && route === 'voice' ? claimById.get(claim_id ?? '') : undefined;
    if (claim) sides.set(says(claim), side === (isNo ? 'opposition' : 'support'));
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

/** Ids of one claim of each source that counts, the weightiest first, the equal ones by names. */
function voices(contributions: readonly Contribution[], { claimById }: Model): string[] {
  const said = ({ claim_id }: Contribution) => {
    const claim = claimById.get(claim_id ?? '');
    return claim ? `${claim.actor.name}\n${claim.input.value}` : '';
  };
  const weights = new Map<string | null, number>();
  // Which of a crowd of equal weight counts in full is decided by ids.
  for (const { actor_id: id, counted, offered } of contributions)
    if (counted > 0) weights.set(id, Math.max(weights.get(id) ?? 0, rounded(offered)));
  // Of several claims of a source that are alike, the engine counts one by its id.
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

/** Whether a claim answers a question of yes or no with something else: `no comment`, `partly`. */
function isThirdAnswer({ claim_id }: Pick<Contribution, 'claim_id'>, { claimById }: Model): boolean {
  const claim = claimById.get(claim_id ?? '');
  return claim !== undefined && !saysYesOrNo(claim);
}

/** Whether a claim's value is yes or no. */
export const saysYesOrNo = ({ input: { value } }: Pick<Claim, 'input'>) =>
  /^(yes|no)$/.test(answerWord(value));

/** What a source says that disagrees, after `says`. */
function dissent(claim: Claim, leading: string | null, isNo: boolean): Part[] {
  if (isNo && saysYesOrNo(claim)) return ['it is'];
  if (!isNo && (isOpposite(claim) || leading === null)) return ['it is not so'];
  return [{ user: shortened(answerWord(claim.input.value), 80) }];
}
